/* Arguments that nobody chose: support/raw_calls.h. */
#include "support/raw_calls.h"
#include "support/unit.h"

static void any_call_returns_and_leaves_everything_whole(void **state) {
    (void)state;
    uint64_t seed = random_seed_of_test("raw calls", 77);
    for (uint64_t run = 0; run < 60 * random_runs(); run++) raw_calls_run(random_from_seed(seed + run), 2000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_call_returns_and_leaves_everything_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
