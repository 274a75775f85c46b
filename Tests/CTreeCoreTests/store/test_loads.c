/* Loading children: tickets, pages, failures, and what a reload keeps. */
#include "support/assertions.h"
#include "support/sketch.h"
#include "support/unit.h"

static ctree_ticket begin(world *w, ctree_node node, uint32_t flags) {
    op call = {.kind = OP_BEGIN, .node = node, .flags = flags};
    CHECK_EQUAL(world_do(w, &call), CTREE_OK);
    CHECK(call.ticket != 0);
    return call.ticket;
}

static ctree_status try_begin(world *w, ctree_node node, uint32_t flags, ctree_ticket *ticket) {
    op call = {.kind = OP_BEGIN, .node = node, .flags = flags};
    ctree_status status = world_do(w, &call);
    *ticket = call.ticket;
    return status;
}

static ctree_status fail_load(world *w, ctree_node node, ctree_ticket ticket, uint64_t error) {
    op call = {.kind = OP_FAIL, .node = node, .ticket = ticket, .value = error};
    return world_do(w, &call);
}

static ctree_status cancel_load(world *w, ctree_node node, ctree_ticket ticket) {
    op call = {.kind = OP_CANCEL, .node = node, .ticket = ticket};
    return world_do(w, &call);
}

static ctree_node next_request(world *w) {
    op call = {.kind = OP_NEXT_REQUEST};
    CHECK_EQUAL(world_do(w, &call), CTREE_OK);
    return call.out;
}

static ctree_load_state state_of(const world *w, char name) { return ctree_store_load_state(w->store, at(w, name)); }

static bool has_more(const world *w, char name) {
    ctree_node_info info = {.size = sizeof info};
    CHECK_EQUAL(ctree_store_info(w->store, at(w, name), &info), CTREE_OK);
    return info.more;
}

/* ---- Late, early and unwanted results -------------------------------------------------------------------------- */

WORLD_TEST(a_result_for_a_node_hidden_meanwhile_is_kept_and_shown_at_the_next_expand) {
    sketch(w, "A[x?]");
    world_view(w, 0, 0, CTREE_ALL_LEVELS);
    ctree_ticket ticket = begin(w, at(w, 'x'), 0);
    assert_int_equal(world_on(w, OP_COLLAPSE, at(w, 'x')), CTREE_OK);
    assert_int_equal(world_on(w, OP_COLLAPSE, at(w, 'A')), CTREE_OK);
    assert_int_equal(sketch_finish(w, at(w, 'x'), ticket, "1 2"), CTREE_OK);
    assert_shows(w, 0, "A");
    assert_int_equal(world_on(w, OP_EXPAND, at(w, 'x')), CTREE_OK);
    assert_shows(w, 0, "A");
    assert_int_equal(world_on(w, OP_EXPAND, at(w, 'A')), CTREE_OK);
    assert_shows(w, 0, "A .x ..1 ..2");
    assert_int_equal(next_request(w), CTREE_NONE);
}

WORLD_TEST(a_result_for_a_removed_node_is_refused) {
    sketch(w, "A[x?]");
    ctree_node x = at(w, 'x');
    ctree_ticket ticket = begin(w, x, 0);
    assert_int_equal(world_on(w, OP_REMOVE, at(w, 'A')), CTREE_OK);
    assert_int_equal(sketch_finish(w, x, ticket, "1 2"), CTREE_STALE);
    sketch(w, "A[x?]"); /* the same identifier, another node */
    assert_int_equal(sketch_finish(w, x, ticket, "1 2"), CTREE_STALE);
    assert_int_equal(sketch_finish(w, at(w, 'x'), ticket, "1 2"), CTREE_SUPERSEDED);
    assert_holds(w, "A[x]");
}

WORLD_TEST(of_two_loads_of_a_node_the_later_begun_one_wins_whatever_the_order_of_arrival) {
    sketch(w, "A? B?");
    ctree_ticket old = begin(w, at(w, 'A'), 0), fresh = begin(w, at(w, 'A'), CTREE_LOAD_RELOAD);
    assert_true(old != fresh);
    assert_int_equal(sketch_finish(w, at(w, 'A'), old, "1 2"), CTREE_SUPERSEDED);
    assert_int_equal(sketch_finish(w, at(w, 'A'), fresh, "3"), CTREE_OK);
    assert_holds(w, "A[3] B");

    old = begin(w, at(w, 'B'), 0);
    fresh = begin(w, at(w, 'B'), CTREE_LOAD_RELOAD);
    assert_int_equal(sketch_finish(w, at(w, 'B'), fresh, "4"), CTREE_OK);
    assert_int_equal(sketch_finish(w, at(w, 'B'), old, "1 2"), CTREE_SUPERSEDED);
    assert_int_equal(sketch_finish(w, at(w, 'B'), fresh, "5"), CTREE_SUPERSEDED); /* it has ended */
    assert_holds(w, "A[3] B[4]");
}

