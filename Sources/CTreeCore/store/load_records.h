/* The records of loads, as the calls on loads and reconcile see them. */
#ifndef CT_LOAD_RECORDS_H
#define CT_LOAD_RECORDS_H

#include "store/store.h"

/* The record of a node, or NULL. It moves when another one is taken. */
ct_load *ct_load_of(const ctree_store *store, uint32_t slot);

/* Makes room for a record of the node where it has none. */
ctree_status ct_load_reserve(ctree_store *store, uint32_t slot);

/* Gives a node another record and another state, and tells the state where it differs, so that a listener sees both
   of before or both of after. Room for the record must be there; one that says nothing any more is not kept. */
void ct_load_change(ctree_store *store, uint32_t slot, ct_load load, ctree_load_state state, bool more);

/* The whole list of a node's children is known from here on: it is loaded, or, while a load of it is under way, it
   will be loaded where that is cancelled. Cannot fail. Nothing is done for the top level. */
void ct_load_is_complete(ctree_store *store, uint32_t slot);

#endif
