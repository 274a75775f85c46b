#include "support/diff_pair.h"

#include "support/assertions.h"

/* ---- Sides ----------------------------------------------------------------------------------------------------- */

/* Rows and sections as they are put together. */
typedef struct draft {
    uint64_t rows[512], row_looks[512];
    uint32_t row_count;
    uint64_t sections[64], section_looks[64];
    uint32_t section_rows[64]; /* How many each has. */
    uint32_t section_count;
} draft;

static bool has(const uint64_t *keys, uint32_t count, uint64_t key) {
    for (uint32_t i = 0; i < count; i++) {
        if (keys[i] == key) return true;
    }
    return false;
}

static uint32_t look(random_source *source) { return random_chance(source, 1, 4) ? 1 + random_below(source, 3) : 0; }

/* A key that is not in use; 0 where none was found. */
static uint64_t fresh(random_source *source, const uint64_t *keys, uint32_t count, uint32_t bound) {
    for (int attempt = 0; attempt < 8; attempt++) {
        uint64_t key = 1 + random_below(source, bound);
        if (!has(keys, count, key)) return key;
    }
    return 0;
}

static void insert(uint64_t *array, uint32_t count, uint32_t at, uint64_t value) {
    for (uint32_t i = count; i > at; i--) array[i] = array[i - 1];
    array[at] = value;
}

static void erase(uint64_t *array, uint32_t count, uint32_t at) {
    for (uint32_t i = at; i + 1 < count; i++) array[i] = array[i + 1];
}

static uint32_t section_at(const draft *d, uint32_t row) {
    uint32_t end = 0;
    for (uint32_t s = 0; s < d->section_count; s++) {
        end += d->section_rows[s];
        if (row < end) return s;
    }
    return d->section_count - 1;
}

static void add_row(draft *d, uint32_t at, uint32_t section, uint64_t key, uint64_t row_look) {
    insert(d->rows, d->row_count, at, key);
    insert(d->row_looks, d->row_count, at, row_look);
    d->row_count++;
    d->section_rows[section]++;
}

static void drop_row(draft *d, uint32_t at) {
    d->section_rows[section_at(d, at)]--;
    erase(d->rows, d->row_count, at);
    erase(d->row_looks, d->row_count, at);
    d->row_count--;
}

static draft draft_random(random_source *source, pair_taste taste) {
    draft d = {.row_count = 0};
    uint32_t sections = taste.sections ? random_below(source, taste.most_sections + 1) : 1;
    for (uint32_t s = 0; s < sections; s++) {
        uint64_t key = taste.sections ? fresh(source, d.sections, s, taste.most_sections * 2) : 1;
        if (key == 0) break;
        d.sections[d.section_count] = key;
        d.section_looks[d.section_count++] = look(source);
    }
    if (d.section_count == 0) return d;
    uint32_t rows = random_below(source, taste.most_rows + 1);
    for (uint32_t i = 0; i < rows; i++) {
        uint64_t key = fresh(source, d.rows, d.row_count, taste.most_rows * 3 / 2 + 1);
        if (key == 0) break;
        d.rows[d.row_count] = key;
        d.row_looks[d.row_count++] = look(source);
        d.section_rows[random_below(source, d.section_count)]++;
    }
    return d;
}

/* Takes a few rows from one place to another, which may lie in another section. */
static void move_block(random_source *source, draft *d) {
    uint32_t from = random_below(source, d->row_count), count = 1 + random_below(source, d->row_count - from);
    uint32_t to = random_below(source, d->row_count - count + 1);
    if (count > 5) count = 1 + count % 5;
    draft taken = *d;
    for (uint32_t i = 0; i < count; i++) drop_row(d, from);
    uint32_t section = to < d->row_count ? section_at(d, to) : d->section_count - 1;
    for (uint32_t i = 0; i < count; i++) add_row(d, to + i, section, taken.rows[from + i], taken.row_looks[from + i]);
}

