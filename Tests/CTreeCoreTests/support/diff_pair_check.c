#include "support/diff_pair.h"

#include "support/assertions.h"
#include "support/brute.h"
#include "support/simulator_steps.h"

static void pass(bool legal, const sim_breach *breach) {
    if (!legal) fprintf(stderr, "%s\n", breach->text);
    CHECK(legal);
}

static bool has(const uint64_t *keys, uint32_t count, uint64_t key) {
    for (uint32_t i = 0; i < count; i++) {
        if (keys[i] == key) return true;
    }
    return false;
}

/* The first key that stands twice, by the number of its second place. */
bool pair_find_twice(const uint64_t *keys, uint32_t count, uint32_t *first, uint32_t *second) {
    for (uint32_t j = 0; j < count; j++) {
        for (uint32_t i = 0; i < j; i++) {
            if (keys[i] != keys[j]) continue;
            *first = i;
            *second = j;
            return true;
        }
    }
    return false;
}

/* All four lists in the order in which they are looked at. */
bool diff_pair_duplicate(const diff_pair *pair, ctree_diff_duplicate *d) {
    const pair_side *sides[2] = {&pair->before, &pair->after};
    for (uint32_t k = pair->sections ? 0 : 2; k < 4; k++) {
        const pair_side *side = sides[k % 2];
        d->in_new = k % 2;
        d->in_sections = k < 2;
        bool twice = k < 2 ? pair_find_twice(side->section_keys, side->section_count, &d->first, &d->second)
                           : pair_find_twice(side->row_keys, side->row_count, &d->first, &d->second);
        if (twice) return true;
    }
    return false;
}

/* Where the model switches. */
typedef struct switching {
    const sim_model *current;
    const sim_model *next;
} switching;

static void switch_model(void *context) {
    switching *s = context;
    s->current = s->next;
}

/* As all kept rows stand in order, trying everything takes no time up to this many. */
enum { TRIED = 9 };

static brute_moves least_moves(const uint64_t *olds, uint32_t old_count, const uint64_t *news, uint32_t new_count) {
    brute_moves least = brute_least_moves_of_many(olds, old_count, news, new_count);
    if (brute_kept(olds, old_count, news, new_count) <= TRIED) {
        brute_moves tried = brute_least_moves(olds, old_count, news, new_count);
        CHECK_EQUAL(tried.rows, least.rows);
        CHECK_EQUAL(tried.runs, least.runs);
    }
    return least;
}

/* ---- Without sections ------------------------------------------------------------------------------------------ */

static void check_batch(const diff_pair *pair, const ctree_batch *batch) {
    const pair_side *before = &pair->before, *after = &pair->after;
    CHECK_EQUAL(batch->old_count, before->row_count);
    CHECK_EQUAL(batch->new_count, after->row_count);
    uint64_t one = 1, none = 0;
    uint32_t old_starts[2] = {0, before->row_count}, new_starts[2] = {0, after->row_count};
    sim_model models[2] = {{1, &one, &none, old_starts, before->row_keys, before->row_looks},
                           {1, &one, &none, new_starts, after->row_keys, after->row_looks}};
    switching s = {&models[0], &models[1]};
    sim_table table = {0};
    sim_breach breach = {0, ""};
    sim_table_load(&table, sim_source_of(&s.current));
    pass(sim_table_apply(&table, batch, switch_model, &s, &breach), &breach);
    pass(sim_table_is_true(&table, &breach), &breach);
    sim_table_free(&table);

    for (uint32_t i = 0; i < batch->delete_count; i++) {
        for (uint32_t k = 0; k < batch->deletes[i].count; k++) {
            CHECK(!has(after->row_keys, after->row_count, before->row_keys[batch->deletes[i].first + k]));
        }
    }
    uint32_t moved = 0;
    for (uint32_t i = 0; i < batch->move_count; i++) moved += batch->moves[i].count;
    brute_moves least = least_moves(before->row_keys, before->row_count, after->row_keys, after->row_count);
    CHECK_EQUAL(moved, least.rows);
    CHECK_EQUAL(batch->move_count, least.runs);
    for (uint32_t i = 0; i < batch->change_count; i++) {
        for (uint32_t k = 0; k < batch->changes[i].count; k++) {
            uint32_t from = batch->changes[i].from + k, to = batch->changes[i].to + k;
            CHECK(before->row_keys[from] == after->row_keys[to] && before->row_looks[from] != after->row_looks[to]);
        }
    }
}

