/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include "sequence/program.h"
#include "support/failing_allocator.h"

/* A pool with a few sequences in it, some of whose arrays are about to be chunked. */
static void begin(program *p, failing_allocator *memory, ctree_allocator *allocator, ct_mem *mem, uint32_t parts) {
    failing_allocator_init(memory);
    *allocator = failing_allocator_use(memory);
    assert_int_equal(ct_mem_init(mem, allocator), CTREE_OK);
    program_begin(p, mem, parts, 400000, 100000, 9);
    p->most = 100000;
    for (uint32_t i = 0; i < 120; i++) program_step(p);
    program_check(p, true);
}

static void a_reservation_that_fails_leaves_all_as_it_was(void **state) {
    (void)state;
    program p;
    failing_allocator memory;
    ctree_allocator allocator;
    ct_mem mem;
    begin(&p, &memory, &allocator, &mem, CT_SEQ_DEPTHS | CT_SEQ_HEIGHTS);
    uint32_t failures = 0;
    ct_seq_work work = {.inserts = 100, .runs = 20, .run_rows = 300000, .pastes = 10, .cuts = 10, .deep = true};
    for (uint64_t n = 1;; n++) {
        failing_allocator_arm(&memory, n, false);
        ctree_status status = ct_seq_reserve(&p.pool, &work);
        if (!failing_allocator_disarm(&memory)) break;
        failures++;
        assert_int_equal(status, CTREE_NO_MEMORY);
        if (n < 12) program_check(&p, true);
    }
    assert_true(failures > 3);
    for (uint64_t n = 1;; n++) {
        failing_allocator_arm(&memory, n, false);
        ctree_status status = ct_seq_reserve_slots(&p.pool, 800000);
        if (!failing_allocator_disarm(&memory)) break;
        assert_int_equal(status, CTREE_NO_MEMORY);
    }
    program_check(&p, true);
    program_end(&p);
    assert_int_equal(memory.bytes, 0);
}

static void edits_after_a_reservation_take_no_memory(void **state) {
    (void)state;
    program p;
    failing_allocator memory;
    ctree_allocator allocator;
    ct_mem mem;
    begin(&p, &memory, &allocator, &mem, CT_SEQ_DEPTHS | CT_SEQ_HEIGHTS);
    for (uint32_t round = 0; round < 200; round++) {
        /* Room for ten edits at once; then memory is gone. What the steps reserve themselves is within that. */
        ct_seq_work work = {.inserts = 1, .runs = 1, .run_rows = 200000, .pastes = 10, .cuts = 10, .deep = true};
        assert_int_equal(ct_seq_reserve(&p.pool, &work), CTREE_OK);
        uint64_t calls = memory.calls;
        p.most = 15000;
        for (uint32_t i = 0; i < PROGRAM_SEQS; i++) {
            uint32_t count = p.list[i].count, size = count / 2;
            ct_seq cut = CT_SEQ_EMPTY;
            if (count == 0) continue;
            ct_seq_cut(&p.pool, &p.seq[i], count - size, size, &cut);
            ct_seq_insert_seq(&p.pool, &p.seq[i], count - size, &cut);
        }
        assert_int_equal(memory.calls, calls);
        program_step(&p);
    }
    program_check(&p, true);
    program_end(&p);
    assert_int_equal(memory.bytes, 0);
}

/* Behind the last row, before the first, in the middle, and at random. */
static void many_single_inserts_stay_within_one_reservation(void **state) {
    (void)state;
    for (uint32_t how = 0; how < 4; how++) {
        failing_allocator memory;
        failing_allocator_init(&memory);
        ctree_allocator allocator = failing_allocator_use(&memory);
        ct_mem mem;
        ct_seq_pool pool;
        ct_seq seq = CT_SEQ_EMPTY;
        assert_int_equal(ct_mem_init(&mem, &allocator), CTREE_OK);
        ct_seq_pool_init(&pool, &mem, CT_SEQ_DEPTHS);
        assert_int_equal(ct_seq_reserve_slots(&pool, 100000), CTREE_OK);
        random_source random = random_from_seed(how);
        uint32_t slot = 0;
        for (uint32_t round = 0; round < 40; round++) {
            uint32_t rows = round < 10 ? 1 + round * 7 : 2000;
            assert_int_equal(ct_seq_reserve_rows(&pool, 0, 0, rows), CTREE_OK);
            uint64_t calls = memory.calls;
            for (uint32_t end = slot + rows; slot < end; slot++) {
                uint32_t at = how == 0 ? seq.count : how == 1 ? 0 : how == 2 ? seq.count / 2 : 0;
                if (how == 3) at = random_below(&random, seq.count + 1);
                ct_seq_insert(&pool, &seq, at, slot, random_below(&random, 5) * 100);
            }
            assert_int_equal(memory.calls, calls);
            assert_true(pool.leaves.used <= pool.leaf_slots.capacity);
            assert_true(pool.inners.used <= pool.inner_rows.capacity);
            assert_true(pool.wides.used <= pool.wide_depths.capacity);
        }
        const char *reason = "";
        assert_int_equal(ct_seq_check(&pool, &seq, NULL, &reason), CTREE_OK);
        ct_seq_pool_destroy(&pool);
        assert_int_equal(memory.bytes, 0);
    }
}

