/* What no caller should hand in, for every function: nothing, handles that are stale, forged or another store's, what
   is closed, sizes and numbers that mean nothing. Each comes back as what its header says, and nothing has changed.
 */
#include "ctree/ctree.h"
#include "support/assertions.h"
#include "support/unit.h"

static const ctree_node_init unloaded = {0, 0, CTREE_STATE_UNLOADED};

typedef struct world {
    ctree_store *store, *other;
    ctree_view *view;
    ctree_rows *rows;
    ctree_node top, child, stale, foreign;
} world;

static bool tells_nothing(void *context, const ctree_saved *entry) {
    (void)context;
    (void)entry;
    return true;
}

static ctree_store *new_store(void) {
    ctree_store *store;
    assert_int_equal(ctree_store_create(NULL, &store), CTREE_OK);
    return store;
}

static ctree_node put(ctree_store *store, ctree_node parent, uint64_t id) {
    ctree_node node;
    assert_int_equal(ctree_store_insert(store, parent, CTREE_END, ctree_id_u64(id), &unloaded, &node), CTREE_OK);
    return node;
}

static world begin(void) {
    world w = {.store = new_store(), .other = new_store()};
    w.top = put(w.store, CTREE_NONE, 1);
    w.child = put(w.store, w.top, 2);
    w.stale = put(w.store, CTREE_NONE, 3);
    assert_int_equal(ctree_store_remove(w.store, w.stale), CTREE_OK);
    for (uint64_t i = 0; i < 4; i++) w.foreign = put(w.other, CTREE_NONE, i);
    ctree_view_options options = CTREE_VIEW_OPTIONS_INIT;
    options.flags = CTREE_VIEW_RECORDS;
    assert_int_equal(ctree_view_create(w.store, &options, &w.view), CTREE_OK);
    assert_int_equal(ctree_rows_flatten(w.view, CTREE_ROWS_LOOKUP, NULL, &w.rows), CTREE_OK);
    return w;
}

static void end(world *w) {
    ctree_rows_destroy(w->rows);
    ctree_view_destroy(w->view);
    ctree_store_destroy(w->store);
    ctree_store_destroy(w->other);
}

static void check_whole(const world *w) {
    const char *reason = NULL;
    if (ctree_validate(w->store, &reason) != CTREE_OK) fail_msg("%s", reason);
    if (ctree_view_validate(w->view, &reason) != CTREE_OK) fail_msg("%s", reason);
    assert_int_equal(ctree_store_count(w->store), 2);
    assert_int_equal(ctree_view_row_count(w->view), 1);
}

#define STATUS(status, call) assert_int_equal(call, status)

/* Every call that takes a store and a node, and what it says of a node that is none. */
static void check_nodes(ctree_store *store, ctree_node node, ctree_status status) {
    uint32_t number = 0, room = 0, ordinals[4];
    uint64_t ticket;
    ctree_node out, nodes[4];
    ctree_id id;
    ctree_node_info info = {.size = sizeof info};
    ctree_forest forest = CTREE_FOREST_INIT;
    uint64_t names[] = {100};
    forest.count = 1;
    forest.numbers = names;
    STATUS(status, ctree_store_info(store, node, &info));
    STATUS(status, ctree_store_parent(store, node, &out));
    STATUS(status, ctree_store_id(store, node, &id));
    STATUS(status, ctree_store_ordinal(store, node, &number));
    STATUS(status, ctree_store_depth(store, node, &number));
    STATUS(status, ctree_store_path(store, node, &room, ordinals));
    room = 4;
    STATUS(status, ctree_store_children(store, node, 0, &room, nodes));
    assert_false(ctree_store_contains(store, node));
    assert_false(ctree_store_is_below(store, node, CTREE_NONE));
    assert_int_equal(ctree_store_value(store, node), 0);
    assert_int_equal(ctree_store_revision(store, node), 0);
    assert_int_equal(ctree_store_child_count(store, node), 0);
    assert_true(ctree_store_child_at(store, node, 0) == CTREE_NONE);
    assert_true(ctree_store_next(store, node, CTREE_NONE, false) == CTREE_NONE);
    assert_int_equal(ctree_store_subtree_count(store, node), 0);
    STATUS(status, ctree_store_insert(store, node, 0, ctree_id_u64(9), NULL, &out));
    STATUS(status, ctree_store_remove(store, node));
    STATUS(status, ctree_store_remove_children(store, node, 0, 0));
    STATUS(status, ctree_store_move(store, node, CTREE_NONE, 0));
    STATUS(status, ctree_store_set_value(store, node, 1, 1));
    STATUS(status, ctree_store_set_leaf(store, node, true));
    STATUS(status, ctree_store_build(store, node, 0, &forest, NULL, NULL, NULL));
    STATUS(status, ctree_store_reconcile(store, node, &forest, 0, NULL, NULL, NULL));
    STATUS(status, ctree_load_request(store, node));
    STATUS(status, ctree_load_begin(store, node, 0, &ticket));
    STATUS(status, ctree_load_check(store, node, 1));
    STATUS(status, ctree_load_finish(store, node, 1, &forest, 0, NULL, NULL));
    STATUS(status, ctree_load_append(store, node, 1, &forest, false, NULL, NULL));
    STATUS(status, ctree_load_fail(store, node, 1, 1));
    STATUS(status, ctree_load_cancel(store, node, 1));
    STATUS(status, ctree_load_drop(store, node));
    assert_int_equal(ctree_load_error(store, node), 0);
}

