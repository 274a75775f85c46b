/* The portable reading and writing of a line, which is otherwise only run where there is no SSE2. */
#define CT_LINE_PORTABLE 1

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "index/line.h"
#include "support/assertions.h"
#include "support/random.h"

typedef struct naive_line {
    uint8_t tags[CT_LINE_ENTRIES];
    uint32_t slots[CT_LINE_ENTRIES];
    bool displaced[CT_LINE_ENTRIES];
    uint32_t count;
} naive_line;

static void compare(const ct_line *line, const naive_line *naive, uint8_t tag) {
    uint32_t matches = 0, displaced = 0;
    for (uint32_t i = 0; i < naive->count; i++) {
        matches |= (uint32_t)(naive->tags[i] == tag) << i;
        displaced |= (uint32_t)naive->displaced[i] << i;
        CHECK_EQUAL(line->slots[i], naive->slots[i]);
    }
    CHECK_EQUAL(ct_line_count(line), naive->count);
    CHECK_EQUAL(ct_line_match(line, tag), matches);
    CHECK_EQUAL(ct_line_displaced(line), displaced);
    CHECK_EQUAL(line->overflow, 4711);
}

static void a_line_agrees_with_plain_arrays(void **state) {
    (void)state;
    random_source source = random_from_seed(random_seed_of_test("a_line_agrees_with_plain_arrays", 21));
    ct_line line = {.overflow = 4711};
    naive_line naive = {.count = 0};
    static const uint8_t few[] = {0, 1, 0x7F, 0x80, 0x81, 0xFF};
    for (uint32_t step = 0; step < 300000; step++) {
        uint8_t tag = (uint8_t)random_u64(&source);
        if (step / 1000 % 2 == 0) tag = few[random_below(&source, sizeof few)];
        if (random_chance(&source, 1, 2)) {
            if (naive.count < CT_LINE_ENTRIES) {
                uint32_t at = naive.count++;
                naive.tags[at] = tag;
                naive.slots[at] = (uint32_t)random_u64(&source);
                naive.displaced[at] = random_chance(&source, 1, 3);
                ct_line_add(&line, tag, naive.slots[at], naive.displaced[at]);
            }
        } else if (naive.count != 0) {
            uint32_t at = random_below(&source, naive.count), last = --naive.count;
            naive.tags[at] = naive.tags[last];
            naive.slots[at] = naive.slots[last];
            naive.displaced[at] = naive.displaced[last];
            ct_line_remove(&line, at);
        }
        compare(&line, &naive, tag);
    }
}

static void bits_are_counted_and_found(void **state) {
    (void)state;
    random_source source = random_from_seed(22);
    for (uint32_t i = 0; i < 100000; i++) {
        uint32_t bits = (uint32_t)(random_u64(&source) & random_u64(&source) & random_u64(&source)), count = 0,
                 lowest = 32;
        for (uint32_t bit = 0; bit < 32; bit++) {
            count += bits >> bit & 1;
            if ((bits >> bit & 1) != 0 && lowest == 32) lowest = bit;
        }
        assert_int_equal(ct_count_bits(bits), count);
        if (bits != 0) assert_int_equal(ct_lowest_bit(bits), lowest);
    }
    assert_int_equal(ct_count_bits(UINT32_MAX), 32);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_agrees_with_plain_arrays),
        cmocka_unit_test(bits_are_counted_and_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
