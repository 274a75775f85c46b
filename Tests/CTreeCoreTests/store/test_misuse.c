/* NULL, unknown numbers, structs of other sizes, closed stores: statuses, never worse. */
#include "support/assertions.h"
#include "support/sketch.h"
#include "support/unit.h"

/* ---- Options -------------------------------------------------------------------------------------------------- */

typedef struct longer_options {
    ctree_store_options known;
    uint64_t unknown;
} longer_options;

static ctree_status create_with(const ctree_store_options *options) {
    ctree_store *store = NULL;
    ctree_status status = ctree_store_create(options, &store);
    assert_true((status == CTREE_OK) == (store != NULL));
    ctree_store_destroy(store);
    return status;
}

static void options_of_another_size_are_good_as_far_as_they_ask_for_nothing_unknown(void **state) {
    (void)state;
    longer_options longer = {CTREE_STORE_OPTIONS_INIT, 0};
    longer.known.size = sizeof longer;
    assert_int_equal(create_with(&longer.known), CTREE_OK);
    longer.unknown = 1;
    assert_int_equal(create_with(&longer.known), CTREE_INVALID);
    longer.known.size = 0;
    assert_int_equal(create_with(&longer.known), CTREE_INVALID);
    assert_int_equal(create_with(NULL), CTREE_OK);

    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    assert_int_equal(ctree_store_create(&options, NULL), CTREE_INVALID);
    options.id_kind = 2;
    assert_int_equal(create_with(&options), CTREE_INVALID);
    options = (ctree_store_options)CTREE_STORE_OPTIONS_INIT;
    options.id_scope = 2;
    assert_int_equal(create_with(&options), CTREE_INVALID);
    options = (ctree_store_options)CTREE_STORE_OPTIONS_INIT;
    options.secret_size = 8; /* of nothing */
    assert_int_equal(create_with(&options), CTREE_INVALID);
}

/* What an older header did not have takes its default. */
static void options_that_end_early_take_defaults_for_the_rest(void **state) {
    (void)state;
    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    options.size = offsetof(ctree_store_options, node_limit);
    options.id_kind = CTREE_ID_BYTES;
    options.node_limit = 1;
    ctree_store *store = NULL;
    assert_int_equal(ctree_store_create(&options, &store), CTREE_OK);
    assert_int_equal(ctree_store_id_kind(store), CTREE_ID_BYTES);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(ctree_store_insert(store, CTREE_NONE, 0, ctree_id_bytes(&i, 4), NULL, NULL), CTREE_OK);
    }
    ctree_store_destroy(store);
}

static void *no_memory(void *context, size_t size) {
    (void)context;
    (void)size;
    return NULL;
}

static void an_allocator_must_have_all_of_its_functions(void **state) {
    (void)state;
    failing_allocator memory;
    failing_allocator_init(&memory);
    for (uint32_t missing = 0; missing < 3; missing++) {
        ctree_allocator allocator = failing_allocator_use(&memory);
        if (missing == 0) allocator.allocate = NULL;
        if (missing == 1) allocator.reallocate = NULL;
        if (missing == 2) allocator.release = NULL;
        ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
        options.allocator = &allocator;
        assert_int_equal(create_with(&options), CTREE_INVALID);
    }
    ctree_allocator allocator = failing_allocator_use(&memory);
    allocator.allocate = no_memory;
    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    options.allocator = &allocator;
    assert_int_equal(create_with(&options), CTREE_NO_MEMORY);
}

static void a_view_takes_only_flags_and_sizes_that_it_knows(void **state) {
    (void)state;
    ctree_store *store = NULL;
    ctree_view *view = NULL;
    assert_int_equal(ctree_store_create(NULL, &store), CTREE_OK);
    struct {
        ctree_view_options known;
        uint64_t unknown[8];
    } options = {CTREE_VIEW_OPTIONS_INIT, {0}};
    options.known.size = sizeof options;
    assert_int_equal(ctree_view_create(store, &options.known, &view), CTREE_OK);
    ctree_view_destroy(view);
    view = NULL;
    options.unknown[7] = 1;
    assert_int_equal(ctree_view_create(store, &options.known, &view), CTREE_INVALID);
    options.known = (ctree_view_options)CTREE_VIEW_OPTIONS_INIT;
    options.known.flags = UINT32_C(1) << 30;
    assert_int_equal(ctree_view_create(store, &options.known, &view), CTREE_INVALID);
    options.known.flags = 0;
    options.known.size = 1;
    assert_int_equal(ctree_view_create(store, &options.known, &view), CTREE_INVALID);
    assert_int_equal(ctree_view_create(NULL, NULL, &view), CTREE_INVALID);
    assert_int_equal(ctree_view_create(store, NULL, NULL), CTREE_INVALID);
    assert_null(view);
    ctree_store_destroy(store);
}

