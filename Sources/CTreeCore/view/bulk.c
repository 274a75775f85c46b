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

/* ---- Expand all ------------------------------------------------------------------------------------------------ */

static bool may_go_on(const ctree_progress *progress, uint64_t done, uint64_t total) {
    return progress == NULL || progress->keep_going == NULL || progress->keep_going(progress->context, done, total);
}

/* All that can fail or be cancelled comes before anything is opened: counts the loads to ask for, and reserves
   them. */
static ctree_status prepare_open(ctree_view *view, uint32_t root, uint32_t below, const ctree_progress *progress) {
    ctree_store *store = view->store;
    uint64_t loads = root != CT_TOP && wants_load(store, root) ? 1 : 0;
    uint64_t done = 0;
    ctree_status status;
    if (!may_go_on(progress, 0, store->count)) return CTREE_CANCELLED;
    ct_levels walk;
    ct_levels_begin(&walk, store, root, below);
    for (uint32_t slot; (slot = ct_levels_next(&walk)) != CT_TOP;) {
        if (wants_load(store, slot)) loads++;
        if (++done % ASK_EVERY == 0 && !may_go_on(progress, done, store->count)) return CTREE_CANCELLED;
    }
    status = ct_requests_reserve(store, loads);
    return status == CTREE_OK ? ct_live_reserve_anew(view, root) : status;
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
    ct_levels walk;
    ct_levels_begin(&walk, store, root, below);
    for (uint32_t slot; (slot = ct_levels_next(&walk)) != CT_TOP;) open_slot(view, slot);
    ct_live_build_anew(view, root);
    return ct_edit_leave(store, CTREE_OK);
}

/* ---- Collapse all ---------------------------------------------------------------------------------------------- */

void ct_view_close_below(ctree_view *view, uint32_t slot) {
    ct_levels walk;
    ct_levels_begin(&walk, view->store, slot, CTREE_ALL_LEVELS);
    for (uint32_t below; (below = ct_levels_next(&walk)) != CT_TOP;) {
        /* Leaves too: one that can open later is closed then, as all around it. */
        if (!ct_view_is_section(view, below)) ct_expanded_set(&view->expanded, below, CT_COLLAPSED);
    }
}

ctree_status ctree_view_collapse_all(ctree_view *view, ctree_node node) {
    uint32_t root;
    ctree_status status = begin(view, node, &root);
    if (status != CTREE_OK) return status;
    status = ct_live_reserve_closed(view, root);
    if (status != CTREE_OK) return ct_edit_leave(view->store, status);
    if (root != CT_TOP && !ct_view_is_section(view, root)) ct_expanded_set(&view->expanded, root, CT_COLLAPSED);
    ct_waiting_end_below(view, root);
    ct_view_close_below(view, root);
    ct_live_build_anew(view, root);
    return ct_edit_leave(view->store, CTREE_OK);
}

/* ---- Reveal ---------------------------------------------------------------------------------------------------- */

/* The closed ancestors of a node, from the nearest on, with the settings they had. */
typedef struct path {
    uint32_t *slots;
    ct_setting *settings;
    size_t count, room;
} path;

static ctree_status find_closed(ctree_view *view, uint32_t slot, path *closed) {
    const ctree_store *store = view->store;
    uint32_t depth = 0, place = 0;
    for (uint32_t above = slot; (above = ct_hot_at(store, above)->parent) != CT_TOP;) depth++;
    if (depth == 0) return CTREE_OK;
    closed->room = depth;
    closed->slots = ct_alloc(&store->mem, depth * sizeof *closed->slots);
    closed->settings = ct_alloc(&store->mem, depth * sizeof *closed->settings);
    if (closed->slots == NULL || closed->settings == NULL) return CTREE_NO_MEMORY;
    for (uint32_t above = slot; (above = ct_hot_at(store, above)->parent) != CT_TOP; place++) {
        if (ct_view_opens_at(view, above, depth - 1 - place)) continue;
        closed->settings[closed->count] = ct_expanded_get(&view->expanded, above);
        closed->slots[closed->count++] = above;
    }
    return CTREE_OK;
}

static ctree_status reserve_reveal(ctree_view *view, const path *closed) {
    uint64_t loads = 0;
    ct_seq_work work = {0};
    for (size_t i = 0; i < closed->count; i++) {
        if (wants_load(view->store, closed->slots[i])) loads++;
        ct_live_foresee_open(view, closed->slots[i], &work);
    }
    ctree_status status = ct_requests_reserve(view->store, loads);
    return status == CTREE_OK ? ct_live_reserve(view, &work) : status;
}

/* Within the frame. */
static ctree_status reveal(ctree_view *view, uint32_t slot, path *closed) {
    ctree_status status = find_closed(view, slot, closed);
    if (status != CTREE_OK) return status;
    /* What is to be reserved is seen only when all are open. */
    for (size_t i = 0; i < closed->count; i++) ct_expanded_set(&view->expanded, closed->slots[i], CT_EXPANDED);
    status = reserve_reveal(view, closed);
    if (status != CTREE_OK) {
        for (size_t i = 0; i < closed->count; i++) {
            ct_expanded_set(&view->expanded, closed->slots[i], closed->settings[i]);
        }
        return status;
    }
    for (size_t i = 0; i < closed->count; i++) {
        ct_requests_add(view->store, closed->slots[i]);
        ct_live_opened(view, closed->slots[i]);
    }
    return CTREE_OK;
}

ctree_status ctree_view_reveal(ctree_view *view, ctree_node node) {
    uint32_t slot;
    ctree_status status = begin(view, node, &slot);
    if (status != CTREE_OK) return status;
    if (slot == CT_TOP) return ct_edit_leave(view->store, CTREE_STALE);
    path closed = {NULL, NULL, 0, 0};
    status = reveal(view, slot, &closed);
    const ct_mem *mem = &view->store->mem;
    ct_free(mem, closed.slots, closed.room * sizeof *closed.slots);
    ct_free(mem, closed.settings, closed.room * sizeof *closed.settings);
    return ct_edit_leave(view->store, status);
}
