/* Opening and closing many nodes at once. */
#include "store/edits.h"
#include "store/loads.h"
#include "view/levels.h"
#include "view/view.h"

enum { ASK_EVERY = 1 << 15 };

/* Begins a call over a subtree: CTREE_NONE is the whole store, whose slot is CT_TOP. */
static ctree_status begin(ctree_view *view, ctree_node node, uint32_t *slot) {
    if (view == NULL) return CTREE_INVALID;
    ctree_store *store = view->store;
    ctree_status status = ct_edit_enter(store);
    if (status != CTREE_OK) return status;
    if (!ct_parent_slot(store, node, slot)) return ct_edit_leave(store, CTREE_STALE);
    status = ct_expanded_reserve(&view->expanded, &store->mem, store->used);
    return status == CTREE_OK ? CTREE_OK : ct_edit_leave(store, status);
}

static bool wants_load(const ctree_store *store, uint32_t slot) {
    ctree_load_state state = ct_state(ct_hot_at(store, slot));
    return state == CTREE_STATE_UNLOADED || state == CTREE_STATE_FAILED;
}

static void open_slot(ctree_view *view, uint32_t slot) {
    if (ct_state(ct_hot_at(view->store, slot)) == CTREE_STATE_LEAF) return;
    ct_expanded_set(&view->expanded, slot, CT_EXPANDED);
    ct_requests_add(view->store, slot);
}

/* ---- Expand all ------------------------------------------------------------------------------------------------- */

static bool may_go_on(const ctree_progress *progress, uint64_t done, uint64_t total) {
    return progress == NULL || progress->keep_going == NULL || progress->keep_going(progress->context, done, total);
}

/* All that can fail or be cancelled comes before anything is opened: counts the loads to ask for, and reserves them. */
static ctree_status prepare_open(ctree_view *view, uint32_t root, uint32_t below, const ctree_progress *progress) {
    ctree_store *store = view->store;
    uint64_t loads = root != CT_TOP && wants_load(store, root) ? 1 : 0;
    uint64_t done = 0;
    if (!may_go_on(progress, 0, store->count)) return CTREE_CANCELLED;
    ct_levels walk = ct_levels_below(store, root, below);
    for (uint32_t slot; (slot = ct_levels_next(&walk)) != CT_TOP;) {
        if (wants_load(store, slot)) loads++;
        if (++done % ASK_EVERY == 0 && !may_go_on(progress, done, store->count)) return CTREE_CANCELLED;
    }
    return ct_requests_reserve(store, loads);
}

ctree_status ctree_view_expand_all(ctree_view *view, ctree_node node, uint32_t levels,
                                   const ctree_progress *progress) {
    uint32_t root;
    ctree_status status = begin(view, node, &root);
    if (status != CTREE_OK) return status;
    ctree_store *store = view->store;
    if (levels == 0) return ct_edit_leave(store, CTREE_OK);
    /* A node is the first of its levels; the top level, which is none, has all of them below it. */
    uint32_t below = root == CT_TOP || levels == CTREE_ALL_LEVELS ? levels : levels - 1;
    status = prepare_open(view, root, below, progress);
    if (status != CTREE_OK) return ct_edit_leave(store, status);
    if (root != CT_TOP) open_slot(view, root);
    ct_levels walk = ct_levels_below(store, root, below);
    for (uint32_t slot; (slot = ct_levels_next(&walk)) != CT_TOP;) open_slot(view, slot);
    return ct_edit_leave(store, CTREE_OK);
}

/* ---- Collapse all ----------------------------------------------------------------------------------------------- */

void ct_view_close_below(ctree_view *view, uint32_t slot) {
    ct_levels walk = ct_levels_below(view->store, slot, CTREE_ALL_LEVELS);
    for (uint32_t below; (below = ct_levels_next(&walk)) != CT_TOP;) {
        /* Leaves too: one that can open later is closed then, as all around it. */
        if (!ct_view_is_section(view, below)) ct_expanded_set(&view->expanded, below, CT_COLLAPSED);
    }
}

ctree_status ctree_view_collapse_all(ctree_view *view, ctree_node node) {
    uint32_t root;
    ctree_status status = begin(view, node, &root);
    if (status != CTREE_OK) return status;
    if (root != CT_TOP && !ct_view_is_section(view, root)) ct_expanded_set(&view->expanded, root, CT_COLLAPSED);
    ct_view_close_below(view, root);
    return ct_edit_leave(view->store, CTREE_OK);
}

/* ---- Reveal ----------------------------------------------------------------------------------------------------- */

ctree_status ctree_view_reveal(ctree_view *view, ctree_node node) {
    uint32_t slot;
    ctree_status status = begin(view, node, &slot);
    if (status != CTREE_OK) return status;
    ctree_store *store = view->store;
    if (slot == CT_TOP) return ct_edit_leave(store, CTREE_STALE);
    uint64_t loads = 0;
    for (uint32_t above = slot; (above = ct_hot_at(store, above)->parent) != CT_TOP;) {
        if (wants_load(store, above)) loads++;
    }
    status = ct_requests_reserve(store, loads);
    if (status != CTREE_OK) return ct_edit_leave(store, status);
    while ((slot = ct_hot_at(store, slot)->parent) != CT_TOP) open_slot(view, slot);
    return ct_edit_leave(store, CTREE_OK);
}
