/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include "sequence/block.h"
#include "support/assertions.h"
#include "support/failing_allocator.h"
#include "support/random.h"

enum { MANY = 1000000 };

typedef struct world {
    failing_allocator memory;
    ctree_allocator allocator;
    ct_mem mem;
    ct_seq_pool pool;
    ct_seq rows;
} world;

/* With an allocator given, large arrays are in chunks; without one they are a range of address space. */
static void world_begin(world *w, bool chunks, uint32_t slots) {
    failing_allocator_init(&w->memory);
    w->allocator = failing_allocator_use(&w->memory);
    assert_int_equal(ct_mem_init(&w->mem, chunks ? &w->allocator : NULL), CTREE_OK);
    ct_seq_pool_init(&w->pool, &w->mem, CT_SEQ_DEPTHS);
    assert_int_equal(ct_seq_reserve_slots(&w->pool, slots), CTREE_OK);
    w->rows = CT_SEQ_EMPTY;
}

static void world_check(const world *w, const ct_seq *other) {
    ct_seq_census census = {0, 0, 0};
    const char *reason = "";
    assert_int_equal(ct_seq_check(&w->pool, &w->rows, &census, &reason), CTREE_OK);
    if (other != NULL) assert_int_equal(ct_seq_check(&w->pool, other, &census, &reason), CTREE_OK);
    assert_int_equal(ct_seq_pool_check(&w->pool, &census, &reason), CTREE_OK);
}

static void world_end(world *w) {
    ct_seq_destroy(&w->pool, &w->rows);
    world_check(w, NULL);
    ct_seq_pool_destroy(&w->pool);
    assert_int_equal(w->memory.bytes, 0);
}

/* Slots 0 to count, with depths that are a function of the slot. */
static void world_build(world *w, uint32_t count, uint32_t (*depth_of)(uint32_t slot)) {
    ct_seq_builder builder;
    ct_seq_build_begin(&builder, &w->pool, false);
    for (uint32_t slot = 0; slot < count; slot++) {
        uint32_t depth = depth_of(slot);
        ct_seq_rows row = {&slot, &depth, NULL, 1};
        assert_int_equal(ct_seq_build_add(&builder, row), CTREE_OK);
    }
    ct_seq_build_end(&builder, &w->rows);
}

static uint32_t chain(uint32_t slot) { return slot; }
static uint32_t flat(uint32_t slot) { return slot * 0; }
static uint32_t cliffs(uint32_t slot) { return slot % 2 == 0 ? 3 : MANY + 10 - slot; }

static void reserve_calls(world *w, uint32_t calls, uint64_t rows) {
    ct_seq_work work = {.inserts = rows, .pastes = calls, .cuts = calls};
    assert_int_equal(ct_seq_reserve(&w->pool, &work), CTREE_OK);
}

/* ---- Deep and wide ------------------------------------------------------------------------------------------- */

static void a_chain_of_a_million_levels(void **state) {
    (void)state;
    for (int chunks = 0; chunks < 2; chunks++) {
        world w;
        world_begin(&w, chunks != 0, MANY);
        world_build(&w, MANY, chain);
        world_check(&w, NULL);
        for (uint32_t slot = 0; slot < MANY; slot += 997) {
            assert_int_equal(ct_seq_rank(&w.pool, slot), slot);
            assert_int_equal(ct_seq_depth_of(&w.pool, &w.rows, slot), slot);
            assert_int_equal(ct_seq_extent(&w.pool, slot), MANY - slot);
            /* Close it, move it all a level down and up again, open it. */
            ct_seq below = CT_SEQ_EMPTY;
            reserve_calls(&w, 2, 0);
            ct_seq_cut(&w.pool, &w.rows, slot + 1, MANY - slot - 1, &below);
            assert_int_equal(w.rows.count, slot + 1);
            ct_seq_shift(&below, 1);
            assert_int_equal(ct_seq_depth_of(&w.pool, &below, MANY - 1), MANY);
            ct_seq_shift(&below, 0u - 1);
            ct_seq_insert_seq(&w.pool, &w.rows, slot + 1, &below);
        }
        world_check(&w, NULL);
        assert_int_equal(ct_seq_depth_of(&w.pool, &w.rows, MANY - 1), MANY - 1);
        world_end(&w);
    }
}

