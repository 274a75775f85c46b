/* Bulk build, graft and reconcile: all or nothing, and what stays the same node. */
#include "support/assertions.h"
#include "support/forest_box.h"
#include "support/sketch.h"
#include "support/unit.h"

/* ---- Build --------------------------------------------------------------------------------------------------- */

WORLD_TEST(a_bulk_build_takes_items_in_any_order_and_siblings_in_theirs) {
    sketch(w, "A[1 2]");
    ctree_id ids[] = {ctree_id_u64('z'), ctree_id_u64('y'), ctree_id_u64('x'), ctree_id_u64('r'), ctree_id_u64('s')};
    uint32_t parents[] = {1, 2, 3, CTREE_END, CTREE_END}; /* children before their parents */
    ctree_node out[5];
    ctree_forest forest = CTREE_FOREST_INIT;
    forest.count = 5;
    forest.ids = ids;
    forest.parents = parents;
    op build = {.kind = OP_BUILD, .parent = at(w, 'A'), .at = 1, .forest = &forest, .outs = out};
    assert_int_equal(world_do(w, &build), CTREE_OK);
    assert_holds(w, "A[1 r[x[y[z]]] s 2]");
    assert_int_equal(out[0], at(w, 'z'));
    assert_int_equal(out[4], at(w, 's'));
    assert_int_equal(w->mirror.told[CTREE_EDIT_INSERT], 1); /* one run of siblings, whatever the depth */
    assert_int_equal(ctree_store_load_state(w->store, at(w, 'x')), CTREE_STATE_LOADED);
    assert_int_equal(ctree_store_load_state(w->store, at(w, 's')), CTREE_STATE_LEAF);
}

/* A sound forest of eight items, of which one may then be spoilt. */
static forest_box *eight(const world *w) {
    forest_box *box = forest_box_new(8);
    for (uint32_t i = 0; i < 8; i++) {
        box->ids[i] = id_supply(w->twin->kind, 100 + i);
        box->parents[i] = i < 2 ? CTREE_END : i / 2;
        box->states[i] = i < 4 && i > 0 ? CTREE_STATE_LOADED : CTREE_STATE_UNLOADED;
    }
    return box;
}

typedef struct spoiling {
    ctree_status status;
    void (*spoil)(forest_box *box, uint32_t item, const world *w);
} spoiling;

static void names_no_parent(forest_box *box, uint32_t item, const world *w) {
    (void)w;
    box->parents[item] = 8;
}
static void is_its_own_parent(forest_box *box, uint32_t item, const world *w) {
    (void)w;
    box->parents[item] = item;
}
static void is_its_grandparents_parent(forest_box *box, uint32_t item, const world *w) {
    (void)w;
    box->parents[1] = item == 1 ? 2 : item;
    if (item == 0) box->parents[0] = 1;
}
static void repeats_an_identifier(forest_box *box, uint32_t item, const world *w) {
    (void)w;
    box->ids[item] = box->ids[item == 0 ? 7 : item - 1];
    box->parents[item] = box->parents[item == 0 ? 7 : item - 1];
}
static void has_an_unknown_state(forest_box *box, uint32_t item, const world *w) {
    (void)w;
    box->states[item] = CTREE_STATE_LOADING;
}
static void is_a_parent_that_is_not_loaded(forest_box *box, uint32_t item, const world *w) {
    (void)w;
    box->states[item] = CTREE_STATE_LEAF;
    box->parents[item == 7 ? 6 : 7] = item;
}
static void has_an_identifier_of_the_other_kind(forest_box *box, uint32_t item, const world *w) {
    box->ids[item] = w->twin->kind == CTREE_ID_U64 ? ctree_id_bytes("a", 1) : ctree_id_u64(1);
}

static const spoiling spoilings[] = {
    {CTREE_INVALID, names_no_parent},
    {CTREE_CYCLE, is_its_own_parent},
    {CTREE_CYCLE, is_its_grandparents_parent},
    {CTREE_DUPLICATE, repeats_an_identifier},
    {CTREE_INVALID, has_an_unknown_state},
    {CTREE_INVALID, is_a_parent_that_is_not_loaded},
    {CTREE_INVALID, has_an_identifier_of_the_other_kind},
};

