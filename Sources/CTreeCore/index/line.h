/*
 * The bucket of the index: one cache line with up to 12 entries, each a slot and one byte of its hash.
 *
 * Entries are packed from 0. One that finds no room goes on to the next line and is marked there as displaced;
 * `overflow` counts in each line those that passed it, so that a look-up knows where to stop.
 */
#ifndef CT_LINE_H
#define CT_LINE_H

#include <stdbool.h>

#include "base/bits.h"

#if !defined(CT_LINE_PORTABLE) && (defined(__SSE2__) || (defined(_M_X64) && !defined(_M_ARM64EC)))
#define CT_LINE_SSE2 1
#include <emmintrin.h>
#endif

enum { CT_LINE_ENTRIES = 12, CT_LINE_SIZE = 64 };

typedef struct ct_line {
    uint8_t tags[CT_LINE_ENTRIES];
    uint16_t state; /* the number of entries in the low 4 bits; above, for each entry, whether it is displaced */
    uint16_t overflow;
    uint32_t slots[CT_LINE_ENTRIES];
} ct_line;

static inline uint32_t ct_line_count(const ct_line *line) { return line->state & 15; }

/* The entries that belong in an earlier line, as bits. */
static inline uint32_t ct_line_displaced(const ct_line *line) { return (uint32_t)line->state >> 4; }

/* The entries whose tag is `tag`, as bits. */
static inline uint32_t ct_line_match(const ct_line *line, uint8_t tag) {
    uint32_t present = ((uint32_t)1 << ct_line_count(line)) - 1;
#if defined(CT_LINE_SSE2)
    __m128i tags = _mm_loadu_si128((const __m128i *)(const void *)line->tags);
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(tags, _mm_set1_epi8((char)tag))) & present;
#else
    /* Eight tags in a word: the top bit of a byte of `other` is set where the byte of `word` is not 0, exactly. */
    uint64_t low = 0x7F7F7F7F7F7F7F7Fu, sought = 0x0101010101010101u * tag;
    uint32_t bits = 0;
    for (uint32_t half = 0; half < 2; half++) {
        uint64_t word = ct_load_le64(line->tags + 4 * half) ^ sought;
        uint64_t other = ((word & low) + low) | word;
        uint64_t equal = (~other & ~low) >> 7;
        bits |= (uint32_t)((equal * 0x0102040810204080u) >> 56) << (4 * half);
    }
    return bits & present;
#endif
}

/* Adds an entry to a line that has room. */
static inline void ct_line_add(ct_line *line, uint8_t tag, uint32_t slot, bool displaced) {
    uint32_t at = ct_line_count(line), more = 1 + ((uint32_t)displaced << (4 + at));
    line->slots[at] = slot;
#if defined(CT_LINE_SSE2)
    /* Written as the 16 bytes they are read as: the next look-up need not wait until a lone byte has left the store
       buffer, which costs as much as the insert at sizes beyond the cache. */
    const __m128i places = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m128i *head = (__m128i *)(void *)line;
    __m128i here = _mm_cmpeq_epi8(places, _mm_set1_epi8((char)at));
    __m128i tags = _mm_andnot_si128(here, _mm_loadu_si128(head));
    tags = _mm_or_si128(tags, _mm_and_si128(here, _mm_set1_epi8((char)tag)));
    _mm_storeu_si128(head, _mm_add_epi16(tags, _mm_set_epi16(0, (short)more, 0, 0, 0, 0, 0, 0)));
#else
    line->tags[at] = tag;
    line->state = (uint16_t)(line->state + more);
#endif
}

/* Takes entry `at` out; the last one takes its place. */
static inline void ct_line_remove(ct_line *line, uint32_t at) {
    uint32_t last = ct_line_count(line) - 1, displaced = ct_line_displaced(line);
    line->tags[at] = line->tags[last];
    line->slots[at] = line->slots[last];
    line->tags[last] = 0;
    line->slots[last] = 0;
    uint32_t of_last = displaced >> last & 1;
    displaced &= ~((uint32_t)1 << at);
    displaced |= of_last << at;
    displaced &= ~((uint32_t)1 << last);
    line->state = (uint16_t)(last | displaced << 4);
}

#endif
