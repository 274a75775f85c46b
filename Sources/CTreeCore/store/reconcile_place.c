#include "store/reconcile.h"

/* The mark that ends a climb. */
static bool is_outside(const ct_reconciling *r, uint32_t mark) {
    if (mark == CT_MARK_OUTSIDE || mark == CT_NO_MARK) return true;
    if (mark == CT_MARK_HOLDS || mark == r->shape.count) return false;
    /* A node of the forest: what was below it goes, unless it keeps its children. */
    return !ct_reconcile_replaces(r, mark) && ct_forest_state(r->forest, &r->shape, mark) != CTREE_STATE_LEAF;
}

/*
 * Climbs from a node found to the first ancestor that is known, and marks those on the way, so that no node is passed
 * twice. Where the climb ends at a list that is replaced, all on the way goes, and holds what was found until then.
 */
static ctree_status climb(ct_reconciling *r, uint32_t slot, bool *outside) {
    const ctree_store *store = r->store;
    uint32_t first = ct_hot_at(store, slot)->parent, end = first;
    uint32_t mark = ct_marks_get(&r->marks, end);
    while (mark == CT_NO_MARK && end != CT_TOP) {
        end = ct_hot_at(store, end)->parent;
        mark = ct_marks_get(&r->marks, end);
    }
    *outside = is_outside(r, mark);
    /* Below a node of the forest that keeps its children: it stands where that one does. */
    if (*outside && mark >= r->shape.count) r->from_elsewhere = true;
    ctree_status status = CTREE_OK;
    for (uint32_t on_way = first; on_way != end && status == CTREE_OK; on_way = ct_hot_at(store, on_way)->parent) {
        uint32_t found = *outside ? CT_MARK_OUTSIDE : CT_MARK_HOLDS;
        status = ct_marks_put(&r->marks, &store->mem, on_way, found);
    }
    return status;
}

/* Whether a node of the forest stands above the parent, which only one from outside can. */
static ctree_status check_above(ct_reconciling *r) {
    for (uint32_t slot = r->parent; slot != CT_TOP; slot = ct_hot_at(r->store, slot)->parent) {
        uint32_t mark = ct_marks_get(&r->marks, slot);
        if (mark >= r->shape.count) continue;
        ct_fault_set(r->fault, mark, CTREE_NO_ITEM, ct_node_at(r->store, slot));
        return CTREE_CYCLE;
    }
    return CTREE_OK;
}

ctree_status ct_reconcile_place(ct_reconciling *r) {
    if (r->store->id_scope == CTREE_SCOPE_SIBLINGS) return CTREE_OK; /* each was found under its parent */
    uint32_t from_outside = CTREE_END;
    for (uint32_t i = 0; i < r->shape.count; i++) {
        uint32_t item = r->shape.order[i], slot = r->slots[item];
        if ((r->flags[item] & CT_ITEM_NEW) != 0) continue;
        if (ct_hot_at(r->store, slot)->parent == ct_reconcile_owner(r, ct_reconcile_list(r, item))) continue;
        bool outside;
        ctree_status status = climb(r, slot, &outside);
        if (status != CTREE_OK) return status;
        if (outside && from_outside == CTREE_END) from_outside = item;
    }
    if (from_outside == CTREE_END) return CTREE_OK;
    ctree_status status = check_above(r);
    if (status != CTREE_OK || r->elsewhere == CTREE_ELSEWHERE_MOVES) return status;
    ct_fault_set(r->fault, from_outside, CTREE_NO_ITEM, ct_node_at(r->store, r->slots[from_outside]));
    return CTREE_DUPLICATE;
}
