/* The inputs that a fuzzer found worth keeping, run once each. They are numbered, from Tests/fuzz/corpus/view/00 on.
 */
#include "../../fuzz/fuzz_view.c"

#include "support/assertions.h"
#include "support/unit.h"

static void every_input_of_the_corpus_passes(void **state) {
    (void)state;
    static uint8_t bytes[65536];
    static const char here[] = "CTreeCoreTests/view/test_view_corpus.c";
    char path[4096];
    uint32_t ran = 0;
    for (;; ran++) {
        int root = (int)(strlen(__FILE__) - strlen(here));
        snprintf(path, sizeof path, "%.*sfuzz/corpus/view/%02" PRIu32, root, __FILE__, ran);
        FILE *file = fopen(path, "rb");
        if (file == NULL) break;
        size_t size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        check_context(path);
        LLVMFuzzerTestOneInput(bytes, size);
    }
    check_context("");
    printf("%" PRIu32 " inputs\n", ran);
    assert_true(ran >= 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_input_of_the_corpus_passes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
