/* What a diff refuses, and how it ends when memory runs out or the caller has enough. */
#include "ctree/diff.h"
#include "support/assertions.h"
#include "support/diff_pair.h"
#include "support/failing_allocator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { ALL = CTREE_DIFF_BATCH | CTREE_DIFF_SECTIONS | CTREE_DIFF_SPLICES | CTREE_DIFF_STEPS };

/* ---- Memory ---------------------------------------------------------------------------------------------------- */

static void every_allocation_may_fail_once(void **state) {
    (void)state;
    uint64_t seed = random_seed_of_test("every allocation may fail once", 11);
    uint32_t tried = 0;
    for (uint64_t i = 0; i < 300 * (uint64_t)random_runs(); i++) {
        random_source source = random_from_seed(seed + i);
        pair_taste taste = {random_chance(&source, 2, 3), random_chance(&source, 1, 2),
                            random_chance(&source, 1, 4) ? 150 : 12, 8};
        diff_pair pair = diff_pair_random(&source, taste);
        ctree_diff_list olds = pair_list(&pair, &pair.before), news = pair_list(&pair, &pair.after);
        failing_allocator memory;
        failing_allocator_init(&memory);
        ctree_allocator allocator = failing_allocator_use(&memory);
        ctree_diff_options options = CTREE_DIFF_OPTIONS_INIT;
        options.keys = pair.kind;
        options.forms = taste.sections ? ALL : ALL & ~CTREE_DIFF_SECTIONS;
        options.allocator = &allocator;
        for (uint64_t n = 1;; n++, tried++) {
            ctree_diff *diff = NULL;
            failing_allocator_arm(&memory, n, false);
            ctree_status status = ctree_diff_create(&olds, &news, &options, NULL, &diff);
            if (!failing_allocator_disarm(&memory)) {
                assert_int_equal(status, CTREE_OK);
                diff_pair_check_flat(&pair, diff);
                if (taste.sections) diff_pair_check_sections(&pair, diff, false);
                ctree_diff_destroy(diff);
                break;
            }
            assert_int_equal(status, CTREE_NO_MEMORY);
            assert_null(diff);
            assert_int_equal(memory.blocks, 0);
        }
        assert_int_equal(memory.blocks, 0);
        assert_int_equal(memory.bytes, 0);
        pair_list_free(&olds);
        pair_list_free(&news);
        diff_pair_free(&pair);
    }
    assert_true(tried > 1000);
}

/* ---- Progress -------------------------------------------------------------------------------------------------- */

typedef struct asking {
    uint64_t calls, last, total, stop_at;
    bool fell;
} asking;

static bool keep_going(void *context, uint64_t done, uint64_t total) {
    asking *a = context;
    if (done < a->last || done > total || (a->total != 0 && total != a->total)) a->fell = true;
    a->last = done;
    a->total = total;
    return ++a->calls != a->stop_at;
}

/* How the second of two large lists differs from the first. */
typedef enum shape { SHUFFLED_IN_BLOCKS, ONE_IN_THE_MIDDLE, SHAPES } shape;

/* Two lists of a kind, large enough to be asked about, in sections of 64 rows. */
typedef struct large {
    uint32_t kind, count;
    uint64_t *olds, *news, *revisions;
    uint32_t *section_rows;
    ctree_id *old_ids, *new_ids;
    ctree_diff_list before, after;
} large;

static void large_make(large *l, uint32_t kind, shape as, uint32_t count) {
    l->kind = kind;
    l->count = count;
    l->olds = must(malloc(count * sizeof *l->olds));
    l->news = must(malloc(count * sizeof *l->news));
    l->revisions = must(calloc(count, sizeof *l->revisions));
    l->old_ids = must(malloc(count * sizeof *l->old_ids));
    l->new_ids = must(malloc(count * sizeof *l->new_ids));
    for (uint32_t i = 0; i < count; i++) l->olds[i] = (uint64_t)1 << 32 | i;
    for (uint32_t i = 0; i < count; i++) l->news[i] = l->olds[as == SHUFFLED_IN_BLOCKS ? i ^ 7 : i];
    if (as == ONE_IN_THE_MIDDLE) l->news[count / 2] = (uint64_t)1 << 32 | count;
    l->section_rows = must(malloc(count * sizeof *l->section_rows));
    for (uint32_t i = 0; i < count; i++) l->section_rows[i] = 64;
    for (uint32_t i = 0; i < count; i++) {
        l->old_ids[i] = ctree_id_bytes(&l->olds[i], sizeof *l->olds);
        l->new_ids[i] = ctree_id_bytes(&l->news[i], sizeof *l->news);
    }
    const void *old_rows = l->olds, *new_rows = l->news;
    if (kind == CTREE_DIFF_IDS) {
        old_rows = l->old_ids;
        new_rows = l->new_ids;
    }
    l->before = (ctree_diff_list){old_rows, l->revisions, old_rows, l->section_rows, NULL, count, count / 64};
    l->after = (ctree_diff_list){new_rows, l->revisions, new_rows, l->section_rows, NULL, count, count / 64};
}

