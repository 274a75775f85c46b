/* Every rule, broken on purpose: the table has to notice, and to say which. */
#include "support/assertions.h"
#include "support/simulator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MOST = 24 };

/* A model written as text: "A:ab B: C:xyz" is three sections, the second empty. Keys are the letters. */
typedef struct written {
    uint64_t sections[MOST], rows[MOST], looks[MOST];
    uint32_t starts[MOST + 1];
    sim_model model;
} written;

static void write_model(written *w, const char *text) {
    uint32_t sections = 0, rows = 0;
    memset(w->looks, 0, sizeof w->looks);
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == ' ' || *c == ':') continue;
        if (c[1] == ':') {
            w->starts[sections] = rows;
            w->sections[sections++] = (uint64_t)*c;
        } else {
            w->rows[rows++] = (uint64_t)*c;
        }
    }
    w->starts[sections] = rows;
    w->model = (sim_model){sections, w->sections, NULL, w->starts, w->rows, w->looks};
}

/* A table and the models that it goes from and to. */
typedef struct scene {
    written before, after;
    const sim_model *current;
    sim_table table;
    sim_update update;
    sim_breach breach;
} scene;

static void set(scene *s, const char *before, const char *after) {
    memset(s, 0, sizeof *s);
    write_model(&s->before, before);
    write_model(&s->after, after);
    s->current = &s->before.model;
    sim_table_load(&s->table, sim_source_of(&s->current));
}

static void go(void *context) {
    scene *s = context;
    s->current = &s->after.model;
}

/* The rule that the update breaks, 0 for none; then it must show the new model, and else the old one. */
static int broken(scene *s) {
    bool legal = sim_table_update(&s->table, &s->update, go, s, &s->breach);
    assert_int_equal(legal, s->breach.rule == 0);
    int rule = s->breach.rule;
    s->current = legal ? &s->after.model : &s->before.model;
    assert_true(sim_table_is_true(&s->table, &s->breach));
    sim_table_free(&s->table);
    sim_update_free(&s->update);
    return rule;
}

static void everything_legal_is_taken(void **state) {
    (void)state;
    scene s;
    set(&s, "A:abcd B:ef C:g D:h", "A:xcad D:h C:geb E:ij");
    sim_delete_section(&s.update, 1);
    sim_move_section(&s.update, 3, 1);
    sim_insert_section(&s.update, 3);
    sim_insert(&s.update, 0, 0);
    sim_move_row(&s.update, 0, 0, 0, 2);
    sim_move_row(&s.update, 0, 1, 2, 2);
    sim_insert(&s.update, 2, 1);
    assert_int_equal(broken(&s), 0);
}

static void the_order_of_calls_means_nothing(void **state) {
    (void)state;
    scene s;
    set(&s, "A:abc", "A:cxb");
    sim_insert(&s.update, 0, 1);
    sim_move_row(&s.update, 0, 2, 0, 0);
    sim_delete(&s.update, 0, 0);
    assert_int_equal(broken(&s), 0);
    /* Numbers of a table that had applied the insert first: b would go instead of a. */
    set(&s, "A:abc", "A:cxb");
    sim_insert(&s.update, 0, 1);
    sim_move_row(&s.update, 0, 2, 0, 0);
    sim_delete(&s.update, 0, 1);
    assert_int_equal(broken(&s), 5);
}

static void rule_2_paths_that_do_not_exist(void **state) {
    (void)state;
    scene s;
    set(&s, "A:ab", "A:a");
    sim_delete(&s.update, 0, 2);
    assert_int_equal(broken(&s), 2);
    set(&s, "A:ab", "A:abc");
    sim_insert(&s.update, 0, 3);
    assert_int_equal(broken(&s), 2);
    set(&s, "A:ab", "A:a");
    sim_delete(&s.update, 1, 0);
    assert_int_equal(broken(&s), 2);
    set(&s, "A:ab", "A:ba");
    sim_move_row(&s.update, 0, 0, 0, 2);
    assert_int_equal(broken(&s), 2);
    set(&s, "A:ab B:", "A:ab");
    sim_delete_section(&s.update, 2);
    assert_int_equal(broken(&s), 2);
    set(&s, "A:a B:b", "B:b A:a");
    sim_move_section(&s.update, 0, 2);
    assert_int_equal(broken(&s), 2);
}

