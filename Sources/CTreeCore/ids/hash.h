/*
 * The keyed hash of identifiers. hash.c is the only file that includes xxHash: XXH3 under a secret, or, where the
 * platform has no such header (or CT_HASH_FALLBACK is defined), a seeded XXH64 written from its specification.
 */
#ifndef CT_HASH_H
#define CT_HASH_H

#include "ctree/base.h"

enum { CT_SECRET_SIZE = 192 };

typedef struct ct_hash_key {
    unsigned char secret[CT_SECRET_SIZE];
} ct_hash_key;

/* A key from the caller's bytes (any number, stretched to a whole secret; the same bytes give the same key), or from
   the system's random numbers when `seed` is NULL. False only where the system has none to give. */
bool ct_hash_key_init(ct_hash_key *key, const void *seed, size_t seed_size);

/* The key that follows this one: for an index that has to key itself anew. A given key is replayed the same way. */
void ct_hash_key_next(ct_hash_key *key);

uint64_t ct_hash_bytes(const ct_hash_key *key, const void *bytes, size_t length);
uint64_t ct_hash_u64(const ct_hash_key *key, uint64_t number);

/* The hash of an identifier among the children of the node in slot `parent`. */
static inline uint64_t ct_hash_under(uint64_t hash, uint32_t parent) {
    hash ^= ((uint64_t)parent + 1) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
    hash *= 0xD6E8FEB86659FD93u;
    return hash ^ (hash >> 29);
}

#endif
