#include "store/children.h"
#include "store/edits.h"
#include "store/forest.h"
#include "store/load_records.h"
#include "store/loads.h"
#include "store/reconciling.h"
#include "store/removal.h"
#include "store/requests.h"

static bool has_more(const ct_hot *hot) { return (hot->tag & CT_FLAG_MORE) != 0; }

/* The record of a node as a value: all zero where it has none. */
static ct_load load_of(const ctree_store *store, uint32_t slot) {
    const ct_load *load = ct_load_of(store, slot);
    return load != NULL ? *load : (ct_load){0};
}

/* What the ticket is good for, as ctree_load_check says it, and the slot of the node where it lives. */
static ctree_status check(const ctree_store *store, ctree_node node, ctree_ticket ticket, uint32_t *slot) {
    *slot = ct_slot_of(store, node);
    if (*slot == CT_TOP) return CTREE_STALE;
    ct_load load = load_of(store, *slot);
    if (load.under_way != 0 && ticket == load.ticket) return CTREE_OK;
    return ticket != 0 && ticket == load.cancelled ? CTREE_CANCELLED : CTREE_SUPERSEDED;
}

ctree_status ctree_load_check(const ctree_store *store, ctree_node node, ctree_ticket ticket) {
    if (store == NULL) return CTREE_INVALID;
    if (store->closed) return CTREE_CLOSED;
    uint32_t slot;
    return check(store, node, ticket, &slot);
}

uint64_t ctree_load_error(const ctree_store *store, ctree_node node) {
    if (store == NULL || store->closed) return 0;
    uint32_t slot = ct_slot_of(store, node);
    if (slot == CT_TOP || ct_state(ct_hot_at(store, slot)) != CTREE_STATE_FAILED) return 0;
    return load_of(store, slot).error;
}

/* ---- Begin ----------------------------------------------------------------------------------------------------- */

/* Within the frame. */
static ctree_status begin(ctree_store *store, ctree_node node, bool reload, ctree_ticket *ticket) {
    uint32_t slot = ct_slot_of(store, node);
    if (slot == CT_TOP) return CTREE_STALE;
    const ct_hot *hot = ct_hot_at(store, slot);
    ctree_load_state state = ct_state(hot);
    bool more = has_more(hot);
    if (state == CTREE_STATE_LEAF) return CTREE_LEAF;
    ct_load load = load_of(store, slot);
    if (load.under_way != 0 && !reload) {
        *ticket = load.ticket;
        return CTREE_LOADING;
    }
    if (state == CTREE_STATE_LOADED && !more && !reload) return CTREE_DUPLICATE;
    ctree_status status = ct_load_reserve(store, slot);
    if (status != CTREE_OK) return status;

    /* A load that takes another one's place restores what stood before both. */
    if (state != CTREE_STATE_LOADING) {
        load.state_before = (uint8_t)state;
        load.more_before = more;
        load.replaces_before = load.replaces;
    }
    /* What a failed load left is a beginning to go on from only where pages of it had come. */
    bool again = state == CTREE_STATE_FAILED && (load.replaces != 0 || !more);
    load.replaces = reload || again;
    load.under_way = 1;
    load.ticket = *ticket = ++store->loads.last_ticket;
    ct_requests_withdraw(store, slot);
    ct_load_change(store, slot, load, CTREE_STATE_LOADING, more);
    return CTREE_OK;
}

ctree_status ctree_load_begin(ctree_store *store, ctree_node node, uint32_t flags, ctree_ticket *ticket) {
    if (store == NULL || ticket == NULL || (flags & ~(uint32_t)CTREE_LOAD_RELOAD) != 0) return CTREE_INVALID;
    ctree_status status = ct_edit_enter(store);
    if (status != CTREE_OK) return status;
    return ct_edit_leave(store, begin(store, node, (flags & CTREE_LOAD_RELOAD) != 0, ticket));
}

/* ---- Results --------------------------------------------------------------------------------------------------- */

/* Ends the load under way; the children are there. */
static void complete(ctree_store *store, uint32_t slot) {
    ct_load load = load_of(store, slot);
    load.under_way = 0;
    load.cancelled = 0; /* with the list here, nobody needs to tell a cancelled load from one that was overtaken */
    ct_load_change(store, slot, load, CTREE_STATE_LOADED, false);
}