static void large_free(large *l) {
    free(l->olds);
    free(l->news);
    free(l->revisions);
    free(l->section_rows);
    free(l->old_ids);
    free(l->new_ids);
}

static void stop_at_any_time(uint32_t kind, shape as, uint32_t forms) {
    enum { ROWS = 1 << 17 };
    large l;
    large_make(&l, kind, as, ROWS);
    asking a = {0, 0, 0, 0, false};
    ctree_progress progress = {&a, keep_going};
    failing_allocator memory;
    failing_allocator_init(&memory);
    ctree_allocator allocator = failing_allocator_use(&memory);
    ctree_diff_options options = CTREE_DIFF_OPTIONS_INIT;
    options.keys = kind;
    options.forms = forms;
    options.progress = &progress;
    options.allocator = &allocator;
    ctree_diff *diff = NULL;
    assert_int_equal(ctree_diff_create(&l.before, &l.after, &options, NULL, &diff), CTREE_OK);
    ctree_diff_destroy(diff);
    diff = NULL;
    assert_false(a.fell);
    uint64_t calls = a.calls;
    assert_true(calls >= 2 * (uint64_t)ROWS / 65536);
    for (uint64_t stop = 1; stop <= calls; stop += 1 + stop / 8) {
        a = (asking){0, 0, 0, stop, false};
        assert_int_equal(ctree_diff_create(&l.before, &l.after, &options, NULL, &diff), CTREE_CANCELLED);
        assert_null(diff);
        assert_int_equal(memory.blocks, 0);
        assert_int_equal(a.calls, stop);
    }
    large_free(&l);
}

static void progress_is_asked_often_and_may_stop_at_any_time(void **state) {
    (void)state;
    for (uint32_t kind = CTREE_DIFF_NODES; kind <= CTREE_DIFF_IDS; kind++) {
        for (shape as = SHUFFLED_IN_BLOCKS; as < SHAPES; as++) {
            stop_at_any_time(kind, as, CTREE_DIFF_BATCH | CTREE_DIFF_SPLICES | CTREE_DIFF_STEPS);
            stop_at_any_time(kind, as, CTREE_DIFF_SECTIONS);
        }
    }
}

/* ---- Duplicates ------------------------------------------------------------------------------------------------ */

static void plant(random_source *source, uint64_t *keys, uint32_t count) {
    if (count < 2 || random_chance(source, 1, 2)) return;
    uint32_t from = random_below(source, count), to = random_below(source, count);
    keys[to] = keys[from];
}

static void a_key_that_stands_twice_is_told_with_both_places(void **state) {
    (void)state;
    uint64_t seed = random_seed_of_test("a key that stands twice", 12);
    uint32_t found = 0;
    for (uint64_t i = 0; i < 2000 * (uint64_t)random_runs(); i++) {
        random_source source = random_from_seed(seed + i);
        pair_taste taste = {random_chance(&source, 1, 2), random_chance(&source, 3, 4),
                            random_chance(&source, 1, 4) ? 200 : 12, 8};
        diff_pair pair = diff_pair_random(&source, taste);
        plant(&source, pair.before.row_keys, pair.before.row_count);
        plant(&source, pair.after.row_keys, pair.after.row_count);
        if (taste.sections) plant(&source, pair.before.section_keys, pair.before.section_count);
        if (taste.sections) plant(&source, pair.after.section_keys, pair.after.section_count);
        ctree_diff_list olds = pair_list(&pair, &pair.before), news = pair_list(&pair, &pair.after);
        ctree_diff_options options = CTREE_DIFF_OPTIONS_INIT;
        options.keys = pair.kind;
        options.forms = taste.sections ? CTREE_DIFF_SECTIONS : CTREE_DIFF_BATCH;
        ctree_diff_duplicate told = {9, 9, 9, 9}, expected = {9, 9, 9, 9};
        ctree_diff *diff = NULL;
        ctree_status status = ctree_diff_create(&olds, &news, &options, &told, &diff);
        if (diff_pair_duplicate(&pair, &expected)) {
            found++;
            assert_int_equal(status, CTREE_DUPLICATE);
            assert_null(diff);
            assert_memory_equal(&told, &expected, sizeof told);
            assert_int_equal(ctree_diff_create(&olds, &news, &options, NULL, &diff), CTREE_DUPLICATE);
        } else {
            assert_int_equal(status, CTREE_OK);
            assert_int_equal(told.second, 9);
            ctree_diff_destroy(diff);
        }
        pair_list_free(&olds);
        pair_list_free(&news);
        diff_pair_free(&pair);
    }
    assert_true(found > 500);
}

