/* What reclaiming promises: at most a quarter dead, in steps whose work follows what died. */
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

typedef struct reclaim_test {
    failing_allocator memory;
    ct_mem mem;
    ct_ids ids;
    uint32_t slots;
    uint32_t *serials; /* by slot: what its identifier was made from, 0 for none */
    uint32_t last_serial, living;
    uint64_t most_visits; /* of slots, in one step */
} reclaim_test;

enum { MOST_LENGTH = 60 };

/* An identifier of 20 to 60 bytes that its serial number gives. */
static size_t make_name(uint32_t serial, char *bytes) {
    size_t length = 20 + serial % 41;
    for (size_t i = 0; i < length; i++) bytes[i] = (char)(serial >> (i % 4 * 8));
    return length;
}

static void begin(reclaim_test *test, uint32_t slots) {
    *test = (reclaim_test){.slots = slots};
    failing_allocator_init(&test->memory);
    ctree_allocator allocator = failing_allocator_use(&test->memory);
    CHECK_EQUAL(ct_mem_init(&test->mem, &allocator), CTREE_OK);
    ct_ids_init(&test->ids, CT_IDS_BYTES, slots);
    CHECK_EQUAL(ct_ids_reserve(&test->ids, &test->mem, slots), CTREE_OK);
    test->serials = must(calloc(slots, sizeof *test->serials));
}

static void finish(reclaim_test *test) {
    ct_ids_destroy(&test->ids, &test->mem);
    CHECK_EQUAL(test->memory.blocks, 0);
    free(test->serials);
}

static void set(reclaim_test *test, uint32_t slot) {
    char bytes[MOST_LENGTH];
    uint32_t serial = ++test->last_serial;
    size_t length = make_name(serial, bytes);
    CHECK_EQUAL(ct_ids_set(&test->ids, &test->mem, slot, ctree_id_bytes(bytes, length), serial), CTREE_OK);
    test->living += test->serials[slot] == 0;
    test->serials[slot] = serial;
}

static void clear(reclaim_test *test, uint32_t slot) {
    ct_ids_clear(&test->ids, &test->mem, slot);
    test->living -= test->serials[slot] != 0;
    test->serials[slot] = 0;
}

static void check_names(const reclaim_test *test) {
    const char *reason;
    CHECK_EQUAL(ct_ids_check(&test->ids, &test->mem, &reason), CTREE_OK);
    for (uint32_t slot = 0; slot < test->slots; slot++) {
        char bytes[MOST_LENGTH];
        uint32_t serial = test->serials[slot];
        if (serial == 0) {
            CHECK_EQUAL(ct_ids_entry_at(&test->ids, slot)->reference, 0);
        } else {
            CHECK(ct_ids_match(&test->ids, slot, ctree_id_bytes(bytes, make_name(serial, bytes)), serial));
        }
    }
}

/* A step, and what must be true after each: at most a quarter dead, or thrice the floors that ids.h names. */
static void step(reclaim_test *test) {
    uint32_t from = test->ids.cursor;
    bool ran = test->ids.allowance != 0;
    ct_ids_reclaim(&test->ids, &test->mem);
    uint32_t to = test->ids.cursor;
    bool runs = test->ids.allowance != 0;
    uint64_t visits = 0;
    if (ran && to >= from) visits = to - from;
    if (ran && to < from) visits = (uint64_t)to + test->ids.slot_end - from;
    if (!ran && runs) visits = to;
    if (visits > test->most_visits) test->most_visits = visits;
    ct_ids_figures figures = ct_ids_measure(&test->ids);
    uint64_t floor = 16384, by_slots = (uint64_t)test->slots / 32;
    if (floor < by_slots) floor = by_slots;
    uint64_t most = (figures.live + figures.dead) / 4;
    CHECK(figures.dead <= most || figures.dead <= floor * 3);
}

