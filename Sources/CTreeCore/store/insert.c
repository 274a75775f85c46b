#include "store/children.h"
#include "store/edits.h"
#include "store/identity.h"
#include "store/slots.h"

static const ctree_node_init plain_leaf = {0, 0, CTREE_STATE_LEAF};

/* All that the insertion needs, for the slot that it will take. On failure nothing can be told from before. */
static ctree_status reserve(ctree_store *store, uint32_t parent, ctree_id id, uint32_t hash,
                            const ctree_node_init *init) {
    ctree_status status = ct_slots_reserve(store, 1);
    uint32_t slot = ct_slots_peek(store);
    if (status == CTREE_OK) status = ct_reserve_word(store, &store->values, slot, init->value);
    if (status == CTREE_OK) status = ct_reserve_word(store, &store->revisions, slot, init->revision);
    if (status == CTREE_OK) status = ct_children_reserve(store, parent, 1);
    ct_plan plan = {.steps = 1, .tops = 1, .nodes = 1, .unloaded = init->load_state == CTREE_STATE_UNLOADED};
    if (status == CTREE_OK) status = ct_edit_plan(store, &plan);
    if (status == CTREE_OK) status = ct_identity_prepare(store, slot, id, hash);
    return status;
}

static void apply(ctree_store *store, uint32_t parent, uint32_t at, uint32_t hash, const ctree_node_init *init) {
    uint32_t slot = ct_slots_take(store);
    ct_set_state(ct_hot_at(store, slot), (ctree_load_state)init->load_state);
    ct_set_word(&store->values, slot, init->value);
    ct_set_word(&store->revisions, slot, init->revision);
    ct_children_insert(store, parent, at, &slot, 1);
    ct_identity_enter(store, slot, hash);
}

/* Within the frame. */
static ctree_status insert(ctree_store *store, ctree_node parent_node, uint32_t at, ctree_id id,
                           const ctree_node_init *init, ctree_node *out) {
    uint32_t parent;
    if (!ct_parent_slot(store, parent_node, &parent)) return CTREE_STALE;
    const ct_hot *hot = ct_hot_at(store, parent);
    if (at == CTREE_END) at = hot->count;
    if (at > hot->count) return CTREE_RANGE;
    ctree_status status = ct_identity_check(store, id);
    if (status != CTREE_OK) return status;
    uint32_t hash = ct_identity_hash(store, id, parent);
    uint32_t present = ct_identity_find(store, id, parent, hash);
    if (present != CT_TOP) {
        if (out != NULL) *out = ct_node_at(store, present);
        return CTREE_DUPLICATE;
    }
    status = reserve(store, parent, id, hash, init);
    if (status != CTREE_OK) return status;
    ct_edit_gains_children(store, parent);
    ctree_edit edit = {.kind = CTREE_EDIT_INSERT, .parent = parent_node, .first = at, .count = 1};
    ct_edit_before(store, &edit);
    uint32_t slot = ct_slots_peek(store);
    apply(store, parent, at, hash, init);
    if (out != NULL) *out = ct_node_at(store, slot);
    ct_edit_after(store, &edit);
    return CTREE_OK;
}

ctree_status ctree_store_insert(ctree_store *store, ctree_node parent, uint32_t at, ctree_id id,
                                const ctree_node_init *init, ctree_node *out) {
    if (store == NULL) return CTREE_INVALID;
    if (init == NULL) init = &plain_leaf;
    if (init->load_state != CTREE_STATE_LEAF && init->load_state != CTREE_STATE_UNLOADED
        && init->load_state != CTREE_STATE_LOADED) {
        return CTREE_INVALID;
    }
    ctree_status status = ct_edit_enter(store);
    if (status != CTREE_OK) return status;
    return ct_edit_leave(store, insert(store, parent, at, id, init, out));
}
