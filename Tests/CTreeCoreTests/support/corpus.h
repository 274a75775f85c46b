/* The inputs that a fuzzer found worth keeping, for the tests that run them. */
#ifndef TEST_CORPUS_H
#define TEST_CORPUS_H

#include <stddef.h>
#include <stdint.h>

/* Runs Tests/fuzz/corpus/TARGET/00, 01 and so on, to the first that is not there. How many they were. */
uint32_t corpus_run(const char *target, int (*run)(const uint8_t *bytes, size_t size));

#endif
