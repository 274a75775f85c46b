/* Which runs stay: those that keep their order among each other and weigh the most together. */
#ifndef CT_DIFF_KEEP_H
#define CT_DIFF_KEEP_H

#include "ctree/batch.h"
#include "diff/work.h"

/*
 * The order of runs by `to`: order[k] is the run in k-th place. Distinct targets; no recursion.
 * CTREE_NO_MEMORY or CTREE_CANCELLED.
 */
ctree_status ct_order_by_target(ct_work *work, const ctree_row_run *runs, uint32_t count, uint32_t *order);

/*
 * Of things in old order, the i-th in new order being at rank ranks[i], chooses some whose ranks ascend, so that
 * their weights add up to the most; `minor`, which may be NULL, decides where `major` is equal. Weights are indexed
 * by rank, are greater than 0 (major), must not overflow when added, and are used up. `staying` receives a bit for
 * each rank. The heaviest that end at a rank form stairs: later ranks are there only if they weigh more. So each
 * thing stands on the one before it, and knocks out those after it that are not above it: a step or two each, however
 * the ranks lie.
 */
ctree_status ct_keep_heaviest(ct_work *work, const uint32_t *ranks, uint32_t count, uint64_t *major, uint64_t *minor,
                              uint64_t *staying);

/* Words that `staying` needs. */
static inline uint32_t ct_staying_words(uint32_t count) { return count / 64 + 1; }

#endif
