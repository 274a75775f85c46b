/* Reading and checking a caller's forest. */
#ifndef CT_FOREST_H
#define CT_FOREST_H

#include "store/store.h"

/* Whether the forest can be read at all: its size, one kind of identifiers and that the store's, the count. Says
   nothing of parents and states yet. CTREE_INVALID, CTREE_LIMIT (more items than a store can hold). */
ctree_status ct_forest_check(const ctree_store *store, const ctree_forest *forest);

static inline ctree_id ct_forest_id(const ctree_forest *forest, uint64_t item) {
    if (forest->ids != NULL) return forest->ids[item];
    if (forest->numbers != NULL) return ctree_id_u64(forest->numbers[item]);
    uint64_t start = forest->offsets[item];
    return ctree_id_bytes((const unsigned char *)forest->bytes + start, (size_t)(forest->offsets[item + 1] - start));
}

static inline uint32_t ct_forest_parent(const ctree_forest *forest, uint64_t item) {
    return forest->parents != NULL ? forest->parents[item] : CTREE_END;
}

/*
 * A forest turned into lists. The children of item i are children[starts[i]] up to children[starts[i + 1]], in the
 * order of the forest; those that have no parent are the children of item `count`. `order` has all items in preorder.
 */
typedef struct ct_forest_shape {
    uint32_t *starts;   /* count + 2 */
    uint32_t *children; /* count */
    uint32_t *order;    /* count */
    uint32_t count;
} ct_forest_shape;

/* Works out the lists, and checks what ctree_store_build says of parents (CTREE_INVALID, CTREE_CYCLE) and states
   (CTREE_INVALID). O(count). On failure there is nothing to free. */
ctree_status ct_forest_shape_make(ct_forest_shape *shape, const ct_mem *mem, const ctree_forest *forest,
                                  ctree_fault *fault);
void ct_forest_shape_free(ct_forest_shape *shape, const ct_mem *mem);

static inline uint32_t ct_forest_child_count(const ct_forest_shape *shape, uint32_t item) {
    return shape->starts[item + 1] - shape->starts[item];
}

/* The state an item asks for, with the default where the forest gives none. */
static inline ctree_load_state ct_forest_state(const ctree_forest *forest, const ct_forest_shape *shape,
                                               uint32_t item) {
    if (forest->states != NULL) return (ctree_load_state)forest->states[item];
    return ct_forest_child_count(shape, item) != 0 ? CTREE_STATE_LOADED : CTREE_STATE_LEAF;
}

/* Tells a fault where the caller wants it; what an older caller's struct has no room for is left out. */
void ct_fault_set(ctree_fault *fault, uint64_t item, uint64_t other_item, ctree_node node);

#endif