static void rule_3_number_of_sections(void **state) {
    (void)state;
    scene s;
    set(&s, "A: B:", "A:");
    assert_int_equal(broken(&s), 3);
    set(&s, "A:", "A: B: C:");
    sim_insert_section(&s.update, 1);
    assert_int_equal(broken(&s), 3);
}

static void rule_4_number_of_rows(void **state) {
    (void)state;
    scene s;
    set(&s, "A:ab", "A:a");
    assert_int_equal(broken(&s), 4);
    set(&s, "A:ab B:c", "A:a B:cb");
    sim_insert(&s.update, 1, 1);
    assert_int_equal(broken(&s), 4);
    set(&s, "A:ab B:c", "B:cx A:ab");
    sim_move_section(&s.update, 1, 0);
    assert_int_equal(broken(&s), 4);
    /* A reload is neutral. */
    set(&s, "A:ab", "A:a");
    sim_reload(&s.update, 0, 1);
    assert_int_equal(broken(&s), 4);
}

static void rule_5_survivors_fill_in_order(void **state) {
    (void)state;
    scene s;
    set(&s, "A:abc", "A:acb");
    assert_int_equal(broken(&s), 5);
    set(&s, "A:abc", "A:bc");
    sim_delete(&s.update, 0, 1);
    assert_int_equal(broken(&s), 5);
    set(&s, "A:abc", "A:cab");
    sim_move_row(&s.update, 0, 2, 0, 1);
    assert_int_equal(broken(&s), 5);
    set(&s, "A: B:", "B: A:");
    assert_int_equal(broken(&s), 5);
    set(&s, "A:a B:b C:", "C: A:a B:b");
    sim_move_section(&s.update, 1, 0);
    assert_int_equal(broken(&s), 5);
    set(&s, "A:ab B:", "B: A:ba");
    sim_move_section(&s.update, 1, 0);
    assert_int_equal(broken(&s), 5);
}

static void rule_6_nothing_twice(void **state) {
    (void)state;
    scene s;
    set(&s, "A:abc", "A:a");
    sim_delete(&s.update, 0, 1);
    sim_delete(&s.update, 0, 1);
    assert_int_equal(broken(&s), 6);
    set(&s, "A:a", "A:abc");
    sim_insert(&s.update, 0, 1);
    sim_insert(&s.update, 0, 1);
    assert_int_equal(broken(&s), 6);
    set(&s, "A:abc", "A:cab");
    sim_move_row(&s.update, 0, 2, 0, 0);
    sim_move_row(&s.update, 0, 2, 0, 0);
    assert_int_equal(broken(&s), 6);
    set(&s, "A:abc", "A:cab");
    sim_move_row(&s.update, 0, 2, 0, 0);
    sim_move_row(&s.update, 0, 1, 0, 0);
    assert_int_equal(broken(&s), 6);
    set(&s, "A:a", "A:a");
    sim_reload(&s.update, 0, 0);
    sim_reload(&s.update, 0, 0);
    assert_int_equal(broken(&s), 6);
    set(&s, "A: B: C:", "A:");
    sim_delete_section(&s.update, 1);
    sim_delete_section(&s.update, 1);
    assert_int_equal(broken(&s), 6);
}

