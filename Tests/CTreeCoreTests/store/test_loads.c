/* Loads: tickets, pages, failures, what is kept and what is refused; and the queue of requests. */
#include "support/assertions.h"
#include "support/forest_box.h"
#include "support/sketch.h"
#include "support/unit.h"

static ctree_status begin(world *w, ctree_node node, uint32_t flags, ctree_ticket *ticket) {
    op call = {.kind = OP_BEGIN, .node = node, .flags = flags};
    ctree_status status = world_do(w, &call);
    *ticket = call.ticket;
    return status;
}

static ctree_ticket begun(world *w, ctree_node node) {
    ctree_ticket ticket;
    assert_int_equal(begin(w, node, 0, &ticket), CTREE_OK);
    return ticket;
}

static ctree_ticket begun_anew(world *w, ctree_node node) {
    ctree_ticket ticket;
    assert_int_equal(begin(w, node, CTREE_LOAD_RELOAD, &ticket), CTREE_OK);
    return ticket;
}

static ctree_status cancel(world *w, ctree_node node, ctree_ticket ticket) {
    op call = {.kind = OP_CANCEL, .node = node, .ticket = ticket};
    return world_do(w, &call);
}

static ctree_status let_fail(world *w, ctree_node node, ctree_ticket ticket, uint64_t error) {
    op call = {.kind = OP_FAIL, .node = node, .ticket = ticket, .value = error};
    return world_do(w, &call);
}

static ctree_node next_request(world *w) {
    op call = {.kind = OP_NEXT_REQUEST};
    world_do(w, &call);
    return call.out;
}

static void assert_state(const world *w, ctree_node node, ctree_load_state state, bool more) {
    ctree_node_info info = {.size = sizeof info};
    assert_int_equal(ctree_store_info(w->store, node, &info), CTREE_OK);
    assert_int_equal(info.load_state, state);
    assert_int_equal(info.more, more);
}

#define assert_check(w, node, ticket, status) assert_int_equal(ctree_load_check((w)->store, node, ticket), status)

/* ---- One load -----------------------------------------------------------------------------------------------------
 */

WORLD_TEST(a_load_ends_loaded_also_with_no_children) {
    sketch(w, "A? B? c");
    ctree_node a = at(w, 'A'), b = at(w, 'B');
    ctree_ticket first = begun(w, a), second = begun(w, b), none;
    assert_true(first != 0 && second != 0 && first != second);
    assert_state(w, a, CTREE_STATE_LOADING, false);
    assert_int_equal(sketch_finish(w, a, first, "x y?"), CTREE_OK);
    assert_int_equal(sketch_finish(w, b, second, ""), CTREE_OK);
    assert_state(w, a, CTREE_STATE_LOADED, false);
    assert_state(w, b, CTREE_STATE_LOADED, false);
    assert_holds(w, "A[x y] B c");
    assert_int_equal(begin(w, b, 0, &none), CTREE_DUPLICATE);
    assert_int_equal(begin(w, at(w, 'c'), 0, &none), CTREE_LEAF);
    assert_int_equal(begin(w, CTREE_NONE, 0, &none), CTREE_STALE);
    assert_int_equal(begin(w, a, 2, &none), CTREE_INVALID);
}

WORLD_TEST(a_ticket_that_has_ended_is_superseded) {
    sketch(w, "A?");
    ctree_node a = at(w, 'A');
    ctree_ticket ticket = begun(w, a);
    assert_check(w, a, ticket, CTREE_OK);
    assert_check(w, a, ticket + 1, CTREE_SUPERSEDED);
    assert_check(w, a, 0, CTREE_SUPERSEDED);
    assert_int_equal(sketch_finish(w, a, ticket, "x"), CTREE_OK);
    assert_check(w, a, ticket, CTREE_SUPERSEDED);
    assert_int_equal(sketch_finish(w, a, ticket, "y"), CTREE_SUPERSEDED);
    assert_int_equal(sketch_append(w, a, ticket, "y", false), CTREE_SUPERSEDED);
    assert_int_equal(let_fail(w, a, ticket, 1), CTREE_SUPERSEDED);
    assert_int_equal(cancel(w, a, ticket), CTREE_SUPERSEDED);
    assert_holds(w, "A[x]");
}