ctree_status ctree_load_finish(ctree_store *store, ctree_node node, ctree_ticket ticket, const ctree_forest *forest,
                               uint32_t elsewhere, ctree_node *out, ctree_fault *fault) {
    if (store == NULL) return CTREE_INVALID;
    ctree_status status = ct_edit_enter(store);
    if (status != CTREE_OK) return status;
    uint32_t slot;
    status = check(store, node, ticket, &slot);
    if (status == CTREE_OK) status = ct_forest_check(store, forest);
    if (status == CTREE_OK && elsewhere > CTREE_ELSEWHERE_MOVES) status = CTREE_INVALID;
    if (status == CTREE_OK) {
        status = ct_reconcile(store, slot, forest, (ctree_elsewhere)elsewhere, NULL, out, fault);
    }
    if (status == CTREE_OK) complete(store, slot);
    return ct_edit_leave(store, status);
}

/* Within the frame. */
static ctree_status append(ctree_store *store, uint32_t slot, const ctree_forest *page, bool more, ctree_node *out,
                           ctree_fault *fault) {
    ctree_status status = ct_forest_check(store, page);
    if (status != CTREE_OK) return status;
    if (load_of(store, slot).replaces != 0) {
        status = ct_reconcile(store, slot, page, CTREE_ELSEWHERE_FAILS, NULL, out, fault);
    } else {
        status = ct_build(store, slot, ct_hot_at(store, slot)->count, page, NULL, NULL, out, fault);
    }
    if (status != CTREE_OK) return status;
    if (!more) {
        complete(store, slot);
        return CTREE_OK;
    }
    ct_load load = load_of(store, slot);
    load.replaces = load.replaces_before = 0;
    load.state_before = CTREE_STATE_LOADED;
    load.more_before = 1;
    ct_load_change(store, slot, load, CTREE_STATE_LOADED, true);
    return CTREE_OK;
}

ctree_status ctree_load_append(ctree_store *store, ctree_node node, ctree_ticket ticket, const ctree_forest *page,
                               bool more, ctree_node *out, ctree_fault *fault) {
    if (store == NULL) return CTREE_INVALID;
    ctree_status status = ct_edit_enter(store);
    if (status != CTREE_OK) return status;
    uint32_t slot;
    status = check(store, node, ticket, &slot);
    if (status == CTREE_OK) status = append(store, slot, page, more, out, fault);
    return ct_edit_leave(store, status);
}

ctree_status ctree_load_fail(ctree_store *store, ctree_node node, ctree_ticket ticket, uint64_t error) {
    if (store == NULL) return CTREE_INVALID;
    ctree_status status = ct_edit_enter(store);
    if (status != CTREE_OK) return status;
    uint32_t slot;
    status = check(store, node, ticket, &slot);
    if (status == CTREE_OK) {
        ct_load load = load_of(store, slot);
        load.under_way = 0;
        load.error = error;
        ct_load_change(store, slot, load, CTREE_STATE_FAILED, has_more(ct_hot_at(store, slot)));
    }
    return ct_edit_leave(store, status);
}

/* ---- Letting go ------------------------------------------------------------------------------------------------ */

ctree_status ctree_load_cancel(ctree_store *store, ctree_node node, ctree_ticket ticket) {
    if (store == NULL) return CTREE_INVALID;
    ctree_status status = ct_edit_enter(store);
    if (status != CTREE_OK) return status;
    uint32_t slot;
    status = check(store, node, ticket, &slot);
    if (status == CTREE_OK) {
        ct_load load = load_of(store, slot);
        ctree_load_state state = (ctree_load_state)load.state_before;
        /* Children that were put there by hand meanwhile make it loaded, as they would have without the load. */
        if (state == CTREE_STATE_UNLOADED && ct_hot_at(store, slot)->count != 0) state = CTREE_STATE_LOADED;
        load.under_way = 0;
        load.replaces = load.replaces_before;
        load.cancelled = ticket;
        ct_load_change(store, slot, load, state, load.more_before != 0);
    }
    return ct_edit_leave(store, status);
}

ctree_status ctree_load_drop(ctree_store *store, ctree_node node) {
    if (store == NULL) return CTREE_INVALID;
    ctree_status status = ct_edit_enter(store);
    if (status != CTREE_OK) return status;
    uint32_t slot = ct_slot_of(store, node);
    if (slot == CT_TOP) return ct_edit_leave(store, CTREE_STALE);
    const ct_hot *hot = ct_hot_at(store, slot);
    if (ct_state(hot) == CTREE_STATE_LEAF) return ct_edit_leave(store, CTREE_LEAF);
    ct_remove_run(store, slot, 0, hot->count);
    ct_load load = load_of(store, slot);
    if (load.under_way != 0) load.cancelled = load.ticket;
    load.under_way = 0;
    ct_load_change(store, slot, load, CTREE_STATE_UNLOADED, false);
    return ct_edit_leave(store, CTREE_OK);
}
