/* A set of numbers below a bound, as bits with a summary of summaries: neighbours are found in one step a level. */
#ifndef CT_DIFF_NUMBERS_H
#define CT_DIFF_NUMBERS_H

#include "diff/work.h"

enum { CT_NUMBERS_LEVELS = 6 }; /* 64 to the 6th is more than there are rows. */

typedef struct ct_numbers {
    uint64_t *words;                 /* The members, then which of these words have any, and so on. */
    size_t level[CT_NUMBERS_LEVELS]; /* Where each level begins. */
    unsigned levels;
    size_t word_count;
} ct_numbers;

/* An empty set of numbers below `bound`. */
bool ct_numbers_make(ct_work *work, ct_numbers *set, uint32_t bound);
void ct_numbers_free(ct_work *work, ct_numbers *set);
void ct_numbers_clear(ct_numbers *set);

static inline unsigned ct_lowest_of(uint64_t word) {
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(word);
#else
    unsigned bit = 0;
    for (unsigned step = 32; step > 0; step /= 2) {
        if ((word & ((UINT64_C(1) << step) - 1)) != 0) continue;
        word >>= step;
        bit += step;
    }
    return bit;
#endif
}

static inline unsigned ct_highest_of(uint64_t word) {
#if defined(__GNUC__)
    return 63 - (unsigned)__builtin_clzll(word);
#else
    unsigned bit = 0;
    for (unsigned step = 32; step > 0; step /= 2) {
        if (word >> step == 0) continue;
        word >>= step;
        bit += step;
    }
    return bit;
#endif
}

static inline void ct_numbers_add(ct_numbers *set, uint32_t number) {
    for (unsigned level = 0; level < set->levels; level++, number /= 64) {
        uint64_t *word = &set->words[set->level[level] + number / 64];
        bool had_some = *word != 0;
        *word |= UINT64_C(1) << (number % 64);
        if (had_some) return;
    }
}

static inline void ct_numbers_remove(ct_numbers *set, uint32_t number) {
    for (unsigned level = 0; level < set->levels; level++, number /= 64) {
        uint64_t *word = &set->words[set->level[level] + number / 64];
        *word &= ~(UINT64_C(1) << (number % 64));
        if (*word != 0) return;
    }
}

/* The greatest member below `number`, or CT_NO_ROW. */
static inline uint32_t ct_numbers_before(const ct_numbers *set, uint32_t number) {
    for (unsigned level = 0; level < set->levels; level++, number /= 64) {
        uint64_t word = set->words[set->level[level] + number / 64] & ((UINT64_C(1) << (number % 64)) - 1);
        if (word == 0) continue;
        number = number / 64 * 64 + ct_highest_of(word);
        while (level-- > 0) number = number * 64 + ct_highest_of(set->words[set->level[level] + number]);
        return number;
    }
    return CT_NO_ROW;
}

/* The least member above `number`, or CT_NO_ROW. */
static inline uint32_t ct_numbers_after(const ct_numbers *set, uint32_t number) {
    for (unsigned level = 0; level < set->levels; level++, number /= 64) {
        uint64_t word = set->words[set->level[level] + number / 64] & (UINT64_MAX << (number % 64) << 1);
        if (word == 0) continue;
        number = number / 64 * 64 + ct_lowest_of(word);
        while (level-- > 0) number = number * 64 + ct_lowest_of(set->words[set->level[level] + number]);
        return number;
    }
    return CT_NO_ROW;
}

#endif