WORLD_TEST(info_and_memory_want_their_size) {
    sketch(w, "A");
    ctree_node_info info = {.size = 1};
    assert_int_equal(ctree_store_info(w->store, at(w, 'A'), &info), CTREE_INVALID);
    ctree_memory memory = {.size = 1};
    assert_int_equal(ctree_store_memory(w->store, &memory), CTREE_INVALID);
    ctree_forest forest = CTREE_FOREST_INIT;
    forest.size = 8;
    assert_int_equal(ctree_store_build(w->store, CTREE_NONE, 0, &forest, NULL, NULL, NULL), CTREE_INVALID);
    assert_int_equal(ctree_store_reconcile(w->store, CTREE_NONE, &forest, 0, NULL, NULL, NULL), CTREE_INVALID);
}

/* ---- NULL -------------------------------------------------------------------------------------------------------
 */

WORLD_TEST(null_where_something_is_needed_is_invalid) {
    sketch(w, "A[x]");
    world_view(w, 0, 0, 0);
    ctree_store *s = w->store;
    ctree_node node = at(w, 'A'), out;
    ctree_id id = ctree_id_u64(1);
    ctree_forest forest = CTREE_FOREST_INIT;
    ctree_listener listener = {NULL, NULL, NULL, NULL};
    ctree_rows *rows = NULL;
    ctree_row row;
    ctree_index_path path = {0, 0};
    ctree_ticket ticket = 0;
    uint64_t token;
    uint32_t number = 1, ordinals[1];
    const char *reason;

    assert_int_equal(ctree_store_insert(NULL, CTREE_NONE, 0, id, NULL, &out), CTREE_INVALID);
    assert_int_equal(ctree_store_remove(NULL, node), CTREE_INVALID);
    assert_int_equal(ctree_store_remove_children(NULL, node, 0, 0), CTREE_INVALID);
    assert_int_equal(ctree_store_move(NULL, node, CTREE_NONE, 0), CTREE_INVALID);
    assert_int_equal(ctree_store_set_value(NULL, node, 1, 1), CTREE_INVALID);
    assert_int_equal(ctree_store_set_leaf(NULL, node, true), CTREE_INVALID);
    assert_int_equal(ctree_store_build(NULL, CTREE_NONE, 0, &forest, NULL, NULL, NULL), CTREE_INVALID);
    assert_int_equal(ctree_store_build(s, CTREE_NONE, 0, NULL, NULL, NULL, NULL), CTREE_INVALID);
    assert_int_equal(ctree_store_graft(NULL, CTREE_NONE, 0, s, NULL, NULL), CTREE_INVALID);
    assert_int_equal(ctree_store_graft(s, CTREE_NONE, 0, NULL, NULL, NULL), CTREE_INVALID);
    assert_int_equal(ctree_store_reconcile(NULL, CTREE_NONE, &forest, 0, NULL, NULL, NULL), CTREE_INVALID);
    assert_int_equal(ctree_store_reconcile(s, CTREE_NONE, NULL, 0, NULL, NULL, NULL), CTREE_INVALID);
    assert_int_equal(ctree_store_reconcile(s, CTREE_NONE, &forest, 2, NULL, NULL, NULL), CTREE_INVALID);
    assert_int_equal(ctree_store_add_listener(NULL, &listener, &token), CTREE_INVALID);
    assert_int_equal(ctree_store_add_listener(s, NULL, &token), CTREE_INVALID);
    assert_int_equal(ctree_store_add_listener(s, &listener, NULL), CTREE_INVALID);
    assert_int_equal(ctree_store_remove_listener(NULL, 1), CTREE_INVALID);
    assert_int_equal(ctree_store_remove_listener(s, 0), CTREE_NOT_FOUND);
    assert_int_equal(ctree_store_remove_listener(s, 987654321), CTREE_NOT_FOUND);

    assert_int_equal(ctree_load_request(NULL, node), CTREE_INVALID);
    assert_int_equal(ctree_load_next_request(NULL), CTREE_NONE);
    assert_int_equal(ctree_load_begin(NULL, node, 0, &ticket), CTREE_INVALID);
    assert_int_equal(ctree_load_begin(s, node, 0, NULL), CTREE_INVALID);
    assert_int_equal(ctree_load_begin(s, node, 2, &ticket), CTREE_INVALID);
    assert_int_equal(ctree_load_check(NULL, node, 1), CTREE_INVALID);
    assert_int_equal(ctree_load_finish(NULL, node, 1, &forest, 0, NULL, NULL), CTREE_INVALID);
    assert_int_equal(ctree_load_append(NULL, node, 1, &forest, false, NULL, NULL), CTREE_INVALID);
    assert_int_equal(ctree_load_fail(NULL, node, 1, 1), CTREE_INVALID);
    assert_int_equal(ctree_load_cancel(NULL, node, 1), CTREE_INVALID);
    assert_int_equal(ctree_load_drop(NULL, node), CTREE_INVALID);
    assert_int_equal(ctree_load_error(NULL, node), 0);
    assert_int_equal(ctree_load_begin(s, node, CTREE_LOAD_RELOAD, &ticket), CTREE_OK);
    assert_int_equal(ctree_load_finish(s, node, ticket, NULL, 0, NULL, NULL), CTREE_INVALID);
    assert_int_equal(ctree_load_append(s, node, ticket, NULL, false, NULL, NULL), CTREE_INVALID);
    assert_int_equal(ctree_load_cancel(s, node, ticket), CTREE_OK);

    assert_int_equal(ctree_store_count(NULL), 0);
    assert_int_equal(ctree_store_memory(NULL, NULL), CTREE_INVALID);
    assert_int_equal(ctree_store_memory(s, NULL), CTREE_INVALID);
    assert_int_equal(ctree_validate(NULL, &reason), CTREE_INVALID);
    assert_int_equal(ctree_validate(s, NULL), CTREE_OK);
    assert_int_equal(ctree_store_find(NULL, id), CTREE_NONE);
    assert_int_equal(ctree_store_find_child(NULL, CTREE_NONE, id), CTREE_NONE);
    assert_int_equal(ctree_store_find_many(NULL, NULL, &id, 1, &out), CTREE_INVALID);
    assert_int_equal(ctree_store_find_many(s, NULL, NULL, 1, &out), CTREE_INVALID);
    assert_int_equal(ctree_store_find_many(s, NULL, &id, 1, NULL), CTREE_INVALID);
    assert_int_equal(ctree_store_find_many(s, NULL, NULL, 0, NULL), CTREE_OK);
    assert_int_equal(ctree_store_find_many_u64(s, NULL, NULL, 1, &out), CTREE_INVALID);
    assert_false(ctree_store_contains(NULL, node));
    assert_int_equal(ctree_store_info(s, node, NULL), CTREE_INVALID);
    assert_int_equal(ctree_store_parent(s, node, NULL), CTREE_INVALID);
    assert_int_equal(ctree_store_id(s, node, NULL), CTREE_INVALID);
    assert_int_equal(ctree_store_value(NULL, node), 0);
    assert_int_equal(ctree_store_revision(NULL, node), 0);
    assert_int_equal(ctree_store_load_state(NULL, node), CTREE_STATE_LEAF);
    assert_int_equal(ctree_store_child_count(NULL, CTREE_NONE), 0);
    assert_int_equal(ctree_store_child_at(NULL, CTREE_NONE, 0), CTREE_NONE);
    assert_int_equal(ctree_store_children(s, node, 0, NULL, &out), CTREE_INVALID);
    assert_int_equal(ctree_store_children(s, node, 0, &number, NULL), CTREE_INVALID);
    assert_int_equal(ctree_store_ordinal(s, node, NULL), CTREE_INVALID);
    assert_int_equal(ctree_store_depth(s, node, NULL), CTREE_INVALID);
    assert_false(ctree_store_is_below(NULL, node, node));
    assert_int_equal(ctree_store_path(s, node, NULL, ordinals), CTREE_INVALID);
    assert_int_equal(ctree_store_path(s, node, &number, NULL), CTREE_INVALID);
    assert_int_equal(ctree_store_node_at_path(s, NULL, 1), CTREE_NONE);
    assert_int_equal(ctree_store_next(NULL, CTREE_NONE, CTREE_NONE, false), CTREE_NONE);
    assert_int_equal(ctree_store_subtree_count(NULL, node), 0);
    ctree_store_destroy(NULL);

    assert_int_equal(ctree_view_expand(NULL, node), CTREE_INVALID);
    assert_int_equal(ctree_view_collapse(NULL, node), CTREE_INVALID);
    assert_int_equal(ctree_view_toggle(NULL, node), CTREE_INVALID);
    assert_int_equal(ctree_view_expand_all(NULL, node, 1, NULL), CTREE_INVALID);
    assert_int_equal(ctree_view_collapse_all(NULL, node), CTREE_INVALID);
    assert_int_equal(ctree_view_reveal(NULL, node), CTREE_INVALID);
    assert_false(ctree_view_is_expanded(NULL, node));
    assert_false(ctree_view_is_visible(NULL, node));
    assert_false(ctree_view_is_expandable(NULL, node));
    assert_null(ctree_view_store(NULL));
    ctree_view_destroy(NULL);

    assert_int_equal(ctree_rows_flatten(NULL, 0, NULL, &rows), CTREE_INVALID);
    assert_int_equal(ctree_rows_flatten(w->views[0], 0, NULL, NULL), CTREE_INVALID);
    assert_int_equal(ctree_rows_flatten(w->views[0], 2, NULL, &rows), CTREE_INVALID);
    assert_null(rows);
    assert_int_equal(ctree_rows_flatten(w->views[0], 0, NULL, &rows), CTREE_OK);
    assert_int_equal(ctree_rows_index_path(NULL, 0, &path), CTREE_INVALID);
    assert_int_equal(ctree_rows_index_path(rows, 0, NULL), CTREE_INVALID);
    assert_int_equal(ctree_rows_window(NULL, w->views[0], 0, &number, &row), CTREE_INVALID);
    assert_int_equal(ctree_rows_window(rows, NULL, 0, &number, &row), CTREE_INVALID);
    assert_int_equal(ctree_rows_window(rows, w->views[0], 0, NULL, &row), CTREE_INVALID);
    assert_int_equal(ctree_rows_window(rows, w->views[0], 0, &number, NULL), CTREE_INVALID);
    assert_int_equal(ctree_rows_count(NULL), 0);
    assert_int_equal(ctree_rows_node(NULL, 0), CTREE_NONE);
    assert_int_equal(ctree_rows_row(NULL, node), CTREE_NO_ROW);
    ctree_rows_destroy(rows);
    ctree_rows_destroy(NULL);
}