WORLD_TEST(of_two_loads_of_one_node_the_later_begun_one_wins) {
    sketch(w, "A? B?");
    ctree_node a = at(w, 'A'), b = at(w, 'B');
    ctree_ticket first = begun(w, a), other = begun(w, b), again;
    assert_int_equal(begin(w, a, 0, &again), CTREE_LOADING);
    assert_true(again == first);
    ctree_ticket second = begun_anew(w, a);
    assert_true(second > first);
    assert_int_equal(sketch_finish(w, a, first, "x"), CTREE_SUPERSEDED);
    assert_int_equal(sketch_finish(w, b, other, "z"), CTREE_OK);
    assert_int_equal(sketch_finish(w, a, second, "y"), CTREE_OK);
    assert_int_equal(sketch_finish(w, a, first, "x"), CTREE_SUPERSEDED);
    assert_holds(w, "A[y] B[z]");
}

WORLD_TEST(a_ticket_survives_moves_and_reconciles_of_its_node) {
    sketch(w, "P[A?] Q[]");
    ctree_node a = at(w, 'A');
    ctree_ticket ticket = begun(w, a);
    op move = {.kind = OP_MOVE, .node = a, .parent = at(w, 'Q'), .at = 0};
    assert_int_equal(world_do(w, &move), CTREE_OK);
    assert_int_equal(sketch_reconcile(w, CTREE_NONE, "P[A= n]", CTREE_ELSEWHERE_FAILS), CTREE_OK);
    assert_state(w, a, CTREE_STATE_LOADING, false);
    assert_check(w, a, ticket, CTREE_OK);
    assert_int_equal(sketch_finish(w, a, ticket, "x"), CTREE_OK);
    assert_holds(w, "P[A[x] n]");
}

WORLD_TEST(a_result_for_a_node_that_went_is_refused) {
    sketch(w, "A[B?]");
    ctree_node b = at(w, 'B');
    ctree_ticket ticket = begun(w, b);
    assert_int_equal(world_on(w, OP_REMOVE, at(w, 'A')), CTREE_OK);
    assert_check(w, b, ticket, CTREE_STALE);
    assert_int_equal(sketch_finish(w, b, ticket, "x"), CTREE_STALE);
    assert_int_equal(cancel(w, b, ticket), CTREE_STALE);
}

WORLD_TEST(a_leaf_ends_its_load) {
    sketch(w, "A? B?");
    ctree_node a = at(w, 'A'), b = at(w, 'B');
    ctree_ticket first = begun(w, a), second = begun(w, b);
    op leaf = {.kind = OP_SET_LEAF, .node = a, .flag = true};
    assert_int_equal(world_do(w, &leaf), CTREE_OK);
    assert_int_equal(sketch_reconcile(w, CTREE_NONE, "A B", CTREE_ELSEWHERE_FAILS), CTREE_OK);
    assert_int_equal(sketch_finish(w, a, first, "x"), CTREE_CANCELLED);
    assert_int_equal(sketch_finish(w, b, second, "x"), CTREE_CANCELLED);
    assert_state(w, a, CTREE_STATE_LEAF, false);
    assert_state(w, b, CTREE_STATE_LEAF, false);
}

/* ---- Cancel, failure, drop ----------------------------------------------------------------------------------------
 */

