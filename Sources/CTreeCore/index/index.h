/*
 * The index: from a 32-bit hash to slots. It knows hashes and slots only; whoever asks compares the identifiers.
 *
 * Lines of up to 12 entries (line.h) in segments of 512 lines. The top bits of a hash choose the segment through a
 * directory, the next 9 the line, the low 8 are its tag. A segment that is 10/12 full splits in two by one more bit,
 * and only that one: no insert waits for the whole index. A small index is one segment, whose lines double from 1.
 *
 * Nobody can know a hash without the key, but a key may leak or be given. Where an insert meets what chance does not
 * allow (more equal tags, a longer way, or a more lopsided split; figures in insert.c and grow.c), `needs_rekey` says
 * so: the owner then makes a new key, works out all hashes anew and calls ct_index_rebuild. Until then, and if that
 * fails, the index is right and only slower: entries beyond a full segment stand in a list of their own, the spill.
 */
#ifndef CT_INDEX_H
#define CT_INDEX_H

#include "arena/array.h"
#include "index/line.h"

/* Works out the hashes of `count` slots that stand in the index; asked for many at once, so that reading them can
   overlap. */
typedef void ct_index_hashes(const void *context, const uint32_t *slots, size_t count, uint32_t *hashes);

enum {
    CT_SEGMENT_BITS = 9,
    CT_SEGMENT_LINES = 1 << CT_SEGMENT_BITS,
    CT_LINE_FULL = 10,      /* entries a line on average at which a segment grows */
    CT_INDEX_DEPTH_BITS = 5 /* of a directory word: how many hash bits chose the segment; its number stands above */
};

typedef struct ct_index {
    ct_array lines;           /* ct_line; those of segment s from s * 512 on */
    uint32_t *directory;      /* 1 << directory_bits words; NULL while there is one segment only */
    uint16_t *segment_counts; /* entries in the lines of each segment */
    size_t segment_room;
    uint32_t segment_count;
    uint32_t directory_bits;
    uint32_t line_bits; /* of the lines of a segment; below CT_SEGMENT_BITS only while there is one */
    size_t count;       /* entries, the spill included */
    uint32_t *spill;    /* slots that found their segment full */
    size_t spill_count, spill_room;
    size_t quiet;     /* bad inserts that are let pass before the next wish for a new key */
    bool needs_rekey; /* see above; the owner may set it back to false to be asked again later */
    ct_index_hashes *hashes;
    const void *context;
} ct_index;

/* Takes no memory. */
void ct_index_init(ct_index *index, ct_index_hashes *hashes, const void *context);
void ct_index_destroy(ct_index *index, const ct_mem *mem);

/* Room for `count` entries in all, in one go instead of split by split: for bulk builds. What is in it is entered
   anew where the index would grow to more than twice. O(1) otherwise. CTREE_NO_MEMORY, CTREE_LIMIT: nothing changed.
   Each insert still wants its prepare. */
ctree_status ct_index_reserve(ct_index *index, const ct_mem *mem, uint64_t count);

/* Makes room for one entry of this hash: the next insert, if it is of this hash, cannot fail. O(1), and now and then
   the split of a segment: some 5,000 entries, well below a millisecond. CTREE_NO_MEMORY, CTREE_LIMIT. */
ctree_status ct_index_prepare(ct_index *index, const ct_mem *mem, uint32_t hash);

/* Enters a slot that is not in the index. Needs ct_index_prepare of this hash. */
void ct_index_insert(ct_index *index, uint32_t hash, uint32_t slot);

/* Takes a slot out that was entered under this hash. Allocates nothing. May ask for hashes of slots that stay. False
   where it is not there. */
bool ct_index_erase(ct_index *index, uint32_t hash, uint32_t slot);

/* Enters everything anew under the hashes that the callback gives now. On failure (CTREE_NO_MEMORY, CTREE_LIMIT)
   everything is as it was, under the old hashes; `needs_rekey` is false then too, and stays so for as many bad
   inserts as half the entries, so that a store short of memory does not try at each edit. */
ctree_status ct_index_rebuild(ct_index *index, const ct_mem *mem);

/* Empties it and gives its memory back. */
void ct_index_clear(ct_index *index, const ct_mem *mem);

