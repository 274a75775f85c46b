#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "arena/array.h"
#include "support/failing_allocator.h"

#if defined(__unix__) || defined(__APPLE__)
#include <sys/resource.h>
#include <unistd.h>
#endif

enum { SIZES = 13 }; /* item sizes 1, 2, 4 … 4,096 */

static uint32_t pattern(uint64_t index) { return (uint32_t)(index * 2654435761u) ^ (uint32_t)(index >> 7); }

/* The form that an array has now. */
typedef enum form { EMPTY, SMALL, RESERVED, CHUNKED } form;

static form form_of(const ct_array *array) {
    if (array->reserved != 0) return RESERVED;
    if (array->base != NULL) return SMALL;
    return array->chunk_count != 0 ? CHUNKED : EMPTY;
}

/* Grows an array of words step by step, writes each item once and sees that nothing else ever changes. */
static void grow_and_compare(ct_array *array, const ct_mem *mem, uint64_t most, form last_form) {
    uint64_t count = 0;
    while (count < most) {
        uint64_t next = count + count / 3 + 1;
        if (next > most) next = most;
        assert_int_equal(ct_array_reserve(array, mem, next), CTREE_OK);
        assert_true(array->capacity >= next);
        for (uint64_t i = count; i < next; i++) {
            assert_int_equal(ct_array_get_u32(array, i), 0);
            ct_array_set_u32(array, i, pattern(i));
        }
        assert_true(array->capacity - 1 < array->limit || ct_array_get_u32(array, next) == 0);
        count = next;
    }
    assert_int_equal(form_of(array), last_form);
    for (uint64_t i = 0; i < count; i++) assert_int_equal(ct_array_get_u32(array, i), pattern(i));
    for (uint64_t i = 0; i < count;) {
        uint64_t run = ct_array_run(array, i);
        if (run > count - i) run = count - i;
        const unsigned char *start = ct_array_at(array, i, 4);
        for (uint64_t j = 0; j < run; j += 97) assert_ptr_equal(ct_array_at(array, i + j, 4), start + 4 * j);
        i += run;
    }
}

static void takes_no_memory_before_the_first_item(void **state) {
    (void)state;
    ct_array array;
    ct_array_init(&array, 16, 1000);
    assert_int_equal(ct_array_bytes(&array), 0);
    failing_allocator memory;
    failing_allocator_init(&memory);
    ctree_allocator allocator = failing_allocator_use(&memory);
    ct_mem mem;
    assert_int_equal(ct_mem_init(&mem, &allocator), CTREE_OK);
    ct_array_destroy(&array, &mem);
    assert_int_equal(memory.calls, 0);
}

static void grows_from_small_to_a_reserved_range(void **state) {
    (void)state;
    ct_mem mem;
    assert_int_equal(ct_mem_init(&mem, NULL), CTREE_OK);
    ct_array array;
    ct_array_init(&array, 4, (uint64_t)1 << 32);
    grow_and_compare(&array, &mem, CT_ARRAY_SMALL / 4, SMALL);
    ct_array_destroy(&array, &mem);
#if defined(__linux__) && SIZE_MAX > UINT32_MAX
    grow_and_compare(&array, &mem, 3 * CT_ARRAY_SMALL, RESERVED);
    const unsigned char *base = array.base;
    assert_int_equal(array.huge, 0);
    assert_int_equal(ct_array_reserve(&array, &mem, CT_ARRAY_HUGE), CTREE_OK);
    assert_ptr_equal(array.base, base);                   /* it never moves again */
    assert_true(array.huge >= (size_t)4 * CT_ARRAY_HUGE); /* much at once: all of it */
    assert_true(ct_array_bytes(&array) <= (size_t)4 * CT_ARRAY_HUGE + CT_ARRAY_SMALL);
    size_t before = array.huge;
    for (uint64_t count = CT_ARRAY_HUGE; count < 2 * CT_ARRAY_HUGE; count += 1000) {
        assert_int_equal(ct_array_reserve(&array, &mem, count), CTREE_OK);
        assert_true(array.huge <= before || array.huge <= 4 * count); /* bit by bit: nothing that is not full */
    }
    assert_true(array.huge > before);
    ct_array_destroy(&array, &mem);
#endif
    assert_int_equal(form_of(&array), EMPTY);
}