WORLD_TEST(a_cancelled_load_leaves_the_node_as_it_was_and_its_late_result_is_refused) {
    sketch(w, "A? B[x]");
    ctree_node a = at(w, 'A'), b = at(w, 'B');
    ctree_ticket first = begun(w, a), second = begun_anew(w, b);
    assert_state(w, b, CTREE_STATE_LOADING, false);
    assert_int_equal(cancel(w, a, first), CTREE_OK);
    assert_int_equal(cancel(w, b, second), CTREE_OK);
    assert_state(w, a, CTREE_STATE_UNLOADED, false);
    assert_state(w, b, CTREE_STATE_LOADED, false);
    assert_int_equal(sketch_finish(w, a, first, "y"), CTREE_CANCELLED);
    assert_int_equal(cancel(w, a, first), CTREE_CANCELLED);

    ctree_ticket third = begun(w, a), fourth;
    assert_check(w, a, first, CTREE_CANCELLED);
    assert_int_equal(cancel(w, a, third), CTREE_OK);
    assert_check(w, a, first, CTREE_SUPERSEDED); /* the newest cancelled one is remembered */
    assert_check(w, a, third, CTREE_CANCELLED);
    fourth = begun(w, a);
    assert_int_equal(sketch_finish(w, a, fourth, ""), CTREE_OK);
    assert_holds(w, "A B[x]");
}

WORLD_TEST(a_load_in_anothers_place_restores_what_was_before_both) {
    sketch(w, "A? B[x]");
    ctree_node a = at(w, 'A'), b = at(w, 'B');
    begun(w, a);
    begun_anew(w, b);
    ctree_ticket first = begun_anew(w, a), second = begun_anew(w, b);
    assert_int_equal(cancel(w, a, first), CTREE_OK);
    assert_int_equal(cancel(w, b, second), CTREE_OK);
    assert_state(w, a, CTREE_STATE_UNLOADED, false);
    assert_state(w, b, CTREE_STATE_LOADED, false);
}

WORLD_TEST(children_put_into_a_loading_node_outlive_its_cancel) {
    sketch(w, "A?");
    ctree_node a = at(w, 'A');
    ctree_ticket ticket = begun(w, a);
    world_insert(w, a, 0, ctree_id_u64('x'), CTREE_STATE_LEAF);
    assert_state(w, a, CTREE_STATE_LOADING, false);
    assert_int_equal(cancel(w, a, ticket), CTREE_OK);
    assert_state(w, a, CTREE_STATE_LOADED, false);
    assert_holds(w, "A[x]");
}

WORLD_TEST(a_reconcile_during_a_load_is_what_its_cancel_leaves) {
    sketch(w, "A? B?");
    ctree_node a = at(w, 'A'), b = at(w, 'B');
    ctree_ticket first = begun(w, a), second = begun(w, b);
    assert_int_equal(sketch_reconcile(w, a, "x", CTREE_ELSEWHERE_FAILS), CTREE_OK);
    assert_int_equal(sketch_reconcile(w, CTREE_NONE, "A= B[y]", CTREE_ELSEWHERE_FAILS), CTREE_OK);
    assert_state(w, a, CTREE_STATE_LOADING, false);
    assert_state(w, b, CTREE_STATE_LOADING, false);
    assert_int_equal(cancel(w, a, first), CTREE_OK);
    assert_state(w, a, CTREE_STATE_LOADED, false);
    assert_int_equal(sketch_finish(w, b, second, "z"), CTREE_OK);
    assert_holds(w, "A[x] B[z]");
}

WORLD_TEST(an_empty_list_set_during_a_load_is_what_its_cancel_leaves) {
    sketch(w, "A? B?");
    ctree_node a = at(w, 'A'), b = at(w, 'B');
    ctree_ticket first = begun(w, a), second = begun(w, b);
    assert_int_equal(sketch_reconcile(w, a, "", CTREE_ELSEWHERE_FAILS), CTREE_OK);
    assert_int_equal(cancel(w, a, first), CTREE_OK);
    assert_state(w, a, CTREE_STATE_LOADED, false);

    /* Between pages it is for the load to say whether more is to come. */
    assert_int_equal(sketch_append(w, b, second, "1", true), CTREE_OK);
    assert_int_equal(sketch_reconcile(w, b, "2", CTREE_ELSEWHERE_FAILS), CTREE_OK);
    assert_state(w, b, CTREE_STATE_LOADED, true);
    assert_int_equal(cancel(w, b, second), CTREE_OK);
    assert_state(w, b, CTREE_STATE_LOADED, true);
}

