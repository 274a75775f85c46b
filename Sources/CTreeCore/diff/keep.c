#include "diff/keep.h"

#include "diff/numbers.h"

#include <string.h>

/* ---- Ranks ---------------------------------------------------------------------------------------------------- */

static unsigned count_bits(uint64_t word) {
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return (unsigned)(word * 0x0101010101010101u >> 56);
}

/* A bit for each target, beside it how many there are in all words before. */
typedef struct word_of_targets {
    uint64_t bits;
    uint64_t before;
} word_of_targets;

static bool mark_targets(ct_work *work, const ctree_row_run *runs, uint32_t count, uint32_t first,
                         word_of_targets *words) {
    for (uint32_t i = 0; i < count; i++) {
        if (i % CT_CHUNK == 0 && !ct_work_tick(work, 0)) return false;
        uint32_t to = runs[i].to - first;
        words[to / 64].bits |= UINT64_C(1) << (to % 64);
    }
    return true;
}

static uint32_t rank_of(const word_of_targets *words, uint32_t to) {
    const word_of_targets *word = &words[to / 64];
    return (uint32_t)word->before + count_bits(word->bits & ((UINT64_C(1) << (to % 64)) - 1));
}

ctree_status ct_rank_targets(ct_work *work, const ctree_row_run *runs, uint32_t count, uint32_t first, uint32_t end,
                             uint32_t *ranks) {
    uint32_t word_count = (end - first) / 64 + 1;
    word_of_targets *words = ct_work_array(work, word_count, sizeof *words);
    if (words == NULL) return CTREE_NO_MEMORY;
    memset(words, 0, word_count * sizeof *words);
    bool going = mark_targets(work, runs, count, first, words);
    uint64_t before = 0;
    for (uint32_t k = 0; k < word_count; k++) {
        words[k].before = before;
        before += count_bits(words[k].bits);
    }
    for (uint32_t i = 0; i < count && going; i++) {
        if (i % CT_CHUNK == 0) going = ct_work_tick(work, 0);
        ranks[i] = rank_of(words, runs[i].to - first);
    }
    ct_work_free(work, words, word_count, sizeof *words);
    return going ? CTREE_OK : CTREE_CANCELLED;
}

ctree_status ct_order_by_target(ct_work *work, const ctree_row_run *runs, uint32_t count, uint32_t end,
                                uint32_t *order) {
    uint32_t *ranks = ct_work_array(work, count, sizeof *ranks);
    if (ranks == NULL) return CTREE_NO_MEMORY;
    ctree_status status = ct_rank_targets(work, runs, count, 0, end, ranks);
    for (uint32_t i = 0; i < count && status == CTREE_OK; i++) order[ranks[i]] = i;
    ct_work_free(work, ranks, count, sizeof *ranks);
    return status;
}

/* ---- The heaviest --------------------------------------------------------------------------------------------- */

ctree_status ct_keep_heaviest(ct_work *work, const uint32_t *ranks, uint32_t count, uint64_t *major, uint64_t *minor,
                              uint64_t *staying) {
    ct_numbers stairs;
    memset(staying, 0, ct_staying_words(count) * sizeof(uint64_t));
    uint32_t *below = ct_work_array(work, count, sizeof(uint32_t));
    if (below == NULL) return CTREE_NO_MEMORY;
    ctree_status status = CTREE_NO_MEMORY;
    if (!ct_numbers_make(work, &stairs, count + 1)) goto done;
    uint64_t steps = count;
    status = CTREE_OK;
    for (uint32_t i = 0; i < count; i++) {
        if (i % CT_CHUNK == CT_CHUNK - 1 && !ct_work_tick(work, CT_CHUNK)) {
            status = CTREE_CANCELLED;
            goto done;
        }
        uint32_t rank = ranks[i], before = ct_numbers_before(&stairs, rank);
        below[rank] = before;
        if (before != CT_NO_ROW) {
            major[rank] += major[before];
            if (minor != NULL) minor[rank] += minor[before];
        }
        ct_numbers_add(&stairs, rank);
        for (;;) {
            uint32_t after = ct_numbers_after(&stairs, rank);
            if (after == CT_NO_ROW || major[after] > major[rank]) break;
            if (minor != NULL && major[after] == major[rank] && minor[after] > minor[rank]) break;
            ct_numbers_remove(&stairs, after);
            steps++;
        }
    }
    for (uint32_t rank = ct_numbers_before(&stairs, count); rank != CT_NO_ROW; rank = below[rank]) {
        staying[rank / 64] |= UINT64_C(1) << (rank % 64);
    }
    work->steps += steps;
done:
    if (stairs.words != NULL) ct_numbers_free(work, &stairs);
    ct_work_free(work, below, count, sizeof(uint32_t));
    return status;
}
