#include "store/requests.h"

#include "store/edits.h"
#include "store/loads.h"

/* An entry may be CTREE_NONE: that node was withdrawn. The place in the ring of each node that has the flag
   CT_FLAG_REQUESTED is known, so that this needs no search. */
static size_t place_of(const ct_requests *requests, size_t offset) {
    size_t before_end = requests->room - requests->head;
    return offset < before_end ? requests->head + offset : offset - before_end;
}

/* Copies what still stands to another ring, or to the same one: what was withdrawn, and who died, is left out. */
static void sweep(ctree_store *store, ctree_node *to, size_t room) {
    ct_requests *requests = &store->requests;
    size_t start = to == requests->ring ? requests->head : 0, kept = 0;
    for (size_t i = 0; i < requests->count; i++) {
        ctree_node node = requests->ring[place_of(requests, i)];
        uint32_t slot = ct_slot_of(store, node);
        if (slot == CT_TOP) continue;
        size_t place = start + kept < room ? start + kept : start + kept - room;
        to[place] = node;
        ct_array_set_u32(&requests->places, slot, (uint32_t)place);
        kept++;
    }
    requests->head = start;
    requests->count = kept;
}

ctree_status ct_requests_reserve(ctree_store *store, uint64_t more) {
    ct_requests *requests = &store->requests;
    const size_t most =
        SIZE_MAX / sizeof *requests->ring < UINT32_MAX ? SIZE_MAX / sizeof *requests->ring : UINT32_MAX;
    /* Any slot that the store has room for may be requested. */
    ctree_status status = ct_array_reserve(&requests->places, &store->mem, store->hot.capacity);
    if (status != CTREE_OK) return status;
    if (more <= requests->room - requests->count) return CTREE_OK;
    sweep(store, requests->ring, requests->room);
    if (more > most - requests->count) return CTREE_LIMIT;
    size_t need = requests->count + (size_t)more;
    /* A quarter of the ring must be free after a sweep, or the next one would come too soon. */
    if (need <= requests->room - requests->room / 4) return CTREE_OK;
    size_t room = need < most - need / 2 ? need + need / 2 : most;
    if (room < 16) room = 16;
    ctree_node *ring = ct_alloc(&store->mem, room * sizeof *ring);
    if (ring == NULL) return need <= requests->room ? CTREE_OK : CTREE_NO_MEMORY;
    ctree_node *old = requests->ring;
    size_t old_room = requests->room;
    sweep(store, ring, room);
    requests->ring = ring;
    requests->room = room;
    ct_free(&store->mem, old, old_room * sizeof *old);
    return CTREE_OK;
}

static bool is_wanted(const ct_hot *hot) {
    ctree_load_state state = ct_state(hot);
    return state == CTREE_STATE_UNLOADED || state == CTREE_STATE_FAILED;
}

void ct_requests_add(ctree_store *store, uint32_t slot) {
    ct_requests *requests = &store->requests;
    ct_hot *hot = ct_hot_at(store, slot);
    if (!is_wanted(hot) || (hot->tag & CT_FLAG_REQUESTED) != 0) return;
    size_t place = place_of(requests, requests->count++);
    requests->ring[place] = ct_handle(slot, hot);
    ct_array_set_u32(&requests->places, slot, (uint32_t)place);
    hot->tag |= CT_FLAG_REQUESTED;
}

void ct_requests_withdraw(ctree_store *store, uint32_t slot) {
    ct_hot *hot = ct_hot_at(store, slot);
    if ((hot->tag & CT_FLAG_REQUESTED) == 0) return;
    store->requests.ring[ct_array_get_u32(&store->requests.places, slot)] = CTREE_NONE;
    hot->tag &= ~(uint32_t)CT_FLAG_REQUESTED;
}

ctree_status ctree_load_request(ctree_store *store, ctree_node node) {
    if (store == NULL) return CTREE_INVALID;
    ctree_status status = ct_edit_enter(store);
    if (status != CTREE_OK) return status;
    uint32_t slot = ct_slot_of(store, node);
    if (slot == CT_TOP) return ct_edit_leave(store, CTREE_STALE);
    const ct_hot *hot = ct_hot_at(store, slot);
    if (ct_state(hot) == CTREE_STATE_LEAF) return ct_edit_leave(store, CTREE_LEAF);
    if (is_wanted(hot) && (hot->tag & CT_FLAG_REQUESTED) == 0) {
        status = ct_requests_reserve(store, 1);
        if (status == CTREE_OK) ct_requests_add(store, slot);
    }
    return ct_edit_leave(store, status);
}

ctree_node ctree_load_next_request(ctree_store *store) {
    if (store == NULL || store->closed || store->edits.busy) return CTREE_NONE;
    ct_requests *requests = &store->requests;
    while (requests->count != 0) {
        ctree_node node = requests->ring[requests->head];
        requests->head = place_of(requests, 1);
        requests->count--;
        uint32_t slot = ct_slot_of(store, node);
        if (slot == CT_TOP) continue;
        ct_hot *hot = ct_hot_at(store, slot);
        hot->tag &= ~(uint32_t)CT_FLAG_REQUESTED;
        if (is_wanted(hot)) return node;
    }
    return CTREE_NONE;
}