WORLD_TEST(a_failed_load_keeps_its_error_and_its_rows_and_may_be_tried_again) {
    sketch(w, "A? B[x]");
    ctree_node a = at(w, 'A'), b = at(w, 'B');
    assert_int_equal(let_fail(w, a, begun(w, a), 404), CTREE_OK);
    assert_int_equal(let_fail(w, b, begun_anew(w, b), 500), CTREE_OK);
    assert_state(w, a, CTREE_STATE_FAILED, false);
    assert_true(ctree_load_error(w->store, a) == 404 && ctree_load_error(w->store, b) == 500);
    assert_holds(w, "A B[x]");
    ctree_ticket ticket = begun(w, a);
    assert_true(ctree_load_error(w->store, a) == 0);
    assert_int_equal(cancel(w, a, ticket), CTREE_OK);
    assert_true(ctree_load_error(w->store, a) == 404);
    assert_int_equal(sketch_finish(w, a, begun(w, a), "y"), CTREE_OK);
    assert_true(ctree_load_error(w->store, a) == 0);
    op leaf = {.kind = OP_SET_LEAF, .node = b, .flag = true};
    assert_int_equal(world_do(w, &leaf), CTREE_OK);
    assert_true(ctree_load_error(w->store, b) == 0);
    assert_holds(w, "A[y] B");
}

WORLD_TEST(a_dropped_subtree_is_unloaded_and_loads_again) {
    sketch(w, "A[x[p q?] y] b");
    ctree_node a = at(w, 'A');
    ctree_ticket inner = begun(w, at(w, 'q')), outer = begun_anew(w, a);
    ctree_node q = at(w, 'q');
    assert_int_equal(world_on(w, OP_DROP, a), CTREE_OK);
    assert_state(w, a, CTREE_STATE_UNLOADED, false);
    assert_holds(w, "A b");
    assert_check(w, a, outer, CTREE_CANCELLED);
    assert_check(w, q, inner, CTREE_STALE);
    assert_int_equal(world_on(w, OP_DROP, a), CTREE_OK);
    assert_true(w->mirror.edits == 0);
    assert_int_equal(world_on(w, OP_DROP, at(w, 'b')), CTREE_LEAF);
    assert_int_equal(sketch_finish(w, a, begun(w, a), "x"), CTREE_OK);
    assert_holds(w, "A[x] b");
}

/* ---- Results ------------------------------------------------------------------------------------------------------
 */

WORLD_TEST(a_reload_keeps_nodes_by_identifier_and_tells_only_what_differs) {
    sketch(w, "A[x[p] y z]");
    ctree_node a = at(w, 'A'), x = at(w, 'x');
    ctree_ticket ticket = begun_anew(w, a);
    assert_holds(w, "A[x[p] y z]"); /* the old rows stay until the new list is in */
    assert_int_equal(sketch_finish(w, a, ticket, "x= z n"), CTREE_OK);
    assert_true(w->mirror.told[CTREE_EDIT_REMOVE] == 1 && w->mirror.told[CTREE_EDIT_INSERT] == 1);
    assert_true(w->mirror.told[CTREE_EDIT_MOVE] == 0 && w->mirror.told[CTREE_EDIT_CHANGE] == 1);
    assert_true(at(w, 'x') == x);
    assert_holds(w, "A[x[p] z n]");
    ticket = begun_anew(w, a);
    assert_int_equal(sketch_finish(w, a, ticket, "x= z n"), CTREE_OK);
    assert_true(w->mirror.edits == 1);
}

WORLD_TEST(a_new_folder_may_be_refreshed_before_the_old_one) {
    sketch(w, "A[x[p] y] B[z]");
    ctree_node a = at(w, 'A'), b = at(w, 'B'), x = at(w, 'x');
    ctree_ticket first = begun_anew(w, a), second = begun_anew(w, b);
    assert_int_equal(sketch_finish(w, b, second, "z x="), CTREE_OK);
    assert_true(at(w, 'x') == x);
    assert_int_equal(sketch_finish(w, a, first, "y"), CTREE_OK);
    assert_holds(w, "A[y] B[z x[p]]");
}

