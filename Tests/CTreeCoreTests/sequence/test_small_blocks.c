/* The same programs over blocks of eight, so that a few hundred rows make a tree of many levels. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#define CT_SEQ_LEAF_BITS 3
#define CT_SEQ_FAN_BITS 3
#include "sequence/batch.c"
#include "sequence/build.c"
#include "sequence/check.c"
#include "sequence/depth.c"
#include "sequence/edit.c"
#include "sequence/height.c"
#include "sequence/inner.c"
#include "sequence/join.c"
#include "sequence/leaf.c"
#include "sequence/place.c"
#include "sequence/pool.c"
#include "sequence/read.c"
#include "sequence/tree.c"
#include "sequence/program.h"

static void run_all(uint32_t parts, uint32_t span, const char *name) {
    uint64_t seed = random_seed_of_test(name, 20240512);
    for (uint32_t run = 0; run < random_runs(); run++) {
        program_run(parts, 40, span, 4000, seed + run * 4, NULL);
        program_run(parts, 400, span, 8000, seed + run * 4 + 1, NULL);
        program_run(parts, 3000, span, 6000, seed + run * 4 + 2, NULL);
    }
}

static void plain_sequences_equal_arrays(void **state) {
    (void)state;
    run_all(0, 1000, "plain");
}

static void rows_with_depths_equal_arrays(void **state) {
    (void)state;
    run_all(CT_SEQ_DEPTHS, 100, "shallow");
    run_all(CT_SEQ_DEPTHS, 2000, "deep");
    run_all(CT_SEQ_DEPTHS, 1u << 30, "any depth");
}

static void rows_with_heights_equal_arrays(void **state) {
    (void)state;
    run_all(CT_SEQ_DEPTHS | CT_SEQ_HEIGHTS, 2000, "depths and heights");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_sequences_equal_arrays),
        cmocka_unit_test(rows_with_depths_equal_arrays),
        cmocka_unit_test(rows_with_heights_equal_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