static void rule_7_nothing_in_two_kinds(void **state) {
    (void)state;
    scene s;
    set(&s, "A:abc", "A:ca");
    sim_delete(&s.update, 0, 2);
    sim_move_row(&s.update, 0, 2, 0, 0);
    assert_int_equal(broken(&s), 7);
    set(&s, "A:abc", "A:cxab");
    sim_insert(&s.update, 0, 0);
    sim_move_row(&s.update, 0, 2, 0, 0);
    assert_int_equal(broken(&s), 7);
    set(&s, "A:abc", "A:ab");
    sim_delete(&s.update, 0, 2);
    sim_reload(&s.update, 0, 2);
    assert_int_equal(broken(&s), 7);
    set(&s, "A:abc", "A:cab");
    sim_reload(&s.update, 0, 2);
    sim_move_row(&s.update, 0, 2, 0, 0);
    assert_int_equal(broken(&s), 7);
}

static void rule_8_no_section_in_two_kinds(void **state) {
    (void)state;
    scene s;
    set(&s, "A: B: C:", "C: A:");
    sim_delete_section(&s.update, 2);
    sim_move_section(&s.update, 2, 0);
    assert_int_equal(broken(&s), 8);
    set(&s, "A: B: C:", "C: A: B: X:");
    sim_insert_section(&s.update, 0);
    sim_move_section(&s.update, 2, 0);
    assert_int_equal(broken(&s), 8);
    set(&s, "A: B:", "A:");
    sim_delete_section(&s.update, 1);
    sim_reload_section(&s.update, 1);
    assert_int_equal(broken(&s), 8);
    set(&s, "A: B: C:", "C: A: B:");
    sim_reload_section(&s.update, 2);
    sim_move_section(&s.update, 2, 0);
    assert_int_equal(broken(&s), 8);
}

static void rule_9_rows_of_sections_that_come_go_or_reload(void **state) {
    (void)state;
    scene s;
    set(&s, "A:a B:bc", "A:ab");
    sim_delete_section(&s.update, 1);
    sim_move_row(&s.update, 1, 0, 0, 1);
    assert_int_equal(broken(&s), 9);
    set(&s, "A:a B:bc", "A:a");
    sim_delete_section(&s.update, 1);
    sim_delete(&s.update, 1, 0);
    assert_int_equal(broken(&s), 9);
    set(&s, "A:ab", "A:a B:b");
    sim_insert_section(&s.update, 1);
    sim_move_row(&s.update, 0, 1, 1, 0);
    assert_int_equal(broken(&s), 9);
    set(&s, "A:a", "A:a B:b");
    sim_insert_section(&s.update, 1);
    sim_insert(&s.update, 1, 0);
    assert_int_equal(broken(&s), 9);
    set(&s, "A:ab", "A:a");
    sim_reload_section(&s.update, 0);
    sim_delete(&s.update, 0, 1);
    assert_int_equal(broken(&s), 9);
    set(&s, "X: A:a", "A:ab");
    sim_delete_section(&s.update, 0);
    sim_reload_section(&s.update, 1);
    sim_insert(&s.update, 0, 1);
    assert_int_equal(broken(&s), 9);
    set(&s, "A:ab", "A:ab");
    sim_reload_section(&s.update, 0);
    sim_reload(&s.update, 0, 1);
    assert_int_equal(broken(&s), 9);
    /* What is right instead: only an insert, only a delete. */
    set(&s, "A:a B:bc", "A:ab");
    sim_delete_section(&s.update, 1);
    sim_insert(&s.update, 0, 1);
    assert_int_equal(broken(&s), 0);
    set(&s, "A:ab", "A:a B:b");
    sim_insert_section(&s.update, 1);
    sim_delete(&s.update, 0, 1);
    assert_int_equal(broken(&s), 0);
}

static void rule_10_reloads_beside_moves(void **state) {
    (void)state;
    scene s; /* The slot of c, worked out from deletes and inserts alone, is the one that d moves to. */
    set(&s, "A:abcd", "A:dac");
    sim_delete(&s.update, 0, 1);
    sim_move_row(&s.update, 0, 3, 0, 0);
    sim_reload(&s.update, 0, 2);
    assert_int_equal(broken(&s), 10);
    set(&s, "A: B: C: D: E:", "A: B: X: D: C:");
    sim_move_section(&s.update, 2, 4);
    sim_reload_section(&s.update, 3);
    sim_delete_section(&s.update, 4);
    sim_insert_section(&s.update, 2);
    assert_int_equal(broken(&s), 10);
}

