/* A set of numbers below a bound, as bits with a summary of summaries: neighbours are found in one step a level. */
#ifndef CT_DIFF_BITS_H
#define CT_DIFF_BITS_H

#include "diff/work.h"

enum { CT_BITS_LEVELS = 6 }; /* 64 to the 6th is more than there are rows. */

typedef struct ct_bits {
    uint64_t *words;              /* The members, then which of these words have any, and so on. */
    size_t level[CT_BITS_LEVELS]; /* Where each level begins. */
    unsigned levels;
    size_t word_count;
} ct_bits;

/* An empty set of numbers below `bound`. */
bool ct_bits_make(ct_work *work, ct_bits *bits, uint32_t bound);
void ct_bits_free(ct_work *work, ct_bits *bits);
void ct_bits_clear(ct_bits *bits);

void ct_bits_add(ct_bits *bits, uint32_t number);
void ct_bits_remove(ct_bits *bits, uint32_t number);

/* The greatest member below `number`, and the least above it, or CT_NO_ROW. */
uint32_t ct_bits_before(const ct_bits *bits, uint32_t number);
uint32_t ct_bits_after(const ct_bits *bits, uint32_t number);

static inline bool ct_bits_has(const ct_bits *bits, uint32_t number) {
    return (bits->words[number / 64] >> (number % 64) & 1) != 0;
}

#endif