static void move_section(random_source *source, draft *d) {
    uint32_t from = random_below(source, d->section_count), to = random_below(source, d->section_count);
    draft was = *d;
    uint32_t order[64], count = 0;
    for (uint32_t s = 0; s < was.section_count; s++) {
        if (s != from) order[count++] = s;
    }
    for (uint32_t i = count; i > to; i--) order[i] = order[i - 1];
    order[to] = from;
    d->row_count = 0;
    for (uint32_t s = 0; s < was.section_count; s++) {
        uint32_t start = 0;
        for (uint32_t i = 0; i < order[s]; i++) start += was.section_rows[i];
        d->sections[s] = was.sections[order[s]];
        d->section_looks[s] = was.section_looks[order[s]];
        d->section_rows[s] = was.section_rows[order[s]];
        for (uint32_t i = 0; i < d->section_rows[s]; i++) {
            d->rows[d->row_count] = was.rows[start + i];
            d->row_looks[d->row_count++] = was.row_looks[start + i];
        }
    }
}

static void drop_section(draft *d, uint32_t section) {
    uint32_t start = 0;
    for (uint32_t i = 0; i < section; i++) start += d->section_rows[i];
    while (d->section_rows[section] > 0) drop_row(d, start);
    erase(d->sections, d->section_count, section);
    erase(d->section_looks, d->section_count, section);
    for (uint32_t s = section; s + 1 < d->section_count; s++) d->section_rows[s] = d->section_rows[s + 1];
    d->section_count--;
}

static void add_section(random_source *source, draft *d, uint32_t bound) {
    uint64_t key = fresh(source, d->sections, d->section_count, bound * 2);
    uint32_t at = random_below(source, d->section_count + 1);
    if (key == 0 || d->section_count >= 60) return;
    insert(d->sections, d->section_count, at, key);
    insert(d->section_looks, d->section_count, at, look(source));
    for (uint32_t s = d->section_count; s > at; s--) d->section_rows[s] = d->section_rows[s - 1];
    d->section_rows[at] = 0;
    d->section_count++;
}

static void edit(random_source *source, draft *d, pair_taste taste) {
    uint32_t what = random_below(source, taste.sections ? 12 : 6);
    if (d->section_count == 0 && what != 8) return;
    if (d->row_count == 0 && what < 6 && what != 1) return;
    switch (what) {
        case 0: drop_row(d, random_below(source, d->row_count)); break;
        case 1: {
            uint64_t key = fresh(source, d->rows, d->row_count, taste.most_rows * 2 + 1);
            uint32_t at = random_below(source, d->row_count + 1);
            if (key == 0 || d->row_count >= 500) return;
            add_row(d, at, section_at(d, at), key, look(source));
            break;
        }
        case 2:
        case 3: move_block(source, d); break;
        case 4: d->row_looks[random_below(source, d->row_count)] = random_below(source, 4); break;
        case 5: { /* Two neighbours swap. */
            if (d->row_count < 2) return;
            uint32_t at = random_below(source, d->row_count - 1);
            uint64_t key = d->rows[at];
            d->rows[at] = d->rows[at + 1];
            d->rows[at + 1] = key;
            break;
        }
        case 6: move_section(source, d); break;
        case 7: drop_section(d, random_below(source, d->section_count)); break;
        case 8: add_section(source, d, taste.most_sections); break;
        case 9:
        case 10: { /* A border between sections shifts, the rows stay as they are. */
            if (d->section_count < 2) return;
            uint32_t s = random_below(source, d->section_count - 1), up = random_below(source, 2);
            uint32_t some = 1 + random_below(source, d->section_rows[s + up]);
            if (some > d->section_rows[s + up]) return;
            d->section_rows[s + up] -= some;
            d->section_rows[s + 1 - up] += some;
            break;
        }
        default: d->section_looks[random_below(source, d->section_count)] = random_below(source, 4); break;
    }
}

static uint64_t *copy(const uint64_t *items, uint32_t count) {
    uint64_t *copied = must(malloc((count + 1) * sizeof *copied));
    memcpy(copied, items, count * sizeof *copied);
    return copied;
}

static pair_side side_of(const draft *d) {
    pair_side side = {copy(d->sections, d->section_count),
                      copy(d->section_looks, d->section_count),
                      copy(d->rows, d->row_count),
                      copy(d->row_looks, d->row_count),
                      must(malloc((d->section_count + 2) * sizeof(uint32_t))),
                      must(malloc((d->section_count + 1) * sizeof(uint32_t))),
                      d->section_count,
                      d->row_count};
    uint32_t start = 0;
    for (uint32_t s = 0; s < d->section_count; s++) {
        side.starts[s] = start;
        side.section_rows[s] = d->section_rows[s];
        start += d->section_rows[s];
    }
    side.starts[d->section_count] = start;
    return side;
}