WORLD_TEST(loads_of_different_nodes_never_disturb_each_other) {
    sketch(w, "A[x?] B? C?");
    ctree_ticket a = begin(w, at(w, 'A'), CTREE_LOAD_RELOAD), x = begin(w, at(w, 'x'), 0);
    ctree_ticket b = begin(w, at(w, 'B'), 0), c = begin(w, at(w, 'C'), 0);
    assert_int_equal(fail_load(w, at(w, 'B'), b, 3), CTREE_OK);
    assert_int_equal(cancel_load(w, at(w, 'C'), c), CTREE_OK);
    assert_int_equal(sketch_finish(w, at(w, 'A'), a, "n x="), CTREE_OK);
    assert_int_equal(ctree_load_check(w->store, at(w, 'x'), x), CTREE_OK); /* it survives the reconcile of its node */
    op move = {.kind = OP_MOVE, .node = at(w, 'x'), .parent = at(w, 'C'), .at = 0};
    assert_int_equal(world_do(w, &move), CTREE_OK);
    assert_int_equal(sketch_finish(w, at(w, 'x'), x, "1"), CTREE_OK); /* and its move */
    assert_holds(w, "A[n] B C[x[1]]");
    /* A ticket is good for its own node only. */
    a = begin(w, at(w, 'A'), CTREE_LOAD_RELOAD);
    assert_int_equal(sketch_finish(w, at(w, 'B'), a, "2"), CTREE_SUPERSEDED);
}

WORLD_TEST(a_cancelled_load_leaves_the_node_as_before_and_its_late_result_is_refused) {
    sketch(w, "A? B[1 2] C? D[3]");
    ctree_ticket a = begin(w, at(w, 'A'), 0);
    assert_int_equal(state_of(w, 'A'), CTREE_STATE_LOADING);
    assert_int_equal(cancel_load(w, at(w, 'A'), a), CTREE_OK);
    assert_int_equal(state_of(w, 'A'), CTREE_STATE_UNLOADED);
    assert_int_equal(sketch_finish(w, at(w, 'A'), a, "x"), CTREE_CANCELLED);
    assert_int_equal(cancel_load(w, at(w, 'A'), a), CTREE_CANCELLED);

    ctree_ticket b = begin(w, at(w, 'B'), CTREE_LOAD_RELOAD);
    assert_int_equal(cancel_load(w, at(w, 'B'), b), CTREE_OK);
    assert_int_equal(state_of(w, 'B'), CTREE_STATE_LOADED);
    assert_holds(w, "A B[1 2] C D[3]");

    ctree_ticket c = begin(w, at(w, 'C'), 0);
    assert_int_equal(fail_load(w, at(w, 'C'), c, 9), CTREE_OK);
    c = begin(w, at(w, 'C'), 0);
    assert_int_equal(ctree_load_error(w->store, at(w, 'C')), 0);
    assert_int_equal(cancel_load(w, at(w, 'C'), c), CTREE_OK);
    assert_int_equal(state_of(w, 'C'), CTREE_STATE_FAILED);
    assert_int_equal(ctree_load_error(w->store, at(w, 'C')), 9);

    /* A load in place of another comes back to what stood before both. */
    ctree_ticket first = begin(w, at(w, 'A'), 0), second = begin(w, at(w, 'A'), CTREE_LOAD_RELOAD);
    assert_int_equal(cancel_load(w, at(w, 'A'), second), CTREE_OK);
    assert_int_equal(state_of(w, 'A'), CTREE_STATE_UNLOADED);
    assert_int_equal(ctree_load_check(w->store, at(w, 'A'), first), CTREE_SUPERSEDED);
}

