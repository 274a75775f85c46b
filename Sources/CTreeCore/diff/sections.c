#include "diff/sections.h"

#include "diff/keep.h"

#include <string.h>

static bool side_make(ct_work *work, const ctree_diff_list *list, ct_section_side *side) {
    side->count = list->section_count;
    side->starts = ct_work_array(work, (uint64_t)side->count + 1, sizeof(uint32_t));
    side->fates = ct_work_array(work, side->count, sizeof(uint8_t));
    if (side->starts == NULL || side->fates == NULL) return false;
    uint32_t start = 0;
    for (uint32_t s = 0; s < side->count; s++) {
        side->starts[s] = start;
        start += list->section_rows[s];
    }
    side->starts[side->count] = start;
    memset(side->fates, CT_RENEWED, side->count);
    return true;
}

static void side_free(ct_work *work, ct_section_side *side) {
    ct_work_free(work, side->starts, (uint64_t)side->count + 1, sizeof(uint32_t));
    ct_work_free(work, side->fates, side->count, sizeof(uint8_t));
}

ctree_status ct_sections_match(ct_work *work, uint32_t kind, const ctree_diff_list *old_list,
                               const ctree_diff_list *new_list, ct_sections *sections,
                               ctree_diff_duplicate *duplicate) {
    ctree_status status = ct_match_keys(work, kind, old_list->sections, old_list->section_count, new_list->sections,
                                        new_list->section_count, &sections->match, duplicate);
    if (status != CTREE_OK) return status;
    if (!side_make(work, old_list, &sections->old_side)) return CTREE_NO_MEMORY;
    return side_make(work, new_list, &sections->new_side) ? CTREE_OK : CTREE_NO_MEMORY;
}

void ct_sections_free(ct_work *work, ct_sections *sections) {
    ct_match_free(work, &sections->match);
    side_free(work, &sections->old_side);
    side_free(work, &sections->new_side);
}

uint32_t ct_section_of(ct_section_side *side, uint32_t row) {
    const uint32_t *starts = side->starts;
    if (row >= starts[side->last] && row < starts[side->last + 1]) return side->last;
    uint32_t low = 0, high = side->count; /* The last section that begins at or before the row: it is not empty. */
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        side->steps++;
        if (starts[middle] <= row) low = middle;
        else high = middle;
    }
    side->last = low;
    return low;
}

bool ct_sections_same(const ct_sections *sections, const ct_match *rows, uint32_t old_section, uint32_t new_section) {
    const uint32_t *olds = sections->old_side.starts + old_section, *news = sections->new_side.starts + new_section;
    uint32_t from = olds[0], to = news[0], count = olds[1] - from;
    if (news[1] - to != count) return false;
    if (from == to && olds[1] <= rows->prefix) return true;
    uint32_t old_suffix = rows->old_count - rows->suffix, new_suffix = rows->new_count - rows->suffix;
    if (from >= old_suffix && to >= new_suffix && from - old_suffix == to - new_suffix) return true;
    for (uint32_t i = 0; i < count; i++) {
        if (ct_match_new(rows, from + i) != to + i) return false;
    }
    return true;
}

/* ---- Which of them stay --------------------------------------------------------------------------------------- */

/* Of kept sections that are out of order, as few as can be do not stay; of these as few as can be have other rows
   than before; and these have as few rows as can be. */
static ctree_status choose(ct_work *work, const ct_sections *sections, const ct_match *rows,
                           const ctree_row_run *kept, uint32_t count, const uint32_t *ranks, uint64_t *major,
                           uint64_t *minor, uint64_t *staying) {
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t *olds = sections->old_side.starts + kept[k].from;
        const uint32_t *news = sections->new_side.starts + kept[k].to;
        bool same = ct_sections_same(sections, rows, kept[k].from, kept[k].to);
        major[ranks[k]] = (uint64_t)count + 1 + (same ? 0 : 1);
        minor[ranks[k]] = same ? 0 : (uint64_t)(olds[1] - olds[0]) + (news[1] - news[0]);
    }
    return ct_keep_heaviest(work, ranks, count, major, minor, staying);
}

