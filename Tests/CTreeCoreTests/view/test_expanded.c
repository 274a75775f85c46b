/* What is expanded: settings of slots, defaults, and what becomes of both when the store is edited. */
#include "ctree/ctree.h"
#include "support/assertions.h"
#include "support/failing_allocator.h"
#include "support/unit.h"
#include "view/expanded.h"
#include "view/levels.h"

static const ctree_node_init unloaded = {0, 0, CTREE_STATE_UNLOADED};

static ctree_store *new_store(void) {
    ctree_store *store;
    assert_int_equal(ctree_store_create(NULL, &store), CTREE_OK);
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

static ctree_node put(ctree_store *store, ctree_node parent, uint64_t id, const ctree_node_init *init) {
    ctree_node node;
    assert_int_equal(ctree_store_insert(store, parent, CTREE_END, ctree_id_u64(id), init, &node), CTREE_OK);
    return node;
}

/* ---- Settings ---------------------------------------------------------------------------------------------------
 */

static void settings_of_neighbours_do_not_touch(void **state) {
    (void)state;
    ct_mem mem;
    ct_mem_init(&mem, NULL);
    ct_expanded expanded;
    ct_expanded_init(&expanded);
    assert_int_equal(ct_expanded_get(&expanded, UINT32_MAX), CT_BY_DEFAULT);
    enum { COUNT = 1000 };
    static const ct_setting cycle[] = {CT_EXPANDED, CT_BY_DEFAULT, CT_COLLAPSED, CT_COLLAPSED, CT_BY_DEFAULT};
    assert_int_equal(ct_expanded_reserve(&expanded, &mem, COUNT), CTREE_OK);
    for (uint32_t round = 0; round < 5; round++) {
        for (uint32_t i = 0; i < COUNT; i++) ct_expanded_set(&expanded, i * 7 % COUNT, cycle[(i * 7 + round) % 5]);
        for (uint32_t i = 0; i < COUNT; i++) assert_int_equal(ct_expanded_get(&expanded, i), cycle[(i + round) % 5]);
        assert_int_equal(expanded.count, COUNT * 3 / 5);
    }
    for (uint32_t i = 0; i < COUNT + 100; i++) ct_expanded_set(&expanded, i, CT_BY_DEFAULT);
    assert_int_equal(expanded.count, 0);
    ct_expanded_destroy(&expanded, &mem);
}

static void a_slot_used_anew_starts_by_default(void **state) {
    (void)state;
    ctree_store *store = new_store();
    ctree_view *view = new_view(store, 0, 0);
    ctree_node top = put(store, CTREE_NONE, 1, &unloaded), inner = put(store, top, 2, &unloaded);
    ctree_node kept = put(store, CTREE_NONE, 3, &unloaded);
    for (uint64_t i = 0; i < 1000; i++) put(store, i % 2 ? top : inner, 10 + i, &unloaded);
    assert_int_equal(ctree_view_expand_all(view, CTREE_NONE, CTREE_ALL_LEVELS, NULL), CTREE_OK);
    assert_int_equal(ctree_store_remove(store, top), CTREE_OK);
    for (uint64_t i = 0; i < 1002; i++) {
        ctree_node anew = put(store, CTREE_NONE, 5000 + i, &unloaded);
        assert_true((uint32_t)anew <= 1003);
        assert_false(ctree_view_is_expanded(view, anew));
    }
    assert_true(ctree_view_is_expanded(view, kept));
    ctree_view_destroy(view);
    ctree_store_destroy(store);
}

/* ---- Levels -----------------------------------------------------------------------------------------------------
 */

static void a_walk_over_levels_tells_each_node_once_in_preorder(void **state) {
    (void)state;
    ctree_store *store = new_store();
    ctree_node nodes[900];
    for (uint32_t i = 0; i < 900; i++) { /* one list is wide, some are long, a chain runs through it */
        ctree_node parent = i == 0 ? CTREE_NONE : i < 400 ? nodes[0] : nodes[i % 3 == 0 ? i - 1 : i / 2];
        nodes[i] = put(store, parent, i, NULL);
    }
    for (uint32_t levels = 0; levels < 7; levels++) {
        uint32_t below = levels == 6 ? CTREE_ALL_LEVELS : levels;
        ct_levels walk;
        ct_levels_begin(&walk, store, CT_TOP, below);
        ctree_node node = CTREE_NONE;
        while ((node = ctree_store_next(store, node, CTREE_NONE, false)) != CTREE_NONE) {
            uint32_t depth;
            assert_int_equal(ctree_store_depth(store, node, &depth), CTREE_OK);
            if (depth >= below) continue;
            assert_int_equal(ct_levels_next(&walk), (uint32_t)node);
            assert_int_equal(walk.level, depth);
        }
        assert_int_equal(ct_levels_next(&walk), CT_TOP);
    }
    ct_levels leaf;
    ct_levels_begin(&leaf, store, (uint32_t)nodes[899], CTREE_ALL_LEVELS);
    assert_int_equal(ct_levels_next(&leaf), CT_TOP);
    ctree_store_destroy(store);
}

/* ---- Calls ------------------------------------------------------------------------------------------------------
 */

static void expand_all_stops_at_its_level_and_asks_for_what_is_missing(void **state) {
    (void)state;
    ctree_store *store = new_store();
    ctree_view *view = new_view(store, 0, 0);
    ctree_node chain[6];
    for (uint64_t i = 0; i < 6; i++) chain[i] = put(store, i == 0 ? CTREE_NONE : chain[i - 1], i, &unloaded);
    ctree_node leaf = put(store, chain[0], 9, NULL);
    assert_int_equal(ctree_view_expand_all(view, chain[1], 3, NULL), CTREE_OK);
    for (uint32_t i = 0; i < 6; i++) assert_int_equal(ctree_view_is_expanded(view, chain[i]), i >= 1 && i <= 3);
    assert_true(ctree_load_next_request(store) == CTREE_NONE);
    assert_int_equal(ctree_view_expand_all(view, leaf, 1, NULL), CTREE_OK);
    assert_int_equal(ctree_view_expand_all(view, CTREE_NONE, 0, NULL), CTREE_OK);
    assert_false(ctree_view_is_expanded(view, chain[0]));
    assert_int_equal(ctree_view_expand_all(view, CTREE_NONE, CTREE_ALL_LEVELS, NULL), CTREE_OK);
    assert_true(ctree_view_is_expanded(view, chain[5]) && !ctree_view_is_expanded(view, leaf));
    assert_true(ctree_load_next_request(store) == chain[5]);
    assert_true(ctree_load_next_request(store) == CTREE_NONE);
    assert_int_equal(ctree_view_collapse_all(view, chain[2]), CTREE_OK);
    for (uint32_t i = 0; i < 6; i++) assert_int_equal(ctree_view_is_expanded(view, chain[i]), i < 2);
    assert_int_equal(ctree_view_reveal(view, chain[5]), CTREE_OK);
    assert_true(ctree_view_is_visible(view, chain[5]) && !ctree_view_is_expanded(view, chain[5]));
    ctree_view_destroy(view);
    ctree_store_destroy(store);
}

static bool refuse(void *context, uint64_t done, uint64_t total) {
    (void)done;
    (void)total;
    return --*(int *)context != 0;
}

static void a_cancelled_expand_all_opens_nothing_and_asks_for_nothing(void **state) {
    (void)state;
    ctree_store *store = new_store();
    ctree_view *view = new_view(store, 0, 0);
    ctree_node first = put(store, CTREE_NONE, 0, &unloaded);
    for (uint64_t i = 1; i < 100000; i++) put(store, CTREE_NONE, i, &unloaded);
    for (int turns = 1; turns <= 3; turns++) {
        int left = turns;
        ctree_progress progress = {&left, refuse};
        assert_int_equal(ctree_view_expand_all(view, CTREE_NONE, CTREE_ALL_LEVELS, &progress), CTREE_CANCELLED);
        assert_false(ctree_view_is_expanded(view, first));
        assert_true(ctree_load_next_request(store) == CTREE_NONE);
    }
    ctree_view_destroy(view);
    ctree_store_destroy(store);
}

static void a_collapse_forgets_only_where_the_view_says_so(void **state) {
    (void)state;
    ctree_store *store = new_store();
    ctree_view *plain = new_view(store, 0, 0), *forgetful = new_view(store, CTREE_VIEW_FORGETS, CTREE_ALL_LEVELS);
    ctree_node a = put(store, CTREE_NONE, 1, NULL), b = put(store, a, 2, NULL), c = put(store, b, 3, &unloaded);
    ctree_view *views[] = {plain, forgetful};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ctree_view_expand_all(views[i], CTREE_NONE, CTREE_ALL_LEVELS, NULL), CTREE_OK);
        assert_int_equal(ctree_view_collapse(views[i], a), CTREE_OK);
        assert_int_equal(ctree_view_expand(views[i], a), CTREE_OK);
        assert_int_equal(ctree_view_is_expanded(views[i], b), i == 0);
        assert_int_equal(ctree_view_is_expanded(views[i], c), i == 0);
    }
    ctree_view_destroy(plain);
    ctree_view_destroy(forgetful);
    ctree_store_destroy(store);
}