WORLD_TEST(a_retry_that_is_cancelled_leaves_what_a_later_one_does_as_it_was) {
    sketch(w, "A?");
    ctree_ticket a = begin(w, at(w, 'A'), 0);
    assert_int_equal(sketch_append(w, at(w, 'A'), a, "1 2", true), CTREE_OK);
    assert_int_equal(fail_load(w, at(w, 'A'), a, 9), CTREE_OK);
    assert_int_equal(cancel_load(w, at(w, 'A'), begin(w, at(w, 'A'), CTREE_LOAD_RELOAD)), CTREE_OK);
    a = begin(w, at(w, 'A'), 0); /* goes on behind the pages that came, as it would have */
    assert_int_equal(sketch_append(w, at(w, 'A'), a, "3", false), CTREE_OK);
    assert_holds(w, "A[1 2 3]");
}

WORLD_TEST(a_second_open_while_a_load_is_under_way_starts_none_unless_asked_to) {
    sketch(w, "A? B");
    world_view(w, 0, 0, 0);
    ctree_ticket ticket = begin(w, at(w, 'A'), 0), other = 0;
    assert_int_equal(try_begin(w, at(w, 'A'), 0, &other), CTREE_LOADING);
    assert_int_equal(other, ticket);
    assert_int_equal(world_on(w, OP_EXPAND, at(w, 'A')), CTREE_OK);
    assert_int_equal(next_request(w), CTREE_NONE);
    assert_int_equal(sketch_finish(w, at(w, 'A'), ticket, "x"), CTREE_OK);
    assert_int_equal(try_begin(w, at(w, 'A'), 0, &other), CTREE_DUPLICATE);
    assert_int_equal(try_begin(w, at(w, 'A'), CTREE_LOAD_RELOAD, &other), CTREE_OK);
    assert_int_equal(try_begin(w, at(w, 'B'), 0, &other), CTREE_LEAF);
    assert_int_equal(try_begin(w, at(w, 'B'), CTREE_LOAD_RELOAD, &other), CTREE_LEAF);
}

/* ---- Failing -----------------------------------------------------------------------------------------------------
 */

WORLD_TEST(a_failed_load_keeps_its_error_and_opening_again_retries) {
    sketch(w, "A? B[1]");
    world_view(w, 0, 0, 0);
    assert_int_equal(world_on(w, OP_EXPAND, at(w, 'A')), CTREE_OK);
    assert_int_equal(next_request(w), at(w, 'A'));
    ctree_ticket ticket = begin(w, at(w, 'A'), 0);
    assert_int_equal(fail_load(w, at(w, 'A'), ticket, 42), CTREE_OK);
    assert_int_equal(w->mirror.told[CTREE_EDIT_CHANGE], 1);
    assert_int_equal(state_of(w, 'A'), CTREE_STATE_FAILED);
    assert_int_equal(ctree_load_error(w->store, at(w, 'A')), 42);
    assert_int_equal(sketch_finish(w, at(w, 'A'), ticket, "x"), CTREE_SUPERSEDED);
    assert_int_equal(world_on(w, OP_EXPAND, at(w, 'A')), CTREE_OK); /* it is expanded already: still it asks again */
    assert_int_equal(next_request(w), at(w, 'A'));

    /* A failed reload keeps its rows. */
    assert_int_equal(world_on(w, OP_EXPAND, at(w, 'B')), CTREE_OK);
    ticket = begin(w, at(w, 'B'), CTREE_LOAD_RELOAD);
    assert_int_equal(fail_load(w, at(w, 'B'), ticket, 7), CTREE_OK);
    assert_shows(w, 0, "A B .1");

    /* The app may turn it into a leaf. */
    op leaf = {.kind = OP_SET_LEAF, .node = at(w, 'A'), .flag = true};
    assert_int_equal(world_do(w, &leaf), CTREE_OK);
    assert_int_equal(ctree_load_error(w->store, at(w, 'A')), 0);
    assert_int_equal(next_request(w), CTREE_NONE);
}

/* ---- Nothing there ------------------------------------------------------------------------------------------------
 */

WORLD_TEST(loaded_with_no_children_is_not_unloaded) {
    sketch(w, "A?");
    ctree_view *plain = world_view(w, 0, 0, 0);
    ctree_view *open = world_view(w, 1, CTREE_VIEW_EMPTY_CAN_OPEN, 0);
    assert_true(ctree_view_is_expandable(plain, at(w, 'A')));
    assert_int_equal(sketch_finish(w, at(w, 'A'), begin(w, at(w, 'A'), 0), ""), CTREE_OK);
    assert_int_equal(state_of(w, 'A'), CTREE_STATE_LOADED);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(world_on(w, OP_EXPAND, at(w, 'A')), CTREE_OK);
        assert_int_equal(world_on(w, OP_COLLAPSE, at(w, 'A')), CTREE_OK);
        assert_int_equal(world_on(w, OP_REQUEST, at(w, 'A')), CTREE_OK);
    }
    assert_int_equal(next_request(w), CTREE_NONE);
    assert_false(ctree_view_is_expandable(plain, at(w, 'A')));
    assert_true(ctree_view_is_expandable(open, at(w, 'A')));
}