static void check_view_nodes(ctree_view *view, ctree_node node, ctree_status status) {
    uint32_t room = 4;
    ctree_node nodes[4];
    STATUS(status, ctree_view_expand(view, node));
    STATUS(status, ctree_view_collapse(view, node));
    STATUS(status, ctree_view_toggle(view, node));
    STATUS(status, ctree_view_reveal(view, node));
    STATUS(status, ctree_view_expand_all(view, node, 1, NULL));
    STATUS(status, ctree_view_collapse_all(view, node));
    STATUS(status, ctree_view_select(view, node, true));
    STATUS(status, ctree_view_ancestors(view, node, &room, nodes));
    assert_false(ctree_view_is_expanded(view, node));
    assert_false(ctree_view_is_visible(view, node));
    assert_false(ctree_view_is_expandable(view, node));
    assert_false(ctree_view_is_selected(view, node));
    assert_int_equal(ctree_view_row_of(view, node), CTREE_NO_ROW);
}

static void handles_that_name_no_living_node_are_stale(void **state) {
    (void)state;
    world w = begin();
    const ctree_node forged[] = {w.stale,
                                 w.foreign,
                                 w.top ^ UINT64_C(1) << 40,
                                 w.top | UINT64_C(0xFF) << 56,
                                 w.top + 1000,
                                 (uint32_t)w.top,
                                 UINT64_MAX,
                                 UINT64_C(1) << 63,
                                 w.top >> 32 << 32,
                                 1};
    for (size_t i = 0; i < sizeof forged / sizeof forged[0]; i++) {
        check_nodes(w.store, forged[i], CTREE_STALE);
        check_view_nodes(w.view, forged[i], CTREE_STALE);
        assert_int_equal(ctree_rows_row(w.rows, forged[i]), CTREE_NO_ROW);
        STATUS(CTREE_STALE, ctree_store_move(w.store, w.child, forged[i], 0));
        check_whole(&w);
    }
    end(&w);
}

