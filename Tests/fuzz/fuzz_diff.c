/*
 * The diff from raw input: lists with whatever keys, in which some may stand twice and sections need not add up, or
 * pairs as the random tests make them. Everything is held to the rules, to replaying and to trying everything.
 * `make fuzz` builds and runs it.
 */
#include "support/assertions.h"
#include "support/diff_pair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A side of keys of a byte each, so that few mutations make one stand twice. */
static pair_side raw_side(random_source *source, bool sections, bool *adds_up) {
    uint32_t section_count = sections ? random_below(source, 12) : 1, row_count = random_below(source, 96);
    if (sections && section_count == 0) row_count = 0;
    pair_side side = {must(malloc((section_count + 1) * 8)),
                      must(malloc((section_count + 1) * 8)),
                      must(malloc((row_count + 1) * 8)),
                      must(malloc((row_count + 1) * 8)),
                      must(malloc((section_count + 2) * 4)),
                      must(malloc((section_count + 1) * 4)),
                      section_count,
                      row_count};
    uint32_t left = row_count;
    for (uint32_t s = 0; s < section_count; s++) {
        uint32_t rows = s + 1 < section_count ? random_below(source, left + 1) : left;
        side.section_keys[s] = sections ? 1 + random_below(source, 64) : 1;
        side.section_looks[s] = random_below(source, 2);
        side.starts[s] = row_count - left;
        side.section_rows[s] = rows;
        left -= rows;
    }
    side.starts[section_count] = row_count;
    for (uint32_t i = 0; i < row_count; i++) {
        side.row_keys[i] = 1 + random_below(source, 256);
        side.row_looks[i] = random_below(source, 2);
    }
    *adds_up = true;
    if (section_count > 0 && random_chance(source, 1, 64)) {
        side.section_rows[random_below(source, section_count)] += 1 + random_below(source, 3);
        *adds_up = false;
    }
    return side;
}

static void check_raw(const diff_pair *pair, bool adds_up, random_source *source) {
    ctree_diff_duplicate expected = {0, 0, 0, 0}, told = {0, 0, 0, 0};
    bool twice = diff_pair_duplicate(pair, &expected);
    if (adds_up && !twice) {
        diff_pair_check(pair, source);
        return;
    }
    ctree_diff_list olds = pair_list(pair, &pair->before), news = pair_list(pair, &pair->after);
    ctree_diff_options options = CTREE_DIFF_OPTIONS_INIT;
    options.keys = pair->kind;
    options.forms = pair->sections ? CTREE_DIFF_SECTIONS | CTREE_DIFF_BATCH : CTREE_DIFF_BATCH;
    ctree_diff *diff = NULL;
    ctree_status status = ctree_diff_create(&olds, &news, &options, &told, &diff);
    bool invalid = !adds_up && pair->sections;
    CHECK_EQUAL(status, invalid ? CTREE_INVALID : twice ? CTREE_DUPLICATE : CTREE_OK);
    if (status == CTREE_DUPLICATE) CHECK(memcmp(&told, &expected, sizeof told) == 0);
    ctree_diff_destroy(diff);
    pair_list_free(&olds);
    pair_list_free(&news);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    random_source source = random_from_bytes(data, size);
    uint32_t way = random_below(&source, 4);
    if (way < 2) {
        pair_taste taste = {(way & 1) != 0, random_chance(&source, 1, 2), 1 + random_below(&source, 60),
                            1 + random_below(&source, 10)};
        diff_pair pair = diff_pair_random(&source, taste);
        diff_pair_check(&pair, &source);
        diff_pair_free(&pair);
        return 0;
    }
    diff_pair pair = {.sections = (way & 1) != 0};
    bool old_adds_up = true, new_adds_up = true;
    pair.kind = random_below(&source, 3);
    pair.variety = random_below(&source, 256);
    pair.before = raw_side(&source, pair.sections, &old_adds_up);
    pair.after = raw_side(&source, pair.sections, &new_adds_up);
    check_raw(&pair, old_adds_up && new_adds_up, &source);
    diff_pair_free(&pair);
    return 0;
}
