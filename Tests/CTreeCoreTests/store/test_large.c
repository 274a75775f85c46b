/*
 * A tree a million deep, and one a million wide, through every call: nothing recurses, nothing is quadratic. What
 * should come out is known by arithmetic, so that no slow twin is needed. A call that were linear where it may not be
 * would not be seen by its result, but it is made often enough here for the test to run into its time limit.
 */
#include "support/assertions.h"
#include "support/forest_box.h"
#include "support/unit.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(CTREE_TEST_SMALL)
#define SMALL 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SMALL 1
#endif
#endif

#ifdef SMALL
enum { N = 50000, SOME = 500 };
#else
enum { N = 1000000, SOME = 20000 };
#endif

typedef enum tree_shape { DEEP, WIDE } tree_shape;

/* Identifiers: ROOT at the top, and the numbers below N under it. */
enum { ROOT = 5000000, SPARE = 6000000 };

typedef struct large {
    tree_shape shape;
    ctree_store *store;
    ctree_view *view;
    ctree_node root;
    ctree_node *nodes; /* by number */
    uint64_t released;
} large;

static void on_release(void *context, const ctree_node *nodes, const uint64_t *values, size_t count) {
    large *l = context;
    (void)nodes;
    (void)values;
    l->released += count;
}

static ctree_store *new_store(large *l) {
    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    options.release = on_release;
    options.release_context = l;
    ctree_store *store = NULL;
    assert_int_equal(ctree_store_create(&options, &store), CTREE_OK);
    return store;
}

/* The whole tree below the root, the last item first, so that most parents follow their children in the arrays. Of a
   wide one siblings must keep the order of the arrays. */
static forest_box *whole(tree_shape shape) {
    forest_box *box = forest_box_new(N);
    for (uint32_t i = 0; i < N; i++) {
        uint32_t number = shape == DEEP ? N - 1 - i : i;
        box->numbers[i] = number;
        box->values[i] = number;
        if (shape == DEEP && i + 1 < N) box->parents[i] = i + 1;
    }
    box->forest.ids = NULL;
    box->forest.numbers = box->numbers;
    box->forest.states = NULL;
    return box;
}

/* Where a number stands in the arrays of the whole. */
static uint32_t item_of(tree_shape shape, uint32_t number) { return shape == DEEP ? N - 1 - number : number; }

static void keep_nodes(large *l, const forest_box *box) {
    for (uint32_t i = 0; i < N; i++) l->nodes[i] = box->outs[item_of(l->shape, i)];
}

static void insert_root(large *l) {
    ctree_node_init init = {0, 0, CTREE_STATE_UNLOADED};
    assert_int_equal(ctree_store_insert(l->store, CTREE_NONE, 0, ctree_id_u64(ROOT), &init, &l->root), CTREE_OK);
}

/* In place, since the store keeps its address. */
static void large_make(large *l, tree_shape shape) {
    *l = (large){.shape = shape};
    l->nodes = must(malloc(N * sizeof *l->nodes));
    l->store = new_store(l);
    insert_root(l);
    forest_box *box = whole(shape);
    assert_int_equal(ctree_store_build(l->store, l->root, 0, &box->forest, NULL, box->outs, NULL), CTREE_OK);
    keep_nodes(l, box);
    forest_box_free(box);
    assert_int_equal(ctree_store_count(l->store), N + 1);
    assert_int_equal(ctree_view_create(l->store, NULL, &l->view), CTREE_OK);
}

static void assert_valid(const large *l) {
    const char *reason = NULL;
    assert_int_equal(ctree_validate(l->store, &reason), CTREE_OK);
}

/* Numbers spread over the whole, the ends among them. */
static uint32_t spread(uint32_t i) { return i == 0 ? 0 : i == SOME - 1 ? N - 1 : (uint32_t)((uint64_t)i * 7919 % N); }

/* ---- Reads --------------------------------------------------------------------------------------------------- */