static void a_closed_store_says_so_everywhere(void **state) {
    (void)state;
    world w = begin();
    ctree_store *store = w.store;
    ctree_store_destroy(store); /* lives on with its view */
    check_nodes(store, w.top, CTREE_CLOSED);
    check_view_nodes(w.view, w.top, CTREE_CLOSED);
    ctree_store_destroy(store);
    uint64_t room64 = 0, token;
    uint32_t room = 0, row = 0, found;
    ctree_memory memory = {.size = sizeof memory};
    ctree_listener listener = {0};
    ctree_rows *rows;
    ctree_view *view;
    ctree_index_path path = {0, 0};
    const ctree_batch *batch;
    const ctree_section_batch *sections;
    ctree_node node = w.top;
    ctree_row drawn;
    ctree_id id = ctree_id_u64(1);
    STATUS(CTREE_CLOSED, ctree_store_memory(store, &memory));
    STATUS(CTREE_CLOSED, ctree_validate(store, NULL));
    STATUS(CTREE_CLOSED, ctree_store_begin(store));
    STATUS(CTREE_CLOSED, ctree_store_end(store));
    STATUS(CTREE_CLOSED, ctree_store_add_listener(store, &listener, &token));
    STATUS(CTREE_CLOSED, ctree_store_remove_listener(store, 1));
    STATUS(CTREE_CLOSED, ctree_view_create(store, NULL, &view));
    STATUS(CTREE_CLOSED, ctree_store_graft(store, CTREE_NONE, 0, w.other, NULL, NULL));
    STATUS(CTREE_CLOSED, ctree_store_graft(w.other, CTREE_NONE, 0, store, NULL, NULL));
    STATUS(CTREE_CLOSED, ctree_store_find_many(store, NULL, &id, 1, &node));
    STATUS(CTREE_CLOSED, ctree_store_find_many_u64(store, NULL, &room64, 1, &node));
    assert_true(ctree_store_find(store, ctree_id_u64(1)) == CTREE_NONE);
    assert_true(ctree_store_find_child(store, CTREE_NONE, ctree_id_u64(1)) == CTREE_NONE);
    assert_true(ctree_store_node_at_path(store, &row, 1) == CTREE_NONE);
    assert_true(ctree_load_next_request(store) == CTREE_NONE);
    assert_int_equal(ctree_store_count(store), 0);
    STATUS(CTREE_CLOSED, ctree_rows_flatten(w.view, 0, NULL, &rows));
    STATUS(CTREE_CLOSED, ctree_rows_window(w.rows, w.view, 0, &room, &drawn));
    STATUS(CTREE_CLOSED, ctree_view_nodes_at(w.view, &row, 1, &node));
    STATUS(CTREE_CLOSED, ctree_view_rows_of(w.view, &node, 1, &found));
    STATUS(CTREE_CLOSED, ctree_view_window(w.view, 0, &room, &drawn));
    STATUS(CTREE_CLOSED, ctree_view_nodes_from(w.view, 0, &room, NULL, NULL));
    STATUS(CTREE_CLOSED, ctree_view_index_path(w.view, 0, &path));
    STATUS(CTREE_CLOSED, ctree_view_trim(w.view));
    STATUS(CTREE_CLOSED, ctree_view_compact(w.view));
    STATUS(CTREE_CLOSED, ctree_view_validate(w.view, NULL));
    STATUS(CTREE_CLOSED, ctree_view_select_rows(w.view, 0, 0, true));
    STATUS(CTREE_CLOSED, ctree_view_deselect_all(w.view));
    STATUS(CTREE_CLOSED, ctree_view_selected(w.view, &room64, NULL));
    STATUS(CTREE_CLOSED, ctree_view_commit(w.view, 0, &batch));
    STATUS(CTREE_CLOSED, ctree_view_commit_sections(w.view, 0, &sections));
    STATUS(CTREE_CLOSED, ctree_view_accept(w.view));
    STATUS(CTREE_CLOSED, ctree_view_save(w.view, 1, tells_nothing, NULL));
    STATUS(CTREE_CLOSED, ctree_view_restore(w.view, NULL, 0));
    STATUS(CTREE_CLOSED, ctree_view_forget_waiting(w.view));
    STATUS(CTREE_CLOSED, ctree_view_reveal_path(w.view, &id, 1, &node));
    assert_int_equal(ctree_view_row_count(w.view), 0);
    assert_true(ctree_view_node_at(w.view, 0) == CTREE_NONE);
    assert_int_equal(ctree_view_row_at_index_path(w.view, path), CTREE_NO_ROW);
    assert_int_equal(ctree_view_section_count(w.view), 0);
    assert_true(ctree_view_section_node(w.view, 0) == CTREE_NONE);
    assert_int_equal(ctree_view_memory(w.view), 0);
    ctree_rows_destroy(w.rows);
    ctree_view_destroy(w.view);
    ctree_store_destroy(w.other);
}

