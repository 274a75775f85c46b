#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ids/hash.h"
#include "ids/xxh64.h"
#include "support/random.h"

/* The same file as on a platform without the header, beside the one in the library. */
#define ct_hash_key_init fallback_key_init
#define ct_hash_key_next fallback_key_next
#define ct_hash_bytes fallback_bytes
#define ct_hash_u64 fallback_u64
#if defined(CT_HASH_FALLBACK)
#define LIBRARY_FALLS_BACK 1
#else
#define CT_HASH_FALLBACK
#endif
bool fallback_key_init(ct_hash_key *key, const void *seed, size_t seed_size);
void fallback_key_next(ct_hash_key *key);
uint64_t fallback_bytes(const ct_hash_key *key, const void *bytes, size_t length);
uint64_t fallback_u64(const ct_hash_key *key, uint64_t number);
#include "ids/hash.c"
#undef ct_hash_key_init
#undef ct_hash_key_next
#undef ct_hash_bytes
#undef ct_hash_u64

#if defined(__has_include)
#if __has_include(<xxhash.h>)
#define HAS_XXHASH 1
#define XXH_INLINE_ALL
#include <xxhash.h>
#endif
#endif

enum { MOST = 700, SHIFTS = 8 };

static unsigned char input[MOST + SHIFTS];

static void fill_input(random_source *source) {
    for (size_t i = 0; i < sizeof input; i++) input[i] = (unsigned char)random_u64(source);
}

static void the_fallback_is_xxh64(void **state) {
    (void)state;
#if defined(HAS_XXHASH)
    random_source source = random_from_seed(random_seed_of_test("the_fallback_is_xxh64", 1));
    static const uint64_t seeds[] = {0, 1, 0x8000000000000000u, UINT64_MAX, 0x123456789ABCDEFu};
    for (size_t s = 0; s < sizeof seeds / sizeof *seeds + 10; s++) {
        uint64_t seed = s < sizeof seeds / sizeof *seeds ? seeds[s] : random_u64(&source);
        ct_hash_key key;
        for (size_t i = 0; i < CT_SECRET_SIZE; i++) key.secret[i] = (unsigned char)(i < 8 ? seed >> 8 * i : i * 7);
        fill_input(&source);
        for (size_t length = 0; length <= MOST; length++) {
            const unsigned char *bytes = input + (length + s) % SHIFTS;
            uint64_t expected = XXH64(bytes, length, seed);
            assert_int_equal(ct_xxh64(bytes, length, seed), expected);
            assert_int_equal(fallback_bytes(&key, bytes, length), expected);
        }
        for (size_t shift = 0; shift < SHIFTS; shift++) {
            assert_int_equal(ct_xxh64(input + shift, 333, seed), XXH64(input + shift, 333, seed));
        }
    }
#else
    skip();
#endif
}

/* Pinned, so that a machine without the header, or of the other byte order, is held to the same numbers. */
static void the_fallback_has_the_published_values(void **state) {
    (void)state;
    assert_int_equal(ct_xxh64(NULL, 0, 0), 0xEF46DB3751D8E999u);
    assert_int_equal(ct_xxh64("a", 1, 0), 0xD24EC4F1A98C6E5Bu);
    assert_int_equal(ct_xxh64("abc", 3, 0), 0x44BC2CF5AD770999u);
    assert_int_equal(ct_xxh64("Nobody inspects the spammish repetition", 39, 0), 0xFBCEA83C8A378BF1u);
}

static void bytes_are_hashed_by_xxh3_under_the_secret(void **state) {
    (void)state;
#if defined(HAS_XXHASH) && !defined(LIBRARY_FALLS_BACK)
    random_source source = random_from_seed(random_seed_of_test("bytes_are_hashed_by_xxh3_under_the_secret", 2));
    fill_input(&source);
    ct_hash_key key;
    assert_true(ct_hash_key_init(&key, "a key", 5));
    for (size_t length = 0; length <= MOST; length++) {
        const unsigned char *bytes = input + length % SHIFTS;
        assert_int_equal(ct_hash_bytes(&key, bytes, length),
                         XXH3_64bits_withSecret(bytes, length, key.secret, sizeof key.secret));
    }
#else
    skip();
#endif
}

