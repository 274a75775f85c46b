#include "view/view.h"

#include "base/options.h"
#include "store/edits.h"
#include "store/loads.h"

/* ---- Life ------------------------------------------------------------------------------------------------------ */

/* A size that the library does not know is good as long as nothing is asked for that it does not know. */
static bool read_options(const ctree_view_options *given, ctree_view_options *options) {
    *options = (ctree_view_options)CTREE_VIEW_OPTIONS_INIT;
    if (given == NULL) return true;
    if (!ct_read_options(options, sizeof *options, sizeof *options, given)) return false;
    return (options->flags
            & ~(uint32_t)(CTREE_VIEW_SECTIONS | CTREE_VIEW_FORGETS | CTREE_VIEW_EMPTY_CAN_OPEN | CTREE_VIEW_RECORDS))
           == 0;
}

static uint32_t open_levels(const ctree_view_options *options) {
    bool sections = (options->flags & CTREE_VIEW_SECTIONS) != 0;
    return sections && options->default_depth != CTREE_ALL_LEVELS ? options->default_depth + 1
                                                                  : options->default_depth;
}

ctree_status ctree_view_create(ctree_store *store, const ctree_view_options *given, ctree_view **out) {
    if (store == NULL || out == NULL) return CTREE_INVALID;
    ctree_view_options options;
    if (!read_options(given, &options)) return CTREE_INVALID;
    if (store->closed) return CTREE_CLOSED;
    ctree_view *view = ct_alloc(&store->mem, sizeof *view);
    if (view == NULL) return CTREE_NO_MEMORY;
    *view = (ctree_view){.store = store, .flags = options.flags, .open_levels = open_levels(&options)};
    ct_expanded_init(&view->expanded);
    ct_selection_init(&view->selection);
    ct_waiting_init(&view->waiting);
    ct_live_init(view);
    ct_notes_init(view, (options.flags & CTREE_VIEW_RECORDS) != 0);
    uint64_t requests;
    ctree_status status = ct_view_reserve_requests(view, &requests);
    if (status == CTREE_OK) status = ct_live_start(view);
    if (status == CTREE_OK) {
        ctree_listener follower = ct_view_follower(view);
        status = ct_edits_add_follower(store, &follower, ct_view_plan, ct_live_within, &view->token);
    }
    if (status != CTREE_OK) {
        ct_live_destroy(view);
        ct_free(&store->mem, view, sizeof *view);
        return status;
    }
    if (requests != 0) ct_view_request_open(view, CT_TOP, 0, ct_hot_at(store, CT_TOP)->count);
    ct_store_retain(store);
    *out = view;
    return CTREE_OK;
}

void ctree_view_destroy(ctree_view *view) {
    if (view == NULL) return;
    ctree_store *store = view->store;
    ct_edits_remove_follower(store, view->token);
    ct_commit_destroy(view);
    ct_notes_destroy(view);
    ct_waiting_destroy(view);
    ct_live_destroy(view);
    ct_array_destroy(&view->selection.words, &store->mem);
    ct_expanded_destroy(&view->expanded, &store->mem);
    ct_free(&store->mem, view, sizeof *view);
    ct_store_release(store);
}

ctree_store *ctree_view_store(const ctree_view *view) { return view == NULL ? NULL : view->store; }

/* ---- Reading --------------------------------------------------------------------------------------------------- */

bool ct_depth_is_below(const ctree_store *store, uint32_t slot, uint32_t levels) {
    if (levels == CTREE_ALL_LEVELS) return true;
    for (; levels != 0; levels--) {
        slot = ct_hot_at(store, slot)->parent;
        if (slot == CT_TOP) return true;
    }
    return false;
}

bool ct_view_opens(const ctree_view *view, uint32_t slot) {
    ct_setting setting = ct_expanded_get(&view->expanded, slot);
    if (setting != CT_BY_DEFAULT) return setting == CT_EXPANDED;
    return ct_depth_is_below(view->store, slot, view->open_levels);
}

/* The slot of a node in a view of a store that is open; CT_TOP else. */
static uint32_t slot_in(const ctree_view *view, ctree_node node) {
    return view == NULL || view->store->closed ? CT_TOP : ct_slot_of(view->store, node);
}