/* ---- Defaults ---------------------------------------------------------------------------------------------------
 */

static void defaults_count_levels_below_sections(void **state) {
    (void)state;
    ctree_store *store = new_store();
    ctree_node chain[5];
    for (uint64_t i = 0; i < 5; i++) chain[i] = put(store, i == 0 ? CTREE_NONE : chain[i - 1], i, &unloaded);
    for (uint32_t depth = 0; depth < 4; depth++) {
        for (uint32_t sections = 0; sections < 2; sections++) {
            ctree_view *view = new_view(store, sections ? CTREE_VIEW_SECTIONS : 0, depth);
            for (uint32_t i = 0; i < 5; i++) {
                assert_int_equal(ctree_view_is_expanded(view, chain[i]), i < depth + sections);
                assert_int_equal(ctree_view_is_visible(view, chain[i]), i <= depth + sections);
            }
            ctree_view_destroy(view);
        }
    }
    ctree_view *all = new_view(store, 0, CTREE_ALL_LEVELS);
    assert_true(ctree_view_is_expanded(all, chain[4]));
    ctree_view_destroy(all);
    ctree_store_destroy(store);
}

static void what_comes_to_be_open_by_default_asks_for_its_load(void **state) {
    (void)state;
    ctree_store *store = new_store();
    ctree_node early = put(store, CTREE_NONE, 1, &unloaded);
    ctree_view *view = new_view(store, 0, 2);
    assert_true(ctree_load_next_request(store) == early);
    ctree_node late = put(store, CTREE_NONE, 2, &unloaded);
    assert_true(ctree_load_next_request(store) == late);
    ctree_node inner = put(store, late, 3, &unloaded), deep = put(store, inner, 4, &unloaded);
    ctree_node below = put(store, deep, 5, &unloaded);
    while (ctree_load_next_request(store) != CTREE_NONE) {
    }
    assert_int_equal(ctree_store_move(store, below, CTREE_NONE, 0), CTREE_OK);
    assert_true(ctree_load_next_request(store) == below);
    assert_int_equal(ctree_store_move(store, below, late, 0), CTREE_OK);
    assert_true(ctree_load_next_request(store) == CTREE_NONE);
    ctree_node leaf = put(store, CTREE_NONE, 6, NULL);
    assert_true(ctree_load_next_request(store) == CTREE_NONE);
    assert_int_equal(ctree_store_set_leaf(store, leaf, false), CTREE_OK);
    assert_true(ctree_load_next_request(store) == leaf);
    ctree_view_destroy(view);
    ctree_store_destroy(store);
}