static void grows_in_chunks_with_a_given_allocator(void **state) {
    (void)state;
    failing_allocator memory;
    failing_allocator_init(&memory);
    ctree_allocator allocator = failing_allocator_use(&memory);
    ct_mem mem;
    assert_int_equal(ct_mem_init(&mem, &allocator), CTREE_OK);
    ct_array array;
    ct_array_init(&array, 4, (uint64_t)1 << 32);
    grow_and_compare(&array, &mem, 2 * CT_ARRAY_SMALL, CHUNKED);
    assert_int_equal(memory.bytes, ct_array_bytes(&array));
    const void *third = ct_array_at(&array, CT_ARRAY_SMALL / 2, 4);
    assert_int_equal(ct_array_reserve(&array, &mem, 4 * CT_ARRAY_SMALL), CTREE_OK);
    assert_ptr_equal(ct_array_at(&array, CT_ARRAY_SMALL / 2, 4), third); /* chunks never move */
    ct_array_destroy(&array, &mem);
    assert_int_equal(memory.blocks, 0);
}

static void grows_in_chunks_where_address_space_is_short(void **state) {
    (void)state;
#if defined(__linux__)
    /* The limit counts what is mapped already, which is terabytes under a sanitizer. */
    FILE *statm = fopen("/proc/self/statm", "r");
    if (statm == NULL) skip();
    unsigned long long pages = 0;
    assert_int_equal(fscanf(statm, "%llu", &pages), 1);
    fclose(statm);
    struct rlimit before, low;
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    low = before;
    low.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)256 << 20);
    if (before.rlim_max != RLIM_INFINITY && low.rlim_cur > before.rlim_max) skip();
    assert_int_equal(setrlimit(RLIMIT_AS, &low), 0);
    ct_mem mem;
    assert_int_equal(ct_mem_init(&mem, NULL), CTREE_OK);
    ct_array array;
    ct_array_init(&array, 4, (uint64_t)1 << 32);
    grow_and_compare(&array, &mem, 2 * CT_ARRAY_SMALL, CHUNKED);
    ct_array_destroy(&array, &mem);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
#else
    skip();
#endif
}

static void every_item_size_keeps_its_items_apart(void **state) {
    (void)state;
    failing_allocator memory;
    failing_allocator_init(&memory);
    ctree_allocator allocator = failing_allocator_use(&memory);
    ct_mem mems[2];
    assert_int_equal(ct_mem_init(&mems[0], NULL), CTREE_OK);
    assert_int_equal(ct_mem_init(&mems[1], &allocator), CTREE_OK);
    for (int m = 0; m < 2; m++) {
        for (uint32_t bits = 0; bits < SIZES; bits++) {
            uint32_t size = (uint32_t)1 << bits;
            uint64_t count = 3 * (uint64_t)CT_ARRAY_SMALL / size + 5;
            ct_array array;
            ct_array_init(&array, size, count + 3);
            assert_int_equal(ct_array_reserve(&array, &mems[m], 1), CTREE_OK);
            *(unsigned char *)ct_array_at(&array, 0, size) = 77;
            assert_int_equal(ct_array_reserve(&array, &mems[m], count), CTREE_OK);
            uint64_t step = count / 257 + 1;
            for (uint64_t i = 1; i < count; i += step) memset(ct_array_at(&array, i, size), (int)(i % 251), size);
            memset(ct_array_at(&array, count - 1, size), 9, size);
            assert_int_equal(*(unsigned char *)ct_array_at(&array, 0, size), 77);
            for (uint64_t i = 1; i < count - 1; i += step) {
                const unsigned char *item = ct_array_at(&array, i, size);
                assert_int_equal(item[0], i % 251);
                assert_int_equal(item[size - 1], i % 251);
            }
            assert_int_equal(*(unsigned char *)ct_array_at(&array, count - 1, size), 9);
            ct_array_destroy(&array, &mems[m]);
        }
    }
    assert_int_equal(memory.blocks, 0);
}

