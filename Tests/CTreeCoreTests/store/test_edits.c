/* Insert, remove, move, set: what they do, and what they refuse without a trace. */
#include "support/assertions.h"
#include "support/sketch.h"
#include "support/unit.h"

WORLD_TEST(a_handle_to_a_removed_node_is_stale_for_ever_also_after_its_slot_serves_another) {
    sketch(w, "A[x[y]]");
    ctree_node x = at(w, 'x'), y = at(w, 'y');
    assert_int_equal(world_on(w, OP_REMOVE, x), CTREE_OK);
    for (uint64_t i = 0; i < 200; i++) {
        ctree_node fresh = world_insert(w, at(w, 'A'), 0, ctree_id_u64(1000 + i), CTREE_STATE_LEAF);
        assert_true(fresh != x && fresh != y);
        assert_false(ctree_store_contains(w->store, x));
        assert_false(ctree_store_contains(w->store, y));
        assert_int_equal(world_on(w, OP_REMOVE, x), CTREE_STALE);
        assert_int_equal(world_on(w, OP_REMOVE, fresh), CTREE_OK);
    }
    op insert = {.kind = OP_INSERT, .parent = x, .at = 0, .id = ctree_id_u64('z')};
    assert_int_equal(world_do(w, &insert), CTREE_STALE);
    op move = {.kind = OP_MOVE, .node = at(w, 'A'), .parent = x, .at = 0};
    assert_int_equal(world_do(w, &move), CTREE_STALE);
}

WORLD_TEST(a_handle_of_another_store_is_stale_here) {
    sketch(w, "A[x y] B[z]");
    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    options.secret = "another secret, so that generations start elsewhere";
    options.secret_size = 24;
    ctree_store *other = NULL;
    assert_int_equal(ctree_store_create(&options, &other), CTREE_OK);
    for (uint64_t i = 0; i < 5; i++) {
        ctree_node node = CTREE_NONE;
        assert_int_equal(ctree_store_insert(other, CTREE_NONE, 0, ctree_id_u64(i), NULL, &node), CTREE_OK);
        assert_false(ctree_store_contains(w->store, node));
        assert_int_equal(ctree_store_remove(w->store, node), CTREE_STALE);
    }
    ctree_store_destroy(other);
}

WORLD_TEST(positions_beyond_the_end_are_refused_and_the_end_is_not) {
    sketch(w, "A[x y]");
    ctree_node a = at(w, 'A');
    op insert = {.kind = OP_INSERT, .parent = a, .at = 3, .id = ctree_id_u64('z')};
    assert_int_equal(world_do(w, &insert), CTREE_RANGE);
    insert.at = CTREE_END - 1;
    assert_int_equal(world_do(w, &insert), CTREE_RANGE);
    insert.at = 2;
    assert_int_equal(world_do(w, &insert), CTREE_OK);
    assert_holds(w, "A[x y z]");

    op remove = {.kind = OP_REMOVE_CHILDREN, .parent = a, .at = 2, .count = 2};
    assert_int_equal(world_do(w, &remove), CTREE_RANGE);
    remove = (op){.kind = OP_REMOVE_CHILDREN, .parent = a, .at = 4, .count = 0};
    assert_int_equal(world_do(w, &remove), CTREE_RANGE);
    remove = (op){.kind = OP_REMOVE_CHILDREN, .parent = a, .at = 3, .count = UINT32_MAX};
    assert_int_equal(world_do(w, &remove), CTREE_RANGE);
    remove = (op){.kind = OP_REMOVE_CHILDREN, .parent = a, .at = 3, .count = 0};
    assert_int_equal(world_do(w, &remove), CTREE_OK);
    assert_holds(w, "A[x y z]");

    /* A move's position is counted when the node has left its place. */
    op move = {.kind = OP_MOVE, .node = at(w, 'x'), .parent = a, .at = 3};
    assert_int_equal(world_do(w, &move), CTREE_RANGE);
    move.at = 2;
    assert_int_equal(world_do(w, &move), CTREE_OK);
    assert_holds(w, "A[y z x]");
}