diff_pair diff_pair_random(random_source *source, pair_taste taste) {
    diff_pair pair = {.sections = taste.sections};
    pair.kind = random_below(source, 3);
    pair.variety = random_u64(source);
    draft before = draft_random(source, taste), after = before;
    if (taste.edited) {
        uint32_t edits = random_below(source, 7);
        for (uint32_t i = 0; i < edits; i++) edit(source, &after, taste);
    } else {
        after = draft_random(source, taste);
    }
    pair.before = side_of(&before);
    pair.after = side_of(&after);
    return pair;
}

static void side_free(pair_side *side) {
    free(side->section_keys);
    free(side->section_looks);
    free(side->row_keys);
    free(side->row_looks);
    free(side->starts);
    free(side->section_rows);
}

void diff_pair_free(diff_pair *pair) {
    side_free(&pair->before);
    side_free(&pair->after);
}

sim_model pair_model(const pair_side *side) {
    return (sim_model){side->section_count, side->section_keys, side->section_looks,
                       side->starts,        side->row_keys,     side->row_looks};
}

/* ---- Keys ------------------------------------------------------------------------------------------------------ */

/* A handle. Some of them share a slot with another, in another generation; a few lie far out. */
static ctree_node node_of(uint64_t key, uint64_t variety) {
    uint64_t slot = key, generation = 1 + variety % 3;
    if ((variety & 8) != 0) slot = key / 2, generation += key % 2;
    if ((variety & 16) != 0) slot = slot * 37 % 1021;
    if ((variety & 32) != 0 && key % 7 == 0) slot += UINT64_C(0xFFFF0000);
    return generation << 32 | slot;
}

static uint64_t number_of(uint64_t key, uint64_t variety) {
    return (variety & 8) != 0 ? key : (key + variety) * 0x9E3779B97F4A7C15u;
}

/* Of every length from none on, with NULs. */
static ctree_id id_of(uint64_t key, uint64_t variety, unsigned char *room) {
    uint32_t length = (variety & 8) != 0 || (key % 40 == 0 && key != 40) ? 40 : (uint32_t)(key % 40);
    for (uint32_t i = 0; i < length; i++) room[i] = (unsigned char)(i % 3 == 0 ? 0 : key >> (i % 3 * 8 - 8));
    if (length > 1) room[1] = (unsigned char)key;
    if (length > 2) room[2] = (unsigned char)(key >> 8);
    if (length == 1) room[0] = (unsigned char)(key / 40);
    return (ctree_id){length > 0 ? room : NULL, length};
}

enum { ID_ROOM = 48 };

static void *keys_of(const diff_pair *pair, const uint64_t *keys, uint32_t count) {
    if (pair->kind != CTREE_DIFF_IDS) {
        uint64_t *made = must(malloc((count + 1) * sizeof *made));
        bool nodes = pair->kind == CTREE_DIFF_NODES;
        for (uint32_t i = 0; i < count; i++) {
            made[i] = nodes ? node_of(keys[i], pair->variety) : number_of(keys[i], pair->variety);
        }
        return made;
    }
    /* The bytes are behind the identifiers, in the same block. */
    char *block = must(malloc((count + 1) * (sizeof(ctree_id) + ID_ROOM)));
    for (uint32_t i = 0; i < count; i++) {
        unsigned char *room = (unsigned char *)block + count * sizeof(ctree_id) + i * (size_t)ID_ROOM;
        ((ctree_id *)(void *)block)[i] = id_of(keys[i], pair->variety, room);
    }
    return block;
}

ctree_diff_list pair_list(const diff_pair *pair, const pair_side *side) {
    ctree_diff_list list = {.row_count = side->row_count, .section_count = side->section_count};
    list.rows = keys_of(pair, side->row_keys, side->row_count);
    list.sections = keys_of(pair, side->section_keys, side->section_count);
    list.section_rows = side->section_rows;
    list.revisions = side->row_looks;
    list.section_revisions = side->section_looks;
    return list;
}

void pair_list_free(ctree_diff_list *list) {
    free((void *)(uintptr_t)list->rows);
    free((void *)(uintptr_t)list->sections);
}
