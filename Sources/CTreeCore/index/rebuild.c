#include "index/place.h"

enum { BATCH = 256 };

/* The lines (as a power of two) for this many entries at 9.6 a line: few segments then exceed 10 by chance. */
static uint32_t line_bits_for(uint64_t count) {
    uint32_t bits = 0;
    while (count * 5 > (uint64_t)48 << bits) bits++;
    return bits;
}

/* Gives an index that was just initialised its lines. */
static ctree_status make_segments(ct_index *index, const ct_mem *mem, uint32_t bits) {
    uint32_t extra = bits > CT_SEGMENT_BITS ? bits - CT_SEGMENT_BITS : 0;
    size_t segments = (size_t)1 << extra;
    ctree_status status = ct_array_reserve(&index->lines, mem, (uint64_t)1 << bits);
    if (status != CTREE_OK) return status;
    void *counts = NULL;
    if (!ct_grow(mem, &counts, &index->segment_room, segments, sizeof *index->segment_counts)) return CTREE_NO_MEMORY;
    index->segment_counts = counts;
    memset(index->segment_counts, 0, segments * sizeof *index->segment_counts);
    index->line_bits = bits - extra;
    if (extra != 0) {
        index->directory = ct_alloc(mem, segments * sizeof *index->directory);
        if (index->directory == NULL) return CTREE_NO_MEMORY;
        index->directory_bits = extra;
        for (uint32_t i = 0; i < segments; i++) index->directory[i] = i << CT_INDEX_DEPTH_BITS | extra;
    }
    index->segment_count = (uint32_t)segments;
    return CTREE_OK;
}

static ctree_status enter_batch(ct_index *index, const ct_mem *mem, const uint32_t *slots, size_t count) {
    uint32_t hashes[BATCH];
    index->hashes(index->context, slots, count, hashes);
    for (size_t i = 0; i < count; i++) ct_prefetch(ct_index_line_of(index, hashes[i]));
    for (size_t i = 0; i < count; i++) {
        ctree_status status = ct_index_prepare(index, mem, hashes[i]);
        if (status != CTREE_OK) return status;
        ct_index_insert(index, hashes[i], slots[i]);
    }
    return CTREE_OK;
}

/* Enters all that is in `old`. */
static ctree_status enter_all(ct_index *index, const ct_mem *mem, const ct_index *old) {
    uint32_t batch[BATCH];
    size_t filled = 0;
    ctree_status status = CTREE_OK;
    for (uint32_t segment = 0; segment < old->segment_count; segment++) {
        const ct_line *lines = ct_index_lines(old, segment);
        for (uint32_t i = 0; i <= ct_index_mask(old); i++) {
            if (filled + ct_line_count(&lines[i]) > BATCH) {
                status = enter_batch(index, mem, batch, filled);
                if (status != CTREE_OK) return status;
                filled = 0;
            }
            memcpy(batch + filled, lines[i].slots, ct_line_count(&lines[i]) * sizeof *batch);
            filled += ct_line_count(&lines[i]);
        }
    }
    status = enter_batch(index, mem, batch, filled);
    for (size_t at = 0; status == CTREE_OK && at < old->spill_count; at += BATCH) {
        size_t left = old->spill_count - at;
        status = enter_batch(index, mem, old->spill + at, left < BATCH ? left : BATCH);
    }
    return status;
}

static ctree_status rebuild_for(ct_index *index, const ct_mem *mem, uint64_t count) {
    ct_index fresh;
    ct_index_init(&fresh, index->hashes, index->context);
    ctree_status status = make_segments(&fresh, mem, line_bits_for(count));
    if (status == CTREE_OK) status = enter_all(&fresh, mem, index);
    if (status != CTREE_OK) {
        ct_index_destroy(&fresh, mem);
        return status;
    }
    ct_index_destroy(index, mem);
    *index = fresh;
    return CTREE_OK;
}

ctree_status ct_index_rebuild(ct_index *index, const ct_mem *mem) {
    ctree_status status = CTREE_OK;
    if (index->count != 0) status = rebuild_for(index, mem, index->count);
    if (status != CTREE_OK) {
        index->needs_rekey = false;
        index->quiet = index->count / 2 + 1;
    }
    return status;
}

ctree_status ct_index_reserve(ct_index *index, const ct_mem *mem, uint64_t count) {
    uint64_t lines = index->segment_count == 0 ? 0 : (uint64_t)index->segment_count << index->line_bits;
    if (count == 0 || (uint64_t)1 << line_bits_for(count) <= lines * 2) return CTREE_OK;
    return rebuild_for(index, mem, count);
}
