/* Reconcile and bulk build as the rest of the store sees them: within an edit frame, and told. */
#ifndef CT_RECONCILING_H
#define CT_RECONCILING_H

#include "store/store.h"

/* As ctree_store_reconcile. */
ctree_status ct_reconcile(ctree_store *store, uint32_t parent, const ctree_forest *forest, ctree_elsewhere elsewhere,
                          const ctree_progress *progress, ctree_node *out, ctree_fault *fault);

/* As ctree_store_build; `at` is a position. `more` has a byte for each item that says whether more children are to
   come below it; NULL: for none. */
ctree_status ct_build(ctree_store *store, uint32_t parent, uint32_t at, const ctree_forest *forest,
                      const uint8_t *more, const ctree_progress *progress, ctree_node *out, ctree_fault *fault);

#endif
