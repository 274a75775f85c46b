#include "store/children.h"
#include "store/identity.h"
#include "store/walk.h"

/* One check each; the first breach ends the whole. */
typedef struct check {
    const ctree_store *store;
    unsigned char *seen; /* A bit for each slot: reached by the walk. */
    ct_seq_census wide;  /* Blocks of the sequences of wide nodes. */
    const char *reason;
} check;

static bool breach(check *c, bool broken, const char *reason) {
    if (broken && c->reason == NULL) c->reason = reason;
    return broken;
}

static bool mark(check *c, uint32_t slot) {
    unsigned char bit = (unsigned char)(1u << (slot & 7));
    bool again = (c->seen[slot >> 3] & bit) != 0;
    c->seen[slot >> 3] |= bit;
    return !again;
}

static void check_node(check *c, uint32_t slot) {
    const ctree_store *store = c->store;
    const ct_hot *hot = ct_hot_at(store, slot);
    ctree_load_state state = ct_state(hot);
    bool has_load = (hot->tag & CT_FLAG_LOAD) != 0;
    bool closed = state == CTREE_STATE_LEAF || state == CTREE_STATE_UNLOADED;
    breach(c, state > CTREE_STATE_FAILED, "a node has an unknown load state");
    breach(c, closed && hot->count != 0, "a leaf or unloaded node has children");
    breach(c, state == CTREE_STATE_LEAF && (hot->tag & CT_FLAG_MORE) != 0, "more is to come below a leaf");
    breach(c, state == CTREE_STATE_LOADING && !has_load, "a loading node has no load record");
    breach(c, state == CTREE_STATE_FAILED && !has_load, "a failed node has no load record");
    if (has_load) {
        uint32_t number = ct_array_get_u32(&store->loads.of, slot);
        if (breach(c, number >= store->loads.used, "a load record is out of range")) return;
        const ct_load *load = &store->loads.records[number];
        breach(c, load->ticket == 0 || load->ticket > store->loads.last_ticket, "a ticket was never given");
        breach(c, state == CTREE_STATE_LOADING && load->under_way == 0, "a loading node has no load under way");
    }
    ctree_id id = ct_ids_get(&store->ids, slot);
    uint32_t hash = ct_identity_hash(store, id, hot->parent);
    breach(c, ct_identity_find(store, id, hot->parent, hash) != slot, "a node is not found by its identifier");
}

/* The list of one parent: each child lives, names the parent, stands in no other list. */
static void check_list(check *c, uint32_t parent) {
    const ctree_store *store = c->store;
    const ct_hot *hot = ct_hot_at(store, parent);
    if ((hot->tag & CT_FLAG_WIDE) != 0) {
        ct_seq list = {hot->kids, hot->count, 0, parent};
        const char *reason = NULL;
        if (breach(c, ct_seq_check(&store->wide, &list, &c->wide, &reason) != CTREE_OK, reason)) return;
    } else if (breach(c, hot->count != 0 && hot->kids == 0, "a parent has no list of children")
               || breach(c, hot->count > CT_NARROW_MOST, "a list is too long for a block")) {
        return;
    }
    for (uint32_t position = 0; position < hot->count && c->reason == NULL;) {
        ct_span span = ct_children_span(store, hot, position);
        if (breach(c, span.count == 0, "a list of children is cut short")) return;
        for (uint32_t i = 0; i < span.count; i++) {
            uint32_t slot = span.slots[i];
            if (breach(c, slot == CT_TOP || slot >= store->used, "a child is out of range")) return;
            if (breach(c, !ct_is_live(store, slot), "a child is dead")) return;
            if (breach(c, ct_hot_at(store, slot)->parent != parent, "a child names another parent")) return;
            if (breach(c, !mark(c, slot), "a node stands in two places")) return;
        }
        position += span.count;
    }
}

