#include "support/assertions.h"

static const char *context = "";

void check_context(const char *text) { context = text; }

void check_failed(const char *file, int line, const char *text, uint64_t a, uint64_t b) {
    fflush(stdout);
    fprintf(stderr, "%s%s%s:%d: check failed: %s (%" PRIu64 ", %" PRIu64 ")\n", context, *context != '\0' ? ": " : "",
            file, line, text, a, b);
    fflush(stderr);
    abort();
}