/* In lists so long that little lies between their equal ends, every path of the match has to notice. */
static void a_key_twice_in_long_lists_is_noticed_wherever_it_stands(void **state) {
    (void)state;
    enum { ROWS = 2000 };
    uint64_t seed = random_seed_of_test("a key twice in long lists", 13);
    random_source source = random_from_seed(seed);
    uint64_t *olds = must(malloc(ROWS * sizeof *olds)), *news = must(malloc(ROWS * sizeof *news));
    for (uint32_t round = 0; round < 150; round++) {
        bool old_side = random_chance(&source, 1, 2), both = random_chance(&source, 1, 4);
        bool another_generation = random_chance(&source, 1, 4);
        for (uint64_t i = 0; i < ROWS; i++) olds[i] = news[i] = UINT64_C(5) << 32 | i;
        uint32_t edits = random_below(&source, 20);
        for (uint32_t i = 0; i < edits; i++) {
            news[1000 + random_below(&source, 20)] = UINT64_C(6) << 32 | (ROWS + i);
        }
        uint32_t from = random_below(&source, ROWS), to = random_below(&source, ROWS);
        uint64_t *list = old_side ? olds : news;
        list[to] = list[from] + (another_generation ? UINT64_C(1) << 32 : 0);
        if (both) memcpy(old_side ? news : olds, list, ROWS * sizeof *list);
        ctree_diff_list before = {olds, NULL, NULL, NULL, NULL, ROWS, 0},
                        after = {news, NULL, NULL, NULL, NULL, ROWS, 0};
        ctree_diff_duplicate told = {9, 9, 9, 9}, expected = {0, 0, 0, 0};
        ctree_diff *diff = NULL;
        ctree_status status = ctree_diff_create(&before, &after, NULL, &told, &diff);
        bool twice = pair_find_twice(olds, ROWS, &expected.first, &expected.second);
        if (!twice) {
            expected.in_new = 1;
            twice = pair_find_twice(news, ROWS, &expected.first, &expected.second);
        }
        assert_int_equal(status, twice ? CTREE_DUPLICATE : CTREE_OK);
        if (twice) assert_memory_equal(&told, &expected, sizeof told);
        ctree_diff_destroy(diff);
    }
    free(olds);
    free(news);
}

/* ---- What is refused ------------------------------------------------------------------------------------------- */