static void nothing_in_place_of_an_object_is_invalid(void **state) {
    (void)state;
    uint32_t room = 0, row = 0, found;
    uint64_t room64 = 0;
    ctree_node node = 1;
    ctree_id id = ctree_id_u64(1);
    ctree_index_path path = {0, 0};
    ctree_row drawn;
    ctree_node_info info = {.size = sizeof info};
    ctree_memory memory = {.size = sizeof memory};
    ctree_store *none = NULL;
    ctree_view *no_view = NULL;
    const ctree_batch *batch;
    const ctree_section_batch *sections;
    check_view_nodes(no_view, 1, CTREE_INVALID);
    STATUS(CTREE_INVALID, ctree_store_create(NULL, NULL));
    STATUS(CTREE_INVALID, ctree_view_create(none, NULL, &no_view));
    STATUS(CTREE_INVALID, ctree_store_memory(none, &memory));
    STATUS(CTREE_INVALID, ctree_validate(none, NULL));
    STATUS(CTREE_INVALID, ctree_store_info(none, node, &info));
    STATUS(CTREE_INVALID, ctree_store_insert(none, 0, 0, id, NULL, NULL));
    STATUS(CTREE_INVALID, ctree_store_remove(none, node));
    STATUS(CTREE_INVALID, ctree_store_begin(none));
    STATUS(CTREE_INVALID, ctree_store_end(none));
    STATUS(CTREE_INVALID, ctree_load_request(none, node));
    STATUS(CTREE_INVALID, ctree_load_begin(none, node, 0, &room64));
    STATUS(CTREE_INVALID, ctree_view_nodes_at(no_view, &row, 1, &node));
    STATUS(CTREE_INVALID, ctree_view_rows_of(no_view, &node, 1, &found));
    STATUS(CTREE_INVALID, ctree_view_window(no_view, 0, &room, &drawn));
    STATUS(CTREE_INVALID, ctree_view_nodes_from(no_view, 0, &room, NULL, NULL));
    STATUS(CTREE_INVALID, ctree_view_index_path(no_view, 0, &path));
    STATUS(CTREE_INVALID, ctree_view_trim(no_view));
    STATUS(CTREE_INVALID, ctree_view_compact(no_view));
    STATUS(CTREE_INVALID, ctree_view_validate(no_view, NULL));
    STATUS(CTREE_INVALID, ctree_view_select_rows(no_view, 0, 0, true));
    STATUS(CTREE_INVALID, ctree_view_deselect_all(no_view));
    STATUS(CTREE_INVALID, ctree_view_selected(no_view, &room64, NULL));
    STATUS(CTREE_INVALID, ctree_view_commit(no_view, 0, &batch));
    STATUS(CTREE_INVALID, ctree_view_commit_sections(no_view, 0, &sections));
    STATUS(CTREE_INVALID, ctree_view_accept(no_view));
    STATUS(CTREE_INVALID, ctree_view_save(no_view, 1, tells_nothing, NULL));
    STATUS(CTREE_INVALID, ctree_view_restore(no_view, NULL, 0));
    STATUS(CTREE_INVALID, ctree_view_watch(no_view, NULL, NULL));
    STATUS(CTREE_INVALID, ctree_rows_flatten(no_view, 0, NULL, NULL));
    assert_null(ctree_view_store(NULL));
    assert_int_equal(ctree_view_row_count(NULL), 0);
    assert_true(ctree_view_node_at(NULL, 0) == CTREE_NONE);
    assert_int_equal(ctree_view_memory(NULL), 0);
    assert_int_equal(ctree_view_selected_count(NULL), 0);
    assert_int_equal(ctree_view_section_count(NULL), 0);
    assert_int_equal(ctree_rows_count(NULL), 0);
    assert_null(ctree_rows_nodes(NULL));
    assert_null(ctree_rows_depths(NULL));
    assert_int_equal(ctree_rows_row(NULL, node), CTREE_NO_ROW);
    assert_null(ctree_diff_batch(NULL));
    assert_null(ctree_diff_section_batch(NULL));
    assert_null(ctree_diff_splices(NULL));
    assert_null(ctree_diff_steps(NULL));
    ctree_store_destroy(NULL);
    ctree_view_destroy(NULL);
    ctree_rows_destroy(NULL);
    ctree_diff_destroy(NULL);
}

