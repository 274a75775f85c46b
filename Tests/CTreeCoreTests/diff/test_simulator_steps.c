/* The rules of tables that count as they go, broken on purpose. */
#include "support/assertions.h"
#include "support/simulator_outline.h"
#include "support/simulator_steps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const uint64_t four[] = {10, 11, 12, 13};

static void rule_1_moves_count_as_they_go(void **state) {
    (void)state;
    sim_list list = {NULL, 0, 0};
    sim_breach breach = {0, ""};
    /* As a batch (0 to 2, 1 to 3) turns 0 1 2 3 into 2 3 0 1; step by step it does not. */
    const uint64_t turned[] = {12, 13, 10, 11}, wrong[] = {11, 10, 12, 13};
    sim_list_set(&list, four, 4);
    assert_true(sim_list_move(&list, 0, 1, 2, &breach));
    assert_true(sim_list_move(&list, 1, 1, 3, &breach));
    assert_false(sim_list_is(&list, turned, 4, &breach));
    assert_int_equal(breach.rule, 1);
    sim_list_set(&list, four, 4);
    assert_true(sim_list_move(&list, 0, 2, 2, &breach));
    assert_true(sim_list_is(&list, turned, 4, &breach));
    assert_false(sim_list_is(&list, wrong, 4, &breach));
    assert_false(sim_list_is(&list, turned, 3, &breach));
    sim_list_free(&list);
}

static void rule_1_positions_beyond_the_end(void **state) {
    (void)state;
    sim_list list = {NULL, 0, 0};
    sim_breach breach = {0, ""};
    sim_list_set(&list, four, 4);
    assert_false(sim_list_delete(&list, 3, 2, &breach));
    assert_false(sim_list_delete(&list, 1, 0, &breach));
    assert_false(sim_list_insert(&list, 5, 1, four, &breach));
    assert_false(sim_list_move(&list, 0, 2, 3, &breach));
    assert_false(sim_list_move(&list, 3, 2, 0, &breach));
    assert_false(sim_list_move_qt(&list, 2, 4, 0, &breach));
    assert_false(sim_list_move_qt(&list, 0, 0, 5, &breach));
    assert_int_equal(breach.rule, 1);
    assert_true(sim_list_is(&list, four, 4, &breach));
    sim_list_free(&list);
}

static void rule_1_deletes_from_the_end_and_inserts_from_the_start(void **state) {
    (void)state;
    sim_list list = {NULL, 0, 0};
    sim_breach breach = {0, ""};
    const uint64_t after[] = {20, 11, 21};
    ctree_step right[] = {{CTREE_STEP_DELETE, 2, 0, 2},
                          {CTREE_STEP_DELETE, 0, 0, 1},
                          {CTREE_STEP_INSERT, 0, 0, 1},
                          {CTREE_STEP_INSERT, 0, 2, 1}};
    ctree_steps steps = {0, 4, 3, 4, right};
    sim_list_set(&list, four, 4);
    assert_true(sim_list_replay_steps(&list, &steps, after, &breach));
    ctree_step rising[] = {{CTREE_STEP_DELETE, 0, 0, 1},
                           {CTREE_STEP_DELETE, 1, 0, 2},
                           {CTREE_STEP_INSERT, 0, 0, 1},
                           {CTREE_STEP_INSERT, 0, 2, 1}};
    steps.steps = rising;
    sim_list_set(&list, four, 4);
    assert_false(sim_list_replay_steps(&list, &steps, after, &breach));
    ctree_step falling[] = {{CTREE_STEP_DELETE, 2, 0, 2},
                            {CTREE_STEP_DELETE, 0, 0, 1},
                            {CTREE_STEP_INSERT, 0, 1, 1},
                            {CTREE_STEP_INSERT, 0, 0, 1}};
    steps.steps = falling;
    sim_list_set(&list, four, 4);
    assert_false(sim_list_replay_steps(&list, &steps, after, &breach));
    ctree_step mixed[] = {{CTREE_STEP_INSERT, 0, 0, 1}, {CTREE_STEP_DELETE, 1, 0, 1}};
    steps.steps = mixed;
    steps.step_count = 2;
    sim_list_set(&list, four, 4);
    assert_false(sim_list_replay_steps(&list, &steps, after, &breach));
    sim_list_free(&list);
}