static void a_setting_outlives_a_move_to_where_the_default_differs(void **state) {
    (void)state;
    ctree_store *store = new_store();
    ctree_view *view = new_view(store, 0, 1);
    ctree_node a = put(store, CTREE_NONE, 1, NULL), b = put(store, CTREE_NONE, 2, &unloaded);
    ctree_node c = put(store, CTREE_NONE, 3, &unloaded), d = put(store, CTREE_NONE, 4, &unloaded);
    assert_int_equal(ctree_view_collapse(view, b), CTREE_OK);
    assert_int_equal(ctree_view_expand(view, c), CTREE_OK);
    ctree_node moved[] = {b, c, d};
    for (uint32_t i = 0; i < 3; i++) assert_int_equal(ctree_store_move(store, moved[i], a, CTREE_END), CTREE_OK);
    assert_false(ctree_view_is_expanded(view, b));
    assert_true(ctree_view_is_expanded(view, c));
    assert_false(ctree_view_is_expanded(view, d));
    for (uint32_t i = 0; i < 3; i++) assert_int_equal(ctree_store_move(store, moved[i], CTREE_NONE, 0), CTREE_OK);
    assert_false(ctree_view_is_expanded(view, b));
    assert_true(ctree_view_is_expanded(view, d));
    ctree_view_destroy(view);
    ctree_store_destroy(store);
}

