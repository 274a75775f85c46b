#include "store/children.h"
#include "store/identity.h"
#include "store/reconcile.h"
#include "store/slots.h"

/* Room for what the node of an item will be given. */
static ctree_status reserve_words(ct_reconciling *r, uint32_t item, uint32_t slot) {
    ctree_store *store = r->store;
    ctree_status status = CTREE_OK;
    if (r->forest->values != NULL) status = ct_reserve_word(store, &store->values, slot, r->forest->values[item]);
    if (status == CTREE_OK && r->forest->revisions != NULL) {
        status = ct_reserve_word(store, &store->revisions, slot, r->forest->revisions[item]);
    }
    return status;
}

static ctree_status take_found(ct_reconciling *r, uint32_t item, uint32_t slot) {
    uint32_t mark = ct_marks_get(&r->marks, slot);
    if (mark == r->shape.count) {
        ct_fault_set(r->fault, item, CTREE_NO_ITEM, ct_node_at(r->store, slot));
        return CTREE_CYCLE;
    }
    if (mark != CT_NO_MARK) {
        bool later = mark > item; /* preorder may meet the later item first */
        ct_fault_set(r->fault, later ? mark : item, later ? item : mark, CTREE_NONE);
        return CTREE_DUPLICATE;
    }
    ctree_status status = ct_marks_put(&r->marks, &r->store->mem, slot, item);
    if (status == CTREE_OK) status = reserve_words(r, item, slot);
    r->slots[item] = slot;
    return status;
}

/* A new node can be found by its identifier at once: that is how a second item of the same name is noticed. */
static ctree_status make(ct_reconciling *r, uint32_t item, uint32_t parent, ctree_id id, uint32_t hash) {
    ctree_store *store = r->store;
    ctree_status status = ct_slots_reserve(store, 1);
    if (status != CTREE_OK) return status;
    status = reserve_words(r, item, ct_slots_peek(store));
    if (status == CTREE_OK) status = ct_marks_put(&r->marks, &store->mem, ct_slots_peek(store), item);
    if (status == CTREE_OK) status = ct_identity_prepare(store, ct_slots_peek(store), id, hash);
    if (status != CTREE_OK) return status;
    uint32_t slot = ct_slots_take(store);
    ct_hot *hot = ct_hot_at(store, slot);
    hot->parent = parent; /* an identity in sibling scope is made of it */
    ct_identity_enter(store, slot, hash);
    ctree_load_state state = ct_forest_state(r->forest, &r->shape, item);
    ct_set_state(hot, state == CTREE_STATE_KEEP ? CTREE_STATE_UNLOADED : state);
    if (r->forest->values != NULL) ct_set_word(&store->values, slot, r->forest->values[item]);
    if (r->forest->revisions != NULL) ct_set_word(&store->revisions, slot, r->forest->revisions[item]);
    r->slots[item] = slot;
    r->flags[item] |= CT_ITEM_NEW;
    return CTREE_OK;
}

/*
 * On a large store each look-up waits for memory, so what later ones will read is asked for ahead of them: the line
 * of the index at a distance, what is stored of the candidate at half of it. The hash is kept in the item's row,
 * which is not written before all have their nodes. In sibling scope it is made of the parent, whose node is not
 * known yet.
 */
enum { AHEAD = 32, LARGE_STORE = 1 << 15 };

static bool is_worth_looking_ahead(const ct_reconciling *r) {
    return r->store->id_scope == CTREE_SCOPE_STORE && r->store->count >= LARGE_STORE;
}

static void look_ahead(ct_reconciling *r, uint32_t i) {
    const ctree_store *store = r->store;
    if (r->shape.count - i > AHEAD) {
        uint32_t item = r->shape.order[i + AHEAD];
        ctree_id id = ct_forest_id(r->forest, item);
        r->rows[item] = ct_identity_check(store, id) == CTREE_OK ? ct_identity_hash(store, id, CT_TOP) : 0;
        ct_index_prefetch(&store->index, r->rows[item]);
    }
    if (i >= AHEAD / 2 && r->shape.count - i > AHEAD / 2) {
        ct_index_probe probe = ct_index_find(&store->index, r->rows[r->shape.order[i + AHEAD / 2]]);
        uint32_t slot;
        if (!ct_index_next(&probe, &slot)) return;
        ct_ids_prefetch(&store->ids, slot);
        ct_prefetch(ct_hot_at(store, slot));
    }
}

static ctree_status match(ct_reconciling *r, uint32_t item, bool is_hashed) {
    ctree_store *store = r->store;
    ctree_id id = ct_forest_id(r->forest, item);
    ctree_status status = ct_identity_check(store, id);
    if (status == CTREE_OK) {
        uint32_t parent = ct_reconcile_owner(r, ct_reconcile_list(r, item));
        uint32_t hash = is_hashed ? r->rows[item] : ct_identity_hash(store, id, parent);
        uint32_t found = ct_identity_find(store, id, parent, hash);
        if (found != CT_TOP) return take_found(r, item, found);
        status = make(r, item, parent, id, hash);
    }
    if (status != CTREE_OK) ct_fault_set(r->fault, item, CTREE_NO_ITEM, CTREE_NONE);
    return status;
}

/* Links new nodes below new nodes, out of sight, so that a new subtree can be attached at once. */
static ctree_status link_new(ct_reconciling *r, uint32_t item) {
    ctree_store *store = r->store;
    uint32_t at = r->shape.starts[item], end = r->shape.starts[item + 1], parent = r->slots[item];
    while (at < end) {
        uint32_t start = at;
        while (at < end && (r->flags[r->shape.children[at]] & CT_ITEM_NEW) != 0) at++;
        if (at == start) {
            at++;
            continue;
        }
        /* Room for all that is listed from here on, so that a list does not grow run by run. */
        ctree_status status = ct_children_reserve(store, parent, end - start);
        if (status != CTREE_OK) return status;
        ct_children_insert(store, parent, ct_hot_at(store, parent)->count, r->rows + start, at - start);
    }
    return CTREE_OK;
}

ctree_status ct_reconcile_match(ct_reconciling *r) {
    uint32_t count = r->shape.count;
    ctree_status status = ct_marks_put(&r->marks, &r->store->mem, r->parent, count);
    if (status != CTREE_OK) return status;
    bool looks_ahead = is_worth_looking_ahead(r);
    for (uint32_t i = 0; i < count; i++) {
        if (!ct_reconcile_may_go_on(r, i)) return CTREE_CANCELLED;
        if (looks_ahead) look_ahead(r, i);
        status = match(r, r->shape.order[i], looks_ahead && i >= AHEAD);
        if (status != CTREE_OK) return status;
        r->entered++;
    }
    for (uint32_t i = 0; i < count; i++) r->rows[i] = r->slots[r->shape.children[i]];
    for (uint32_t item = 0; item < count; item++) {
        if ((r->flags[item] & CT_ITEM_NEW) == 0) continue;
        status = link_new(r, item);
        if (status != CTREE_OK) return status;
    }
    return CTREE_OK;
}

void ct_reconcile_take_back(ct_reconciling *r) {
    ctree_store *store = r->store;
    while (r->entered != 0) {
        uint32_t item = r->shape.order[--r->entered], slot = r->slots[item];
        if ((r->flags[item] & CT_ITEM_NEW) == 0) continue;
        ct_identity_leave(store, slot);
        ct_children_clear(store, slot);
        ct_slots_kill(store, slot);
        ct_slots_give_back(store, slot);
    }
}