static void read_nodes(const large *l) {
    for (uint32_t i = 0; i < SOME; i++) {
        uint32_t number = spread(i), ordinal = 7;
        ctree_node node = l->nodes[number], parent = 7;
        assert_int_equal(ctree_store_find(l->store, ctree_id_u64(number)), node);
        assert_int_equal(ctree_store_value(l->store, node), number);
        assert_int_equal(ctree_store_parent(l->store, node, &parent), CTREE_OK);
        assert_int_equal(parent, l->shape == DEEP && number > 0 ? l->nodes[number - 1] : l->root);
        assert_int_equal(ctree_store_find_child(l->store, parent, ctree_id_u64(number)), node);
        assert_int_equal(ctree_store_ordinal(l->store, node, &ordinal), CTREE_OK);
        assert_int_equal(ordinal, l->shape == DEEP ? 0 : number);
        assert_int_equal(ctree_store_child_at(l->store, parent, ordinal), node);
        assert_true(ctree_store_is_below(l->store, node, parent));
    }
    ctree_node *found = must(malloc(N * sizeof *found));
    uint64_t *numbers = must(malloc(N * sizeof *numbers));
    for (uint32_t i = 0; i < N; i++) numbers[i] = N - 1 - i;
    assert_int_equal(ctree_store_find_many_u64(l->store, NULL, numbers, N, found), CTREE_OK);
    for (uint32_t i = 0; i < N; i++) assert_int_equal(found[i], l->nodes[N - 1 - i]);
    uint32_t count = N + 1;
    assert_int_equal(ctree_store_children(l->store, l->root, 0, &count, found), CTREE_OK);
    assert_int_equal(count, l->shape == DEEP ? 1 : N);
    for (uint32_t i = 0; i < count; i++) assert_int_equal(found[i], l->nodes[i]);
    free(found);
    free(numbers);
}

static void read_places(const large *l) {
    uint32_t last = N - 1, depth = 0, room = 0;
    uint32_t expected = l->shape == DEEP ? N : 1;
    assert_int_equal(ctree_store_depth(l->store, l->nodes[last], &depth), CTREE_OK);
    assert_int_equal(depth, expected);
    assert_true(ctree_store_is_below(l->store, l->nodes[last], l->root));
    assert_int_equal(ctree_store_path(l->store, l->nodes[last], &room, NULL), CTREE_RANGE);
    assert_int_equal(room, expected + 1);
    uint32_t *path = must(calloc(room, sizeof *path));
    assert_int_equal(ctree_store_path(l->store, l->nodes[last], &room, path), CTREE_OK);
    assert_int_equal(path[room - 1], l->shape == DEEP ? 0 : last);
    assert_int_equal(ctree_store_node_at_path(l->store, path, room), l->nodes[last]);
    free(path);

    uint32_t number = 0;
    ctree_node at = CTREE_NONE;
    assert_int_equal(ctree_store_next(l->store, at, CTREE_NONE, false), l->root);
    for (at = l->root; (at = ctree_store_next(l->store, at, l->root, false)) != CTREE_NONE; number++) {
        assert_int_equal(at, l->nodes[number]);
    }
    assert_int_equal(number, N);
    assert_int_equal(ctree_store_subtree_count(l->store, l->root), N + 1);
    assert_int_equal(ctree_store_subtree_count(l->store, l->nodes[0]), l->shape == DEEP ? N : 1);
}

/* ---- Rows ---------------------------------------------------------------------------------------------------- */

