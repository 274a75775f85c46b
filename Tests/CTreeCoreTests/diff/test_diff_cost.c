/* That no lists, however they lie, cost more than their length: counted in steps, not in time. */
#include "ctree/diff.h"
#include "diff/result.h"
#include "ids/hash.h"
#include "support/assertions.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Probes, climbs and searches for each row that no list may exceed. Each row is put in once, looked up once and
   climbs once; with sections, a search takes as many steps as their number has bits. */
enum { STEPS_A_ROW = 8 };

static ctree_diff *run(ctree_diff_list olds, ctree_diff_list news, uint32_t keys, const void *seed,
                       size_t seed_size) {
    ctree_diff_options options = CTREE_DIFF_OPTIONS_INIT;
    options.keys = keys;
    options.forms = CTREE_DIFF_BATCH | CTREE_DIFF_SPLICES | CTREE_DIFF_STEPS;
    if (olds.section_count > 0) options.forms |= CTREE_DIFF_SECTIONS;
    options.seed = seed;
    options.seed_size = seed_size;
    ctree_diff *diff = NULL;
    CHECK_EQUAL(ctree_diff_create(&olds, &news, &options, NULL, &diff), CTREE_OK);
    return diff;
}

static ctree_diff_list list_of(const uint64_t *keys, uint32_t count) {
    return (ctree_diff_list){keys, NULL, NULL, NULL, NULL, count, 0};
}

/* ---- Orders ---------------------------------------------------------------------------------------------------- */

static void shuffle(random_source *source, uint64_t *keys, uint32_t count) {
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = random_below(source, i);
        uint64_t key = keys[i - 1];
        keys[i - 1] = keys[j];
        keys[j] = key;
    }
}

/* Rearranges a part in one of the ways that lists are rearranged in, or that searches fear. */
static void rearrange(random_source *source, uint64_t *keys, uint32_t count, uint64_t *spare) {
    if (count < 2) return;
    uint32_t way = random_below(source, 9), part = 1 + random_below(source, count - 1), at = 0;
    memcpy(spare, keys, count * sizeof *keys);
    switch (way) {
        case 0: /* turned round */
            for (uint32_t i = 0; i < count; i++) keys[i] = spare[count - 1 - i];
            break;
        case 1: /* cut */
            for (uint32_t i = 0; i < count; i++) keys[i] = spare[(i + part) % count];
            break;
        case 2: /* two halves interleaved */
            for (uint32_t i = 0; i < count; i++) keys[i] = spare[i % 2 * ((count + 1) / 2) + i / 2];
            break;
        case 3: /* the other way round */
            for (uint32_t i = 0; i < count; i += 2) keys[at++] = spare[i];
            for (uint32_t i = 1; i < count; i += 2) keys[at++] = spare[i];
            break;
        case 4: shuffle(source, keys, count); break;
        case 5: { /* every so-manieth */
            uint32_t step = 1 + random_below(source, 40);
            for (uint32_t start = 0; start < step; start++) {
                for (uint32_t i = start; i < count; i += step) keys[at++] = spare[i];
            }
            break;
        }
        case 6: /* from both ends */
            for (uint32_t i = 0; i < count; i++) keys[i] = i % 2 == 0 ? spare[i / 2] : spare[count - 1 - i / 2];
            break;
        case 7: { /* blocks turned round, each in itself */
            uint32_t block = 2 + random_below(source, 30);
            for (uint32_t i = 0; i < count; i++) {
                uint32_t start = i / block * block, end = start + block < count ? start + block : count;
                keys[i] = spare[end - 1 - (i - start)];
            }
            break;
        }
        default: { /* blocks the other way round */
            uint32_t block = 1 + random_below(source, 50);
            for (uint32_t end = count; end > 0; end -= end < block ? end : block) {
                uint32_t start = end < block ? 0 : end - block;
                for (uint32_t i = start; i < end; i++) keys[at++] = spare[i];
            }
        }
    }
}

