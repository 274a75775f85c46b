#include "view/rows.h"

/* ---- Life ------------------------------------------------------------------------------------------------------ */

static ctree_status make(const ctree_view *view, uint32_t flags, const ctree_progress *progress, ctree_rows *rows) {
    const ctree_store *store = view->store;
    bool sections = (view->flags & CTREE_VIEW_SECTIONS) != 0;
    rows->section_count = sections ? ct_hot_at(store, CT_TOP)->count : 1;
    rows->section_starts = ct_alloc(&rows->mem, ((size_t)rows->section_count + 1) * sizeof *rows->section_starts);
    if (rows->section_starts == NULL) return CTREE_NO_MEMORY;
    if (sections && rows->section_count != 0) {
        rows->section_nodes = ct_alloc(&rows->mem, (size_t)rows->section_count * sizeof *rows->section_nodes);
        if (rows->section_nodes == NULL) return CTREE_NO_MEMORY;
    }
    if ((flags & CTREE_ROWS_LOOKUP) != 0) {
        ctree_status status = ct_array_reserve(&rows->row_of, &rows->mem, store->used);
        if (status != CTREE_OK) return status;
    }
    return ct_flatten(view, progress, rows);
}

ctree_status ctree_rows_flatten(const ctree_view *view, uint32_t flags, const ctree_progress *progress,
                                ctree_rows **out) {
    if (view == NULL || out == NULL || (flags & ~(uint32_t)CTREE_ROWS_LOOKUP) != 0) return CTREE_INVALID;
    const ctree_store *store = view->store;
    if (store->closed) return CTREE_CLOSED;
    ctree_rows *rows = ct_alloc(&store->mem, sizeof *rows);
    if (rows == NULL) return CTREE_NO_MEMORY;
    *rows = (ctree_rows){.mem = store->mem, .store = store};
    ct_array_init(&rows->row_of, sizeof(uint32_t), (uint64_t)UINT32_MAX + 1);
    ctree_status status = make(view, flags, progress, rows);
    if (status != CTREE_OK) {
        ctree_rows_destroy(rows);
        return status;
    }
    *out = rows;
    return CTREE_OK;
}

void ctree_rows_destroy(ctree_rows *rows) {
    if (rows == NULL) return;
    ct_mem mem = rows->mem;
    ct_strip_free(&rows->nodes, &mem);
    ct_strip_free(&rows->depths, &mem);
    ct_free(&mem, rows->section_nodes, (size_t)rows->section_count * sizeof *rows->section_nodes);
    ct_free(&mem, rows->section_starts, ((size_t)rows->section_count + 1) * sizeof *rows->section_starts);
    ct_array_destroy(&rows->row_of, &mem);
    ct_free(&mem, rows, sizeof *rows);
}

/* ---- Rows and sections ----------------------------------------------------------------------------------------- */

uint32_t ctree_rows_count(const ctree_rows *rows) { return rows == NULL ? 0 : rows->count; }

const ctree_node *ctree_rows_nodes(const ctree_rows *rows) { return rows == NULL ? NULL : rows->nodes.items; }

const uint32_t *ctree_rows_depths(const ctree_rows *rows) { return rows == NULL ? NULL : rows->depths.items; }

uint32_t ctree_rows_section_count(const ctree_rows *rows) { return rows == NULL ? 0 : rows->section_count; }

ctree_node ctree_rows_section_node(const ctree_rows *rows, uint32_t section) {
    if (rows == NULL || rows->section_nodes == NULL || section >= rows->section_count) return CTREE_NONE;
    return rows->section_nodes[section];
}

uint32_t ctree_rows_section_start(const ctree_rows *rows, uint32_t section) {
    if (rows == NULL) return 0;
    return section < rows->section_count ? rows->section_starts[section] : rows->count;
}

ctree_status ctree_rows_index_path(const ctree_rows *rows, uint32_t row, ctree_index_path *out) {
    if (rows == NULL || out == NULL) return CTREE_INVALID;
    if (row >= rows->count) return CTREE_RANGE;
    /* The last section that starts at the row or before it: of several that start there, only that one has rows. */
    uint32_t low = 0, high = rows->section_count - 1;
    while (low < high) {
        uint32_t middle = high - (high - low) / 2;
        if (rows->section_starts[middle] <= row) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    *out = (ctree_index_path){low, row - rows->section_starts[low]};
    return CTREE_OK;
}

uint32_t ctree_rows_at_index_path(const ctree_rows *rows, ctree_index_path path) {
    if (rows == NULL || path.section >= rows->section_count) return CTREE_NO_ROW;
    uint32_t start = rows->section_starts[path.section];
    return path.row < rows->section_starts[path.section + 1] - start ? start + path.row : CTREE_NO_ROW;
}

/* ---- Nodes ----------------------------------------------------------------------------------------------------- */

ctree_node ctree_rows_node(const ctree_rows *rows, uint32_t row) {
    return rows != NULL && row < rows->count ? ctree_rows_nodes(rows)[row] : CTREE_NONE;
}

uint32_t ctree_rows_row(const ctree_rows *rows, ctree_node node) {
    if (rows == NULL || node == CTREE_NONE) return CTREE_NO_ROW;
    const ctree_node *nodes = ctree_rows_nodes(rows);
    if (rows->row_of.capacity != 0) {
        uint32_t slot = (uint32_t)node;
        uint32_t row = slot < rows->row_of.capacity ? ct_array_get_u32(&rows->row_of, slot) : 0;
        return row != 0 && nodes[row - 1] == node ? row - 1 : CTREE_NO_ROW;
    }
    for (uint32_t row = 0; row < rows->count; row++) {
        if (nodes[row] == node) return row;
    }
    return CTREE_NO_ROW;
}
