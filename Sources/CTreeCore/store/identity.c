#include "store/identity.h"

/* The index keeps the high half of a hash. */
static uint32_t shorten(const ctree_store *store, uint64_t hash, uint32_t parent) {
    if (store->id_scope == CTREE_SCOPE_SIBLINGS) hash = ct_hash_under(hash, parent);
    return (uint32_t)(hash >> 32);
}

uint32_t ct_identity_hash(const ctree_store *store, ctree_id id, uint32_t parent) {
    uint64_t hash = store->id_kind == CTREE_ID_U64 ? ct_hash_u64(&store->key, id.word)
                                                   : ct_hash_bytes(&store->key, id.bytes, (size_t)id.word);
    return shorten(store, hash, parent);
}

/* What a slot is kept under: bytes have it beside their reference, numbers are hashed again. */
static uint32_t hash_of(const ctree_store *store, uint32_t slot, uint32_t parent) {
    if (store->id_kind == CTREE_ID_BYTES) return ct_ids_hash(&store->ids, slot);
    return ct_identity_hash(store, ct_ids_get(&store->ids, slot), parent);
}

static void hashes_of(const void *context, const uint32_t *slots, size_t count, uint32_t *hashes) {
    const ctree_store *store = context;
    bool parents = store->id_kind == CTREE_ID_U64 && store->id_scope == CTREE_SCOPE_SIBLINGS;
    for (size_t i = 0; i < count; i++) {
        ct_ids_prefetch(&store->ids, slots[i]);
        if (parents) ct_prefetch(ct_hot_at(store, slots[i]));
    }
    for (size_t i = 0; i < count; i++) {
        hashes[i] = hash_of(store, slots[i], parents ? ct_hot_at(store, slots[i])->parent : CT_TOP);
    }
}

void ct_identity_init(ctree_store *store) {
    ct_ids_init(&store->ids, store->id_kind == CTREE_ID_U64 ? CT_IDS_U64 : CT_IDS_BYTES, UINT32_MAX);
    ct_index_init(&store->index, hashes_of, store);
}

ctree_status ct_identity_check(const ctree_store *store, ctree_id id) {
    if (store->id_kind == CTREE_ID_U64) return id.bytes == NULL ? CTREE_OK : CTREE_INVALID;
    if (id.bytes == NULL) return CTREE_INVALID;
    return id.word <= UINT32_MAX ? CTREE_OK : CTREE_LIMIT;
}

uint32_t ct_identity_find(const ctree_store *store, ctree_id id, uint32_t parent, uint32_t hash) {
    ct_index_probe probe = ct_index_find(&store->index, hash);
    uint32_t slot;
    while (ct_index_next(&probe, &slot)) {
        ct_prefetch(ct_hot_at(store, slot)); /* mostly it is the one, and its record is read next */
        if (!ct_ids_match(&store->ids, slot, id, hash)) continue;
        if (store->id_scope == CTREE_SCOPE_STORE || ct_hot_at(store, slot)->parent == parent) return slot;
    }
    return CT_TOP;
}

ctree_status ct_identity_prepare(ctree_store *store, uint32_t slot, ctree_id id, uint32_t hash) {
    unsigned char copy[CT_IDS_INLINE_MOST];
    if (store->id_kind == CTREE_ID_BYTES && id.word <= sizeof copy) {
        /* The caller may pass on what this store lent, and its pages may move while they grow. */
        memcpy(copy, id.bytes, (size_t)id.word);
        id.bytes = copy;
    }
    ctree_status status = ct_ids_reserve(&store->ids, &store->mem, (uint64_t)slot + 1);
    if (status == CTREE_OK) status = ct_ids_set(&store->ids, &store->mem, slot, id, hash);
    if (status != CTREE_OK) return status;
    status = ct_index_prepare(&store->index, &store->mem, hash);
    if (status != CTREE_OK) ct_identity_abandon(store, slot);
    return status;
}

void ct_identity_abandon(ctree_store *store, uint32_t slot) { ct_ids_clear(&store->ids, &store->mem, slot); }

void ct_identity_enter(ctree_store *store, uint32_t slot, uint32_t hash) {
    ct_index_insert(&store->index, hash, slot);
}

void ct_identity_leave(ctree_store *store, uint32_t slot) {
    ct_index_erase(&store->index, hash_of(store, slot, ct_hot_at(store, slot)->parent), slot);
    ct_ids_clear(&store->ids, &store->mem, slot);
}

ctree_status ct_identity_prepare_move(ctree_store *store, uint32_t hash) {
    return ct_index_prepare(&store->index, &store->mem, hash);
}

void ct_identity_move(ctree_store *store, uint32_t slot, uint32_t old_parent, uint32_t new_hash) {
    ct_index_erase(&store->index, hash_of(store, slot, old_parent), slot);
    if (store->id_kind == CTREE_ID_BYTES) ct_ids_set_hash(&store->ids, slot, new_hash);
    ct_index_insert(&store->index, new_hash, slot);
}

/* Stored hashes follow the key. */
static void hash_all_bytes(ctree_store *store) {
    if (store->id_kind != CTREE_ID_BYTES) return;
    for (uint32_t slot = 1; slot < store->used; slot++) {
        const ct_hot *hot = ct_hot_at(store, slot);
        if ((hot->tag & CT_FLAG_LIVE) == 0) continue;
        ct_ids_set_hash(&store->ids, slot, ct_identity_hash(store, ct_ids_get(&store->ids, slot), hot->parent));
    }
}

/* Under a new key chosen identifiers collide no more. Without memory the old key stays: right, only slower. */
static void rekey(ctree_store *store) {
    ct_hash_key old = store->key;
    ct_hash_key_next(&store->key);
    hash_all_bytes(store);
    if (ct_index_rebuild(&store->index, &store->mem) == CTREE_OK) return;
    store->key = old;
    hash_all_bytes(store);
}

void ct_identity_upkeep(ctree_store *store) {
    if (store->closed) return;
    if (store->index.needs_rekey) rekey(store);
    ct_ids_reclaim(&store->ids, &store->mem);
}
