/* Whether a node stands below another, also where there are a million levels in between. */
#ifndef CT_WITHIN_H
#define CT_WITHIN_H

#include "store/store.h"

/* Whether `slot` is `ancestor` or stands below it. Levels are walked up to the first node that a view has among its
   rows; from there on the view knows. */
bool ct_is_within(const ctree_store *store, uint32_t slot, uint32_t ancestor);

#endif
