#include "store/store.h"

ctree_status ctree_store_memory(const ctree_store *store, ctree_memory *out) {
    if (store == NULL || out == NULL || out->size < sizeof *out) return CTREE_INVALID;
    if (store->closed) return CTREE_CLOSED;
    ct_ids_figures ids = ct_ids_measure(&store->ids);
    out->nodes = ct_array_bytes(&store->hot) + ct_array_bytes(&store->values) + ct_array_bytes(&store->revisions)
                 + ct_array_bytes(&store->aged) + ct_array_bytes(&store->loads.of)
                 + store->loads.room * sizeof *store->loads.records
                 + store->requests.room * sizeof *store->requests.ring + ct_array_bytes(&store->requests.places);
    out->children = ct_array_bytes(&store->children.words) + ct_seq_pool_bytes(&store->wide);
    out->identifiers = ids.held;
    out->index = ct_index_bytes(&store->index);
    out->dead = ids.dead;
    out->total = sizeof *store + out->nodes + out->children + out->identifiers + out->index
                 + store->edits.room * sizeof *store->edits.observers;
    return CTREE_OK;
}
