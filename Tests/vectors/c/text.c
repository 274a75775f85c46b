/* Growing text, and memory that is always there: a test program has nothing better to do without it than to stop. */
#include "run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void *grow(void *block, size_t count, size_t size) {
    void *grown = realloc(block, (count > 0 ? count : 1) * size);
    if (grown == NULL) {
        fputs("vectors: out of memory\n", stderr);
        exit(2);
    }
    return grown;
}

void text_add(struct text *text, const char *format, ...) {
    for (;;) {
        va_list arguments;
        va_start(arguments, format);
        size_t left = text->room - text->length;
        int needed = vsnprintf(text->bytes != NULL ? text->bytes + text->length : NULL, left, format, arguments);
        va_end(arguments);
        if (needed >= 0 && (size_t)needed < left) {
            text->length += (size_t)needed;
            return;
        }
        text->room = 2 * text->room + (size_t)(needed > 0 ? needed : 0) + 64;
        text->bytes = grow(text->bytes, text->room, 1);
    }
}

void text_free(struct text *text) {
    free(text->bytes);
    *text = (struct text){NULL, 0, 0};
}
