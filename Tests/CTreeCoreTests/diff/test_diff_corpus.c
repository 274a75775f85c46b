/* The inputs of Tests/fuzz/fuzz_diff.c that a fuzzer found worth keeping, once each. */
#include "../../fuzz/fuzz_diff.c"

#include "support/corpus.h"
#include "support/unit.h"

static void every_input_of_the_corpus_passes(void **state) {
    (void)state;
    assert_true(corpus_run("diff", LLVMFuzzerTestOneInput) >= 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_input_of_the_corpus_passes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