static uint32_t wides_in_use(const ct_seq_pool *pool) { return pool->wides.used - 1 - pool->wides.free_count; }

/* Two leaves, of little depth and of much, that shrink until one would do, which would have to be wide. */
static void a_removal_makes_no_leaf_wide(void **state) {
    (void)state;
    ct_mem mem;
    ct_seq_pool pool;
    ct_seq seq;
    uint32_t slots[2 * CT_LEAF_FILL + 1], depths[2 * CT_LEAF_FILL + 1];
    const char *reason = "";
    assert_int_equal(ct_mem_init(&mem, NULL), CTREE_OK);
    ct_seq_pool_init(&pool, &mem, CT_SEQ_DEPTHS);
    assert_int_equal(ct_seq_reserve_slots(&pool, 2 * CT_LEAF_FILL + 1), CTREE_OK);
    for (uint32_t i = 0; i <= 2 * CT_LEAF_FILL; i++) {
        slots[i] = i;
        depths[i] = i < CT_LEAF_FILL ? 0 : 1000;
    }
    ct_seq_rows rows = {slots, depths, NULL, 2 * CT_LEAF_FILL};
    assert_int_equal(ct_seq_build(&pool, rows, &seq), CTREE_OK);
    ct_seq_remove_range(&pool, &seq, 10, 2 * CT_LEAF_FILL - 20);
    assert_int_equal(pool.leaves.used - 1 - pool.leaves.free_count, 2);
    assert_int_equal(wides_in_use(&pool), 0);
    /* Once one of them is wide, it takes in the other, whichever has more rows. */
    assert_int_equal(ct_seq_reserve(&pool, &(ct_seq_work){.inserts = 1}), CTREE_OK);
    ct_seq_insert(&pool, &seq, 2, slots[2 * CT_LEAF_FILL], 500);
    assert_int_equal(wides_in_use(&pool), 1);
    ct_seq_remove(&pool, &seq, 19);
    assert_int_equal(pool.leaves.used - 1 - pool.leaves.free_count, 1);
    assert_int_equal(wides_in_use(&pool), 1);
    for (uint32_t i = 0; i < 20; i++) {
        uint32_t slot = ct_seq_at(&pool, &seq, i), depth = i == 2 ? 500 : i < 11 ? 0 : 1000;
        assert_int_equal(ct_seq_depth_of(&pool, &seq, slot), depth);
    }
    assert_int_equal(ct_seq_check(&pool, &seq, NULL, &reason), CTREE_OK);
    /* Cut apart, both have bytes again. */
    ct_seq deep = CT_SEQ_EMPTY;
    ct_seq_remove(&pool, &seq, 2);
    assert_int_equal(ct_seq_reserve(&pool, &(ct_seq_work){.pastes = 1}), CTREE_OK);
    ct_seq_split(&pool, &seq, 10, &deep);
    assert_int_equal(wides_in_use(&pool), 0);
    assert_int_equal(ct_seq_check(&pool, &seq, NULL, &reason), CTREE_OK);
    assert_int_equal(ct_seq_check(&pool, &deep, NULL, &reason), CTREE_OK);
    ct_seq_pool_destroy(&pool);
}