static void read_rows(const large *l, uint32_t expected) {
    for (uint32_t flags = 0; flags <= CTREE_ROWS_LOOKUP; flags++) {
        ctree_rows *rows = NULL;
        assert_int_equal(ctree_rows_flatten(l->view, flags, NULL, &rows), CTREE_OK);
        assert_int_equal(ctree_rows_count(rows), expected);
        assert_int_equal(ctree_rows_node(rows, 0), l->root);
        for (uint32_t i = 1; i < expected; i++) {
            assert_int_equal(ctree_rows_nodes(rows)[i], l->nodes[i - 1]);
            assert_int_equal(ctree_rows_depths(rows)[i], l->shape == DEEP ? i : 1);
        }
        for (uint32_t i = 0; flags != 0 && i < SOME && expected > 1; i++) {
            ctree_index_path path = {7, 7};
            uint32_t row = spread(i) + 1;
            assert_int_equal(ctree_rows_row(rows, l->nodes[row - 1]), row);
            assert_int_equal(ctree_rows_index_path(rows, row, &path), CTREE_OK);
            assert_int_equal(path.section, 0);
            assert_int_equal(ctree_rows_at_index_path(rows, path), row);
        }
        ctree_row window[100];
        uint32_t count = 100;
        uint32_t first = expected > 100 ? expected - 100 : 0;
        assert_int_equal(ctree_rows_window(rows, l->view, first, &count, window), CTREE_OK);
        assert_int_equal(count, expected < 100 ? expected : 100);
        for (uint32_t i = 0; i < count && first > 0; i++) {
            assert_int_equal(window[i].node, l->nodes[first + i - 1]);
            assert_int_equal(window[i].position, l->shape == DEEP ? 0 : first + i - 1);
            assert_int_equal(window[i].sibling_count, l->shape == DEEP ? 1 : N);
        }
        ctree_rows_destroy(rows);
    }
}

static void open_and_close(const large *l) {
    read_rows(l, 1);
    assert_false(ctree_view_is_visible(l->view, l->nodes[N - 1]));
    assert_int_equal(ctree_view_reveal(l->view, l->nodes[N - 1]), CTREE_OK);
    assert_true(ctree_view_is_visible(l->view, l->nodes[N - 1]));
    read_rows(l, N + 1);
    assert_int_equal(ctree_view_collapse(l->view, l->root), CTREE_OK);
    read_rows(l, 1);
    assert_int_equal(ctree_view_expand(l->view, l->root), CTREE_OK);
    for (uint32_t i = 0; i < 200; i++) assert_int_equal(ctree_view_toggle(l->view, l->root), CTREE_OK);
    read_rows(l, N + 1);
    assert_int_equal(ctree_view_collapse_all(l->view, CTREE_NONE), CTREE_OK);
    read_rows(l, 1);
    assert_int_equal(ctree_view_expand_all(l->view, l->root, CTREE_ALL_LEVELS, NULL), CTREE_OK);
    read_rows(l, N + 1);
}

/* ---- Edits --------------------------------------------------------------------------------------------------- */

static void edit_nodes(large *l) {
    ctree_node under = l->shape == DEEP ? l->nodes[N / 2] : l->root;
    for (uint32_t i = 0; i < SOME; i++) { /* in the midst, in and out again */
        ctree_node node = CTREE_NONE;
        uint32_t at = l->shape == DEEP ? i % 2 : spread(i);
        assert_int_equal(ctree_store_insert(l->store, under, at, ctree_id_u64(SPARE + i), NULL, &node), CTREE_OK);
        assert_int_equal(ctree_store_set_value(l->store, node, i, i), CTREE_OK);
        uint32_t ordinal = 0;
        assert_int_equal(ctree_store_ordinal(l->store, node, &ordinal), CTREE_OK);
        assert_int_equal(ordinal, at);
        if (l->shape == WIDE) assert_int_equal(ctree_store_move(l->store, node, under, CTREE_END), CTREE_OK);
        assert_int_equal(ctree_store_move(l->store, node, CTREE_NONE, 0), CTREE_OK);
        assert_int_equal(ctree_store_remove(l->store, node), CTREE_OK);
    }
    assert_int_equal(ctree_store_count(l->store), N + 1);
    assert_int_equal(ctree_store_move(l->store, l->root, l->nodes[N - 1], 0), CTREE_CYCLE);
    assert_int_equal(ctree_store_move(l->store, l->nodes[0], l->nodes[0], 0), CTREE_CYCLE);
    /* The whole subtree out and back. */
    assert_int_equal(ctree_store_move(l->store, l->nodes[0], CTREE_NONE, 0), CTREE_OK);
    assert_int_equal(ctree_store_move(l->store, l->nodes[0], l->root, 0), CTREE_OK);
    assert_valid(l);
    read_rows(l, N + 1);
}

