#include "index/index.h"

/* The entries of one line: each belongs in this segment, has the tag of its hash and passed only lines on its way.
   Counts in `passed` those that passed each line. */
static const char *check_line(const ct_index *index, uint32_t segment, uint32_t number, uint16_t *passed) {
    const ct_line *line = &ct_index_lines(index, segment)[number];
    uint32_t mask = ct_index_mask(index), hashes[CT_LINE_ENTRIES];
    if (ct_line_count(line) > CT_LINE_ENTRIES) return "a line of the index counts more than it holds";
    index->hashes(index->context, line->slots, ct_line_count(line), hashes);
    for (uint32_t i = 0; i < ct_line_count(line); i++) {
        uint32_t depth;
        if (line->tags[i] != ct_index_tag(hashes[i])) return "an entry's tag is not that of its hash";
        if (ct_index_segment(index, hashes[i], &depth) != segment) return "an entry stands in the wrong segment";
        uint32_t home = ct_index_home(index, hashes[i], depth);
        if ((ct_line_displaced(line) >> i & 1) != (home != number)) return "an entry's mark of displacement is wrong";
        for (uint32_t at = home; at != number; at = (at + 1) & mask) passed[at]++;
        for (uint32_t j = 0; j < i; j++) {
            if (line->slots[j] == line->slots[i]) return "a slot stands twice in a line of the index";
        }
    }
    if (ct_line_displaced(line) >> ct_line_count(line) != 0) return "a line of the index marks what it does not hold";
    for (uint32_t i = ct_line_count(line); i < CT_LINE_ENTRIES; i++) {
        if (line->tags[i] != 0 || line->slots[i] != 0) return "a line of the index was not cleared behind its end";
    }
    return NULL;
}

static const char *check_segment(const ct_index *index, uint32_t segment, size_t *total) {
    uint16_t passed[CT_SEGMENT_LINES] = {0};
    uint32_t entries = 0;
    const ct_line *lines = ct_index_lines(index, segment);
    for (uint32_t i = 0; i <= ct_index_mask(index); i++) {
        const char *reason = check_line(index, segment, i, passed);
        if (reason != NULL) return reason;
        entries += ct_line_count(&lines[i]);
    }
    for (uint32_t i = 0; i <= ct_index_mask(index); i++) {
        if (passed[i] != lines[i].overflow) return "a line's count of entries that passed it is wrong";
        if (passed[i] != 0 && ct_line_count(&lines[i]) < CT_LINE_ENTRIES)
            return "entries passed a line that has room";
    }
    if (entries != index->segment_counts[segment]) return "a segment's count of entries is wrong";
    *total += entries;
    return NULL;
}

/* Each segment owns one aligned run of directory words, as long as its depth says, and no other. */
static const char *check_directory(const ct_index *index) {
    if (index->directory == NULL) return index->segment_count <= 1 ? NULL : "segments without a directory";
    if (index->line_bits != CT_SEGMENT_BITS) return "short segments under a directory";
    uint32_t words = (uint32_t)1 << index->directory_bits, owners = 0;
    for (uint32_t first = 0; first < words; owners++) {
        uint32_t word = index->directory[first], depth = word & ((1 << CT_INDEX_DEPTH_BITS) - 1);
        if (word >> CT_INDEX_DEPTH_BITS >= index->segment_count) return "the directory names a segment that is none";
        if (depth > index->directory_bits) return "a segment is deeper than the directory";
        uint32_t span = (uint32_t)1 << (index->directory_bits - depth);
        if (first % span != 0) return "a segment's run in the directory is not aligned";
        for (uint32_t i = 0; i < span; i++) {
            if (index->directory[first + i] != word) return "a segment's run in the directory is broken";
        }
        first += span;
    }
    return owners == index->segment_count ? NULL : "the directory does not name each segment once";
}

const char *ct_index_check(const ct_index *index) {
    const char *reason = check_directory(index);
    size_t total = index->spill_count;
    for (uint32_t segment = 0; reason == NULL && segment < index->segment_count; segment++) {
        reason = check_segment(index, segment, &total);
    }
    if (reason == NULL && total != index->count) reason = "the index counts its entries wrong";
    return reason;
}
