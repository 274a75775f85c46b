#include "diff/bits.h"

#include <string.h>

bool ct_bits_make(ct_work *work, ct_bits *bits, uint32_t bound) {
    size_t words = bound, total = 0;
    bits->levels = 0;
    do {
        words = words / 64 + (words % 64 != 0 || words == 0);
        bits->level[bits->levels++] = total;
        total += words;
    } while (words > 1);
    bits->word_count = total;
    bits->words = ct_work_array(work, total, sizeof(uint64_t));
    if (bits->words == NULL) return false;
    ct_bits_clear(bits);
    return true;
}

void ct_bits_free(ct_work *work, ct_bits *bits) {
    ct_work_free(work, bits->words, bits->word_count, sizeof(uint64_t));
    bits->words = NULL;
}

void ct_bits_clear(ct_bits *bits) { memset(bits->words, 0, bits->word_count * sizeof(uint64_t)); }