static void a_hundred_thousand_rows_in_any_order_take_linear_steps(void **state) {
    (void)state;
    enum { ROWS = 100000 };
    uint64_t *olds = must(malloc(ROWS * sizeof *olds)), *news = must(malloc(ROWS * sizeof *news));
    random_source source = random_from_seed(5);
    for (uint32_t keys = CTREE_DIFF_NODES; keys <= CTREE_DIFF_U64; keys++) {
        for (uint32_t order = 0; order < 3; order++) {
            for (uint32_t i = 0; i < ROWS; i++) olds[i] = news[i] = UINT64_C(1) << 32 | i;
            if (order == 0) {
                for (uint32_t i = 0; i < ROWS; i++) news[i] = olds[ROWS - 1 - i];
            } else if (order == 1) {
                shuffle(&source, news, ROWS);
            } else {
                for (uint32_t i = 0; i < ROWS; i++) news[i] = olds[i % 2 * (ROWS / 2) + i / 2];
            }
            ctree_diff *diff = run(list_of(olds, ROWS), list_of(news, ROWS), keys, NULL, 0);
            CHECK(diff->step_total <= (uint64_t)STEPS_A_ROW * 2 * ROWS);
            uint32_t moves = ctree_diff_batch(diff)->move_count;
            if (order == 0) CHECK_EQUAL(moves, ROWS - 1);
            if (order == 1) CHECK(moves > ROWS - 1000);
            if (order == 2) CHECK_EQUAL(moves, ROWS / 2 - 1);
            ctree_diff_destroy(diff);
        }
    }
    free(olds);
    free(news);
}

/* Rearranged again and again, in parts and as a whole, with rows that go and come. Sections are cut at random. */
static void no_order_that_is_found_by_search_takes_more(void **state) {
    (void)state;
    enum { MOST = 20000 };
    uint64_t seed = random_seed_of_test("no order takes more", 31);
    uint64_t *olds = must(malloc(MOST * sizeof *olds)), *news = must(malloc(MOST * sizeof *news));
    uint64_t *spare = must(malloc(MOST * sizeof *spare)), *sections_after = must(malloc(MOST * sizeof *spare)),
             worst = 0;
    uint32_t *old_cuts = must(malloc(MOST * sizeof *old_cuts)), *new_cuts = must(malloc(MOST * sizeof *new_cuts));
    for (uint64_t round = 0; round < 60 * (uint64_t)random_runs(); round++) {
        random_source source = random_from_seed(seed + round);
        uint32_t count = 1000 + random_below(&source, MOST - 1000), bits = 1;
        for (uint32_t i = 0; i < count; i++) olds[i] = news[i] = UINT64_C(1) << 32 | i;
        uint32_t times = 1 + random_below(&source, 12);
        for (uint32_t i = 0; i < times; i++) {
            uint32_t first = random_below(&source, count), some = random_below(&source, count - first + 1);
            if (random_chance(&source, 1, 2)) rearrange(&source, news, count, spare);
            else rearrange(&source, news + first, some, spare);
        }
        uint32_t anew = random_below(&source, count / 2);
        for (uint32_t i = 0; i < anew; i++) news[random_below(&source, count)] = UINT64_C(2) << 32 | (count + i);
        ctree_diff_list before = list_of(olds, count), after = list_of(news, count);
        if (random_chance(&source, 1, 2)) {
            uint32_t sections = 1 + random_below(&source, random_chance(&source, 1, 2) ? 8 : count);
            for (uint32_t s = 0; s < sections; s++) {
                old_cuts[s] = count / sections + (s < count % sections);
                new_cuts[s] = count / sections + (s >= sections - count % sections);
            }
            memcpy(sections_after, olds, sections * sizeof *olds);
            if (random_chance(&source, 1, 2)) rearrange(&source, sections_after, sections, spare);
            before.sections = olds;
            after.sections = sections_after;
            before.section_rows = old_cuts;
            after.section_rows = new_cuts;
            before.section_count = after.section_count = sections;
            while (sections >> bits != 0) bits++;
        }
        uint32_t keys = random_below(&source, 2);
        ctree_diff *diff = run(before, after, keys, NULL, 0);
        uint64_t steps = diff->step_total / count;
        if (steps / bits > worst) worst = steps / bits;
        CHECK(steps <= (uint64_t)STEPS_A_ROW * bits);
        ctree_diff_destroy(diff);
    }
    printf("at most %" PRIu64 " steps a row\n", worst);
    free(olds);
    free(news);
    free(spare);
    free(sections_after);
    free(old_cuts);
    free(new_cuts);
}

/* ---- Keys ------------------------------------------------------------------------------------------------------ */

/* Keys that all begin their probes in the same 64 places of a table of this many, under the key that the seed gives.
 */
