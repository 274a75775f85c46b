/* Rows kept up to date, compared with rows flattened anew after each step of random programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "live_program.h"

/* ---- Comparing --------------------------------------------------------------------------------------------------
 */

static void compare_view(program *p, ctree_view *view) {
    ctree_rows *rows;
    const char *reason = NULL;
    assert_int_equal(ctree_rows_flatten(view, CTREE_ROWS_LOOKUP, NULL, &rows), CTREE_OK);
    if (ct_live_check(view, &reason) != CTREE_OK) fail_msg("%s", reason);
    uint32_t count = ctree_rows_count(rows);
    assert_int_equal(ctree_view_row_count(view), count);
    static ctree_row shown[MOST], plain[MOST];
    static ctree_node nodes[MOST];
    static uint32_t numbers[MOST];
    uint32_t first = count != 0 ? below(p, count) : 0, wanted = MOST, wanted_plain = MOST;
    if (below(p, 2) == 0) first = 0;
    assert_int_equal(ctree_view_window(view, first, &wanted, shown), CTREE_OK);
    assert_int_equal(ctree_rows_window(rows, view, first, &wanted_plain, plain), CTREE_OK);
    assert_int_equal(wanted, wanted_plain);
    for (uint32_t i = 0; i < wanted; i++) {
        assert_true(shown[i].node == plain[i].node);
        assert_int_equal(shown[i].depth, plain[i].depth);
        assert_int_equal(shown[i].position, plain[i].position);
        assert_int_equal(shown[i].sibling_count, plain[i].sibling_count);
        assert_int_equal(shown[i].expanded, plain[i].expanded);
        assert_int_equal(shown[i].expandable, plain[i].expandable);
        assert_int_equal(shown[i].load_state, plain[i].load_state);
        assert_int_equal(shown[i].more, plain[i].more);
    }
    wanted = MOST;
    assert_int_equal(ctree_view_nodes_from(view, first, &wanted, nodes, numbers), CTREE_OK);
    assert_int_equal(wanted, wanted_plain);
    for (uint32_t i = 0; i < wanted; i++) {
        assert_true(nodes[i] == plain[i].node);
        assert_int_equal(numbers[i], plain[i].depth);
    }
    uint32_t most = count < MOST ? count : MOST;
    for (uint32_t row = 0; row < most; row++) numbers[row] = row;
    assert_int_equal(ctree_view_nodes_at(view, numbers, most, nodes), CTREE_OK);
    for (uint32_t row = 0; row < most; row++) {
        assert_true(nodes[row] == ctree_rows_node(rows, row));
        assert_true(ctree_view_node_at(view, row) == nodes[row]);
        ctree_index_path live, flat;
        assert_int_equal(ctree_view_index_path(view, row, &live), CTREE_OK);
        assert_int_equal(ctree_rows_index_path(rows, row, &flat), CTREE_OK);
        assert_int_equal(live.section, flat.section);
        assert_int_equal(live.row, flat.row);
        assert_int_equal(ctree_view_row_at_index_path(view, live), row);
    }
    uint32_t asked = 0;
    for (uint32_t slot = 1; slot < p->store->used && asked < MOST; slot++) {
        if (ct_is_live(p->store, slot)) nodes[asked++] = ct_node_at(p->store, slot);
    }
    assert_int_equal(ctree_view_rows_of(view, nodes, asked, numbers), CTREE_OK);
    for (uint32_t i = 0; i < asked; i++) {
        assert_int_equal(numbers[i], ctree_rows_row(rows, nodes[i]));
        assert_int_equal(ctree_view_row_of(view, nodes[i]), numbers[i]);
    }
    assert_int_equal(ctree_view_section_count(view), ctree_rows_section_count(rows));
    ctree_rows_destroy(rows);
}

static uint32_t parent_of(const program *p, uint32_t slot) { return ct_hot_at(p->store, slot)->parent; }

/* Views know what stands below what; parents, one after the other, are the judge. */
static void compare_ancestors(program *p) {
    for (uint32_t i = 0; i < 16; i++) {
        ctree_node node = any_node(p), other = any_node(p);
        if (node == CTREE_NONE || other == CTREE_NONE) return;
        uint32_t above = (uint32_t)node;
        for (uint32_t up = 1 + below(p, 100); up != 0 && parent_of(p, above) != CT_TOP; up--)
            above = parent_of(p, above);
        if (i % 2 == 0) other = ct_node_at(p->store, above);
        above = (uint32_t)node;
        do above = parent_of(p, above);
        while (above != CT_TOP && above != (uint32_t)other);
        assert_int_equal(ctree_store_is_below(p->store, node, other), above != CT_TOP);
    }
}