WORLD_TEST(children_given_up_front_count_as_loaded) {
    sketch(w, "A[x] B[] C? D");
    world_view(w, 0, 0, CTREE_ALL_LEVELS);
    assert_int_equal(next_request(w), at(w, 'C'));
    assert_int_equal(next_request(w), CTREE_NONE);
}

/* ---- Pages
 * --------------------------------------------------------------------------------------------------------- */

WORLD_TEST(pages_append_and_more_to_come_is_part_of_the_state) {
    sketch(w, "A?");
    ctree_ticket ticket = begin(w, at(w, 'A'), 0);
    assert_int_equal(sketch_append(w, at(w, 'A'), ticket, "1 2", true), CTREE_OK);
    assert_int_equal(state_of(w, 'A'), CTREE_STATE_LOADED);
    assert_true(has_more(w, 'A'));
    assert_int_equal(sketch_append(w, at(w, 'A'), ticket, "3[x]", true), CTREE_OK);
    assert_int_equal(sketch_append(w, at(w, 'A'), ticket, "", true), CTREE_OK);
    assert_int_equal(sketch_append(w, at(w, 'A'), ticket, "4", false), CTREE_OK);
    assert_holds(w, "A[1 2 3[x] 4]");
    assert_false(has_more(w, 'A'));
    assert_int_equal(sketch_append(w, at(w, 'A'), ticket, "5", false), CTREE_SUPERSEDED);
}

WORLD_TEST(a_page_that_repeats_an_identifier_leaves_the_earlier_pages_and_the_load_alone) {
    sketch(w, "A? B[z]");
    ctree_ticket ticket = begin(w, at(w, 'A'), 0);
    assert_int_equal(sketch_append(w, at(w, 'A'), ticket, "1 2", true), CTREE_OK);
    assert_int_equal(sketch_append(w, at(w, 'A'), ticket, "3 2", true), CTREE_DUPLICATE);
    assert_int_equal(sketch_append(w, at(w, 'A'), ticket, "3 z", false), CTREE_DUPLICATE);
    assert_int_equal(sketch_append(w, at(w, 'A'), ticket, "3 3", false), CTREE_DUPLICATE);
    assert_holds(w, "A[1 2] B[z]");
    assert_true(has_more(w, 'A'));
    assert_int_equal(sketch_append(w, at(w, 'A'), ticket, "3", false), CTREE_OK);
    assert_holds(w, "A[1 2 3] B[z]");
}

WORLD_TEST(the_first_page_of_a_reload_replaces_and_keeps_what_it_finds_again) {
    sketch(w, "A[1[x] 2 3]");
    ctree_node one = at(w, '1');
    ctree_ticket ticket = begin(w, at(w, 'A'), CTREE_LOAD_RELOAD);
    assert_holds(w, "A[1[x] 2 3]"); /* what was there stays until the new list is in */
    assert_int_equal(sketch_append(w, at(w, 'A'), ticket, "4 1=", true), CTREE_OK);
    assert_holds(w, "A[4 1[x]]");
    assert_int_equal(at(w, '1'), one);
    assert_int_equal(sketch_append(w, at(w, 'A'), ticket, "2", false), CTREE_OK);
    assert_holds(w, "A[4 1[x] 2]");
}

WORLD_TEST(a_load_cancelled_between_pages_keeps_them_and_may_go_on_later) {
    sketch(w, "A?");
    ctree_ticket ticket = begin(w, at(w, 'A'), 0);
    assert_int_equal(sketch_append(w, at(w, 'A'), ticket, "1 2", true), CTREE_OK);
    assert_int_equal(cancel_load(w, at(w, 'A'), ticket), CTREE_OK);
    assert_int_equal(state_of(w, 'A'), CTREE_STATE_LOADED);
    assert_true(has_more(w, 'A'));
    assert_int_equal(sketch_append(w, at(w, 'A'), ticket, "3", true), CTREE_CANCELLED);
    ticket = begin(w, at(w, 'A'), 0); /* more is to come, so that this is no reload */
    assert_int_equal(sketch_append(w, at(w, 'A'), ticket, "3", false), CTREE_OK);
    assert_holds(w, "A[1 2 3]");
}