WORLD_TEST(a_range_of_children_goes_with_all_below_it) {
    sketch(w, "A[1 2[a b[c]] 3[d] 4] B");
    op remove = {.kind = OP_REMOVE_CHILDREN, .parent = at(w, 'A'), .at = 1, .count = 2};
    assert_int_equal(world_do(w, &remove), CTREE_OK);
    assert_holds(w, "A[1 4] B");
    assert_int_equal(w->mirror.told[CTREE_EDIT_REMOVE], 1);
    assert_int_equal(at(w, 'c'), CTREE_NONE);
    remove = (op){.kind = OP_REMOVE_CHILDREN, .parent = CTREE_NONE, .at = 0, .count = 2};
    assert_int_equal(world_do(w, &remove), CTREE_OK);
    assert_int_equal(ctree_store_count(w->store), 0);
}

WORLD_TEST(a_node_never_moves_below_itself_or_its_descendant) {
    sketch(w, "A[x[y[z]]] B");
    op move = {.kind = OP_MOVE, .node = at(w, 'A'), .parent = at(w, 'A'), .at = 0};
    assert_int_equal(world_do(w, &move), CTREE_CYCLE);
    move.parent = at(w, 'z');
    assert_int_equal(world_do(w, &move), CTREE_CYCLE);
    move = (op){.kind = OP_MOVE, .node = at(w, 'B'), .parent = at(w, 'B'), .at = CTREE_END};
    assert_int_equal(world_do(w, &move), CTREE_CYCLE);
    assert_holds(w, "A[x[y[z]]] B");
}

WORLD_TEST(a_move_keeps_the_handle_and_the_subtree) {
    sketch(w, "A[x[y z]] B[]");
    ctree_node x = at(w, 'x'), z = at(w, 'z');
    op move = {.kind = OP_MOVE, .node = x, .parent = at(w, 'B'), .at = 0};
    assert_int_equal(world_do(w, &move), CTREE_OK);
    assert_holds(w, "A B[x[y z]]");
    assert_int_equal(at(w, 'x'), x);
    assert_int_equal(at(w, 'z'), z);
    assert_int_equal(w->mirror.edits, 1);
    move = (op){.kind = OP_MOVE, .node = x, .parent = CTREE_NONE, .at = 0};
    assert_int_equal(world_do(w, &move), CTREE_OK);
    assert_holds(w, "x[y z] A B");
}

WORLD_TEST(a_move_to_where_the_node_stands_is_no_edit) {
    sketch(w, "A[x y z]");
    op move = {.kind = OP_MOVE, .node = at(w, 'z'), .parent = at(w, 'A'), .at = CTREE_END};
    assert_int_equal(world_do(w, &move), CTREE_OK);
    assert_int_equal(w->mirror.edits, 0);
    move = (op){.kind = OP_MOVE, .node = at(w, 'y'), .parent = at(w, 'A'), .at = 1};
    assert_int_equal(world_do(w, &move), CTREE_OK);
    assert_int_equal(w->mirror.edits, 0);
}

WORLD_TEST(a_leaf_that_gets_a_child_is_loaded_from_then_on) {
    sketch(w, "A B? C D? E[x]");
    world_insert(w, at(w, 'A'), 0, ctree_id_u64('1'), CTREE_STATE_LEAF);
    sketch_below(w, at(w, 'B'), "2 3");
    op move = {.kind = OP_MOVE, .node = at(w, 'x'), .parent = at(w, 'C'), .at = 0};
    assert_int_equal(world_do(w, &move), CTREE_OK);
    assert_int_equal(ctree_store_load_state(w->store, at(w, 'A')), CTREE_STATE_LOADED);
    assert_int_equal(ctree_store_load_state(w->store, at(w, 'B')), CTREE_STATE_LOADED);
    assert_int_equal(ctree_store_load_state(w->store, at(w, 'C')), CTREE_STATE_LOADED);
    assert_int_equal(ctree_store_load_state(w->store, at(w, 'D')), CTREE_STATE_UNLOADED);
    /* What loses its last child stays loaded: it is not to be loaded again. */
    assert_int_equal(ctree_store_load_state(w->store, at(w, 'E')), CTREE_STATE_LOADED);
}

