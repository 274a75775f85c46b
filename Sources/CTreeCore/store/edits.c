#include "store/edits.h"

#include "store/identity.h"

ctree_status ct_edit_enter(ctree_store *store) {
    if (store->closed) return CTREE_CLOSED;
    if (store->edits.busy) return CTREE_BUSY;
    store->edits.open++;
    return CTREE_OK;
}

ctree_status ct_edit_plan(ctree_store *store, const ct_plan *plan) {
    for (size_t i = 0; i < store->edits.count; i++) {
        const ct_observer *observer = &store->edits.observers[i];
        if (observer->token == 0 || observer->plan == NULL) continue;
        ctree_status status = observer->plan(observer->listener.context, plan);
        if (status != CTREE_OK) return status;
    }
    return CTREE_OK;
}

typedef void (*tell_fn)(void *context, const ctree_store *store, const ctree_edit *edit);

/* The list may grow while a listener is told, and its memory move: it is read anew at each turn. */
static void tell_those(ctree_store *store, const ctree_edit *edit, bool before, bool followers) {
    ct_edits *edits = &store->edits;
    for (size_t i = 0; i < edits->count; i++) {
        ct_observer *observer = &edits->observers[i];
        if (observer->token == 0 || observer->since >= edits->number) continue;
        if ((observer->plan != NULL) != followers) continue;
        tell_fn told = before ? observer->listener.before : observer->listener.after;
        if (told != NULL) told(observer->listener.context, store, edit);
    }
}

/* Followers next to the edit, on either side of it: listeners find views and store at one. */
static void tell(ctree_store *store, const ctree_edit *edit, bool before) {
    store->edits.busy = true;
    tell_those(store, edit, before, !before);
    tell_those(store, edit, before, before);
    store->edits.busy = false;
}

void ct_edit_before(ctree_store *store, const ctree_edit *edit) {
    store->edits.number++;
    store->edits.settle_again = true;
    tell(store, edit, true);
}

void ct_edit_after(ctree_store *store, const ctree_edit *edit) { tell(store, edit, false); }

void ct_edit_release(ctree_store *store, const ctree_node *nodes, const uint64_t *values, size_t count) {
    if (store->release == NULL || count == 0) return;
    bool was_busy = store->edits.busy;
    store->edits.busy = true;
    store->release(store->release_context, nodes, values, count);
    store->edits.busy = was_busy;
}

static void sweep_observers(ct_edits *edits) {
    size_t kept = 0;
    for (size_t i = 0; i < edits->count; i++) {
        if (edits->observers[i].token != 0) edits->observers[kept++] = edits->observers[i];
    }
    edits->count = kept;
}

static void settle(ctree_store *store) {
    ct_edits *edits = &store->edits;
    edits->settling = true;
    while (edits->settle_again && !store->closed) {
        edits->settle_again = false;
        uint64_t number = edits->number;
        for (size_t i = 0; i < edits->count && !store->closed; i++) {
            ct_observer *observer = &edits->observers[i];
            if (observer->token == 0 || observer->since >= number || observer->listener.settled == NULL) continue;
            observer->listener.settled(observer->listener.context, store);
        }
    }
    edits->settling = false;
}

static void tell_over(ctree_store *store) {
    ct_edits *edits = &store->edits;
    edits->tell_over = false;
    for (size_t i = 0; i < edits->count; i++) {
        const ct_observer *observer = &edits->observers[i];
        if (observer->token != 0 && observer->plan != NULL) (void)observer->plan(observer->listener.context, NULL);
    }
}

ctree_status ct_edit_leave(ctree_store *store, ctree_status status) {
    ct_edits *edits = &store->edits;
    if (edits->tell_over) tell_over(store);
    ct_identity_upkeep(store);
    if (edits->open > 1 || edits->settling) {
        edits->open--;
        return status;
    }
    /* Still open while settling, so that a destroy waits for the end of it. */
    settle(store);
    edits->open--;
    sweep_observers(edits);
    if (edits->destroy_pending) {
        edits->destroy_pending = false;
        ctree_store_destroy(store);
    }
    return status;
}

ctree_status ctree_store_begin(ctree_store *store) {
    if (store == NULL) return CTREE_INVALID;
    ctree_status status = ct_edit_enter(store);
    if (status == CTREE_OK) store->edits.begun++;
    return status;
}

