/* What an identifier may be, where it is unique, and how nodes are found by it. */
#include "support/assertions.h"
#include "support/forest_box.h"
#include "support/sketch.h"
#include "support/unit.h"

static world *bytes_world(ctree_id_scope scope) {
    world_options options = {CTREE_ID_BYTES, scope, 0, true};
    return world_create(options);
}

static void identifiers_are_bytes_of_any_content_also_none_and_nul(void **state) {
    (void)state;
    world *w = bytes_world(CTREE_SCOPE_STORE);
    static const char bytes[] = "\0\0a\0b";
    ctree_node nodes[6];
    for (size_t length = 0; length < 6; length++) {
        nodes[length] = world_insert(w, CTREE_NONE, CTREE_END, ctree_id_bytes(bytes, length), CTREE_STATE_LEAF);
    }
    for (size_t length = 0; length < 6; length++) {
        assert_int_equal(ctree_store_find(w->store, ctree_id_bytes(bytes, length)), nodes[length]);
        ctree_id id = {NULL, 0};
        assert_int_equal(ctree_store_id(w->store, nodes[length], &id), CTREE_OK);
        assert_int_equal(id.word, length);
        assert_memory_equal(id.bytes, bytes, length);
    }
    assert_int_equal(ctree_store_find(w->store, ctree_id_bytes(NULL, 0)), nodes[0]);
    assert_int_equal(ctree_store_find(w->store, ctree_id_bytes("\0\0a\0c", 5)), CTREE_NONE);
    world_compare(w);
    world_destroy(w);
}

static void an_identifier_of_a_megabyte_is_ordinary(void **state) {
    (void)state;
    world *w = bytes_world(CTREE_SCOPE_STORE);
    enum { LENGTH = 1 << 20 };
    unsigned char *bytes = must(malloc(LENGTH));
    memset(bytes, 'x', LENGTH);
    ctree_node node = world_insert(w, CTREE_NONE, CTREE_END, ctree_id_bytes(bytes, LENGTH), CTREE_STATE_LEAF);
    assert_int_equal(ctree_store_find(w->store, ctree_id_bytes(bytes, LENGTH)), node);
    bytes[LENGTH - 1] = 'y';
    assert_int_equal(ctree_store_find(w->store, ctree_id_bytes(bytes, LENGTH)), CTREE_NONE);
    world_insert(w, CTREE_NONE, CTREE_END, ctree_id_bytes(bytes, LENGTH), CTREE_STATE_LEAF);
    world_compare(w);
    assert_int_equal(world_on(w, OP_REMOVE, node), CTREE_OK);
    world_compare(w);
    free(bytes);
    world_destroy(w);
}

static void an_identifier_longer_than_32_bits_can_count_reaches_a_limit(void **state) {
    (void)state;
    world *w = bytes_world(CTREE_SCOPE_STORE);
    ctree_node out = 7;
    ctree_id id = {"", (uint64_t)1 << 32}; /* refused before its bytes are looked at */
    assert_int_equal(ctree_store_insert(w->store, CTREE_NONE, 0, id, NULL, &out), CTREE_LIMIT);
    assert_int_equal(out, 7);
    assert_int_equal(ctree_store_find(w->store, id), CTREE_NONE);
    world_destroy(w);
}

WORLD_TEST(a_second_use_of_an_identifier_is_refused_and_names_the_node_that_has_it) {
    sketch(w, "A[x] B[]");
    op call = {.kind = OP_INSERT, .parent = at(w, 'B'), .at = 0, .id = ctree_id_u64('x')};
    assert_int_equal(world_do(w, &call), CTREE_DUPLICATE);
    assert_int_equal(call.out, at(w, 'x'));

    ctree_id ids[] = {ctree_id_u64('n'), ctree_id_u64('x')};
    ctree_forest forest = CTREE_FOREST_INIT;
    forest.count = 2;
    forest.ids = ids;
    op build = {.kind = OP_BUILD, .parent = at(w, 'B'), .at = 0, .forest = &forest};
    assert_int_equal(world_do(w, &build), CTREE_DUPLICATE);
    assert_int_equal(build.fault.item, 1);
    assert_int_equal(build.fault.node, at(w, 'x'));

    ids[1] = ids[0];
    assert_int_equal(world_do(w, &build), CTREE_DUPLICATE);
    assert_int_equal(build.fault.item, 1);
    assert_int_equal(build.fault.other_item, 0);
    assert_int_equal(build.fault.node, CTREE_NONE);
    assert_holds(w, "A[x] B");
}

WORLD_TEST(an_identifier_is_free_again_once_its_node_is_gone) {
    sketch(w, "A[x]");
    ctree_node old = at(w, 'x');
    assert_int_equal(world_on(w, OP_REMOVE, old), CTREE_OK);
    ctree_node fresh = world_insert(w, CTREE_NONE, 0, ctree_id_u64('x'), CTREE_STATE_LEAF);
    assert_true(fresh != old);
    assert_false(ctree_store_contains(w->store, old));
    assert_holds(w, "x A");
}