/* ---- Life -------------------------------------------------------------------------------------------------------
 */

typedef struct listener_of_view {
    ctree_view *view;
    ctree_node node;
    uint32_t heard;
} listener_of_view;

static void a_node_collapsed_while_it_was_closed_stays_so_where_the_default_would_open_it(void **state) {
    (void)state;
    ctree_store *store = new_store();
    ctree_view *view = new_view(store, 0, 1);
    ctree_node top = put(store, CTREE_NONE, 1, &unloaded), inner = put(store, top, 2, &unloaded);
    ctree_node other = put(store, top, 3, &unloaded);
    assert_false(ctree_view_is_expanded(view, inner));
    assert_int_equal(ctree_view_collapse(view, inner), CTREE_OK);
    assert_int_equal(ctree_store_move(store, inner, CTREE_NONE, CTREE_END), CTREE_OK);
    assert_int_equal(ctree_store_move(store, other, CTREE_NONE, CTREE_END), CTREE_OK);
    assert_false(ctree_view_is_expanded(view, inner));
    assert_true(ctree_view_is_expanded(view, other));
    ctree_view_destroy(view);
    ctree_store_destroy(store);
}

/* Before the removal the view still has the node open; afterwards the handle is stale. */
static void check_before(void *context, const ctree_store *store, const ctree_edit *edit) {
    listener_of_view *l = context;
    (void)store;
    if (edit->kind != CTREE_EDIT_REMOVE) return;
    assert_true(ctree_view_is_expanded(l->view, l->node));
    assert_int_equal(ctree_view_collapse(l->view, l->node), CTREE_BUSY);
    assert_int_equal(ctree_view_expand_all(l->view, l->node, 1, NULL), CTREE_BUSY);
    assert_int_equal(ctree_view_reveal(l->view, l->node), CTREE_BUSY);
    l->heard++;
}

static void check_after(void *context, const ctree_store *store, const ctree_edit *edit) {
    listener_of_view *l = context;
    (void)store;
    if (edit->kind != CTREE_EDIT_REMOVE) return;
    assert_false(ctree_view_is_expanded(l->view, l->node));
    l->heard++;
}

static void listeners_find_the_view_at_one_with_the_store_whoever_came_first(void **state) {
    (void)state;
    for (int first = 0; first < 2; first++) {
        ctree_store *store = new_store();
        listener_of_view l = {NULL, CTREE_NONE, 0};
        ctree_listener listener = {&l, check_before, check_after, NULL};
        uint64_t token;
        if (first) assert_int_equal(ctree_store_add_listener(store, &listener, &token), CTREE_OK);
        l.view = new_view(store, 0, 0);
        if (!first) assert_int_equal(ctree_store_add_listener(store, &listener, &token), CTREE_OK);
        l.node = put(store, CTREE_NONE, 1, &unloaded);
        assert_int_equal(ctree_view_expand(l.view, l.node), CTREE_OK);
        assert_int_equal(ctree_store_remove(store, l.node), CTREE_OK);
        assert_int_equal(l.heard, 2);
        ctree_view_destroy(l.view);
        ctree_store_destroy(store);
    }
}

