/* The change of a batch, step by step. */
#ifndef CT_DIFF_STEPWISE_H
#define CT_DIFF_STEPWISE_H

#include "diff/told.h"

/* ctree_splice from the first row to the last. CTREE_NO_MEMORY, CTREE_CANCELLED. */
ctree_status ct_splices_of(ct_work *work, const ctree_batch *batch, ct_list *splices);

/* ctree_step: deletes from the end, moves, inserts from the start. O(m log m) for m moves. */
ctree_status ct_steps_of(ct_work *work, const ctree_batch *batch, ct_list *steps);

#endif