static void reconcile_whole(large *l) {
    forest_box *box = whole(l->shape);
    /* To what is there: nothing changes. Then with the last item of all first among its siblings. */
    uint64_t before = l->released;
    assert_int_equal(
        ctree_store_reconcile(l->store, l->root, &box->forest, CTREE_ELSEWHERE_FAILS, NULL, box->outs, NULL),
        CTREE_OK);
    assert_int_equal(l->released, before);
    for (uint32_t i = 0; i < N; i++) assert_int_equal(box->outs[item_of(l->shape, i)], l->nodes[i]);
    read_rows(l, N + 1);
    if (l->shape == WIDE) {
        for (uint32_t i = 0; i < N; i++) box->numbers[i] = i == 0 ? N - 1 : i - 1;
        memcpy(box->values, box->numbers, N * sizeof *box->values);
        assert_int_equal(ctree_store_reconcile(l->store, l->root, &box->forest, 0, NULL, NULL, NULL), CTREE_OK);
        assert_int_equal(ctree_store_child_at(l->store, l->root, 0), l->nodes[N - 1]);
        assert_int_equal(ctree_store_child_at(l->store, l->root, N - 1), l->nodes[N - 2]);
        for (uint32_t i = 0; i < N; i++) box->numbers[i] = N - 1 - i; /* all of them turned round, and back */
        memcpy(box->values, box->numbers, N * sizeof *box->values);
        assert_int_equal(ctree_store_reconcile(l->store, l->root, &box->forest, 0, NULL, NULL, NULL), CTREE_OK);
        assert_int_equal(ctree_store_child_at(l->store, l->root, 1), l->nodes[N - 2]);
        for (uint32_t i = 0; i < N; i++) box->numbers[i] = i;
        memcpy(box->values, box->numbers, N * sizeof *box->values);
        assert_int_equal(ctree_store_reconcile(l->store, l->root, &box->forest, 0, NULL, NULL, NULL), CTREE_OK);
    } else {
        /* The chain hung up by its last node: each comes to stand below what stood below it. */
        for (uint32_t i = 0; i < N; i++) box->parents[i] = i == 0 ? CTREE_END : i - 1;
        assert_int_equal(ctree_store_reconcile(l->store, l->root, &box->forest, 0, NULL, NULL, NULL), CTREE_OK);
        assert_int_equal(ctree_store_child_at(l->store, l->root, 0), l->nodes[N - 1]);
        assert_valid(l);
        for (uint32_t i = 0; i < N; i++) box->parents[i] = i + 1 < N ? i + 1 : CTREE_END;
        assert_int_equal(ctree_store_reconcile(l->store, l->root, &box->forest, 0, NULL, NULL, NULL), CTREE_OK);
    }
    forest_box_free(box);
    assert_int_equal(l->released, before);
    assert_valid(l);
    read_places(l);
    read_rows(l, N + 1);
}

/* ---- Coming and going as a whole
 * ----------------------------------------------------------------------------------- */

