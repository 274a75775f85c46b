#include "base/options.h"
#include "store/children.h"
#include "store/edits.h"
#include "store/identity.h"
#include "store/loads.h"
#include "store/slots.h"

/* A size that the library does not know is good as long as nothing is asked for that it does not know. */
static bool read_options(const ctree_store_options *given, ctree_store_options *options) {
    *options = (ctree_store_options)CTREE_STORE_OPTIONS_INIT;
    static const ctree_store_options defaults = CTREE_STORE_OPTIONS_INIT;
    if (given == NULL) given = &defaults;
    if (!ct_read_options(options, sizeof *options, offsetof(ctree_store_options, node_limit), given)) return false;
    if (options->node_limit == 0 || options->node_limit > UINT32_MAX - 1) options->node_limit = UINT32_MAX - 1;
    return options->id_kind <= CTREE_ID_BYTES && options->id_scope <= CTREE_SCOPE_SIBLINGS
           && (options->secret != NULL || options->secret_size == 0);
}

/* Generations start at a number of the store's own, drawn from its key, so that handles of other stores are stale. */
static uint32_t first_generation(const ct_hash_key *key) {
    uint32_t generation = (uint32_t)(ct_hash_bytes(key, "first generation", 16) & CT_GENERATION_MASK);
    return generation != 0 ? generation : 1;
}

/* Takes everything apart but the object itself. */
static void tear_down(ctree_store *store) {
    ct_children_destroy(store);
    ct_loads_destroy(store);
    ct_index_destroy(&store->index, &store->mem);
    ct_ids_destroy(&store->ids, &store->mem);
    ct_array_destroy(&store->hot, &store->mem);
    ct_array_destroy(&store->values, &store->mem);
    ct_array_destroy(&store->revisions, &store->mem);
    ct_array_destroy(&store->aged, &store->mem);
    ct_free(&store->mem, store->edits.observers, store->edits.room * sizeof *store->edits.observers);
    store->edits = (ct_edits){0};
    store->count = 0;
    store->used = 0;
}

static ctree_status start(ctree_store *store) {
    /* More than the node limit: slots that are retired are lost to it. */
    const uint64_t slots = UINT32_MAX;
    ct_array_init(&store->hot, sizeof(ct_hot), slots);
    ct_array_init(&store->values, sizeof(uint64_t), slots);
    ct_array_init(&store->revisions, sizeof(uint64_t), slots);
    ct_array_init(&store->aged, sizeof(uint64_t), (slots >> 6) + 1);
    ct_children_init(&store->children);
    ct_seq_pool_init(&store->wide, &store->mem, 0);
    ct_loads_init(store);
    ctree_status status = ct_array_reserve(&store->hot, &store->mem, 1);
    if (status == CTREE_OK) status = ct_array_reserve(&store->aged, &store->mem, 1);
    if (status != CTREE_OK) return status;
    ct_hot *top = ct_hot_at(store, CT_TOP);
    *top = (ct_hot){.tag = CT_FLAG_LIVE};
    ct_set_state(top, CTREE_STATE_LOADED);
    ct_array_set_u64(&store->aged, CT_TOP, 1); /* its generation is 0 */
    store->used = 1;
    return CTREE_OK;
}

ctree_status ctree_store_create(const ctree_store_options *given, ctree_store **out) {
    if (out == NULL) return CTREE_INVALID;
    ctree_store_options options;
    if (!read_options(given, &options)) return CTREE_INVALID;
    ct_mem mem;
    if (ct_mem_init(&mem, options.allocator) != CTREE_OK) return CTREE_INVALID;
    ctree_store *store = ct_alloc(&mem, sizeof *store);
    if (store == NULL) return CTREE_NO_MEMORY;
    *store = (ctree_store){.mem = mem,
                           .id_kind = (ctree_id_kind)options.id_kind,
                           .id_scope = (ctree_id_scope)options.id_scope,
                           .release = options.release,
                           .release_context = options.release_context,
                           .node_limit = options.node_limit,
                           .references = 1};
    if (!ct_hash_key_init(&store->key, options.secret, options.secret_size)) {
        ct_free(&mem, store, sizeof *store);
        return CTREE_INVALID;
    }
    store->first_generation = first_generation(&store->key);
    ct_identity_init(store);
    ctree_status status = start(store);
    if (status != CTREE_OK) {
        tear_down(store);
        ct_free(&mem, store, sizeof *store);
        return status;
    }
    *out = store;
    return CTREE_OK;
}

/* Tells every value that is left, in blocks. */
static void release_all(ctree_store *store) {
    enum { BLOCK = 256 };
    ctree_node nodes[BLOCK];
    uint64_t values[BLOCK];
    size_t held = 0;
    uint32_t used = store->used;
    /* Handles are stale by the time that values are let go, here as after any removal. */
    store->used = 0;
    store->count = 0;
    if (store->release == NULL) return;
    for (uint32_t slot = 1; slot < used; slot++) {
        if (!ct_is_live(store, slot)) continue;
        nodes[held] = ct_node_at(store, slot);
        values[held] = ct_word(&store->values, slot);
        if (++held == BLOCK) {
            store->release(store->release_context, nodes, values, held);
            held = 0;
        }
    }
    if (held != 0) store->release(store->release_context, nodes, values, held);
}

void ctree_store_destroy(ctree_store *store) {
    if (store == NULL || store->closed) return;
    if (store->edits.open != 0) {
        store->edits.destroy_pending = true;
        return;
    }
    store->closed = true; /* before the values go: what is called from there finds a closed store */
    release_all(store);
    tear_down(store);
    ct_store_release(store);
}

void ct_store_retain(ctree_store *store) { store->references++; }

void ct_store_release(ctree_store *store) {
    if (--store->references != 0) return;
    ct_mem mem = store->mem;
    ct_free(&mem, store, sizeof *store);
}
