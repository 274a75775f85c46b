#include "store/identity.h"

/* While an edit of many steps is told, nodes that it has not linked yet have identifiers and are not there. */
static ctree_node visible(const ctree_store *store, uint32_t slot) {
    return ct_is_live(store, slot) ? ct_node_at(store, slot) : CTREE_NONE;
}

ctree_node ctree_store_find(const ctree_store *store, ctree_id id) {
    if (store == NULL || store->closed || store->id_scope != CTREE_SCOPE_STORE) return CTREE_NONE;
    if (ct_identity_check(store, id) != CTREE_OK) return CTREE_NONE;
    return visible(store, ct_identity_find(store, id, CT_TOP, ct_identity_hash(store, id, CT_TOP)));
}

ctree_node ctree_store_find_child(const ctree_store *store, ctree_node parent, ctree_id id) {
    uint32_t slot;
    if (store == NULL || store->closed || !ct_parent_slot(store, parent, &slot)) return CTREE_NONE;
    if (ct_identity_check(store, id) != CTREE_OK) return CTREE_NONE;
    uint32_t found = ct_identity_find(store, id, slot, ct_identity_hash(store, id, slot));
    if (found == CT_TOP || ct_hot_at(store, found)->parent != slot) return CTREE_NONE;
    return visible(store, found);
}

/* ---- Many at once ---------------------------------------------------------------------------------------------- */

/*
 * A look-up on a large store waits for memory three or four times in a row: the line of the index, what is stored of
 * the candidate, its bytes, its record. A batch lets the waits of many look-ups overlap: each pass begins to read
 * what the next pass needs.
 */
enum { BATCH = 32 };

typedef struct batch {
    const ctree_store *store;
    ctree_id ids[BATCH];
    uint32_t parents[BATCH];
    uint32_t hashes[BATCH];
    uint32_t candidates[BATCH]; /* The first that the index gives, CT_TOP for none. */
    bool askable[BATCH];        /* The identifier is of the right kind, the parent lives. */
    size_t count;
} batch;

static void look_up(batch *b, ctree_node *out) {
    const ctree_store *store = b->store;
    for (size_t i = 0; i < b->count; i++) {
        if (!b->askable[i]) continue;
        b->hashes[i] = ct_identity_hash(store, b->ids[i], b->parents[i]);
        ct_index_prefetch(&store->index, b->hashes[i]);
    }
    for (size_t i = 0; i < b->count; i++) {
        b->candidates[i] = CT_TOP;
        if (!b->askable[i]) continue;
        ct_index_probe probe = ct_index_find(&store->index, b->hashes[i]);
        if (!ct_index_next(&probe, &b->candidates[i])) continue;
        ct_ids_prefetch(&store->ids, b->candidates[i]);
        ct_prefetch(ct_hot_at(store, b->candidates[i]));
    }
    if (store->id_kind == CTREE_ID_BYTES) {
        for (size_t i = 0; i < b->count; i++) {
            if (b->candidates[i] != CT_TOP) ct_ids_prefetch_bytes(&store->ids, b->candidates[i]);
        }
    }
    for (size_t i = 0; i < b->count; i++) {
        out[i] = CTREE_NONE;
        if (b->candidates[i] == CT_TOP) continue;
        out[i] = visible(store, ct_identity_find(store, b->ids[i], b->parents[i], b->hashes[i]));
    }
}

/* The identifiers come as one kind of array or the other. */
static ctree_status find_many(const ctree_store *store, const ctree_node *parents, const ctree_id *ids,
                              const uint64_t *numbers, size_t count, ctree_node *out) {
    if (store == NULL || (count != 0 && ((ids == NULL && numbers == NULL) || out == NULL))) return CTREE_INVALID;
    if (store->closed) return CTREE_CLOSED;
    batch b;
    b.store = store;
    for (size_t first = 0; first < count; first += b.count) {
        b.count = count - first < BATCH ? count - first : BATCH;
        for (size_t i = 0; i < b.count; i++) {
            b.ids[i] = ids != NULL ? ids[first + i] : ctree_id_u64(numbers[first + i]);
            b.parents[i] = CT_TOP;
            b.askable[i] = ct_identity_check(store, b.ids[i]) == CTREE_OK;
            if (store->id_scope == CTREE_SCOPE_SIBLINGS && parents != NULL) {
                b.askable[i] = ct_parent_slot(store, parents[first + i], &b.parents[i]) && b.askable[i];
            }
        }
        look_up(&b, out + first);
    }
    return CTREE_OK;
}

ctree_status ctree_store_find_many(const ctree_store *store, const ctree_node *parents, const ctree_id *ids,
                                   size_t count, ctree_node *out) {
    return find_many(store, parents, ids, NULL, count, out);
}

ctree_status ctree_store_find_many_u64(const ctree_store *store, const ctree_node *parents, const uint64_t *numbers,
                                       size_t count, ctree_node *out) {
    if (store != NULL && store->id_kind != CTREE_ID_U64) return CTREE_INVALID;
    return find_many(store, parents, NULL, numbers, count, out);
}
