#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "index_twin.h"

static uint32_t any_hash(random_source *source) { return (uint32_t)random_u64(source); }

static void takes_no_memory_before_the_first_entry(void **state) {
    (void)state;
    index_twin twin;
    twin_begin(&twin, 1, true);
    assert_int_equal(ct_index_bytes(&twin.index), 0);
    assert_int_equal(twin_probe(&twin, 77, 0, NULL), 0);
    assert_false(ct_index_erase(&twin.index, 77, 0));
    assert_null(ct_index_check(&twin.index));
    assert_int_equal(ct_index_reserve(&twin.index, &twin.mem, 0), CTREE_OK);
    assert_int_equal(ct_index_rebuild(&twin.index, &twin.mem), CTREE_OK);
    ct_index_prefetch(&twin.index, 77);
    assert_int_equal(twin.memory.calls, 0);
    twin_insert(&twin, 0);
    assert_true(ct_index_bytes(&twin.index) <= 256);
    assert_int_equal(ct_index_bytes(&twin.index), twin.memory.bytes);
    twin_end(&twin);
}

/* Inserts, erases and look-ups at random, through every size from nothing to several segments and back. `bits` are
   the bits of the hashes that vary: few of them make lines run over, wrap around and fill whole segments. */
static void run_program(const char *name, uint64_t seed, uint32_t slots, uint32_t bits, uint32_t steps,
                        bool failing) {
    random_source source = random_from_seed(seed);
    static char text[120];
    snprintf(text, sizeof text, "%s: seed %" PRIu64 ", bits %08" PRIx32, name, seed, bits);
    check_context(text);
    index_twin twin;
    twin_begin(&twin, slots, failing);
    for (uint32_t slot = 0; slot < slots; slot++) twin.hashes[slot] = any_hash(&source) & bits;
    uint32_t rising = 70;
    for (uint32_t step = 0; step < steps; step++) {
        if (random_chance(&source, 1, 5000)) rising = 10 + random_below(&source, 81);
        uint32_t slot = random_below(&source, slots);
        bool wants = random_chance(&source, rising, 100);
        if (wants && !twin.entered[slot]) {
            if (random_chance(&source, 1, 2)) twin.hashes[slot] = any_hash(&source) & bits;
            twin_insert(&twin, slot);
        } else if (!wants) {
            twin_erase(&twin, slot);
        } else {
            CHECK_EQUAL(twin_probe(&twin, twin.hashes[slot], slot, NULL), 1);
        }
        if (random_chance(&source, 1, twin.count <= 64 ? 4 : 4 * twin.count)) twin_compare(&twin);
        if (random_chance(&source, 1, 40000)) {
            CHECK_EQUAL(ct_index_rebuild(&twin.index, &twin.mem), CTREE_OK);
            twin_compare(&twin);
        }
    }
    twin_compare(&twin);
    for (uint32_t slot = 0; slot < slots; slot++) twin_erase(&twin, slot);
    twin_compare(&twin);
    twin_end(&twin);
}

static void agrees_with_plain_arrays_in_random_programs(void **state) {
    (void)state;
    uint64_t seed = random_seed_of_test("agrees_with_plain_arrays_in_random_programs", 11);
    for (uint32_t run = 0; run < random_runs(); run++, seed++) {
        run_program("small", seed, 40, UINT32_MAX, 30000, true);
        run_program("medium", seed, 3000, UINT32_MAX, 100000, true);
        run_program("large", seed, 60000, UINT32_MAX, 300000, run % 2 == 0);
    }
}

/* Chosen hashes without a new key: slow, but right, also where a segment is full and splitting does not help. */
static void agrees_with_plain_arrays_where_hashes_are_alike(void **state) {
    (void)state;
    uint64_t seed = random_seed_of_test("agrees_with_plain_arrays_where_hashes_are_alike", 12);
    static const uint32_t bits[] = {0, 0x80000000u, 0xC00000FFu, 0x000000FFu, 0x00000300u, 0xFF800000u, 0x003FFF00u};
    for (uint32_t run = 0; run < random_runs(); run++, seed++) {
        for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
            run_program("alike, small", seed, 60, bits[i], 6000, true);
            run_program("alike, medium", seed, 1500, bits[i], 12000, true);
            run_program("alike, large", seed, 9000, bits[i], 24000, true);
        }
    }
}

