#include "base/options.h"

#include <string.h>

/* No struct of options will grow beyond this. A size above it was not set, and must not be believed. */
enum { MOST = 1024 };

bool ct_read_options(void *options, size_t known, size_t least, const void *given) {
    const unsigned char *bytes = given;
    size_t size;
    memcpy(&size, given, sizeof size);
    if (size < least || size > MOST) return false;
    for (size_t i = known; i < size; i++) {
        if (bytes[i] != 0) return false;
    }
    memcpy(options, given, size < known ? size : known);
    return true;
}
