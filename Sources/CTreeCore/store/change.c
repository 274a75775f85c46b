#include "store/edits.h"
#include "store/loads.h"
#include "store/removal.h"

/* Within the frame. */
static ctree_status set_value(ctree_store *store, ctree_node node, uint64_t value, uint64_t revision) {
    uint32_t slot = ct_slot_of(store, node);
    if (slot == CT_TOP) return CTREE_STALE;
    uint64_t old = ct_word(&store->values, slot);
    uint32_t changed = 0;
    if (old != value) changed |= CTREE_CHANGED_VALUE;
    if (ct_word(&store->revisions, slot) != revision) changed |= CTREE_CHANGED_REVISION;
    if (changed == 0) return CTREE_OK;
    ctree_status status = ct_reserve_word(store, &store->values, slot, value);
    if (status == CTREE_OK) status = ct_reserve_word(store, &store->revisions, slot, revision);
    if (status != CTREE_OK) return status;
    ct_edit_tell_value(store, slot, changed, value, revision);
    return CTREE_OK;
}

ctree_status ctree_store_set_value(ctree_store *store, ctree_node node, uint64_t value, uint64_t revision) {
    if (store == NULL) return CTREE_INVALID;
    ctree_status status = ct_edit_enter(store);
    if (status != CTREE_OK) return status;
    return ct_edit_leave(store, set_value(store, node, value, revision));
}

void ct_make_leaf(ctree_store *store, uint32_t slot) {
    ct_remove_run(store, slot, 0, ct_hot_at(store, slot)->count);
    ct_loads_end(store, slot);
    ct_edit_tell_state(store, slot, CTREE_STATE_LEAF, false);
}

ctree_status ctree_store_set_leaf(ctree_store *store, ctree_node node, bool leaf) {
    if (store == NULL) return CTREE_INVALID;
    ctree_status status = ct_edit_enter(store);
    if (status != CTREE_OK) return status;
    uint32_t slot = ct_slot_of(store, node);
    if (slot == CT_TOP) {
        status = CTREE_STALE;
    } else if (leaf) {
        ct_make_leaf(store, slot);
    } else if (ct_state(ct_hot_at(store, slot)) == CTREE_STATE_LEAF) {
        status = ct_requests_reserve(store, 1); /* views that have it open ask for its load */
        if (status == CTREE_OK) ct_edit_tell_state(store, slot, CTREE_STATE_UNLOADED, false);
    }
    return ct_edit_leave(store, status);
}
