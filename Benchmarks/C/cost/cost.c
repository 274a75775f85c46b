/*
 * What the main operations cost in instructions: run by scripts/check-cost under callgrind, which counts within the
 * functions cost_* and nowhere else. All is fixed, the hash's secret too, so that two runs count the same. What is
 * made ready for an operation is made ready outside of them.
 *
 * Prints a line for each: its name and how many times it was done.
 */
#include <stdio.h>
#include <stdlib.h>

#include "ctree/ctree.h"

enum { NODES = 100000, TIMES = 1000, WINDOW = 100, SMALL = 20, LARGE = 500 };

typedef struct world {
    ctree_store *store;
    ctree_view *view;
    uint64_t numbers[NODES];
    uint32_t parents[NODES], sizes[NODES];
    ctree_node nodes[NODES];
    uint64_t random;

    /* Of the operation at hand. */
    ctree_node chosen[TIMES], others[TIMES], found[TIMES];
    uint32_t rows[TIMES], places[TIMES];
    ctree_row window[WINDOW];
} world;

static void check(ctree_status status) {
    if (status == CTREE_OK) return;
    fprintf(stderr, "an operation returned %d\n", (int)status);
    exit(1);
}

static uint32_t below(world *w, uint32_t bound) {
    w->random = w->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((w->random >> 32) * bound >> 32);
}

/* ---- The tree ----------------------------------------------------------------------------------------------------
 */

/* In preorder: each node stands below the one before it, or beside that or one of its ancestors, up to 12 levels
 * deep. */
static void make_tree(world *w) {
    uint32_t path[12] = {0}, depth = 0;
    for (uint32_t i = 0; i < NODES; i++) {
        w->numbers[i] = (uint64_t)i * 977;
        w->sizes[i] = 1;
        if (i != 0) {
            uint32_t turn = below(w, 1000);
            if (depth == 0 || (turn < 110 && depth + 1 < 12)) {
                depth++;
            } else if (turn >= 900 && depth > 1) {
                depth--;
            }
        }
        w->parents[i] = depth == 0 ? CTREE_END : path[depth - 1];
        path[depth] = i;
    }
    for (uint32_t i = NODES; i-- > 1;) w->sizes[w->parents[i]] += w->sizes[i];
}

static void create_store(world *w) {
    unsigned char secret[256];
    for (size_t i = 0; i < sizeof secret; i++) secret[i] = (unsigned char)(i * 167 + 13);
    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    options.secret = secret;
    options.secret_size = sizeof secret;
    check(ctree_store_create(&options, &w->store));
}

static void accept_all(world *w) {
    const ctree_batch *batch;
    check(ctree_view_commit(w->view, 0, &batch));
    check(ctree_view_accept(w->view));
}

/* Nodes with at least so many below them, but not many more; none stands below another. */
static void choose_of_size(world *w, uint32_t size, uint32_t *count) {
    *count = 0;
    for (uint32_t i = 0; i < NODES && *count < TIMES;) {
        bool fits = w->sizes[i] > size && w->sizes[i] < 8 * size;
        if (fits) w->chosen[(*count)++] = w->nodes[i];
        i += fits ? w->sizes[i] : 1;
    }
}

/* ---- What is counted ---------------------------------------------------------------------------------------------
 */

static void cost_store_build(world *w) {
    ctree_forest forest = CTREE_FOREST_INIT;
    forest.count = NODES;
    forest.numbers = w->numbers;
    forest.parents = w->parents;
    check(ctree_store_build(w->store, CTREE_NONE, CTREE_END, &forest, NULL, w->nodes, NULL));
}

static void cost_view_create(world *w) {
    ctree_view_options options = CTREE_VIEW_OPTIONS_INIT;
    options.default_depth = CTREE_ALL_LEVELS;
    options.flags = CTREE_VIEW_RECORDS;
    check(ctree_view_create(w->store, &options, &w->view));
}

static void cost_flatten(world *w) {
    ctree_rows *rows;
    check(ctree_rows_flatten(w->view, 0, NULL, &rows));
    ctree_rows_destroy(rows);
}

static void cost_find(world *w) {
    for (uint32_t i = 0; i < TIMES; i++) w->found[i] = ctree_store_find(w->store, ctree_id_u64(w->rows[i] * 977u));
}

static void cost_node_at(world *w) {
    for (uint32_t i = 0; i < TIMES; i++) w->found[i] = ctree_view_node_at(w->view, w->rows[i]);
}

static void cost_row_of(world *w) {
    for (uint32_t i = 0; i < TIMES; i++) w->rows[i] = ctree_view_row_of(w->view, w->chosen[i]);
}

static void cost_nodes_at(world *w) { check(ctree_view_nodes_at(w->view, w->rows, TIMES, w->found)); }

static void cost_rows_of(world *w) { check(ctree_view_rows_of(w->view, w->chosen, TIMES, w->rows)); }

static void cost_window(world *w) {
    for (uint32_t i = 0; i < TIMES; i++) {
        uint32_t count = WINDOW;
        check(ctree_view_window(w->view, w->rows[i], &count, w->window));
    }
}

/* What is counted begins and ends with each of these functions, so that none of them may call another. */
static void collapse_chosen(world *w) {
    for (uint32_t i = 0; i < TIMES && w->chosen[i] != 0; i++) check(ctree_view_collapse(w->view, w->chosen[i]));
}

