/* Walking a subtree in preorder, without recursion and without memory. */
#ifndef CT_WALK_H
#define CT_WALK_H

#include "store/store.h"

/* What follows `slot` within the subtree of `root` (CT_TOP: the store), or CT_TOP at the end. `slot` lies within
   it. */
uint32_t ct_walk_next(const ctree_store *store, uint32_t slot, uint32_t root, bool skip_children);

#endif