WORLD_TEST(a_node_that_becomes_a_leaf_loses_what_is_below_it_and_may_open_again_later) {
    sketch(w, "A[x[y]] B");
    op leaf = {.kind = OP_SET_LEAF, .node = at(w, 'A'), .flag = true};
    assert_int_equal(world_do(w, &leaf), CTREE_OK);
    assert_holds(w, "A B");
    assert_int_equal(ctree_store_load_state(w->store, at(w, 'A')), CTREE_STATE_LEAF);
    assert_int_equal(world_do(w, &leaf), CTREE_OK);
    assert_int_equal(w->mirror.edits, 0);
    leaf.flag = false;
    assert_int_equal(world_do(w, &leaf), CTREE_OK);
    assert_int_equal(ctree_store_load_state(w->store, at(w, 'A')), CTREE_STATE_UNLOADED);
    assert_int_equal(world_do(w, &leaf), CTREE_OK);
    assert_int_equal(w->mirror.edits, 0);
}

WORLD_TEST(a_value_that_does_not_differ_is_no_edit) {
    sketch(w, "A");
    op set = {.kind = OP_SET_VALUE, .node = at(w, 'A'), .value = 5, .revision = 6};
    assert_int_equal(world_do(w, &set), CTREE_OK);
    assert_int_equal(w->mirror.told[CTREE_EDIT_CHANGE], 1);
    assert_int_equal(w->released_count, 1); /* the 0 that was replaced */
    assert_int_equal(world_do(w, &set), CTREE_OK);
    assert_int_equal(w->mirror.edits, 0);
    assert_int_equal(w->released_count, 0);
    set.revision = 7;
    assert_int_equal(world_do(w, &set), CTREE_OK);
    assert_int_equal(w->mirror.told[CTREE_EDIT_CHANGE], 1);
    assert_int_equal(w->released_count, 0);
}

static void a_store_that_is_full_takes_no_more_and_one_that_shrank_does(void **state) {
    (void)state;
    world_options options = {CTREE_ID_U64, CTREE_SCOPE_STORE, 3, true};
    world *w = world_create(options);
    sketch(w, "A[x y]");
    op insert = {.kind = OP_INSERT, .at = CTREE_END, .id = ctree_id_u64('z')};
    assert_int_equal(world_do(w, &insert), CTREE_LIMIT);
    assert_int_equal(world_on(w, OP_REMOVE, at(w, 'x')), CTREE_OK);
    assert_int_equal(world_do(w, &insert), CTREE_OK);
    assert_int_equal(world_do(w, &insert), CTREE_DUPLICATE);
    /* A reconcile makes what is new before the old goes. */
    assert_int_equal(sketch_reconcile(w, CTREE_NONE, "A", CTREE_ELSEWHERE_FAILS), CTREE_OK);
    assert_int_equal(sketch_reconcile(w, CTREE_NONE, "p q", CTREE_ELSEWHERE_FAILS), CTREE_OK);
    assert_int_equal(sketch_reconcile(w, CTREE_NONE, "r s", CTREE_ELSEWHERE_FAILS), CTREE_LIMIT);
    world_compare(w);
    world_destroy(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_handle_to_a_removed_node_is_stale_for_ever_also_after_its_slot_serves_another),
        cmocka_unit_test(a_handle_of_another_store_is_stale_here),
        cmocka_unit_test(positions_beyond_the_end_are_refused_and_the_end_is_not),
        cmocka_unit_test(a_range_of_children_goes_with_all_below_it),
        cmocka_unit_test(a_node_never_moves_below_itself_or_its_descendant),
        cmocka_unit_test(a_move_keeps_the_handle_and_the_subtree),
        cmocka_unit_test(a_move_to_where_the_node_stands_is_no_edit),
        cmocka_unit_test(a_leaf_that_gets_a_child_is_loaded_from_then_on),
        cmocka_unit_test(a_node_that_becomes_a_leaf_loses_what_is_below_it_and_may_open_again_later),
        cmocka_unit_test(a_value_that_does_not_differ_is_no_edit),
        cmocka_unit_test(a_store_that_is_full_takes_no_more_and_one_that_shrank_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