static void a_forest_with_a_fault_anywhere_changes_nothing(void **state) {
    (void)state;
    for (uint32_t k = 0; k < 4; k++) {
        world_options options = {(ctree_id_kind)(k & 1), (ctree_id_scope)(k >> 1), 0, true};
        world *w = world_create(options);
        forest_box *sound = eight(w);
        op build = {.kind = OP_BUILD, .at = CTREE_END, .forest = &sound->forest};
        assert_int_equal(world_do(w, &build), CTREE_OK);
        ctree_node under = ctree_store_child_at(w->store, CTREE_NONE, 0);
        for (size_t s = 0; s < sizeof spoilings / sizeof spoilings[0]; s++) {
            for (uint32_t item = 0; item < 8; item++) {
                forest_box *box = eight(w);
                spoilings[s].spoil(box, item, w);
                op reconcile = {.kind = OP_RECONCILE, .forest = &box->forest, .outs = box->outs};
                assert_int_equal(world_do(w, &reconcile), spoilings[s].status);
                reconcile = (op){.kind = OP_RECONCILE,
                                 .parent = under,
                                 .elsewhere = CTREE_ELSEWHERE_MOVES,
                                 .forest = &box->forest};
                ctree_status below = world_do(w, &reconcile); /* the parent itself may be in the forest too */
                assert_true(below == spoilings[s].status || below == CTREE_CYCLE);
                world_compare(w);
                forest_box_free(box);
            }
        }
        forest_box_free(sound);
        world_destroy(w);
    }
}

WORLD_TEST(a_forest_must_name_its_identifiers_in_exactly_one_way) {
    ctree_id ids[] = {ctree_id_u64(1)};
    uint64_t numbers[] = {1};
    uint64_t offsets[] = {0, 1};
    ctree_forest forest = CTREE_FOREST_INIT;
    forest.count = 1;
    op build = {.kind = OP_BUILD, .forest = &forest};
    assert_int_equal(world_do(w, &build), CTREE_INVALID);
    forest.ids = ids;
    forest.numbers = numbers;
    assert_int_equal(world_do(w, &build), CTREE_INVALID);
    forest.numbers = NULL;
    forest.bytes = "a";
    forest.offsets = offsets;
    assert_int_equal(world_do(w, &build), CTREE_INVALID);
    forest.ids = NULL; /* bytes, in a store of numbers */
    assert_int_equal(world_do(w, &build), CTREE_INVALID);
    forest.bytes = NULL;
    forest.offsets = NULL;
    forest.numbers = numbers;
    assert_int_equal(world_do(w, &build), CTREE_OK);
}

static void packed_offsets_may_not_fall(void **state) {
    (void)state;
    world_options options = {CTREE_ID_BYTES, CTREE_SCOPE_STORE, 0, true};
    world *w = world_create(options);
    uint64_t offsets[] = {3, 5, 4, 4};
    ctree_forest forest = CTREE_FOREST_INIT;
    forest.count = 3;
    forest.bytes = "abcdefg";
    forest.offsets = offsets;
    op build = {.kind = OP_BUILD, .at = 0, .forest = &forest};
    assert_int_equal(world_do(w, &build), CTREE_INVALID);
    offsets[1] = 4;
    offsets[3] = 6;
    assert_int_equal(world_do(w, &build), CTREE_OK); /* "d", "" and "ef" */
    assert_true(ctree_store_find(w->store, ctree_id_bytes("ef", 2)) != CTREE_NONE);
    assert_true(ctree_store_find(w->store, ctree_id_bytes("", 0)) != CTREE_NONE);
    world_compare(w);
    world_destroy(w);
}

