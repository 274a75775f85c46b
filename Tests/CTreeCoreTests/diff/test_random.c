/* Random pairs of lists: the rules, replaying and trying everything. */
#include "support/assertions.h"
#include "support/diff_pair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { PAIRS = 4000, PAIRS_OF_SOAK = 200000 };

static void run(const char *name, bool sections, bool edited) {
    uint64_t seed = random_seed_of_test(name, 20130501);
    uint64_t pairs = (uint64_t)PAIRS / 4 * random_runs();
    if (getenv("CTREE_SOAK") != NULL && pairs < PAIRS_OF_SOAK / 4) pairs = PAIRS_OF_SOAK / 4;
    for (uint64_t i = 0; i < pairs; i++) {
        char context[64];
        snprintf(context, sizeof context, "%s, pair %" PRIu64, name, i);
        check_context(context);
        random_source source = random_from_seed(seed + i * 4 + (sections ? 2 : 0) + (edited ? 1 : 0));
        /* Most are small, so that everything can be tried; some are large, so that all paths are taken. */
        bool large = random_chance(&source, 1, 8);
        pair_taste taste = {sections, edited, large ? 120 : 10, large ? 12 : 6};
        diff_pair pair = diff_pair_random(&source, taste);
        diff_pair_check(&pair, &source);
        diff_pair_free(&pair);
    }
}

static void independent_rows(void **state) {
    (void)state;
    run("independent rows", false, false);
}

static void edited_rows(void **state) {
    (void)state;
    run("edited rows", false, true);
}

static void independent_sections(void **state) {
    (void)state;
    run("independent sections", true, false);
}

static void edited_sections(void **state) {
    (void)state;
    run("edited sections", true, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(independent_rows),
        cmocka_unit_test(edited_rows),
        cmocka_unit_test(independent_sections),
        cmocka_unit_test(edited_sections),
    };
    return cmocka_run_group_tests_name("diff random", tests, NULL, NULL);
}
