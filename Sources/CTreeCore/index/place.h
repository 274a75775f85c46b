/* Putting an entry where it belongs in the lines of a segment: shared by inserts and by what moves entries. */
#ifndef CT_PLACE_H
#define CT_PLACE_H

#include "index/index.h"

/* What an entry met on the way from its home to a line with room. */
typedef struct ct_way {
    uint32_t passed; /* full lines */
    uint32_t equal;  /* entries in them with the same tag */
} ct_way;

/* The segment must have room. */
static inline ct_way ct_line_place(ct_line *lines, uint32_t mask, uint32_t home, uint8_t tag, uint32_t slot) {
    ct_way way = {0, 0};
    ct_line *line = &lines[home];
    while (ct_line_count(line) == CT_LINE_ENTRIES) {
        way.equal += ct_count_bits(ct_line_match(line, tag));
        way.passed++;
        line->overflow++;
        home = (home + 1) & mask;
        line = &lines[home];
    }
    ct_line_add(line, tag, slot, way.passed != 0);
    return way;
}

/* An insert that chance does not explain: asks for a new key, unless that failed lately. */
static inline void ct_index_suspect(ct_index *index) {
    if (index->quiet != 0) {
        index->quiet--;
    } else {
        index->needs_rekey = true;
    }
}

/* Makes a segment that has reached its limit larger, or two of it. `*stuck` where that would not help: its hashes are
   too much alike. Nothing changed then, nor on CTREE_NO_MEMORY or CTREE_LIMIT. */
ctree_status ct_index_grow(ct_index *index, const ct_mem *mem, uint32_t hash, bool *stuck);

#endif
