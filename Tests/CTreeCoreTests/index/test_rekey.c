/* Identifiers chosen by someone who knows the key: they are noticed, a new key ends it, and all stays right. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ids/hash.h"
#include "ids/ids.h"
#include "index_twin.h"

/* ---- What chance may do is not held against it ----------------------------------------------------------------- */

static void honest_hashes_never_ask_for_a_new_key(void **state) {
    (void)state;
    uint64_t seed = random_seed_of_test("honest_hashes_never_ask_for_a_new_key", 41);
    for (uint32_t run = 0; run < 3 * random_runs(); run++) {
        random_source source = random_from_seed(seed + run);
        index_twin twin;
        twin_begin(&twin, 200000, false);
        for (uint32_t slot = 0; slot < twin.slots; slot++) {
            twin.hashes[slot] = (uint32_t)random_u64(&source);
            twin_insert(&twin, slot);
            if (random_chance(&source, 1, 3)) twin_erase(&twin, random_below(&source, slot + 1));
        }
        assert_false(twin.index.needs_rekey);
        twin_end(&twin);
    }
}

/* ---- What chance does not do is -------------------------------------------------------------------------------- */

/* Inserts hashes made of `fixed` where `mask` is set and chance elsewhere, among honest ones, until a new key is
   asked for. How many it took. */
static uint32_t inserts_until_noticed(uint32_t honest, uint32_t mask, uint32_t fixed, uint32_t most) {
    random_source source = random_from_seed(42);
    index_twin twin;
    twin_begin(&twin, honest + most, false);
    for (uint32_t slot = 0; slot < honest; slot++) {
        twin.hashes[slot] = (uint32_t)random_u64(&source);
        twin_insert(&twin, slot);
    }
    assert_false(twin.index.needs_rekey);
    uint32_t chosen = 0;
    while (!twin.index.needs_rekey && chosen < most) {
        uint32_t slot = honest + chosen++;
        twin.hashes[slot] = ((uint32_t)random_u64(&source) & ~mask) | (fixed & mask);
        twin_insert(&twin, slot);
    }
    assert_null(ct_index_check(&twin.index));
    twin_end(&twin);
    return chosen;
}

static void chosen_hashes_are_noticed_before_they_hurt(void **state) {
    (void)state;
    static const uint32_t honest[] = {0, 100, 5000, 100000};
    for (size_t i = 0; i < sizeof honest / sizeof *honest; i++) {
        /* All alike: as soon as two lines are full of them. */
        assert_true(inserts_until_noticed(honest[i], UINT32_MAX, 0x12345678, 10000) <= 60);
        /* One line, any tag: when they fill a row of lines that chance would not, in segments that have so many. */
        assert_true(inserts_until_noticed(honest[i], 0xFFFFFF00u, 0x12345600, 10000) <= 240 * CT_LINE_ENTRIES + 100);
        /* One segment, anywhere in it: at its first split that does not halve it. */
        assert_true(inserts_until_noticed(honest[i], 0xFFFF0000u, 0x12340000, 20000) <= 6000);
        assert_true(inserts_until_noticed(honest[i], 0xFFFF0000u, 0xFFFF0000u, 20000) <= 6000);
    }
}

/* ---- With real identifiers and the real hash ------------------------------------------------------------------- */

/* What a store does with numbers as identifiers, and nothing else. */
typedef struct number_set {
    ct_mem mem;
    ct_hash_key key;
    ct_ids ids;
    ct_index index;
    uint32_t used, keys;
} number_set;

static uint32_t number_hash(const number_set *set, uint64_t number) {
    return (uint32_t)(ct_hash_u64(&set->key, number) >> 32);
}

static void number_hashes(const void *context, const uint32_t *slots, size_t count, uint32_t *hashes) {
    const number_set *set = context;
    for (size_t i = 0; i < count; i++) hashes[i] = number_hash(set, ct_ids_get(&set->ids, slots[i]).word);
}

static uint32_t number_find(const number_set *set, uint64_t number, uint32_t *compared) {
    uint32_t hash = number_hash(set, number), slot;
    ct_index_probe probe = ct_index_find(&set->index, hash);
    while (ct_index_next(&probe, &slot)) {
        if (compared != NULL) ++*compared;
        if (ct_ids_match(&set->ids, slot, ctree_id_u64(number), hash)) return slot;
    }
    return UINT32_MAX;
}