WORLD_TEST(an_empty_forest_is_no_edit_to_build_and_empties_a_list_to_reconcile) {
    sketch(w, "A[x y] B");
    ctree_forest forest = CTREE_FOREST_INIT;
    op build = {.kind = OP_BUILD, .parent = at(w, 'B'), .at = 0, .forest = &forest};
    assert_int_equal(world_do(w, &build), CTREE_OK);
    assert_int_equal(w->mirror.edits, 0);
    assert_int_equal(ctree_store_load_state(w->store, at(w, 'B')), CTREE_STATE_LEAF);
    op reconcile = {.kind = OP_RECONCILE, .parent = at(w, 'A'), .forest = &forest};
    assert_int_equal(world_do(w, &reconcile), CTREE_OK);
    assert_holds(w, "A B");
    reconcile.parent = at(w, 'B');
    assert_int_equal(world_do(w, &reconcile), CTREE_OK);
    assert_int_equal(ctree_store_load_state(w->store, at(w, 'B')), CTREE_STATE_LOADED);
}

/* ---- Graft --------------------------------------------------------------------------------------------------- */

WORLD_TEST(a_graft_takes_all_nodes_over_and_lets_no_value_go) {
    world_options options = {CTREE_ID_U64, CTREE_SCOPE_STORE, 0, true};
    world *other = world_create(options);
    sketch(other, "x[y z?] v");
    world_view(other, 0, 0, 1);
    op value = {.kind = OP_SET_VALUE, .node = at(other, 'y'), .value = 42, .revision = 43};
    assert_int_equal(world_do(other, &value), CTREE_OK);
    ctree_node y = at(other, 'y');
    sketch(w, "A[1 2]");
    op graft = {.kind = OP_GRAFT, .parent = at(w, 'A'), .at = 1, .other = other};
    assert_int_equal(world_do(w, &graft), CTREE_OK);
    assert_holds(w, "A[1 x[y z] v 2]");
    assert_int_equal(ctree_store_value(w->store, at(w, 'y')), 42);
    assert_int_equal(ctree_store_load_state(w->store, at(w, 'z')), CTREE_STATE_UNLOADED);
    assert_int_equal(w->mirror.told[CTREE_EDIT_INSERT], 1);
    assert_int_equal(other->mirror.told[CTREE_EDIT_REMOVE], 1);
    assert_false(ctree_store_contains(other->store, y));
    assert_shows(other, 0, "");
    sketch(other, "x[w]"); /* it is as good as new */
    graft.at = 0;
    assert_int_equal(world_do(w, &graft), CTREE_DUPLICATE);
    assert_int_equal(graft.fault.node, at(w, 'x'));
    assert_holds(other, "x[w]");
    world_compare(other);
    world_destroy(other);
}

WORLD_TEST(a_graft_ends_loads_and_keeps_what_came_of_them) {
    world_options options = {CTREE_ID_U64, CTREE_SCOPE_STORE, 0, true};
    world *other = world_create(options);
    sketch(other, "a? b? c?");
    op begin_a = {.kind = OP_BEGIN, .node = at(other, 'a')}, begin_b = {.kind = OP_BEGIN, .node = at(other, 'b')};
    assert_int_equal(world_do(other, &begin_a), CTREE_OK);
    assert_int_equal(world_do(other, &begin_b), CTREE_OK);
    assert_int_equal(sketch_append(other, at(other, 'b'), begin_b.ticket, "1 2", true), CTREE_OK);
    op graft = {.kind = OP_GRAFT, .at = 0, .other = other};
    assert_int_equal(world_do(w, &graft), CTREE_OK);
    assert_holds(w, "a b[1 2] c");
    assert_int_equal(ctree_store_load_state(w->store, at(w, 'a')), CTREE_STATE_UNLOADED);
    ctree_node_info info = {.size = sizeof info};
    assert_int_equal(ctree_store_info(w->store, at(w, 'b'), &info), CTREE_OK);
    assert_int_equal(info.load_state, CTREE_STATE_LOADED);
    assert_true(info.more); /* so that a load goes on from there */
    assert_int_equal(ctree_load_check(other->store, begin_a.node, begin_a.ticket), CTREE_STALE);
    op begin = {.kind = OP_BEGIN, .node = at(w, 'b')};
    assert_int_equal(world_do(w, &begin), CTREE_OK);
    assert_int_equal(sketch_append(w, at(w, 'b'), begin.ticket, "3", false), CTREE_OK);
    assert_holds(w, "a b[1 2 3] c");
    world_destroy(other);
}