static void every_status_has_a_name_of_its_own_and_unknown_ones_have_one_too(void **state) {
    (void)state;
    for (uint32_t i = 0; i <= CTREE_CORRUPT; i++) {
        const char *name = ctree_status_name((ctree_status)i);
        assert_non_null(name);
        assert_true(strlen(name) > 1);
        for (uint32_t k = 0; k < i; k++) assert_string_not_equal(name, ctree_status_name((ctree_status)k));
    }
    assert_non_null(ctree_status_name((ctree_status)77));
}

/* ---- Closed ------------------------------------------------------------------------------------------------------
 */

static void a_view_that_outlives_its_store_finds_it_closed(void **state) {
    (void)state;
    failing_allocator memory;
    failing_allocator_init(&memory);
    ctree_allocator allocator = failing_allocator_use(&memory);
    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    options.allocator = &allocator;
    ctree_store *s = NULL;
    ctree_view *first = NULL, *second = NULL, *made = NULL;
    ctree_node node = CTREE_NONE, out = 7;
    ctree_rows *rows = NULL, *more_rows = NULL;
    assert_int_equal(ctree_store_create(&options, &s), CTREE_OK);
    ctree_node_init init = {1, 2, CTREE_STATE_UNLOADED};
    assert_int_equal(ctree_store_insert(s, CTREE_NONE, 0, ctree_id_u64(1), &init, &node), CTREE_OK);
    assert_int_equal(ctree_view_create(s, NULL, &first), CTREE_OK);
    assert_int_equal(ctree_view_create(s, NULL, &second), CTREE_OK);
    assert_int_equal(ctree_rows_flatten(first, CTREE_ROWS_LOOKUP, NULL, &rows), CTREE_OK);
    ctree_store_destroy(s);

    ctree_id id = ctree_id_u64(1);
    ctree_forest forest = CTREE_FOREST_INIT;
    ctree_node_info info = {.size = sizeof info};
    ctree_memory figures = {.size = sizeof figures};
    ctree_listener listener = {NULL, NULL, NULL, NULL};
    uint64_t token = 0;
    ctree_ticket ticket = 0;
    uint32_t number = 1, ordinals[1];
    ctree_row row;
    const char *reason = NULL;
    assert_ptr_equal(ctree_view_store(first), s);
    assert_int_equal(ctree_store_count(s), 0);
    assert_int_equal(ctree_store_insert(s, CTREE_NONE, 0, id, NULL, &out), CTREE_CLOSED);
    assert_int_equal(ctree_store_remove(s, node), CTREE_CLOSED);
    assert_int_equal(ctree_store_remove_children(s, CTREE_NONE, 0, 0), CTREE_CLOSED);
    assert_int_equal(ctree_store_move(s, node, CTREE_NONE, 0), CTREE_CLOSED);
    assert_int_equal(ctree_store_set_value(s, node, 1, 1), CTREE_CLOSED);
    assert_int_equal(ctree_store_set_leaf(s, node, true), CTREE_CLOSED);
    assert_int_equal(ctree_store_build(s, CTREE_NONE, 0, &forest, NULL, NULL, NULL), CTREE_CLOSED);
    assert_int_equal(ctree_store_reconcile(s, CTREE_NONE, &forest, 0, NULL, NULL, NULL), CTREE_CLOSED);
    assert_int_equal(ctree_store_add_listener(s, &listener, &token), CTREE_CLOSED);
    assert_int_equal(ctree_load_request(s, node), CTREE_CLOSED);
    assert_int_equal(ctree_load_next_request(s), CTREE_NONE);
    assert_int_equal(ctree_load_begin(s, node, 0, &ticket), CTREE_CLOSED);
    assert_int_equal(ctree_load_check(s, node, 1), CTREE_CLOSED);
    assert_int_equal(ctree_load_finish(s, node, 1, &forest, 0, NULL, NULL), CTREE_CLOSED);
    assert_int_equal(ctree_load_append(s, node, 1, &forest, false, NULL, NULL), CTREE_CLOSED);
    assert_int_equal(ctree_load_fail(s, node, 1, 1), CTREE_CLOSED);
    assert_int_equal(ctree_load_cancel(s, node, 1), CTREE_CLOSED);
    assert_int_equal(ctree_load_drop(s, node), CTREE_CLOSED);
    assert_int_equal(ctree_store_memory(s, &figures), CTREE_CLOSED);
    assert_int_equal(ctree_validate(s, &reason), CTREE_CLOSED);
    assert_int_equal(ctree_store_find(s, id), CTREE_NONE);
    assert_int_equal(ctree_store_find_child(s, CTREE_NONE, id), CTREE_NONE);
    assert_int_equal(ctree_store_find_many(s, NULL, &id, 1, &out), CTREE_CLOSED);
    assert_int_equal(ctree_store_find_many_u64(s, NULL, &id.word, 1, &out), CTREE_CLOSED);
    assert_false(ctree_store_contains(s, node));
    assert_int_equal(ctree_store_info(s, node, &info), CTREE_CLOSED);
    assert_int_equal(ctree_store_parent(s, node, &out), CTREE_CLOSED);
    assert_int_equal(ctree_store_id(s, node, &id), CTREE_CLOSED);
    assert_int_equal(ctree_store_value(s, node), 0);
    assert_int_equal(ctree_store_revision(s, node), 0);
    assert_int_equal(ctree_store_load_state(s, node), CTREE_STATE_LEAF);
    assert_int_equal(ctree_store_child_count(s, CTREE_NONE), 0);
    assert_int_equal(ctree_store_child_at(s, CTREE_NONE, 0), CTREE_NONE);
    assert_int_equal(ctree_store_children(s, CTREE_NONE, 0, &number, &out), CTREE_CLOSED);
    assert_int_equal(ctree_store_ordinal(s, node, &number), CTREE_CLOSED);
    assert_int_equal(ctree_store_depth(s, node, &number), CTREE_CLOSED);
    assert_int_equal(ctree_store_path(s, node, &number, ordinals), CTREE_CLOSED);
    ordinals[0] = 0;
    assert_int_equal(ctree_store_node_at_path(s, ordinals, 1), CTREE_NONE);
    assert_int_equal(ctree_store_next(s, CTREE_NONE, CTREE_NONE, false), CTREE_NONE);
    assert_int_equal(ctree_store_subtree_count(s, node), 0);
    assert_int_equal(out, 7);

    assert_int_equal(ctree_view_create(s, NULL, &made), CTREE_CLOSED);
    assert_int_equal(ctree_view_expand(first, node), CTREE_CLOSED);
    assert_int_equal(ctree_view_collapse(first, node), CTREE_CLOSED);
    assert_int_equal(ctree_view_toggle(first, node), CTREE_CLOSED);
    assert_int_equal(ctree_view_expand_all(first, CTREE_NONE, 1, NULL), CTREE_CLOSED);
    assert_int_equal(ctree_view_collapse_all(first, CTREE_NONE), CTREE_CLOSED);
    assert_int_equal(ctree_view_reveal(first, node), CTREE_CLOSED);
    assert_false(ctree_view_is_expanded(first, node));
    assert_false(ctree_view_is_visible(first, node));
    assert_false(ctree_view_is_expandable(first, node));
    assert_int_equal(ctree_rows_flatten(first, 0, NULL, &more_rows), CTREE_CLOSED);
    /* Rows are a value of their own. */
    assert_int_equal(ctree_rows_count(rows), 1);
    assert_int_equal(ctree_rows_row(rows, node), 0);
    assert_int_equal(ctree_rows_window(rows, first, 0, &number, &row), CTREE_CLOSED);

    ctree_view_destroy(first);
    assert_int_equal(ctree_store_count(s), 0);
    ctree_view_destroy(second);
    assert_int_equal(ctree_rows_node(rows, 0), node); /* they outlive both */
    ctree_rows_destroy(rows);
    assert_int_equal(memory.blocks, 0);
}

