#include "index/index.h"

#include "index/place.h"

/* Two million segments: 2^32 entries fill half of them. */
enum { LINE_LIMIT = CT_SEGMENT_LINES << 21, RETRY = 256 };

void ct_index_init(ct_index *index, ct_index_hashes *hashes, const void *context) {
    *index = (ct_index){.hashes = hashes, .context = context};
    ct_array_init(&index->lines, CT_LINE_SIZE, LINE_LIMIT);
}

void ct_index_destroy(ct_index *index, const ct_mem *mem) {
    ct_array_destroy(&index->lines, mem);
    ct_free(mem, index->directory, ((size_t)1 << index->directory_bits) * sizeof *index->directory);
    ct_free(mem, index->segment_counts, index->segment_room * sizeof *index->segment_counts);
    ct_free(mem, index->spill, index->spill_room * sizeof *index->spill);
    ct_index_init(index, index->hashes, index->context);
}

void ct_index_clear(ct_index *index, const ct_mem *mem) { ct_index_destroy(index, mem); }

static ctree_status make_first_segment(ct_index *index, const ct_mem *mem) {
    ctree_status status = ct_array_reserve(&index->lines, mem, 1);
    if (status != CTREE_OK) return status;
    void *counts = index->segment_counts;
    if (!ct_grow(mem, &counts, &index->segment_room, 1, sizeof *index->segment_counts)) return CTREE_NO_MEMORY;
    index->segment_counts = counts;
    index->segment_counts[0] = 0;
    index->segment_count = 1;
    return CTREE_OK;
}

/* Room for an entry in a segment that cannot grow: in the last sixth of its lines, then in the spill. */
static ctree_status squeeze(ct_index *index, const ct_mem *mem, uint32_t entries) {
    if (entries < (uint32_t)CT_LINE_ENTRIES << index->line_bits) return CTREE_OK;
    void *spill = index->spill;
    if (!ct_grow(mem, &spill, &index->spill_room, index->spill_count + 1, sizeof *index->spill))
        return CTREE_NO_MEMORY;
    index->spill = spill;
    return CTREE_OK;
}

ctree_status ct_index_prepare(ct_index *index, const ct_mem *mem, uint32_t hash) {
    if (index->segment_count == 0) return make_first_segment(index, mem);
    uint32_t depth, segment = ct_index_segment(index, hash, &depth);
    uint32_t entries = index->segment_counts[segment], limit = (uint32_t)CT_LINE_FULL << index->line_bits;
    if (entries < limit) return CTREE_OK;
    if ((entries - limit + index->spill_count) % RETRY == 0) { /* Not at each insert: it may be to no end. */
        bool stuck = false;
        ctree_status status = ct_index_grow(index, mem, hash, &stuck);
        if (status != CTREE_OK || !stuck) return status;
    }
    return squeeze(index, mem, entries);
}

size_t ct_index_bytes(const ct_index *index) {
    size_t bytes = ct_array_bytes(&index->lines) + index->segment_room * sizeof *index->segment_counts
                   + index->spill_room * sizeof *index->spill;
    if (index->directory != NULL) bytes += ((size_t)1 << index->directory_bits) * sizeof *index->directory;
    return bytes;
}
