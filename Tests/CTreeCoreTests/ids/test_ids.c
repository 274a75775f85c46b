#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ids/id_pages.h"
#include "ids/ids.h"
#include "support/assertions.h"
#include "support/failing_allocator.h"
#include "support/random.h"

/* ---- The naive twin: a block for each identifier --------------------------------------------------------------- */

typedef struct ids_twin {
    failing_allocator memory;
    ct_mem mem;
    ct_ids ids;
    uint32_t slots, count;
    unsigned char **bytes; /* by slot; NULL for none */
    size_t *lengths;
    uint32_t *hashes;
} ids_twin;

static void twin_begin(ids_twin *twin, ct_ids_kind kind, uint32_t slots, bool failing) {
    *twin = (ids_twin){.slots = slots};
    failing_allocator_init(&twin->memory);
    ctree_allocator allocator = failing_allocator_use(&twin->memory);
    CHECK_EQUAL(ct_mem_init(&twin->mem, failing ? &allocator : NULL), CTREE_OK);
    ct_ids_init(&twin->ids, kind, slots);
    CHECK_EQUAL(ct_ids_measure(&twin->ids).held, 0);
    CHECK_EQUAL(ct_ids_reserve(&twin->ids, &twin->mem, slots), CTREE_OK);
    twin->bytes = must(calloc(slots, sizeof *twin->bytes));
    twin->lengths = must(calloc(slots, sizeof *twin->lengths));
    twin->hashes = must(calloc(slots, sizeof *twin->hashes));
}

static void twin_end(ids_twin *twin) {
    ct_ids_destroy(&twin->ids, &twin->mem);
    CHECK_EQUAL(ct_ids_measure(&twin->ids).held, 0);
    CHECK_EQUAL(twin->memory.blocks, 0);
    for (uint32_t slot = 0; slot < twin->slots; slot++) free(twin->bytes[slot]);
    free(twin->bytes);
    free(twin->lengths);
    free(twin->hashes);
}

static void twin_clear(ids_twin *twin, uint32_t slot) {
    uint64_t calls = twin->memory.calls;
    ct_ids_clear(&twin->ids, &twin->mem, slot);
    CHECK_EQUAL(twin->memory.calls, calls);
    free(twin->bytes[slot]);
    twin->count -= twin->bytes[slot] != NULL;
    twin->bytes[slot] = NULL;
    twin->hashes[slot] = 0;
}

static ctree_status twin_set(ids_twin *twin, uint32_t slot, const unsigned char *bytes, size_t length,
                             uint32_t hash) {
    ctree_status status = ct_ids_set(&twin->ids, &twin->mem, slot, ctree_id_bytes(bytes, length), hash);
    if (status != CTREE_OK) return status;
    unsigned char *copy = must(malloc(length + 1));
    if (length != 0) memcpy(copy, bytes, length);
    twin->count += twin->bytes[slot] == NULL;
    free(twin->bytes[slot]);
    twin->bytes[slot] = copy;
    twin->lengths[slot] = length;
    twin->hashes[slot] = hash;
    return CTREE_OK;
}

static void twin_compare_slot(const ids_twin *twin, uint32_t slot) {
    ctree_id id = ct_ids_get(&twin->ids, slot);
    CHECK(id.bytes != NULL);
    if (twin->bytes[slot] == NULL) {
        CHECK_EQUAL(id.word, 0);
        CHECK(!ct_ids_equal(&twin->ids, slot, ctree_id_bytes(NULL, 0)));
        return;
    }
    size_t length = twin->lengths[slot];
    unsigned char *own = twin->bytes[slot];
    CHECK_EQUAL(id.word, length);
    CHECK(length == 0 || memcmp(id.bytes, own, length) == 0);
    CHECK_EQUAL(ct_ids_hash(&twin->ids, slot), twin->hashes[slot]);
    CHECK(ct_ids_match(&twin->ids, slot, ctree_id_bytes(own, length), twin->hashes[slot]));
    CHECK(!ct_ids_match(&twin->ids, slot, ctree_id_bytes(own, length), ~twin->hashes[slot]));
    CHECK(!ct_ids_equal(&twin->ids, slot, ctree_id_bytes(own, length + 1)));
    if (length == 0) return;
    CHECK(!ct_ids_equal(&twin->ids, slot, ctree_id_bytes(own, length - 1)));
    size_t at = (slot * (size_t)7919) % length;
    own[at] ^= 1;
    CHECK(!ct_ids_equal(&twin->ids, slot, ctree_id_bytes(own, length)));
    own[at] ^= 1;
}

