/* What is a row, and where: small trees that a reader sees at a glance. The world compares each step with its twin.
 */
#include "support/assertions.h"
#include "support/sketch.h"
#include "support/unit.h"

static ctree_status in_view(world *w, op_kind kind, uint32_t view, char name) {
    op call = {.kind = kind, .view = view, .node = name == 0 ? CTREE_NONE : at(w, name), .levels = CTREE_ALL_LEVELS};
    return world_do(w, &call);
}

static ctree_status expand_levels(world *w, char name, uint32_t levels) {
    op call = {.kind = OP_EXPAND_ALL, .node = name == 0 ? CTREE_NONE : at(w, name), .levels = levels};
    return world_do(w, &call);
}

static void move(world *w, char name, char parent, uint32_t position) {
    op call = {
        .kind = OP_MOVE, .node = at(w, name), .parent = parent == 0 ? CTREE_NONE : at(w, parent), .at = position};
    CHECK_EQUAL(world_do(w, &call), CTREE_OK);
}

static void put(world *w, char parent, uint32_t position, char name) {
    world_insert(w, parent == 0 ? CTREE_NONE : at(w, parent), position, ctree_id_u64((uint64_t)name),
                 CTREE_STATE_LEAF);
}

/* ---- Opening and closing --------------------------------------------------------------------------------------- */

WORLD_TEST(expanding_twice_or_collapsing_twice_changes_nothing_and_a_leaf_says_that_it_is_one) {
    world_view(w, 0, 0, 0);
    sketch(w, "A[x y] B");
    assert_int_equal(in_view(w, OP_COLLAPSE, 0, 'A'), CTREE_OK);
    assert_shows(w, 0, "A B");
    assert_int_equal(in_view(w, OP_EXPAND, 0, 'A'), CTREE_OK);
    assert_int_equal(in_view(w, OP_EXPAND, 0, 'A'), CTREE_OK);
    assert_shows(w, 0, "A .x .y B");
    assert_int_equal(w->mirror.edits, 0);
    assert_int_equal(in_view(w, OP_EXPAND, 0, 'B'), CTREE_LEAF);
    assert_int_equal(in_view(w, OP_COLLAPSE, 0, 'B'), CTREE_LEAF);
    assert_int_equal(in_view(w, OP_TOGGLE, 0, 'B'), CTREE_LEAF);
    assert_false(ctree_view_is_expanded(w->views[0], at(w, 'B')));
    assert_int_equal(in_view(w, OP_TOGGLE, 0, 'A'), CTREE_OK);
    assert_shows(w, 0, "A B");
    assert_int_equal(in_view(w, OP_TOGGLE, 0, 'A'), CTREE_OK);
    assert_shows(w, 0, "A .x .y B");
}

WORLD_TEST(a_child_appended_to_an_open_node_is_there_after_it_was_closed_and_opened) {
    world_view(w, 0, 0, 0);
    sketch(w, "A+[1 2]");
    put(w, 'A', CTREE_END, '3');
    assert_int_equal(in_view(w, OP_COLLAPSE, 0, 'A'), CTREE_OK);
    assert_int_equal(in_view(w, OP_EXPAND, 0, 'A'), CTREE_OK);
    assert_shows(w, 0, "A .1 .2 .3");
}

WORLD_TEST(a_collapse_remembers_what_was_open_below_unless_the_view_forgets) {
    world_view(w, 0, 0, 0);
    world_view(w, 1, CTREE_VIEW_FORGETS, 0);
    sketch(w, "A+[x+[y+[z]] w] B");
    for (uint32_t i = 0; i < 3; i++) assert_int_equal(in_view(w, OP_EXPAND, 1, "Axy"[i]), CTREE_OK);
    for (uint32_t view = 0; view < 2; view++) {
        assert_shows(w, view, "A .x ..y ...z .w B");
        assert_int_equal(in_view(w, OP_COLLAPSE, view, 'A'), CTREE_OK);
        assert_shows(w, view, "A B");
        assert_int_equal(in_view(w, OP_EXPAND, view, 'A'), CTREE_OK);
    }
    assert_shows(w, 0, "A .x ..y ...z .w B");
    assert_shows(w, 1, "A .x .w B");
}

