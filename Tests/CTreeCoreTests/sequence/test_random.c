/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include "sequence/program.h"

static void run_all(uint32_t parts, uint32_t span, const char *name) {
    uint64_t seed = random_seed_of_test(name, 20240511);
    for (uint32_t run = 0; run < random_runs(); run++) {
        program_run(parts, 300, span, 2000, seed + run * 4, NULL);
        program_run(parts, 3000, span, 3000, seed + run * 4 + 1, NULL);
        program_run(parts, 60000, span, 1500, seed + run * 4 + 2, NULL);
    }
}

static void plain_sequences_equal_arrays(void **state) {
    (void)state;
    run_all(0, 1000, "plain");
}

static void rows_with_depths_equal_arrays(void **state) {
    (void)state;
    run_all(CT_SEQ_DEPTHS, 100, "shallow");
    run_all(CT_SEQ_DEPTHS, 400, "leaves about to be wide");
    run_all(CT_SEQ_DEPTHS, 1u << 30, "any depth");
}

static void rows_with_heights_equal_arrays(void **state) {
    (void)state;
    run_all(CT_SEQ_DEPTHS | CT_SEQ_HEIGHTS, 2000, "depths and heights");
    run_all(CT_SEQ_HEIGHTS, 10, "heights alone");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_sequences_equal_arrays),
        cmocka_unit_test(rows_with_depths_equal_arrays),
        cmocka_unit_test(rows_with_heights_equal_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
