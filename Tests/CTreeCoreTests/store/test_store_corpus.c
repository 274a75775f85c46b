/* Inputs of Tests/fuzz/fuzz_store.c that a fuzzer found worth keeping, numbered from corpus/store/00 on: once each.
 */
#include "../../fuzz/fuzz_store.c"

#include "support/assertions.h"
#include "support/unit.h"

static void every_input_of_the_corpus_passes(void **state) {
    (void)state;
    static uint8_t bytes[65536];
    static const char here[] = "CTreeCoreTests/store/test_store_corpus.c";
    char path[4096];
    uint32_t ran = 0;
    for (;; ran++) {
        int root = (int)(strlen(__FILE__) - strlen(here));
        snprintf(path, sizeof path, "%.*sfuzz/corpus/store/%02" PRIu32, root, __FILE__, ran);
        FILE *file = fopen(path, "rb");
        if (file == NULL) break;
        size_t size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        check_context(path);
        LLVMFuzzerTestOneInput(bytes, size);
    }
    check_context("");
    printf("%" PRIu32 " inputs\n", ran);
    assert_true(ran >= 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_input_of_the_corpus_passes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