static void rule_11_rows_of_a_section_that_moves(void **state) {
    (void)state;
    scene s;
    set(&s, "A:a B:bc", "B:b A:a");
    sim_move_section(&s.update, 1, 0);
    sim_delete(&s.update, 1, 1);
    assert_int_equal(broken(&s), 11);
    set(&s, "A:a B:b", "B:bc A:a");
    sim_move_section(&s.update, 1, 0);
    sim_insert(&s.update, 0, 1);
    assert_int_equal(broken(&s), 11);
    set(&s, "A:ac B:b", "B:bc A:a");
    sim_move_section(&s.update, 1, 0);
    sim_move_row(&s.update, 0, 1, 0, 1);
    assert_int_equal(broken(&s), 11);
    set(&s, "A:a B:bc", "B:cb A:a");
    sim_move_section(&s.update, 1, 0);
    sim_move_row(&s.update, 1, 1, 0, 0);
    assert_int_equal(broken(&s), 11);
}

static void rule_12_moves_that_move_nothing(void **state) {
    (void)state;
    scene s;
    set(&s, "A:abc", "A:abc");
    sim_move_row(&s.update, 0, 1, 0, 1);
    assert_int_equal(broken(&s), 12);
    set(&s, "A:abc", "A:xabc"); /* It has only shifted. */
    sim_insert(&s.update, 0, 0);
    sim_move_row(&s.update, 0, 1, 0, 2);
    assert_int_equal(broken(&s), 12);
    set(&s, "A: B: C:", "A: B: C:");
    sim_move_section(&s.update, 1, 1);
    assert_int_equal(broken(&s), 12);
    set(&s, "A: B: C:", "B: C:");
    sim_delete_section(&s.update, 0);
    sim_move_section(&s.update, 2, 1);
    assert_int_equal(broken(&s), 12);
    set(&s, "A:abc", "A:cba"); /* The same number, and yet b goes before a and behind c. */
    sim_move_row(&s.update, 0, 1, 0, 1);
    sim_move_row(&s.update, 0, 2, 0, 0);
    assert_int_equal(broken(&s), 0);
}

static void rule_13_a_model_that_switches_too_early(void **state) {
    (void)state;
    scene s;
    set(&s, "A:ab", "A:a");
    sim_delete(&s.update, 0, 1);
    s.current = &s.after.model;
    assert_int_equal(broken(&s), 13);
    set(&s, "A: B:", "A:");
    sim_delete_section(&s.update, 1);
    s.current = &s.after.model;
    assert_int_equal(broken(&s), 13);
}

static void update_again(void *context) {
    scene *s = context;
    sim_update nothing = {0};
    assert_false(sim_table_update(&s->table, &nothing, NULL, NULL, &s->breach));
    go(s);
}

static void rule_14_updates_within_and_from_elsewhere(void **state) {
    (void)state;
    scene s;
    set(&s, "A:ab", "A:a");
    sim_delete(&s.update, 0, 1);
    assert_false(sim_table_update(&s.table, &s.update, update_again, &s, &s.breach));
    assert_int_equal(s.breach.rule, 14);
    sim_table_free(&s.table);
    sim_update_free(&s.update);
    /* As many rows, but not those that are shown. */
    set(&s, "A:ab", "A:a");
    written other;
    write_model(&other, "A:ax");
    s.current = &other.model;
    sim_delete(&s.update, 0, 1);
    assert_int_equal(broken(&s), 14);
}

/* The parent of a small letter is the capital one. */
static uint64_t parent_of(void *context, sim_path path) {
    const sim_model *model = *(const sim_model **)context;
    uint64_t key = model->row_keys[model->starts[path.section] + path.row];
    return key >= 'a' ? key - 'a' + 'A' : 0;
}