ctree_status ctree_store_end(ctree_store *store) {
    if (store == NULL) return CTREE_INVALID;
    if (store->closed) return CTREE_CLOSED;
    if (store->edits.busy) return CTREE_BUSY;
    if (store->edits.begun == 0) return CTREE_NOT_FOUND;
    store->edits.begun--;
    return ct_edit_leave(store, CTREE_OK);
}

void ct_edit_tell_state(ctree_store *store, uint32_t slot, ctree_load_state state, bool more) {
    ct_hot *hot = ct_hot_at(store, slot);
    bool had_more = (hot->tag & CT_FLAG_MORE) != 0;
    if (ct_state(hot) == state && had_more == more) return;
    ctree_edit edit = {.kind = CTREE_EDIT_CHANGE, .changed = CTREE_CHANGED_LOAD_STATE, .node = ct_handle(slot, hot)};
    ct_edit_before(store, &edit);
    ct_set_state(hot, state);
    hot->tag = more ? hot->tag | CT_FLAG_MORE : hot->tag & ~(uint32_t)CT_FLAG_MORE;
    ct_edit_after(store, &edit);
}

void ct_edit_tell_value(ctree_store *store, uint32_t slot, uint32_t changed, uint64_t value, uint64_t revision) {
    ctree_node node = ct_node_at(store, slot);
    ctree_edit edit = {.kind = CTREE_EDIT_CHANGE, .changed = changed, .node = node};
    ct_edit_before(store, &edit);
    uint64_t old = ct_word(&store->values, slot);
    ct_set_word(&store->values, slot, value);
    ct_set_word(&store->revisions, slot, revision);
    ct_edit_after(store, &edit);
    if ((changed & CTREE_CHANGED_VALUE) != 0) ct_edit_release(store, &node, &old, 1);
}

void ct_edit_gains_children(ctree_store *store, uint32_t parent) {
    const ct_hot *hot = ct_hot_at(store, parent);
    ctree_load_state state = ct_state(hot);
    if (state == CTREE_STATE_LEAF || state == CTREE_STATE_UNLOADED) {
        ct_edit_tell_state(store, parent, CTREE_STATE_LOADED, (hot->tag & CT_FLAG_MORE) != 0);
    }
}

/* ---- Listeners ------------------------------------------------------------------------------------------------- */

static ctree_status add_observer(ctree_store *store, ct_observer observer, uint64_t *token) {
    ct_edits *edits = &store->edits;
    void *observers = edits->observers;
    if (!ct_grow(&store->mem, &observers, &edits->room, edits->count + 1, sizeof *edits->observers)) {
        return CTREE_NO_MEMORY;
    }
    edits->observers = observers;
    observer.token = ++edits->last_token;
    observer.since = edits->number;
    edits->observers[edits->count++] = observer;
    *token = edits->last_token;
    return CTREE_OK;
}

ctree_status ct_edits_add_follower(ctree_store *store, const ctree_listener *follower, ct_plan_fn *plan,
                                   ct_within_fn *within, uint64_t *token) {
    return add_observer(store, (ct_observer){.listener = *follower, .plan = plan, .within = within}, token);
}

ctree_status ctree_store_add_listener(ctree_store *store, const ctree_listener *listener, uint64_t *token) {
    if (store == NULL || listener == NULL || token == NULL) return CTREE_INVALID;
    if (store->closed) return CTREE_CLOSED;
    return add_observer(store, (ct_observer){.listener = *listener}, token);
}

/* A token of a listener takes no view away, and the other way round: a caller may mistake one for another. */
static ctree_status remove_observer(ctree_store *store, uint64_t token, bool follower) {
    ct_edits *edits = &store->edits;
    for (size_t i = 0; i < edits->count; i++) {
        ct_observer *observer = &edits->observers[i];
        if (observer->token != token || (observer->plan != NULL) != follower) continue;
        observer->token = 0;
        if (edits->open == 0) sweep_observers(edits);
        return CTREE_OK;
    }
    return CTREE_NOT_FOUND;
}

void ct_edits_remove_follower(ctree_store *store, uint64_t token) {
    if (!store->closed && token != 0) (void)remove_observer(store, token, true);
}

ctree_status ctree_store_remove_listener(ctree_store *store, uint64_t token) {
    if (store == NULL || token == 0) return store == NULL ? CTREE_INVALID : CTREE_NOT_FOUND;
    return store->closed ? CTREE_CLOSED : remove_observer(store, token, false);
}
