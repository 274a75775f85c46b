/* A window of rows: what a table draws. */
#include "view/describe.h"
#include "view/rows.h"

void ct_describe_place(ct_describer *describer, uint32_t slot, uint32_t parent, ctree_row *out) {
    const ctree_store *store = describer->view->store;
    uint32_t known = parent % CT_PARENTS_KNOWN, count = ct_hot_at(store, parent)->count;
    bool met = describer->known[known].parent == parent;
    uint32_t position = met ? describer->known[known].next : 0;
    bool follows = describer->gapless ? describer->last == parent
                                      : position < count && ct_children_at(store, parent, position) == slot;
    if (!follows) position = ct_children_ordinal(store, slot);
    describer->known[known].parent = parent;
    describer->known[known].count = count;
    describer->known[known].next = position + 1;
    out->position = position;
    out->sibling_count = count;
}

ctree_status ctree_rows_window(const ctree_rows *rows, const ctree_view *view, uint32_t first, uint32_t *count,
                               ctree_row *out) {
    if (rows == NULL || view == NULL || count == NULL || (out == NULL && *count != 0)) return CTREE_INVALID;
    if (view->store != rows->store) return CTREE_INVALID;
    if (view->store->closed) return CTREE_CLOSED;
    if (first > rows->count) return CTREE_RANGE;
    if (*count > rows->count - first) *count = rows->count - first;
    ct_describer describer;
    ct_describer_begin(&describer, view, false);
    for (uint32_t i = 0; i < *count; i++) {
        ctree_node node = ctree_rows_nodes(rows)[first + i];
        out[i] = (ctree_row){.node = node, .depth = ctree_rows_depths(rows)[first + i]};
        uint32_t slot = ct_slot_of(view->store, node);
        if (slot != CT_TOP) ct_describe(&describer, slot, &out[i]);
    }
    return CTREE_OK;
}