static void keeps_to_its_limit_in_every_form(void **state) {
    (void)state;
    failing_allocator memory;
    failing_allocator_init(&memory);
    ctree_allocator allocator = failing_allocator_use(&memory);
    ct_mem mems[2];
    assert_int_equal(ct_mem_init(&mems[0], NULL), CTREE_OK);
    assert_int_equal(ct_mem_init(&mems[1], &allocator), CTREE_OK);
    static const uint64_t limits[] = {1, 3, 17, CT_ARRAY_SMALL / 8, CT_ARRAY_SMALL / 8 + 1, CT_ARRAY_SMALL};
    for (int m = 0; m < 2; m++) {
        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
            ct_array array;
            ct_array_init(&array, 8, limits[i]);
            assert_int_equal(ct_array_reserve(&array, &mems[m], limits[i] + 1), CTREE_LIMIT);
            assert_int_equal(array.capacity, 0);
            assert_int_equal(ct_array_reserve(&array, &mems[m], limits[i]), CTREE_OK);
            assert_int_equal(ct_array_reserve(&array, &mems[m], limits[i] + 1), CTREE_LIMIT);
            assert_int_equal(ct_array_reserve(&array, &mems[m], UINT64_MAX), CTREE_LIMIT);
            ct_array_set_u64(&array, limits[i] - 1, 12345);
            assert_int_equal(ct_array_get_u64(&array, limits[i] - 1), 12345);
            ct_array_destroy(&array, &mems[m]);
        }
    }
    assert_int_equal(memory.blocks, 0);
}

/* Grows from `had` items to `want` with the n-th allocation failing, then once more. Whether one failed. */
static bool fail_once(uint64_t had, uint64_t want, uint64_t n, bool onwards) {
    failing_allocator memory;
    failing_allocator_init(&memory);
    ctree_allocator allocator = failing_allocator_use(&memory);
    ct_mem mem;
    assert_int_equal(ct_mem_init(&mem, &allocator), CTREE_OK);
    ct_array array;
    ct_array_init(&array, 8, 1 << 30);
    assert_int_equal(ct_array_reserve(&array, &mem, had), CTREE_OK);
    for (uint64_t i = 0; i < had; i++) ct_array_set_u64(&array, i, pattern(i));
    failing_allocator_arm(&memory, n, onwards);
    ctree_status status = ct_array_reserve(&array, &mem, want);
    bool failed = failing_allocator_disarm(&memory);
    assert_int_equal(status, failed ? CTREE_NO_MEMORY : CTREE_OK);
    assert_true(!failed || array.capacity < want);
    assert_int_equal(memory.bytes, ct_array_bytes(&array));
    for (uint64_t i = 0; i < had; i += 13) assert_int_equal(ct_array_get_u64(&array, i), pattern(i));
    assert_int_equal(ct_array_reserve(&array, &mem, want), CTREE_OK);
    for (uint64_t i = 0; i < want; i += 7) assert_int_equal(ct_array_get_u64(&array, i), i < had ? pattern(i) : 0);
    ct_array_destroy(&array, &mem);
    assert_int_equal(memory.blocks, 0);
    return failed;
}

static void a_failed_growth_loses_nothing_and_can_be_repeated(void **state) {
    (void)state;
    enum { PER_CHUNK = CT_ARRAY_SMALL / 8 };
    static const uint64_t sizes[] = {
        0, 1, 9, 1000, PER_CHUNK - 1, PER_CHUNK, PER_CHUNK + 1, 3 * PER_CHUNK, 3 * PER_CHUNK + 1, 20 * PER_CHUNK,
    };
    enum { COUNT = sizeof sizes / sizeof *sizes };
    uint64_t failures = 0;
    for (int from = 0; from < COUNT - 1; from++) {
        for (int to = from + 1; to < COUNT; to++) {
            for (int onwards = 0; onwards < 2; onwards++) {
                uint64_t n = 1;
                while (fail_once(sizes[from], sizes[to], n, onwards != 0)) n++;
                failures += n - 1;
            }
        }
    }
    assert_true(failures > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_no_memory_before_the_first_item),
        cmocka_unit_test(grows_from_small_to_a_reserved_range),
        cmocka_unit_test(grows_in_chunks_with_a_given_allocator),
        cmocka_unit_test(grows_in_chunks_where_address_space_is_short),
        cmocka_unit_test(every_item_size_keeps_its_items_apart),
        cmocka_unit_test(keeps_to_its_limit_in_every_form),
        cmocka_unit_test(a_failed_growth_loses_nothing_and_can_be_repeated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
