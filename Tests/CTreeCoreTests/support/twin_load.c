#include "support/assertions.h"
#include "support/twin.h"

/* ---- Requests ------------------------------------------------------------------------------------------------ */

static bool wants_a_load(const twin_node *node) {
    return node->state == CTREE_STATE_UNLOADED || node->state == CTREE_STATE_FAILED;
}

static void forget_request(twin *t, const twin_node *node) {
    for (uint32_t i = 0; i < t->request_count; i++) {
        if (t->requests[i].node == node) t->requests[i].node = NULL;
    }
}

void twin_ask(twin *t, twin_node *node, bool maybe) {
    if (!wants_a_load(node)) return;
    for (uint32_t i = 0; i < t->request_count; i++) {
        if (t->requests[i].node == node && !t->requests[i].maybe) return;
    }
    t->requests = grown(t->requests, t->request_count, &t->request_room, sizeof *t->requests);
    t->requests[t->request_count++] = (twin_request_entry){node, t->calls, maybe};
}

ctree_status twin_request(twin *t, ctree_node node) {
    twin_node *asked = twin_node_of(t, node);
    if (asked == NULL) return CTREE_STALE;
    if (asked->state == CTREE_STATE_LEAF) return CTREE_LEAF;
    twin_ask(t, asked, false);
    return CTREE_OK;
}

static bool stands(const twin_request_entry *request) { return request->node != NULL && wants_a_load(request->node); }

bool twin_takes_request(twin *t, ctree_node told) {
    twin_node *node = twin_node_of(t, told);
    if (told != CTREE_NONE && node == NULL) return false;
    uint32_t at = 0;
    while (at < t->request_count && !(stands(&t->requests[at]) && t->requests[at].node == node)) at++;
    if (told != CTREE_NONE && at == t->request_count) return false;
    uint64_t call = at < t->request_count ? t->requests[at].call : UINT64_MAX;
    /* Whatever an earlier call asked for would have come first. What no longer stands is passed over for good. */
    for (uint32_t i = 0; i < t->request_count; i++) {
        if (t->requests[i].call < call && stands(&t->requests[i]) && !t->requests[i].maybe) return false;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < t->request_count; i++) {
        twin_request_entry request = t->requests[i];
        if (request.call < call || request.node == NULL || request.node == node) continue;
        if (request.call == call && !stands(&request)) request.maybe = true; /* it may have come before */
        t->requests[kept++] = request;
    }
    t->request_count = kept;
    return true;
}

/* ---- Loads --------------------------------------------------------------------------------------------------- */

ctree_status twin_begin(twin *t, ctree_node node, uint32_t flags, ctree_ticket told, ctree_ticket *ticket) {
    if ((flags & ~(uint32_t)CTREE_LOAD_RELOAD) != 0) return CTREE_INVALID;
    twin_node *loading = twin_node_of(t, node);
    bool reload = (flags & CTREE_LOAD_RELOAD) != 0;
    if (loading == NULL) return CTREE_STALE;
    if (loading->state == CTREE_STATE_LEAF) return CTREE_LEAF;
    if (loading->load == TWIN_UNDER_WAY && !reload) {
        *ticket = loading->ticket;
        return CTREE_LOADING;
    }
    if (loading->state == CTREE_STATE_LOADED && !loading->more && !reload) return CTREE_DUPLICATE;
    forget_request(t, loading);
    /* A load that takes another one's place restores what stood before both. */
    bool failed = loading->state == CTREE_STATE_FAILED;
    if (loading->state != CTREE_STATE_LOADING) {
        loading->state_before = loading->state;
        loading->more_before = loading->more;
        loading->error_before = loading->error;
    }
    /* A page stands behind those that came, also those of a load that failed; else it is the beginning. */
    loading->replaces = reload || (failed && (loading->failed_early || !loading->more));
    loading->load = TWIN_UNDER_WAY;
    loading->ticket = told;
    loading->state = CTREE_STATE_LOADING;
    loading->error = 0;
    *ticket = told;
    return CTREE_OK;
}