WORLD_TEST(a_store_is_not_grafted_into_itself_or_one_of_another_kind) {
    sketch(w, "A");
    op graft = {.kind = OP_GRAFT, .at = 0, .other = w};
    assert_int_equal(world_do(w, &graft), CTREE_INVALID);
    world_options options = {CTREE_ID_U64, CTREE_SCOPE_SIBLINGS, 0, false};
    for (uint32_t turn = 0; turn < 2; turn++) {
        world *other = world_create(options);
        graft.other = other;
        assert_int_equal(world_do(w, &graft), CTREE_INVALID);
        world_destroy(other);
        options = (world_options){CTREE_ID_BYTES, CTREE_SCOPE_STORE, 0, false};
    }
}

/* ---- Reconcile ----------------------------------------------------------------------------------------------- */

WORLD_TEST(a_reconcile_keeps_nodes_that_it_finds_again_with_all_that_is_known_of_them) {
    sketch(w, "A[x[1 2] y z]");
    world_view(w, 0, 0, 0);
    assert_int_equal(world_on(w, OP_EXPAND, at(w, 'x')), CTREE_OK);
    ctree_node x = at(w, 'x'), one = at(w, '1'), z = at(w, 'z');
    assert_int_equal(sketch_reconcile(w, at(w, 'A'), "z x= n", CTREE_ELSEWHERE_FAILS), CTREE_OK);
    assert_holds(w, "A[z x[1 2] n]");
    assert_int_equal(at(w, 'x'), x);
    assert_int_equal(at(w, '1'), one);
    assert_int_equal(at(w, 'z'), z);
    assert_true(ctree_view_is_expanded(w->views[0], x));
    assert_int_equal(w->mirror.told[CTREE_EDIT_REMOVE], 1);
    assert_int_equal(w->mirror.told[CTREE_EDIT_INSERT], 1);
    assert_int_equal(w->mirror.moved, 1);
}

WORLD_TEST(a_reconcile_to_what_is_there_tells_nothing) {
    sketch(w, "A[x[1 2] y z?] B[c]");
    assert_int_equal(sketch_reconcile(w, CTREE_NONE, "A[x[1 2] y z=] B=", CTREE_ELSEWHERE_FAILS), CTREE_OK);
    assert_int_equal(w->mirror.edits, 0);
    assert_int_equal(w->mirror.settled, 0);
}

WORLD_TEST(a_reconcile_moves_as_few_nodes_as_can_be) {
    sketch(w, "1 2 3 4 5 6 7 8");
    static const struct {
        const char *list;
        uint64_t moves;
    } orders[] = {{"2 3 4 5 6 7 8 1", 1}, {"2 3 4 5 6 7 1 8", 1}, {"3 2 4 5 6 7 1 8", 1}, {"8 1 7 6 5 4 2 3", 7},
                  {"1 2 3 4 5 6 7 8", 5}, {"5 6 7 8 1 2 3 4", 4}, {"6 5 7 8 1 2 3 4", 1}};
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        assert_int_equal(sketch_reconcile(w, CTREE_NONE, orders[i].list, CTREE_ELSEWHERE_FAILS), CTREE_OK);
        assert_holds(w, orders[i].list);
        assert_int_equal(w->mirror.moved, orders[i].moves);
        assert_int_equal(w->mirror.told[CTREE_EDIT_INSERT] + w->mirror.told[CTREE_EDIT_REMOVE], 0);
    }
}