WORLD_TEST(a_result_with_a_fault_leaves_the_load_under_way) {
    sketch(w, "A[B?] c");
    ctree_node b = at(w, 'B');
    ctree_ticket ticket = begun(w, b);
    assert_int_equal(sketch_finish(w, b, ticket, "x x"), CTREE_DUPLICATE);
    assert_int_equal(sketch_finish(w, b, ticket, "A="), CTREE_CYCLE);
    assert_int_equal(ctree_load_finish(w->store, b, ticket, NULL, 0, NULL, NULL), CTREE_INVALID);
    assert_check(w, b, ticket, CTREE_OK);
    assert_state(w, b, CTREE_STATE_LOADING, false);
    assert_int_equal(sketch_finish(w, b, ticket, "x"), CTREE_OK);
}

WORLD_TEST(pages_append_and_more_to_come_is_part_of_the_state) {
    sketch(w, "A? b");
    ctree_node a = at(w, 'A');
    ctree_ticket ticket = begun(w, a), again;
    assert_int_equal(sketch_append(w, a, ticket, "1 2", true), CTREE_OK);
    assert_state(w, a, CTREE_STATE_LOADED, true);
    assert_int_equal(begin(w, a, 0, &again), CTREE_LOADING);
    assert_int_equal(sketch_append(w, a, ticket, "3 2", true), CTREE_DUPLICATE);
    assert_int_equal(sketch_append(w, a, ticket, "3 b", true), CTREE_DUPLICATE);
    assert_int_equal(sketch_append(w, a, ticket, "3[p q?] 4", true), CTREE_OK);
    assert_int_equal(sketch_append(w, a, ticket, "", false), CTREE_OK);
    assert_state(w, a, CTREE_STATE_LOADED, false);
    assert_check(w, a, ticket, CTREE_SUPERSEDED);
    assert_holds(w, "A[1 2 3[p q] 4] b");
}

WORLD_TEST(pages_that_came_outlive_a_cancel_and_are_gone_on_from) {
    sketch(w, "A?");
    ctree_node a = at(w, 'A');
    ctree_ticket ticket = begun(w, a);
    assert_int_equal(sketch_append(w, a, ticket, "1 2", true), CTREE_OK);
    assert_int_equal(cancel(w, a, ticket), CTREE_OK);
    assert_state(w, a, CTREE_STATE_LOADED, true);
    ticket = begun(w, a);
    assert_state(w, a, CTREE_STATE_LOADING, true);
    assert_int_equal(sketch_append(w, a, ticket, "3", true), CTREE_OK);
    assert_int_equal(let_fail(w, a, ticket, 1), CTREE_OK);
    assert_state(w, a, CTREE_STATE_FAILED, true);
    ticket = begun(w, a);
    assert_int_equal(sketch_append(w, a, ticket, "4", false), CTREE_OK);
    assert_holds(w, "A[1 2 3 4]");
}

WORLD_TEST(the_first_page_of_a_reload_replaces_what_was_there) {
    sketch(w, "A[1 2 3] b");
    ctree_node a = at(w, 'A'), two = at(w, '2');
    ctree_ticket ticket = begun_anew(w, a);
    assert_int_equal(sketch_append(w, a, ticket, "2 b", true), CTREE_DUPLICATE);
    assert_int_equal(sketch_append(w, a, ticket, "2 4", true), CTREE_OK);
    assert_true(at(w, '2') == two);
    assert_int_equal(sketch_append(w, a, ticket, "1", false), CTREE_OK);
    assert_holds(w, "A[2 4 1] b");
}

WORLD_TEST(a_reload_that_failed_before_its_first_page_replaces_when_it_is_tried_again) {
    sketch(w, "A? B[x]");
    ctree_node a = at(w, 'A'), b = at(w, 'B');
    ctree_ticket ticket = begun(w, a);
    assert_int_equal(sketch_append(w, a, ticket, "1 2", true), CTREE_OK);
    assert_int_equal(let_fail(w, a, begun_anew(w, a), 1), CTREE_OK);
    assert_int_equal(let_fail(w, b, begun_anew(w, b), 1), CTREE_OK);
    assert_int_equal(sketch_append(w, a, begun(w, a), "2 3", false), CTREE_OK);
    assert_int_equal(sketch_append(w, b, begun(w, b), "x y", false), CTREE_OK);
    assert_holds(w, "A[2 3] B[x y]");
}