static void inserts_near_the_root_of_a_chain_span_more_levels_than_a_byte(void **state) {
    (void)state;
    world w;
    world_begin(&w, false, MANY + 1000);
    world_build(&w, MANY, chain);
    /* Each right behind the end of the chain below row 1: a million levels above its neighbour. */
    for (uint32_t i = 0; i < 1000; i++) {
        reserve_calls(&w, 1, 1);
        uint32_t at = 1 + ct_seq_extent(&w.pool, 1);
        ct_seq_insert(&w.pool, &w.rows, at, MANY + i, 1 + i % 2);
        assert_int_equal(ct_seq_extent(&w.pool, 0), MANY + 1 + i);
        if (i % 100 == 0) world_check(&w, NULL);
    }
    assert_true(w.pool.wides.used - w.pool.wides.free_count > 1);
    assert_int_equal(ct_seq_extent(&w.pool, MANY), 1);
    assert_int_equal(ct_seq_depth_of(&w.pool, &w.rows, MANY - 1), MANY - 1);
    reserve_calls(&w, 1, 0);
    ct_seq_remove_range(&w.pool, &w.rows, 2, ct_seq_extent(&w.pool, 1) - 1);
    world_check(&w, NULL);
    world_end(&w);
}

static void depths_that_jump_at_every_row(void **state) {
    (void)state;
    world w;
    world_begin(&w, true, MANY);
    world_build(&w, MANY, cliffs);
    world_check(&w, NULL);
    for (uint32_t slot = 1; slot < MANY; slot += 1009) {
        assert_int_equal(ct_seq_depth_of(&w.pool, &w.rows, slot), cliffs(slot));
        assert_int_equal(ct_seq_extent(&w.pool, slot), slot % 2 == 0 ? 2 : 1);
    }
    /* Without every second row no leaf needs words. */
    for (uint32_t at = 1; at < w.rows.count; at++) {
        reserve_calls(&w, 1, 0);
        ct_seq_remove(&w.pool, &w.rows, at);
    }
    assert_int_equal(w.rows.count, MANY / 2);
    world_check(&w, NULL);
    world_end(&w);
}

static void a_million_siblings_by_position(void **state) {
    (void)state;
    for (int chunks = 0; chunks < 2; chunks++) {
        world w;
        world_begin(&w, chunks != 0, 2 * MANY);
        world_build(&w, MANY, flat);
        for (uint32_t i = 0; i < 50000; i++) {
            reserve_calls(&w, 2, 1);
            uint32_t at = (uint32_t)((uint64_t)i * 7919 % w.rows.count);
            ct_seq_insert(&w.pool, &w.rows, at, MANY + i, 0);
            assert_int_equal(ct_seq_rank(&w.pool, MANY + i), at);
            assert_int_equal(ct_seq_extent(&w.pool, MANY + i), 1);
            if (i % 3 == 0) ct_seq_remove(&w.pool, &w.rows, w.rows.count - 1 - at);
        }
        world_check(&w, NULL);
        /* From both ends until nothing is left. */
        while (w.rows.count > 0) {
            reserve_calls(&w, 1, 0);
            ct_seq_remove(&w.pool, &w.rows, w.rows.count % 2 == 0 ? 0 : w.rows.count - 1);
            if (w.rows.count % 200000 == 0) world_check(&w, NULL);
        }
        world_end(&w);
    }
}

/* ---- Fill ---------------------------------------------------------------------------------------------------- */

