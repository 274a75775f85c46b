/* A window of rows: what a table draws. */
#include "view/describe.h"
#include "view/rows.h"

static uint32_t position_of(ct_describer *describer, uint32_t slot, uint32_t parent) {
    const ctree_store *store = describer->view->store;
    uint32_t position = describer->next;
    bool follows = describer->parent == parent && position < ct_hot_at(store, parent)->count
                   && ct_children_at(store, parent, position) == slot;
    if (!follows) position = ct_children_ordinal(store, slot);
    describer->parent = parent;
    describer->next = position + 1;
    return position;
}

void ct_describe(ct_describer *describer, uint32_t slot, ctree_row *out) {
    const ctree_view *view = describer->view;
    const ctree_store *store = view->store;
    const ct_hot *hot = ct_hot_at(store, slot);
    out->position = position_of(describer, slot, hot->parent);
    out->sibling_count = ct_hot_at(store, hot->parent)->count;
    out->load_state = ct_state(hot);
    out->expandable = ct_view_shows_expandable(view, hot);
    out->expanded = ct_state(hot) != CTREE_STATE_LEAF && ct_view_opens(view, slot);
    out->more = (hot->tag & CT_FLAG_MORE) != 0;
}

ctree_status ctree_rows_window(const ctree_rows *rows, const ctree_view *view, uint32_t first, uint32_t *count,
                               ctree_row *out) {
    if (rows == NULL || view == NULL || count == NULL || (out == NULL && *count != 0)) return CTREE_INVALID;
    if (view->store != rows->store) return CTREE_INVALID;
    if (view->store->closed) return CTREE_CLOSED;
    if (first > rows->count) return CTREE_RANGE;
    if (*count > rows->count - first) *count = rows->count - first;
    ct_describer describer = ct_describer_of(view);
    for (uint32_t i = 0; i < *count; i++) {
        ctree_node node = ctree_rows_nodes(rows)[first + i];
        out[i] = (ctree_row){.node = node, .depth = ctree_rows_depths(rows)[first + i]};
        uint32_t slot = ct_slot_of(view->store, node);
        if (slot != CT_TOP) ct_describe(&describer, slot, &out[i]);
    }
    return CTREE_OK;
}