WORLD_TEST(a_hidden_node_is_found_read_changed_moved_and_removed_like_any_other_and_has_no_row) {
    world_view(w, 0, 0, 0);
    sketch(w, "A[x[1 2] y] B[]");
    assert_shows(w, 0, "A B");
    op value = {.kind = OP_SET_VALUE, .node = at(w, '1'), .value = 5};
    assert_int_equal(world_do(w, &value), CTREE_OK);
    assert_int_equal(in_view(w, OP_EXPAND, 0, 'x'), CTREE_OK);
    assert_true(ctree_view_is_expanded(w->views[0], at(w, 'x')));
    assert_false(ctree_view_is_visible(w->views[0], at(w, 'x')));
    move(w, '2', 'y', 0);
    move(w, '1', 0, 0);
    assert_int_equal(world_on(w, OP_REMOVE, at(w, 'y')), CTREE_OK);
    put(w, 'x', 0, '3');
    assert_shows(w, 0, "1 A B");
    assert_int_equal(in_view(w, OP_EXPAND, 0, 'A'), CTREE_OK);
    assert_shows(w, 0, "1 A .x ..3 B");
}

WORLD_TEST(what_is_open_survives_moves_reloads_and_reconciles) {
    world_view(w, 0, 0, 0);
    sketch(w, "A+[x+[1 2] y] B+[]");
    move(w, 'x', 'B', 0);
    assert_shows(w, 0, "A .y B .x ..1 ..2");
    assert_int_equal(sketch_reconcile(w, CTREE_NONE, "B[n x=] A=", CTREE_ELSEWHERE_FAILS), CTREE_OK);
    assert_shows(w, 0, "B .n .x ..1 ..2 A .y");
    op begin = {.kind = OP_BEGIN, .node = at(w, 'B'), .flags = CTREE_LOAD_RELOAD};
    assert_int_equal(world_do(w, &begin), CTREE_OK);
    assert_shows(w, 0, "B .n .x ..1 ..2 A .y"); /* the old rows stay until the new list is in */
    assert_int_equal(sketch_finish(w, at(w, 'B'), begin.ticket, "x="), CTREE_OK);
    assert_shows(w, 0, "B .x ..1 ..2 A .y");
}

WORLD_TEST(a_whole_subtree_attached_at_once_is_shown_at_every_level_that_is_open) {
    world_view(w, 0, 0, CTREE_ALL_LEVELS);
    world_view(w, 1, 0, 2);
    world_view(w, 2, 0, 0);
    sketch(w, "A[x[y[z]] w]");
    assert_shows(w, 0, "A .x ..y ...z .w");
    assert_shows(w, 1, "A .x ..y .w");
    assert_shows(w, 2, "A");
}

/* ---- Many at once ------------------------------------------------------------------------------------------------
 */

WORLD_TEST(expand_all_and_collapse_all_reach_so_many_levels_of_what_is_there) {
    world_view(w, 0, 0, 0);
    sketch(w, "A[x[y[z]] w] B[v] C");
    assert_int_equal(expand_levels(w, 0, 1), CTREE_OK);
    assert_shows(w, 0, "A .x .w B .v C");
    assert_int_equal(expand_levels(w, 'A', 2), CTREE_OK);
    assert_shows(w, 0, "A .x ..y .w B .v C");
    assert_int_equal(expand_levels(w, 0, CTREE_ALL_LEVELS), CTREE_OK);
    assert_shows(w, 0, "A .x ..y ...z .w B .v C");
    assert_int_equal(expand_levels(w, 'C', CTREE_ALL_LEVELS), CTREE_OK); /* a leaf is no fault here */
    assert_int_equal(in_view(w, OP_COLLAPSE_ALL, 0, 'A'), CTREE_OK);
    assert_shows(w, 0, "A B .v C");
    assert_int_equal(in_view(w, OP_EXPAND, 0, 'A'), CTREE_OK);
    assert_shows(w, 0, "A .x .w B .v C");
    assert_int_equal(in_view(w, OP_COLLAPSE_ALL, 0, 0), CTREE_OK);
    assert_shows(w, 0, "A B C");
    sketch_below(w, at(w, 'w'), "u[t]"); /* expand all acted once, on what was there */
    assert_int_equal(expand_levels(w, 'A', 0), CTREE_OK);
    assert_shows(w, 0, "A B C");
    assert_int_equal(in_view(w, OP_EXPAND, 0, 'A'), CTREE_OK);
    assert_shows(w, 0, "A .x .w B C");
}

