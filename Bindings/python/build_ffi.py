"""build_ffi.py ROOT OUTPUT: writes the C source of the module that wraps every public function.

The declarations are taken from the headers themselves, so that what they gain is there without another edit.
"""

import pathlib
import re
import sys

import cffi

# Constants that the headers define as macros. Sizes of structs come from the C compiler.
MACROS = """
#define CTREE_VERSION_MAJOR ...
#define CTREE_VERSION_MINOR ...
#define CTREE_VERSION_PATCH ...
#define CTREE_ABI_VERSION ...
#define CTREE_END ...
#define CTREE_NO_ROW ...
#define CTREE_NO_ITEM ...
#define CTREE_ALL_LEVELS ...
"""

# What C calls back: each finds its Python object through the context, a handle of cffi's.
CALLBACKS = """
extern "Python" void ctreecore_py_release(void *, const ctree_node *, const uint64_t *, size_t);
extern "Python" void ctreecore_py_before(void *, const ctree_store *, const ctree_edit *);
extern "Python" void ctreecore_py_after(void *, const ctree_store *, const ctree_edit *);
extern "Python" void ctreecore_py_settled(void *, ctree_store *);
extern "Python" void ctreecore_py_splice(void *, const ctree_view *, const ctree_splice *);
extern "Python" bool ctreecore_py_saved(void *, const ctree_saved *);
extern "Python" bool ctreecore_py_progress(void *, uint64_t, uint64_t);
"""

# Arrays of ctree_id from packed bytes are made in C: a loop over a million of them is no work for Python.
HELPERS = """
void ctreecore_py_pack(ctree_id *out, const char *bytes, const uint64_t *offsets, size_t count);
"""
HELPERS_SOURCE = """
static void ctreecore_py_pack(ctree_id *out, const char *bytes, const uint64_t *offsets, size_t count) {
    for (size_t i = 0; i < count; i++) out[i] = ctree_id_bytes(bytes + offsets[i], offsets[i + 1] - offsets[i]);
}
"""


def declarations(include: pathlib.Path) -> str:
    """All headers in the order in which they include each other, as cffi can read them."""
    seen: set[str] = set()
    parts: list[str] = []

    def add(name: str) -> None:
        if name in seen:
            return
        seen.add(name)
        text = (include / name).read_text()
        for inner in re.findall(r'#include "(ctree/[a-z_]+\.h)"', text):
            add(inner)
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        text = re.sub(r'#ifdef __cplusplus\n(extern "C" \{|\})\n#endif', "", text)
        text = re.sub(r"^ *#.*?(?<!\\)$", "", text, flags=re.S | re.M)
        text = re.sub(r"static inline [^{]*\{.*?\n\}", "", text, flags=re.S)
        parts.append(re.sub(r"\bCTREE_API\b", "", text))

    add("ctree/ctree.h")
    return "".join(parts)


def main(root: str, output: str) -> None:
    ffi = cffi.FFI()
    ffi.cdef(declarations(pathlib.Path(root) / "Sources/CTreeCore/include") + MACROS + CALLBACKS + HELPERS)
    ffi.set_source("ctreecore._ctreecore", '#include "ctree/ctree.h"\n' + HELPERS_SOURCE)
    ffi.emit_c_code(output)


if __name__ == "__main__":
    main(*sys.argv[1:])
