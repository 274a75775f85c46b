/*
 * The random programs of the store and its views, with choices made by libFuzzer. Every call is compared with the
 * naive twin, so that a wrong answer is found as well as a crash.
 *
 *     clang -g -O1 -fsanitize=fuzzer,address,undefined -ISources/CTreeCore -ISources/CTreeCore/include \
 *         -ITests/CTreeCoreTests Tests/fuzz/fuzz_store.c SUPPORT Sources/CTreeCore/[a-z]*[a-z]/[a-z]*.c -o fuzz_store
 *     ./fuzz_store -max_len=4096 Tests/fuzz/corpus/store
 */
#include "support/program.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size < 8) return 0;
    random_source source = random_from_bytes(bytes, size);
    program_options options = {.steps = 400, .disturbs = (size & 1) != 0};
    program_run(&source, options);
    return 0;
}