static void with_sibling_scope_one_identifier_stands_under_many_parents(void **state) {
    (void)state;
    world *w = bytes_world(CTREE_SCOPE_SIBLINGS);
    ctree_id a = ctree_id_bytes("a", 1), b = ctree_id_bytes("b", 1), name = ctree_id_bytes("name", 4);
    ctree_node in_a = world_insert(w, CTREE_NONE, CTREE_END, a, CTREE_STATE_UNLOADED);
    ctree_node in_b = world_insert(w, CTREE_NONE, CTREE_END, b, CTREE_STATE_UNLOADED);
    ctree_node first = world_insert(w, in_a, 0, name, CTREE_STATE_LEAF);
    ctree_node second = world_insert(w, in_b, 0, name, CTREE_STATE_LEAF);
    ctree_node top = world_insert(w, CTREE_NONE, 0, name, CTREE_STATE_LEAF);
    assert_int_equal(ctree_store_find_child(w->store, in_a, name), first);
    assert_int_equal(ctree_store_find_child(w->store, in_b, name), second);
    assert_int_equal(ctree_store_find_child(w->store, CTREE_NONE, name), top);
    assert_int_equal(ctree_store_find(w->store, name), CTREE_NONE);

    op again = {.kind = OP_INSERT, .parent = in_a, .at = CTREE_END, .id = name};
    assert_int_equal(world_do(w, &again), CTREE_DUPLICATE);
    assert_int_equal(again.out, first);

    /* A move onto an equal sibling is a duplicate; within its own list, or elsewhere, it is none. */
    op move = {.kind = OP_MOVE, .node = second, .parent = in_a, .at = 0};
    assert_int_equal(world_do(w, &move), CTREE_DUPLICATE);
    op within = {.kind = OP_MOVE, .node = top, .parent = CTREE_NONE, .at = CTREE_END};
    assert_int_equal(world_do(w, &within), CTREE_OK);
    assert_int_equal(world_on(w, OP_REMOVE, first), CTREE_OK);
    assert_int_equal(world_do(w, &move), CTREE_OK);
    assert_int_equal(ctree_store_find_child(w->store, in_a, name), second);
    assert_int_equal(ctree_store_find_child(w->store, in_b, name), CTREE_NONE);
    world_compare(w);
    world_destroy(w);
}

static void two_occurrences_of_an_identifier_open_close_and_go_away_on_their_own(void **state) {
    (void)state;
    world *w = bytes_world(CTREE_SCOPE_SIBLINGS);
    ctree_view *view = world_view(w, 0, 0, 0);
    ctree_id name = ctree_id_bytes("name", 4);
    ctree_node a = world_insert(w, CTREE_NONE, CTREE_END, ctree_id_bytes("a", 1), CTREE_STATE_LOADED);
    ctree_node b = world_insert(w, CTREE_NONE, CTREE_END, ctree_id_bytes("b", 1), CTREE_STATE_LOADED);
    ctree_node in_a = world_insert(w, a, 0, name, CTREE_STATE_LOADED);
    ctree_node in_b = world_insert(w, b, 0, name, CTREE_STATE_LOADED);
    assert_int_equal(world_on(w, OP_EXPAND, in_a), CTREE_OK);
    assert_true(ctree_view_is_expanded(view, in_a));
    assert_false(ctree_view_is_expanded(view, in_b));
    assert_int_equal(world_on(w, OP_REMOVE, in_a), CTREE_OK);
    assert_true(ctree_store_contains(w->store, in_b));
    assert_int_equal(ctree_store_find_child(w->store, b, name), in_b);
    ctree_node again = world_insert(w, a, 0, name, CTREE_STATE_LOADED);
    assert_false(ctree_view_is_expanded(view, again));
    world_compare(w);
    world_destroy(w);
}

static void many_look_ups_at_once_find_what_single_ones_find(void **state) {
    (void)state;
    enum { COUNT = 1000 };
    world_options options = {CTREE_ID_U64, CTREE_SCOPE_STORE, 0, true};
    world *w = world_create(options);
    uint64_t numbers[COUNT];
    ctree_id ids[COUNT];
    ctree_node found[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        numbers[i] = i * UINT64_C(0x123456789);
        ids[i] = ctree_id_u64(numbers[i]);
        if (i % 3 != 0) world_insert(w, CTREE_NONE, CTREE_END, ids[i], CTREE_STATE_LEAF);
    }
    for (size_t count = 0; count <= COUNT; count = count * 2 + 1) { /* around whatever a batch is */
        memset(found, 0xEE, sizeof found);
        assert_int_equal(ctree_store_find_many(w->store, NULL, ids, count, found), CTREE_OK);
        for (size_t i = 0; i < count; i++) assert_int_equal(found[i], ctree_store_find(w->store, ids[i]));
        memset(found, 0xEE, sizeof found);
        assert_int_equal(ctree_store_find_many_u64(w->store, NULL, numbers, count, found), CTREE_OK);
        for (size_t i = 0; i < count; i++) assert_int_equal(found[i], ctree_store_find(w->store, ids[i]));
        if (count < COUNT) assert_int_equal(found[count], (ctree_node)0xEEEEEEEEEEEEEEEEu);
    }
    world_destroy(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(identifiers_are_bytes_of_any_content_also_none_and_nul),
        cmocka_unit_test(an_identifier_of_a_megabyte_is_ordinary),
        cmocka_unit_test(an_identifier_longer_than_32_bits_can_count_reaches_a_limit),
        cmocka_unit_test(a_second_use_of_an_identifier_is_refused_and_names_the_node_that_has_it),
        cmocka_unit_test(an_identifier_is_free_again_once_its_node_is_gone),
        cmocka_unit_test(with_sibling_scope_one_identifier_stands_under_many_parents),
        cmocka_unit_test(two_occurrences_of_an_identifier_open_close_and_go_away_on_their_own),
        cmocka_unit_test(many_look_ups_at_once_find_what_single_ones_find),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
