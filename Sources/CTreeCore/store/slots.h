/* Slots and their generations. */
#ifndef CT_SLOTS_H
#define CT_SLOTS_H

#include "store/store.h"

/* Makes room for `more` nodes: afterwards that many can be taken. CTREE_LIMIT, CTREE_NO_MEMORY. */
ctree_status ct_slots_reserve(ctree_store *store, uint64_t more);

/* The slot that the next ct_slots_take will give. */
uint32_t ct_slots_peek(const ctree_store *store);

/* Takes a slot: live, a leaf, without children, value 0. Room must have been reserved. */
uint32_t ct_slots_take(ctree_store *store);

/* Takes a node that nothing links to yet out of sight, so that nobody can find or count it, and brings it back. */
void ct_slots_hide(ctree_store *store, uint32_t slot);
void ct_slots_show(ctree_store *store, uint32_t slot);

/* Ends the life of a node: every handle to it is stale from here on, its value and children stay readable inside. */
void ct_slots_kill(ctree_store *store, uint32_t slot);

/* The handle that a killed node had. */
ctree_node ct_slots_last_handle(const ctree_store *store, uint32_t slot);

/* Gives the slot of a killed node back for use, unless its generations are used up. */
void ct_slots_give_back(ctree_store *store, uint32_t slot);

#endif
