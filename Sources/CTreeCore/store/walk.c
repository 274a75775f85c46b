#include "store/walk.h"

#include "store/children.h"

uint32_t ct_walk_next(const ctree_store *store, uint32_t slot, uint32_t root, bool skip_children) {
    const ct_hot *hot = ct_hot_at(store, slot);
    if (!skip_children && hot->count != 0) return ct_children_at(store, slot, 0);
    while (slot != root && slot != CT_TOP) { /* a node that stands elsewhere meets no root */
        uint32_t position = ct_children_ordinal(store, slot) + 1;
        uint32_t parent = ct_hot_at(store, slot)->parent;
        if (position < ct_hot_at(store, parent)->count) return ct_children_at(store, parent, position);
        slot = parent;
    }
    return CT_TOP;
}

ctree_node ctree_store_next(const ctree_store *store, ctree_node node, ctree_node root, bool skip_children) {
    if (store == NULL || store->closed) return CTREE_NONE;
    uint32_t slot, top;
    if (!ct_parent_slot(store, node, &slot) || !ct_parent_slot(store, root, &top)) return CTREE_NONE;
    uint32_t next = ct_walk_next(store, slot, top, skip_children);
    return next == CT_TOP ? CTREE_NONE : ct_node_at(store, next);
}

uint64_t ctree_store_subtree_count(const ctree_store *store, ctree_node node) {
    if (store == NULL) return 0;
    uint32_t root = ct_slot_of(store, node);
    uint64_t count = 0;
    for (uint32_t slot = root; slot != CT_TOP; slot = ct_walk_next(store, slot, root, false)) count++;
    return count;
}
