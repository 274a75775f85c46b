"""Two lists of rows, compared; no tree is needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, overload

from ._arrays import lend
from ._ctreecore import ffi, lib
from ._domain import Domain, progress_of
from .changes import Batch, SectionBatch, Splices, Steps, batch_of, section_batch_of, splices_of, steps_of
from .errors import DuplicateError, Status, error_of
from .forest import encoded


@dataclass(slots=True)
class RowList:
    """One of two lists: keys of rows, all integers or all strings or bytes.

    With sections, `rows` holds those of the first section, then those of the second, and so on, and `section_rows`
    says how many each has.
    """

    rows: Any = ()
    revisions: Any = None
    sections: Any = ()
    section_rows: Any = ()
    section_revisions: Any = None


@dataclass(slots=True)
class KeyTwice:
    """Where a key stands twice: in DuplicateError.twice."""

    in_new: bool
    in_sections: bool
    first: int
    second: int


_FORMS = {"batch": 1, "sections": 2, "splices": 4, "steps": 8}
Keys = Literal["nodes", "numbers", "bytes"]
_KEYS = {"nodes": 0, "numbers": 1, "bytes": 2}


def _keys(keys: Any, kind: int, kept: list[Any]) -> tuple[Any, int]:
    if kind != lib.CTREE_DIFF_IDS:
        pointer, count = lend("uint64_t", keys)
        kept.append(pointer)
        return pointer, count
    parts = [ffi.from_buffer(encoded(key)) for key in keys]
    structs = ffi.new("ctree_id[]", [(part, len(part)) for part in parts])
    kept += [parts, structs]
    return structs, len(parts)


def _list(given: RowList | Sequence[Any] | None, kind: int, kept: list[Any]) -> Any:
    if given is None:
        return ffi.NULL
    rows = given if isinstance(given, RowList) else RowList(given)
    out = ffi.new("ctree_diff_list *")
    out.rows, out.row_count = _keys(rows.rows, kind, kept)
    out.sections, out.section_count = _keys(rows.sections, kind, kept)
    counts, _ = lend("uint32_t", rows.section_rows, out.section_count)
    out.section_rows = counts
    kept += [out, counts]
    for name, count in (("revisions", out.row_count), ("section_revisions", out.section_count)):
        if getattr(rows, name) is not None:
            pointer, _ = lend("uint64_t", getattr(rows, name), count)
            kept.append(pointer)
            setattr(out, name, pointer)
    return out


@overload
def diff(
    old: Any,
    new: Any,
    form: Literal["batch"] = ...,
    *,
    keys: Keys | None = ...,
    limit: int = ...,
    progress: Callable[[int, int], bool] | None = ...,
) -> Batch: ...
@overload
def diff(
    old: Any,
    new: Any,
    form: Literal["sections"],
    *,
    keys: Keys | None = ...,
    limit: int = ...,
    progress: Callable[[int, int], bool] | None = ...,
) -> SectionBatch: ...
@overload
def diff(
    old: Any,
    new: Any,
    form: Literal["splices"],
    *,
    keys: Keys | None = ...,
    limit: int = ...,
    progress: Callable[[int, int], bool] | None = ...,
) -> Splices: ...
@overload
def diff(
    old: Any,
    new: Any,
    form: Literal["steps"],
    *,
    keys: Keys | None = ...,
    limit: int = ...,
    progress: Callable[[int, int], bool] | None = ...,
) -> Steps: ...
def diff(
    old: Any,
    new: Any,
    form: str = "batch",
    *,
    keys: Keys | None = None,
    limit: int = 0,
    progress: Callable[[int, int], bool] | None = None,
) -> Any:
    """The change between two lists (RowList, or a sequence of keys): minimal, as diff.h says.

    `keys` says what names rows: "nodes" (handles of one tree, the fastest), "numbers" or "bytes"; None finds out by
    the first key. Without an old list (None) the result says reload. DuplicateError.twice says where a key is twice.
    """
    kind = _KEYS[keys] if keys is not None else _kind_of(old, new)
    kept: list[Any] = []
    domain = Domain()
    options = ffi.new("ctree_diff_options *")
    options.size = ffi.sizeof("ctree_diff_options")
    options.keys, options.forms, options.limit = kind, _FORMS[form], limit
    options.progress, asked = progress_of(domain, progress)
    before, after = _list(old, kind, kept), _list(new, kind, kept)
    twice = ffi.new("ctree_diff_duplicate *")
    out = ffi.new("ctree_diff **")
    status = lib.ctree_diff_create(before, after, options, twice, out)
    del asked
    domain.raise_failed()
    if status == Status.DUPLICATE:
        error = DuplicateError()
        where = KeyTwice(bool(twice.in_new), bool(twice.in_sections), twice.first, twice.second)
        error.twice = where  # type: ignore[attr-defined]
        raise error
    if status:
        raise error_of(status)
    try:
        if form == "batch":
            return batch_of(lib.ctree_diff_batch(out[0]))
        if form == "sections":
            return section_batch_of(lib.ctree_diff_section_batch(out[0]))
        return (
            splices_of(lib.ctree_diff_splices(out[0]))
            if form == "splices"
            else steps_of(lib.ctree_diff_steps(out[0]))
        )
    finally:
        lib.ctree_diff_destroy(out[0])


def _kind_of(*lists: Any) -> int:
    for given in lists:
        rows = given if isinstance(given, RowList) or given is None else RowList(given)
        for keys in (rows.rows, rows.sections) if rows is not None else ():
            if len(keys) > 0:
                return int(lib.CTREE_DIFF_IDS if isinstance(keys[0], (str, bytes)) else lib.CTREE_DIFF_U64)
    return int(lib.CTREE_DIFF_U64)
