#include "index/place.h"

/*
 * What chance allows an insert to meet, at the worst load there is (10 of 12 on average):
 *
 * To pass w lines, all of some w or more lines before the place must be full, so that 12 w entries or more belong in
 * a stretch where 10 w are expected: at most exp(-0.1878 w) by Chernoff's bound for a Poisson number, and at most 5.9
 * times that summed over all longer stretches. For 240 lines that is 1.6e-19 an insert, or 7e-10 in 2^32 inserts.
 *
 * Of e entries passed, e / 256 are expected to have the same tag (more where so many hash bits chose the line that
 * they reach into the tag). 24 plus four times that number has a chance below 4e-25 an insert for any e, 2e-15 in
 * 2^32.
 *
 * Below these bounds a look-up reads at most 240 lines in a row, and compares about 24 identifiers: the most that
 * chosen identifiers can make it cost before there is a new key.
 */
enum { MOST_PASSED = 240, MOST_EQUAL = 24, EQUAL_FACTOR = 4 };

static bool is_suspect(const ct_index *index, ct_way way, uint32_t depth) {
    uint32_t tag_bits = 32 - depth - index->line_bits;
    if (tag_bits > 8) tag_bits = 8;
    uint32_t expected = way.passed * CT_LINE_ENTRIES >> tag_bits;
    return way.passed >= MOST_PASSED || way.equal >= MOST_EQUAL + EQUAL_FACTOR * expected;
}

void ct_index_insert(ct_index *index, uint32_t hash, uint32_t slot) {
    uint32_t depth, segment = ct_index_segment(index, hash, &depth);
    index->count++;
    if (index->segment_counts[segment] == (uint32_t)CT_LINE_ENTRIES << index->line_bits) {
        index->spill[index->spill_count++] = slot;
        return;
    }
    index->segment_counts[segment]++;
    uint32_t mask = ct_index_mask(index);
    ct_way way = ct_line_place(ct_index_lines(index, segment), mask, ct_index_home(index, hash, depth),
                               ct_index_tag(hash), slot);
    if (way.passed != 0 && is_suspect(index, way, depth)) ct_index_suspect(index);
}

static bool erase_spilled(ct_index *index, uint32_t slot) {
    for (size_t i = 0; i < index->spill_count; i++) {
        if (index->spill[i] != slot) continue;
        index->spill[i] = index->spill[--index->spill_count];
        index->count--;
        return true;
    }
    return false;
}

/* The entry of a slot in a line, or CT_LINE_ENTRIES. */
static uint32_t entry_of(const ct_line *line, uint8_t tag, uint32_t slot) {
    for (uint32_t matches = ct_line_match(line, tag); matches != 0; matches &= matches - 1) {
        uint32_t at = ct_lowest_bit(matches);
        if (line->slots[at] == slot) return at;
    }
    return CT_LINE_ENTRIES;
}

/* Of the displaced entries of line `from`, one that passed the line `back` lines before it; CT_LINE_ENTRIES for
   none. */
static uint32_t passer_in(const ct_index *index, const ct_line *lines, uint32_t from, uint32_t back, uint32_t depth,
                          uint32_t *home) {
    const ct_line *line = &lines[from];
    uint32_t slots[CT_LINE_ENTRIES], places[CT_LINE_ENTRIES], hashes[CT_LINE_ENTRIES], count = 0;
    for (uint32_t bits = ct_line_displaced(line); bits != 0; bits &= bits - 1) {
        places[count] = ct_lowest_bit(bits);
        slots[count] = line->slots[places[count]];
        count++;
    }
    if (count != 0) index->hashes(index->context, slots, count, hashes);
    for (uint32_t i = 0; i < count; i++) {
        *home = ct_index_home(index, hashes[i], depth);
        if (((from - *home) & ct_index_mask(index)) >= back) return places[i];
    }
    return CT_LINE_ENTRIES;
}

/* A line got room: an entry that passed it comes back, and so on from where that one stood. Without this, displaced
   entries would outlive their reason, and look-ups get longer as much comes and goes. */
static void draw_back(ct_index *index, ct_line *lines, uint32_t hole, uint32_t depth) {
    uint32_t mask = ct_index_mask(index);
    for (uint32_t back = 1; lines[hole].overflow != 0 && back <= mask;) {
        uint32_t from = (hole + back) & mask, home;
        uint32_t at = passer_in(index, lines, from, back, depth, &home);
        if (at == CT_LINE_ENTRIES) {
            back++;
            continue;
        }
        ct_line_add(&lines[hole], lines[from].tags[at], lines[from].slots[at], home != hole);
        ct_line_remove(&lines[from], at);
        for (uint32_t i = hole; i != from; i = (i + 1) & mask) lines[i].overflow--;
        hole = from;
        back = 1;
    }
}

bool ct_index_erase(ct_index *index, uint32_t hash, uint32_t slot) {
    if (index->count == 0) return false;
    uint32_t depth, segment = ct_index_segment(index, hash, &depth);
    ct_line *lines = ct_index_lines(index, segment);
    uint32_t mask = ct_index_mask(index), home = ct_index_home(index, hash, depth), passed = 0;
    uint8_t tag = ct_index_tag(hash);
    ct_line *line = &lines[home];
    uint32_t at = entry_of(line, tag, slot);
    while (at == CT_LINE_ENTRIES) {
        if (line->overflow == 0) return erase_spilled(index, slot);
        passed++;
        line = &lines[(home + passed) & mask];
        at = entry_of(line, tag, slot);
    }
    ct_line_remove(line, at);
    for (uint32_t i = 0; i < passed; i++) lines[(home + i) & mask].overflow--;
    index->segment_counts[segment]--;
    index->count--;
    draw_back(index, lines, (home + passed) & mask, depth);
    return true;
}