WORLD_TEST(what_was_put_by_hand_into_a_failed_node_is_replaced_by_the_first_page) {
    sketch(w, "A?");
    ctree_node a = at(w, 'A');
    assert_int_equal(let_fail(w, a, begun(w, a), 1), CTREE_OK);
    ctree_node x = world_insert(w, a, 0, ctree_id_u64('x'), CTREE_STATE_LEAF);
    assert_state(w, a, CTREE_STATE_FAILED, false);
    assert_int_equal(sketch_append(w, a, begun(w, a), "y x", false), CTREE_OK);
    assert_true(at(w, 'x') == x);
    assert_holds(w, "A[y x]");
}

WORLD_TEST(a_reload_cancelled_on_a_failed_node_forgets_that_it_would_have_replaced) {
    sketch(w, "A?");
    ctree_node a = at(w, 'A');
    ctree_ticket ticket = begun(w, a);
    assert_int_equal(sketch_append(w, a, ticket, "1 2", true), CTREE_OK);
    assert_int_equal(let_fail(w, a, ticket, 1), CTREE_OK);
    assert_int_equal(cancel(w, a, begun_anew(w, a)), CTREE_OK);
    assert_int_equal(sketch_append(w, a, begun(w, a), "3", false), CTREE_OK);
    assert_holds(w, "A[1 2 3]");
}

/* ---- Requests -----------------------------------------------------------------------------------------------------
 */

WORLD_TEST(requests_come_out_once_in_the_order_they_came) {
    sketch(w, "A? B? C? D[] e");
    assert_int_equal(world_on(w, OP_REQUEST, at(w, 'B')), CTREE_OK);
    assert_int_equal(world_on(w, OP_REQUEST, at(w, 'A')), CTREE_OK);
    assert_int_equal(world_on(w, OP_REQUEST, at(w, 'B')), CTREE_OK);
    assert_int_equal(world_on(w, OP_REQUEST, at(w, 'D')), CTREE_OK);
    assert_int_equal(world_on(w, OP_REQUEST, at(w, 'e')), CTREE_LEAF);
    assert_int_equal(world_on(w, OP_REQUEST, CTREE_NONE), CTREE_STALE);
    assert_true(next_request(w) == at(w, 'B'));
    assert_int_equal(world_on(w, OP_REQUEST, at(w, 'B')), CTREE_OK);
    assert_true(next_request(w) == at(w, 'A'));
    assert_true(next_request(w) == at(w, 'B'));
    assert_true(next_request(w) == CTREE_NONE);
}

WORLD_TEST(a_begin_is_the_end_of_its_request_and_a_later_one_waits_its_turn) {
    sketch(w, "A? B? C?");
    ctree_node a = at(w, 'A');
    world_on(w, OP_REQUEST, a);
    world_on(w, OP_REQUEST, at(w, 'B'));
    world_on(w, OP_REQUEST, at(w, 'C'));
    assert_int_equal(cancel(w, a, begun(w, a)), CTREE_OK);
    assert_int_equal(world_on(w, OP_REQUEST, a), CTREE_OK);
    assert_true(next_request(w) == at(w, 'B'));
    assert_int_equal(world_on(w, OP_REMOVE, at(w, 'C')), CTREE_OK);
    assert_true(next_request(w) == a);
    assert_true(next_request(w) == CTREE_NONE);
    assert_int_equal(let_fail(w, a, begun(w, a), 1), CTREE_OK);
    assert_int_equal(world_on(w, OP_REQUEST, a), CTREE_OK);
    assert_true(next_request(w) == a);
}