/* ---- Reload and drop
 * ----------------------------------------------------------------------------------------------- */

WORLD_TEST(a_reload_keeps_what_is_still_there_and_tells_only_differences) {
    sketch(w, "A[1[x y] 2 3[z]]");
    world_view(w, 0, 0, 0);
    assert_int_equal(world_on(w, OP_EXPAND, at(w, 'A')), CTREE_OK);
    assert_int_equal(world_on(w, OP_EXPAND, at(w, '1')), CTREE_OK);
    ctree_node one = at(w, '1'), x = at(w, 'x');
    ctree_ticket ticket = begin(w, at(w, 'A'), CTREE_LOAD_RELOAD);
    assert_shows(w, 0, "A .1 ..x ..y .2 .3");
    assert_int_equal(sketch_finish(w, at(w, 'A'), ticket, "1= n 3="), CTREE_OK);
    assert_shows(w, 0, "A .1 ..x ..y .n .3");
    assert_int_equal(at(w, '1'), one);
    assert_int_equal(at(w, 'x'), x);
    assert_int_equal(w->mirror.told[CTREE_EDIT_REMOVE], 1);
    assert_int_equal(w->mirror.told[CTREE_EDIT_INSERT], 1);
    assert_int_equal(w->mirror.told[CTREE_EDIT_MOVE], 0);
    assert_int_equal(w->mirror.told[CTREE_EDIT_CHANGE], 1); /* loading to loaded */
}

WORLD_TEST(a_finish_that_fails_leaves_the_load_under_way) {
    sketch(w, "A? B[x]");
    ctree_ticket ticket = begin(w, at(w, 'A'), 0);
    op finish = {.kind = OP_FINISH, .node = at(w, 'A'), .ticket = ticket};
    ctree_id ids[] = {ctree_id_u64('1'), ctree_id_u64('x')};
    ctree_forest forest = CTREE_FOREST_INIT;
    forest.count = 2;
    forest.ids = ids;
    finish.forest = &forest;
    assert_int_equal(world_do(w, &finish), CTREE_DUPLICATE);
    assert_int_equal(finish.fault.item, 1);
    assert_int_equal(finish.fault.node, at(w, 'x'));
    assert_int_equal(ctree_load_check(w->store, at(w, 'A'), ticket), CTREE_OK);
    assert_int_equal(sketch_finish(w, at(w, 'A'), ticket, "1 x"), CTREE_OK); /* the usual way: it moves */
    assert_holds(w, "A[1 x] B");
}

WORLD_TEST(a_dropped_subtree_is_unloaded_and_its_load_cancelled) {
    sketch(w, "A[x[y]] B C?");
    world_view(w, 0, 0, CTREE_ALL_LEVELS);
    ctree_ticket ticket = begin(w, at(w, 'A'), CTREE_LOAD_RELOAD);
    assert_int_equal(world_on(w, OP_DROP, at(w, 'A')), CTREE_OK);
    assert_holds(w, "A B C");
    assert_int_equal(state_of(w, 'A'), CTREE_STATE_UNLOADED);
    assert_int_equal(ctree_load_check(w->store, at(w, 'A'), ticket), CTREE_CANCELLED);
    assert_int_equal(world_on(w, OP_DROP, at(w, 'B')), CTREE_LEAF);
    assert_int_equal(world_on(w, OP_DROP, at(w, 'C')), CTREE_OK);
    assert_int_equal(w->mirror.edits, 0);
    /* The next open loads it again. */
    while (next_request(w) != CTREE_NONE) continue;
    assert_int_equal(world_on(w, OP_EXPAND, at(w, 'A')), CTREE_OK);
    assert_int_equal(next_request(w), at(w, 'A'));
}

/* ---- Requests
 * ------------------------------------------------------------------------------------------------------ */

