/* Random programs on a store with its views, compared with the naive twin after each step. */
#include "support/assertions.h"
#include "support/program.h"
#include "support/unit.h"

enum { CALLS = 105000 }; /* of each test here */

static void run(const char *name, uint64_t otherwise, bool disturbs) {
    uint64_t seed = random_seed_of_test(name, otherwise);
    uint64_t calls = 0, wanted = (uint64_t)CALLS * random_runs();
    char context[96];
    check_context(context);
    for (uint64_t i = 0; calls < wanted; i++) {
        /* Every program can be run on its own: it is the first one of its seed. */
        snprintf(context, sizeof context, "%s, CTREE_SEED=0x%" PRIx64, name, seed + i);
        random_source source = random_from_seed(seed + i);
        program_options options = {200 + random_below(&source, 1800), disturbs};
        calls += program_run(&source, options);
    }
    check_context("");
    printf("%s: %" PRIu64 " calls\n", name, calls);
}

static void every_call_agrees_with_the_twin(void **state) {
    (void)state;
    run("calls", 0x5EED, false);
}

static void a_call_that_runs_out_of_memory_or_is_cancelled_leaves_no_trace(void **state) {
    (void)state;
    run("disturbed calls", 0xD157, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_agrees_with_the_twin),
        cmocka_unit_test(a_call_that_runs_out_of_memory_or_is_cancelled_leaves_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
