/* XXH64, written from its published specification: the hash where there is no xxhash.h, and what stretches keys. */
#ifndef CT_XXH64_H
#define CT_XXH64_H

#include <stddef.h>
#include <stdint.h>

/* The same value on every machine, whatever its byte order; `bytes` at any alignment, NULL where `length` is 0. */
uint64_t ct_xxh64(const void *bytes, size_t length, uint64_t seed);

#endif
