/* Batches of a view, replayed by a table that tolerates nothing, and compared with a diff of all rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "live_program.h"
#include "support/simulator.h"

/* What a view shows at one moment, for the table and for the diff. */
typedef struct moment {
    uint64_t *rows, *looks, *sections, *section_looks;
    uint32_t *starts;
    uint32_t row_count, section_count;
    sim_model model;
} moment;

static uint64_t look_of(const ctree_store *store, ctree_node node) {
    bool parent = ctree_store_child_count(store, node) != 0;
    return ctree_store_revision(store, node) * 16 + ctree_store_load_state(store, node) * 2 + parent;
}

static moment take_moment(const ctree_store *store, const ctree_view *view, bool sections) {
    ctree_rows *rows;
    assert_int_equal(ctree_rows_flatten(view, 0, NULL, &rows), CTREE_OK);
    moment m = {.row_count = ctree_rows_count(rows), .section_count = ctree_rows_section_count(rows)};
    m.rows = calloc(m.row_count + 1, sizeof *m.rows);
    m.looks = calloc(m.row_count + 1, sizeof *m.looks);
    m.sections = calloc(m.section_count + 1, sizeof *m.sections);
    m.section_looks = calloc(m.section_count + 1, sizeof *m.section_looks);
    m.starts = calloc(m.section_count + 1, sizeof *m.starts);
    for (uint32_t i = 0; i < m.row_count; i++) {
        m.rows[i] = ctree_rows_node(rows, i);
        m.looks[i] = look_of(store, m.rows[i]);
    }
    for (uint32_t i = 0; i < m.section_count; i++) {
        m.sections[i] = sections ? ctree_rows_section_node(rows, i) : 1;
        m.section_looks[i] = sections ? look_of(store, m.sections[i]) : 0;
        m.starts[i] = ctree_rows_section_start(rows, i);
    }
    m.starts[m.section_count] = m.row_count;
    m.model = (sim_model){m.section_count, m.sections, m.section_looks, m.starts, m.rows, m.looks};
    ctree_rows_destroy(rows);
    return m;
}

static void free_moment(moment *m) {
    free(m->rows);
    free(m->looks);
    free(m->sections);
    free(m->section_looks);
    free(m->starts);
    *m = (moment){0};
}

/* A view, a table that shows it, and what the table shows. */
typedef struct screen {
    ctree_view *view;
    bool sections, loaded;
    moment shown, next;
    const sim_model *current;
    sim_table table;
} screen;

static void switch_model(void *context) {
    screen *s = context;
    s->current = &s->next.model;
}

static void load_anew(screen *s) {
    switch_model(s);
    sim_table_load(&s->table, sim_source_of(&s->current));
}

static uint64_t moved_rows(const ctree_row_run *runs, uint32_t count) {
    uint64_t rows = 0;
    for (uint32_t i = 0; i < count; i++) rows += runs[i].count;
    return rows;
}

static void compare_with_diff(const screen *s, const ctree_batch *batch) {
    ctree_diff_list old_list = {.rows = s->shown.rows, .row_count = s->shown.row_count};
    ctree_diff_list new_list = {.rows = s->next.rows, .row_count = s->next.row_count};
    ctree_diff *diff;
    assert_int_equal(ctree_diff_create(&old_list, &new_list, NULL, NULL, &diff), CTREE_OK);
    const ctree_batch *best = ctree_diff_batch(diff);
    assert_int_equal(batch->delete_count, best->delete_count);
    assert_int_equal(batch->insert_count, best->insert_count);
    assert_int_equal(batch->move_count, best->move_count);
    assert_true(moved_rows(batch->moves, batch->move_count) == moved_rows(best->moves, best->move_count));
    if (batch->delete_count != 0) {
        assert_memory_equal(batch->deletes, best->deletes, batch->delete_count * sizeof *best->deletes);
    }
    if (batch->insert_count != 0) {
        assert_memory_equal(batch->inserts, best->inserts, batch->insert_count * sizeof *best->inserts);
    }
    ctree_diff_destroy(diff);
}

