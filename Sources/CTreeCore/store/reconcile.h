/*
 * How a reconcile works, for its files among each other.
 *
 *   match    each item gets the node of its identifier, or a new node out of sight         reconcile_match.c
 *   place    nodes found are checked for where they stand now                              reconcile_place.c
 *   plan     for each list that is replaced: what goes, what stays, what room it takes     reconcile_plan.c
 *   apply    cannot fail: told step by step, from the top down                             reconcile_apply.c
 *
 * From the top down: when a list is put in order, all above it stands where it will stay. So no node ever comes to
 * stand below itself on the way, whatever changes places with whatever.
 */
#ifndef CT_RECONCILE_H
#define CT_RECONCILE_H

#include "store/forest.h"
#include "store/marks.h"
#include "store/reconciling.h"

/* Flags of items, and of the list at `count`, which is the parent's. */
enum {
    CT_ITEM_NEW = 1,   /* Its node is made by this call. */
    CT_ITEM_STAYS = 2, /* Its node keeps its place among those of its siblings that stay. */
    CT_ITEM_LIST = 4   /* The children of its node are not yet those listed. */
};

/* Marks of slots beside item numbers and `count`, which stands for the parent. Nodes that are not in the forest: */
#define CT_MARK_HOLDS (CT_NO_MARK - 1)   /* It goes, but nodes of the forest have to be taken out of it before. */
#define CT_MARK_OUTSIDE (CT_NO_MARK - 2) /* It stands outside of what is replaced. */

/* Children of one parent that go, next to each other. */
typedef struct ct_going {
    uint32_t slot, count;
} ct_going;

typedef struct ct_reconciling {
    ctree_store *store;
    const ctree_forest *forest;
    const ctree_progress *progress;
    ctree_fault *fault;
    ctree_elsewhere elsewhere;
    uint32_t parent;
    ct_forest_shape shape;

    uint32_t *slots; /* By item. */
    uint32_t *rows;  /* The same in the order of shape.children, so that each list lies in one piece. */
    uint8_t *flags;  /* count + 1 */
    ct_marks marks;
    uint32_t entered;    /* Items of shape.order that have their nodes. */
    bool from_elsewhere; /* Nodes come from where nothing is replaced, perhaps not even below the parent. */

    ct_going *going; /* In the order in which lists are worked on. */
    size_t going_room, going_count, going_next;
    uint32_t *late; /* Children that go and hold others, list by list. */
    size_t late_room, late_count;
    uint32_t *scratch;
    size_t scratch_room;
    uint64_t wide_runs, wide_run_rows; /* Long runs of new nodes that come into wide lists, and how many nodes. */
    uint64_t wide_rows;                /* Other nodes that come into wide lists or move within one. */
} ct_reconciling;

ctree_status ct_reconcile_match(ct_reconciling *r);
void ct_reconcile_take_back(ct_reconciling *r);
ctree_status ct_reconcile_place(ct_reconciling *r);
ctree_status ct_reconcile_plan(ct_reconciling *r);
void ct_reconcile_apply(ct_reconciling *r);

/* The list that an item stands in. */
static inline uint32_t ct_reconcile_list(const ct_reconciling *r, uint32_t item) {
    uint32_t parent = ct_forest_parent(r->forest, item);
    return parent == CTREE_END ? r->shape.count : parent;
}

/* The node whose children a list are. */
static inline uint32_t ct_reconcile_owner(const ct_reconciling *r, uint32_t list) {
    return list == r->shape.count ? r->parent : r->slots[list];
}

/* Whether the children of a node found are replaced by those listed. */
static inline bool ct_reconcile_replaces(const ct_reconciling *r, uint32_t list) {
    return list == r->shape.count || ct_forest_state(r->forest, &r->shape, list) == CTREE_STATE_LOADED;
}

/* Asks whether to go on, every so many items. `done` counts up to twice the number of items. */
bool ct_reconcile_may_go_on(const ct_reconciling *r, uint64_t done);

/* Adds CT_ITEM_STAYS to the flags of as many of `items`, which differ from each other, as can stay in their order
   while the rest moves so that all of them ascend. `scratch` has room for twice their number. */
void ct_reconcile_choose(const uint32_t *items, uint32_t count, uint32_t *scratch, uint8_t *flags);

#endif