static void check_tree(check *c) {
    const ctree_store *store = c->store;
    uint64_t reached = 0;
    check_list(c, CT_TOP);
    for (uint32_t slot = CT_TOP; c->reason == NULL && (slot = ct_walk_next(store, slot, CT_TOP, false)) != CT_TOP;) {
        reached++;
        check_list(c, slot);
        if (c->reason == NULL) check_node(c, slot);
    }
    if (c->reason == NULL) breach(c, reached != store->count, "a living node is not reached from the top");
}

static void check_slots(check *c) {
    const ctree_store *store = c->store;
    uint64_t living = 0, free = 0;
    for (uint32_t slot = 1; slot < store->used; slot++) {
        uint32_t tag = ct_hot_at(store, slot)->tag;
        breach(c, tag >> CT_FLAG_BITS == 0, "a slot has generation 0");
        bool aged = (ct_aged_word(store, slot) >> (slot & 63) & 1) != 0;
        breach(c, !aged && tag >> CT_FLAG_BITS != store->first_generation, "a slot's generation counts as the first");
        if ((tag & CT_FLAG_LIVE) != 0) living++;
    }
    for (uint32_t slot = store->free_head; slot != CT_TOP; slot = ct_hot_at(store, slot)->parent) {
        if (breach(c, slot >= store->used || ct_is_live(store, slot), "a living slot is offered for use")) return;
        if (breach(c, ++free > store->free_count, "more slots are free than counted")) return;
        breach(c, ct_word(&store->values, slot) != 0, "a free slot has a value");
    }
    breach(c, free != store->free_count, "fewer slots are free than counted");
    breach(c, living != store->count, "the number of nodes is wrong");
}

static void check_requests(check *c) {
    const ctree_store *store = c->store;
    uint64_t flagged = 0, queued = 0;
    for (uint32_t slot = 1; slot < store->used; slot++) {
        uint32_t wanted = CT_FLAG_LIVE | CT_FLAG_REQUESTED;
        if ((ct_hot_at(store, slot)->tag & wanted) == wanted) flagged++;
    }
    for (size_t i = 0; i < store->requests.count; i++) {
        size_t place = (store->requests.head + i) % store->requests.room;
        uint32_t slot = ct_slot_of(store, store->requests.ring[place]);
        if (slot == CT_TOP) continue; /* withdrawn, or dead */
        queued++;
        bool flag = (ct_hot_at(store, slot)->tag & CT_FLAG_REQUESTED) != 0;
        if (breach(c, !flag, "a node in the queue is not marked as requested")) return;
        breach(c, ct_array_get_u32(&store->requests.places, slot) != place, "a request does not know its place");
    }
    breach(c, queued != flagged, "a requested node is not in the queue");
}

ctree_status ctree_validate(const ctree_store *store, const char **reason) {
    if (reason != NULL) *reason = NULL;
    if (store == NULL) return CTREE_INVALID;
    if (store->closed) return CTREE_CLOSED;
    size_t bytes = (size_t)store->used / 8 + 1;
    check c = {.store = store, .seen = ct_alloc(&store->mem, bytes)};
    if (c.seen == NULL) return CTREE_NO_MEMORY;
    memset(c.seen, 0, bytes);
    check_slots(&c);
    if (c.reason == NULL) check_tree(&c);
    if (c.reason == NULL) check_requests(&c);
    if (c.reason == NULL) ct_seq_pool_check(&store->wide, &c.wide, &c.reason);
    if (c.reason == NULL)
        breach(&c, store->index.count != store->count + store->hidden, "the index counts other nodes");
    if (c.reason == NULL) c.reason = ct_index_check(&store->index);
    ctree_status status = c.reason == NULL ? CTREE_OK : CTREE_CORRUPT;
    if (status == CTREE_OK) status = ct_ids_check(&store->ids, &store->mem, &c.reason);
    ct_free(&store->mem, c.seen, bytes);
    if (reason != NULL) *reason = c.reason;
    return status;
}
