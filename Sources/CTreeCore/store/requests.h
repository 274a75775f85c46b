/* The part of the queue of load requests that only the calls on loads use. */
#ifndef CT_REQUESTS_H
#define CT_REQUESTS_H

#include "store/store.h"

/* Takes a node out of the queue, if it stands there. O(1). */
void ct_requests_withdraw(ctree_store *store, uint32_t slot);

#endif