WORLD_TEST(a_reveal_opens_every_ancestor_and_nothing_else) {
    world_view(w, 0, 0, 0);
    sketch(w, "A[x[y[z] v] w] B[u]");
    assert_int_equal(in_view(w, OP_REVEAL, 0, 'z'), CTREE_OK);
    assert_shows(w, 0, "A .x ..y ...z ..v .w B");
    assert_true(ctree_view_is_visible(w->views[0], at(w, 'z')));
    assert_int_equal(in_view(w, OP_REVEAL, 0, 'B'), CTREE_OK);
    assert_shows(w, 0, "A .x ..y ...z ..v .w B");
    assert_int_equal(in_view(w, OP_REVEAL, 0, '?'), CTREE_STALE);
}

/* ---- Several views
 * ------------------------------------------------------------------------------------------------- */

WORLD_TEST(what_is_open_in_one_view_never_shows_in_another) {
    world_view(w, 0, 0, 0);
    sketch(w, "A+[x y+[z]] B[v]");
    world_view(w, 1, 0, 0);
    world_view(w, 2, CTREE_VIEW_SECTIONS, 0);
    assert_shows(w, 0, "A .x .y ..z B");
    assert_shows(w, 1, "A B");
    assert_shows(w, 2, "A: x y B: v");
    assert_int_equal(in_view(w, OP_EXPAND, 1, 'B'), CTREE_OK);
    assert_int_equal(in_view(w, OP_COLLAPSE, 0, 'y'), CTREE_OK);
    assert_int_equal(in_view(w, OP_EXPAND, 2, 'y'), CTREE_OK);
    assert_shows(w, 0, "A .x .y B");
    assert_shows(w, 1, "A B .v");
    assert_shows(w, 2, "A: x y .z B: v");
}

WORLD_TEST(what_a_call_closed_stays_closed_in_a_view_that_opens_by_default) {
    world_view(w, 0, 0, CTREE_ALL_LEVELS);
    sketch(w, "A[x[1] y[2]]");
    assert_int_equal(in_view(w, OP_COLLAPSE, 0, 'x'), CTREE_OK);
    assert_int_equal(sketch_reconcile(w, at(w, 'A'), "y[2 3] n[4] x[1 5]", CTREE_ELSEWHERE_FAILS), CTREE_OK);
    assert_shows(w, 0, "A .y ..2 ..3 .n ..4 .x");
    op begin = {.kind = OP_BEGIN, .node = at(w, 'A'), .flags = CTREE_LOAD_RELOAD};
    assert_int_equal(world_do(w, &begin), CTREE_OK);
    assert_int_equal(sketch_finish(w, at(w, 'A'), begin.ticket, "x= y="), CTREE_OK);
    move(w, 'x', 0, 0);
    assert_shows(w, 0, "x A .y ..2 ..3");
}

/* ---- Sections
 * ------------------------------------------------------------------------------------------------------ */

WORLD_TEST(each_top_level_node_is_a_section_whose_rows_count_from_0) {
    world_view(w, 0, CTREE_VIEW_SECTIONS, 1);
    sketch(w, "S[a[b] c] T[] U[d]");
    assert_shows(w, 0, "S: a .b c T: U: d");
    ctree_rows *rows = NULL;
    assert_int_equal(ctree_rows_flatten(w->views[0], CTREE_ROWS_LOOKUP, NULL, &rows), CTREE_OK);
    ctree_index_path path = {7, 7};
    assert_int_equal(ctree_rows_index_path(rows, ctree_rows_row(rows, at(w, 'd')), &path), CTREE_OK);
    assert_int_equal(path.section, 2);
    assert_int_equal(path.row, 0);
    path = (ctree_index_path){0, 2};
    assert_int_equal(ctree_rows_node(rows, ctree_rows_at_index_path(rows, path)), at(w, 'c'));
    assert_int_equal(ctree_rows_section_node(rows, 1), at(w, 'T'));
    assert_int_equal(ctree_rows_section_start(rows, 1), ctree_rows_section_start(rows, 2));
    assert_int_equal(ctree_rows_row(rows, at(w, 'S')), CTREE_NO_ROW);
    ctree_rows_destroy(rows);
    /* A section may be closed; it keeps its place. What rises to the top becomes one. */
    assert_int_equal(in_view(w, OP_COLLAPSE, 0, 'S'), CTREE_OK);
    assert_shows(w, 0, "S: T: U: d");
    assert_int_equal(in_view(w, OP_COLLAPSE_ALL, 0, 0), CTREE_OK);
    assert_shows(w, 0, "S: T: U: d");
    move(w, 'd', 0, 0);
    assert_shows(w, 0, "d: S: T: U:");
    move(w, 'U', 'T', 0);
    assert_shows(w, 0, "d: S: T: U");
}

