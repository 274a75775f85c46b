#include "support/corpus.h"

#include "support/assertions.h"

uint32_t corpus_run(const char *target, int (*run)(const uint8_t *bytes, size_t size)) {
    static uint8_t bytes[65536];
    static const char here[] = "CTreeCoreTests/support/corpus.c";
    char path[4096];
    uint32_t ran = 0;
    for (;; ran++) {
        int root = (int)(strlen(__FILE__) - strlen(here));
        snprintf(path, sizeof path, "%.*sfuzz/corpus/%s/%02" PRIu32, root, __FILE__, target, ran);
        FILE *file = fopen(path, "rb");
        if (file == NULL) break;
        size_t size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        check_context(path);
        run(bytes, size);
    }
    check_context("");
    printf("%" PRIu32 " inputs\n", ran);
    return ran;
}
