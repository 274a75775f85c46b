"""The domain of a tree and its views: one lock, and what must wait for it.

The C library wants a domain used by one call at a time. cffi lets other threads run during a call, so each call takes
the domain's lock. A finalizer may run on any thread and must never wait: where the lock is taken, what it would
destroy is left for the next call.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from ._ctreecore import ffi, lib
from .errors import ClosedError, Fault, error_of


class Domain:
    """Shared by a tree and its views."""

    __slots__ = ("lock", "pending", "failed", "kept", "__weakref__")

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.pending: deque[tuple[Callable[[Any], None], Any]] = deque()
        self.failed: BaseException | None = None
        self.kept: Any = None

    def destroy(self, call: Callable[[Any], None], pointer: Any) -> None:
        """Destroys now, or at the next call where another thread is using the domain."""
        self.pending.append((call, pointer))
        if self.lock.acquire(blocking=False):
            try:
                self.drain()
            finally:
                self.lock.release()

    def drain(self) -> None:
        """Destroys what finalizers left behind. The lock is held."""
        while self.pending:
            call, pointer = self.pending.popleft()
            call(pointer)

    def raise_failed(self) -> None:
        """Raises what a callback raised during the call that has just returned."""
        failed, self.failed = self.failed, None
        if failed is not None:
            raise failed


class Owned:
    """An object of the C library that belongs to a domain."""

    __slots__ = ("_domain", "_pointer", "_destroy", "__weakref__")

    def __init__(self, domain: Domain, pointer: Any, destroy: Callable[[Any], None]) -> None:
        self._domain = domain
        self._pointer = pointer
        self._destroy = destroy

    def _run(self, call: Callable[..., int], *arguments: Any) -> None:
        """Calls what returns a status, and raises where it is not OK."""
        domain = self._domain
        with domain.lock:
            if domain.pending:
                domain.drain()
            if self._pointer is None:
                raise ClosedError()
            status = call(self._pointer, *arguments)
            if domain.failed is not None:
                domain.raise_failed()
        if status:
            raise error_of(status)

    def _run_forest(self, call: Callable[..., int], *arguments: Any) -> None:
        """The same for a call whose last parameter is a fault."""
        domain = self._domain
        with domain.lock:
            if domain.pending:
                domain.drain()
            if self._pointer is None:
                raise ClosedError()
            fault = new_fault()
            status = call(self._pointer, *arguments, fault)
            if domain.failed is not None:
                domain.raise_failed()
        if status:
            raise error_of(status, read_fault(fault))

    def _read(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """Calls what returns its result."""
        with self._domain.lock:
            if self._pointer is None:
                raise ClosedError()
            return call(self._pointer, *arguments)

    @property
    def closed(self) -> bool:
        """Whether the object was closed."""
        return self._pointer is None

    def close(self) -> None:
        """Ends the object. Later calls raise ClosedError; closing again does nothing."""
        pointer, self._pointer = self._pointer, None
        if pointer is not None:
            self._domain.destroy(self._destroy, pointer)
            self._domain.raise_failed()

    def __del__(self) -> None:
        pointer = getattr(self, "_pointer", None)
        if pointer is not None:
            self._pointer = None
            self._domain.destroy(self._destroy, pointer)


def new_fault() -> Any:
    fault = ffi.new("ctree_fault *")
    fault.size = ffi.sizeof("ctree_fault")
    fault.item = fault.other_item = lib.CTREE_NO_ITEM
    return fault


def read_fault(fault: Any) -> Fault:
    none = lib.CTREE_NO_ITEM
    item = None if fault.item == none else fault.item
    return Fault(item, None if fault.other_item == none else fault.other_item, fault.node)


class Context:
    """What a C callback finds its way back by: kept alive by its owner."""

    __slots__ = ("domain", "act", "handle")

    def __init__(self, domain: Domain, act: Callable[..., Any]) -> None:
        self.domain = domain
        self.act = act
        self.handle = ffi.new_handle(self)

    def __call__(self, *arguments: Any) -> Any:
        """An exception stays in the domain until the call that led here returns: C cannot pass it on."""
        try:
            return self.act(*arguments)
        except BaseException as error:  # noqa: BLE001
            if self.domain.failed is None:
                self.domain.failed = error
            return None


@ffi.def_extern()  # type: ignore[untyped-decorator]
def ctreecore_py_progress(context: Any, done: int, total: int) -> bool:
    return bool(ffi.from_handle(context)(done, total))


def progress_of(domain: Domain, progress: Callable[[int, int], bool] | None) -> tuple[Any, Any]:
    """A ctree_progress, and what must stay alive during the call."""
    if progress is None:
        return ffi.NULL, None
    context = Context(domain, progress)
    struct = ffi.new("ctree_progress *", {"context": context.handle, "keep_going": lib.ctreecore_py_progress})
    return struct, (context, struct)