static ctree_status decide_out_of_order(ct_work *work, ct_sections *sections, const ct_match *rows,
                                        const ctree_row_run *kept, uint32_t count) {
    uint32_t *ranks = ct_work_array(work, count, sizeof *ranks);
    uint64_t *weights = ct_work_array(work, 2 * (uint64_t)count, sizeof *weights);
    uint64_t *staying = ct_work_array(work, ct_staying_words(count), sizeof *staying);
    ctree_status status = CTREE_NO_MEMORY;
    if (ranks != NULL && weights != NULL && staying != NULL) {
        status = ct_rank_targets(work, kept, count, 0, sections->new_side.count, ranks);
    }
    if (status == CTREE_OK) {
        status = choose(work, sections, rows, kept, count, ranks, weights, weights + count, staying);
    }
    for (uint32_t k = 0; k < count && status == CTREE_OK; k++) {
        uint32_t from = kept[k].from, to = kept[k].to;
        ct_fate fate = CT_STAYS;
        if (!ct_is_staying(staying, ranks[k])) {
            fate = ct_sections_same(sections, rows, from, to) ? CT_MOVES : CT_RENEWED;
        }
        sections->old_side.fates[from] = (uint8_t)fate;
        sections->new_side.fates[to] = (uint8_t)fate;
    }
    ct_work_free(work, ranks, count, sizeof *ranks);
    ct_work_free(work, weights, 2 * (uint64_t)count, sizeof *weights);
    ct_work_free(work, staying, ct_staying_words(count), sizeof *staying);
    return status;
}

ctree_status ct_sections_decide(ct_work *work, ct_sections *sections, const ct_match *rows) {
    ct_section_side *olds = &sections->old_side, *news = &sections->new_side;
    uint32_t count = 0, next = 0;
    bool in_order = true;
    for (uint32_t s = 0; s < olds->count; s++) {
        uint32_t t = ct_match_new(&sections->match, s);
        if (t == CT_NO_ROW) continue;
        if (t < next) in_order = false;
        next = t + 1;
        count++;
        olds->fates[s] = CT_STAYS;
        news->fates[t] = CT_STAYS;
    }
    if (in_order) return CTREE_OK;
    ctree_row_run *kept = ct_work_array(work, count, sizeof *kept);
    if (kept == NULL) return CTREE_NO_MEMORY;
    uint32_t k = 0;
    for (uint32_t s = 0; s < olds->count; s++) {
        uint32_t t = ct_match_new(&sections->match, s);
        if (t != CT_NO_ROW) kept[k++] = (ctree_row_run){s, t, 1};
    }
    ctree_status status = decide_out_of_order(work, sections, rows, kept, count);
    ct_work_free(work, kept, count, sizeof *kept);
    return status;
}

/* ---- What is told of them ------------------------------------------------------------------------------------- */

ctree_status ct_sections_tell(ct_work *work, ct_sections *sections, const uint64_t *old_revisions,
                              const uint64_t *new_revisions, ct_told *told) {
    ct_section_side *olds = &sections->old_side, *news = &sections->new_side;
    for (uint32_t s = 0; s < olds->count; s++) {
        bool ok = true;
        if (olds->fates[s] == CT_RENEWED) ok = ct_told_section(work, told, &told->section_deletes, s);
        if (olds->fates[s] == CT_MOVES) {
            ok = ct_told_section_run(work, told, &told->section_moves, s, ct_match_new(&sections->match, s));
        }
        if (!ok) return CTREE_NO_MEMORY;
    }
    for (uint32_t t = 0; t < news->count; t++) {
        if (news->fates[t] != CT_RENEWED) continue;
        if (!ct_told_section(work, told, &told->section_inserts, t)) return CTREE_NO_MEMORY;
    }
    bool revised = old_revisions != NULL && new_revisions != NULL;
    for (uint32_t t = 0; t < news->count && revised; t++) {
        if (news->fates[t] == CT_RENEWED) continue;
        uint32_t s = ct_match_old(&sections->match, t);
        if (old_revisions[s] == new_revisions[t]) continue;
        if (!ct_told_section_run(work, told, &told->section_changes, s, t)) return CTREE_NO_MEMORY;
    }
    return ct_told_beyond(told) ? CTREE_LIMIT : CTREE_OK;
}