static void an_empty_store_takes_little(void **state) {
    (void)state;
    ctree_store *store = NULL;
    assert_int_equal(ctree_store_create(NULL, &store), CTREE_OK);
    ctree_memory memory = {.size = sizeof memory};
    assert_int_equal(ctree_store_memory(store, &memory), CTREE_OK);
    assert_true(memory.total < 64 << 10);
    ctree_store_destroy(store);
    failing_allocator counted;
    failing_allocator_init(&counted);
    ctree_allocator allocator = failing_allocator_use(&counted);
    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    options.allocator = &allocator;
    assert_int_equal(ctree_store_create(&options, &store), CTREE_OK);
    assert_true(counted.bytes < 64 << 10);
    ctree_store_destroy(store);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_of_another_size_are_good_as_far_as_they_ask_for_nothing_unknown),
        cmocka_unit_test(options_that_end_early_take_defaults_for_the_rest),
        cmocka_unit_test(an_allocator_must_have_all_of_its_functions),
        cmocka_unit_test(a_view_takes_only_flags_and_sizes_that_it_knows),
        cmocka_unit_test(info_and_memory_want_their_size),
        cmocka_unit_test(null_where_something_is_needed_is_invalid),
        cmocka_unit_test(every_status_has_a_name_of_its_own_and_unknown_ones_have_one_too),
        cmocka_unit_test(a_view_that_outlives_its_store_finds_it_closed),
        cmocka_unit_test(an_empty_store_takes_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