static void spill_and_gather_in(uint32_t high_bits) {
    index_twin twin;
    twin_begin(&twin, 8000, true);
    for (uint32_t slot = 0; slot < 8000; slot++) {
        twin.hashes[slot] = high_bits | (5 + (slot % 3 << 8));
        twin_insert(&twin, slot);
    }
    assert_true(twin.index.needs_rekey);
    assert_int_equal(twin.index.segment_count, 1); /* no split would help */
    assert_int_equal(twin.index.spill_count, 8000 - CT_SEGMENT_LINES * CT_LINE_ENTRIES);
    assert_true(twin.asked <= 16 * CT_SEGMENT_LINES * CT_LINE_ENTRIES); /* nor is one tried at each insert */
    twin_compare(&twin);
    for (uint32_t line = 0; line < CT_SEGMENT_LINES; line++) twin_probe(&twin, line << 23 | 5, 0, NULL); /* it ends */
    for (uint32_t slot = 0; slot < 8000; slot += 3) twin_erase(&twin, slot);
    twin_compare(&twin);
    random_source source = random_from_seed(1);
    for (uint32_t slot = 0; slot < 8000; slot++) twin.hashes[slot] = any_hash(&source);
    assert_int_equal(ct_index_rebuild(&twin.index, &twin.mem), CTREE_OK);
    assert_int_equal(twin.index.spill_count, 0);
    assert_false(twin.index.needs_rekey);
    twin_compare(&twin);
    twin_end(&twin);
}

static void a_full_segment_spills_and_a_new_key_gathers_it_in(void **state) {
    (void)state;
    spill_and_gather_in(0);
    spill_and_gather_in(0xFFFF0000u);
}

/* The hashes that one prepare asks for are its work: one segment's, whatever the size of the index. */
static void no_insert_waits_for_more_than_one_segment(void **state) {
    (void)state;
    enum { SLOTS = 700000 };
    random_source source = random_from_seed(random_seed_of_test("no_insert_waits_for_more_than_one_segment", 3));
    index_twin twin;
    twin_begin(&twin, SLOTS, false);
    uint64_t most = 0, total = 0;
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        twin.hashes[slot] = any_hash(&source);
        twin.asked = 0;
        twin_insert(&twin, slot);
        if (twin.asked > most) most = twin.asked;
        total += twin.asked;
    }
    assert_true(most <= CT_SEGMENT_LINES * CT_LINE_ENTRIES);
    assert_true(total <= 3 * (uint64_t)SLOTS);
    assert_false(twin.index.needs_rekey);
    size_t bytes = ct_index_bytes(&twin.index);
    assert_true(bytes >= 5 * (size_t)SLOTS && bytes <= 14 * (size_t)SLOTS);
    twin_compare(&twin);
    twin_end(&twin);
}

/* A miss reads little more than one line: what an index without tombstones keeps also after much has come and
   gone. */
static void look_ups_stay_short_after_much_has_come_and_gone(void **state) {
    (void)state;
    enum { ENTRIES = 5110, CHANGES = 400000, MISSES = 20000 };
    random_source source =
        random_from_seed(random_seed_of_test("look_ups_stay_short_after_much_has_come_and_gone", 4));
    index_twin twin;
    twin_begin(&twin, ENTRIES, true);
    for (uint32_t slot = 0; slot < ENTRIES; slot++) {
        twin.hashes[slot] = any_hash(&source);
        twin_insert(&twin, slot);
    }
    assert_int_equal(twin.index.segment_count, 1); /* as full as a segment can be */
    for (uint32_t i = 0; i < CHANGES; i++) {
        uint32_t slot = random_below(&source, ENTRIES);
        twin_erase(&twin, slot);
        twin.hashes[slot] = any_hash(&source);
        twin_insert(&twin, slot);
    }
    assert_false(twin.index.needs_rekey);
    assert_int_equal(twin.index.segment_count, 1);
    twin_compare(&twin);
    uint64_t lines = 0;
    for (uint32_t i = 0; i < MISSES; i++) {
        ct_index_probe probe = ct_index_find(&twin.index, any_hash(&source));
        uint32_t slot, home = probe.line;
        while (ct_index_next(&probe, &slot)) {
        }
        lines += 1 + ((probe.line - home) & ct_index_mask(&twin.index));
    }
    assert_true(lines <= MISSES * 3);
    twin_end(&twin);
}

