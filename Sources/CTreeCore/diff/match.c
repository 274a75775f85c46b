#include "diff/match.h"

#include <string.h>

static bool trim(ct_work *work, uint32_t kind, const void *old_keys, const void *new_keys, ct_match *match) {
    uint32_t most = match->old_count < match->new_count ? match->old_count : match->new_count;
    uint32_t prefix = 0, suffix = 0;
    while (prefix < most && ct_same_key(kind, old_keys, prefix, new_keys, prefix)) {
        if (++prefix % CT_CHUNK == 0 && !ct_work_tick(work, CT_CHUNK)) return false;
    }
    while (suffix < most - prefix
           && ct_same_key(kind, old_keys, match->old_count - 1 - suffix, new_keys, match->new_count - 1 - suffix)) {
        if (++suffix % CT_CHUNK == 0 && !ct_work_tick(work, CT_CHUNK)) return false;
    }
    match->prefix = prefix;
    match->suffix = suffix;
    return true;
}

bool ct_match_make(ct_work *work, ct_match *match) {
    uint32_t old_middle = ct_match_old_middle(match), new_middle = ct_match_new_middle(match);
    match->to_new = ct_work_array(work, old_middle, sizeof(uint32_t));
    match->to_old = ct_work_array(work, new_middle, sizeof(uint32_t));
    if (match->to_new == NULL || match->to_old == NULL) return false;
    memset(match->to_new, 0xFF, (size_t)old_middle * sizeof(uint32_t));
    return true;
}

void ct_match_free(ct_work *work, ct_match *match) {
    ct_work_free(work, match->to_new, ct_match_old_middle(match), sizeof(uint32_t));
    ct_work_free(work, match->to_old, ct_match_new_middle(match), sizeof(uint32_t));
    match->to_new = NULL;
    match->to_old = NULL;
}

/* Somewhere a key stands twice: finds where, in the old list first. */
static ctree_status locate(ct_work *work, uint32_t kind, const void *old_keys, const void *new_keys,
                           const ct_match *match, ctree_diff_duplicate *duplicate) {
    bool found = false;
    for (uint32_t in_new = 0; in_new < 2 && !found; in_new++) {
        ctree_status status =
            ct_find_duplicate(work, kind, in_new ? new_keys : old_keys, in_new ? match->new_count : match->old_count,
                              &found, &duplicate->first, &duplicate->second);
        if (status != CTREE_OK) return status;
        duplicate->in_new = in_new;
    }
    return CTREE_DUPLICATE;
}

ctree_status ct_match_keys(ct_work *work, uint32_t kind, const void *old_keys, uint32_t old_count,
                           const void *new_keys, uint32_t new_count, ct_match *match,
                           ctree_diff_duplicate *duplicate) {
    ct_work_phase(work, (uint64_t)old_count + new_count);
    match->old_count = old_count;
    match->new_count = new_count;
    ctree_status status = CTREE_OK;
    bool again = true;
    if (kind == CTREE_DIFF_NODES) {
        again = false;
        status = ct_match_by_slot(work, old_keys, new_keys, match, &again);
        if (status != CTREE_OK) return status;
    }
    if (again) {
        ct_match_free(work, match);
        if (!trim(work, kind, old_keys, new_keys, match)) return CTREE_CANCELLED;
        if (!ct_match_make(work, match)) return CTREE_NO_MEMORY;
        status = ct_match_by_hash(work, kind, old_keys, new_keys, 0, old_count, match);
    }
    if (status == CTREE_DUPLICATE) return locate(work, kind, old_keys, new_keys, match, duplicate);
    return status;
}
