#include "diff/rows.h"

/* A run of changed rows while it grows. */
typedef struct growing {
    ctree_row_run run;
    ct_place from, to;
} growing;

static bool tell(ct_work *work, ct_told *told, growing *g) {
    if (g->run.count == 0) return true;
    bool ok = ct_told_run(work, told, &told->changes, &g->run, g->from, g->to);
    g->run.count = 0;
    return ok;
}

/* Tells changed rows among new rows from `first` to before `end`, which are in one section, if any. */
static ctree_status tell_changes(ct_work *work, const ct_match *match, ct_sections *sections,
                                 const uint64_t *old_revisions, const uint64_t *new_revisions, uint32_t first,
                                 uint32_t end, ct_place to, ct_told *told) {
    growing g = {{0, 0, 0}, {0, 0}, to};
    for (uint32_t j = first; j < end; j++) {
        if ((j - first) % CT_CHUNK == 0 && !ct_work_tick(work, 0)) return CTREE_CANCELLED;
        uint32_t i = ct_match_old(match, j);
        if (i == CT_NO_ROW || old_revisions[i] == new_revisions[j]) continue;
        ct_place from = {0, 0};
        if (sections != NULL) {
            from.section = ct_section_of(&sections->old_side, i);
            from.start = sections->old_side.starts[from.section];
            if (sections->old_side.fates[from.section] == CT_RENEWED) continue;
        }
        if (g.run.count > 0 && g.run.from + g.run.count == i && g.run.to + g.run.count == j
            && g.from.section == from.section) {
            g.run.count++;
            continue;
        }
        if (!tell(work, told, &g)) return CTREE_NO_MEMORY;
        if (ct_told_beyond(told)) return CTREE_LIMIT;
        g.run = (ctree_row_run){i, j, 1};
        g.from = from;
    }
    if (!tell(work, told, &g)) return CTREE_NO_MEMORY;
    return ct_told_beyond(told) ? CTREE_LIMIT : CTREE_OK;
}

ctree_status ct_rows_tell_changes(ct_work *work, const ct_match *match, ct_sections *sections,
                                  const uint64_t *old_revisions, const uint64_t *new_revisions, ct_told *told) {
    if (old_revisions == NULL || new_revisions == NULL) return CTREE_OK;
    if (sections == NULL) {
        ct_place none = {0, 0};
        return tell_changes(work, match, NULL, old_revisions, new_revisions, 0, match->new_count, none, told);
    }
    ctree_status status = CTREE_OK;
    const ct_section_side *news = &sections->new_side;
    for (uint32_t t = 0; t < news->count && status == CTREE_OK; t++) {
        if (news->fates[t] == CT_RENEWED) continue;
        ct_place place = {t, news->starts[t]};
        status = tell_changes(work, match, sections, old_revisions, new_revisions, news->starts[t],
                              news->starts[t + 1], place, told);
    }
    return status;
}