void diff_pair_check_flat(const diff_pair *pair, const ctree_diff *diff) {
    const ctree_batch *batch = ctree_diff_batch(diff);
    check_batch(pair, batch);
    sim_breach breach = {0, ""};
    sim_list list = {NULL, 0, 0};
    sim_list_set(&list, pair->before.row_keys, pair->before.row_count);
    pass(sim_list_replay_splices(&list, ctree_diff_splices(diff), pair->after.row_keys, &breach), &breach);
    sim_list_set(&list, pair->before.row_keys, pair->before.row_count);
    pass(sim_list_replay_steps(&list, ctree_diff_steps(diff), pair->after.row_keys, &breach), &breach);
    sim_list_free(&list);
    CHECK_EQUAL(ctree_diff_steps(diff)->step_count, batch->delete_count + batch->insert_count + batch->move_count);
}

/* ---- With sections --------------------------------------------------------------------------------------------- */

/* What a batch says of the sections: for each new one the old one, or NONE, and whether it moves. */
#define NONE UINT32_MAX

typedef struct outcome {
    uint32_t old_of[64], new_of[64];
    bool moves[64]; /* By old number. */
    bool stays[64]; /* By old number: kept, and neither moved nor renewed. */
} outcome;

static bool in_ranges(const ctree_section_range *ranges, uint32_t count, uint32_t section) {
    for (uint32_t i = 0; i < count; i++) {
        if (section - ranges[i].first < ranges[i].count) return true;
    }
    return false;
}

static outcome read_sections(const diff_pair *pair, const ctree_section_batch *b) {
    const pair_side *before = &pair->before, *after = &pair->after;
    outcome t = {{0}, {0}, {0}, {0}};
    for (uint32_t i = 0; i < after->section_count; i++) t.old_of[i] = NONE;
    for (uint32_t s = 0; s < before->section_count; s++) {
        t.new_of[s] = NONE;
        if (in_ranges(b->section_deletes, b->section_delete_count, s)) continue;
        for (uint32_t i = 0; i < after->section_count; i++) {
            if (after->section_keys[i] == before->section_keys[s]) t.new_of[s] = i;
        }
        CHECK(t.new_of[s] != NONE);
        t.old_of[t.new_of[s]] = s;
        for (uint32_t i = 0; i < b->section_move_count; i++) {
            if (s - b->section_moves[i].from < b->section_moves[i].count) t.moves[s] = true;
        }
        t.stays[s] = !t.moves[s];
    }
    return t;
}

static void check_sections_are_least(const diff_pair *pair, const outcome *t) {
    sim_model before = pair_model(&pair->before), after = pair_model(&pair->after);
    if (brute_kept(before.section_keys, before.section_count, after.section_keys, after.section_count) > TRIED)
        return;
    brute_sections least = brute_least_sections(&before, &after);
    brute_sections cost = brute_sections_cost(&before, &after, t->stays);
    CHECK_EQUAL(cost.not_staying, least.not_staying);
    CHECK_EQUAL(cost.renewed, least.renewed);
    CHECK_EQUAL(cost.rows, least.rows);
    uint32_t moved = 0;
    for (uint32_t s = 0; s < before.section_count; s++) moved += t->moves[s];
    CHECK_EQUAL(moved, least.not_staying - least.renewed);
}

/* Whether a row of one side is in a section that stays on the other side. */
static bool is_in_staying(const diff_pair *pair, const outcome *t, bool in_new, uint64_t key) {
    const pair_side *side = in_new ? &pair->after : &pair->before;
    for (uint32_t s = 0; s < side->section_count; s++) {
        uint32_t old_section = in_new ? t->old_of[s] : s;
        if (old_section == NONE || !t->stays[old_section]) continue;
        if (has(side->row_keys + side->starts[s], side->section_rows[s], key)) return true;
    }
    return false;
}

