/* The flattener against a walk over the public reads, on trees of shapes that it treats apart. */
#include "ctree/ctree.h"
#include "support/assertions.h"
#include "support/failing_allocator.h"
#include "support/random.h"
#include "support/unit.h"

static ctree_store *new_store(const ctree_allocator *allocator) {
    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    options.allocator = allocator;
    ctree_store *store;
    assert_int_equal(ctree_store_create(&options, &store), CTREE_OK);
    return store;
}

static ctree_view *new_view(ctree_store *store, uint32_t flags, uint32_t default_depth) {
    ctree_view_options options = CTREE_VIEW_OPTIONS_INIT;
    options.flags = flags;
    options.default_depth = default_depth;
    ctree_view *view;
    assert_int_equal(ctree_view_create(store, &options, &view), CTREE_OK);
    return view;
}

static ctree_node put(ctree_store *store, ctree_node parent, uint64_t id) {
    ctree_node node;
    assert_int_equal(ctree_store_insert(store, parent, CTREE_END, ctree_id_u64(id), NULL, &node), CTREE_OK);
    return node;
}

static ctree_rows *flattened(const ctree_view *view, uint32_t flags) {
    ctree_rows *rows;
    assert_int_equal(ctree_rows_flatten(view, flags, NULL, &rows), CTREE_OK);
    return rows;
}

/* The next node that is a row or a section, found by what the store and the view say of single nodes. */
static ctree_node next_visible(const ctree_store *store, const ctree_view *view, ctree_node node) {
    bool closed = node != CTREE_NONE && !ctree_view_is_expanded(view, node);
    return ctree_store_next(store, node, CTREE_NONE, closed);
}

static void assert_agrees(ctree_store *store, const ctree_view *view, bool sections) {
    ctree_rows *rows = flattened(view, CTREE_ROWS_LOOKUP);
    uint32_t row = 0, section = 0, depth;
    ctree_node node = CTREE_NONE;
    while ((node = next_visible(store, view, node)) != CTREE_NONE) {
        ctree_node parent;
        assert_int_equal(ctree_store_parent(store, node, &parent), CTREE_OK);
        if (sections && parent == CTREE_NONE) {
            assert_true(ctree_rows_section_node(rows, section) == node);
            assert_int_equal(ctree_rows_section_start(rows, section), row);
            assert_int_equal(ctree_rows_row(rows, node), CTREE_NO_ROW);
            section++;
            continue;
        }
        assert_true(ctree_rows_node(rows, row) == node);
        assert_int_equal(ctree_rows_row(rows, node), row);
        ctree_index_path path;
        assert_int_equal(ctree_rows_index_path(rows, row, &path), CTREE_OK);
        assert_int_equal(path.section, sections ? section - 1 : 0);
        assert_int_equal(ctree_rows_at_index_path(rows, path), row);
        if (row % 256 == 0) { /* on a chain each costs its depth */
            assert_int_equal(ctree_store_depth(store, node, &depth), CTREE_OK);
            assert_int_equal(ctree_rows_depths(rows)[row], depth - (sections ? 1 : 0));
        }
        row++;
    }
    assert_int_equal(ctree_rows_count(rows), row);
    assert_int_equal(ctree_rows_section_count(rows), sections ? section : 1);
    assert_int_equal(ctree_rows_section_start(rows, sections ? section : 1), row);
    assert_true(ctree_rows_node(rows, row) == CTREE_NONE);
    ctree_rows_destroy(rows);
}

/* Nodes below random parents: slots lie in no order, some lists are wide, a few nodes are expanded or collapsed. */
static void random_tree(ctree_store *store, ctree_view *view, uint32_t count, random_source *random) {
    ctree_node *nodes = must(malloc(count * sizeof *nodes));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t kind = random_below(random, 8);
        ctree_node parent = kind == 0 || i == 0 ? CTREE_NONE : nodes[kind < 4 ? i / 2 : random_below(random, i)];
        nodes[i] = put(store, kind == 7 && i > 3 ? nodes[3] : parent, i);
        if (random_chance(random, 1, 3)) ctree_view_toggle(view, nodes[random_below(random, i + 1)]);
    }
    free(nodes);
}