static void number_add(number_set *set, uint64_t number) {
    uint32_t slot = set->used++, hash = number_hash(set, number);
    CHECK_EQUAL(ct_ids_reserve(&set->ids, &set->mem, set->used), CTREE_OK);
    CHECK_EQUAL(ct_ids_set(&set->ids, &set->mem, slot, ctree_id_u64(number), hash), CTREE_OK);
    CHECK_EQUAL(ct_index_prepare(&set->index, &set->mem, hash), CTREE_OK);
    ct_index_insert(&set->index, hash, slot);
    if (!set->index.needs_rekey) return;
    ct_hash_key_next(&set->key);
    CHECK_EQUAL(ct_index_rebuild(&set->index, &set->mem), CTREE_OK);
    set->keys++;
}

static uint64_t rotated(uint64_t word, unsigned by) { return word << by | word >> (64 - by); }

static uint64_t inverse_of_odd(uint64_t factor) {
    uint64_t inverse = factor;
    for (int i = 0; i < 6; i++) inverse *= 2 - factor * inverse;
    return inverse;
}

/* The number whose XXH3 under the secret is `hash`: its way for 8 bytes is a permutation, step by step undone
   here. */
static uint64_t number_with_hash(const ct_hash_key *key, uint64_t hash) {
    const uint64_t inverse = inverse_of_odd(0x9FB21C651E98DF25u);
    hash ^= hash >> 28 ^ hash >> 56;
    hash *= inverse;
    hash ^= (hash >> 35) + 8;
    hash *= inverse;
    /* x ^ rotl(x, 49) ^ rotl(x, 24), 64 times over, is x again. */
    for (int i = 0; i < 63; i++) hash ^= rotated(hash, 49) ^ rotated(hash, 24);
    hash ^= ct_load_le64(key->secret + 8) ^ ct_load_le64(key->secret + 16);
    return rotated(hash, 32);
}

static void numbers_chosen_against_a_known_key_are_found_at_once(void **state) {
    (void)state;
    number_set set = {.used = 0};
    CHECK_EQUAL(ct_mem_init(&set.mem, NULL), CTREE_OK);
    CHECK(ct_hash_key_init(&set.key, "known to the attacker", 21));
    ct_ids_init(&set.ids, CT_IDS_U64, UINT32_MAX);
    ct_index_init(&set.index, number_hashes, &set);
    const ct_hash_key known = set.key;
    if (ct_hash_u64(&known, number_with_hash(&known, 0x123456789ABCDEFu)) != 0x123456789ABCDEFu)
        skip(); /* not XXH3 */
    enum { HONEST = 3000, CHOSEN = 30000 };
    for (uint32_t i = 0; i < HONEST; i++) number_add(&set, i);
    assert_int_equal(set.keys, 0);
    for (uint32_t i = 0; i < CHOSEN; i++) number_add(&set, number_with_hash(&known, (uint64_t)0xABCDEF01 << 32 | i));
    assert_int_equal(set.keys, 1);
    assert_null(ct_index_check(&set.index));
    uint32_t compared = 0;
    for (uint32_t i = 0; i < HONEST; i++) assert_int_equal(number_find(&set, i, &compared), i);
    for (uint32_t i = 0; i < CHOSEN; i++) {
        uint64_t number = number_with_hash(&known, (uint64_t)0xABCDEF01 << 32 | i);
        assert_int_equal(number_find(&set, number, &compared), HONEST + i);
    }
    assert_true(compared < 2 * (HONEST + CHOSEN)); /* an equal tag now and then */
    assert_int_equal(number_find(&set, UINT64_MAX, NULL), UINT32_MAX);
    ct_index_destroy(&set.index, &set.mem);
    ct_ids_destroy(&set.ids, &set.mem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(honest_hashes_never_ask_for_a_new_key),
        cmocka_unit_test(chosen_hashes_are_noticed_before_they_hurt),
        cmocka_unit_test(numbers_chosen_against_a_known_key_are_found_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
