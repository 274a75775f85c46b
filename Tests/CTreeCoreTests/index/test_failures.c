/* The index without memory, and with one invariant broken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "index_twin.h"

static void begin_with(index_twin *twin, uint32_t slots, uint32_t count, uint64_t seed) {
    random_source source = random_from_seed(seed);
    twin_begin(twin, slots, true);
    for (uint32_t slot = 0; slot < slots; slot++) twin->hashes[slot] = (uint32_t)random_u64(&source);
    for (uint32_t slot = 0; slot < count; slot++) twin_insert(twin, slot);
}

/* At each size up to the first splits, each allocation of a prepare fails, alone and with all after it. */
static void every_allocation_of_an_insert_may_fail(void **state) {
    (void)state;
    uint32_t failures = 0;
    for (uint32_t onwards = 0; onwards < 2; onwards++) {
        index_twin twin;
        begin_with(&twin, 12000, 0, 31);
        for (uint32_t slot = 0; slot < twin.slots; slot++) {
            for (uint64_t n = 1;; n++) {
                failing_allocator_arm(&twin.memory, n, onwards != 0);
                ctree_status status = ct_index_prepare(&twin.index, &twin.mem, twin.hashes[slot]);
                if (!failing_allocator_disarm(&twin.memory)) break;
                assert_int_equal(status, CTREE_NO_MEMORY);
                assert_int_equal(twin.index.count, slot);
                twin_compare(&twin);
                failures++;
            }
            twin_insert(&twin, slot);
        }
        twin_compare(&twin);
        assert_int_equal(twin.memory.bytes, ct_index_bytes(&twin.index));
        twin_end(&twin);
    }
    assert_true(failures > 40);
}

static void every_allocation_of_a_spill_may_fail(void **state) {
    (void)state;
    index_twin twin;
    begin_with(&twin, 7000, 0, 32);
    for (uint32_t slot = 0; slot < twin.slots; slot++) {
        twin.hashes[slot] = 99;
        failing_allocator_arm(&twin.memory, 1, true);
        ctree_status status = ct_index_prepare(&twin.index, &twin.mem, 99);
        if (failing_allocator_disarm(&twin.memory)) assert_int_equal(status, CTREE_NO_MEMORY);
        twin_insert(&twin, slot);
    }
    assert_true(twin.index.spill_count > 0);
    twin_compare(&twin);
    twin_end(&twin);
}

/* Making room for many and keying anew: all or nothing. */
static void every_allocation_of_a_rebuild_may_fail(void **state) {
    (void)state;
    static const uint32_t sizes[] = {1, 10, 200, 5000, 20000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        index_twin twin;
        begin_with(&twin, 40000, sizes[i], 33);
        uint32_t *old = must(malloc(twin.slots * sizeof *old)), *next = must(malloc(twin.slots * sizeof *next));
        memcpy(old, twin.hashes, twin.slots * sizeof *old);
        for (uint32_t slot = 0; slot < twin.slots; slot++) next[slot] = old[slot] * 2654435761u ^ 0x55AA55AA;
        for (uint64_t n = 1;; n++) {
            memcpy(twin.hashes, next, twin.slots * sizeof *next);
            twin.index.needs_rekey = true;
            failing_allocator_arm(&twin.memory, n, n % 2 == 0);
            ctree_status status = ct_index_rebuild(&twin.index, &twin.mem);
            assert_false(twin.index.needs_rekey);
            if (!failing_allocator_disarm(&twin.memory)) {
                assert_int_equal(status, CTREE_OK);
                break;
            }
            assert_int_equal(status, CTREE_NO_MEMORY);
            assert_true(twin.index.quiet > twin.count / 2);
            memcpy(twin.hashes, old, twin.slots * sizeof *old);
            twin_compare(&twin);
            assert_int_equal(twin.memory.bytes, ct_index_bytes(&twin.index));
        }
        assert_int_equal(twin.index.quiet, 0);
        twin_compare(&twin);
        for (uint64_t n = 1;; n++) {
            failing_allocator_arm(&twin.memory, n, n % 2 == 0);
            ctree_status status = ct_index_reserve(&twin.index, &twin.mem, 300000);
            if (!failing_allocator_disarm(&twin.memory)) break;
            assert_int_equal(status, CTREE_NO_MEMORY);
            twin_compare(&twin);
            assert_int_equal(twin.memory.bytes, ct_index_bytes(&twin.index));
        }
        twin_compare(&twin);
        free(old);
        free(next);
        twin_end(&twin);
    }
}

/* A check that finds nothing proves nothing: each kind of damage must be found. */
static void the_check_finds_each_kind_of_damage(void **state) {
    (void)state;
    index_twin twin;
    begin_with(&twin, 30000, 29000, 34);
    assert_true(twin.index.directory_bits >= 2);
    assert_null(ct_index_check(&twin.index));
    ct_line *line = ct_index_lines(&twin.index, 1);
    while (line->overflow == 0) line++;
    const ct_line saved = *line;
#define DAMAGES(change)                               \
    do {                                              \
        change;                                       \
        assert_non_null(ct_index_check(&twin.index)); \
        *line = saved;                                \
        assert_null(ct_index_check(&twin.index));     \
    } while (0)
    DAMAGES(line->overflow++);
    DAMAGES(line->overflow--);
    DAMAGES(line->tags[3] ^= 1);
    DAMAGES(line->slots[3] = line->slots[4]);
    DAMAGES(line->state--);
    DAMAGES(line->state ^= 16);
    DAMAGES(ct_line_remove(line, 2));
    DAMAGES(line->state = (uint16_t)(line->state | 15));
#undef DAMAGES
    uint32_t word = twin.index.directory[0];
    twin.index.directory[0] = twin.index.directory[(1u << twin.index.directory_bits) - 1];
    assert_non_null(ct_index_check(&twin.index));
    twin.index.directory[0] = word + 1;
    assert_non_null(ct_index_check(&twin.index));
    twin.index.directory[0] = word;
    twin.index.segment_counts[1]++;
    assert_non_null(ct_index_check(&twin.index));
    twin.index.segment_counts[1]--;
    twin.index.count++;
    assert_non_null(ct_index_check(&twin.index));
    twin.index.count--;
    uint32_t hash = twin.hashes[77];
    twin.hashes[77] ^= 0x80000000u;
    assert_non_null(ct_index_check(&twin.index));
    twin.hashes[77] = hash;
    assert_null(ct_index_check(&twin.index));
    twin_end(&twin);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_of_an_insert_may_fail),
        cmocka_unit_test(every_allocation_of_a_spill_may_fail),
        cmocka_unit_test(every_allocation_of_a_rebuild_may_fail),
        cmocka_unit_test(the_check_finds_each_kind_of_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