static void rule_1_splices_from_the_first_row_to_the_last(void **state) {
    (void)state;
    sim_list list = {NULL, 0, 0};
    sim_breach breach = {0, ""};
    const uint64_t after[] = {20, 11, 13};
    ctree_splice right[] = {{0, 1, 1}, {2, 1, 0}}, backwards[] = {{2, 1, 0}, {0, 1, 1}},
                 split[] = {{0, 1, 0}, {0, 0, 1}};
    ctree_splices splices = {0, 4, 3, 2, right};
    sim_list_set(&list, four, 4);
    assert_true(sim_list_replay_splices(&list, &splices, after, &breach));
    splices.splices = backwards;
    sim_list_set(&list, four, 4);
    assert_false(sim_list_replay_splices(&list, &splices, after, &breach));
    splices.splices = split;
    sim_list_set(&list, four, 4);
    assert_false(sim_list_replay_splices(&list, &splices, after, &breach));
    sim_list_free(&list);
}

static void rule_5_qt_refuses_a_move_to_itself(void **state) {
    (void)state;
    sim_list list = {NULL, 0, 0};
    sim_breach breach = {0, ""};
    const uint64_t after[] = {12, 13, 10, 11};
    sim_list_set(&list, four, 4);
    for (uint32_t destination = 1; destination <= 3; destination++) {
        assert_false(sim_list_move_qt(&list, 1, 2, destination, &breach));
        assert_int_equal(breach.rule, 5);
    }
    assert_false(sim_list_move(&list, 1, 2, 1, &breach));
    assert_int_equal(breach.rule, 5);
    /* The destination counts before the removal. */
    assert_true(sim_list_move_qt(&list, 0, 1, 4, &breach));
    assert_true(sim_list_is(&list, after, 4, &breach));
    sim_list_free(&list);
}

static void rule_5_gtk_lists_agree_at_once(void **state) {
    (void)state;
    sim_list list = {NULL, 0, 0};
    sim_breach breach = {0, ""};
    const uint64_t both[] = {10, 20, 21, 13}, half[] = {10, 20, 13};
    sim_list_set(&list, four, 4);
    assert_false(sim_list_items_changed(&list, 1, 2, 2, half, 3, &breach));
    assert_int_equal(breach.rule, 5);
    assert_false(sim_list_items_changed(&list, 1, 0, 0, four, 4, &breach));
    assert_int_equal(breach.rule, 5);
    assert_false(sim_list_items_changed(&list, 3, 2, 2, both, 4, &breach));
    assert_int_equal(breach.rule, 1);
    assert_true(sim_list_items_changed(&list, 1, 2, 2, both, 4, &breach));
    sim_list_free(&list);
}

/* ---- Outlines -------------------------------------------------------------------------------------------------- */

static void expect_rows(const sim_outline *outline, const char *text) {
    uint64_t keys[32];
    char shown[33] = "";
    uint32_t count = sim_outline_rows(outline, keys, 32);
    for (uint32_t i = 0; i < count; i++) shown[i] = (char)keys[i];
    assert_string_equal(shown, text);
}

/* A with a (p, q) and b, then B, collapsed. */
static sim_outline outline_make(void) {
    sim_outline outline = {NULL, 0, 0};
    sim_breach breach = {0, ""};
    const uint64_t children[] = {'a', 'b'}, grandchildren[] = {'p', 'q'};
    assert_true(sim_outline_insert(&outline, 0, 0, 'A', &breach));
    assert_true(sim_outline_insert(&outline, 0, 1, 'B', &breach));
    assert_true(sim_outline_expand(&outline, 'A', children, 2, &breach));
    assert_true(sim_outline_expand(&outline, 'a', grandchildren, 2, &breach));
    expect_rows(&outline, "AapqbB");
    return outline;
}

static void rule_2_outlines_count_children_and_hear_of_shown_ones_only(void **state) {
    (void)state;
    sim_outline outline = outline_make();
    sim_breach breach = {0, ""};
    assert_false(sim_outline_insert(&outline, 'B', 0, 'x', &breach)); /* Collapsed. */
    assert_int_equal(breach.rule, 2);
    assert_false(sim_outline_insert(&outline, 'A', 3, 'x', &breach)); /* A row, not an ordinal. */
    assert_int_equal(breach.rule, 2);
    assert_false(sim_outline_remove(&outline, 'A', 2, &breach));
    assert_int_equal(breach.rule, 2);
    assert_false(sim_outline_remove(&outline, 'B', 0, &breach));
    assert_int_equal(breach.rule, 2);
    assert_false(sim_outline_move(&outline, 'A', 1, 'B', 0, &breach));
    assert_int_equal(breach.rule, 2);
    assert_false(sim_outline_insert(&outline, 'A', 0, 'B', &breach));
    assert_int_equal(breach.rule, 15);
    assert_true(sim_outline_insert(&outline, 'A', 1, 'x', &breach));
    expect_rows(&outline, "AapqxbB");
    sim_outline_free(&outline);
}