static void at_most_a_quarter_is_dead_whatever_the_order(void **state) {
    (void)state;
    enum { SLOTS = 30000, CHANGES = 400000 };
    random_source source = random_from_seed(random_seed_of_test("at_most_a_quarter_is_dead_whatever_the_order", 61));
    for (int order = 0; order < 4; order++) {
        reclaim_test test;
        begin(&test, SLOTS);
        for (uint32_t slot = 0; slot < SLOTS; slot++) set(&test, slot);
        for (uint32_t i = 0; i < CHANGES; i++) {
            uint32_t slot = random_below(&source, SLOTS);
            if (order == 1) slot = i % SLOTS;                                               /* oldest first */
            if (order == 2) slot = random_below(&source, 1 + random_below(&source, SLOTS)); /* some far oftener */
            if (order == 3) slot = i * 7919 % SLOTS; /* spread, each once a round */
            clear(&test, slot);
            step(&test);
            set(&test, slot);
        }
        check_names(&test);
        assert_true(test.most_visits <= 400);
        /* Room for a quarter dead, the ends of pages, and the slots. */
        ct_ids_figures figures = ct_ids_measure(&test.ids);
        assert_true(figures.held <= figures.live * 3 / 2 + 8 * (uint64_t)SLOTS + 2 * CT_ARRAY_SMALL);
        finish(&test);
    }
}

static void a_store_that_shrinks_stays_compact(void **state) {
    (void)state;
    enum { SLOTS = 60000 };
    random_source source = random_from_seed(random_seed_of_test("a_store_that_shrinks_stays_compact", 62));
    for (int whole = 0; whole < 2; whole++) {
        reclaim_test test;
        begin(&test, SLOTS);
        for (uint32_t slot = 0; slot < SLOTS; slot++) set(&test, slot);
        for (uint32_t left = SLOTS; left > 100; left -= left / 10) {
            /* A tenth goes at random, one by one or in one edit. */
            for (uint32_t goal = left - left / 10; test.living > goal;) {
                uint32_t slot = random_below(&source, SLOTS);
                if (test.serials[slot] == 0) continue;
                clear(&test, slot);
                if (whole == 0) step(&test);
            }
            step(&test);
        }
        check_names(&test);
        /* Few identifiers in many slots: more to visit for each that dies, but never without bound. */
        if (whole == 0) assert_true(test.most_visits <= 1000);
        for (uint32_t slot = 0; slot < SLOTS; slot++) clear(&test, slot);
        step(&test);
        assert_int_equal(ct_ids_measure(&test.ids).dead, 0);
        check_names(&test);
        finish(&test);
    }
}

/* The same folders opened and dropped for days. */
static void loading_and_dropping_does_not_grow(void **state) {
    (void)state;
    enum { SLOTS = 20000, FOLDER = 200, ROUNDS = 20000 };
    random_source source = random_from_seed(random_seed_of_test("loading_and_dropping_does_not_grow", 63));
    reclaim_test test;
    begin(&test, SLOTS);
    uint64_t most_early = 0, most_late = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t first = random_below(&source, SLOTS / FOLDER) * FOLDER;
        bool drops = test.serials[first] != 0;
        for (uint32_t slot = first; slot < first + FOLDER; slot++) {
            if (drops) {
                clear(&test, slot);
            } else {
                set(&test, slot);
            }
        }
        step(&test);
        uint64_t held = ct_ids_measure(&test.ids).held;
        uint64_t *most = round < ROUNDS / 10 ? &most_early : &most_late;
        if (held > *most) *most = held;
    }
    assert_true(most_late <= most_early);
    check_names(&test);
    finish(&test);
}

/* A sweep that is stopped by a lack of memory goes on later, and loses nothing. */
static void a_sweep_without_memory_waits(void **state) {
    (void)state;
    enum { SLOTS = 30000 };
    random_source source = random_from_seed(random_seed_of_test("a_sweep_without_memory_waits", 64));
    reclaim_test test;
    begin(&test, SLOTS);
    for (uint32_t slot = 0; slot < SLOTS; slot++) set(&test, slot);
    failing_allocator_arm(&test.memory, 1, true);
    for (uint32_t i = 0; i < SLOTS / 2; i++) {
        clear(&test, random_below(&source, SLOTS));
        ct_ids_reclaim(&test.ids, &test.mem);
    }
    failing_allocator_disarm(&test.memory);
    check_names(&test);
    for (uint32_t i = 0; i < SLOTS / 10; i++) {
        clear(&test, random_below(&source, SLOTS));
        ct_ids_reclaim(&test.ids, &test.mem);
    }
    step(&test);
    check_names(&test);
    finish(&test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_most_a_quarter_is_dead_whatever_the_order),
        cmocka_unit_test(a_store_that_shrinks_stays_compact),
        cmocka_unit_test(loading_and_dropping_does_not_grow),
        cmocka_unit_test(a_sweep_without_memory_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