static void out_parameters_that_must_be_there_are_missed(void **state) {
    (void)state;
    world w = begin();
    uint32_t room = 1;
    STATUS(CTREE_INVALID, ctree_view_create(w.store, NULL, NULL));
    STATUS(CTREE_INVALID, ctree_store_info(w.store, w.top, NULL));
    STATUS(CTREE_INVALID, ctree_store_parent(w.store, w.top, NULL));
    STATUS(CTREE_INVALID, ctree_store_id(w.store, w.top, NULL));
    STATUS(CTREE_INVALID, ctree_store_ordinal(w.store, w.top, NULL));
    STATUS(CTREE_INVALID, ctree_store_depth(w.store, w.top, NULL));
    STATUS(CTREE_INVALID, ctree_store_path(w.store, w.top, NULL, NULL));
    STATUS(CTREE_INVALID, ctree_store_children(w.store, w.top, 0, NULL, NULL));
    STATUS(CTREE_INVALID, ctree_store_children(w.store, w.top, 0, &room, NULL));
    STATUS(CTREE_INVALID, ctree_store_find_many(w.store, NULL, NULL, 1, NULL));
    STATUS(CTREE_INVALID, ctree_store_find_many(w.store, NULL, NULL, SIZE_MAX, NULL));
    STATUS(CTREE_OK, ctree_store_find_many(w.store, NULL, NULL, 0, NULL));
    STATUS(CTREE_INVALID, ctree_store_add_listener(w.store, NULL, NULL));
    STATUS(CTREE_INVALID, ctree_load_begin(w.store, w.top, 0, NULL));
    STATUS(CTREE_INVALID, ctree_view_nodes_at(w.view, NULL, 1, NULL));
    STATUS(CTREE_OK, ctree_view_nodes_at(w.view, NULL, 0, NULL));
    STATUS(CTREE_INVALID, ctree_view_rows_of(w.view, NULL, SIZE_MAX, NULL));
    STATUS(CTREE_INVALID, ctree_view_window(w.view, 0, NULL, NULL));
    STATUS(CTREE_INVALID, ctree_view_window(w.view, 0, &room, NULL));
    STATUS(CTREE_INVALID, ctree_view_nodes_from(w.view, 0, NULL, NULL, NULL));
    STATUS(CTREE_INVALID, ctree_view_ancestors(w.view, w.top, NULL, NULL));
    STATUS(CTREE_INVALID, ctree_view_index_path(w.view, 0, NULL));
    STATUS(CTREE_INVALID, ctree_view_commit(w.view, 0, NULL));
    STATUS(CTREE_INVALID, ctree_view_commit_sections(w.view, 0, NULL));
    STATUS(CTREE_INVALID, ctree_view_selected(w.view, NULL, NULL));
    STATUS(CTREE_INVALID, ctree_view_save(w.view, 1, NULL, NULL));
    STATUS(CTREE_INVALID, ctree_view_restore(w.view, NULL, 1));
    STATUS(CTREE_INVALID, ctree_view_reveal_path(w.view, NULL, 1, NULL));
    STATUS(CTREE_INVALID, ctree_rows_flatten(w.view, 0, NULL, NULL));
    STATUS(CTREE_INVALID, ctree_store_build(w.store, CTREE_NONE, 0, NULL, NULL, NULL, NULL));
    STATUS(CTREE_INVALID, ctree_store_reconcile(w.store, CTREE_NONE, NULL, 0, NULL, NULL, NULL));
    STATUS(CTREE_INVALID, ctree_store_graft(w.store, CTREE_NONE, 0, NULL, NULL, NULL));
    check_whole(&w);
    end(&w);
}

