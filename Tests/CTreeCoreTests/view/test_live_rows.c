/* Rows kept up to date, compared with rows flattened anew after each step of random programs. */
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "ctree/ctree.h"
#include "view/view.h"

enum { VIEWS = 5, MOST = 4096 };

typedef struct program {
    ctree_store *store;
    ctree_view *views[VIEWS];
    random_source random;
    uint64_t next_id;
    uint32_t most; /* nodes */
} program;

static uint32_t below(program *p, uint32_t bound) { return random_below(&p->random, bound); }

static ctree_node any_node(program *p) {
    uint32_t used = p->store->used;
    for (int tries = 0; tries < 20 && used > 1; tries++) {
        uint32_t slot = 1 + below(p, used - 1);
        if (ct_is_live(p->store, slot)) return ct_node_at(p->store, slot);
    }
    return CTREE_NONE;
}

/* ---- Comparing ------------------------------------------------------------------------------------------------- */

static void compare_view(program *p, ctree_view *view) {
    ctree_rows *rows;
    const char *reason = NULL;
    assert_int_equal(ctree_rows_flatten(view, CTREE_ROWS_LOOKUP, NULL, &rows), CTREE_OK);
    if (ct_live_check(view, &reason) != CTREE_OK) fail_msg("%s", reason);
    uint32_t count = ctree_rows_count(rows);
    assert_int_equal(ctree_view_row_count(view), count);
    static ctree_row shown[MOST], plain[MOST];
    static ctree_node nodes[MOST];
    static uint32_t numbers[MOST];
    uint32_t first = count != 0 ? below(p, count) : 0, wanted = MOST, wanted_plain = MOST;
    if (below(p, 2) == 0) first = 0;
    assert_int_equal(ctree_view_window(view, first, &wanted, shown), CTREE_OK);
    assert_int_equal(ctree_rows_window(rows, view, first, &wanted_plain, plain), CTREE_OK);
    assert_int_equal(wanted, wanted_plain);
    for (uint32_t i = 0; i < wanted; i++) {
        assert_true(shown[i].node == plain[i].node);
        assert_int_equal(shown[i].depth, plain[i].depth);
        assert_int_equal(shown[i].position, plain[i].position);
        assert_int_equal(shown[i].sibling_count, plain[i].sibling_count);
        assert_int_equal(shown[i].expanded, plain[i].expanded);
        assert_int_equal(shown[i].expandable, plain[i].expandable);
    }
    uint32_t most = count < MOST ? count : MOST;
    for (uint32_t row = 0; row < most; row++) numbers[row] = row;
    assert_int_equal(ctree_view_nodes_at(view, numbers, most, nodes), CTREE_OK);
    for (uint32_t row = 0; row < most; row++) {
        assert_true(nodes[row] == ctree_rows_node(rows, row));
        assert_true(ctree_view_node_at(view, row) == nodes[row]);
        ctree_index_path live, flat;
        assert_int_equal(ctree_view_index_path(view, row, &live), CTREE_OK);
        assert_int_equal(ctree_rows_index_path(rows, row, &flat), CTREE_OK);
        assert_int_equal(live.section, flat.section);
        assert_int_equal(live.row, flat.row);
        assert_int_equal(ctree_view_row_at_index_path(view, live), row);
    }
    uint32_t asked = 0;
    for (uint32_t slot = 1; slot < p->store->used && asked < MOST; slot++) {
        if (ct_is_live(p->store, slot)) nodes[asked++] = ct_node_at(p->store, slot);
    }
    assert_int_equal(ctree_view_rows_of(view, nodes, asked, numbers), CTREE_OK);
    for (uint32_t i = 0; i < asked; i++) {
        assert_int_equal(numbers[i], ctree_rows_row(rows, nodes[i]));
        assert_int_equal(ctree_view_row_of(view, nodes[i]), numbers[i]);
    }
    assert_int_equal(ctree_view_section_count(view), ctree_rows_section_count(rows));
    ctree_rows_destroy(rows);
}

/* ---- One step -------------------------------------------------------------------------------------------------- */

static void build(program *p, uint32_t count) {
    uint64_t ids[512];
    uint32_t parents[512];
    if (count > 512) count = 512;
    uint32_t shape = below(p, 4);
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = p->next_id++;
        parents[i] = i == 0 || below(p, 20) == 0 ? CTREE_END : shape == 0 ? i - 1 : shape == 1 ? 0 : below(p, i);
    }
    ctree_forest forest = CTREE_FOREST_INIT;
    forest.count = count;
    forest.numbers = ids;
    forest.parents = parents;
    ctree_node parent = below(p, 4) == 0 ? CTREE_NONE : any_node(p);
    assert_int_equal(ctree_store_build(p->store, parent, CTREE_END, &forest, NULL, NULL, NULL), CTREE_OK);
}

