/* Domains share nothing, and calls that take const objects may overlap: what the thread sanitizer watches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>

#include "ctree/ctree.h"

enum { THREADS = 4, FOLDERS = 64, FILES = 40, NODES = FOLDERS * (FILES + 1), ROUNDS = 20 };

/* What a thread works on, and what it counted: cmocka's assertions are for the main thread alone. */
typedef struct job {
    ctree_store *store;
    ctree_view *view;
    uint64_t first;
    unsigned wrong;
} job;

static unsigned build(ctree_store *store, uint64_t first) {
    ctree_id ids[FILES + 1];
    uint32_t parents[FILES + 1];
    char names[FILES + 1][24];
    unsigned wrong = 0;
    for (uint64_t folder = 0; folder < FOLDERS; folder++) {
        for (uint64_t i = 0; i <= FILES; i++) {
            uint64_t number = first + folder * (FILES + 1) + i;
            int length = snprintf(names[i], sizeof names[i], "name-%llu", (unsigned long long)number);
            ids[i] = ctree_id_bytes(names[i], (size_t)length);
            parents[i] = i == 0 ? CTREE_END : 0;
        }
        ctree_forest forest = CTREE_FOREST_INIT;
        forest.count = FILES + 1;
        forest.ids = ids;
        forest.parents = parents;
        wrong += ctree_store_build(store, CTREE_NONE, CTREE_END, &forest, NULL, NULL, NULL) != CTREE_OK;
    }
    return wrong;
}

static ctree_status create(ctree_store **out) {
    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    options.id_kind = CTREE_ID_BYTES;
    return ctree_store_create(&options, out);
}

static ctree_node find(const ctree_store *store, uint64_t number) {
    char name[24];
    int length = snprintf(name, sizeof name, "name-%llu", (unsigned long long)number);
    return ctree_store_find(store, ctree_id_bytes(name, (size_t)length));
}

static void run(void *(*work)(void *), job *jobs) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < THREADS; i++) assert_int_equal(jobs[i].wrong, 0);
}

static unsigned read_all(const ctree_store *store, const ctree_view *view) {
    unsigned wrong = 0;
    uint64_t walked = 0;
    for (uint64_t number = 0; number < NODES; number++) {
        ctree_node node = find(store, number);
        uint32_t ordinal;
        ctree_node_info info = {.size = sizeof info};
        wrong += ctree_store_info(store, node, &info) != CTREE_OK;
        wrong += ctree_store_ordinal(store, node, &ordinal) != CTREE_OK;
        wrong += ctree_store_child_at(store, info.parent, ordinal) != node;
        wrong += ctree_view_is_expanded(view, node) != (number % (FILES + 1) == 0);
    }
    ctree_node node = CTREE_NONE;
    while ((node = ctree_store_next(store, node, CTREE_NONE, false)) != CTREE_NONE) walked++;
    wrong += walked != NODES;
    wrong += find(store, NODES) != CTREE_NONE;
    wrong += ctree_validate(store, NULL) != CTREE_OK;
    ctree_rows *rows;
    if (ctree_rows_flatten(view, CTREE_ROWS_LOOKUP, NULL, &rows) != CTREE_OK) return wrong + 1;
    wrong += ctree_rows_count(rows) != NODES;
    wrong += ctree_rows_row(rows, find(store, NODES - 1)) != NODES - 1;
    ctree_rows_destroy(rows);
    return wrong;
}

static void *read_repeatedly(void *context) {
    job *own = context;
    for (int round = 0; round < ROUNDS; round++) own->wrong += read_all(own->store, own->view);
    return NULL;
}

static void reads_of_one_store_may_overlap(void **state) {
    (void)state;
    ctree_store *store;
    ctree_view *view;
    assert_int_equal(create(&store), CTREE_OK);
    assert_int_equal(ctree_view_create(store, NULL, &view), CTREE_OK);
    assert_int_equal(build(store, 0), 0);
    assert_int_equal(ctree_view_expand_all(view, CTREE_NONE, CTREE_ALL_LEVELS, NULL), CTREE_OK);
    job jobs[THREADS];
    for (int i = 0; i < THREADS; i++) jobs[i] = (job){store, view, 0, 0};
    run(read_repeatedly, jobs);
    ctree_view_destroy(view);
    ctree_store_destroy(store);
}

static void *live_a_whole_life(void *context) {
    job *own = context;
    for (int round = 0; round < ROUNDS; round++) {
        ctree_store *store;
        ctree_view *view;
        if (create(&store) != CTREE_OK || ctree_view_create(store, NULL, &view) != CTREE_OK) {
            own->wrong++;
            return NULL;
        }
        own->wrong += build(store, 0);
        own->wrong += ctree_view_expand_all(view, CTREE_NONE, CTREE_ALL_LEVELS, NULL) != CTREE_OK;
        own->wrong += read_all(store, view);
        for (uint64_t number = 0; number < NODES; number += FILES + 1) {
            own->wrong += ctree_store_remove(store, find(store, number)) != CTREE_OK;
        }
        own->wrong += ctree_store_count(store) != 0;
        ctree_view_destroy(view);
        ctree_store_destroy(store);
    }
    return NULL;
}

static void stores_on_different_threads_share_nothing(void **state) {
    (void)state;
    job jobs[THREADS] = {0};
    run(live_a_whole_life, jobs);
}

static void *build_own_part(void *context) {
    job *own = context;
    own->wrong += build(own->store, own->first);
    return NULL;
}

static void stores_built_on_other_threads_are_grafted(void **state) {
    (void)state;
    ctree_store *store;
    job jobs[THREADS] = {0};
    assert_int_equal(create(&store), CTREE_OK);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(create(&jobs[i].store), CTREE_OK);
        jobs[i].first = (uint64_t)i * NODES;
    }
    run(build_own_part, jobs);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(ctree_store_graft(store, CTREE_NONE, CTREE_END, jobs[i].store, NULL, NULL), CTREE_OK);
        assert_int_equal(ctree_store_count(jobs[i].store), 0);
        ctree_store_destroy(jobs[i].store);
    }
    assert_int_equal(ctree_store_count(store), (uint64_t)THREADS * NODES);
    for (uint64_t number = 0; number < (uint64_t)THREADS * NODES; number++) {
        assert_int_not_equal(find(store, number), CTREE_NONE);
    }
    assert_int_equal(ctree_validate(store, NULL), CTREE_OK);
    ctree_store_destroy(store);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_of_one_store_may_overlap),
        cmocka_unit_test(stores_on_different_threads_share_nothing),
        cmocka_unit_test(stores_built_on_other_threads_are_grafted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
