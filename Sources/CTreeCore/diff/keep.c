#include "diff/keep.h"

#include "diff/bits.h"

#include <string.h>

/* ---- The order of runs ---------------------------------------------------------------------------------------- */

enum { DIGIT_BITS = 11, DIGIT_VALUES = 1 << DIGIT_BITS, FEW = 64 };

/* Target above index, so that one comparison or digit does for both. */
static void insertion_sort(uint64_t *items, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        uint64_t item = items[i];
        uint32_t j = i;
        for (; j > 0 && items[j - 1] > item; j--) items[j] = items[j - 1];
        items[j] = item;
    }
}

/* Sorts by the upper half, one digit after the other from the least. Returns the array the result is in, or NULL when
   it was cancelled. */
static uint64_t *radix_sort(ct_work *work, uint64_t *items, uint64_t *spare, uint32_t count, uint32_t greatest) {
    for (unsigned shift = 32; shift == 32 || (shift < 64 && greatest >> (shift - 32) != 0); shift += DIGIT_BITS) {
        uint32_t starts[DIGIT_VALUES] = {0}, sum = 0;
        for (uint32_t i = 0; i < count; i++) starts[items[i] >> shift & (DIGIT_VALUES - 1)]++;
        for (uint32_t digit = 0; digit < DIGIT_VALUES; digit++) {
            uint32_t here = starts[digit];
            starts[digit] = sum;
            sum += here;
        }
        for (uint32_t i = 0; i < count; i++) {
            if (i % CT_CHUNK == 0 && !ct_work_tick(work, 0)) return NULL;
            spare[starts[items[i] >> shift & (DIGIT_VALUES - 1)]++] = items[i];
        }
        uint64_t *swap = items;
        items = spare;
        spare = swap;
    }
    return items;
}

ctree_status ct_order_by_target(ct_work *work, const ctree_row_run *runs, uint32_t count, uint32_t *order) {
    uint64_t *items = ct_work_array(work, 2 * (uint64_t)count, sizeof(uint64_t));
    if (items == NULL) return CTREE_NO_MEMORY;
    uint32_t greatest = 0;
    for (uint32_t i = 0; i < count; i++) {
        items[i] = (uint64_t)runs[i].to << 32 | i;
        if (runs[i].to > greatest) greatest = runs[i].to;
    }
    uint64_t *sorted = items;
    if (count <= FEW) insertion_sort(items, count);
    else sorted = radix_sort(work, items, items + count, count, greatest);
    if (sorted != NULL) {
        for (uint32_t i = 0; i < count; i++) order[i] = (uint32_t)sorted[i];
    }
    ct_work_free(work, items, 2 * (uint64_t)count, sizeof(uint64_t));
    return sorted != NULL ? CTREE_OK : CTREE_CANCELLED;
}

/* ---- The heaviest --------------------------------------------------------------------------------------------- */

ctree_status ct_keep_heaviest(ct_work *work, const uint32_t *ranks, uint32_t count, uint64_t *major, uint64_t *minor,
                              uint64_t *staying) {
    ct_bits stairs;
    memset(staying, 0, ct_staying_words(count) * sizeof(uint64_t));
    uint32_t *below = ct_work_array(work, count, sizeof(uint32_t));
    if (below == NULL) return CTREE_NO_MEMORY;
    ctree_status status = CTREE_NO_MEMORY;
    if (!ct_bits_make(work, &stairs, count + 1)) goto done;
    uint64_t steps = count;
    status = CTREE_OK;
    for (uint32_t i = 0; i < count; i++) {
        if (i % CT_CHUNK == CT_CHUNK - 1 && !ct_work_tick(work, CT_CHUNK)) {
            status = CTREE_CANCELLED;
            goto done;
        }
        uint32_t rank = ranks[i], before = ct_bits_before(&stairs, rank);
        below[rank] = before;
        if (before != CT_NO_ROW) {
            major[rank] += major[before];
            if (minor != NULL) minor[rank] += minor[before];
        }
        ct_bits_add(&stairs, rank);
        for (;;) {
            uint32_t after = ct_bits_after(&stairs, rank);
            if (after == CT_NO_ROW || major[after] > major[rank]) break;
            if (minor != NULL && major[after] == major[rank] && minor[after] > minor[rank]) break;
            ct_bits_remove(&stairs, after);
            steps++;
        }
    }
    for (uint32_t rank = ct_bits_before(&stairs, count); rank != CT_NO_ROW; rank = below[rank]) {
        staying[rank / 64] |= UINT64_C(1) << (rank % 64);
    }
    work->steps += steps;
done:
    if (stairs.words != NULL) ct_bits_free(work, &stairs);
    ct_work_free(work, below, count, sizeof(uint32_t));
    return status;
}
