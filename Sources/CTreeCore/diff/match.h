/* Which row of one list is which row of the other. */
#ifndef CT_DIFF_MATCH_H
#define CT_DIFF_MATCH_H

#include "ctree/diff.h"
#include "diff/work.h"

#include <string.h>

/* Whether two keys of a kind are the same. */
CT_INLINE bool ct_same_key(uint32_t kind, const void *a, uint32_t i, const void *b, uint32_t j) {
    if (kind == CTREE_DIFF_IDS) {
        const ctree_id *x = (const ctree_id *)a + i, *y = (const ctree_id *)b + j;
        if (x->word != y->word) return false;
        return x->bytes == y->bytes || x->word == 0 || memcmp(x->bytes, y->bytes, (size_t)x->word) == 0;
    }
    return ((const uint64_t *)a)[i] == ((const uint64_t *)b)[j];
}

/* Both lists are compared from both ends first; what lies between is the middle, and only it has arrays. */
typedef struct ct_match {
    uint32_t old_count;
    uint32_t new_count;
    uint32_t prefix;  /* Equal rows at the beginning. */
    uint32_t suffix;  /* Equal rows at the end. */
    uint32_t *to_new; /* For each old row of the middle its new number, or CT_NO_ROW. */
    uint32_t *to_old; /* For each new row of the middle its old number, or CT_NO_ROW. */
} ct_match;

static inline uint32_t ct_match_old_middle(const ct_match *match) {
    return match->old_count - match->prefix - match->suffix;
}

static inline uint32_t ct_match_new_middle(const ct_match *match) {
    return match->new_count - match->prefix - match->suffix;
}

/* The new number of an old row, or CT_NO_ROW. */
static inline uint32_t ct_match_new(const ct_match *match, uint32_t row) {
    uint32_t middle = row - match->prefix;
    if (middle < ct_match_old_middle(match)) return match->to_new[middle];
    return row < match->prefix ? row : row - match->old_count + match->new_count;
}

/* The old number of a new row, or CT_NO_ROW. */
static inline uint32_t ct_match_old(const ct_match *match, uint32_t row) {
    uint32_t middle = row - match->prefix;
    if (middle < ct_match_new_middle(match)) return match->to_old[middle];
    return row < match->prefix ? row : row - match->new_count + match->old_count;
}

/*
 * Matches two lists of keys of a ctree_diff_keys kind, which together have fewer than CT_NO_ROW - 1 rows. `match` is
 * zeroed before, and to be freed whatever comes of it. With CTREE_DUPLICATE, `duplicate` holds all but in_sections.
 * A phase of old_count + new_count units.
 */
ctree_status ct_match_keys(ct_work *work, uint32_t kind, const void *old_keys, uint32_t old_count,
                           const void *new_keys, uint32_t new_count, ct_match *match,
                           ctree_diff_duplicate *duplicate);
void ct_match_free(ct_work *work, ct_match *match);

/* ---- Its parts ----------------------------------------------------------------------------------------------- */

/* Makes the arrays, with no old row matched; `to_old` is for the matcher to fill. */
bool ct_match_make(ct_work *work, ct_match *match);

/*
 * Matches the middles through a hash table of the old rows from `first` to before `end`, which hold the middle.
 * CTREE_DUPLICATE, without saying where, when it sees that a key stands twice.
 */
ctree_status ct_match_by_hash(ct_work *work, uint32_t kind, const void *old_keys, const void *new_keys,
                              uint32_t first, uint32_t end, ct_match *match);

/* Handles, through marks at their slots. Returns as ct_match_by_hash; `again` says that the slots do not name the
   rows of a list one by one, or lie too far apart: match by hash instead. Finds prefix and suffix. */
ctree_status ct_match_by_slot(ct_work *work, const uint64_t *old_nodes, const uint64_t *new_nodes, ct_match *match,
                              bool *again);

/* The first row that repeats a key; *found tells whether there is one. */
ctree_status ct_find_duplicate(ct_work *work, uint32_t kind, const void *keys, uint32_t count, bool *found,
                               uint32_t *first, uint32_t *second);

#endif
