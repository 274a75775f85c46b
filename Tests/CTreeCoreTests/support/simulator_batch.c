#include "support/simulator.h"

#include "support/assertions.h"

/* ---- Is it tidy ------------------------------------------------------------------------------------------------ */

/* Ranges of rows in one section each: ascending, apart from each other, within the counts. */
static bool ranges_are_tidy(const ctree_path_range *ranges, uint32_t count, const char *what, sim_breach *breach) {
    for (uint32_t i = 0; i < count; i++) {
        if (ranges[i].count == 0) return sim_broken(breach, 0, what, i, 0);
        if (i == 0 || ranges[i - 1].section < ranges[i].section) continue;
        bool apart = (uint64_t)ranges[i - 1].first + ranges[i - 1].count < ranges[i].first;
        if (ranges[i - 1].section > ranges[i].section || !apart)
            return sim_broken(breach, 0, what, i, ranges[i].first);
    }
    return true;
}

/* The place by which runs ascend, and the other one. */
typedef struct sides {
    uint64_t section, first, other_section, other_first;
} sides;

static sides sides_of(const ctree_path_run *run, bool by_target) {
    if (by_target) return (sides){run->to_section, run->to, run->from_section, run->from};
    return (sides){run->from_section, run->from, run->to_section, run->to};
}

static bool runs_are_tidy(const ctree_path_run *runs, uint32_t count, bool by_target, const char *what,
                          sim_breach *breach) {
    for (uint32_t i = 0; i < count; i++) {
        if (runs[i].count == 0) return sim_broken(breach, 0, what, i, 0);
        if (i == 0) continue;
        sides a = sides_of(&runs[i - 1], by_target), b = sides_of(&runs[i], by_target);
        if (a.section < b.section) continue;
        if (a.section > b.section || a.first + runs[i - 1].count > b.first) {
            return sim_broken(breach, 0, what, i, b.first);
        }
        bool joins = a.first + runs[i - 1].count == b.first && a.other_section == b.other_section
                     && a.other_first + runs[i - 1].count == b.other_first;
        if (joins) return sim_broken(breach, 0, what, i, b.first);
    }
    return true;
}

/* The same things with sections 0, so that one check does for both. */
static ctree_path_range *paths_of_ranges(const ctree_row_range *ranges, uint32_t count) {
    ctree_path_range *paths = must(malloc((count + 1) * sizeof *paths));
    for (uint32_t i = 0; i < count; i++) paths[i] = (ctree_path_range){0, ranges[i].first, ranges[i].count};
    return paths;
}

static ctree_path_run *paths_of_runs(const ctree_row_run *runs, uint32_t count) {
    ctree_path_run *paths = must(malloc((count + 1) * sizeof *paths));
    for (uint32_t i = 0; i < count; i++) paths[i] = (ctree_path_run){0, runs[i].from, 0, runs[i].to, runs[i].count};
    return paths;
}

static bool row_ranges_are_tidy(const ctree_row_range *ranges, uint32_t count, const char *what, sim_breach *breach) {
    ctree_path_range *paths = paths_of_ranges(ranges, count);
    bool tidy = ranges_are_tidy(paths, count, what, breach);
    free(paths);
    return tidy;
}

static bool row_runs_are_tidy(const ctree_row_run *runs, uint32_t count, bool by_target, const char *what,
                              sim_breach *breach) {
    ctree_path_run *paths = paths_of_runs(runs, count);
    bool tidy = runs_are_tidy(paths, count, by_target, what, breach);
    free(paths);
    return tidy;
}

