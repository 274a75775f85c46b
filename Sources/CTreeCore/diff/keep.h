/* Which runs stay: those that keep their order among each other and weigh the most together. */
#ifndef CT_DIFF_KEEP_H
#define CT_DIFF_KEEP_H

#include "ctree/batch.h"
#include "diff/work.h"

/*
 * The place of each run among all in the order of their targets, which are distinct and lie from `first` to before
 * `end`: a bit for each target, and a count of the bits before each word. O(count + (end - first) / 64).
 * CTREE_NO_MEMORY or CTREE_CANCELLED.
 */
ctree_status ct_rank_targets(ct_work *work, const ctree_row_run *runs, uint32_t count, uint32_t first, uint32_t end,
                             uint32_t *ranks);

/* The other way round: order[k] is the run in k-th place. */
ctree_status ct_order_by_target(ct_work *work, const ctree_row_run *runs, uint32_t count, uint32_t end,
                                uint32_t *order);

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

static inline bool ct_is_staying(const uint64_t *staying, uint32_t rank) {
    return (staying[rank / 64] >> (rank % 64) & 1) != 0;
}

#endif