static uint64_t moved_in_paths(const ctree_path_run *runs, uint32_t count) {
    uint64_t rows = 0;
    for (uint32_t i = 0; i < count; i++) rows += runs[i].count;
    return rows;
}

static void compare_with_section_diff(const screen *s, const ctree_section_batch *batch) {
    uint32_t *old_rows = calloc(s->shown.section_count + 1, sizeof *old_rows);
    uint32_t *new_rows = calloc(s->next.section_count + 1, sizeof *new_rows);
    for (uint32_t i = 0; i < s->shown.section_count; i++) old_rows[i] = s->shown.starts[i + 1] - s->shown.starts[i];
    for (uint32_t i = 0; i < s->next.section_count; i++) new_rows[i] = s->next.starts[i + 1] - s->next.starts[i];
    ctree_diff_list old_list = {.rows = s->shown.rows,
                                .row_count = s->shown.row_count,
                                .sections = s->shown.sections,
                                .section_rows = old_rows,
                                .section_count = s->shown.section_count};
    ctree_diff_list new_list = {.rows = s->next.rows,
                                .row_count = s->next.row_count,
                                .sections = s->next.sections,
                                .section_rows = new_rows,
                                .section_count = s->next.section_count};
    ctree_diff_options options = CTREE_DIFF_OPTIONS_INIT;
    options.forms = CTREE_DIFF_SECTIONS;
    ctree_diff *diff;
    assert_int_equal(ctree_diff_create(&old_list, &new_list, &options, NULL, &diff), CTREE_OK);
    const ctree_section_batch *best = ctree_diff_section_batch(diff);
    assert_int_equal(batch->old_section_count, best->old_section_count);
    assert_int_equal(batch->new_section_count, best->new_section_count);
    assert_int_equal(batch->old_count, best->old_count);
    assert_int_equal(batch->new_count, best->new_count);
    assert_int_equal(batch->section_delete_count, best->section_delete_count);
    assert_int_equal(batch->section_insert_count, best->section_insert_count);
    assert_int_equal(batch->section_move_count, best->section_move_count);
    assert_int_equal(batch->delete_count, best->delete_count);
    assert_int_equal(batch->insert_count, best->insert_count);
    assert_int_equal(batch->move_count, best->move_count);
    assert_true(moved_in_paths(batch->moves, batch->move_count) == moved_in_paths(best->moves, best->move_count));
    if (batch->delete_count != 0) {
        assert_memory_equal(batch->deletes, best->deletes, batch->delete_count * sizeof *best->deletes);
    }
    if (batch->insert_count != 0) {
        assert_memory_equal(batch->inserts, best->inserts, batch->insert_count * sizeof *best->inserts);
    }
    ctree_diff_destroy(diff);
    free(old_rows);
    free(new_rows);
}

static void commit_and_apply(program *p, screen *s) {
    const ctree_batch *batch = NULL;
    const ctree_section_batch *section_batch = NULL;
    sim_breach breach = {0, ""};
    bool ok = true;
    if (s->sections) {
        assert_int_equal(ctree_view_commit_sections(s->view, 0, &section_batch), CTREE_OK);
    } else {
        assert_int_equal(ctree_view_commit(s->view, 0, &batch), CTREE_OK);
    }
    if (below(p, 4) == 0) return; /* not shown: part of the next */
    s->next = take_moment(p->store, s->view, s->sections);
    bool reload = s->sections ? section_batch->reload != 0 : batch->reload != 0;
    if (!s->loaded) assert_true(reload);
    if (s->loaded) assert_false(reload);
    if (reload) {
        load_anew(s);
    } else if (s->sections) {
        ok = sim_section_batch_is_tidy(section_batch, &breach)
             && sim_table_apply_sections(&s->table, section_batch, false, switch_model, s, &breach);
        compare_with_section_diff(s, section_batch);
    } else {
        ok = sim_batch_is_tidy(batch, &breach) && sim_table_apply(&s->table, batch, switch_model, s, &breach);
        compare_with_diff(s, batch);
    }
    if (!ok) fail_msg("rule %d: %s", breach.rule, breach.text);
    if (!sim_table_is_true(&s->table, &breach)) fail_msg("rule %d: %s", breach.rule, breach.text);
    if (below(p, 3) == 0) {
        /* What is edited between commit and accept belongs to the next batch. */
        for (uint32_t i = below(p, 4); i > 0; i--) step(p);
        if (!s->loaded) {
            /* What was loaded cannot be known then, unless it is loaded again. */
            free_moment(&s->next);
            s->next = take_moment(p->store, s->view, s->sections);
            load_anew(s);
            assert_int_equal(ctree_view_accept(s->view), CTREE_OK);
            const ctree_batch *again;
            assert_int_equal(ctree_view_commit(s->view, 0, &again), CTREE_OK);
        }
    }
    assert_int_equal(ctree_view_accept(s->view), CTREE_OK);
    s->loaded = true;
    free_moment(&s->shown);
    s->shown = s->next;
    s->next = (moment){0};
    s->current = &s->shown.model;
}