static void rule_15_keys_twice_and_children_first(void **state) {
    (void)state;
    scene s;
    set(&s, "A:a B:b", "A:ab B:b");
    sim_insert(&s.update, 0, 1);
    assert_int_equal(broken(&s), 15);
    set(&s, "A:a", "A:a A:b");
    sim_insert_section(&s.update, 1);
    assert_int_equal(broken(&s), 15);
    set(&s, "S:Aa", "S:AabB");
    s.table.source.row_parent = parent_of;
    sim_insert(&s.update, 0, 2);
    sim_insert(&s.update, 0, 3);
    assert_int_equal(broken(&s), 15);
    set(&s, "S:Aa", "S:AaBb");
    s.table.source.row_parent = parent_of;
    sim_insert(&s.update, 0, 2);
    sim_insert(&s.update, 0, 3);
    assert_int_equal(broken(&s), 0);
}

static void a_changed_row_that_is_not_told_shows(void **state) {
    (void)state;
    scene s;
    set(&s, "A:ab", "A:ab");
    s.after.looks[1] = 1;
    assert_true(sim_table_update(&s.table, &s.update, go, &s, &s.breach));
    assert_false(sim_table_is_true(&s.table, &s.breach));
    sim_reload(&s.update, 0, 1);
    assert_true(sim_table_update(&s.table, &s.update, NULL, NULL, &s.breach));
    assert_true(sim_table_is_true(&s.table, &s.breach));
    sim_table_free(&s.table);
    sim_update_free(&s.update);
}

static void untidy_batches_show(void **state) {
    (void)state;
    sim_breach breach;
    ctree_batch batch = {0};
    ctree_row_range split[2] = {{0, 1}, {1, 1}}, empty[1] = {{0, 0}}, falling[2] = {{4, 1}, {1, 1}};
    batch.delete_count = 2;
    batch.deletes = split;
    assert_false(sim_batch_is_tidy(&batch, &breach));
    batch.deletes = falling;
    assert_false(sim_batch_is_tidy(&batch, &breach));
    batch.delete_count = 1;
    batch.deletes = empty;
    assert_false(sim_batch_is_tidy(&batch, &breach));
    batch.delete_count = 0;
    ctree_row_run parts[2] = {{0, 5, 1}, {1, 6, 1}}, apart[2] = {{0, 6, 1}, {1, 5, 1}};
    batch.move_count = 2;
    batch.moves = parts;
    assert_false(sim_batch_is_tidy(&batch, &breach));
    batch.moves = apart;
    assert_true(sim_batch_is_tidy(&batch, &breach));
    batch.reload = 1;
    assert_false(sim_batch_is_tidy(&batch, &breach));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_legal_is_taken),
        cmocka_unit_test(the_order_of_calls_means_nothing),
        cmocka_unit_test(rule_2_paths_that_do_not_exist),
        cmocka_unit_test(rule_3_number_of_sections),
        cmocka_unit_test(rule_4_number_of_rows),
        cmocka_unit_test(rule_5_survivors_fill_in_order),
        cmocka_unit_test(rule_6_nothing_twice),
        cmocka_unit_test(rule_7_nothing_in_two_kinds),
        cmocka_unit_test(rule_8_no_section_in_two_kinds),
        cmocka_unit_test(rule_9_rows_of_sections_that_come_go_or_reload),
        cmocka_unit_test(rule_10_reloads_beside_moves),
        cmocka_unit_test(rule_11_rows_of_a_section_that_moves),
        cmocka_unit_test(rule_12_moves_that_move_nothing),
        cmocka_unit_test(rule_13_a_model_that_switches_too_early),
        cmocka_unit_test(rule_14_updates_within_and_from_elsewhere),
        cmocka_unit_test(rule_15_keys_twice_and_children_first),
        cmocka_unit_test(a_changed_row_that_is_not_told_shows),
        cmocka_unit_test(untidy_batches_show),
    };
    return cmocka_run_group_tests_name("diff simulator", tests, NULL, NULL);
}
