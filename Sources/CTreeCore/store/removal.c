#include "store/removal.h"

#include "store/children.h"
#include "store/edits.h"
#include "store/identity.h"
#include "store/loads.h"
#include "store/slots.h"

/*
 * The dead form a chain through their parent links, which nobody needs any more: each node's children are appended to
 * the chain's end when the node is reached. So a subtree of any shape is taken apart without recursion or memory.
 */
typedef struct chain {
    uint32_t head, tail;
} chain;

/* Takes a node out of the index while its parent link still says where it stood, then chains it. */
static void append(ctree_store *store, chain *dead, uint32_t slot) {
    ct_identity_leave(store, slot);
    ct_hot *hot = ct_hot_at(store, slot);
    if ((hot->tag & CT_FLAG_LOAD) != 0) ct_loads_forget(store, slot);
    hot->parent = CT_TOP;
    if (dead->tail != CT_TOP) {
        ct_hot_at(store, dead->tail)->parent = slot;
    } else {
        dead->head = slot;
    }
    dead->tail = slot;
}

static void append_children(ctree_store *store, chain *dead, uint32_t parent, uint32_t first, uint32_t count) {
    const ct_hot *hot = ct_hot_at(store, parent);
    while (count != 0) {
        ct_span span = ct_children_span(store, hot, first);
        uint32_t here = span.count < count ? span.count : count;
        for (uint32_t i = 0; i < here; i++) append(store, dead, span.slots[i]);
        first += here;
        count -= here;
    }
}

/* Gives the dead back, with their values told in blocks, once everybody knows that they are gone. */
static void bury(ctree_store *store, chain dead) {
    enum { BLOCK = 256 };
    ctree_node nodes[BLOCK];
    uint64_t values[BLOCK];
    size_t held = 0;
    uint32_t slot = dead.head;
    while (slot != CT_TOP) {
        uint32_t next = ct_hot_at(store, slot)->parent;
        if (store->release != NULL) {
            nodes[held] = ct_slots_last_handle(store, slot);
            values[held] = ct_word(&store->values, slot);
            if (++held == BLOCK) {
                ct_edit_release(store, nodes, values, held);
                held = 0;
            }
        }
        ct_slots_give_back(store, slot);
        slot = next;
    }
    ct_edit_release(store, nodes, values, held);
}

void ct_remove_run_for_others(ctree_store *store, uint32_t parent, uint32_t first, uint32_t count) {
    if (count == 0) return;
    ctree_edit edit = {
        .kind = CTREE_EDIT_REMOVE, .parent = ct_node_at(store, parent), .first = first, .count = count};
    ct_edit_before(store, &edit);
    chain dead = {CT_TOP, CT_TOP};
    append_children(store, &dead, parent, first, count);
    ct_children_take_out(store, parent, first, count);
    for (uint32_t slot = dead.head; slot != CT_TOP; slot = ct_hot_at(store, slot)->parent) {
        append_children(store, &dead, slot, 0, ct_hot_at(store, slot)->count);
        ct_children_clear(store, slot);
        ct_slots_kill(store, slot);
    }
    ct_edit_after(store, &edit);
    bury(store, dead);
}

void ct_remove_run(ctree_store *store, uint32_t parent, uint32_t first, uint32_t count) {
    ct_remove_run_for_others(store, parent, first, count);
    ct_children_trim(store, parent);
}

ctree_status ctree_store_remove(ctree_store *store, ctree_node node) {
    if (store == NULL) return CTREE_INVALID;
    ctree_status status = ct_edit_enter(store);
    if (status != CTREE_OK) return status;
    uint32_t slot = ct_slot_of(store, node);
    if (slot == CT_TOP) return ct_edit_leave(store, CTREE_STALE);
    ct_remove_run(store, ct_hot_at(store, slot)->parent, ct_children_ordinal(store, slot), 1);
    return ct_edit_leave(store, CTREE_OK);
}

ctree_status ctree_store_remove_children(ctree_store *store, ctree_node parent, uint32_t first, uint32_t count) {
    if (store == NULL) return CTREE_INVALID;
    ctree_status status = ct_edit_enter(store);
    if (status != CTREE_OK) return status;
    uint32_t slot;
    if (!ct_parent_slot(store, parent, &slot)) return ct_edit_leave(store, CTREE_STALE);
    uint32_t present = ct_hot_at(store, slot)->count;
    if (first > present || count > present - first) return ct_edit_leave(store, CTREE_RANGE);
    ct_remove_run(store, slot, first, count);
    return ct_edit_leave(store, CTREE_OK);
}