static void a_view_outlives_its_store_and_says_closed(void **state) {
    (void)state;
    ctree_store *store = new_store();
    ctree_view *view = new_view(store, 0, 0), *second = NULL;
    ctree_node node = put(store, CTREE_NONE, 1, &unloaded);
    assert_int_equal(ctree_view_expand(view, node), CTREE_OK);
    ctree_store_destroy(store);
    assert_int_equal(ctree_view_expand(view, node), CTREE_CLOSED);
    assert_int_equal(ctree_view_collapse(view, node), CTREE_CLOSED);
    assert_int_equal(ctree_view_toggle(view, node), CTREE_CLOSED);
    assert_int_equal(ctree_view_expand_all(view, CTREE_NONE, 1, NULL), CTREE_CLOSED);
    assert_int_equal(ctree_view_collapse_all(view, CTREE_NONE), CTREE_CLOSED);
    assert_int_equal(ctree_view_reveal(view, node), CTREE_CLOSED);
    assert_false(ctree_view_is_expanded(view, node));
    assert_false(ctree_view_is_visible(view, node));
    assert_false(ctree_view_is_expandable(view, node));
    assert_int_equal(ctree_view_create(ctree_view_store(view), NULL, &second), CTREE_CLOSED);
    ctree_view_destroy(view);
}

static void options_of_another_time_are_read_or_refused(void **state) {
    (void)state;
    ctree_store *store = new_store();
    ctree_view *view = NULL;
    struct {
        ctree_view_options options;
        uint64_t later;
    } grown = {CTREE_VIEW_OPTIONS_INIT, 0};
    grown.options.size = sizeof grown;
    assert_int_equal(ctree_view_create(store, &grown.options, &view), CTREE_OK);
    ctree_view_destroy(view);
    grown.later = 1;
    assert_int_equal(ctree_view_create(store, &grown.options, &view), CTREE_INVALID);
    ctree_view_options options = CTREE_VIEW_OPTIONS_INIT;
    options.flags = 1u << 31;
    assert_int_equal(ctree_view_create(store, &options, &view), CTREE_INVALID);
    options = (ctree_view_options)CTREE_VIEW_OPTIONS_INIT;
    options.size = 1;
    assert_int_equal(ctree_view_create(store, &options, &view), CTREE_INVALID);
    assert_int_equal(ctree_view_create(NULL, NULL, &view), CTREE_INVALID);
    assert_int_equal(ctree_view_expand(NULL, CTREE_NONE), CTREE_INVALID);
    ctree_view_destroy(NULL);
    ctree_store_destroy(store);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_of_neighbours_do_not_touch),
        cmocka_unit_test(a_slot_used_anew_starts_by_default),
        cmocka_unit_test(a_walk_over_levels_tells_each_node_once_in_preorder),
        cmocka_unit_test(expand_all_stops_at_its_level_and_asks_for_what_is_missing),
        cmocka_unit_test(a_cancelled_expand_all_opens_nothing_and_asks_for_nothing),
        cmocka_unit_test(a_collapse_forgets_only_where_the_view_says_so),
        cmocka_unit_test(defaults_count_levels_below_sections),
        cmocka_unit_test(what_comes_to_be_open_by_default_asks_for_its_load),
        cmocka_unit_test(a_setting_outlives_a_move_to_where_the_default_differs),
        cmocka_unit_test(a_node_collapsed_while_it_was_closed_stays_so_where_the_default_would_open_it),
        cmocka_unit_test(listeners_find_the_view_at_one_with_the_store_whoever_came_first),
        cmocka_unit_test(a_view_outlives_its_store_and_says_closed),
        cmocka_unit_test(options_of_another_time_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