static void twin_compare(ids_twin *twin) {
    const char *reason;
    CHECK_EQUAL(ct_ids_check(&twin->ids, &twin->mem, &reason), CTREE_OK);
    for (uint32_t slot = 0; slot < twin->slots; slot++) twin_compare_slot(twin, slot);
    if (twin->mem.custom) CHECK_EQUAL(ct_ids_measure(&twin->ids).held, twin->memory.bytes);
}

/* ---- Identifiers as they come ---------------------------------------------------------------------------------- */

enum { LONGEST = 5000 };

static size_t any_length(random_source *source) {
    static const size_t edges[] = {0, 1, 2, 3, 4, 126, 127, 128, 129, 1021, 1022, 1023, 1024, 1025, 1026, LONGEST};
    switch (random_below(source, 8)) {
        case 0: return edges[random_below(source, sizeof edges / sizeof *edges)];
        case 1: return random_below(source, 300);
        case 2: return random_chance(source, 1, 6) ? random_below(source, LONGEST + 1) : 8;
        default: return random_below(source, 40);
    }
}

static void any_bytes(random_source *source, unsigned char *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) bytes[i] = (unsigned char)random_u64(source);
}

static void run_program(uint64_t seed, uint32_t slots, uint32_t steps, bool failing) {
    static unsigned char bytes[LONGEST];
    random_source source = random_from_seed(seed);
    static char text[120];
    snprintf(text, sizeof text, "seed %" PRIu64 ", %u slots", seed, slots);
    check_context(text);
    ids_twin twin;
    twin_begin(&twin, CT_IDS_BYTES, slots, failing);
    uint32_t rising = 60;
    for (uint32_t step = 0; step < steps; step++) {
        if (random_chance(&source, 1, 3000)) rising = 15 + random_below(&source, 71);
        uint32_t slot = random_below(&source, slots);
        if (random_chance(&source, rising, 100)) {
            size_t length = any_length(&source);
            any_bytes(&source, bytes, length);
            CHECK_EQUAL(twin_set(&twin, slot, bytes, length, (uint32_t)random_u64(&source)), CTREE_OK);
        } else {
            twin_clear(&twin, slot);
        }
        if (random_chance(&source, 1, 20) && twin.bytes[slot] != NULL) {
            twin.hashes[slot] = (uint32_t)random_u64(&source);
            ct_ids_set_hash(&twin.ids, slot, twin.hashes[slot]);
        }
        if (random_chance(&source, 1, 2)) ct_ids_reclaim(&twin.ids, &twin.mem);
        ct_ids_prefetch(&twin.ids, slot);
        ct_ids_prefetch_bytes(&twin.ids, slot);
        twin_compare_slot(&twin, random_below(&source, slots));
        if (random_chance(&source, 1, twin.count <= 64 ? 8 : 2 * twin.count)) twin_compare(&twin);
    }
    twin_compare(&twin);
    for (uint32_t slot = 0; slot < slots; slot++) twin_clear(&twin, slot);
    twin_compare(&twin);
    CHECK_EQUAL(ct_ids_measure(&twin.ids).live, 0);
    CHECK_EQUAL(ct_ids_measure(&twin.ids).dead, 0);
    twin_end(&twin);
}

static void agrees_with_plain_blocks_in_random_programs(void **state) {
    (void)state;
    uint64_t seed = random_seed_of_test("agrees_with_plain_blocks_in_random_programs", 51);
    for (uint32_t run = 0; run < random_runs(); run++, seed++) {
        run_program(seed, 20, 20000, true);
        run_program(seed, 600, 60000, true);
        run_program(seed, 20000, 200000, run % 2 == 0);
    }
}