static void expand_chosen(world *w) {
    for (uint32_t i = 0; i < TIMES && w->chosen[i] != 0; i++) check(ctree_view_expand(w->view, w->chosen[i]));
}

static void cost_collapse_small(world *w) { collapse_chosen(w); }
static void cost_expand_small(world *w) { expand_chosen(w); }
static void cost_collapse_large(world *w) { collapse_chosen(w); }
static void cost_expand_large(world *w) { expand_chosen(w); }

static void cost_insert(world *w) {
    for (uint32_t i = 0; i < TIMES; i++) {
        check(
            ctree_store_insert(w->store, w->chosen[i], w->places[i], ctree_id_u64(1u << 30 | i), NULL, &w->found[i]));
    }
}

static void cost_remove(world *w) {
    for (uint32_t i = 0; i < TIMES; i++) check(ctree_store_remove(w->store, w->found[i * 617 % TIMES]));
}

/* Where that would put a node below itself it is refused, which is counted too. */
static void cost_move(world *w) {
    for (uint32_t i = 0; i < TIMES; i++) {
        ctree_status status = ctree_store_move(w->store, w->chosen[i], w->others[i], 0);
        if (status != CTREE_CYCLE) check(status);
    }
}

/* One toggle, one batch; and many, which also shows what a note costs when it is taken. */
static void cost_commit_one(world *w) {
    for (uint32_t i = 0; i < TIMES; i++) {
        check(ctree_view_toggle(w->view, w->chosen[i]));
        accept_all(w);
    }
}

static void cost_commit_many(world *w) {
    for (uint32_t i = 0; i < TIMES; i++) check(ctree_view_toggle(w->view, w->chosen[i]));
    accept_all(w);
}

/* ---- One after the other -----------------------------------------------------------------------------------------
 */

static void choose_at_random(world *w) {
    for (uint32_t i = 0; i < TIMES; i++) {
        uint32_t item = 1 + below(w, NODES - 1);
        w->chosen[i] = w->nodes[item];
        w->others[i] = w->nodes[w->parents[1 + below(w, NODES - 1)]];
        w->rows[i] = below(w, NODES - WINDOW);
    }
}

static void choose_folders(world *w) {
    for (uint32_t i = 0; i < TIMES; i++) {
        w->chosen[i] = w->nodes[w->parents[1 + below(w, NODES - 1)]];
        w->places[i] = below(w, ctree_store_child_count(w->store, w->chosen[i]));
    }
}

static void choose_small(world *w) {
    uint32_t count;
    choose_of_size(w, SMALL, &count);
    if (count < TIMES) w->chosen[count] = 0;
}

static void choose_large(world *w) {
    uint32_t count;
    choose_of_size(w, LARGE, &count);
    if (count < TIMES) w->chosen[count] = 0;
}

/* The small ones again and again. */
static void choose_to_toggle(world *w) {
    uint32_t count;
    choose_of_size(w, SMALL, &count);
    for (uint32_t i = count; i < TIMES; i++) w->chosen[i] = w->chosen[below(w, count)];
    accept_all(w);
}

static uint32_t chosen(const world *w) {
    uint32_t count = 0;
    while (count < TIMES && w->chosen[count] != 0) count++;
    return count;
}

typedef struct operation {
    const char *name;
    void (*prepare)(world *w); /* NULL: as the one before left it. */
    void (*run)(world *w);
    uint32_t times; /* 0: as many as nodes were chosen. */
} operation;

/* In an order in which each finds what it needs; those that change the tree for good come last. */
static const operation operations[] = {
    {"store_build", create_store, cost_store_build, NODES},
    {"view_create", NULL, cost_view_create, NODES},
    {"flatten", NULL, cost_flatten, NODES},
    {"find", choose_at_random, cost_find, TIMES},
    {"node_at", choose_at_random, cost_node_at, TIMES},
    {"nodes_at", choose_at_random, cost_nodes_at, TIMES},
    {"row_of", choose_at_random, cost_row_of, TIMES},
    {"rows_of", choose_at_random, cost_rows_of, TIMES},
    {"window", choose_at_random, cost_window, TIMES},
    {"collapse_small", choose_small, cost_collapse_small, 0},
    {"expand_small", NULL, cost_expand_small, 0},
    {"collapse_large", choose_large, cost_collapse_large, 0},
    {"expand_large", NULL, cost_expand_large, 0},
    {"insert", choose_folders, cost_insert, TIMES},
    {"remove", NULL, cost_remove, TIMES},
    {"commit_one", choose_to_toggle, cost_commit_one, TIMES},
    {"commit_many", choose_to_toggle, cost_commit_many, TIMES},
    {"move", choose_at_random, cost_move, TIMES},
};

int main(void) {
    world *w = calloc(1, sizeof *w);
    if (w == NULL) return 1;
    w->random = 42;
    make_tree(w);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        const operation *o = &operations[i];
        if (o->prepare != NULL) o->prepare(w);
        o->run(w);
        printf("%s %u\n", o->name, (unsigned)(o->times != 0 ? o->times : chosen(w)));
    }
    ctree_view_destroy(w->view);
    ctree_store_destroy(w->store);
    free(w);
    return 0;
}