/* Bytes held. O(1). */
size_t ct_index_bytes(const ct_index *index);

/* Checks that every entry can be found under its hash and every counter is right. NULL, or a static English
   reason. */
const char *ct_index_check(const ct_index *index);

/* ---- Look-ups ------------------------------------------------------------------------------------------------- */

/* The segment that a hash falls into, and how many hash bits chose it. */
static inline uint32_t ct_index_segment(const ct_index *index, uint32_t hash, uint32_t *depth) {
    if (index->directory == NULL) {
        *depth = 0;
        return 0;
    }
    uint32_t word = index->directory[(uint32_t)((uint64_t)hash << index->directory_bits >> 32)];
    *depth = word & ((1 << CT_INDEX_DEPTH_BITS) - 1);
    return word >> CT_INDEX_DEPTH_BITS;
}

/* The line of its segment in which a hash belongs. */
static inline uint32_t ct_index_home(const ct_index *index, uint32_t hash, uint32_t depth) {
    return (uint32_t)((uint64_t)(uint32_t)(hash << depth) << index->line_bits >> 32);
}

/* The number of the last line of a segment: a power of two less 1. */
static inline uint32_t ct_index_mask(const ct_index *index) { return ((uint32_t)1 << index->line_bits) - 1; }

static inline uint8_t ct_index_tag(uint32_t hash) { return (uint8_t)hash; }

/* The lines of a segment: all of them lie next to each other. */
static inline ct_line *ct_index_lines(const ct_index *index, uint32_t segment) {
    return (ct_line *)ct_array_at(&index->lines, (uint64_t)segment << CT_SEGMENT_BITS, sizeof(ct_line));
}

/* A look-up under way: the candidates for a hash, one after another. The caller compares them:
 *
 *     ct_index_probe probe = ct_index_find(index, hash);
 *     uint32_t slot;
 *     while (ct_index_next(&probe, &slot)) if (ct_ids_match(ids, slot, id, hash)) return slot;
 *
 * Any change of the index ends it. */
typedef struct ct_index_probe {
    const ct_line *lines; /* of the segment; NULL when all lines are behind */
    const ct_index *index;
    size_t spilled;   /* of the spill, behind */
    uint32_t line;    /* number in the segment */
    uint32_t matches; /* of this line, not given yet */
    uint8_t tag;
} ct_index_probe;

static inline ct_index_probe ct_index_find(const ct_index *index, uint32_t hash) {
    ct_index_probe probe = {NULL, index, 0, 0, 0, ct_index_tag(hash)};
    if (index->count == 0) return probe;
    uint32_t depth, segment = ct_index_segment(index, hash, &depth);
    probe.lines = ct_index_lines(index, segment);
    probe.line = ct_index_home(index, hash, depth);
    probe.matches = ct_line_match(&probe.lines[probe.line], probe.tag);
    return probe;
}

/* The next candidate; false when there is none. */
static inline bool ct_index_next(ct_index_probe *probe, uint32_t *slot) {
    while (probe->lines != NULL) {
        const ct_line *line = &probe->lines[probe->line];
        if (probe->matches != 0) {
            *slot = line->slots[ct_lowest_bit(probe->matches)];
            probe->matches &= probe->matches - 1;
            return true;
        }
        if (line->overflow == 0) { /* There always is such a line: the one that was filled last, or has room. */
            probe->lines = NULL;
        } else {
            probe->line = (probe->line + 1) & ct_index_mask(probe->index);
            probe->matches = ct_line_match(&probe->lines[probe->line], probe->tag);
        }
    }
    if (probe->spilled == probe->index->spill_count) return false;
    *slot = probe->index->spill[probe->spilled++];
    return true;
}

/* The line in which a hash belongs. The index must have lines. */
static inline const ct_line *ct_index_line_of(const ct_index *index, uint32_t hash) {
    uint32_t depth, segment = ct_index_segment(index, hash, &depth);
    return &ct_index_lines(index, segment)[ct_index_home(index, hash, depth)];
}

/* Begins to bring in the line of a hash. For batches: prefetch for 32 hashes, then look them up. */
static inline void ct_index_prefetch(const ct_index *index, uint32_t hash) {
    if (index->segment_count != 0) ct_prefetch(ct_index_line_of(index, hash));
}

#endif