/* A list of nodes from all over, and of new ones, some below others. */
static void reconcile(program *p) {
    uint64_t ids[64];
    uint32_t parents[64];
    uint8_t states[64];
    ctree_node parent = below(p, 4) == 0 ? CTREE_NONE : any_node(p);
    uint32_t count = 0, present = ctree_store_child_count(p->store, parent), wanted = below(p, 64);
    uint32_t keep = below(p, 4);
    for (uint32_t i = 0; i < wanted; i++) {
        ctree_node node = CTREE_NONE;
        if (keep != 0 && i < present)
            node = ctree_store_child_at(p->store, parent, below(p, 10) != 0 ? i : below(p, present));
        if (below(p, 8) == 0) node = any_node(p);
        uint64_t id = p->next_id;
        ctree_id found;
        if (node != CTREE_NONE && below(p, 10) != 0 && ctree_store_id(p->store, node, &found) == CTREE_OK) {
            id = found.word;
        } else {
            p->next_id++;
        }
        uint32_t known = 0;
        while (known < count && ids[known] != id) known++;
        if (known != count) continue;
        ids[count] = id;
        parents[count] = count != 0 && below(p, 3) == 0 ? below(p, count) : CTREE_END;
        states[count] = below(p, 3) == 0 ? CTREE_STATE_KEEP : CTREE_STATE_LOADED;
        if (parents[count] != CTREE_END) states[parents[count]] = CTREE_STATE_LOADED;
        count++;
    }
    ctree_forest forest = CTREE_FOREST_INIT;
    forest.count = count;
    forest.numbers = ids;
    forest.parents = parents;
    forest.states = states;
    ctree_store_reconcile(p->store, parent, &forest, CTREE_ELSEWHERE_MOVES, NULL, NULL, NULL);
}

static void step(program *p) {
    ctree_view *view = p->views[below(p, VIEWS)];
    ctree_node node = any_node(p), other = below(p, 8) == 0 ? CTREE_NONE : any_node(p);
    uint32_t count = ctree_store_child_count(p->store, other);
    switch (below(p, 17)) {
        case 0:
        case 1:
        case 2: ctree_view_expand(view, node); break;
        case 3:
        case 4: ctree_view_collapse(view, node); break;
        case 5: ctree_view_reveal(view, node); break;
        case 6:
            if (below(p, 6) == 0)
                ctree_view_expand_all(view, other, below(p, 2) ? CTREE_ALL_LEVELS : 1 + below(p, 3), NULL);
            break;
        case 7:
            if (below(p, 6) == 0) ctree_view_collapse_all(view, other);
            break;
        case 8:
        case 9:
        case 10:
            if (p->store->count < p->most) {
                ctree_status status =
                    ctree_store_insert(p->store, other, below(p, count + 1), ctree_id_u64(p->next_id++), NULL, NULL);
                assert_int_equal(status, CTREE_OK);
            }
            break;
        case 11:
            if (p->store->count < p->most && below(p, 4) == 0) build(p, 1 + below(p, p->most / 4));
            break;
        case 12:
        case 13: ctree_store_move(p->store, node, other, below(p, 2) ? CTREE_END : below(p, count + 1)); break;
        case 14:
            if (below(p, 8) == 0) {
                ctree_store_remove(p->store, node);
            } else if (ctree_store_child_count(p->store, node) == 0) {
                ctree_store_remove(p->store, node);
            }
            break;
        case 15:
            if (below(p, 2) == 0 && p->store->count < p->most) reconcile(p);
            break;
        default:
            if (count > 1) ctree_store_remove_children(p->store, other, below(p, count), below(p, 10) == 0 ? 1 : 0);
            if (below(p, 40) == 0) assert_int_equal(ctree_view_trim(view), CTREE_OK);
            if (below(p, 40) == 0) assert_int_equal(ctree_view_compact(view), CTREE_OK);
            break;
    }
}

static void run(uint64_t seed, uint32_t most, uint32_t steps, uint32_t compare_every) {
    program p = {.next_id = 1, .most = most};
    p.random = random_from_seed(seed);
    assert_int_equal(ctree_store_create(NULL, &p.store), CTREE_OK);
    const ctree_view_options options[VIEWS] = {
        {sizeof(ctree_view_options), 0, 0},
        {sizeof(ctree_view_options), CTREE_VIEW_SECTIONS, 0},
        {sizeof(ctree_view_options), 0, CTREE_ALL_LEVELS},
        {sizeof(ctree_view_options), CTREE_VIEW_FORGETS, 2},
        {sizeof(ctree_view_options), CTREE_VIEW_SECTIONS, 1},
    };
    for (int i = 0; i < VIEWS; i++) {
        assert_int_equal(ctree_view_create(p.store, &options[i], &p.views[i]), CTREE_OK);
    }
    for (uint32_t i = 0; i < steps; i++) {
        step(&p);
        if (i % compare_every != 0) continue;
        for (int v = 0; v < VIEWS; v++) compare_view(&p, p.views[v]);
        const char *reason;
        if (ctree_validate(p.store, &reason) != CTREE_OK) fail_msg("%s", reason);
    }
    for (int i = 0; i < VIEWS; i++) ctree_view_destroy(p.views[i]);
    ctree_store_destroy(p.store);
}

static void live_rows_are_the_flattened_rows_of_small_trees(void **state) {
    (void)state;
    uint64_t seed = random_seed_of_test(__func__, 20261201);
    for (uint64_t i = 0; i < 60; i++) run(seed + i, 12 + (uint32_t)i, 600, 1);
}

static void live_rows_are_the_flattened_rows_of_larger_trees(void **state) {
    (void)state;
    uint64_t seed = random_seed_of_test(__func__, 20261201);
    for (uint64_t i = 0; i < 4; i++) run(seed + i, 3000, 4000, 37);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(live_rows_are_the_flattened_rows_of_small_trees),
        cmocka_unit_test(live_rows_are_the_flattened_rows_of_larger_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
