#include "ids/hash.h"

#include "base/bits.h"
#include "ids/random.h"
#include "ids/xxh64.h"

#if !defined(CT_HASH_FALLBACK)
#if defined(__has_include)
#if __has_include(<xxhash.h>)
#define CT_HASH_XXH3 1
#endif
#endif
#if !defined(CT_HASH_XXH3) && defined(__linux__)
#error \
    "xxhash.h is missing: install libxxhash-dev (Debian, Ubuntu), or define CT_HASH_FALLBACK for the built-in XXH64"
#endif
#endif

/* Word by word, so that a key of any length fills the secret, and each byte of it reaches every word. */
static void stretch(ct_hash_key *key, const void *seed, size_t seed_size) {
    ct_hash_key made;
    for (uint64_t i = 0; i < CT_SECRET_SIZE / 8; i++) {
        ct_store_le64(made.secret + 8 * i, ct_xxh64(seed, seed_size, (i + 1) * 0x9E3779B97F4A7C15u));
    }
    *key = made;
}

bool ct_hash_key_init(ct_hash_key *key, const void *seed, size_t seed_size) {
    if (seed == NULL) return ct_random(key->secret, sizeof key->secret);
    stretch(key, seed, seed_size);
    return true;
}

void ct_hash_key_next(ct_hash_key *key) { stretch(key, key->secret, sizeof key->secret); }

#if defined(CT_HASH_XXH3)
#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t ct_hash_bytes(const ct_hash_key *key, const void *bytes, size_t length) {
    return XXH3_64bits_withSecret(bytes, length, key->secret, sizeof key->secret);
}
#else
/* A seed alone, unlike a secret, does not stop collisions that were worked out for any seed: where this is in use,
   identifiers chosen by an attacker are held off by the new keys of the index only as far as XXH64 goes. */
uint64_t ct_hash_bytes(const ct_hash_key *key, const void *bytes, size_t length) {
    return ct_xxh64(bytes, length, ct_load_le64(key->secret));
}
#endif

uint64_t ct_hash_u64(const ct_hash_key *key, uint64_t number) {
    unsigned char bytes[8];
    ct_store_le64(bytes, number);
    return ct_hash_bytes(key, bytes, sizeof bytes);
}
