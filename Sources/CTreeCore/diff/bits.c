#include "diff/bits.h"

#include <string.h>

static unsigned lowest(uint64_t word) {
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

static unsigned highest(uint64_t word) {
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

void ct_bits_add(ct_bits *bits, uint32_t number) {
    for (unsigned level = 0; level < bits->levels; level++, number /= 64) {
        uint64_t *word = &bits->words[bits->level[level] + number / 64];
        bool had_some = *word != 0;
        *word |= UINT64_C(1) << (number % 64);
        if (had_some) return;
    }
}

void ct_bits_remove(ct_bits *bits, uint32_t number) {
    for (unsigned level = 0; level < bits->levels; level++, number /= 64) {
        uint64_t *word = &bits->words[bits->level[level] + number / 64];
        *word &= ~(UINT64_C(1) << (number % 64));
        if (*word != 0) return;
    }
}

uint32_t ct_bits_before(const ct_bits *bits, uint32_t number) {
    for (unsigned level = 0; level < bits->levels; level++, number /= 64) {
        uint64_t word = bits->words[bits->level[level] + number / 64] & ((UINT64_C(1) << (number % 64)) - 1);
        if (word == 0) continue;
        number = number / 64 * 64 + highest(word);
        while (level-- > 0) number = number * 64 + highest(bits->words[bits->level[level] + number]);
        return number;
    }
    return CT_NO_ROW;
}

uint32_t ct_bits_after(const ct_bits *bits, uint32_t number) {
    for (unsigned level = 0; level < bits->levels; level++, number /= 64) {
        uint64_t word = bits->words[bits->level[level] + number / 64] & (UINT64_MAX << (number % 64) << 1);
        if (word == 0) continue;
        number = number / 64 * 64 + lowest(word);
        while (level-- > 0) number = number * 64 + lowest(bits->words[bits->level[level] + number]);
        return number;
    }
    return CT_NO_ROW;
}
