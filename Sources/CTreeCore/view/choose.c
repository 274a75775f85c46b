#include "view/choose.h"

#include <stdlib.h>

#include "diff/keep.h"

bool ct_runs_ascend(const ctree_row_run *runs, size_t count) {
    for (size_t i = 1; i < count; i++) {
        if (runs[i].from < runs[i - 1].from) return false;
    }
    return true;
}

static int compare_places(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* `places`: of each run its old place above its number, so that sorting them gives the old order. */
static ctree_status choose(ct_work *work, const ctree_row_run *runs, uint32_t count, const uint64_t *places,
                           uint32_t *ranks, uint64_t *weights, uint64_t *staying, bool *stays) {
    for (uint32_t rank = 0; rank < count; rank++) {
        uint32_t run = (uint32_t)places[rank];
        ranks[run] = rank;
        weights[rank] = runs[run].count * ((uint64_t)count + 1) + 1; /* rows first, then runs */
    }
    ctree_status status = ct_keep_heaviest(work, ranks, count, weights, NULL, staying);
    for (uint32_t i = 0; i < count && status == CTREE_OK; i++) {
        stays[i] = (staying[ranks[i] / 64] >> (ranks[i] % 64) & 1) != 0;
    }
    return status;
}

ctree_status ct_choose(const ct_mem *mem, const ctree_row_run *runs, uint32_t count, uint32_t *order, bool *stays) {
    ct_work work = {.mem = *mem};
    uint64_t *places = ct_work_array(&work, count, sizeof *places);
    if (places == NULL) return CTREE_NO_MEMORY;
    for (uint32_t i = 0; i < count; i++) places[i] = (uint64_t)runs[i].from << 32 | i;
    qsort(places, count, sizeof *places, compare_places);
    for (uint32_t rank = 0; rank < count && order != NULL; rank++) order[rank] = (uint32_t)places[rank];
    ctree_status status = CTREE_OK;
    if (stays != NULL) {
        uint32_t *ranks = ct_work_array(&work, count, sizeof *ranks);
        uint64_t *weights = ct_work_array(&work, count, sizeof *weights);
        uint64_t *staying = ct_work_array(&work, ct_staying_words(count), sizeof *staying);
        status = CTREE_NO_MEMORY;
        if (ranks != NULL && weights != NULL && staying != NULL) {
            status = choose(&work, runs, count, places, ranks, weights, staying, stays);
        }
        ct_work_free(&work, ranks, count, sizeof *ranks);
        ct_work_free(&work, weights, count, sizeof *weights);
        ct_work_free(&work, staying, ct_staying_words(count), sizeof *staying);
    }
    ct_work_free(&work, places, count, sizeof *places);
    return status;
}