static ctree_status status_of(const twin_node *node, ctree_ticket ticket) {
    if (node == NULL) return CTREE_STALE;
    if (ticket == node->ticket && node->load == TWIN_UNDER_WAY) return CTREE_OK;
    return ticket != 0 && ticket == node->cancelled ? CTREE_CANCELLED : CTREE_SUPERSEDED;
}

ctree_status twin_check(const twin *t, ctree_node node, ctree_ticket ticket) {
    return status_of(twin_node_of(t, node), ticket);
}

static void complete(twin_node *loading) {
    loading->load = TWIN_ENDED;
    loading->cancelled = 0; /* of tickets before this one it is enough to know that they are not the last */
    loading->state = CTREE_STATE_LOADED;
    loading->more = false;
}

ctree_status twin_finish(twin *t, ctree_node node, ctree_ticket ticket, const ctree_forest *forest,
                         uint32_t elsewhere, twin_node **out) {
    ctree_status status = twin_check(t, node, ticket);
    if (status != CTREE_OK && elsewhere > CTREE_ELSEWHERE_MOVES) t->also |= 1u << CTREE_INVALID;
    if (status != CTREE_OK) return status;
    twin_node *loading = twin_node_of(t, node);
    status = twin_reconcile(t, node, forest, elsewhere, out);
    if (status == CTREE_OK) complete(loading);
    return status;
}

ctree_status twin_append(twin *t, ctree_node node, ctree_ticket ticket, const ctree_forest *page, bool more,
                         twin_node **out) {
    ctree_status status = twin_check(t, node, ticket);
    if (status != CTREE_OK) return status;
    twin_node *loading = twin_node_of(t, node);
    if (loading->replaces) {
        status = twin_reconcile(t, node, page, CTREE_ELSEWHERE_FAILS, out);
    } else {
        status = twin_build(t, node, CTREE_END, page, out);
    }
    if (status != CTREE_OK) return status;
    if (!more) {
        complete(loading);
        return CTREE_OK;
    }
    loading->replaces = false;
    loading->state = CTREE_STATE_LOADED;
    loading->more = true;
    return CTREE_OK;
}

ctree_status twin_fail(twin *t, ctree_node node, ctree_ticket ticket, uint64_t error) {
    ctree_status status = twin_check(t, node, ticket);
    if (status != CTREE_OK) return status;
    twin_node *loading = twin_node_of(t, node);
    loading->load = TWIN_ENDED;
    loading->failed_early = loading->replaces;
    loading->state = CTREE_STATE_FAILED;
    loading->error = error;
    return CTREE_OK;
}

ctree_status twin_cancel(twin *t, ctree_node node, ctree_ticket ticket) {
    ctree_status status = twin_check(t, node, ticket);
    if (status != CTREE_OK) return status;
    twin_node *loading = twin_node_of(t, node);
    twin_cancel_load(loading);
    if (loading->state == CTREE_STATE_LOADING) { /* else pages came: they stay, with more to come */
        bool put_by_hand = loading->state_before == CTREE_STATE_UNLOADED && loading->count > 0;
        loading->state = put_by_hand ? CTREE_STATE_LOADED : loading->state_before;
        loading->more = loading->more_before;
        loading->error = loading->error_before;
    }
    return CTREE_OK;
}

ctree_status twin_drop(twin *t, ctree_node node) {
    twin_node *dropped = twin_node_of(t, node);
    if (dropped == NULL) return CTREE_STALE;
    if (dropped->state == CTREE_STATE_LEAF) return CTREE_LEAF;
    twin_kill_children(t, dropped);
    twin_cancel_load(dropped);
    dropped->state = CTREE_STATE_UNLOADED;
    dropped->more = false;
    dropped->error = 0;
    return CTREE_OK;
}