static void run(uint64_t seed, uint32_t most, uint32_t rounds, uint32_t most_steps, bool folders) {
    program p = {.next_id = 1, .most = most};
    p.random = random_from_seed(seed);
    assert_int_equal(ctree_store_create(NULL, &p.store), CTREE_OK);
    const uint32_t flags[VIEWS] = {0, CTREE_VIEW_SECTIONS, 0, CTREE_VIEW_FORGETS, CTREE_VIEW_SECTIONS};
    const uint32_t depths[VIEWS] = {0, 0, CTREE_ALL_LEVELS, 2, 1};
    screen screens[VIEWS];
    memset(screens, 0, sizeof screens);
    for (int i = 0; i < VIEWS; i++) {
        ctree_view_options options = {sizeof options, flags[i] | CTREE_VIEW_RECORDS, depths[i]};
        assert_int_equal(ctree_view_create(p.store, &options, &p.views[i]), CTREE_OK);
        screens[i].view = p.views[i];
        screens[i].sections = (flags[i] & CTREE_VIEW_SECTIONS) != 0;
    }
    if (folders) plant_folders(&p);
    for (uint32_t round = 0; round < rounds; round++) {
        for (uint32_t i = below(&p, most_steps + 1); i > 0; i--) step(&p);
        commit_and_apply(&p, &screens[below(&p, VIEWS)]);
    }
    for (int i = 0; i < VIEWS; i++) {
        sim_table_free(&screens[i].table);
        free_moment(&screens[i].shown);
        free_moment(&screens[i].next);
        ctree_view_destroy(p.views[i]);
    }
    ctree_store_destroy(p.store);
}

static void batches_of_small_trees_are_legal_and_minimal(void **state) {
    (void)state;
    uint64_t seed = random_seed_of_test(__func__, 20261201);
    for (uint64_t i = 0; i < 150 * random_runs(); i++)
        run(seed + i, 6 + (uint32_t)(i % 60), 200, 1 + (uint32_t)(i % 7), false);
}

static void batches_of_larger_trees_are_legal_and_minimal(void **state) {
    (void)state;
    uint64_t seed = random_seed_of_test(__func__, 20261201);
    for (uint64_t i = 0; i < 4 * random_runs(); i++) run(seed + i, 2500, 150, 40, false);
}

static void batches_of_folders_that_are_replaced_are_legal_and_minimal(void **state) {
    (void)state;
    uint64_t seed = random_seed_of_test(__func__, 20261201);
    for (uint64_t i = 0; i < 8 * random_runs(); i++) run(seed + i, 2500, 120, 1 + (uint32_t)(i % 8) * 2, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_of_small_trees_are_legal_and_minimal),
        cmocka_unit_test(batches_of_larger_trees_are_legal_and_minimal),
        cmocka_unit_test(batches_of_folders_that_are_replaced_are_legal_and_minimal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