WORLD_TEST(requests_come_oldest_first_and_once_each_while_they_stand) {
    sketch(w, "A? B? C? D? E[x]");
    assert_int_equal(world_on(w, OP_REQUEST, at(w, 'C')), CTREE_OK);
    assert_int_equal(world_on(w, OP_REQUEST, at(w, 'A')), CTREE_OK);
    assert_int_equal(world_on(w, OP_REQUEST, at(w, 'B')), CTREE_OK);
    assert_int_equal(world_on(w, OP_REQUEST, at(w, 'C')), CTREE_OK);
    assert_int_equal(world_on(w, OP_REQUEST, at(w, 'D')), CTREE_OK);
    assert_int_equal(world_on(w, OP_REQUEST, at(w, 'E')), CTREE_OK); /* loaded: nothing to do */
    assert_int_equal(world_on(w, OP_REQUEST, at(w, 'x')), CTREE_LEAF);
    ctree_ticket ticket = begin(w, at(w, 'A'), 0); /* its request is done with */
    assert_int_equal(cancel_load(w, at(w, 'A'), ticket), CTREE_OK);
    assert_int_equal(world_on(w, OP_REMOVE, at(w, 'B')), CTREE_OK);
    assert_int_equal(next_request(w), at(w, 'C'));
    assert_int_equal(world_on(w, OP_REQUEST, at(w, 'A')), CTREE_OK); /* and asked anew it stands behind the others */
    assert_int_equal(next_request(w), at(w, 'D'));
    assert_int_equal(next_request(w), at(w, 'A'));
    assert_int_equal(next_request(w), CTREE_NONE);
}

WORLD_TEST(whatever_opens_a_node_asks_for_its_load_once) {
    world_view(w, 0, 0, 1);
    world_view(w, 1, 0, 2);
    sketch(w, "A? B[x?]"); /* by default in both views, x in one */
    assert_int_equal(world_on(w, OP_EXPAND, at(w, 'A')), CTREE_OK);
    assert_int_equal(world_on(w, OP_EXPAND, at(w, 'x')), CTREE_OK);
    op all = {.kind = OP_EXPAND_ALL, .levels = CTREE_ALL_LEVELS};
    assert_int_equal(world_do(w, &all), CTREE_OK);
    ctree_node first = next_request(w), second = next_request(w);
    assert_true((first == at(w, 'A') && second == at(w, 'x')) || (first == at(w, 'x') && second == at(w, 'A')));
    assert_int_equal(next_request(w), CTREE_NONE);
    sketch_below(w, at(w, 'B'), "y?"); /* expand all acted once; y is open by default in one view */
    assert_int_equal(next_request(w), at(w, 'y'));
    assert_int_equal(next_request(w), CTREE_NONE);
}

WORLD_TEST(reads_change_nothing) {
    sketch(w, "A? B[x?]");
    world_view(w, 0, 0, 0);
    world_compare(w);
    assert_int_equal(next_request(w), CTREE_NONE);
    assert_int_equal(state_of(w, 'A'), CTREE_STATE_UNLOADED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_result_for_a_node_hidden_meanwhile_is_kept_and_shown_at_the_next_expand),
        cmocka_unit_test(a_result_for_a_removed_node_is_refused),
        cmocka_unit_test(of_two_loads_of_a_node_the_later_begun_one_wins_whatever_the_order_of_arrival),
        cmocka_unit_test(loads_of_different_nodes_never_disturb_each_other),
        cmocka_unit_test(a_cancelled_load_leaves_the_node_as_before_and_its_late_result_is_refused),
        cmocka_unit_test(a_retry_that_is_cancelled_leaves_what_a_later_one_does_as_it_was),
        cmocka_unit_test(a_second_open_while_a_load_is_under_way_starts_none_unless_asked_to),
        cmocka_unit_test(a_failed_load_keeps_its_error_and_opening_again_retries),
        cmocka_unit_test(loaded_with_no_children_is_not_unloaded),
        cmocka_unit_test(children_given_up_front_count_as_loaded),
        cmocka_unit_test(pages_append_and_more_to_come_is_part_of_the_state),
        cmocka_unit_test(a_page_that_repeats_an_identifier_leaves_the_earlier_pages_and_the_load_alone),
        cmocka_unit_test(the_first_page_of_a_reload_replaces_and_keeps_what_it_finds_again),
        cmocka_unit_test(a_load_cancelled_between_pages_keeps_them_and_may_go_on_later),
        cmocka_unit_test(a_reload_keeps_what_is_still_there_and_tells_only_differences),
        cmocka_unit_test(a_finish_that_fails_leaves_the_load_under_way),
        cmocka_unit_test(a_dropped_subtree_is_unloaded_and_its_load_cancelled),
        cmocka_unit_test(requests_come_oldest_first_and_once_each_while_they_stand),
        cmocka_unit_test(whatever_opens_a_node_asks_for_its_load_once),
        cmocka_unit_test(reads_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
