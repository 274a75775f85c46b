/*
 * cmocka with its preamble, and a check that can stand in code that a fuzzer runs, where cmocka is not: it prints and
 * aborts, which ends a test program as well.
 */
#ifndef TEST_ASSERTIONS_H
#define TEST_ASSERTIONS_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Prints what was being done, where a program told so; then the numbers. */
void check_failed(const char *file, int line, const char *text, uint64_t a, uint64_t b);

/* What a failed check prints first: the seed, the step. Lent. */
void check_context(const char *text);

#define CHECK(condition) ((condition) ? (void)0 : check_failed(__FILE__, __LINE__, #condition, 0, 0))
#define CHECK_EQUAL(a, b) check_equal(__FILE__, __LINE__, #a " == " #b, (uint64_t)(a), (uint64_t)(b))

static inline void check_equal(const char *file, int line, const char *text, uint64_t a, uint64_t b) {
    if (a != b) check_failed(file, line, text, a, b);
}

/* Memory for tests, which end where there is none. */
static inline void *must(void *block) {
    if (block == NULL) abort();
    return block;
}

/* Makes room for one more item in a list. */
static inline void *grown(void *block, uint32_t count, uint32_t *room, size_t size) {
    if (count < *room) return block;
    *room = *room < 8 ? 8 : *room * 2;
    return must(realloc(block, *room * size));
}

#endif
