#include "support/view_screen.h"

#include "support/assertions.h"

/* ---- Moments --------------------------------------------------------------------------------------------------- */

static uint64_t look_of(const ctree_store *store, ctree_node node) {
    bool parent = ctree_store_child_count(store, node) != 0;
    return ctree_store_revision(store, node) * 16 + (uint64_t)ctree_store_load_state(store, node) * 2 + parent;
}

static view_moment take_moment(const view_screen *s) {
    ctree_rows *rows;
    CHECK_EQUAL(ctree_rows_flatten(s->view, 0, NULL, &rows), CTREE_OK);
    view_moment m = {.row_count = ctree_rows_count(rows), .section_count = 1};
    if (s->sections) m.section_count = ctree_rows_section_count(rows);
    m.rows = must(calloc(m.row_count + 1u, sizeof *m.rows));
    m.looks = must(calloc(m.row_count + 1u, sizeof *m.looks));
    m.sections = must(calloc(m.section_count + 1u, sizeof *m.sections));
    m.section_looks = must(calloc(m.section_count + 1u, sizeof *m.section_looks));
    m.starts = must(calloc(m.section_count + 1u, sizeof *m.starts));
    for (uint32_t i = 0; i < m.row_count; i++) {
        m.rows[i] = ctree_rows_node(rows, i);
        m.looks[i] = look_of(s->store, m.rows[i]);
    }
    for (uint32_t i = 0; i < m.section_count; i++) {
        ctree_node node = s->sections ? ctree_rows_section_node(rows, i) : CTREE_NONE;
        m.sections[i] = node == CTREE_NONE ? 1 : node;
        m.section_looks[i] = node == CTREE_NONE ? 0 : look_of(s->store, node);
        m.starts[i] = s->sections ? ctree_rows_section_start(rows, i) : 0;
    }
    m.starts[m.section_count] = m.row_count;
    m.model = (sim_model){m.section_count, m.sections, m.section_looks, m.starts, m.rows, m.looks};
    ctree_rows_destroy(rows);
    return m;
}

static void free_moment(view_moment *m) {
    free(m->rows);
    free(m->looks);
    free(m->sections);
    free(m->section_looks);
    free(m->starts);
    *m = (view_moment){0};
}

void view_screen_free(view_screen *s) {
    sim_table_free(&s->table);
    free_moment(&s->shown);
    free_moment(&s->next);
}

/* ---- Commit ---------------------------------------------------------------------------------------------------- */

/* Where the table switches from the old model to the new one. */
static void switch_model(void *context) {
    view_screen *s = context;
    s->current = &s->next.model;
}

static uint64_t moved_rows(const ctree_row_run *runs, uint32_t count) {
    uint64_t rows = 0;
    for (uint32_t i = 0; i < count; i++) rows += runs[i].count;
    return rows;
}

static uint64_t ranged_rows(const ctree_row_range *ranges, uint32_t count) {
    uint64_t rows = 0;
    for (uint32_t i = 0; i < count; i++) rows += ranges[i].count;
    return rows;
}

static void compare_with_diff(const view_screen *s, const ctree_batch *batch) {
    ctree_diff_list old_list = {.rows = s->shown.rows, .row_count = s->shown.row_count};
    ctree_diff_list new_list = {.rows = s->next.rows, .row_count = s->next.row_count};
    ctree_diff *diff;
    CHECK_EQUAL(ctree_diff_create(&old_list, &new_list, NULL, NULL, &diff), CTREE_OK);
    const ctree_batch *best = ctree_diff_batch(diff);
    CHECK_EQUAL(batch->delete_count, best->delete_count);
    CHECK_EQUAL(batch->insert_count, best->insert_count);
    CHECK_EQUAL(batch->move_count, best->move_count);
    CHECK_EQUAL(ranged_rows(batch->deletes, batch->delete_count), ranged_rows(best->deletes, best->delete_count));
    CHECK_EQUAL(moved_rows(batch->moves, batch->move_count), moved_rows(best->moves, best->move_count));
    ctree_diff_destroy(diff);
}

static ctree_status commit(view_screen *s, uint64_t limit, const ctree_batch **batch,
                           const ctree_section_batch **sections) {
    return s->sections ? ctree_view_commit_sections(s->view, limit, sections)
                       : ctree_view_commit(s->view, limit, batch);
}

static void apply(view_screen *s, const ctree_batch *batch, const ctree_section_batch *sections) {
    sim_breach breach = {0, ""};
    bool ok = s->sections
                  ? sim_section_batch_is_tidy(sections, &breach)
                        && sim_table_apply_sections(&s->table, sections, false, switch_model, s, &breach)
                  : sim_batch_is_tidy(batch, &breach) && sim_table_apply(&s->table, batch, switch_model, s, &breach);
    if (!ok) fprintf(stderr, "rule %d: %s\n", breach.rule, breach.text);
    CHECK(ok);
    if (!s->sections) compare_with_diff(s, batch);
}

void view_screen_commit(view_screen *s, failing_allocator *memory, uint64_t fail_at, uint64_t limit) {
    const ctree_batch *batch = NULL;
    const ctree_section_batch *sections = NULL;
    if (fail_at != 0) failing_allocator_arm(memory, fail_at, false);
    ctree_status status = commit(s, limit, &batch, &sections);
    if (fail_at != 0 && failing_allocator_disarm(memory)) {
        CHECK_EQUAL(status, CTREE_NO_MEMORY);
        status = commit(s, limit, &batch, &sections);
    }
    CHECK_EQUAL(status, CTREE_OK);
    s->last_limit = limit;
    s->reloaded = s->sections ? sections->reload != 0 : batch->reload != 0;
}

void view_screen_show(view_screen *s) {
    const ctree_batch *batch = NULL;
    const ctree_section_batch *sections = NULL;
    /* A commit with nothing in between says the same. */
    CHECK_EQUAL(commit(s, s->last_limit, &batch, &sections), CTREE_OK);
    bool reload = s->sections ? sections->reload != 0 : batch->reload != 0;
    CHECK_EQUAL(reload, s->reloaded);
    if (!s->loaded) CHECK(reload);
    if (reload) CHECK(!s->loaded || s->may_reload || s->last_limit != 0);
    free_moment(&s->next);
    s->next = take_moment(s);
    CHECK_EQUAL(s->sections ? sections->new_count : batch->new_count, s->next.row_count);
    if (reload) {
        switch_model(s);
        sim_table_load(&s->table, sim_source_of(&s->current));
    } else {
        apply(s, batch, sections);
    }
    sim_breach breach = {0, ""};
    bool ok = sim_table_is_true(&s->table, &breach);
    if (!ok) fprintf(stderr, "rule %d: %s\n", breach.rule, breach.text);
    CHECK(ok);
    s->may_reload = false;
}

void view_screen_accept(view_screen *s, failing_allocator *memory, uint64_t fail_at, bool edited) {
    if (fail_at != 0) failing_allocator_arm(memory, fail_at, false);
    ctree_status status = ctree_view_accept(s->view);
    bool failed = fail_at != 0 && failing_allocator_disarm(memory);
    if (status != CTREE_OK) CHECK(failed && status == CTREE_NO_MEMORY);
    s->loaded = status == CTREE_OK;
    if (s->reloaded && edited) s->may_reload = true; /* what was loaded was not noted */
    if (failed) s->may_reload = true;
    free_moment(&s->shown);
    s->shown = s->next;
    s->next = (view_moment){0};
    s->current = &s->shown.model;
}