static void more_blocks_than_reserved_are_noticed(void **state) {
    (void)state;
    ct_mem mem;
    ct_seq_pool pool;
    ct_seq seq;
    uint32_t slots[2 * CT_LEAF_FILL];
    const char *reason = "";
    assert_int_equal(ct_mem_init(&mem, NULL), CTREE_OK);
    ct_seq_pool_init(&pool, &mem, 0);
    assert_int_equal(ct_seq_reserve_slots(&pool, 2 * CT_LEAF_FILL), CTREE_OK);
    for (uint32_t i = 0; i < 2 * CT_LEAF_FILL; i++) slots[i] = i;
    assert_int_equal(ct_seq_build(&pool, (ct_seq_rows){slots, NULL, NULL, 2 * CT_LEAF_FILL}, &seq), CTREE_OK);
    ct_seq_work two = {.cuts = 2};
    assert_int_equal(ct_seq_reserve(&pool, &two), CTREE_OK);
    assert_int_equal(ct_seq_reserve(&pool, &(ct_seq_work){.inserts = 1}), CTREE_OK);
    ct_seq cut = CT_SEQ_EMPTY;
    ct_seq_cut(&pool, &seq, CT_LEAF_FILL / 2, CT_LEAF_FILL, &cut); /* memory for it is there */
    ct_seq_census census = {0, 0, 0};
    assert_int_equal(ct_seq_check(&pool, &seq, &census, &reason), CTREE_OK);
    assert_int_equal(ct_seq_check(&pool, &cut, &census, &reason), CTREE_OK);
    assert_int_equal(ct_seq_pool_check(&pool, &census, &reason), CTREE_CORRUPT);
    ct_seq_pool_destroy(&pool);
}

static void a_build_that_fails_leaves_its_slots_nowhere(void **state) {
    (void)state;
    failing_allocator memory;
    failing_allocator_init(&memory);
    ctree_allocator allocator = failing_allocator_use(&memory);
    ct_mem mem;
    ct_seq_pool pool;
    ct_seq built = {0, 99, 0, 0};
    uint32_t count = 300000, failures = 0;
    assert_int_equal(ct_mem_init(&mem, &allocator), CTREE_OK);
    ct_seq_pool_init(&pool, &mem, CT_SEQ_DEPTHS | CT_SEQ_HEIGHTS);
    assert_int_equal(ct_seq_reserve_slots(&pool, count), CTREE_OK);
    uint32_t *slots = must(calloc(count, sizeof *slots));
    ct_seq_rows rows = {slots, slots, NULL, count};
    for (uint32_t i = 0; i < count; i++) slots[i] = count - 1 - i;
    for (uint64_t n = 1;; n++) {
        ct_seq_census none = {0, 0, 0};
        const char *reason = "";
        failing_allocator_arm(&memory, n, false);
        ctree_status status = ct_seq_build(&pool, rows, &built);
        if (!failing_allocator_disarm(&memory)) break;
        failures++;
        assert_int_equal(status, CTREE_NO_MEMORY);
        assert_int_equal(built.count, 99);
        assert_int_equal(ct_seq_pool_check(&pool, &none, &reason), CTREE_OK);
        for (uint32_t i = 0; i < count; i++) assert_false(ct_seq_holds(&pool, i));
    }
    assert_true(failures > 10);

    ct_seq_pool other;
    ct_seq copy = {0, 99, 0, 0};
    ct_seq_pool_init(&other, &mem, CT_SEQ_DEPTHS | CT_SEQ_HEIGHTS);
    assert_int_equal(ct_seq_reserve_slots(&other, count), CTREE_OK);
    for (uint64_t n = 1;; n++) {
        failing_allocator_arm(&memory, n, true);
        ctree_status status = ct_seq_copy(&other, &pool, &built, &copy);
        if (!failing_allocator_disarm(&memory)) break;
        assert_int_equal(status, CTREE_NO_MEMORY);
        assert_int_equal(copy.count, 99);
    }
    assert_int_equal(copy.count, count);
    for (uint32_t i = 0; i < count; i += 101) assert_int_equal(ct_seq_at(&other, &copy, i), slots[i]);
    ct_seq_pool_destroy(&other);
    ct_seq_pool_destroy(&pool);
    free(slots);
    assert_int_equal(memory.bytes, 0);
}

static void programs_run_with_an_allocator_of_the_callers(void **state) {
    (void)state;
    failing_allocator memory;
    failing_allocator_init(&memory);
    ctree_allocator allocator = failing_allocator_use(&memory);
    program_run(CT_SEQ_DEPTHS | CT_SEQ_HEIGHTS, 400000, 5000, 150, random_seed_of_test("chunks", 5), &allocator);
    assert_int_equal(memory.bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reservation_that_fails_leaves_all_as_it_was),
        cmocka_unit_test(edits_after_a_reservation_take_no_memory),
        cmocka_unit_test(many_single_inserts_stay_within_one_reservation),
        cmocka_unit_test(a_removal_makes_no_leaf_wide),
        cmocka_unit_test(more_blocks_than_reserved_are_noticed),
        cmocka_unit_test(a_build_that_fails_leaves_its_slots_nowhere),
        cmocka_unit_test(programs_run_with_an_allocator_of_the_callers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
