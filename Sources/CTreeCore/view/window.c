/* A window of rows: what a table draws. */
#include "store/children.h"
#include "view/rows.h"

/* Where the walk through the window stands: mostly the next row is the next sibling, and need not be looked for. */
typedef struct place {
    uint32_t parent;
    uint32_t next; /* The position after the last row's. */
} place;

static uint32_t position_of(const ctree_store *store, uint32_t slot, uint32_t parent, place *last) {
    uint32_t position = last->next;
    bool follows = last->parent == parent && position < ct_hot_at(store, parent)->count
                   && ct_children_at(store, parent, position) == slot;
    if (!follows) position = ct_children_ordinal(store, slot);
    *last = (place){parent, position + 1};
    return position;
}

static void describe(const ctree_view *view, uint32_t slot, place *last, ctree_row *out) {
    const ctree_store *store = view->store;
    const ct_hot *hot = ct_hot_at(store, slot);
    out->position = position_of(store, slot, hot->parent, last);
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
    place last = {CT_TOP, 0};
    for (uint32_t i = 0; i < *count; i++) {
        ctree_node node = ctree_rows_nodes(rows)[first + i];
        out[i] = (ctree_row){.node = node, .depth = ctree_rows_depths(rows)[first + i]};
        uint32_t slot = ct_slot_of(view->store, node);
        if (slot != CT_TOP) describe(view, slot, &last, &out[i]);
    }
    return CTREE_OK;
}