WORLD_TEST(within_what_a_reconcile_replaces_nodes_move_freely_between_parents) {
    sketch(w, "A[x[1 2] y[3]] B");
    ctree_node one = at(w, '1'), x = at(w, 'x'), y = at(w, 'y');
    /* x goes below y, its child up beside it; 3 is rescued from a node that goes. */
    assert_int_equal(sketch_reconcile(w, at(w, 'A'), "1 y[x[2] 3]", CTREE_ELSEWHERE_FAILS), CTREE_OK);
    assert_holds(w, "A[1 y[x[2] 3]] B");
    assert_int_equal(at(w, '1'), one);
    assert_int_equal(at(w, 'x'), x);
    assert_int_equal(at(w, 'y'), y);
    /* Parent and child change places. */
    assert_int_equal(sketch_reconcile(w, at(w, 'A'), "x[y[1]]", CTREE_ELSEWHERE_FAILS), CTREE_OK);
    assert_holds(w, "A[x[y[1]]] B");
    assert_int_equal(at(w, 'x'), x);
    assert_int_equal(at(w, 'y'), y);
    /* Out of a subtree that is removed. */
    assert_int_equal(sketch_reconcile(w, at(w, 'A'), "1 n", CTREE_ELSEWHERE_FAILS), CTREE_OK);
    assert_holds(w, "A[1 n] B");
    assert_int_equal(at(w, '1'), one);
}

WORLD_TEST(an_identifier_that_stands_elsewhere_is_an_error_that_names_both_or_a_move) {
    sketch(w, "A[x] B[y[1]]");
    ctree_node y = at(w, 'y');
    ctree_id ids[] = {ctree_id_u64('x'), ctree_id_u64('y')};
    uint8_t states[] = {CTREE_STATE_KEEP, CTREE_STATE_KEEP};
    ctree_forest forest = CTREE_FOREST_INIT;
    forest.count = 2;
    forest.ids = ids;
    forest.states = states;
    op reconcile = {.kind = OP_RECONCILE, .parent = at(w, 'A'), .forest = &forest};
    assert_int_equal(world_do(w, &reconcile), CTREE_DUPLICATE);
    assert_int_equal(reconcile.fault.item, 1);
    assert_int_equal(reconcile.fault.node, y);
    assert_holds(w, "A[x] B[y[1]]");
    reconcile.elsewhere = CTREE_ELSEWHERE_MOVES;
    assert_int_equal(world_do(w, &reconcile), CTREE_OK);
    assert_holds(w, "A[x y[1]] B");
    assert_int_equal(at(w, 'y'), y);
    assert_int_equal(w->mirror.edits, 1);
}

WORLD_TEST(the_parent_itself_or_an_ancestor_of_it_is_always_an_error) {
    sketch(w, "A[x[y]]");
    for (uint32_t elsewhere = 0; elsewhere < 2; elsewhere++) {
        assert_int_equal(sketch_reconcile(w, at(w, 'x'), "A", elsewhere), CTREE_CYCLE);
        assert_int_equal(sketch_reconcile(w, at(w, 'x'), "y n x", elsewhere), CTREE_CYCLE);
        assert_int_equal(sketch_reconcile(w, at(w, 'x'), "n[m[A]]", elsewhere), CTREE_CYCLE);
    }
    assert_holds(w, "A[x[y]]");
}

WORLD_TEST(an_items_state_decides_about_its_children) {
    sketch(w, "A[1] B[2] C[3] D[4] E");
    assert_int_equal(sketch_reconcile(w, CTREE_NONE, "A= B? C[] D E?", CTREE_ELSEWHERE_FAILS), CTREE_OK);
    assert_holds(w, "A[1] B[2] C D E");
    assert_int_equal(ctree_store_load_state(w->store, at(w, 'A')), CTREE_STATE_LOADED);
    assert_int_equal(ctree_store_load_state(w->store, at(w, 'B')), CTREE_STATE_LOADED);
    assert_int_equal(ctree_store_load_state(w->store, at(w, 'C')), CTREE_STATE_LOADED);
    assert_int_equal(ctree_store_load_state(w->store, at(w, 'D')), CTREE_STATE_LEAF);
    assert_int_equal(ctree_store_load_state(w->store, at(w, 'E')), CTREE_STATE_UNLOADED);
}

