/* Load records and the queue of requests, as the rest of the store sees them. */
#ifndef CT_LOADS_H
#define CT_LOADS_H

#include "store/store.h"

void ct_loads_init(ctree_store *store);
void ct_loads_destroy(ctree_store *store);

/* The node is dead: its record is freed. To be called where CT_FLAG_LOAD is set. */
void ct_loads_forget(ctree_store *store, uint32_t slot);

/* Ends a load under way, if there is one, as cancelled, without touching the state of the node. */
void ct_loads_end(ctree_store *store, uint32_t slot);

/* Room in the queue for `more` requests, then a request that cannot fail: nothing is done for a node that is neither
   unloaded nor failed, or is queued already. */
ctree_status ct_requests_reserve(ctree_store *store, uint64_t more);
void ct_requests_add(ctree_store *store, uint32_t slot);

#endif