static void a_long_queue_stays_in_order_and_takes_no_more_than_it_holds(void **state) {
    (void)state;
    enum { COUNT = 3000 };
    failing_allocator memory;
    failing_allocator_init(&memory);
    ctree_allocator allocator = failing_allocator_use(&memory);
    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    options.allocator = &allocator;
    ctree_store *store = NULL;
    assert_int_equal(ctree_store_create(&options, &store), CTREE_OK);
    ctree_node nodes[COUNT];
    const ctree_node_init unloaded = {0, 0, CTREE_STATE_UNLOADED};
    for (uint64_t i = 0; i < COUNT; i++) {
        assert_int_equal(ctree_store_insert(store, CTREE_NONE, CTREE_END, ctree_id_u64(i), &unloaded, &nodes[i]),
                         CTREE_OK);
    }
    size_t bytes = 0;
    for (uint32_t round = 0; round < 20; round++) {
        for (uint32_t i = 0; i < COUNT; i++) assert_int_equal(ctree_load_request(store, nodes[i]), CTREE_OK);
        for (uint32_t i = 0; i < COUNT; i++) {
            if (i % 3 == 1) continue;
            ctree_ticket ticket;
            assert_int_equal(ctree_load_begin(store, nodes[i], 0, &ticket), CTREE_OK);
            assert_int_equal(ctree_load_cancel(store, nodes[i], ticket), CTREE_OK);
            if (i % 3 == 2) assert_int_equal(ctree_load_request(store, nodes[i]), CTREE_OK);
        }
        for (uint32_t pass = 1; pass < 3; pass++) {
            for (uint32_t i = pass; i < COUNT; i += 3) assert_true(ctree_load_next_request(store) == nodes[i]);
        }
        assert_true(ctree_load_next_request(store) == CTREE_NONE);
        assert_int_equal(ctree_validate(store, NULL), CTREE_OK);
        if (round == 0) bytes = memory.bytes;
    }
    assert_true(memory.bytes == bytes);
    ctree_store_destroy(store);
    assert_int_equal(memory.blocks, 0);
}

/* ---- Memory -------------------------------------------------------------------------------------------------------
 */

/* Each call is made with its n-th allocation failing, for every n that it gets to; the world compares and repeats it.
 */
static void with_every_failure(world *w, op *call, const char *sketched) {
    ctree_status expected = CTREE_OK;
    call->fail_at = 0;
    do {
        call->fail_at++;
        while (ctree_store_child_count(w->store, CTREE_NONE) > 0) {
            world_on(w, OP_REMOVE, ctree_store_child_at(w->store, CTREE_NONE, 0));
        }
        sketch(w, sketched);
        call->node = at(w, 'A');
        call->ticket = 0;
        if (call->kind == OP_FINISH || call->kind == OP_APPEND) call->ticket = begun_anew(w, call->node);
        assert_int_equal(world_do(w, call), expected);
        world_compare(w);
    } while (call->was_disturbed);
}

WORLD_TEST(whichever_allocation_fails_a_load_is_as_before) {
    forest_box *box = forest_box_new(4);
    for (uint32_t i = 0; i < 4; i++) box->ids[i] = ctree_id_u64((uint64_t) "nyox"[i]);
    box->parents[3] = 2;
    box->states[2] = CTREE_STATE_LOADED;
    op request = {.kind = OP_REQUEST}, begin_call = {.kind = OP_BEGIN};
    op finish = {.kind = OP_FINISH, .forest = &box->forest, .outs = box->outs};
    op append = {.kind = OP_APPEND, .forest = &box->forest, .outs = box->outs, .flag = true};
    with_every_failure(w, &request, "A?");
    with_every_failure(w, &begin_call, "A?");
    with_every_failure(w, &finish, "A[x y]");
    assert_true(finish.fail_at > 5);
    with_every_failure(w, &append, "A[x y]");
    with_every_failure(w, &append, "A?");
    forest_box_free(box);
}

