/* The generations of a slot: they go round once, and then the slot is retired, so that no old handle is ever good
 * again. */
#include "store/store.h"

#include "support/assertions.h"
#include "support/unit.h"

static ctree_store *new_store(void) {
    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    options.secret = "the same generations in every run";
    options.secret_size = 24;
    ctree_store *store = NULL;
    assert_int_equal(ctree_store_create(&options, &store), CTREE_OK);
    return store;
}

static ctree_node put(ctree_store *store, uint64_t number) {
    ctree_node node = CTREE_NONE;
    assert_int_equal(ctree_store_insert(store, CTREE_NONE, CTREE_END, ctree_id_u64(number), NULL, &node), CTREE_OK);
    return node;
}

static uint32_t slot_of(ctree_node node) { return (uint32_t)node; }
static uint32_t generation_of(ctree_node node) { return (uint32_t)(node >> 32); }

/* As if a free slot had served so many nodes that this is its next generation. */
static void wind_on(ctree_store *store, uint32_t slot, uint32_t generation) {
    ct_hot *hot = ct_hot_at(store, slot);
    assert_int_equal(hot->tag & CT_FLAG_LIVE, 0);
    hot->tag = generation << CT_FLAG_BITS;
}

static void assert_valid(const ctree_store *store) {
    const char *reason = NULL;
    assert_int_equal(ctree_validate(store, &reason), CTREE_OK);
    assert_null(reason);
}

static void generations_pass_by_0_when_they_go_round(void **state) {
    (void)state;
    ctree_store *store = new_store();
    ctree_node first = put(store, 1);
    assert_int_equal(ctree_store_remove(store, first), CTREE_OK);
    wind_on(store, slot_of(first), CT_GENERATION_MASK);
    ctree_node last = put(store, 1);
    assert_int_equal(slot_of(last), slot_of(first));
    assert_int_equal(generation_of(last), CT_GENERATION_MASK);
    assert_int_equal(ctree_store_remove(store, last), CTREE_OK);
    ctree_node round = put(store, 1);
    assert_int_equal(slot_of(round), slot_of(first));
    assert_int_equal(generation_of(round), 1);
    assert_false(ctree_store_contains(store, first));
    assert_false(ctree_store_contains(store, last));
    assert_true(ctree_store_contains(store, round));
    assert_valid(store);
    ctree_store_destroy(store);
}

static void a_slot_whose_generations_are_used_up_serves_no_more_nodes(void **state) {
    (void)state;
    ctree_store *store = new_store();
    ctree_node first = put(store, 1), kept = put(store, 2);
    assert_int_equal(ctree_store_remove(store, first), CTREE_OK);
    uint32_t slot = slot_of(first), last = generation_of(first) == 1 ? CT_GENERATION_MASK : generation_of(first) - 1;
    wind_on(store, slot, last);
    ctree_node node = put(store, 3);
    assert_int_equal(slot_of(node), slot);
    assert_int_equal(ctree_store_remove(store, node), CTREE_OK);
    assert_valid(store);
    for (uint64_t i = 0; i < 100; i++) {
        node = put(store, 100 + i);
        assert_true(slot_of(node) != slot);
        assert_false(ctree_store_contains(store, first));
        if (i % 2 == 0) assert_int_equal(ctree_store_remove(store, node), CTREE_OK);
    }
    assert_true(ctree_store_contains(store, kept));
    assert_int_equal(ctree_store_count(store), 51);
    assert_valid(store);
    ctree_store_destroy(store);
}

static void keep_told(void *context, const ctree_node *nodes, const uint64_t *values, size_t count) {
    ctree_node *told = context;
    assert_int_equal(count, 1);
    assert_int_equal(values[0], 7);
    *told = nodes[0];
}

static void a_handle_told_at_its_end_is_the_one_it_had(void **state) {
    (void)state;
    ctree_node told = CTREE_NONE;
    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    options.release = keep_told;
    options.release_context = &told;
    ctree_store *store = NULL;
    assert_int_equal(ctree_store_create(&options, &store), CTREE_OK);
    ctree_node_init init = {7, 0, CTREE_STATE_LEAF};
    const uint32_t generations[] = {0, CT_GENERATION_MASK, 1, CT_GENERATION_MASK - 1};
    uint32_t slot = 0;
    for (uint32_t i = 0; i < 4; i++) {
        if (i > 0) wind_on(store, slot, generations[i]);
        ctree_node node = CTREE_NONE;
        assert_int_equal(ctree_store_insert(store, CTREE_NONE, 0, ctree_id_u64(1), &init, &node), CTREE_OK);
        slot = slot_of(node);
        assert_int_equal(ctree_store_remove(store, node), CTREE_OK);
        assert_int_equal(told, node);
    }
    ctree_store_destroy(store);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generations_pass_by_0_when_they_go_round),
        cmocka_unit_test(a_slot_whose_generations_are_used_up_serves_no_more_nodes),
        cmocka_unit_test(a_handle_told_at_its_end_is_the_one_it_had),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