static void check_rows_of_sections(const diff_pair *pair, const ctree_section_batch *b, const outcome *t) {
    const pair_side *before = &pair->before, *after = &pair->after;
    for (uint32_t i = 0; i < b->delete_count; i++) {
        const uint64_t *keys = before->row_keys + before->starts[b->deletes[i].section] + b->deletes[i].first;
        for (uint32_t k = 0; k < b->deletes[i].count; k++) CHECK(!is_in_staying(pair, t, true, keys[k]));
    }
    for (uint32_t i = 0; i < b->insert_count; i++) {
        const uint64_t *keys = after->row_keys + after->starts[b->inserts[i].section] + b->inserts[i].first;
        for (uint32_t k = 0; k < b->inserts[i].count; k++) CHECK(!is_in_staying(pair, t, false, keys[k]));
    }
    for (uint32_t s = 0; s < before->section_count; s++) {
        if (!t->stays[s]) continue;
        uint32_t moved = 0, runs = 0, n = t->new_of[s];
        for (uint32_t i = 0; i < b->move_count; i++) {
            if (b->moves[i].from_section != s || b->moves[i].to_section != n) continue;
            moved += b->moves[i].count;
            runs++;
        }
        brute_moves least = least_moves(before->row_keys + before->starts[s], before->section_rows[s],
                                        after->row_keys + after->starts[n], after->section_rows[n]);
        CHECK_EQUAL(moved, least.rows);
        CHECK_EQUAL(runs, least.runs);
    }
}

static void check_changes_of_sections(const diff_pair *pair, const ctree_section_batch *b, const outcome *t) {
    const pair_side *before = &pair->before, *after = &pair->after;
    for (uint32_t i = 0; i < b->change_count; i++) {
        const ctree_path_run *run = &b->changes[i];
        CHECK(t->new_of[run->from_section] != NONE && t->old_of[run->to_section] != NONE);
        for (uint32_t k = 0; k < run->count; k++) {
            uint32_t from = before->starts[run->from_section] + run->from + k;
            uint32_t to = after->starts[run->to_section] + run->to + k;
            CHECK(before->row_keys[from] == after->row_keys[to] && before->row_looks[from] != after->row_looks[to]);
        }
    }
    for (uint32_t i = 0; i < b->section_change_count; i++) {
        for (uint32_t k = 0; k < b->section_changes[i].count; k++) {
            uint32_t from = b->section_changes[i].from + k, to = b->section_changes[i].to + k;
            CHECK_EQUAL(t->new_of[from], to);
            CHECK(before->section_looks[from] != after->section_looks[to]);
        }
    }
}

void diff_pair_check_sections(const diff_pair *pair, const ctree_diff *diff, bool together) {
    const ctree_section_batch *batch = ctree_diff_section_batch(diff);
    sim_model models[2] = {pair_model(&pair->before), pair_model(&pair->after)};
    CHECK_EQUAL(batch->old_section_count, models[0].section_count);
    CHECK_EQUAL(batch->new_section_count, models[1].section_count);
    CHECK_EQUAL(batch->old_count, pair->before.row_count);
    CHECK_EQUAL(batch->new_count, pair->after.row_count);
    switching s = {&models[0], &models[1]};
    sim_table table = {0};
    sim_breach breach = {0, ""};
    sim_table_load(&table, sim_source_of(&s.current));
    pass(sim_table_apply_sections(&table, batch, together, switch_model, &s, &breach), &breach);
    pass(sim_table_is_true(&table, &breach), &breach);
    sim_table_free(&table);
    outcome t = read_sections(pair, batch);
    check_sections_are_least(pair, &t);
    check_rows_of_sections(pair, batch, &t);
    check_changes_of_sections(pair, batch, &t);
}

/* ---- All of it ------------------------------------------------------------------------------------------------- */