bool sim_batch_is_tidy(const ctree_batch *batch, sim_breach *breach) {
    if (batch->reload != 0) {
        if (batch->reload == 1
            && batch->delete_count + batch->insert_count + batch->move_count + batch->change_count == 0) {
            return true;
        }
        return sim_broken(breach, 0, "a reload with changes", batch->reload, 0);
    }
    return row_ranges_are_tidy(batch->deletes, batch->delete_count, "deletes", breach)
           && row_ranges_are_tidy(batch->inserts, batch->insert_count, "inserts", breach)
           && row_runs_are_tidy(batch->moves, batch->move_count, false, "moves", breach)
           && row_runs_are_tidy(batch->changes, batch->change_count, true, "changes", breach);
}

static bool section_ranges_are_tidy(const ctree_section_range *ranges, uint32_t count, const char *what,
                                    sim_breach *breach) {
    for (uint32_t i = 0; i < count; i++) {
        bool apart = i == 0 || (uint64_t)ranges[i - 1].first + ranges[i - 1].count < ranges[i].first;
        if (ranges[i].count == 0 || !apart) return sim_broken(breach, 0, what, i, ranges[i].first);
    }
    return true;
}

static bool section_runs_are_tidy(const ctree_section_run *runs, uint32_t count, bool by_target, const char *what,
                                  sim_breach *breach) {
    ctree_path_run *paths = must(malloc((count + 1) * sizeof *paths));
    for (uint32_t i = 0; i < count; i++) paths[i] = (ctree_path_run){0, runs[i].from, 0, runs[i].to, runs[i].count};
    bool tidy = runs_are_tidy(paths, count, by_target, what, breach);
    free(paths);
    return tidy;
}

bool sim_section_batch_is_tidy(const ctree_section_batch *b, sim_breach *breach) {
    if (b->reload != 0) {
        uint32_t told = b->section_delete_count + b->section_insert_count + b->section_move_count
                        + b->section_change_count + b->delete_count + b->insert_count + b->move_count
                        + b->change_count;
        return b->reload == 1 && told == 0 ? true : sim_broken(breach, 0, "a reload with changes", b->reload, told);
    }
    return section_ranges_are_tidy(b->section_deletes, b->section_delete_count, "section deletes", breach)
           && section_ranges_are_tidy(b->section_inserts, b->section_insert_count, "section inserts", breach)
           && section_runs_are_tidy(b->section_moves, b->section_move_count, false, "section moves", breach)
           && section_runs_are_tidy(b->section_changes, b->section_change_count, true, "section changes", breach)
           && ranges_are_tidy(b->deletes, b->delete_count, "deletes", breach)
           && ranges_are_tidy(b->inserts, b->insert_count, "inserts", breach)
           && runs_are_tidy(b->moves, b->move_count, false, "moves", breach)
           && runs_are_tidy(b->changes, b->change_count, true, "changes", breach);
}

/* ---- Applying it ----------------------------------------------------------------------------------------------- */

bool sim_table_apply(sim_table *table, const ctree_batch *batch, sim_switch *inside, void *context,
                     sim_breach *breach) {
    sim_update structure = {0}, content = {0};
    for (uint32_t i = 0; i < batch->delete_count; i++) {
        for (uint32_t k = 0; k < batch->deletes[i].count; k++) sim_delete(&structure, 0, batch->deletes[i].first + k);
    }
    for (uint32_t i = 0; i < batch->insert_count; i++) {
        for (uint32_t k = 0; k < batch->inserts[i].count; k++) sim_insert(&structure, 0, batch->inserts[i].first + k);
    }
    for (uint32_t i = 0; i < batch->move_count; i++) {
        const ctree_row_run *run = &batch->moves[i];
        for (uint32_t k = 0; k < run->count; k++) sim_move_row(&structure, 0, run->from + k, 0, run->to + k);
    }
    for (uint32_t i = 0; i < batch->change_count; i++) {
        for (uint32_t k = 0; k < batch->changes[i].count; k++) sim_reload(&content, 0, batch->changes[i].to + k);
    }
    bool legal = sim_batch_is_tidy(batch, breach) && sim_table_update(table, &structure, inside, context, breach)
                 && sim_table_update(table, &content, NULL, NULL, breach);
    sim_update_free(&structure);
    sim_update_free(&content);
    return legal;
}