static uint32_t rows_per_leaf(const world *w) {
    return w->rows.count / (w->pool.leaves.used - w->pool.leaves.free_count - 1);
}

static void appends_leave_full_leaves_behind(void **state) {
    (void)state;
    world w;
    world_begin(&w, false, 200000);
    for (uint32_t slot = 0; slot < 200000; slot++) {
        reserve_calls(&w, 1, 1);
        ct_seq_insert(&w.pool, &w.rows, slot, slot, 5);
    }
    world_check(&w, NULL);
    assert_true(rows_per_leaf(&w) >= CT_LEAF_FILL - 1);
    world_end(&w);
}

static void closing_and_opening_everything_keeps_leaves_filled_and_a_copy_fills_them_anew(void **state) {
    (void)state;
    world w, fresh;
    uint32_t count = 300000;
    world_begin(&w, false, count);
    world_build(&w, count, flat);
    random_source random = random_from_seed(random_seed_of_test("erosion", 3));
    for (uint32_t i = 0; i < 60000; i++) {
        ct_seq cut = CT_SEQ_EMPTY;
        uint32_t size = 2 + random_below(&random, i % 16 == 0 ? 20000 : 100);
        uint32_t at = random_below(&random, count - size);
        reserve_calls(&w, 2, 0);
        ct_seq_cut(&w.pool, &w.rows, at, size, &cut);
        ct_seq_insert_seq(&w.pool, &w.rows, at, &cut);
    }
    world_check(&w, NULL);
    assert_true(rows_per_leaf(&w) * 100 > CT_LEAF * 65);
    for (uint32_t slot = 0; slot < count; slot += 11) assert_int_equal(ct_seq_rank(&w.pool, slot), slot);

    world_begin(&fresh, false, count);
    ct_seq_set_owner(&w.pool, &w.rows, 77);
    assert_int_equal(ct_seq_copy(&fresh.pool, &w.pool, &w.rows, &fresh.rows), CTREE_OK);
    world_check(&fresh, NULL);
    assert_int_equal(ct_seq_owner_of(&fresh.pool, 12345), 77);
    assert_true(rows_per_leaf(&fresh) > CT_LEAF_FILL - 2);
    for (uint32_t slot = 0; slot < count; slot += 11) assert_int_equal(ct_seq_rank(&fresh.pool, slot), slot);
    world_end(&fresh);
    world_end(&w);
}

static void an_unused_pool_takes_no_memory_and_a_first_row_little(void **state) {
    (void)state;
    world w;
    failing_allocator_init(&w.memory);
    w.allocator = failing_allocator_use(&w.memory);
    assert_int_equal(ct_mem_init(&w.mem, &w.allocator), CTREE_OK);
    ct_seq_pool_init(&w.pool, &w.mem, CT_SEQ_DEPTHS | CT_SEQ_HEIGHTS);
    w.rows = CT_SEQ_EMPTY;
    assert_int_equal(w.memory.bytes, 0);
    assert_false(ct_seq_holds(&w.pool, 0));
    assert_int_equal(ct_seq_reserve_slots(&w.pool, 1), CTREE_OK);
    reserve_calls(&w, 1, 1);
    ct_seq_insert(&w.pool, &w.rows, 0, 0, 0);
    assert_true(w.memory.bytes < 32 * 1024);
    assert_int_equal(ct_seq_pool_bytes(&w.pool), w.memory.bytes);
    world_end(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_of_a_million_levels),
        cmocka_unit_test(inserts_near_the_root_of_a_chain_span_more_levels_than_a_byte),
        cmocka_unit_test(depths_that_jump_at_every_row),
        cmocka_unit_test(a_million_siblings_by_position),
        cmocka_unit_test(appends_leave_full_leaves_behind),
        cmocka_unit_test(closing_and_opening_everything_keeps_leaves_filled_and_a_copy_fills_them_anew),
        cmocka_unit_test(an_unused_pool_takes_no_memory_and_a_first_row_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