static void sizes_and_numbers_that_mean_nothing_are_invalid(void **state) {
    (void)state;
    world w = begin();
    ctree_store *store;
    ctree_view *view;
    ctree_diff *diff;
    ctree_rows *rows;
    const size_t sizes[] = {0, 1, sizeof(size_t) - 1, 1025, SIZE_MAX / 2, SIZE_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        ctree_store_options store_options = CTREE_STORE_OPTIONS_INIT;
        ctree_view_options view_options = CTREE_VIEW_OPTIONS_INIT;
        ctree_diff_options diff_options = CTREE_DIFF_OPTIONS_INIT;
        ctree_diff_list list = {0};
        store_options.size = view_options.size = diff_options.size = sizes[i];
        STATUS(CTREE_INVALID, ctree_store_create(&store_options, &store));
        STATUS(CTREE_INVALID, ctree_view_create(w.store, &view_options, &view));
        STATUS(CTREE_INVALID, ctree_diff_create(&list, &list, &diff_options, NULL, &diff));
    }
    for (size_t size = 0; size < 2; size++) {
        ctree_forest forest = CTREE_FOREST_INIT;
        ctree_memory memory = {.size = size};
        ctree_node_info info = {.size = size};
        forest.size = size;
        STATUS(CTREE_INVALID, ctree_store_build(w.store, CTREE_NONE, 0, &forest, NULL, NULL, NULL));
        STATUS(CTREE_INVALID, ctree_store_memory(w.store, &memory));
        STATUS(CTREE_INVALID, ctree_store_info(w.store, w.top, &info));
    }
    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    options.id_kind = 2;
    STATUS(CTREE_INVALID, ctree_store_create(&options, &store));
    options = (ctree_store_options)CTREE_STORE_OPTIONS_INIT;
    options.id_scope = UINT32_MAX;
    STATUS(CTREE_INVALID, ctree_store_create(&options, &store));
    options = (ctree_store_options)CTREE_STORE_OPTIONS_INIT;
    options.secret_size = 1;
    STATUS(CTREE_INVALID, ctree_store_create(&options, &store));
    ctree_view_options flags = CTREE_VIEW_OPTIONS_INIT;
    flags.flags = UINT32_MAX;
    STATUS(CTREE_INVALID, ctree_view_create(w.store, &flags, &view));
    STATUS(CTREE_INVALID, ctree_rows_flatten(w.view, 2, NULL, &rows));
    STATUS(CTREE_INVALID, ctree_view_save(w.view, 8, tells_nothing, NULL));
    ctree_node_init wrong = {0, 0, CTREE_STATE_LOADING};
    ctree_node node;
    for (uint32_t s = CTREE_STATE_LOADING; s < 8; s = s == CTREE_STATE_LOADING ? CTREE_STATE_FAILED : s + 1) {
        wrong.load_state = s;
        STATUS(CTREE_INVALID, ctree_store_insert(w.store, CTREE_NONE, 0, ctree_id_u64(50), &wrong, &node));
    }
    uint64_t ticket, names[] = {60};
    uint8_t states[] = {77};
    uint32_t parents[] = {5};
    ctree_forest forest = CTREE_FOREST_INIT;
    forest.count = 1;
    forest.numbers = names;
    forest.states = states;
    STATUS(CTREE_INVALID, ctree_store_build(w.store, CTREE_NONE, 0, &forest, NULL, NULL, NULL));
    forest.states = NULL;
    STATUS(CTREE_INVALID, ctree_store_reconcile(w.store, CTREE_NONE, &forest, 2, NULL, NULL, NULL));
    STATUS(CTREE_INVALID, ctree_load_begin(w.store, w.top, UINT32_MAX, &ticket));
    forest.parents = parents;
    assert_int_not_equal(ctree_store_build(w.store, CTREE_NONE, 0, &forest, NULL, NULL, NULL), CTREE_OK);
    forest.parents = NULL;
    forest.count = UINT64_MAX;
    assert_int_not_equal(ctree_store_build(w.store, CTREE_NONE, 0, &forest, NULL, NULL, NULL), CTREE_OK);
    /* Bytes in a store of numbers, and positions beyond the end. */
    STATUS(CTREE_INVALID, ctree_store_insert(w.store, CTREE_NONE, 0, ctree_id_bytes("x", 1), NULL, &node));
    STATUS(CTREE_RANGE, ctree_store_insert(w.store, CTREE_NONE, 7, ctree_id_u64(50), NULL, &node));
    STATUS(CTREE_RANGE, ctree_store_remove_children(w.store, CTREE_NONE, 0, UINT32_MAX));
    STATUS(CTREE_RANGE, ctree_view_select_rows(w.view, UINT32_MAX, UINT32_MAX, true));
    uint32_t room = UINT32_MAX;
    STATUS(CTREE_RANGE, ctree_view_nodes_from(w.view, UINT32_MAX, &room, NULL, NULL));
    assert_true(ctree_store_child_at(w.store, CTREE_NONE, UINT32_MAX) == CTREE_NONE);
    assert_true(ctree_view_node_at(w.view, UINT32_MAX) == CTREE_NONE);
    assert_int_equal(ctree_view_section_rows(w.view, UINT32_MAX), 0);
    assert_string_equal(ctree_status_name((ctree_status)9999), ctree_status_name((ctree_status)-1));
    check_whole(&w);
    end(&w);
}