static void rows_of_random_trees_are_those_of_a_walk(void **state) {
    (void)state;
    random_source random = random_from_seed(random_seed_of_test("flatten", 7));
    for (uint32_t run = 0; run < 60 * random_runs(); run++) {
        bool sections = run % 2 != 0;
        ctree_store *store = new_store(NULL);
        ctree_view *view =
            new_view(store, sections ? CTREE_VIEW_SECTIONS : 0, run % 5 == 4 ? CTREE_ALL_LEVELS : run % 5);
        assert_agrees(store, view, sections);
        random_tree(store, view, 1 + random_below(&random, run % 10 == 0 ? 3000 : 200), &random);
        assert_agrees(store, view, sections);
        ctree_view_destroy(view);
        ctree_store_destroy(store);
    }
}

static void many_rows_grow_through_every_kind_of_memory(void **state) {
    (void)state;
    failing_allocator memory;
    failing_allocator_init(&memory);
    ctree_allocator allocator = failing_allocator_use(&memory);
    for (int given = 0; given < 2; given++) {
        ctree_store *store = new_store(given ? &allocator : NULL);
        ctree_view *view = new_view(store, 0, CTREE_ALL_LEVELS);
        enum { COUNT = 300000 };
        uint32_t *parents = must(malloc(COUNT * sizeof *parents));
        uint64_t *numbers = must(malloc(COUNT * sizeof *numbers));
        for (uint32_t i = 0; i < COUNT; i++) {
            parents[i] = i < 300 ? CTREE_END : i % 300;
            numbers[i] = i;
        }
        ctree_forest forest = CTREE_FOREST_INIT;
        forest.count = COUNT;
        forest.parents = parents;
        forest.numbers = numbers;
        assert_int_equal(ctree_store_build(store, CTREE_NONE, CTREE_END, &forest, NULL, NULL, NULL), CTREE_OK);
        assert_agrees(store, view, false);
        free(parents);
        free(numbers);
        ctree_view_destroy(view);
        ctree_store_destroy(store);
        assert_int_equal(memory.blocks, 0);
    }
}

static void a_million_levels_and_a_million_siblings_are_flattened(void **state) {
    (void)state;
    enum { COUNT = 1000000 };
    ctree_store *store = new_store(NULL);
    ctree_view *view = new_view(store, 0, CTREE_ALL_LEVELS);
    uint32_t *parents = must(malloc(COUNT * sizeof *parents));
    uint64_t *numbers = must(malloc(COUNT * sizeof *numbers));
    ctree_forest forest = CTREE_FOREST_INIT;
    forest.count = COUNT;
    forest.parents = parents;
    forest.numbers = numbers;
    for (int wide = 0; wide < 2; wide++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            parents[i] = i == 0 ? CTREE_END : wide ? 0 : i - 1;
            numbers[i] = i + (uint64_t)wide * COUNT;
        }
        assert_int_equal(ctree_store_build(store, CTREE_NONE, 0, &forest, NULL, NULL, NULL), CTREE_OK);
    }
    ctree_rows *rows = flattened(view, CTREE_ROWS_LOOKUP);
    assert_int_equal(ctree_rows_count(rows), 2 * COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_true(ctree_rows_row(rows, ctree_store_find(store, ctree_id_u64(COUNT + i))) == i);
        assert_true(ctree_rows_depths(rows)[i] == (i == 0 ? 0 : 1));
        assert_true(ctree_rows_row(rows, ctree_store_find(store, ctree_id_u64(i))) == COUNT + i);
        assert_true(ctree_rows_depths(rows)[COUNT + i] == i);
    }
    ctree_row last;
    uint32_t one = 1;
    assert_int_equal(ctree_rows_window(rows, view, COUNT - 1, &one, &last), CTREE_OK);
    assert_int_equal(last.position, COUNT - 2);
    assert_int_equal(last.sibling_count, COUNT - 1);
    ctree_rows_destroy(rows);
    free(parents);
    free(numbers);
    ctree_view_destroy(view);
    ctree_store_destroy(store);
}