static void run(uint64_t seed, uint32_t most, uint32_t steps, uint32_t compare_every, bool folders) {
    program p = {.next_id = 1, .most = most};
    p.random = random_from_seed(seed);
    assert_int_equal(ctree_store_create(NULL, &p.store), CTREE_OK);
    const ctree_view_options options[VIEWS] = {
        {sizeof(ctree_view_options), 0, 0},
        {sizeof(ctree_view_options), CTREE_VIEW_SECTIONS, 0},
        {sizeof(ctree_view_options), 0, CTREE_ALL_LEVELS},
        {sizeof(ctree_view_options), CTREE_VIEW_FORGETS, 2},
        {sizeof(ctree_view_options), CTREE_VIEW_SECTIONS, 1},
    };
    for (int i = 0; i < VIEWS; i++) {
        assert_int_equal(ctree_view_create(p.store, &options[i], &p.views[i]), CTREE_OK);
    }
    if (folders) plant_folders(&p);
    for (uint32_t i = 0; i < steps; i++) {
        step(&p);
        if (i % compare_every != 0) continue;
        for (int v = 0; v < VIEWS; v++) compare_view(&p, p.views[v]);
        compare_ancestors(&p);
        const char *reason;
        if (ctree_validate(p.store, &reason) != CTREE_OK) fail_msg("%s", reason);
    }
    for (int i = 0; i < VIEWS; i++) ctree_view_destroy(p.views[i]);
    ctree_store_destroy(p.store);
}

static void live_rows_are_the_flattened_rows_of_small_trees(void **state) {
    (void)state;
    uint64_t seed = random_seed_of_test(__func__, 20261201);
    for (uint64_t i = 0; i < 60; i++) run(seed + i, 12 + (uint32_t)i, 600, 1, false);
}

static void live_rows_are_the_flattened_rows_of_larger_trees(void **state) {
    (void)state;
    uint64_t seed = random_seed_of_test(__func__, 20261201);
    for (uint64_t i = 0; i < 4; i++) run(seed + i, 3000, 4000, 37, i % 2 != 0);
}

/* Each cut keeps what it took from the pool, so that a pool filled to the last block has to grow by and by. */
static void folders_closed_one_after_another_find_room_for_their_rows(void **state) {
    (void)state;
    enum { FOLDERS = 1000, FILES = 300, ALL = FOLDERS * (FILES + 1) };
    static uint64_t numbers[ALL];
    static uint32_t parents[ALL];
    static ctree_node nodes[ALL];
    ctree_store *store;
    ctree_view *view;
    assert_int_equal(ctree_store_create(NULL, &store), CTREE_OK);
    assert_int_equal(ctree_view_create(store, NULL, &view), CTREE_OK);
    for (uint32_t i = 0; i < ALL; i++) {
        numbers[i] = i;
        parents[i] = i % (FILES + 1) == 0 ? CTREE_END : i - i % (FILES + 1);
    }
    ctree_forest forest = CTREE_FOREST_INIT;
    forest.count = ALL;
    forest.numbers = numbers;
    forest.parents = parents;
    assert_int_equal(ctree_store_build(store, CTREE_NONE, CTREE_END, &forest, NULL, nodes, NULL), CTREE_OK);
    assert_int_equal(ctree_view_expand_all(view, CTREE_NONE, CTREE_ALL_LEVELS, NULL), CTREE_OK);
    const char *reason = NULL;
    for (uint32_t i = 0; i < ALL; i += FILES + 1) {
        assert_int_equal(ctree_view_collapse(view, nodes[i]), CTREE_OK);
    }
    assert_int_equal(ctree_view_row_count(view), FOLDERS);
    if (ct_live_check(view, &reason) != CTREE_OK) fail_msg("%s", reason);
    for (uint32_t i = 0; i < ALL; i += FILES + 1) {
        assert_int_equal(ctree_view_expand(view, nodes[i]), CTREE_OK);
    }
    assert_int_equal(ctree_view_row_count(view), ALL);
    if (ct_live_check(view, &reason) != CTREE_OK) fail_msg("%s", reason);
    ctree_view_destroy(view);
    ctree_store_destroy(store);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folders_closed_one_after_another_find_room_for_their_rows),
        cmocka_unit_test(live_rows_are_the_flattened_rows_of_small_trees),
        cmocka_unit_test(live_rows_are_the_flattened_rows_of_larger_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