static ctree_status within[16];
static ctree_store *graft_of;

/* In "after" the store and its views are read-only. */
static void edits_within(void *context, const ctree_store *store, const ctree_edit *edit) {
    world *w = context;
    (void)store;
    ctree_forest forest = CTREE_FOREST_INIT;
    uint64_t names[] = {80}, ticket;
    forest.count = 1;
    forest.numbers = names;
    size_t i = 0;
    ctree_node node = edit->kind == CTREE_EDIT_CHANGE ? edit->node : w->top;
    within[i++] = ctree_store_insert(w->store, CTREE_NONE, 0, ctree_id_u64(70), NULL, NULL);
    within[i++] = ctree_store_remove(w->store, node);
    within[i++] = ctree_store_move(w->store, node, CTREE_NONE, 0);
    within[i++] = ctree_store_set_value(w->store, node, 1, 1);
    within[i++] = ctree_store_build(w->store, CTREE_NONE, 0, &forest, NULL, NULL, NULL);
    within[i++] = ctree_store_reconcile(w->store, CTREE_NONE, &forest, 0, NULL, NULL, NULL);
    within[i++] = ctree_store_graft(w->store, CTREE_NONE, 0, graft_of, NULL, NULL);
    within[i++] = ctree_store_begin(w->store);
    within[i++] = ctree_load_begin(w->store, node, CTREE_LOAD_RELOAD, &ticket);
    within[i++] = ctree_load_drop(w->store, node);
    within[i++] = ctree_view_expand(w->view, node);
    within[i++] = ctree_view_collapse_all(w->view, CTREE_NONE);
    within[i++] = ctree_view_select(w->view, node, true);
    within[i++] = ctree_view_restore(w->view, NULL, 0);
    within[i++] = ctree_view_trim(w->view);
    within[i++] = ctree_view_accept(w->view);
}

static void edits_from_within_a_callback_are_busy(void **state) {
    (void)state;
    world w = begin();
    graft_of = w.other;
    ctree_listener listener = {&w, edits_within, edits_within, NULL};
    uint64_t token;
    assert_int_equal(ctree_store_add_listener(w.store, &listener, &token), CTREE_OK);
    assert_int_equal(ctree_store_set_value(w.store, w.top, 5, 5), CTREE_OK);
    for (size_t i = 0; i < sizeof within / sizeof within[0]; i++) assert_int_equal(within[i], CTREE_BUSY);
    assert_int_equal(ctree_store_remove_listener(w.store, token), CTREE_OK);
    check_whole(&w);
    assert_int_equal(ctree_store_count(w.other), 4);
    end(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handles_that_name_no_living_node_are_stale),
        cmocka_unit_test(a_closed_store_says_so_everywhere),
        cmocka_unit_test(nothing_in_place_of_an_object_is_invalid),
        cmocka_unit_test(out_parameters_that_must_be_there_are_missed),
        cmocka_unit_test(sizes_and_numbers_that_mean_nothing_are_invalid),
        cmocka_unit_test(edits_from_within_a_callback_are_busy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
