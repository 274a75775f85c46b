/*
 * The lists of children, and the only file that writes links between nodes (children.c).
 *
 * Up to CT_NARROW_MOST children are a block of slots in the pool of the store; more are a sequence. A list that was
 * wide stays a sequence until it is empty: going back would need memory in the midst of a removal, which may not
 * fail.
 */
#ifndef CT_CHILDREN_H
#define CT_CHILDREN_H

#include "base/bits.h"
#include "store/store.h"

typedef struct ct_span {
    const uint32_t *slots;
    uint32_t count;
} ct_span;

/* Whether the records of a run lie away from each other: in a store that was built in preorder each leaf stands
   before its next sibling. Then they are worth looking ahead to. */
static inline bool ct_children_lie_far(ct_span run) {
    enum {
        NEAR = 16, /* Slots that lie no further apart are in cache already, or asked for by the machine. */
        PAIRS = 3  /* Neighbours that tell. */
    };
    for (uint32_t i = 1; i < run.count && i <= PAIRS; i++) {
        if (run.slots[i] - run.slots[i - 1] <= NEAR) return false;
    }
    return run.count > 1;
}

/* Asks the memory for the first children of a node. What a leaf or a wide node names as its block does no harm. */
static inline void ct_children_block_ahead(const ctree_store *store, const ct_hot *parent) {
    const ct_array *words = &store->children.words;
    if (parent->kids < words->capacity) ct_prefetch(ct_array_at(words, parent->kids, sizeof(uint32_t)));
}

void ct_children_init(ct_children *children);
void ct_children_destroy(ctree_store *store);

/* Children from `position` on that lie next to each other in memory; none at the end. */
ct_span ct_children_span(const ctree_store *store, const ct_hot *parent, uint32_t position);

uint32_t ct_children_at(const ctree_store *store, uint32_t parent, uint32_t position);
uint32_t ct_children_ordinal(const ctree_store *store, uint32_t slot);
void ct_children_ahead(const ctree_store *store, uint32_t slot); /* Asks the memory for what the ordinal takes. */

/* Makes room for `more` children of one parent, put in by one call. What it changes cannot be seen from outside. Room
   for several wide parents at once is to be asked for with ct_children_reserve_rows, since sequences share their
   spare blocks. Of a parent that is wide for certain ct_children_reserve_wide asks for the blocks alone. */
ctree_status ct_children_reserve(ctree_store *store, uint32_t parent, uint32_t more);
ctree_status ct_children_reserve_wide(ctree_store *store, uint32_t more);

/* Room for calls of ct_children_insert on wide lists, however many lists: `runs` calls with `run_rows` children in
   all, and besides calls with `rows` children in all, each with one or with at least CT_SEQ_RUN_LEAST of them. */
ctree_status ct_children_reserve_rows(ctree_store *store, uint64_t runs, uint64_t run_rows, uint64_t rows);

/* Links slots below a parent before `at`. Room must have been reserved. */
void ct_children_insert(ctree_store *store, uint32_t parent, uint32_t at, const uint32_t *slots, uint32_t count);

/* Takes a run out of its parent's list. The slots still name their old parent. A list that becomes empty gives its
   room back, which ct_children_take_out leaves to ct_children_trim: what was reserved stays so in between. */
void ct_children_remove(ctree_store *store, uint32_t parent, uint32_t first, uint32_t count);
void ct_children_take_out(ctree_store *store, uint32_t parent, uint32_t first, uint32_t count);
void ct_children_trim(ctree_store *store, uint32_t parent);

/* Frees the list of a node whose children are dead or taken care of: its count is 0 afterwards. */
void ct_children_clear(ctree_store *store, uint32_t parent);

#endif