bool ctree_view_is_expanded(const ctree_view *view, ctree_node node) {
    uint32_t slot = slot_in(view, node);
    if (slot == CT_TOP || ct_state(ct_hot_at(view->store, slot)) == CTREE_STATE_LEAF) return false;
    return ct_view_opens(view, slot);
}

bool ctree_view_is_expandable(const ctree_view *view, ctree_node node) {
    uint32_t slot = slot_in(view, node);
    return slot != CT_TOP && ct_view_shows_expandable(view, ct_hot_at(view->store, slot));
}

bool ctree_view_is_visible(const ctree_view *view, ctree_node node) {
    uint32_t slot = slot_in(view, node);
    if (slot == CT_TOP) return false;
    const ctree_store *store = view->store;
    uint32_t depth = 0;
    for (uint32_t above = slot; (above = ct_hot_at(store, above)->parent) != CT_TOP;) depth++;
    while ((slot = ct_hot_at(store, slot)->parent) != CT_TOP) {
        if (!ct_view_opens_at(view, slot, --depth)) return false;
    }
    return true;
}

/* ---- One node -------------------------------------------------------------------------------------------------- */

/* Begins a call that opens or closes a node: the store is to itself, the node lives and may open, its setting has
   room. */
static ctree_status begin(ctree_view *view, ctree_node node, uint32_t *slot) {
    if (view == NULL) return CTREE_INVALID;
    ctree_store *store = view->store;
    ctree_status status = ct_edit_enter(store);
    if (status != CTREE_OK) return status;
    *slot = ct_slot_of(store, node);
    if (*slot == CT_TOP) return ct_edit_leave(store, CTREE_STALE);
    if (ct_state(ct_hot_at(store, *slot)) == CTREE_STATE_LEAF) return ct_edit_leave(store, CTREE_LEAF);
    status = ct_expanded_reserve(&view->expanded, &store->mem, (uint64_t)*slot + 1);
    return status == CTREE_OK ? CTREE_OK : ct_edit_leave(store, status);
}

ctree_status ctree_view_expand(ctree_view *view, ctree_node node) {
    uint32_t slot;
    ctree_status status = begin(view, node, &slot);
    if (status != CTREE_OK) return status;
    ctree_store *store = view->store;
    bool opens = !ct_view_opens(view, slot);
    status = ct_requests_reserve(store, 1);
    if (status == CTREE_OK && opens) status = ct_live_reserve_open(view, slot);
    if (status == CTREE_OK) {
        ct_expanded_set(&view->expanded, slot, CT_EXPANDED);
        ct_requests_add(store, slot);
        if (opens) ct_live_opened(view, slot);
    }
    return ct_edit_leave(store, status);
}

static ctree_status collapse(ctree_view *view, ctree_node node, bool wished) {
    uint32_t slot;
    ctree_status status = begin(view, node, &slot);
    if (status != CTREE_OK) return status;
    ctree_store *store = view->store;
    if (wished) ct_waiting_end_below(view, slot);
    if (!ct_view_opens(view, slot)) {
        /* Also one that was closed by itself stays closed now, where it comes to levels that are open by default. */
        if (ct_view_has_levels(view)) ct_expanded_set(&view->expanded, slot, CT_COLLAPSED);
        return ct_edit_leave(store, CTREE_OK);
    }
    bool forgets = (view->flags & CTREE_VIEW_FORGETS) != 0;
    if (forgets) status = ct_expanded_reserve(&view->expanded, &store->mem, store->used);
    if (status != CTREE_OK) return ct_edit_leave(store, status);
    ct_expanded_set(&view->expanded, slot, CT_COLLAPSED);
    if (forgets) {
        ct_view_close_below(view, slot);
        ct_live_closed_with_all(view, slot);
    } else {
        ct_live_closed(view, slot, false);
    }
    return ct_edit_leave(store, CTREE_OK);
}

ctree_status ctree_view_collapse(ctree_view *view, ctree_node node) { return collapse(view, node, true); }

ctree_status ct_view_collapse(ctree_view *view, ctree_node node) { return collapse(view, node, false); }

ctree_status ctree_view_toggle(ctree_view *view, ctree_node node) {
    return ctree_view_is_expanded(view, node) ? ctree_view_collapse(view, node) : ctree_view_expand(view, node);
}