static void load_whole(large *l) {
    uint64_t before = l->released;
    assert_int_equal(ctree_load_drop(l->store, l->root), CTREE_OK);
    assert_int_equal(l->released, before + N);
    assert_false(ctree_store_contains(l->store, l->nodes[N - 1]));
    read_rows(l, 1);
    ctree_ticket ticket = 0;
    forest_box *box = whole(l->shape);
    assert_int_equal(ctree_load_begin(l->store, l->root, 0, &ticket), CTREE_OK);
    assert_int_equal(ctree_load_finish(l->store, l->root, ticket, &box->forest, 1, box->outs, NULL), CTREE_OK);
    keep_nodes(l, box);
    assert_int_equal(ctree_store_set_leaf(l->store, l->root, true), CTREE_OK);
    assert_int_equal(l->released, before + 2 * (uint64_t)N);
    assert_int_equal(ctree_store_set_leaf(l->store, l->root, false), CTREE_OK);
    assert_int_equal(ctree_load_begin(l->store, l->root, 0, &ticket), CTREE_OK);
    assert_int_equal(ctree_load_append(l->store, l->root, ticket, &box->forest, true, box->outs, NULL), CTREE_OK);
    assert_int_equal(ctree_load_fail(l->store, l->root, ticket, 1), CTREE_OK);
    keep_nodes(l, box);
    forest_box_free(box);
    assert_int_equal(ctree_view_expand_all(l->view, CTREE_NONE, CTREE_ALL_LEVELS, NULL), CTREE_OK);
    read_rows(l, N + 1);
}

static void graft_whole(large *l) {
    large to = {.shape = l->shape, .nodes = l->nodes};
    to.store = new_store(&to);
    uint64_t before = l->released;
    assert_int_equal(ctree_store_graft(to.store, CTREE_NONE, 0, l->store, NULL, NULL), CTREE_OK);
    assert_int_equal(l->released, before);
    assert_int_equal(ctree_store_count(l->store), 0);
    assert_int_equal(ctree_store_count(to.store), N + 1);
    assert_valid(&to);
    assert_valid(l);
    ctree_node last = ctree_store_find(to.store, ctree_id_u64(N - 1));
    uint32_t depth = 0;
    assert_int_equal(ctree_store_depth(to.store, last, &depth), CTREE_OK);
    assert_int_equal(depth, l->shape == DEEP ? N : 1);
    assert_int_equal(ctree_store_value(to.store, last), N - 1);
    ctree_rows *rows = NULL;
    assert_int_equal(ctree_rows_flatten(l->view, 0, NULL, &rows), CTREE_OK);
    assert_int_equal(ctree_rows_count(rows), 0);
    ctree_rows_destroy(rows);
    ctree_store_destroy(to.store);
    assert_int_equal(to.released, N + 1);
}

static void remove_piece_by_piece(large *l) {
    insert_root(l);
    forest_box *box = whole(l->shape);
    assert_int_equal(ctree_store_build(l->store, l->root, 0, &box->forest, NULL, box->outs, NULL), CTREE_OK);
    keep_nodes(l, box);
    forest_box_free(box);
    uint64_t before = l->released;
    if (l->shape == WIDE) {
        assert_int_equal(ctree_store_remove_children(l->store, l->root, 10, N / 2), CTREE_OK);
        assert_int_equal(l->released - before, N / 2);
        assert_int_equal(ctree_store_child_at(l->store, l->root, 10), l->nodes[10 + N / 2]);
    } else {
        assert_int_equal(ctree_store_remove(l->store, l->nodes[N - 1 - N / 2]), CTREE_OK);
        assert_int_equal(l->released - before, N / 2 + 1);
    }
    assert_valid(l);
    assert_int_equal(ctree_store_remove(l->store, l->root), CTREE_OK);
    assert_int_equal(l->released - before, N + 1);
    assert_int_equal(ctree_store_count(l->store), 0);
    assert_valid(l);
}

static void through_every_call(tree_shape shape) {
    large l;
    large_make(&l, shape);
    assert_valid(&l);
    read_nodes(&l);
    read_places(&l);
    open_and_close(&l);
    edit_nodes(&l);
    reconcile_whole(&l);
    load_whole(&l);
    graft_whole(&l);
    remove_piece_by_piece(&l);
    ctree_store_destroy(l.store);
    ctree_view_destroy(l.view);
    free(l.nodes);
}

static void a_tree_a_million_deep_goes_through_every_call(void **state) {
    (void)state;
    through_every_call(DEEP);
}

static void a_list_a_million_wide_goes_through_every_call(void **state) {
    (void)state;
    through_every_call(WIDE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_a_million_deep_goes_through_every_call),
        cmocka_unit_test(a_list_a_million_wide_goes_through_every_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