static void arguments_that_no_call_could_take_are_invalid(void **state) {
    (void)state;
    uint64_t keys[2] = {1, 2}, section[1] = {9};
    uint32_t two[1] = {2}, three[1] = {3};
    ctree_id bad[1] = {{NULL, 3}};
    const ctree_diff_list good = {keys, NULL, section, two, NULL, 2, 1};
    ctree_diff_options options = CTREE_DIFF_OPTIONS_INIT;
    ctree_diff *diff = NULL;

    assert_int_equal(ctree_diff_create(&good, NULL, NULL, NULL, &diff), CTREE_INVALID);
    assert_int_equal(ctree_diff_create(&good, &good, NULL, NULL, NULL), CTREE_INVALID);
    ctree_diff_list list = good;
    list.rows = NULL;
    assert_int_equal(ctree_diff_create(&list, &good, NULL, NULL, &diff), CTREE_INVALID);
    list = good;
    list.sections = NULL;
    assert_int_equal(ctree_diff_create(&good, &list, NULL, NULL, &diff), CTREE_INVALID);
    list = good;
    list.section_rows = NULL;
    assert_int_equal(ctree_diff_create(&good, &list, NULL, NULL, &diff), CTREE_INVALID);
    list = good;
    list.section_rows = three;
    assert_int_equal(ctree_diff_create(&list, &good, NULL, NULL, &diff), CTREE_INVALID);
    list = good;
    list.section_count = 0; /* Rows outside sections. */
    assert_int_equal(ctree_diff_create(&list, &good, NULL, NULL, &diff), CTREE_INVALID);
    list = good;
    list.row_count = UINT32_MAX - 3; /* With two more, one too many. */
    assert_int_equal(ctree_diff_create(&list, &good, NULL, NULL, &diff), CTREE_LIMIT);

    options.keys = 3;
    assert_int_equal(ctree_diff_create(&good, &good, &options, NULL, &diff), CTREE_INVALID);
    options = (ctree_diff_options)CTREE_DIFF_OPTIONS_INIT;
    options.forms = 16;
    assert_int_equal(ctree_diff_create(&good, &good, &options, NULL, &diff), CTREE_INVALID);
    options = (ctree_diff_options)CTREE_DIFF_OPTIONS_INIT;
    options.seed_size = 1;
    assert_int_equal(ctree_diff_create(&good, &good, &options, NULL, &diff), CTREE_INVALID);
    options = (ctree_diff_options)CTREE_DIFF_OPTIONS_INIT;
    options.size = sizeof options.size - 1;
    assert_int_equal(ctree_diff_create(&good, &good, &options, NULL, &diff), CTREE_INVALID);
    ctree_progress progress = {NULL, NULL};
    options = (ctree_diff_options)CTREE_DIFF_OPTIONS_INIT;
    options.progress = &progress;
    assert_int_equal(ctree_diff_create(&good, &good, &options, NULL, &diff), CTREE_INVALID);
    ctree_allocator allocator = {NULL, NULL, NULL, NULL};
    options = (ctree_diff_options)CTREE_DIFF_OPTIONS_INIT;
    options.allocator = &allocator;
    assert_int_equal(ctree_diff_create(&good, &good, &options, NULL, &diff), CTREE_INVALID);
    list = (ctree_diff_list){bad, NULL, NULL, NULL, NULL, 1, 0};
    options = (ctree_diff_options)CTREE_DIFF_OPTIONS_INIT;
    options.keys = CTREE_DIFF_IDS;
    assert_int_equal(ctree_diff_create(&list, &list, &options, NULL, &diff), CTREE_INVALID);
    assert_null(diff);
}

static void options_of_older_and_newer_headers_are_taken(void **state) {
    (void)state;
    uint64_t keys[2] = {1, 2}, turned[2] = {2, 1};
    ctree_diff_list before = {keys, NULL, NULL, NULL, NULL, 2, 0}, after = {turned, NULL, NULL, NULL, NULL, 2, 0};
    struct newer {
        ctree_diff_options options;
        uint64_t more;
    } newer = {CTREE_DIFF_OPTIONS_INIT, 0};
    ctree_diff *diff = NULL;
    newer.options.size = sizeof newer;
    assert_int_equal(ctree_diff_create(&before, &after, &newer.options, NULL, &diff), CTREE_OK);
    ctree_diff_destroy(diff);
    newer.more = 1;
    diff = NULL;
    assert_int_equal(ctree_diff_create(&before, &after, &newer.options, NULL, &diff), CTREE_INVALID);
    /* One that ends behind the kind of keys: what follows is not looked at. */
    ctree_diff_options older = CTREE_DIFF_OPTIONS_INIT;
    older.size = offsetof(ctree_diff_options, forms);
    older.keys = CTREE_DIFF_U64;
    older.forms = 99;
    older.limit = 1;
    assert_int_equal(ctree_diff_create(&before, &after, &older, NULL, &diff), CTREE_OK);
    assert_int_equal(ctree_diff_batch(diff)->move_count, 1);
    ctree_diff_destroy(diff);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail_once),
        cmocka_unit_test(progress_is_asked_often_and_may_stop_at_any_time),
        cmocka_unit_test(a_key_that_stands_twice_is_told_with_both_places),
        cmocka_unit_test(a_key_twice_in_long_lists_is_noticed_wherever_it_stands),
        cmocka_unit_test(arguments_that_no_call_could_take_are_invalid),
        cmocka_unit_test(options_of_older_and_newer_headers_are_taken),
    };
    return cmocka_run_group_tests_name("diff failures", tests, NULL, NULL);
}
