#include "store/children.h"
#include "store/edits.h"
#include "store/identity.h"
#include "store/within.h"

static ctree_status reserve(ctree_store *store, uint32_t slot, uint32_t from, uint32_t to, uint32_t *hash) {
    ctree_status status = CTREE_OK;
    if (from != to) {
        if (store->id_scope == CTREE_SCOPE_SIBLINGS) {
            ctree_id id = ct_ids_get(&store->ids, slot);
            *hash = ct_identity_hash(store, id, to);
            if (ct_identity_find(store, id, to, *hash) != CT_TOP) return CTREE_DUPLICATE;
            status = ct_identity_prepare_move(store, *hash);
            if (status != CTREE_OK) return status;
        }
        status = ct_children_reserve(store, to, 1);
    } else if ((ct_hot_at(store, to)->tag & CT_FLAG_WIDE) != 0) {
        status = ct_children_reserve_wide(store, 1);
    }
    if (status == CTREE_OK) status = ct_edit_plan(store, &(ct_plan){.steps = 1, .moved = &slot, .moved_count = 1});
    return status;
}

/* Within the frame. */
static ctree_status move(ctree_store *store, ctree_node node, ctree_node parent_node, uint32_t at) {
    uint32_t slot = ct_slot_of(store, node), to;
    if (slot == CT_TOP || !ct_parent_slot(store, parent_node, &to)) return CTREE_STALE;
    uint32_t from = ct_hot_at(store, slot)->parent;
    uint32_t room = ct_hot_at(store, to)->count - (from == to ? 1 : 0); /* positions once it has left */
    if (at == CTREE_END) at = room;
    if (at > room) return CTREE_RANGE;
    if (to == slot || (ct_hot_at(store, slot)->count != 0 && ct_is_within(store, to, slot))) return CTREE_CYCLE;
    uint32_t first = ct_children_ordinal(store, slot);
    if (from == to && at == first) return CTREE_OK;
    uint32_t hash = 0;
    ctree_status status = reserve(store, slot, from, to, &hash);
    if (status != CTREE_OK) return status;
    if (from != to) ct_edit_gains_children(store, to);
    ctree_edit edit = {.kind = CTREE_EDIT_MOVE,
                       .parent = ct_node_at(store, from),
                       .first = first,
                       .count = 1,
                       .to_parent = parent_node,
                       .to_first = at};
    ct_edit_before(store, &edit);
    ct_children_remove(store, from, first, 1);
    ct_children_insert(store, to, at, &slot, 1);
    if (from != to && store->id_scope == CTREE_SCOPE_SIBLINGS) ct_identity_move(store, slot, from, hash);
    ct_edit_after(store, &edit);
    return CTREE_OK;
}

ctree_status ctree_store_move(ctree_store *store, ctree_node node, ctree_node parent, uint32_t at) {
    if (store == NULL) return CTREE_INVALID;
    ctree_status status = ct_edit_enter(store);
    if (status != CTREE_OK) return status;
    return ct_edit_leave(store, move(store, node, parent, at));
}