static void keys_chosen_to_collide_take_linear_steps(void **state) {
    (void)state;
    enum { ROWS = 10000, CAPACITY = 16384, PLACES = 64 };
    static const char seed[] = "known to the attacker";
    ct_hash_key key;
    assert_true(ct_hash_key_init(&key, seed, sizeof seed));
    uint64_t *chosen = must(malloc(ROWS * sizeof *chosen)), *turned = must(malloc(ROWS * sizeof *turned));
    uint32_t count = 0;
    for (uint64_t number = 0; count < ROWS; number++) {
        if (ct_hash_u64(&key, number) % CAPACITY < PLACES) chosen[count++] = number;
    }
    for (uint32_t i = 0; i < ROWS; i++) turned[i] = chosen[(i * 7919u) % ROWS];
    ctree_diff *diff = run(list_of(chosen, ROWS), list_of(turned, ROWS), CTREE_DIFF_U64, seed, sizeof seed);
    /* One attempt is given up, and the next one is as cheap as any. */
    uint64_t steps = diff->step_total;
    CHECK(steps > 16 * (uint64_t)2 * ROWS);
    CHECK(steps < (16 + STEPS_A_ROW) * (uint64_t)2 * ROWS + 2048);
    ctree_diff_destroy(diff);
    diff = run(list_of(chosen, ROWS), list_of(turned, ROWS), CTREE_DIFF_U64, NULL, 0);
    CHECK(diff->step_total < STEPS_A_ROW * (uint64_t)2 * ROWS);
    ctree_diff_destroy(diff);
    turned[ROWS - 1] = turned[ROWS / 2]; /* To find out where also means to fill a table. */
    ctree_diff_list olds = list_of(chosen, ROWS), news = list_of(turned, ROWS);
    ctree_diff_options options = CTREE_DIFF_OPTIONS_INIT;
    options.keys = CTREE_DIFF_U64;
    options.seed = seed;
    options.seed_size = sizeof seed;
    ctree_diff_duplicate twice = {0, 0, 0, 0};
    CHECK_EQUAL(ctree_diff_create(&news, &olds, &options, &twice, &diff), CTREE_DUPLICATE);
    CHECK(twice.in_new == 0 && twice.first == ROWS / 2 && twice.second == ROWS - 1);
    free(chosen);
    free(turned);
}

/* The old list is harmless; the new one has keys that are looked up in vain in its crowded part. */
static void keys_chosen_to_be_looked_up_in_vain_take_linear_steps(void **state) {
    (void)state;
    enum { ROWS = 10000, CROWD = 500, CAPACITY = 16384, PLACES = 64 };
    static const char seed[] = "known to the attacker";
    ct_hash_key key;
    assert_true(ct_hash_key_init(&key, seed, sizeof seed));
    uint64_t *olds = must(malloc(ROWS * sizeof *olds)), *news = must(malloc(ROWS * sizeof *news)), number = 0;
    uint32_t old_count = 0, new_count = 0;
    while (new_count < ROWS) {
        bool crowds = ct_hash_u64(&key, number) % CAPACITY < PLACES;
        if (crowds ? old_count < CROWD : old_count >= CROWD && old_count < ROWS) olds[old_count++] = number;
        else if (crowds) news[new_count++] = number;
        number++;
    }
    for (uint32_t i = 0; i < 100; i++) news[i] = olds[i * 7 + 1];
    ctree_diff *diff = run(list_of(olds, ROWS), list_of(news, ROWS), CTREE_DIFF_U64, seed, sizeof seed);
    const ctree_batch *batch = ctree_diff_batch(diff);
    CHECK_EQUAL(batch->move_count, 0);
    CHECK_EQUAL(batch->insert_count, 1);
    CHECK_EQUAL(batch->inserts[0].count, ROWS - 100);
    CHECK(diff->step_total > 16 * (uint64_t)2 * ROWS);
    CHECK(diff->step_total < (16 + STEPS_A_ROW) * (uint64_t)2 * ROWS + 2048);
    ctree_diff_destroy(diff);
    free(olds);
    free(news);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hundred_thousand_rows_in_any_order_take_linear_steps),
        cmocka_unit_test(no_order_that_is_found_by_search_takes_more),
        cmocka_unit_test(keys_chosen_to_collide_take_linear_steps),
        cmocka_unit_test(keys_chosen_to_be_looked_up_in_vain_take_linear_steps),
    };
    return cmocka_run_group_tests_name("diff cost", tests, NULL, NULL);
}