/* ---- One row
 * ------------------------------------------------------------------------------------------------------- */

static ctree_row row_of(const world *w, char name) {
    ctree_rows *rows = NULL;
    ctree_row row;
    uint32_t one = 1;
    CHECK_EQUAL(ctree_rows_flatten(w->views[0], 0, NULL, &rows), CTREE_OK);
    CHECK_EQUAL(ctree_rows_window(rows, w->views[0], ctree_rows_row(rows, at(w, name)), &one, &row), CTREE_OK);
    CHECK_EQUAL(one, 1);
    CHECK_EQUAL(row.node, at(w, name));
    ctree_rows_destroy(rows);
    return row;
}

static bool stands(const world *w, char name, uint32_t position, uint32_t siblings) {
    ctree_row row = row_of(w, name);
    return row.position == position && row.sibling_count == siblings;
}

WORLD_TEST(position_and_number_of_siblings_are_worked_out_never_stored) {
    world_view(w, 0, 0, CTREE_ALL_LEVELS);
    sketch(w, "P[a b c]");
    put(w, 'P', 1, 'x');
    assert_true(stands(w, 'a', 0, 4) && stands(w, 'x', 1, 4) && stands(w, 'b', 2, 4) && stands(w, 'c', 3, 4));
    assert_int_equal(world_on(w, OP_REMOVE, at(w, 'a')), CTREE_OK);
    move(w, 'c', 'P', 0);
    assert_true(stands(w, 'c', 0, 3) && stands(w, 'x', 1, 3) && stands(w, 'b', 2, 3) && stands(w, 'P', 0, 1));
}

WORLD_TEST(a_row_says_what_a_table_wants_to_draw) {
    world_view(w, 0, 0, 0);
    sketch(w, "A+[x? y[]] B");
    ctree_row a = row_of(w, 'A'), x = row_of(w, 'x'), y = row_of(w, 'y'), b = row_of(w, 'B');
    assert_true(a.expandable && a.expanded && a.depth == 0 && a.load_state == CTREE_STATE_LOADED);
    assert_true(x.expandable && !x.expanded && x.depth == 1 && x.load_state == CTREE_STATE_UNLOADED);
    assert_true(!y.expandable && !y.expanded && !y.more);
    assert_true(!b.expandable && !b.expanded && b.load_state == CTREE_STATE_LEAF);
    op begin = {.kind = OP_BEGIN, .node = at(w, 'x')};
    assert_int_equal(world_do(w, &begin), CTREE_OK);
    assert_int_equal(in_view(w, OP_EXPAND, 0, 'x'), CTREE_OK);
    x = row_of(w, 'x'); /* open and empty while it loads */
    assert_true(x.expandable && x.expanded && x.load_state == CTREE_STATE_LOADING);
    assert_int_equal(sketch_append(w, at(w, 'x'), begin.ticket, "1 2", true), CTREE_OK);
    assert_true(row_of(w, 'x').more);
    assert_shows(w, 0, "A .x ..1 ..2 .y B");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expanding_twice_or_collapsing_twice_changes_nothing_and_a_leaf_says_that_it_is_one),
        cmocka_unit_test(a_child_appended_to_an_open_node_is_there_after_it_was_closed_and_opened),
        cmocka_unit_test(a_collapse_remembers_what_was_open_below_unless_the_view_forgets),
        cmocka_unit_test(a_hidden_node_is_found_read_changed_moved_and_removed_like_any_other_and_has_no_row),
        cmocka_unit_test(what_is_open_survives_moves_reloads_and_reconciles),
        cmocka_unit_test(a_whole_subtree_attached_at_once_is_shown_at_every_level_that_is_open),
        cmocka_unit_test(expand_all_and_collapse_all_reach_so_many_levels_of_what_is_there),
        cmocka_unit_test(a_reveal_opens_every_ancestor_and_nothing_else),
        cmocka_unit_test(what_is_open_in_one_view_never_shows_in_another),
        cmocka_unit_test(what_a_call_closed_stays_closed_in_a_view_that_opens_by_default),
        cmocka_unit_test(each_top_level_node_is_a_section_whose_rows_count_from_0),
        cmocka_unit_test(position_and_number_of_siblings_are_worked_out_never_stored),
        cmocka_unit_test(a_row_says_what_a_table_wants_to_draw),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
