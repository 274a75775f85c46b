/* What a view does when its store is edited: forgets nodes that go, asks for loads of what comes to be open. */
#include "store/edits.h"
#include "store/loads.h"
#include "view/levels.h"
#include "view/view.h"

/* The levels below a node at `depth` that are open by default. */
static uint32_t open_levels_below(const ctree_view *view, uint32_t depth) {
    if (view->open_levels == CTREE_ALL_LEVELS) return CTREE_ALL_LEVELS;
    return view->open_levels - depth - 1;
}

/* Depth of the children of a node, or open_levels where they are that deep or deeper. */
static uint32_t depth_below(const ctree_view *view, uint32_t parent) {
    uint32_t depth = 0;
    if (view->open_levels == CTREE_ALL_LEVELS) return 0; /* every depth is as open as another */
    while (parent != CT_TOP && depth < view->open_levels) {
        parent = ct_hot_at(view->store, parent)->parent;
        depth++;
    }
    return depth;
}

typedef void (*visit_fn)(ctree_view *view, uint32_t slot, void *context);

/* A run of children, each with the levels below it. */
static void visit_run(ctree_view *view, uint32_t parent, uint32_t first, uint32_t count, uint32_t levels,
                      visit_fn visit, void *context) {
    const ctree_store *store = view->store;
    while (count != 0) {
        ct_span span = ct_children_span(store, ct_hot_at(store, parent), first);
        uint32_t here = span.count < count ? span.count : count;
        for (uint32_t i = 0; i < here; i++) {
            visit(view, span.slots[i], context);
            ct_levels walk;
            ct_levels_begin(&walk, store, span.slots[i], levels);
            for (uint32_t slot; (slot = ct_levels_next(&walk)) != CT_TOP;) visit(view, slot, context);
        }
        first += here;
        count -= here;
    }
}

/* ---- Loads to ask for --------------------------------------------------------------------------------------- */

static bool is_open_and_unloaded(const ctree_view *view, uint32_t slot) {
    if (ct_state(ct_hot_at(view->store, slot)) != CTREE_STATE_UNLOADED) return false;
    /* Only levels that are open by default are walked; what a call opened was asked for then. */
    return ct_expanded_get(&view->expanded, slot) == CT_BY_DEFAULT;
}

static void count_request(ctree_view *view, uint32_t slot, void *context) {
    if (is_open_and_unloaded(view, slot)) ++*(uint64_t *)context;
}

static void add_request(ctree_view *view, uint32_t slot, void *context) {
    (void)context;
    if (is_open_and_unloaded(view, slot)) ct_requests_add(view->store, slot);
}

ctree_status ct_view_reserve_requests(ctree_view *view, uint64_t *count) {
    const ctree_store *store = view->store;
    *count = 0;
    if (view->open_levels == 0) return CTREE_OK;
    if (view->open_levels == CTREE_ALL_LEVELS) { /* in the order of memory, which is faster than that of the tree */
        for (uint32_t slot = 1; slot < store->used; slot++)
            *count += ct_is_live(store, slot) && is_open_and_unloaded(view, slot);
    } else {
        visit_run(view, CT_TOP, 0, ct_hot_at(store, CT_TOP)->count, open_levels_below(view, 0), count_request, count);
    }
    return ct_requests_reserve(view->store, *count);
}

void ct_view_request_open(ctree_view *view, uint32_t parent, uint32_t first, uint32_t count) {
    uint32_t depth = depth_below(view, parent);
    if (depth >= view->open_levels) return;
    visit_run(view, parent, first, count, open_levels_below(view, depth), add_request, NULL);
}

/* ---- Before and after ------------------------------------------------------------------------------------------ */

static void forget(ctree_view *view, uint32_t slot, void *context) {
    (void)context;
    ct_waiting_gone(view, slot);
    if (view->selection.count != 0) ct_selection_forget(&view->selection, slot);
    if (ct_expanded_get(&view->expanded, slot) != CT_BY_DEFAULT)
        ct_expanded_set(&view->expanded, slot, CT_BY_DEFAULT);
}

static void before(void *context, const ctree_store *store, const ctree_edit *edit) {
    ctree_view *view = context;
    ct_live_before(view, edit);
    if (edit->kind == CTREE_EDIT_REMOVE) {
        /* Followers are told last: nobody reads the view between here and the removal. */
        if (view->expanded.count == 0 && view->selection.count == 0 && view->waiting.count == 0) return;
        visit_run(view, (uint32_t)edit->parent, edit->first, edit->count, CTREE_ALL_LEVELS, forget, NULL);
    } else if (edit->kind == CTREE_EDIT_MOVE) {
        view->depth_before = depth_below(view, (uint32_t)edit->parent);
    } else if (edit->kind == CTREE_EDIT_CHANGE) {
        view->was_leaf = ct_state(ct_hot_at(store, (uint32_t)edit->node)) == CTREE_STATE_LEAF;
    }
}

