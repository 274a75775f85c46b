/*
 * Walking the levels below a node in preorder, without recursion and without memory: siblings are read run by run,
 * and only on the way up is a node's place looked for.
 */
#ifndef CT_LEVELS_H
#define CT_LEVELS_H

#include "store/children.h"

typedef struct ct_levels {
    const ctree_store *store;
    uint32_t root;   /* Itself not told. */
    uint32_t levels; /* How many below it are. */
    uint32_t level;  /* Of `slot`: 0 for a child of the root. */
    uint32_t slot;   /* The last one told, the root before the first. */
    ct_span rest;    /* Siblings that follow it next to each other in memory. */
    bool pass_by;    /* Set by the caller: the next step leaves out what is below the last one told. */
} ct_levels;

static inline ct_levels ct_levels_below(const ctree_store *store, uint32_t root, uint32_t levels) {
    ct_levels walk = {store, root, levels, UINT32_MAX, root, {NULL, 0}, false};
    return walk;
}

/* The next slot, or CT_TOP at the end. The tree must not change in between. */
uint32_t ct_levels_next(ct_levels *walk);

/* The same where nothing below the last one told is wanted: most nodes are leaves with a sibling next to them. */
static inline uint32_t ct_levels_pass_by(ct_levels *walk) {
    if (walk->rest.count == 0) {
        walk->pass_by = true;
        return ct_levels_next(walk);
    }
    walk->rest.count--;
    return walk->slot = *walk->rest.slots++;
}

#endif
