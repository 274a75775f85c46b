/*
 * A batch with sections from notes, where the sections themselves stayed as they were: same headers, same order. Each
 * run of rows that was and is shown is divided where a section begins on either side; what remains in its section
 * moves as little as can be there, what crosses into another moves.
 */
#include <stdlib.h>

#include "view/choose.h"
#include "view/commit.h"
#include "view/fold.h"
#include "view/view.h"

/* A piece of a run that lies in one section on either side. */
typedef struct part {
    ctree_row_run run; /* Positions, headers counted. */
    uint32_t from_section, to_section;
} part;

typedef struct sections {
    ctree_view *view;
    ct_commit *commit;
    const uint32_t *old_headers, *new_headers;
    uint32_t count;
    ct_told_rows parts; /* In new order. */
    bool *stays;        /* By part. */
} sections;

/* The section of a position, which is not before the first header. */
static uint32_t section_at(const uint32_t *headers, uint32_t count, uint32_t position) {
    uint32_t low = 0, high = count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (headers[middle] <= position) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static uint32_t end_of(const uint32_t *headers, uint32_t count, uint32_t section) {
    return section + 1 < count ? headers[section + 1] : UINT32_MAX;
}

static bool add_range(sections *s, ct_told_rows *list, ctree_path_range range) {
    ctree_path_range *last = list->count != 0 ? (ctree_path_range *)list->items + list->count - 1 : NULL;
    s->commit->told += range.count;
    if (last != NULL && last->section == range.section && last->first + last->count == range.first) {
        last->count += range.count;
        return true;
    }
    ctree_path_range *added = ct_told_add(s->view, list, sizeof range);
    if (added != NULL) *added = range;
    return added != NULL;
}

static bool add_run(sections *s, ct_told_rows *list, ctree_path_run run) {
    ctree_path_run *last = list->count != 0 ? (ctree_path_run *)list->items + list->count - 1 : NULL;
    s->commit->told += run.count;
    if (last != NULL && last->from_section == run.from_section && last->to_section == run.to_section
        && last->from + last->count == run.from && last->to + last->count == run.to) {
        last->count += run.count;
        return true;
    }
    ctree_path_run *added = ct_told_add(s->view, list, sizeof run);
    if (added != NULL) *added = run;
    return added != NULL;
}

/* Positions become paths, section by section. */
static bool add_divided(sections *s, ct_told_rows *list, const uint32_t *headers, uint32_t first, uint32_t count) {
    while (count != 0) {
        uint32_t section = section_at(headers, s->count, first), rest = end_of(headers, s->count, section) - first;
        uint32_t here = count < rest ? count : rest;
        if (!add_range(s, list, (ctree_path_range){section, first - headers[section] - 1, here})) return false;
        first += here;
        count -= here;
    }
    return true;
}

static ctree_path_run path_of(const sections *s, const part *p) {
    return (ctree_path_run){p->from_section, p->run.from - s->old_headers[p->from_section] - 1, p->to_section,
                            p->run.to - s->new_headers[p->to_section] - 1, p->run.count};
}

/* ---- Runs ---------------------------------------------------------------------------------------------------------
 */

/* Whether each header stands on both sides, in the same order. */
static bool headers_stayed(const sections *s) {
    const ctree_row_run *runs = s->commit->runs.items;
    size_t at = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        while (at < s->commit->runs.count && runs[at].to + runs[at].count <= s->new_headers[i]) at++;
        if (at == s->commit->runs.count || runs[at].to > s->new_headers[i]) return false;
        if (runs[at].from + (s->new_headers[i] - runs[at].to) != s->old_headers[i]) return false;
    }
    return true;
}

static bool add_part(sections *s, part p) {
    part *last = s->parts.count != 0 ? (part *)s->parts.items + s->parts.count - 1 : NULL;
    if (last != NULL && last->from_section == p.from_section && last->to_section == p.to_section
        && last->run.from + last->run.count == p.run.from && last->run.to + last->run.count == p.run.to) {
        last->run.count += p.run.count;
        return true;
    }
    part *added = ct_told_add(s->view, &s->parts, sizeof p);
    if (added != NULL) *added = p;
    return added != NULL;
}