static void rule_3_a_removed_item_takes_its_rows_along(void **state) {
    (void)state;
    sim_outline outline = outline_make();
    sim_breach breach = {0, ""};
    assert_true(sim_outline_remove(&outline, 'A', 0, &breach));
    expect_rows(&outline, "AbB");
    assert_false(sim_outline_remove(&outline, 'a', 0, &breach)); /* It went along. */
    assert_int_equal(breach.rule, 2);
    sim_outline_free(&outline);
}

static void rule_4_moves_count_after_the_removal_and_never_go_below_themselves(void **state) {
    (void)state;
    sim_outline outline = outline_make();
    sim_breach breach = {0, ""};
    assert_false(sim_outline_move(&outline, 'A', 0, 'A', 2, &breach)); /* There are two, and one was taken out. */
    assert_int_equal(breach.rule, 2);
    assert_false(sim_outline_move(&outline, 'A', 0, 'A', 0, &breach));
    assert_int_equal(breach.rule, 4);
    assert_false(sim_outline_move(&outline, 0, 0, 'a', 0, &breach));
    assert_int_equal(breach.rule, 4);
    assert_false(sim_outline_move(&outline, 0, 0, 'A', 0, &breach));
    assert_int_equal(breach.rule, 4);
    assert_true(sim_outline_move(&outline, 'A', 0, 'A', 1, &breach));
    expect_rows(&outline, "AbapqB");
    assert_true(sim_outline_move(&outline, 'A', 1, 0, 2, &breach));
    expect_rows(&outline, "AbBapq");
    assert_true(sim_outline_move(&outline, 0, 0, 'a', 1, &breach));
    expect_rows(&outline, "BapAbq");
    sim_outline_free(&outline);
}

static void rule_6_selection_goes_once(void **state) {
    (void)state;
    sim_outline outline = outline_make();
    sim_breach breach = {0, ""};
    uint32_t deselected = 9;
    sim_outline_select(&outline, 'p');
    sim_outline_select(&outline, 'b');
    assert_true(sim_outline_deselect(&outline, 'b', &breach));
    assert_false(sim_outline_deselect(&outline, 'b', &breach));
    assert_int_equal(breach.rule, 6);
    sim_outline_select(&outline, 'b');
    assert_true(sim_outline_remove(&outline, 'A', 1, &breach));
    assert_false(sim_outline_deselect(&outline, 'b', &breach)); /* The removal has done so. */
    assert_int_equal(breach.rule, 6);
    assert_true(sim_outline_collapse(&outline, 'A', true, &deselected, &breach));
    assert_int_equal(deselected, 1);
    assert_false(sim_outline_collapse(&outline, 'A', true, &deselected, &breach));
    expect_rows(&outline, "AB");
    sim_outline_free(&outline);
    outline = outline_make();
    sim_outline_select(&outline, 'p');
    assert_true(sim_outline_collapse(&outline, 'A', false, &deselected, &breach));
    assert_int_equal(deselected, 0);
    sim_outline_free(&outline);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rule_1_moves_count_as_they_go),
        cmocka_unit_test(rule_1_positions_beyond_the_end),
        cmocka_unit_test(rule_1_deletes_from_the_end_and_inserts_from_the_start),
        cmocka_unit_test(rule_1_splices_from_the_first_row_to_the_last),
        cmocka_unit_test(rule_5_qt_refuses_a_move_to_itself),
        cmocka_unit_test(rule_5_gtk_lists_agree_at_once),
        cmocka_unit_test(rule_2_outlines_count_children_and_hear_of_shown_ones_only),
        cmocka_unit_test(rule_3_a_removed_item_takes_its_rows_along),
        cmocka_unit_test(rule_4_moves_count_after_the_removal_and_never_go_below_themselves),
        cmocka_unit_test(rule_6_selection_goes_once),
    };
    return cmocka_run_group_tests_name("diff simulator steps", tests, NULL, NULL);
}
