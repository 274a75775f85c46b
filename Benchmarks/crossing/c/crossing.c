/* What the calls cost from C: the measures of ../README.md. */
#include <ctree/ctree.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { NODES = 1000000, TOPS = 1000, ROUNDS = 5, WINDOW = 100, FINDS = 100000, WINDOWS = 10000 };

static uint64_t ids[NODES], wanted[FINDS];
static uint32_t parents[NODES];
static ctree_node nodes[NODES], found[FINDS], picked[FINDS];
static ctree_row rows[WINDOW];
static uint32_t depths[WINDOW];
static uint64_t sum;

static double now(void) {
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int by_size(const void *a, const void *b) {
    const double *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

static void must(ctree_status status) {
    if (status == CTREE_OK) return;
    fprintf(stderr, "crossing: %s\n", ctree_status_name(status));
    exit(1);
}

static void tell(const char *name, double *rounds, double calls) {
    qsort(rounds, ROUNDS, sizeof *rounds, by_size);
    printf("%s %.1f\n", name, rounds[ROUNDS / 2] / calls);
}

static uint32_t scattered(uint32_t k, uint32_t n) { return (uint32_t)((uint64_t)k * 7919 % n); }

static double build(ctree_store **out) {
    ctree_forest forest = CTREE_FOREST_INIT;
    forest.count = NODES;
    forest.numbers = ids;
    forest.parents = parents;
    must(ctree_store_create(NULL, out));
    double from = now();
    must(ctree_store_build(*out, CTREE_NONE, CTREE_END, &forest, NULL, nodes, NULL));
    return now() - from;
}

static double open_all(ctree_view *view, ctree_status (*call)(ctree_view *, ctree_node)) {
    double from = now();
    for (uint32_t i = 0; i < TOPS; i++) must(call(view, nodes[i]));
    return now() - from;
}

static void measure_rows(const ctree_view *view) {
    double whole[ROUNDS], lean[ROUNDS], lookup[ROUNDS];
    uint32_t count = ctree_view_row_count(view), n = count - WINDOW;
    for (int round = 0; round < ROUNDS; round++) {
        double from = now();
        for (uint32_t k = 0; k < WINDOWS; k++) {
            uint32_t room = WINDOW;
            must(ctree_view_window(view, scattered(k, n), &room, rows));
            sum += rows[0].node;
        }
        double middle = now();
        for (uint32_t k = 0; k < WINDOWS; k++) {
            uint32_t room = WINDOW;
            must(ctree_view_nodes_from(view, scattered(k, n), &room, found, depths));
            sum += found[0];
        }
        double last = now();
        for (uint32_t k = 0; k < FINDS; k++) sum += ctree_view_row_of(view, picked[k]);
        whole[round] = middle - from;
        lean[round] = last - middle;
        lookup[round] = now() - last;
    }
    tell("window", whole, WINDOWS);
    tell("window-array", whole, WINDOWS);
    tell("nodes-array", lean, WINDOWS);
    tell("row-of", lookup, FINDS);
}

static void measure_finds(const ctree_store *store) {
    double single[ROUNDS], many[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        double from = now();
        for (uint32_t k = 0; k < FINDS; k++) sum += ctree_store_find(store, ctree_id_u64(wanted[k]));
        double middle = now();
        must(ctree_store_find_many_u64(store, NULL, wanted, FINDS, found));
        single[round] = middle - from;
        many[round] = now() - middle;
    }
    tell("find", single, FINDS);
    tell("find-many", many, 1);
}

int main(void) {
    ctree_store *store = NULL;
    ctree_view *view = NULL;
    double builds[ROUNDS], opened[ROUNDS], closed[ROUNDS];
    for (uint32_t i = 0; i < NODES; i++) {
        ids[i] = i + 1;
        parents[i] = i < TOPS ? CTREE_END : (i - TOPS) / 999;
    }
    for (uint32_t k = 0; k < FINDS; k++) wanted[k] = ids[scattered(k, NODES)];
    for (int round = 0; round < ROUNDS; round++) {
        ctree_store_destroy(store);
        builds[round] = build(&store);
    }
    tell("build", builds, 1);
    must(ctree_view_create(store, NULL, &view));
    open_all(view, ctree_view_expand);
    open_all(view, ctree_view_collapse);
    for (int round = 0; round < ROUNDS; round++) {
        opened[round] = open_all(view, ctree_view_expand);
        closed[round] = open_all(view, ctree_view_collapse);
    }
    tell("expand", opened, TOPS);
    tell("collapse", closed, TOPS);
    measure_finds(store);
    for (uint32_t k = 0; k < FINDS; k++) picked[k] = nodes[scattered(k, NODES)];
    must(ctree_view_expand_all(view, CTREE_NONE, CTREE_ALL_LEVELS, NULL));
    measure_rows(view);
    ctree_view_destroy(view);
    ctree_store_destroy(store);
    fprintf(stderr, "%" PRIu64 "\n", sum);
    return 0;
}
