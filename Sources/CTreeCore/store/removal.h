/* Removing subtrees: shared by every call that removes. */
#ifndef CT_REMOVAL_H
#define CT_REMOVAL_H

#include "store/store.h"

/* Removes children [first, first + count) of a parent with their subtrees and tells it as one edit. Cannot fail.
   Within an edit frame. */
void ct_remove_run(ctree_store *store, uint32_t parent, uint32_t first, uint32_t count);

/* The same for a parent that will get other children: its list keeps its room until ct_children_trim. */
void ct_remove_run_for_others(ctree_store *store, uint32_t parent, uint32_t first, uint32_t count);

/* Makes a node a leaf: its children are removed, its load ends. Cannot fail. Within an edit frame; told.
   (change.c) */
void ct_make_leaf(ctree_store *store, uint32_t slot);

#endif