static void rows_stay_as_they_were_whatever_becomes_of_the_store(void **state) {
    (void)state;
    ctree_store *store = new_store(NULL), *other = new_store(NULL);
    ctree_view *view = new_view(store, 0, CTREE_ALL_LEVELS), *stranger = new_view(other, 0, 0);
    ctree_node a = put(store, CTREE_NONE, 1), b = put(store, a, 2), c = put(store, a, 3);
    ctree_rows *rows = flattened(view, 0), *quick = flattened(view, CTREE_ROWS_LOOKUP);
    assert_int_equal(ctree_store_remove(store, b), CTREE_OK);
    ctree_node d = put(store, a, 4); /* takes the slot of b */
    assert_int_equal((uint32_t)d, (uint32_t)b);
    ctree_row window[4];
    uint32_t count = 4;
    assert_int_equal(ctree_rows_window(rows, view, 0, &count, window), CTREE_OK);
    assert_int_equal(count, 3);
    assert_true(window[0].node == a && window[0].expandable && window[0].expanded && window[0].depth == 0);
    assert_true(window[1].node == b && window[1].sibling_count == 0 && !window[1].expanded && window[1].depth == 1);
    assert_true(window[2].node == c && window[2].position == 0 && window[2].sibling_count == 2);
    count = 1;
    assert_int_equal(ctree_rows_window(rows, view, 4, &count, window), CTREE_RANGE);
    assert_int_equal(ctree_rows_window(rows, stranger, 0, &count, window), CTREE_INVALID);
    assert_int_equal(ctree_rows_window(rows, view, 3, &count, window), CTREE_OK);
    assert_int_equal(count, 0);
    ctree_store_destroy(store);
    count = 1;
    assert_int_equal(ctree_rows_window(rows, view, 0, &count, window), CTREE_CLOSED);
    ctree_rows *none;
    assert_int_equal(ctree_rows_flatten(view, 0, NULL, &none), CTREE_CLOSED);
    ctree_view_destroy(view);
    const ctree_rows *both[] = {rows, quick};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ctree_rows_row(both[i], a), 0);
        assert_int_equal(ctree_rows_row(both[i], b), 1);
        assert_int_equal(ctree_rows_row(both[i], c), 2);
        assert_int_equal(ctree_rows_row(both[i], d), CTREE_NO_ROW);
        assert_int_equal(ctree_rows_row(both[i], CTREE_NONE), CTREE_NO_ROW);
    }
    ctree_rows_destroy(rows);
    ctree_rows_destroy(quick);
    ctree_view_destroy(stranger);
    ctree_store_destroy(other);
}

static void sections_may_be_empty_or_collapsed(void **state) {
    (void)state;
    ctree_store *store = new_store(NULL);
    ctree_view *view = new_view(store, CTREE_VIEW_SECTIONS, 0);
    ctree_node sections[5];
    for (uint32_t i = 0; i < 5; i++) sections[i] = put(store, CTREE_NONE, i);
    ctree_node x = put(store, sections[1], 11), y = put(store, sections[2], 21), z = put(store, sections[4], 41);
    put(store, x, 111);
    assert_int_equal(ctree_view_collapse(view, sections[2]), CTREE_OK);
    ctree_rows *rows = flattened(view, 0);
    assert_int_equal(ctree_rows_section_count(rows), 5);
    assert_int_equal(ctree_rows_count(rows), 2);
    uint32_t starts[] = {0, 0, 1, 1, 1, 2};
    for (uint32_t i = 0; i <= 5; i++) assert_int_equal(ctree_rows_section_start(rows, i), starts[i]);
    ctree_index_path path;
    assert_int_equal(ctree_rows_index_path(rows, 1, &path), CTREE_OK);
    assert_true(path.section == 4 && path.row == 0);
    assert_int_equal(ctree_rows_index_path(rows, 2, &path), CTREE_RANGE);
    assert_int_equal(ctree_rows_at_index_path(rows, (ctree_index_path){2, 0}), CTREE_NO_ROW);
    assert_int_equal(ctree_rows_at_index_path(rows, (ctree_index_path){5, 0}), CTREE_NO_ROW);
    assert_int_equal(ctree_rows_row(rows, y), CTREE_NO_ROW);
    assert_int_equal(ctree_rows_row(rows, z), 1);
    ctree_rows_destroy(rows);
    ctree_view_destroy(view);
    ctree_store_destroy(store);
}

/* ---- What can go wrong ------------------------------------------------------------------------------------------
 */