static void numbers_are_kept_inline(void **state) {
    (void)state;
    ids_twin twin;
    twin_begin(&twin, CT_IDS_U64, 5000, true);
    uint64_t calls = twin.memory.calls;
    for (uint32_t slot = 0; slot < 5000; slot++) {
        uint64_t number = slot * 0x9E3779B97F4A7C15u;
        assert_int_equal(ct_ids_set(&twin.ids, &twin.mem, slot, ctree_id_u64(number), 1), CTREE_OK);
        assert_int_equal(ct_ids_get(&twin.ids, slot).word, number);
        assert_true(ct_ids_match(&twin.ids, slot, ctree_id_u64(number), 2));
        assert_false(ct_ids_equal(&twin.ids, slot, ctree_id_u64(number + 1)));
    }
    ct_ids_clear(&twin.ids, &twin.mem, 7);
    assert_int_equal(ct_ids_get(&twin.ids, 7).word, 0);
    ct_ids_reclaim(&twin.ids, &twin.mem);
    assert_int_equal(ct_ids_reserve_bytes(&twin.ids, &twin.mem, 5000, 40000), CTREE_OK);
    assert_int_equal(twin.memory.calls, calls);
    const char *reason;
    assert_int_equal(ct_ids_check(&twin.ids, &twin.mem, &reason), CTREE_OK);
    ct_ids_destroy(&twin.ids, &twin.mem);
    twin_end(&twin);
}

static void an_identifier_of_24_bytes_takes_36(void **state) {
    (void)state;
    enum { COUNT = 1000000 };
    ids_twin twin;
    twin_begin(&twin, CT_IDS_BYTES, COUNT, false);
    for (uint32_t slot = 0; slot < COUNT; slot++) {
        char name[25];
        snprintf(name, sizeof name, "an identifier %010u", slot);
        assert_int_equal(ct_ids_set(&twin.ids, &twin.mem, slot, ctree_id_bytes(name, 24), slot), CTREE_OK);
    }
    ct_ids_figures figures = ct_ids_measure(&twin.ids);
    assert_int_equal(figures.live, 28 * (uint64_t)COUNT);
    assert_int_equal(figures.dead, 0);
    /* 1 page in 512 is lost to ends that are too short, and each of the three arrays grows in steps of 1 MiB. */
    assert_true(figures.held <= 36 * (uint64_t)COUNT + 28 * (uint64_t)COUNT / 400 + 3 * CT_ARRAY_SMALL);
    twin_end(&twin);
}

static void identifiers_over_the_limit_are_refused(void **state) {
    (void)state;
#if SIZE_MAX > UINT32_MAX
    ids_twin twin;
    twin_begin(&twin, CT_IDS_BYTES, 3, true);
    /* The byte behind the pointer is never read: the length alone says no. */
    ctree_id id = {"x", (uint64_t)UINT32_MAX + 1};
    assert_int_equal(ct_ids_set(&twin.ids, &twin.mem, 0, id, 0), CTREE_LIMIT);
    twin.memory.limit = 1 << 20;
    id.word = UINT32_MAX; /* allowed, but there is not so much memory */
    assert_int_equal(ct_ids_set(&twin.ids, &twin.mem, 0, id, 0), CTREE_NO_MEMORY);
    assert_int_equal(ct_ids_reserve(&twin.ids, &twin.mem, 4), CTREE_LIMIT);
    twin_compare(&twin);
    twin_end(&twin);
#endif
}

/* ---- Failing memory -------------------------------------------------------------------------------------------- */

static void every_allocation_may_fail(void **state) {
    (void)state;
    static unsigned char bytes[LONGEST];
    random_source source = random_from_seed(random_seed_of_test("every_allocation_may_fail", 52));
    ids_twin twin;
    twin_begin(&twin, CT_IDS_BYTES, 3000, true);
    uint32_t failures = 0;
    for (uint32_t step = 0; step < 12000; step++) {
        uint32_t slot = random_below(&source, twin.slots);
        size_t length = any_length(&source);
        any_bytes(&source, bytes, length);
        for (uint64_t n = 1;; n++) {
            ct_ids_figures before = ct_ids_measure(&twin.ids);
            failing_allocator_arm(&twin.memory, n, n % 2 == 0);
            ctree_status status = twin_set(&twin, slot, bytes, length, slot);
            bool failed = failing_allocator_disarm(&twin.memory);
            assert_int_equal(status, failed ? CTREE_NO_MEMORY : CTREE_OK);
            if (!failed) break;
            assert_int_equal(ct_ids_measure(&twin.ids).live, before.live);
            twin_compare_slot(&twin, slot);
            if (++failures % 16 == 0) twin_compare(&twin);
        }
        if (step % 3 == 0) twin_clear(&twin, random_below(&source, twin.slots));
        failing_allocator_arm(&twin.memory, 1 + step % 2, step % 4 < 2);
        ct_ids_reclaim(&twin.ids, &twin.mem);
        failing_allocator_disarm(&twin.memory);
        if (step % 1024 == 0) twin_compare(&twin);
    }
    assert_true(failures > 50);
    twin_compare(&twin);
    const char *reason;
    failing_allocator_arm(&twin.memory, 1, true);
    assert_int_equal(ct_ids_check(&twin.ids, &twin.mem, &reason), CTREE_NO_MEMORY);
    assert_int_equal(ct_ids_reserve_bytes(&twin.ids, &twin.mem, 1000000, 24000000), CTREE_NO_MEMORY);
    assert_true(failing_allocator_disarm(&twin.memory));
    twin_compare(&twin);
    assert_int_equal(ct_ids_reserve_bytes(&twin.ids, &twin.mem, 1000000, 24000000), CTREE_OK);
    uint64_t calls = twin.memory.calls;
    for (uint32_t slot = 0; slot < 3000; slot++) assert_int_equal(twin_set(&twin, slot, bytes, 24, slot), CTREE_OK);
    assert_int_equal(twin.memory.calls, calls);
    twin_compare(&twin);
    twin_end(&twin);
}