/* A parent looks different when it gains or loses all its children, and when their number changes and they are not
 * shown. */
static void note_parent(ctree_view *view, ctree_node node, uint32_t others) {
    uint32_t slot = (uint32_t)node;
    if (slot != CT_TOP && (others == 0 || !ct_view_opens(view, slot))) ct_note_changed(view, slot);
}

static void note_looks(ctree_view *view, const ctree_edit *edit) {
    const ctree_store *store = view->store;
    uint32_t present = edit->kind == CTREE_EDIT_CHANGE ? 0 : ct_hot_at(store, (uint32_t)edit->parent)->count;
    switch ((ctree_edit_kind)edit->kind) {
        case CTREE_EDIT_CHANGE: ct_note_changed(view, (uint32_t)edit->node); break;
        case CTREE_EDIT_INSERT: note_parent(view, edit->parent, present - edit->count); break;
        case CTREE_EDIT_REMOVE: note_parent(view, edit->parent, present); break;
        case CTREE_EDIT_MOVE:
            if (edit->parent == edit->to_parent) break;
            note_parent(view, edit->parent, present);
            note_parent(view, edit->to_parent, ct_hot_at(store, (uint32_t)edit->to_parent)->count - edit->count);
            break;
    }
}

static void arrive(ctree_view *view, uint32_t slot, void *context) {
    (void)context;
    ct_waiting_arrived(view, slot);
}

static void after(void *context, const ctree_store *store, const ctree_edit *edit) {
    ctree_view *view = context;
    if (edit->kind == CTREE_EDIT_INSERT && view->waiting.count != 0) {
        visit_run(view, (uint32_t)edit->parent, edit->first, edit->count, CTREE_ALL_LEVELS, arrive, NULL);
    }
    uint32_t depth = edit->kind == CTREE_EDIT_MOVE ? depth_below(view, (uint32_t)edit->to_parent) : 0;
    ct_live_after(view, edit, view->depth_before, depth);
    if (view->notes.on) note_looks(view, edit);
    if (edit->kind == CTREE_EDIT_INSERT) {
        if (view->loads_nothing) return;
        ct_view_request_open(view, (uint32_t)edit->parent, edit->first, edit->count);
    } else if (edit->kind == CTREE_EDIT_MOVE) {
        bool rose = depth_below(view, (uint32_t)edit->to_parent) < view->depth_before;
        if (rose) ct_view_request_open(view, (uint32_t)edit->to_parent, edit->to_first, edit->count);
    } else if (edit->kind == CTREE_EDIT_CHANGE && view->was_leaf) {
        uint32_t slot = (uint32_t)edit->node;
        bool waits = ct_state(ct_hot_at(store, slot)) == CTREE_STATE_UNLOADED;
        if (waits && ct_view_opens(view, slot)) ct_requests_add(view->store, slot);
    }
}

ctree_listener ct_view_follower(ctree_view *view) { return (ctree_listener){view, before, after, NULL}; }

/* Nodes that a move may bring to a depth at which they are open by default, whatever was set for them: so this is
   enough for all views of these levels, or fewer. */
static uint64_t count_unloaded(const ctree_view *view, uint32_t root) {
    const ctree_store *store = view->store;
    uint64_t count = ct_state(ct_hot_at(store, root)) == CTREE_STATE_UNLOADED;
    ct_levels walk;
    ct_levels_begin(&walk, store, root, view->open_levels - 1);
    for (uint32_t slot; (slot = ct_levels_next(&walk)) != CT_TOP;) {
        count += ct_state(ct_hot_at(store, slot)) == CTREE_STATE_UNLOADED;
    }
    return count;
}

ctree_status ct_view_plan(void *context, const ct_plan *plan) {
    ctree_view *view = context;
    if (plan == NULL) {
        ct_live_over(view);
        ct_waiting_give(view);
        return CTREE_OK;
    }
    if (view->waiting.count != 0) {
        /* A node that comes may be collapsed there and then, and what memory did not reach for is tried again. */
        ctree_status status = ct_expanded_reserve(&view->expanded, &view->store->mem, view->store->hot.capacity);
        if (status != CTREE_OK) return status;
        if (view->waiting.due_head != CT_WAITING_NONE) view->store->edits.tell_over = true;
    }
    view->loads_nothing = plan->unloaded == 0;
    if (view->open_levels != 0) {
        uint64_t requests = plan->unloaded;
        for (uint32_t i = 0; i < plan->moved_count && ct_view_has_levels(view); i++) {
            requests += count_unloaded(view, plan->moved[i]);
        }
        ctree_status status = ct_requests_reserve(view->store, requests);
        if (status != CTREE_OK) return status;
    }
    return ct_live_plan(view, plan);
}
