#include "store/slots.h"

ctree_status ct_slots_reserve(ctree_store *store, uint64_t more) {
    if (more > store->node_limit || store->count > store->node_limit - more) return CTREE_LIMIT;
    uint64_t fresh = more > store->free_count ? more - store->free_count : 0;
    /* Retired slots can make numbers run out before the node limit does. */
    if (fresh > (uint64_t)UINT32_MAX - store->used) return CTREE_LIMIT;
    ctree_status status = ct_array_reserve(&store->aged, &store->mem, ((store->used + fresh) >> 6) + 1);
    return status == CTREE_OK ? ct_array_reserve(&store->hot, &store->mem, store->used + fresh) : status;
}

uint32_t ct_slots_peek(const ctree_store *store) { return store->free_head != 0 ? store->free_head : store->used; }

uint32_t ct_slots_take(ctree_store *store) {
    uint32_t slot = ct_slots_peek(store);
    ct_hot *hot = ct_hot_at(store, slot);
    if (store->free_head != 0) {
        store->free_head = hot->parent;
        store->free_count--;
    } else {
        store->used++;
        hot->tag = store->first_generation << CT_FLAG_BITS;
    }
    hot->kids = 0;
    hot->count = 0;
    hot->parent = CT_TOP;
    hot->tag |= CT_FLAG_LIVE;
    store->count++;
    return slot;
}

void ct_slots_hide(ctree_store *store, uint32_t slot) {
    ct_hot_at(store, slot)->tag &= ~(uint32_t)CT_FLAG_LIVE;
    store->count--;
    store->hidden++;
}

void ct_slots_show(ctree_store *store, uint32_t slot) {
    ct_hot_at(store, slot)->tag |= CT_FLAG_LIVE;
    store->count++;
    store->hidden--;
}

/* Generations go round within 1 to CT_GENERATION_MASK: 0 would make the handle of slot 0 look like CTREE_NONE. */
static uint32_t generation_after(uint32_t generation) {
    return generation == CT_GENERATION_MASK ? 1 : generation + 1;
}

void ct_slots_kill(ctree_store *store, uint32_t slot) {
    ct_hot *hot = ct_hot_at(store, slot);
    hot->tag = generation_after(hot->tag >> CT_FLAG_BITS) << CT_FLAG_BITS;
    ct_array_set_u64(&store->aged, slot >> 6, ct_aged_word(store, slot) | (uint64_t)1 << (slot & 63));
    store->count--;
}

ctree_node ct_slots_last_handle(const ctree_store *store, uint32_t slot) {
    uint32_t generation = ct_hot_at(store, slot)->tag >> CT_FLAG_BITS;
    generation = generation == 1 ? CT_GENERATION_MASK : generation - 1;
    return (ctree_node)generation << 32 | slot;
}

void ct_slots_give_back(ctree_store *store, uint32_t slot) {
    ct_hot *hot = ct_hot_at(store, slot);
    ct_set_word(&store->values, slot, 0);
    ct_set_word(&store->revisions, slot, 0);
    /* All its generations were used: one more would make a handle of long ago good again. The slot is retired. */
    if (hot->tag >> CT_FLAG_BITS == store->first_generation) return;
    hot->parent = store->free_head;
    store->free_head = slot;
    store->free_count++;
}