static uint64_t told_by(const ctree_batch *b) {
    uint64_t told = 0;
    for (uint32_t i = 0; i < b->delete_count; i++) told += b->deletes[i].count;
    for (uint32_t i = 0; i < b->insert_count; i++) told += b->inserts[i].count;
    for (uint32_t i = 0; i < b->move_count; i++) told += b->moves[i].count;
    for (uint32_t i = 0; i < b->change_count; i++) told += b->changes[i].count;
    return told;
}

static uint64_t told_by_sections(const ctree_section_batch *b) {
    uint64_t told = 0;
    for (uint32_t i = 0; i < b->section_delete_count; i++) told += b->section_deletes[i].count;
    for (uint32_t i = 0; i < b->section_insert_count; i++) told += b->section_inserts[i].count;
    for (uint32_t i = 0; i < b->section_move_count; i++) told += b->section_moves[i].count;
    for (uint32_t i = 0; i < b->section_change_count; i++) told += b->section_changes[i].count;
    for (uint32_t i = 0; i < b->delete_count; i++) told += b->deletes[i].count;
    for (uint32_t i = 0; i < b->insert_count; i++) told += b->inserts[i].count;
    for (uint32_t i = 0; i < b->move_count; i++) told += b->moves[i].count;
    for (uint32_t i = 0; i < b->change_count; i++) told += b->changes[i].count;
    return told;
}

/* With a limit a form says reload exactly when it would tell more. */
static void check_limit(const diff_pair *pair, const ctree_diff_list *olds, const ctree_diff_list *news,
                        const ctree_diff *whole, uint64_t limit) {
    ctree_diff_options options = CTREE_DIFF_OPTIONS_INIT;
    options.keys = pair->kind;
    options.limit = limit;
    options.forms = CTREE_DIFF_BATCH | CTREE_DIFF_SPLICES | CTREE_DIFF_STEPS;
    if (pair->sections) options.forms |= CTREE_DIFF_SECTIONS;
    ctree_diff *diff = NULL;
    CHECK_EQUAL(ctree_diff_create(olds, news, &options, NULL, &diff), CTREE_OK);
    bool reload = told_by(ctree_diff_batch(whole)) > limit;
    CHECK_EQUAL(ctree_diff_batch(diff)->reload, reload);
    CHECK_EQUAL(ctree_diff_splices(diff)->reload, reload);
    CHECK_EQUAL(ctree_diff_steps(diff)->reload, reload);
    sim_breach breach = {0, ""};
    pass(sim_batch_is_tidy(ctree_diff_batch(diff), &breach), &breach);
    if (reload) CHECK_EQUAL(ctree_diff_splices(diff)->splice_count + ctree_diff_steps(diff)->step_count, 0);
    if (!reload) diff_pair_check_flat(pair, diff);
    if (pair->sections) {
        reload = told_by_sections(ctree_diff_section_batch(whole)) > limit;
        CHECK_EQUAL(ctree_diff_section_batch(diff)->reload, reload);
        pass(sim_section_batch_is_tidy(ctree_diff_section_batch(diff), &breach), &breach);
    }
    ctree_diff_destroy(diff);
}

void diff_pair_check(const diff_pair *pair, random_source *source) {
    ctree_diff_list olds = pair_list(pair, &pair->before), news = pair_list(pair, &pair->after);
    ctree_diff_options options = CTREE_DIFF_OPTIONS_INIT;
    options.keys = pair->kind;
    options.forms = CTREE_DIFF_BATCH | CTREE_DIFF_SPLICES | CTREE_DIFF_STEPS;
    if (pair->sections) options.forms |= CTREE_DIFF_SECTIONS;
    ctree_diff *diff = NULL;
    CHECK_EQUAL(ctree_diff_create(&olds, &news, &options, NULL, &diff), CTREE_OK);
    diff_pair_check_flat(pair, diff);
    if (pair->sections) diff_pair_check_sections(pair, diff, random_chance(source, 1, 2));
    if (random_chance(source, 1, 4)) check_limit(pair, &olds, &news, diff, 1 + random_below(source, 20));
    ctree_diff_destroy(diff);
    pair_list_free(&olds);
    pair_list_free(&news);
}