static void the_check_finds_each_kind_of_damage(void **state) {
    (void)state;
    static unsigned char bytes[LONGEST];
    ids_twin twin;
    twin_begin(&twin, CT_IDS_BYTES, 1200, true);
    for (uint32_t slot = 0; slot < 1000; slot++) {
        memcpy(bytes, &slot, sizeof slot);
        assert_int_equal(twin_set(&twin, slot, bytes, slot % 100 == 99 ? 2000 : 24, slot), CTREE_OK);
    }
    for (uint32_t slot = 0; slot < 300; slot++) twin_clear(&twin, slot); /* whole pages */
    twin_compare(&twin);
    assert_int_not_equal(twin.ids.free_page, 0);
    assert_int_not_equal(twin.ids.free_block, 0);
    const char *reason;
    ct_ids_entry *entry = ct_array_at(&twin.ids.slots, 500, sizeof *entry);
    ct_ids_page_info *info = ct_ids_page_at(&twin.ids, (entry->reference - 1) / CT_IDS_PAGE_UNITS);
    unsigned char *at = (unsigned char *)(uintptr_t)ct_ids_inline_at(&twin.ids, entry->reference);
    const ct_ids ids = twin.ids;
    const ct_ids_entry saved_entry = *entry;
    const ct_ids_page_info saved_info = *info;
#define DAMAGES(change)                                                               \
    do {                                                                              \
        change;                                                                       \
        assert_int_equal(ct_ids_check(&twin.ids, &twin.mem, &reason), CTREE_CORRUPT); \
        assert_non_null(reason);                                                      \
        twin.ids = ids;                                                               \
        *entry = saved_entry;                                                         \
        *info = saved_info;                                                           \
        *at = 24;                                                                     \
        assert_int_equal(ct_ids_check(&twin.ids, &twin.mem, &reason), CTREE_OK);      \
    } while (0)
    DAMAGES(entry->reference = 0);
    DAMAGES(entry->reference++);
    DAMAGES(entry->reference = ct_ids_entry_at(&twin.ids, 501)->reference);
    DAMAGES(entry->reference = 0x7FFFFFFF);
    DAMAGES(entry->reference = CT_IDS_OWN_BLOCK);
    DAMAGES(entry->reference = CT_IDS_OWN_BLOCK | 9);
    DAMAGES(entry->reference = CT_IDS_OWN_BLOCK | 12345);
    DAMAGES(*at = 40);
    DAMAGES(*at = 10);
    DAMAGES(info->live++);
    DAMAGES(info->marks++);
    DAMAGES(twin.ids.live_units--);
    DAMAGES(twin.ids.used_units++);
    DAMAGES(twin.ids.block_bytes++);
    DAMAGES(twin.ids.free_page = 0);
    DAMAGES(twin.ids.free_page = twin.ids.open_page);
    DAMAGES(twin.ids.free_block = 0);
    DAMAGES(twin.ids.free_block = 9);
    DAMAGES(twin.ids.slot_end = 500);
#undef DAMAGES
    twin_end(&twin);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_plain_blocks_in_random_programs),
        cmocka_unit_test(numbers_are_kept_inline),
        cmocka_unit_test(an_identifier_of_24_bytes_takes_36),
        cmocka_unit_test(identifiers_over_the_limit_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(the_check_finds_each_kind_of_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