static void every_allocation_of_a_flatten_may_fail(void **state) {
    (void)state;
    failing_allocator memory;
    failing_allocator_init(&memory);
    ctree_allocator allocator = failing_allocator_use(&memory);
    ctree_store *store = new_store(&allocator);
    ctree_view *view = new_view(store, CTREE_VIEW_SECTIONS, CTREE_ALL_LEVELS);
    random_source random = random_from_seed(3);
    random_tree(store, view, 3000, &random);
    size_t blocks = memory.blocks, bytes = memory.bytes;
    uint64_t failed = 0;
    for (uint64_t n = 1;; n++) {
        ctree_rows *rows = NULL;
        failing_allocator_arm(&memory, n, false);
        ctree_status status = ctree_rows_flatten(view, CTREE_ROWS_LOOKUP, NULL, &rows);
        if (!failing_allocator_disarm(&memory)) {
            assert_int_equal(status, CTREE_OK);
            ctree_rows_destroy(rows);
            break;
        }
        assert_int_equal(status, CTREE_NO_MEMORY);
        assert_null(rows);
        assert_int_equal(memory.blocks, blocks);
        assert_int_equal(memory.bytes, bytes);
        failed++;
    }
    assert_true(failed >= 7); /* rows, section starts and nodes, the way back, nodes, depths, the stack */
    assert_int_equal(memory.blocks, blocks);
    ctree_view_destroy(view);
    ctree_store_destroy(store);
    assert_int_equal(memory.blocks, 0);
}

typedef struct patience {
    uint32_t asked, refuse_at;
    uint64_t last;
} patience;

static bool is_patient(void *context, uint64_t done, uint64_t total) {
    patience *p = context;
    assert_true(done <= total && done - p->last <= 65536);
    p->last = done;
    return ++p->asked != p->refuse_at;
}

static void a_flatten_can_be_cancelled(void **state) {
    (void)state;
    ctree_store *store = new_store(NULL);
    ctree_view *view = new_view(store, 0, CTREE_ALL_LEVELS);
    for (uint64_t i = 0; i < 200000; i++) put(store, CTREE_NONE, i);
    patience p = {0};
    ctree_progress progress = {&p, is_patient};
    ctree_rows *rows = NULL;
    assert_int_equal(ctree_rows_flatten(view, 0, &progress, &rows), CTREE_OK);
    assert_true(p.asked >= 4);
    ctree_rows_destroy(rows);
    rows = NULL;
    for (uint32_t asked = p.asked; asked != 0; asked--) {
        p = (patience){.refuse_at = asked};
        assert_int_equal(ctree_rows_flatten(view, CTREE_ROWS_LOOKUP, &progress, &rows), CTREE_CANCELLED);
        assert_null(rows);
    }
    ctree_view_destroy(view);
    ctree_store_destroy(store);
}

static void wrong_arguments_are_told(void **state) {
    (void)state;
    ctree_store *store = new_store(NULL);
    ctree_view *view = new_view(store, 0, 0);
    ctree_rows *rows = NULL;
    assert_int_equal(ctree_rows_flatten(NULL, 0, NULL, &rows), CTREE_INVALID);
    assert_int_equal(ctree_rows_flatten(view, 0, NULL, NULL), CTREE_INVALID);
    assert_int_equal(ctree_rows_flatten(view, 2, NULL, &rows), CTREE_INVALID);
    assert_int_equal(ctree_rows_count(NULL), 0);
    assert_true(ctree_rows_node(NULL, 0) == CTREE_NONE);
    ctree_rows_destroy(NULL);
    ctree_view_destroy(view);
    ctree_store_destroy(store);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_random_trees_are_those_of_a_walk),
        cmocka_unit_test(many_rows_grow_through_every_kind_of_memory),
        cmocka_unit_test(a_million_levels_and_a_million_siblings_are_flattened),
        cmocka_unit_test(rows_stay_as_they_were_whatever_becomes_of_the_store),
        cmocka_unit_test(sections_may_be_empty_or_collapsed),
        cmocka_unit_test(every_allocation_of_a_flatten_may_fail),
        cmocka_unit_test(a_flatten_can_be_cancelled),
        cmocka_unit_test(wrong_arguments_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