static ctree_status divide_runs(sections *s) {
    const ctree_row_run *runs = s->commit->runs.items;
    for (size_t i = 0; i < s->commit->runs.count; i++) {
        ctree_row_run run = runs[i];
        while (run.count != 0) {
            uint32_t from = section_at(s->old_headers, s->count, run.from);
            uint32_t to = section_at(s->new_headers, s->count, run.to);
            uint32_t old_rest = end_of(s->old_headers, s->count, from) - run.from;
            uint32_t new_rest = end_of(s->new_headers, s->count, to) - run.to;
            uint32_t here = run.count < old_rest ? run.count : old_rest;
            if (here > new_rest) here = new_rest;
            bool header = run.to == s->new_headers[to];
            if (header) here = 1;
            if (!header && !add_part(s, (part){{run.from, run.to, here}, from, to})) return CTREE_NO_MEMORY;
            run = (ctree_row_run){run.from + here, run.to + here, run.count - here};
        }
    }
    return CTREE_OK;
}

/* What remains in one section: parts [first, end), among which are those that came from elsewhere. */
static ctree_status choose_in_section(sections *s, size_t first, size_t end) {
    const part *parts = s->parts.items;
    const ct_mem *mem = &s->view->store->mem;
    size_t room = end - first;
    ctree_row_run *runs = ct_alloc(mem, room * sizeof *runs);
    bool *stays = ct_alloc(mem, room * sizeof *stays);
    ctree_status status = CTREE_NO_MEMORY;
    if (runs != NULL && stays != NULL) {
        uint32_t count = 0;
        for (size_t i = first; i < end; i++) {
            if (parts[i].from_section == parts[i].to_section) runs[count++] = parts[i].run;
        }
        status = CTREE_OK;
        bool ascend = ct_runs_ascend(runs, count);
        if (!ascend) status = ct_choose(mem, runs, count, NULL, stays);
        count = 0;
        for (size_t i = first; i < end && status == CTREE_OK; i++) {
            bool inside = parts[i].from_section == parts[i].to_section;
            s->stays[i] = inside && (ascend || stays[count]);
            count += inside;
        }
    }
    ct_free(mem, runs, room * sizeof *runs);
    ct_free(mem, stays, room * sizeof *stays);
    return status;
}

static ctree_status choose_all(sections *s) {
    const part *parts = s->parts.items;
    for (size_t first = 0, end; first < s->parts.count; first = end) {
        end = first + 1;
        while (end < s->parts.count && parts[end].to_section == parts[first].to_section) end++;
        ctree_status status = choose_in_section(s, first, end);
        if (status != CTREE_OK) return status;
    }
    return CTREE_OK;
}

/* ---- Telling ------------------------------------------------------------------------------------------------------
 */

static ctree_status tell_in_old_order(sections *s, const uint32_t *order) {
    ct_commit *commit = s->commit;
    const part *parts = s->parts.items;
    for (size_t k = 0; k < s->parts.count; k++) {
        size_t i = order != NULL ? order[k] : k;
        if (!s->stays[i] && !add_run(s, &commit->path_moves, path_of(s, &parts[i]))) return CTREE_NO_MEMORY;
    }
    return CTREE_OK;
}

/* The gaps between the runs, headers among them, in old order. */
static ctree_status tell_deletes(sections *s, const uint32_t *order) {
    const ctree_row_run *runs = s->commit->runs.items;
    uint32_t next = 0, all = s->view->notes.old_count;
    for (size_t k = 0; k <= s->commit->runs.count; k++) {
        const ctree_row_run *run = k == s->commit->runs.count ? NULL : &runs[order != NULL ? order[k] : k];
        uint32_t end = run != NULL ? run->from : all;
        if (end > next && !add_divided(s, &s->commit->path_deletes, s->old_headers, next, end - next)) {
            return CTREE_NO_MEMORY;
        }
        if (run != NULL) next = run->from + run->count;
    }
    return CTREE_OK;
}

static ctree_status tell_structure(sections *s) {
    const ct_mem *mem = &s->view->store->mem;
    const ct_commit *commit = s->commit;
    uint32_t run_count = (uint32_t)commit->runs.count, part_count = (uint32_t)s->parts.count;
    const ctree_row_range *inserts = commit->inserts.items;
    for (size_t i = 0; i < commit->inserts.count; i++) {
        if (!add_divided(s, &s->commit->path_inserts, s->new_headers, inserts[i].first, inserts[i].count)) {
            return CTREE_NO_MEMORY;
        }
    }
    if (ct_runs_ascend(commit->runs.items, run_count)) {
        ctree_status status = tell_deletes(s, NULL);
        return status == CTREE_OK ? tell_in_old_order(s, NULL) : status;
    }
    size_t room = part_count > run_count ? part_count : run_count;
    uint32_t *order = ct_alloc(mem, room * sizeof *order);
    ctree_row_run *runs = ct_alloc(mem, room * sizeof *runs);
    ctree_status status = order != NULL && runs != NULL ? CTREE_OK : CTREE_NO_MEMORY;
    if (status == CTREE_OK) status = ct_choose(mem, commit->runs.items, run_count, order, NULL);
    if (status == CTREE_OK) status = tell_deletes(s, order);
    if (status == CTREE_OK) {
        for (uint32_t i = 0; i < part_count; i++) runs[i] = ((const part *)s->parts.items)[i].run;
        status = ct_choose(mem, runs, part_count, order, NULL);
    }
    if (status == CTREE_OK) status = tell_in_old_order(s, order);
    ct_free(mem, order, room * sizeof *order);
    ct_free(mem, runs, room * sizeof *runs);
    return status;
}

