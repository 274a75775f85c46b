#include "index/place.h"

/* The most hash bits that may choose a segment: with the 9 of the line they leave at least one. */
enum { MOST_DEPTH = 22 };

/* The entries of one segment on their way into new lines. */
typedef struct travellers {
    uint32_t *slots, *hashes; /* of one block */
    uint32_t count;
} travellers;

static bool gather(travellers *moved, const ct_index *index, const ct_mem *mem, uint32_t segment) {
    moved->count = index->segment_counts[segment];
    moved->slots = ct_alloc(mem, (size_t)moved->count * 2 * sizeof *moved->slots);
    if (moved->slots == NULL) return false;
    moved->hashes = moved->slots + moved->count;
    const ct_line *lines = ct_index_lines(index, segment);
    uint32_t at = 0;
    for (uint32_t i = 0; i <= ct_index_mask(index); i++) {
        memcpy(moved->slots + at, lines[i].slots, ct_line_count(&lines[i]) * sizeof *moved->slots);
        at += ct_line_count(&lines[i]);
    }
    index->hashes(index->context, moved->slots, moved->count, moved->hashes);
    return true;
}

static void let_go(travellers *moved, const ct_mem *mem) {
    ct_free(mem, moved->slots, (size_t)moved->count * 2 * sizeof *moved->slots);
}

/* Enters the travellers into lines that were made empty. Their order is that of their hashes, nearly: so is that of
   the lines written. */
static void arrive(ct_index *index, const travellers *moved) {
    uint32_t mask = ct_index_mask(index);
    for (uint32_t i = 0; i < moved->count; i++) {
        uint32_t depth, hash = moved->hashes[i], segment = ct_index_segment(index, hash, &depth);
        index->segment_counts[segment]++;
        ct_line_place(ct_index_lines(index, segment), mask, ct_index_home(index, hash, depth), ct_index_tag(hash),
                      moved->slots[i]);
    }
}

/* The only segment there is gets twice as many lines. */
static ctree_status double_lines(ct_index *index, const ct_mem *mem) {
    ctree_status status = ct_array_reserve(&index->lines, mem, (uint64_t)2 << index->line_bits);
    if (status != CTREE_OK) return status;
    travellers moved;
    if (!gather(&moved, index, mem, 0)) return CTREE_NO_MEMORY;
    index->line_bits++;
    memset(ct_index_lines(index, 0), 0, (size_t)CT_LINE_SIZE << index->line_bits);
    index->segment_counts[0] = 0;
    arrive(index, &moved);
    let_go(&moved, mem);
    return CTREE_OK;
}

static ctree_status make_room_for_segment(ct_index *index, const ct_mem *mem, uint32_t depth) {
    size_t count = (size_t)index->segment_count + 1;
    ctree_status status = ct_array_reserve(&index->lines, mem, (uint64_t)count << CT_SEGMENT_BITS);
    if (status != CTREE_OK) return status;
    void *counts = index->segment_counts;
    if (!ct_grow(mem, &counts, &index->segment_room, count, sizeof *index->segment_counts)) return CTREE_NO_MEMORY;
    index->segment_counts = counts;
    if (index->directory != NULL && depth < index->directory_bits) return CTREE_OK;

    size_t words = (size_t)1 << index->directory_bits;
    uint32_t *doubled = ct_alloc(mem, 2 * words * sizeof *doubled);
    if (doubled == NULL) return CTREE_NO_MEMORY;
    for (size_t i = 0; i < 2 * words; i++) doubled[i] = index->directory != NULL ? index->directory[i / 2] : 0;
    ct_free(mem, index->directory, words * sizeof *doubled);
    index->directory = doubled;
    index->directory_bits++;
    return CTREE_OK;
}

/* One side of a split of 5,120 entries with less than three eighths of them is 17 standard deviations away from half:
   no chance brings that about, and splitting again and again would not help against what does. */
static bool is_lopsided(const travellers *moved, uint32_t depth) {
    uint32_t upper = 0;
    for (uint32_t i = 0; i < moved->count; i++) upper += moved->hashes[i] >> (31 - depth) & 1;
    uint32_t least = moved->count / 8 * 3;
    return upper < least || moved->count - upper < least;
}

static void divide(ct_index *index, uint32_t segment, uint32_t hash, uint32_t depth, const travellers *moved) {
    uint32_t added = index->segment_count++;
    uint32_t span = (uint32_t)1 << (index->directory_bits - depth);
    uint32_t first = (uint32_t)((uint64_t)hash << index->directory_bits >> 32) & ~(span - 1);
    for (uint32_t i = 0; i < span; i++) {
        uint32_t owner = i < span / 2 ? segment : added;
        index->directory[first + i] = owner << CT_INDEX_DEPTH_BITS | (depth + 1);
    }
    index->segment_counts[segment] = index->segment_counts[added] = 0;
    memset(ct_index_lines(index, segment), 0, CT_SEGMENT_LINES * CT_LINE_SIZE);
    memset(ct_index_lines(index, added), 0, CT_SEGMENT_LINES * CT_LINE_SIZE);
    arrive(index, moved);
}

ctree_status ct_index_grow(ct_index *index, const ct_mem *mem, uint32_t hash, bool *stuck) {
    if (index->line_bits < CT_SEGMENT_BITS) return double_lines(index, mem);
    uint32_t depth, segment = ct_index_segment(index, hash, &depth);
    travellers moved;
    if (!gather(&moved, index, mem, segment)) return CTREE_NO_MEMORY;
    *stuck = depth == MOST_DEPTH || is_lopsided(&moved, depth);
    ctree_status status = CTREE_OK;
    if (*stuck) {
        ct_index_suspect(index);
    } else {
        status = make_room_for_segment(index, mem, depth);
        if (status == CTREE_OK) divide(index, segment, hash, depth, &moved);
    }
    let_go(&moved, mem);
    return status;
}