static void with_sibling_scope_items_are_matched_under_the_same_parent_only(void **state) {
    (void)state;
    world_options options = {CTREE_ID_U64, CTREE_SCOPE_SIBLINGS, 0, true};
    world *w = world_create(options);
    sketch(w, "A[x[1]] B[x[2]]");
    ctree_node a = ctree_store_find_child(w->store, CTREE_NONE, ctree_id_u64('A'));
    ctree_node b = ctree_store_find_child(w->store, CTREE_NONE, ctree_id_u64('B'));
    ctree_node x = ctree_store_find_child(w->store, a, ctree_id_u64('x'));
    ctree_node other_x = ctree_store_find_child(w->store, b, ctree_id_u64('x'));
    assert_int_equal(sketch_reconcile(w, CTREE_NONE, "B[x=] A[x[x[x]]]", CTREE_ELSEWHERE_FAILS), CTREE_OK);
    assert_holds(w, "B[x[2]] A[x[x[x]]]");
    assert_int_equal(ctree_store_find_child(w->store, a, ctree_id_u64('x')), x);
    assert_int_equal(ctree_store_find_child(w->store, b, ctree_id_u64('x')), other_x);
    world_compare(w);
    world_destroy(w);
}

/* ---- Progress ------------------------------------------------------------------------------------------------ */

WORLD_TEST(a_long_call_that_is_cancelled_leaves_everything_as_it_was) {
    sketch(w, "A[x y] B");
    world_view(w, 0, 0, 0);
    for (uint64_t asking = 1; asking <= 3; asking++) {
        forest_box *box = forest_box_new(3);
        for (uint32_t i = 0; i < 3; i++) box->ids[i] = ctree_id_u64(1000 * asking + i);
        op build = {.kind = OP_BUILD, .at = 0, .forest = &box->forest, .outs = box->outs, .cancel_at = asking};
        assert_int_equal(world_do(w, &build), CTREE_OK); /* on the second attempt */
        assert_true(build.was_disturbed || asking > 1);
        op reconcile = {.kind = OP_RECONCILE,
                        .parent = at(w, 'A'),
                        .forest = &box->forest,
                        .elsewhere = CTREE_ELSEWHERE_MOVES,
                        .cancel_at = asking};
        assert_int_equal(world_do(w, &reconcile), CTREE_OK);
        assert_true(reconcile.was_disturbed || asking > 1);
        op expand = {.kind = OP_EXPAND_ALL, .levels = CTREE_ALL_LEVELS, .cancel_at = asking};
        assert_int_equal(world_do(w, &expand), CTREE_OK);
        assert_true(expand.was_disturbed || asking > 1);
        forest_box_free(box);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bulk_build_takes_items_in_any_order_and_siblings_in_theirs),
        cmocka_unit_test(a_forest_with_a_fault_anywhere_changes_nothing),
        cmocka_unit_test(a_forest_must_name_its_identifiers_in_exactly_one_way),
        cmocka_unit_test(packed_offsets_may_not_fall),
        cmocka_unit_test(an_empty_forest_is_no_edit_to_build_and_empties_a_list_to_reconcile),
        cmocka_unit_test(a_graft_takes_all_nodes_over_and_lets_no_value_go),
        cmocka_unit_test(a_graft_ends_loads_and_keeps_what_came_of_them),
        cmocka_unit_test(a_store_is_not_grafted_into_itself_or_one_of_another_kind),
        cmocka_unit_test(a_reconcile_keeps_nodes_that_it_finds_again_with_all_that_is_known_of_them),
        cmocka_unit_test(a_reconcile_to_what_is_there_tells_nothing),
        cmocka_unit_test(a_reconcile_moves_as_few_nodes_as_can_be),
        cmocka_unit_test(within_what_a_reconcile_replaces_nodes_move_freely_between_parents),
        cmocka_unit_test(an_identifier_that_stands_elsewhere_is_an_error_that_names_both_or_a_move),
        cmocka_unit_test(the_parent_itself_or_an_ancestor_of_it_is_always_an_error),
        cmocka_unit_test(an_items_state_decides_about_its_children),
        cmocka_unit_test(with_sibling_scope_items_are_matched_under_the_same_parent_only),
        cmocka_unit_test(a_long_call_that_is_cancelled_leaves_everything_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
