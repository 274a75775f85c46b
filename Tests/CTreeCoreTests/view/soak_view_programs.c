/* More than a million calls on stores with several views while memory fails. */
#include "support/assertions.h"
#include "support/unit.h"
#include "support/view_program.h"

static void run_all(uint64_t seed, uint32_t programs, uint64_t steps, view_program_options options) {
    uint64_t done = 0;
    char context[96];
    uint32_t most = options.most;
    for (uint32_t i = 0; i < programs; i++) {
        options.kind = (ctree_id_kind)(i & 1);
        options.scope = (ctree_id_scope)(i >> 1 & 1);
        options.most = most + i % 100;
        snprintf(context, sizeof context, "program %" PRIu32 " of seed %" PRIu64, i, seed);
        check_context(context);
        done += view_program_run(random_from_seed(seed + i), options, steps);
    }
    check_context("");
    printf("%" PRIu64 " calls\n", done);
}

static void a_million_calls_on_small_trees(void **state) {
    (void)state;
    view_program_options options = {.most = 6, .fails_in = 5, .check_every = 4};
    run_all(random_seed_of_test(__func__, 20261204), 1000, 1000, options);
}

static void a_hundred_thousand_calls_on_larger_trees(void **state) {
    (void)state;
    view_program_options options = {.most = 3000, .fails_in = 20, .check_every = 97};
    run_all(random_seed_of_test(__func__, 20261205), 20, 5000, options);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_million_calls_on_small_trees),
        cmocka_unit_test(a_hundred_thousand_calls_on_larger_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