static void loading_and_dropping_for_days_does_not_grow(void **state) {
    (void)state;
    failing_allocator memory;
    failing_allocator_init(&memory);
    ctree_allocator allocator = failing_allocator_use(&memory);
    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    options.allocator = &allocator;
    options.id_kind = CTREE_ID_BYTES;
    options.secret = "the same in every run"; /* so that it takes the same memory */
    options.secret_size = 21;
    ctree_store *store = NULL;
    assert_int_equal(ctree_store_create(&options, &store), CTREE_OK);
    const ctree_node_init unloaded = {0, 0, CTREE_STATE_UNLOADED};
    ctree_node node = CTREE_NONE;
    assert_int_equal(ctree_store_insert(store, CTREE_NONE, 0, ctree_id_bytes("A", 1), &unloaded, &node), CTREE_OK);
    enum { COUNT = 500, LENGTH = 12 };
    char bytes[COUNT * LENGTH + 1];
    uint64_t offsets[COUNT + 1];
    size_t most = 0;
    for (uint32_t round = 0; round < 300; round++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            snprintf(bytes + (size_t)i * LENGTH, LENGTH + 1, "%05u-%06u", i, round);
            offsets[i] = (uint64_t)i * LENGTH;
        }
        offsets[COUNT] = COUNT * LENGTH;
        ctree_forest forest = CTREE_FOREST_INIT;
        forest.count = COUNT;
        forest.bytes = bytes;
        forest.offsets = offsets;
        ctree_ticket ticket;
        assert_int_equal(ctree_load_begin(store, node, 0, &ticket), CTREE_OK);
        assert_int_equal(ctree_load_finish(store, node, ticket, &forest, CTREE_ELSEWHERE_MOVES, NULL, NULL),
                         CTREE_OK);
        assert_int_equal(ctree_load_drop(store, node), CTREE_OK);
        if (round == 50) most = memory.bytes;
    }
    assert_true(memory.bytes <= most);
    assert_int_equal(ctree_validate(store, NULL), CTREE_OK);
    ctree_store_destroy(store);
    assert_int_equal(memory.blocks, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_ends_loaded_also_with_no_children),
        cmocka_unit_test(a_ticket_that_has_ended_is_superseded),
        cmocka_unit_test(of_two_loads_of_one_node_the_later_begun_one_wins),
        cmocka_unit_test(a_ticket_survives_moves_and_reconciles_of_its_node),
        cmocka_unit_test(a_result_for_a_node_that_went_is_refused),
        cmocka_unit_test(a_leaf_ends_its_load),
        cmocka_unit_test(a_cancelled_load_leaves_the_node_as_it_was_and_its_late_result_is_refused),
        cmocka_unit_test(a_load_in_anothers_place_restores_what_was_before_both),
        cmocka_unit_test(children_put_into_a_loading_node_outlive_its_cancel),
        cmocka_unit_test(a_reconcile_during_a_load_is_what_its_cancel_leaves),
        cmocka_unit_test(an_empty_list_set_during_a_load_is_what_its_cancel_leaves),
        cmocka_unit_test(a_failed_load_keeps_its_error_and_its_rows_and_may_be_tried_again),
        cmocka_unit_test(a_dropped_subtree_is_unloaded_and_loads_again),
        cmocka_unit_test(a_reload_keeps_nodes_by_identifier_and_tells_only_what_differs),
        cmocka_unit_test(a_new_folder_may_be_refreshed_before_the_old_one),
        cmocka_unit_test(a_result_with_a_fault_leaves_the_load_under_way),
        cmocka_unit_test(pages_append_and_more_to_come_is_part_of_the_state),
        cmocka_unit_test(pages_that_came_outlive_a_cancel_and_are_gone_on_from),
        cmocka_unit_test(the_first_page_of_a_reload_replaces_what_was_there),
        cmocka_unit_test(a_reload_that_failed_before_its_first_page_replaces_when_it_is_tried_again),
        cmocka_unit_test(what_was_put_by_hand_into_a_failed_node_is_replaced_by_the_first_page),
        cmocka_unit_test(a_reload_cancelled_on_a_failed_node_forgets_that_it_would_have_replaced),
        cmocka_unit_test(requests_come_out_once_in_the_order_they_came),
        cmocka_unit_test(a_begin_is_the_end_of_its_request_and_a_later_one_waits_its_turn),
        cmocka_unit_test(a_long_queue_stays_in_order_and_takes_no_more_than_it_holds),
        cmocka_unit_test(whichever_allocation_fails_a_load_is_as_before),
        cmocka_unit_test(loading_and_dropping_for_days_does_not_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