static void a_number_is_hashed_as_its_bytes_from_the_lowest_on(void **state) {
    (void)state;
    ct_hash_key key;
    assert_true(ct_hash_key_init(&key, "a key", 5));
    static const unsigned char bytes[8] = {0xEF, 0xCD, 0xAB, 0x89, 0x67, 0x45, 0x23, 0x01};
    assert_int_equal(ct_hash_u64(&key, 0x0123456789ABCDEFu), ct_hash_bytes(&key, bytes, 8));
    assert_int_equal(fallback_u64(&key, 0x0123456789ABCDEFu), fallback_bytes(&key, bytes, 8));
}

static void a_given_key_is_replayed(void **state) {
    (void)state;
    ct_hash_key one, two;
    unsigned char seed[300];
    for (size_t i = 0; i < sizeof seed; i++) seed[i] = (unsigned char)(i * 31 + 5);
    for (size_t size = 0; size <= sizeof seed; size++) {
        assert_true(ct_hash_key_init(&one, seed, size));
        assert_true(fallback_key_init(&two, seed, size));
        for (int step = 0; step < 4; step++) {
            assert_memory_equal(&one, &two, sizeof one);
            ct_hash_key before = one;
            ct_hash_key_next(&one);
            fallback_key_next(&two);
            assert_memory_not_equal(&one, &before, sizeof one);
        }
    }
    /* The first word is that of XXH64 by the golden ratio, the same on every machine. */
    assert_true(ct_hash_key_init(&one, "seed", 4));
    assert_int_equal(ct_load_le64(one.secret), ct_xxh64("seed", 4, 0x9E3779B97F4A7C15u));
}

/* Also where the seed is longer than the secret: no bit of it may be lost. */
static void every_bit_of_a_given_key_counts(void **state) {
    (void)state;
    unsigned char seed[256] = {0};
    ct_hash_key plain, flipped;
    assert_true(ct_hash_key_init(&plain, seed, sizeof seed));
    for (size_t bit = 0; bit < sizeof seed * 8; bit++) {
        seed[bit / 8] ^= (unsigned char)(1 << bit % 8);
        assert_true(ct_hash_key_init(&flipped, seed, sizeof seed));
        seed[bit / 8] ^= (unsigned char)(1 << bit % 8);
        for (size_t word = 0; word < CT_SECRET_SIZE; word += 8) {
            assert_memory_not_equal(plain.secret + word, flipped.secret + word, 8);
        }
    }
}

static void drawn_keys_differ(void **state) {
    (void)state;
    ct_hash_key keys[8];
    for (int i = 0; i < 8; i++) {
        memset(&keys[i], 0, sizeof keys[i]);
        assert_true(ct_hash_key_init(&keys[i], NULL, 0));
        for (int j = 0; j < i; j++) {
            for (size_t word = 0; word < CT_SECRET_SIZE; word += 8) {
                assert_memory_not_equal(keys[i].secret + word, keys[j].secret + word, 8);
            }
            assert_int_not_equal(ct_hash_u64(&keys[i], 1), ct_hash_u64(&keys[j], 1));
        }
    }
}

/* Neighbouring parents and equal names must not end up near each other: in each byte of the hash, 65,536 children
   of as many parents spread as chance does (mean 256 a value, standard deviation 16). */
static void the_parent_reaches_every_bit_of_the_hash(void **state) {
    (void)state;
    ct_hash_key key;
    assert_true(ct_hash_key_init(&key, "a key", 5));
    uint64_t hash = ct_hash_bytes(&key, "README", 6);
    static uint32_t counts[8][256];
    memset(counts, 0, sizeof counts);
    for (uint32_t parent = 0; parent < 65536; parent++) {
        uint64_t under = ct_hash_under(hash, parent);
        for (int byte = 0; byte < 8; byte++) counts[byte][under >> 8 * byte & 255]++;
    }
    for (int byte = 0; byte < 8; byte++) {
        for (int value = 0; value < 256; value++) assert_in_range(counts[byte][value], 256 - 8 * 16, 256 + 8 * 16);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fallback_is_xxh64),
        cmocka_unit_test(the_fallback_has_the_published_values),
        cmocka_unit_test(bytes_are_hashed_by_xxh3_under_the_secret),
        cmocka_unit_test(a_number_is_hashed_as_its_bytes_from_the_lowest_on),
        cmocka_unit_test(a_given_key_is_replayed),
        cmocka_unit_test(every_bit_of_a_given_key_counts),
        cmocka_unit_test(drawn_keys_differ),
        cmocka_unit_test(the_parent_reaches_every_bit_of_the_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
