/*
 * Walking the levels below a node in preorder, without recursion and without memory of the heap: siblings are read
 * run by run. What is left of the runs of the last levels is kept; only where a walk comes up from deeper than that,
 * a node's place is looked for.
 */
#ifndef CT_LEVELS_H
#define CT_LEVELS_H

#include "store/children.h"

enum { CT_LEVELS_KEPT = 16 };

/* Siblings that stand next to each other in memory. */
typedef struct ct_level_run {
    ct_span rest;
    bool wide; /* More may follow elsewhere. */
    bool far;  /* Their records lie all over the store: to be looked ahead to. */
} ct_level_run;

typedef struct ct_levels {
    const ctree_store *store;
    uint32_t root;    /* Itself not told. */
    uint32_t levels;  /* How many below it are. */
    uint32_t level;   /* Of `slot`: 0 for a child of the root. */
    uint32_t slot;    /* The last one told, the root before the first. */
    bool pass_by;     /* Set by the caller: the next step leaves out what is below the last one told. */
    ct_level_run run; /* Of those that follow `slot`. */
    uint32_t kept;    /* How many levels above have theirs in `above`, by the low bits of the level. */
    ct_level_run above[CT_LEVELS_KEPT];
} ct_levels;

static inline void ct_levels_begin(ct_levels *walk, const ctree_store *store, uint32_t root, uint32_t levels) {
    walk->store = store;
    walk->root = walk->slot = root;
    walk->levels = levels;
    walk->level = UINT32_MAX;
    walk->pass_by = false;
    walk->run = (ct_level_run){{NULL, 0}, false, false};
    walk->kept = 0;
}

/* Asks the memory for what the walk reads some siblings further on. */
void ct_levels_ahead(const ct_levels *walk);

/* The next slot, or CT_TOP at the end. The tree must not change in between. */
uint32_t ct_levels_next(ct_levels *walk);

/* The same where nothing below the last one told is wanted: most nodes are leaves with a sibling next to them. */
static inline uint32_t ct_levels_pass_by(ct_levels *walk) {
    if (walk->run.rest.count == 0) {
        walk->pass_by = true;
        return ct_levels_next(walk);
    }
    if (walk->run.far) ct_levels_ahead(walk);
    walk->run.rest.count--;
    return walk->slot = *walk->run.rest.slots++;
}

#endif
