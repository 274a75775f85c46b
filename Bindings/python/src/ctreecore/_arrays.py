"""Arrays in and out of C without copies: anything with a buffer of the right items is lent as it is."""

from __future__ import annotations

import array
from collections.abc import Iterable
from typing import Any

from ._ctreecore import ffi

try:
    import numpy as numpy
except ImportError:  # NumPy is optional: array.array stands in for it.
    numpy = None  # type: ignore[assignment]

_CODES = {"uint64_t": ("Q", 8), "uint32_t": ("I", 4), "uint8_t": ("B", 1)}
_FORMATS = {8: "QqLlNn", 4: "IiLl", 1: "Bb?"}


def new_array(kind: str, count: int) -> tuple[Any, Any]:
    """A new array of `count` items, NumPy's where it is there, and the pointer to it."""
    code, size = _CODES[kind]
    if numpy is not None:
        made: Any = numpy.empty(count, kind[:-2])
    else:
        made = array.array(code, bytes(count * size))
    return made, ffi.from_buffer(kind + "[]", made, require_writable=True)


def lend(kind: str, values: Any, count: int | None = None) -> tuple[Any, int]:
    """A pointer to the items, and how many there are. The pointer keeps the array alive.

    Arrays of signed items are read as unsigned ones of their size, so that -1 is the number that means none.
    """
    code, size = _CODES[kind]
    if not isinstance(values, (bytes, bytearray, memoryview, array.array)) and numpy is not None:
        if isinstance(values, numpy.ndarray):
            same = values.dtype.kind in "iub" and values.dtype.itemsize == size
            values = numpy.ascontiguousarray(values if same else values.astype(kind[:-2]))
            return _pointer(kind, values, len(values), count)
    try:
        view = memoryview(values)
    except TypeError:
        view = memoryview(array.array(code, _unsigned(values, size)))
    if view.itemsize != size or view.format not in _FORMATS[size] or view.ndim != 1 or not view.contiguous:
        view = memoryview(array.array(code, _unsigned(view.tolist(), size)))
    return _pointer(kind, view, len(view), count)


def _pointer(kind: str, values: Any, length: int, count: int | None) -> tuple[Any, int]:
    if count is not None and length != count:
        raise ValueError(f"{length} items where {count} are needed")
    return ffi.from_buffer(kind + "[]", values), length


def _unsigned(values: Iterable[Any], size: int) -> list[int]:
    top = (1 << (8 * size)) - 1
    return [top if value is None else int(value) & top for value in values]
