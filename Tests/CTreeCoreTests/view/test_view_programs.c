/* Random programs over a store with several views, with and without memory that fails. */
#include "support/assertions.h"
#include "support/unit.h"
#include "support/view_program.h"

static uint64_t run_all(uint64_t seed, uint32_t programs, uint64_t steps, view_program_options options) {
    uint64_t done = 0;
    char context[96];
    uint32_t most = options.most;
    for (uint32_t i = 0; i < programs * random_runs(); i++) {
        options.kind = (ctree_id_kind)(i & 1);
        options.scope = (ctree_id_scope)(i >> 1 & 1);
        options.most = most + i % 60;
        snprintf(context, sizeof context, "program %" PRIu32 " of seed %" PRIu64, i, seed);
        check_context(context);
        done += view_program_run(random_from_seed(seed + i), options, steps);
    }
    check_context("");
    printf("%" PRIu64 " calls\n", done);
    return done;
}

static void views_follow_small_trees_through_every_call(void **state) {
    (void)state;
    view_program_options options = {.most = 8, .check_every = 1, .mirrored = true};
    run_all(random_seed_of_test(__func__, 20261201), 60, 600, options);
}

static void views_follow_small_trees_while_memory_fails(void **state) {
    (void)state;
    view_program_options options = {.most = 8, .fails_in = 4, .check_every = 5, .mirrored = true};
    run_all(random_seed_of_test(__func__, 20261202), 100, 1000, options);
}

static void views_follow_larger_trees_while_memory_fails(void **state) {
    (void)state;
    view_program_options options = {.most = 2500, .fails_in = 12, .check_every = 41};
    run_all(random_seed_of_test(__func__, 20261203), 6, 1500, options);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_follow_small_trees_through_every_call),
        cmocka_unit_test(views_follow_small_trees_while_memory_fails),
        cmocka_unit_test(views_follow_larger_trees_while_memory_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
