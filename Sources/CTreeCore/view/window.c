/* A window of rows: what a table draws. */
#include "view/describe.h"
#include "view/rows.h"

/*
 * Records first, then the parents of those rows whose place in their list has to be looked for, then those lists.
 * They are the rows that stand higher than all before them; the others follow on a parent or sibling in the window.
 */
void ct_describe_ahead(const ctree_view *view, const uint32_t *slots, const uint32_t *depths, uint32_t count) {
    enum { HIGHEST = 16 };
    const ctree_store *store = view->store;
    uint32_t highest[HIGHEST], found = 0, least = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        ct_prefetch(ct_hot_at(store, slots[i]));
        if (depths[i] >= least || found == HIGHEST) continue;
        least = depths[i];
        highest[found++] = slots[i];
    }
    ct_expanded_ahead(&view->expanded, slots[0]);
    for (uint32_t i = 0; i < found; i++) ct_prefetch(ct_hot_at(store, ct_hot_at(store, highest[i])->parent));
    for (uint32_t i = 0; i < found; i++) ct_children_ahead(store, highest[i]);
}

ctree_status ctree_rows_window(const ctree_rows *rows, const ctree_view *view, uint32_t first, uint32_t *count,
                               ctree_row *out) {
    if (rows == NULL || view == NULL || count == NULL || (out == NULL && *count != 0)) return CTREE_INVALID;
    if (view->store != rows->store) return CTREE_INVALID;
    if (view->store->closed) return CTREE_CLOSED;
    if (first > rows->count) return CTREE_RANGE;
    if (*count > rows->count - first) *count = rows->count - first;
    const ctree_store *store = view->store;
    const ct_describer describer = ct_describer_of(view);
    uint32_t headers = (view->flags & CTREE_VIEW_SECTIONS) != 0;
    uint32_t parent = CTREE_END, next = 0; /* Mostly a row is the next sibling of the one before. */
    for (uint32_t i = 0; i < *count; i++) {
        ctree_node node = ctree_rows_nodes(rows)[first + i];
        uint32_t depth = ctree_rows_depths(rows)[first + i], slot = ct_slot_of(store, node);
        if (slot == CT_TOP) {
            out[i] = (ctree_row){.node = node, .depth = depth};
            continue;
        }
        ct_describe(&describer, slot, depth + headers, &out[i]);
        out[i].depth = depth;
        bool follows = ct_hot_at(store, slot)->parent == parent && next < out[i].sibling_count
                       && ct_children_at(store, parent, next) == slot;
        out[i].position = follows ? next : ct_children_ordinal(store, slot);
        parent = ct_hot_at(store, slot)->parent;
        next = out[i].position + 1;
    }
    return CTREE_OK;
}