static void room_in_one_go_spares_the_splits(void **state) {
    (void)state;
    enum { SLOTS = 50000 };
    random_source source = random_from_seed(random_seed_of_test("room_in_one_go_spares_the_splits", 5));
    for (uint32_t before = 0; before <= 3000; before += 1000) {
        index_twin twin;
        twin_begin(&twin, SLOTS, before % 2000 == 0);
        for (uint32_t slot = 0; slot < SLOTS; slot++) twin.hashes[slot] = any_hash(&source);
        for (uint32_t slot = 0; slot < before; slot++) twin_insert(&twin, slot);
        assert_int_equal(ct_index_reserve(&twin.index, &twin.mem, SLOTS), CTREE_OK);
        twin_compare(&twin);
        twin.asked = 0;
        for (uint32_t slot = before; slot < SLOTS; slot++) twin_insert(&twin, slot);
        assert_true(twin.asked <= 2 * 5120); /* a segment may run over by chance, not all of them */
        assert_false(twin.index.needs_rekey);
        twin_compare(&twin);
        size_t bytes = ct_index_bytes(&twin.index);
        assert_int_equal(ct_index_reserve(&twin.index, &twin.mem, SLOTS), CTREE_OK);
        assert_int_equal(ct_index_bytes(&twin.index), bytes);
        ct_index_clear(&twin.index, &twin.mem);
        assert_int_equal(ct_index_bytes(&twin.index), 0);
        twin.count = 0;
        memset(twin.entered, 0, SLOTS);
        twin_compare(&twin);
        twin_insert(&twin, 3);
        twin_compare(&twin);
        twin_end(&twin);
    }
}

/* 9.6 entries a line: no more, or memory is wasted, no less, or many segments split at once. */
static void room_in_one_go_is_as_large_as_needed(void **state) {
    (void)state;
    for (uint32_t bits = 0; bits < 15; bits++) {
        uint32_t lines = (uint32_t)1 << bits, fits = lines * 48 / 5;
        index_twin twin;
        twin_begin(&twin, 1, true);
        assert_int_equal(ct_index_reserve(&twin.index, &twin.mem, fits), CTREE_OK);
        assert_int_equal(twin.index.segment_count << twin.index.line_bits, lines);
        ct_index_clear(&twin.index, &twin.mem);
        assert_int_equal(ct_index_reserve(&twin.index, &twin.mem, fits + 1), CTREE_OK);
        assert_int_equal(twin.index.segment_count << twin.index.line_bits, 2 * lines);
        twin_end(&twin);
    }
}

static void erasing_what_is_not_there_changes_nothing(void **state) {
    (void)state;
    random_source source = random_from_seed(6);
    index_twin twin;
    twin_begin(&twin, 20000, true);
    for (uint32_t slot = 0; slot < 20000; slot++) {
        twin.hashes[slot] = any_hash(&source);
        if (slot % 2 == 0) twin_insert(&twin, slot);
    }
    for (uint32_t slot = 1; slot < 20000; slot += 2) {
        assert_false(ct_index_erase(&twin.index, twin.hashes[slot], slot));
        assert_false(ct_index_erase(&twin.index, twin.hashes[slot - 1], slot));
        assert_false(ct_index_erase(&twin.index, ~twin.hashes[slot - 1], slot - 1));
    }
    twin_compare(&twin);
    twin_end(&twin);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_no_memory_before_the_first_entry),
        cmocka_unit_test(agrees_with_plain_arrays_in_random_programs),
        cmocka_unit_test(agrees_with_plain_arrays_where_hashes_are_alike),
        cmocka_unit_test(a_full_segment_spills_and_a_new_key_gathers_it_in),
        cmocka_unit_test(no_insert_waits_for_more_than_one_segment),
        cmocka_unit_test(look_ups_stay_short_after_much_has_come_and_gone),
        cmocka_unit_test(room_in_one_go_spares_the_splits),
        cmocka_unit_test(room_in_one_go_is_as_large_as_needed),
        cmocka_unit_test(erasing_what_is_not_there_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