/* commit->changes has the changed positions, headers among them. */
static ctree_status tell_changes(sections *s) {
    ct_commit *commit = s->commit;
    const ctree_row_run *changes = commit->changes.items;
    for (size_t i = 0; i < commit->changes.count; i++) {
        for (uint32_t k = 0; k < changes[i].count; k++) {
            part p = {{changes[i].from + k, changes[i].to + k, 1}, 0, 0};
            p.from_section = section_at(s->old_headers, s->count, p.run.from);
            p.to_section = section_at(s->new_headers, s->count, p.run.to);
            if (p.run.to != s->new_headers[p.to_section]) {
                if (!add_run(s, &commit->path_changes, path_of(s, &p))) return CTREE_NO_MEMORY;
                continue;
            }
            ct_told_rows *list = &commit->section_changes;
            ctree_section_run *last = list->count != 0 ? (ctree_section_run *)list->items + list->count - 1 : NULL;
            commit->told++;
            if (last != NULL && last->to + last->count == p.to_section) {
                last->count++;
                continue;
            }
            last = ct_told_add(s->view, list, sizeof *last);
            if (last == NULL) return CTREE_NO_MEMORY;
            *last = (ctree_section_run){p.to_section, p.to_section, 1};
        }
    }
    return CTREE_OK;
}

static void publish(const sections *s) {
    ct_commit *commit = s->commit;
    commit->section_batch = (ctree_section_batch){.old_section_count = s->count,
                                                  .new_section_count = s->count,
                                                  .old_count = s->view->notes.old_count - s->count,
                                                  .new_count = s->view->live.shown.count - s->count,
                                                  .section_change_count = (uint32_t)commit->section_changes.count,
                                                  .delete_count = (uint32_t)commit->path_deletes.count,
                                                  .insert_count = (uint32_t)commit->path_inserts.count,
                                                  .move_count = (uint32_t)commit->path_moves.count,
                                                  .change_count = (uint32_t)commit->path_changes.count,
                                                  .section_changes = commit->section_changes.items,
                                                  .deletes = commit->path_deletes.items,
                                                  .inserts = commit->path_inserts.items,
                                                  .moves = commit->path_moves.items,
                                                  .changes = commit->path_changes.items};
}

static ctree_status tell(sections *s) {
    const ct_mem *mem = &s->view->store->mem;
    ct_commit *commit = s->commit;
    commit->told = 0; /* it was counted in positions */
    commit->path_deletes.count = commit->path_inserts.count = commit->path_moves.count = 0;
    commit->path_changes.count = commit->section_changes.count = 0;
    ctree_status status = divide_runs(s);
    if (status != CTREE_OK) return status;
    size_t room = s->parts.count + 1;
    s->stays = ct_alloc(mem, room * sizeof *s->stays);
    status = s->stays != NULL ? choose_all(s) : CTREE_NO_MEMORY;
    if (status == CTREE_OK) status = tell_structure(s);
    if (status == CTREE_OK) status = tell_changes(s);
    ct_free(mem, s->stays, room * sizeof *s->stays);
    return status;
}

ctree_status ct_commit_sections(ctree_view *view, bool *stayed) {
    ct_commit *commit = &view->commit;
    *stayed = false;
    if (view->notes.old_header_count != commit->header_count || commit->header_count == 0) return CTREE_OK;
    ctree_status status = ct_commit_positions(view);
    if (status != CTREE_OK) return status;
    sections s = {.view = view,
                  .commit = commit,
                  .old_headers = view->notes.old_headers,
                  .new_headers = commit->headers,
                  .count = (uint32_t)commit->header_count};
    *stayed = headers_stayed(&s);
    if (*stayed) status = tell(&s);
    ct_free(&view->store->mem, s.parts.items, s.parts.room * sizeof(part));
    if (status != CTREE_OK || !*stayed) return status;
    commit->reload = ct_commit_beyond(commit);
    publish(&s);
    return CTREE_OK;
}
