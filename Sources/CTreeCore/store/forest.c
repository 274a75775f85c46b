#include "store/forest.h"

void ct_fault_set(ctree_fault *fault, uint64_t item, uint64_t other_item, ctree_node node) {
    if (fault == NULL || fault->size < sizeof *fault) return;
    fault->item = item;
    fault->other_item = other_item;
    fault->node = node;
}

ctree_status ct_forest_check(const ctree_store *store, const ctree_forest *forest) {
    if (forest == NULL || forest->size < sizeof *forest) return CTREE_INVALID;
    int kinds =
        (forest->ids != NULL) + (forest->numbers != NULL) + (forest->bytes != NULL || forest->offsets != NULL);
    if (forest->count == 0) return kinds <= 1 ? CTREE_OK : CTREE_INVALID;
    if (kinds != 1) return CTREE_INVALID;
    if (forest->numbers != NULL && store->id_kind != CTREE_ID_U64) return CTREE_INVALID;
    if (forest->offsets == NULL && forest->bytes != NULL) return CTREE_INVALID;
    if (forest->count >= UINT32_MAX) return CTREE_LIMIT;
    if (forest->offsets == NULL) return CTREE_OK;
    if (store->id_kind != CTREE_ID_BYTES) return CTREE_INVALID;
    for (uint64_t i = 0; i < forest->count; i++) {
        if (forest->offsets[i + 1] < forest->offsets[i]) return CTREE_INVALID;
    }
    bool empty = forest->offsets[forest->count] == forest->offsets[0];
    return forest->bytes != NULL || empty ? CTREE_OK : CTREE_INVALID;
}

static ctree_status check_states(const ct_forest_shape *shape, const ctree_forest *forest, ctree_fault *fault) {
    if (forest->states == NULL) return CTREE_OK;
    for (uint32_t i = 0; i < shape->count; i++) {
        uint8_t state = forest->states[i];
        bool known = state == CTREE_STATE_LEAF || state == CTREE_STATE_UNLOADED || state == CTREE_STATE_LOADED
                     || state == CTREE_STATE_KEEP;
        if (known && (state == CTREE_STATE_LOADED || ct_forest_child_count(shape, i) == 0)) continue;
        ct_fault_set(fault, i, CTREE_NO_ITEM, CTREE_NONE);
        return CTREE_INVALID;
    }
    return CTREE_OK;
}

/* The list that an item stands in: that of its parent, or the last one. */
static uint32_t list_of(const ct_forest_shape *shape, const ctree_forest *forest, uint32_t item) {
    uint32_t parent = ct_forest_parent(forest, item);
    return parent == CTREE_END ? shape->count : parent;
}

/* Sorts the items into lists by counting. `next` has count + 2 words of scratch. */
static ctree_status sort_into_lists(ct_forest_shape *shape, const ctree_forest *forest, uint32_t *next,
                                    ctree_fault *fault) {
    uint32_t count = shape->count;
    memset(shape->starts, 0, ((size_t)count + 2) * sizeof *shape->starts);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t list = list_of(shape, forest, i);
        if (list > count || list == i || (list == count && ct_forest_parent(forest, i) != CTREE_END)) {
            ct_fault_set(fault, i, CTREE_NO_ITEM, CTREE_NONE);
            return list == i ? CTREE_CYCLE : CTREE_INVALID;
        }
        shape->starts[list + 1]++;
    }
    for (uint32_t i = 0; i <= count; i++) shape->starts[i + 1] += shape->starts[i];
    memcpy(next, shape->starts, ((size_t)count + 1) * sizeof *next);
    for (uint32_t i = 0; i < count; i++) shape->children[next[list_of(shape, forest, i)]++] = i;
    return CTREE_OK;
}

/* Walks the lists in preorder; what the walk does not reach stands on a cycle or below one. */
static ctree_status put_in_order(ct_forest_shape *shape, const ctree_forest *forest, uint32_t *next,
                                 ctree_fault *fault) {
    uint32_t count = shape->count, reached = 0, item = count;
    memcpy(next, shape->starts, ((size_t)count + 1) * sizeof *next);
    for (;;) {
        if (next[item] < shape->starts[item + 1]) {
            item = shape->children[next[item]++];
            shape->order[reached++] = item;
        } else if (item != count) {
            item = list_of(shape, forest, item);
        } else {
            break;
        }
    }
    if (reached == count) return CTREE_OK;
    uint32_t at_fault = 0; /* An unreached item has no list that was begun, or one of its ancestors has none. */
    for (uint32_t i = 0; i < reached; i++) next[shape->order[i]] = UINT32_MAX;
    while (next[at_fault] == UINT32_MAX) at_fault++;
    ct_fault_set(fault, at_fault, CTREE_NO_ITEM, CTREE_NONE);
    return CTREE_CYCLE;
}

ctree_status ct_forest_shape_make(ct_forest_shape *shape, const ct_mem *mem, const ctree_forest *forest,
                                  ctree_fault *fault) {
    uint32_t count = (uint32_t)forest->count;
    if (forest->count + 2 > SIZE_MAX / sizeof(uint32_t)) return CTREE_NO_MEMORY;
    size_t words = ((size_t)count + 2) * sizeof(uint32_t);
    shape->count = count;
    shape->starts = ct_alloc(mem, words);
    shape->children = ct_alloc(mem, words);
    shape->order = ct_alloc(mem, words);
    uint32_t *next = ct_alloc(mem, words);
    ctree_status status = CTREE_NO_MEMORY;
    if (shape->starts != NULL && shape->children != NULL && shape->order != NULL && next != NULL) {
        status = sort_into_lists(shape, forest, next, fault);
        if (status == CTREE_OK) status = put_in_order(shape, forest, next, fault);
        if (status == CTREE_OK) status = check_states(shape, forest, fault);
    }
    ct_free(mem, next, words);
    if (status != CTREE_OK) ct_forest_shape_free(shape, mem);
    return status;
}

void ct_forest_shape_free(ct_forest_shape *shape, const ct_mem *mem) {
    size_t words = ((size_t)shape->count + 2) * sizeof(uint32_t);
    ct_free(mem, shape->starts, words);
    ct_free(mem, shape->children, words);
    ct_free(mem, shape->order, words);
    *shape = (ct_forest_shape){0};
}
