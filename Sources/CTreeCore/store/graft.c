#include "store/children.h"
#include "store/edits.h"
#include "store/forest.h"
#include "store/reconciling.h"
#include "store/removal.h"
#include "store/walk.h"

/* The nodes of a store written out as a forest in preorder. */
typedef struct copy {
    ctree_forest forest;
    ctree_id *ids;
    uint32_t *parents, *numbers; /* `numbers`: the item of each slot */
    uint64_t *values, *revisions;
    uint8_t *states, *more;
} copy;

/* A load ends with the graft, as if cancelled; a failed one may be tried again. What has children is loaded. */
static ctree_load_state state_there(const ctree_store *store, uint32_t slot) {
    const ct_hot *hot = ct_hot_at(store, slot);
    if (hot->count != 0) return CTREE_STATE_LOADED;
    ctree_load_state state = ct_state(hot);
    if (state == CTREE_STATE_LOADING) {
        state = (ctree_load_state)store->loads.records[ct_array_get_u32(&store->loads.of, slot)].state_before;
    }
    return state == CTREE_STATE_FAILED ? CTREE_STATE_UNLOADED : state;
}

static void write_out(copy *c, const ctree_store *store) {
    uint32_t item = 0;
    for (uint32_t slot = CT_TOP; (slot = ct_walk_next(store, slot, CT_TOP, false)) != CT_TOP; item++) {
        const ct_hot *hot = ct_hot_at(store, slot);
        c->numbers[slot] = item;
        c->ids[item] = ct_ids_get(&store->ids, slot);
        c->parents[item] = hot->parent == CT_TOP ? CTREE_END : c->numbers[hot->parent];
        c->values[item] = ct_word(&store->values, slot);
        c->revisions[item] = ct_word(&store->revisions, slot);
        c->states[item] = (uint8_t)state_there(store, slot);
        c->more[item] = (hot->tag & CT_FLAG_MORE) != 0;
    }
    c->forest = (ctree_forest){.size = sizeof c->forest,
                               .count = item,
                               .ids = c->ids,
                               .parents = c->parents,
                               .values = c->values,
                               .revisions = c->revisions,
                               .states = c->states};
}

/* Takes all nodes out of a store without letting their values go. */
static void empty(ctree_store *store) {
    ctree_release_fn release = store->release;
    store->release = NULL;
    ct_remove_run(store, CT_TOP, 0, ct_hot_at(store, CT_TOP)->count);
    store->release = release;
}

static ctree_status graft(ctree_store *store, uint32_t parent, uint32_t at, ctree_store *other,
                          const ctree_progress *progress, ctree_fault *fault) {
    const ct_mem *mem = &store->mem;
    size_t count = (size_t)other->count, slots = other->used;
    copy c = {.ids = ct_alloc(mem, count * sizeof *c.ids),
              .parents = ct_alloc(mem, count * sizeof *c.parents),
              .numbers = ct_alloc(mem, slots * sizeof *c.numbers),
              .values = ct_alloc(mem, count * sizeof *c.values),
              .revisions = ct_alloc(mem, count * sizeof *c.revisions),
              .states = ct_alloc(mem, count),
              .more = ct_alloc(mem, count)};
    ctree_status status = CTREE_NO_MEMORY;
    if (c.ids != NULL && c.parents != NULL && c.numbers != NULL && c.values != NULL && c.revisions != NULL
        && c.states != NULL && c.more != NULL) {
        write_out(&c, other);
        status = ct_build(store, parent, at, &c.forest, c.more, progress, NULL, fault);
        /* The items are the other store's nodes in preorder, which is nothing that a caller can name. */
        if (status != CTREE_OK && fault != NULL) ct_fault_set(fault, CTREE_NO_ITEM, CTREE_NO_ITEM, fault->node);
    }
    if (status == CTREE_OK) empty(other);
    ct_free(mem, c.ids, count * sizeof *c.ids);
    ct_free(mem, c.parents, count * sizeof *c.parents);
    ct_free(mem, c.numbers, slots * sizeof *c.numbers);
    ct_free(mem, c.values, count * sizeof *c.values);
    ct_free(mem, c.revisions, count * sizeof *c.revisions);
    ct_free(mem, c.states, count);
    ct_free(mem, c.more, count);
    return status;
}

/* Within both frames. */
static ctree_status check_and_graft(ctree_store *store, ctree_node parent, uint32_t at, ctree_store *other,
                                    const ctree_progress *progress, ctree_fault *fault) {
    uint32_t slot;
    if (!ct_parent_slot(store, parent, &slot)) return CTREE_STALE;
    uint32_t present = ct_hot_at(store, slot)->count;
    if (at == CTREE_END) at = present;
    if (at > present) return CTREE_RANGE;
    return other->count == 0 ? CTREE_OK : graft(store, slot, at, other, progress, fault);
}

ctree_status ctree_store_graft(ctree_store *store, ctree_node parent, uint32_t at, ctree_store *other,
                               const ctree_progress *progress, ctree_fault *fault) {
    if (store == NULL || other == NULL || store == other) return CTREE_INVALID;
    if (store->id_kind != other->id_kind || store->id_scope != other->id_scope) return CTREE_INVALID;
    ctree_status status = ct_edit_enter(store);
    if (status != CTREE_OK) return status;
    status = ct_edit_enter(other);
    if (status == CTREE_OK) {
        status = ct_edit_leave(other, check_and_graft(store, parent, at, other, progress, fault));
    }
    return ct_edit_leave(store, status);
}