static void take_sections(sim_update *structure, const ctree_section_batch *batch) {
    for (uint32_t i = 0; i < batch->section_delete_count; i++) {
        const ctree_section_range *range = &batch->section_deletes[i];
        for (uint32_t k = 0; k < range->count; k++) sim_delete_section(structure, range->first + k);
    }
    for (uint32_t i = 0; i < batch->section_insert_count; i++) {
        const ctree_section_range *range = &batch->section_inserts[i];
        for (uint32_t k = 0; k < range->count; k++) sim_insert_section(structure, range->first + k);
    }
    for (uint32_t i = 0; i < batch->section_move_count; i++) {
        const ctree_section_run *run = &batch->section_moves[i];
        for (uint32_t k = 0; k < run->count; k++) sim_move_section(structure, run->from + k, run->to + k);
    }
}

static void take_rows(sim_update *structure, const ctree_section_batch *batch) {
    for (uint32_t i = 0; i < batch->delete_count; i++) {
        const ctree_path_range *range = &batch->deletes[i];
        for (uint32_t k = 0; k < range->count; k++) sim_delete(structure, range->section, range->first + k);
    }
    for (uint32_t i = 0; i < batch->insert_count; i++) {
        const ctree_path_range *range = &batch->inserts[i];
        for (uint32_t k = 0; k < range->count; k++) sim_insert(structure, range->section, range->first + k);
    }
    for (uint32_t i = 0; i < batch->move_count; i++) {
        const ctree_path_run *run = &batch->moves[i];
        for (uint32_t k = 0; k < run->count; k++) {
            sim_move_row(structure, run->from_section, run->from + k, run->to_section, run->to + k);
        }
    }
}

static bool is_changed(const ctree_section_batch *batch, uint32_t section) {
    for (uint32_t i = 0; i < batch->section_change_count; i++) {
        if (section - batch->section_changes[i].to < batch->section_changes[i].count) return true;
    }
    return false;
}

/* That reloading a section hides no row that should have been told as changed. */
static bool rows_are_true(const sim_table *table, sim_breach *breach) {
    const sim_source *source = &table->source;
    for (uint32_t s = 0; s < table->count; s++) {
        for (uint32_t row = 0; row < table->sections[s].count; row++) {
            if (source->row_look(source->context, (sim_path){s, row}) == table->sections[s].cells[row].look) continue;
            return sim_broken(breach, 5, "an old look", s, row);
        }
    }
    return true;
}

bool sim_table_apply_sections(sim_table *table, const ctree_section_batch *batch, bool together, sim_switch *inside,
                              void *context, sim_breach *breach) {
    sim_update structure = {0}, headers = {0}, rows = {0};
    take_sections(&structure, batch);
    take_rows(&structure, batch);
    for (uint32_t i = 0; i < batch->section_change_count; i++) {
        const ctree_section_run *run = &batch->section_changes[i];
        for (uint32_t k = 0; k < run->count; k++) sim_reload_section(&headers, run->to + k);
    }
    sim_update *with = together ? &headers : &rows;
    for (uint32_t i = 0; i < batch->change_count; i++) {
        const ctree_path_run *run = &batch->changes[i];
        if (together && is_changed(batch, run->to_section)) continue;
        for (uint32_t k = 0; k < run->count; k++) sim_reload(with, run->to_section, run->to + k);
    }
    bool legal = sim_section_batch_is_tidy(batch, breach)
                 && sim_table_update(table, &structure, inside, context, breach)
                 && sim_table_update(table, &rows, NULL, NULL, breach) && (together || rows_are_true(table, breach))
                 && sim_table_update(table, &headers, NULL, NULL, breach);
    sim_update_free(&structure);
    sim_update_free(&headers);
    sim_update_free(&rows);
    return legal;
}
