/*
 * Where a random program takes its choices from: a generator with a seed, or the bytes of an input that a fuzzer
 * made. A program that draws the same choices does the same.
 */
#ifndef TEST_RANDOM_H
#define TEST_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct random_source {
    uint64_t state;
    const uint8_t *bytes; /* NULL: the generator */
    size_t size, at;
} random_source;

random_source random_from_seed(uint64_t seed);
random_source random_from_bytes(const uint8_t *bytes, size_t size);

/* Whether the bytes are used up; a generator never is. Choices after the end are 0. */
bool random_is_over(const random_source *source);

uint64_t random_u64(random_source *source);
uint32_t random_below(random_source *source, uint32_t bound); /* 0 where the bound is 0 */
bool random_chance(random_source *source, uint32_t times, uint32_t out_of);

/* The seed of a test: that of the environment variable CTREE_SEED, else `otherwise`. Printed, with the name. */
uint64_t random_seed_of_test(const char *name, uint64_t otherwise);

/* How many times more than usual a test shall run: the environment variable CTREE_RANDOM_RUNS, else 1. */
uint32_t random_runs(void);

#endif
