/*
 * Random programs over many sequences of one pool, each step of which is done on plain arrays too.
 * Included by the tests that run them, once with the blocks that the library has and once with tiny ones.
 */
#ifndef TEST_SEQUENCE_PROGRAM_H
#define TEST_SEQUENCE_PROGRAM_H

#include "sequence/block.h"
#include "support/assertions.h"
#include "support/random.h"

enum { PROGRAM_SEQS = 6 };

typedef struct program_row {
    uint32_t slot, depth, height;
} program_row;

typedef struct program_list {
    program_row *rows;
    uint32_t count;
} program_list;

typedef struct program {
    ct_seq_pool pool;
    ct_seq seq[PROGRAM_SEQS];
    program_list list[PROGRAM_SEQS];
    uint32_t *free_slots; /* Those that stand nowhere. */
    uint32_t free_count, slots;
    uint32_t most; /* Rows that a list grows to about. */
    random_source random;
    uint32_t depth_span; /* Depths of new rows: mostly like a neighbour's, sometimes anything below this. */
    uint64_t step;
    ct_seq_room room;        /* Reserved for the last edit, */
    ct_seq_blocks before[3]; /* and the blocks as they were before it. */
    uint32_t *a, *b, *c;     /* Room for `slots` numbers each, and for some more. */
} program;

static void *program_room(uint64_t count, size_t size) { return must(calloc((size_t)count + 1, size)); }

static void program_begin(program *p, const ct_mem *mem, uint32_t parts, uint32_t slots, uint32_t span,
                          uint64_t seed) {
    memset(p, 0, sizeof *p);
    p->random = random_from_seed(seed);
    p->slots = slots;
    p->most = slots / 3;
    p->depth_span = span;
    ct_seq_pool_init(&p->pool, mem, parts);
    CHECK_EQUAL(ct_seq_reserve_slots(&p->pool, slots), CTREE_OK);
    p->free_slots = program_room(slots, sizeof *p->free_slots);
    p->a = program_room(slots + 100, sizeof *p->a);
    p->b = program_room(slots + 100, sizeof *p->b);
    p->c = program_room(slots + 100, sizeof *p->c);
    for (uint32_t i = 0; i < slots; i++) p->free_slots[p->free_count++] = slots - 1 - i;
    for (uint32_t i = 0; i < PROGRAM_SEQS; i++) {
        p->list[i].rows = program_room(slots, sizeof(program_row));
        p->seq[i] = CT_SEQ_EMPTY;
        ct_seq_set_owner(&p->pool, &p->seq[i], 1000 + i);
    }
}

static void program_end(program *p) {
    for (uint32_t i = 0; i < PROGRAM_SEQS; i++) {
        ct_seq_destroy(&p->pool, &p->seq[i]);
        free(p->list[i].rows);
    }
    ct_seq_pool_destroy(&p->pool);
    free(p->free_slots);
    free(p->a);
    free(p->b);
    free(p->c);
}

/* ---- The twin ------------------------------------------------------------------------------------------------ */

static void list_put(program_list *list, uint32_t at, const program_row *rows, uint32_t count) {
    memmove(list->rows + at + count, list->rows + at, (list->count - at) * sizeof *rows);
    memcpy(list->rows + at, rows, count * sizeof *rows);
    list->count += count;
}

static void list_take(program_list *list, uint32_t at, uint32_t count) {
    memmove(list->rows + at, list->rows + at + count, (list->count - at - count) * sizeof *list->rows);
    list->count -= count;
}

static void program_compare(program *p, uint32_t which) {
    const ct_seq *seq = &p->seq[which];
    const program_list *list = &p->list[which];
    bool depths = (p->pool.parts & CT_SEQ_DEPTHS) != 0, heights = (p->pool.parts & CT_SEQ_HEIGHTS) != 0;
    CHECK_EQUAL(seq->count, list->count);
    CHECK_EQUAL(seq->owner, 1000 + which);
    ct_seq_copy_rows(&p->pool, seq, 0, seq->count, p->a, depths ? p->b : NULL, heights ? p->c : NULL);
    uint64_t offset = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        CHECK_EQUAL(p->a[i], list->rows[i].slot);
        if (depths) CHECK_EQUAL(p->b[i], list->rows[i].depth);
        if (heights) CHECK_EQUAL(p->c[i], list->rows[i].height);
        offset += list->rows[i].height;
    }
    if (heights) CHECK_EQUAL(ct_seq_total_height(&p->pool, seq), offset);
    /* The walk, which stops at each leaf's end. */
    ct_seq_walk walk = ct_seq_walk_from(&p->pool, seq, list->count / 3);
    const uint32_t *slots;
    uint32_t at = list->count / 3, span;
    while ((span = ct_seq_walk_span(&p->pool, &walk, &slots)) != 0) {
        CHECK(memcmp(slots, p->a + at, span * sizeof *slots) == 0);
        at += span;
    }
    CHECK_EQUAL(at, list->count);
}

static void program_look(program *p, uint32_t which, uint32_t at) {
    const ct_seq *seq = &p->seq[which];
    const program_list *list = &p->list[which];
    const program_row *row = &list->rows[at];
    CHECK_EQUAL(ct_seq_at(&p->pool, seq, at), row->slot);
    CHECK_EQUAL(ct_seq_rank(&p->pool, row->slot), at);
    CHECK_EQUAL(ct_seq_rank_in(&p->pool, seq, row->slot), at);
    CHECK_EQUAL(ct_seq_rank_in(&p->pool, &p->seq[(which + 1) % PROGRAM_SEQS], row->slot), CTREE_END);
    CHECK_EQUAL(ct_seq_root_of(&p->pool, row->slot), seq->root);
    CHECK_EQUAL(ct_seq_owner_of(&p->pool, row->slot), 1000 + which);
    ct_seq_place place = ct_seq_place_of(&p->pool, row->slot);
    CHECK_EQUAL(place.position, at);
    CHECK_EQUAL(place.owner, 1000 + which);
    if ((p->pool.parts & CT_SEQ_DEPTHS) != 0) {
        uint32_t end = at + 1, depth = row->depth;
        while (end < list->count && list->rows[end].depth > depth) end++;
        CHECK_EQUAL(ct_seq_depth_of(&p->pool, seq, row->slot), depth);
        CHECK_EQUAL(ct_seq_extent(&p->pool, row->slot), end - at);
        CHECK_EQUAL(ct_seq_extent_at(&p->pool, &place), end - at);
        CHECK_EQUAL(place.depth + seq->base, depth);
        depth = random_below(&p->random, 2) == 0 ? depth + 1 : random_below(&p->random, p->depth_span);
        for (end = at; end < list->count && list->rows[end].depth > depth;) end++;
        CHECK_EQUAL(ct_seq_next_at_most(&p->pool, seq, at, depth), end);
    }
    if ((p->pool.parts & CT_SEQ_HEIGHTS) != 0) {
        uint64_t offset = 0, within = 99;
        for (uint32_t i = 0; i < at; i++) offset += list->rows[i].height;
        CHECK_EQUAL(ct_seq_offset_at(&p->pool, seq, at), offset);
        if (row->height != 0) {
            uint32_t into = random_below(&p->random, row->height);
            CHECK_EQUAL(ct_seq_position_at(&p->pool, seq, offset + into, &within), at);
            CHECK_EQUAL(within, into);
        }
    }
}

static void program_look_many(program *p, uint32_t which) {
    const program_list *list = &p->list[which];
    uint32_t count = 1 + random_below(&p->random, 70);
    for (uint32_t i = 0; i < count; i++) p->a[i] = random_below(&p->random, list->count);
    ct_seq_at_many(&p->pool, &p->seq[which], p->a, count, p->b);
    for (uint32_t i = 0; i < count; i++) CHECK_EQUAL(p->b[i], list->rows[p->a[i]].slot);
    for (uint32_t i = 0; i < count; i++) p->a[i] = random_below(&p->random, p->slots + 100);
    ct_seq_rank_many(&p->pool, &p->seq[which], p->a, count, p->b);
    for (uint32_t i = 0; i < count; i++) {
        CHECK_EQUAL(p->b[i], ct_seq_rank_in(&p->pool, &p->seq[which], p->a[i]));
        if (p->b[i] != CTREE_END) CHECK_EQUAL(list->rows[p->b[i]].slot, p->a[i]);
    }
}

static void program_check(program *p, bool whole) {
    ct_seq_census census = {0, 0, 0};
    const char *reason = "";
    for (uint32_t i = 0; i < PROGRAM_SEQS; i++) {
        ctree_status status = ct_seq_check(&p->pool, &p->seq[i], &census, &reason);
        if (status != CTREE_OK) printf("step %" PRIu64 ", sequence %u: %s\n", p->step, i, reason);
        CHECK_EQUAL(status, CTREE_OK);
    }
    if (ct_seq_pool_check(&p->pool, &census, &reason) != CTREE_OK) {
        printf("step %" PRIu64 ": %s\n", p->step, reason);
        CHECK(false);
    }
    for (uint32_t i = 0; i < PROGRAM_SEQS && whole; i++) program_compare(p, i);
    if (p->free_count != 0) {
        uint32_t slot = p->free_slots[random_below(&p->random, p->free_count)];
        CHECK(!ct_seq_holds(&p->pool, slot));
        CHECK_EQUAL(ct_seq_rank_in(&p->pool, &p->seq[0], slot), CTREE_END);
    }
}

/* An edit takes no more blocks than were reserved for it: the numbers in use grow where nothing free was left. */
static void program_reserve(program *p, ct_seq_work work) {
    CHECK_EQUAL(ct_seq_reserve(&p->pool, &work), CTREE_OK);
    p->room = ct_seq_room_for(&p->pool, &work);
    p->before[0] = p->pool.leaves;
    p->before[1] = p->pool.inners;
    p->before[2] = p->pool.wides;
}

static void program_check_blocks(const ct_seq_blocks *before, const ct_seq_blocks *now, uint64_t room) {
    uint64_t fresh = room > before->free_count ? room - before->free_count : 0;
    CHECK(now->used <= before->used + fresh);
}

static void program_check_room(program *p) {
    program_check_blocks(&p->before[0], &p->pool.leaves, p->room.leaves);
    program_check_blocks(&p->before[1], &p->pool.inners, p->room.inners);
    program_check_blocks(&p->before[2], &p->pool.wides, p->room.wides);
}

/* ---- Steps --------------------------------------------------------------------------------------------------- */

static void program_free(program *p, const program_row *rows, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) p->free_slots[p->free_count++] = rows[i].slot;
}

/* Rows as a tree might have them: mostly within a level of the last, sometimes back to anywhere, rarely far down. */
static program_row program_row_after(program *p, uint32_t depth) {
    program_row row = {p->free_slots[--p->free_count], depth, 0};
    uint32_t kind = random_below(&p->random, 16);
    if (kind < 6) row.depth = depth + 1;
    if (kind == 6) row.depth = random_below(&p->random, depth + 1);
    if (kind == 7 && random_below(&p->random, 8) == 0) row.depth = random_below(&p->random, p->depth_span);
    if (kind == 8) row.depth = depth > 0 ? depth - 1 : 0;
    if (row.depth >= p->depth_span) row.depth = p->depth_span - 1;
    row.height = random_below(&p->random, 8) == 0 ? 0 : random_below(&p->random, 100);
    return row;
}

static uint32_t program_size(program *p, uint32_t most) {
    uint32_t kind = random_below(&p->random, 4);
    if (kind < 2 && most > 8) most = 8;
    if (kind == 2 && most > 300) most = 300;
    return random_below(&p->random, most + 1);
}

static void program_insert(program *p, uint32_t which) {
    program_list *list = &p->list[which];
    uint32_t at = random_below(&p->random, 3) == 0 ? list->count : random_below(&p->random, list->count + 1);
    uint32_t count = random_below(&p->random, 2) == 0 ? 1 : program_size(p, p->most);
    bool default_height = random_below(&p->random, 4) == 0;
    if (count > p->free_count || list->count > p->most) return;
    uint32_t depth = at == 0 ? 0 : list->rows[at - 1].depth;
    program_row *rows = program_room(count, sizeof *rows);
    for (uint32_t i = 0; i < count; i++) {
        rows[i] = program_row_after(p, depth);
        depth = rows[i].depth;
        if (default_height) rows[i].height = p->pool.height;
        p->a[i] = rows[i].slot;
        p->b[i] = rows[i].depth;
        p->c[i] = rows[i].height;
    }
    /* Half of the time beside a row that is found first, in front of it or right behind it. */
    ct_seq_place place = {.leaf = 0};
    bool behind = random_below(&p->random, 2) == 0;
    if (random_below(&p->random, 2) == 0 && (behind ? at != 0 : at != list->count)) {
        place = ct_seq_place_of(&p->pool, list->rows[behind ? at - 1 : at].slot);
        place.at += behind;
        CHECK(ct_seq_reaches(&p->pool, &place));
    }
    program_reserve(p, count == 1 ? (ct_seq_work){.inserts = 1}
                                  : (ct_seq_work){.runs = 1, .run_rows = count, .deep = true});
    list_put(list, at, rows, count);
    if (count == 1 && default_height) {
        ct_seq_insert(&p->pool, &p->seq[which], at, rows->slot, rows->depth);
    } else {
        ct_seq_rows run = {p->a, p->b, default_height ? NULL : p->c, count};
        ct_seq_insert_at(&p->pool, &p->seq[which], at, &place, run);
    }
    program_check_room(p);
    free(rows);
}

static void program_remove(program *p, uint32_t which) {
    program_list *list = &p->list[which];
    if (list->count == 0) return;
    uint32_t at = random_below(&p->random, list->count), count = 1;
    if (random_below(&p->random, 2) == 0) count = program_size(p, list->count - at);
    program_free(p, list->rows + at, count);
    list_take(list, at, count);
    ct_seq_blocks leaves = p->pool.leaves, inners = p->pool.inners, wides = p->pool.wides;
    if (count == 1) ct_seq_remove(&p->pool, &p->seq[which], at);
    else ct_seq_remove_range(&p->pool, &p->seq[which], at, count);
    /* A removal takes no blocks, not even for a moment. */
    CHECK(p->pool.leaves.used == leaves.used && p->pool.leaves.free_count >= leaves.free_count);
    CHECK(p->pool.inners.used == inners.used && p->pool.inners.free_count >= inners.free_count);
    CHECK(p->pool.wides.used == wides.used && p->pool.wides.free_count >= wides.free_count);
}

static void program_split(program *p, uint32_t which, uint32_t other) {
    program_list *list = &p->list[which];
    if (p->list[other].count != 0 || other == which) return;
    uint32_t at = random_below(&p->random, list->count + 1);
    program_reserve(p, (ct_seq_work){.pastes = 1});
    ct_seq_split(&p->pool, &p->seq[which], at, &p->seq[other]);
    program_check_room(p);
    list_put(&p->list[other], 0, list->rows + at, list->count - at);
    list->count = at;
}

static void program_join(program *p, uint32_t which, uint32_t other) {
    if (other == which) return;
    program_reserve(p, (ct_seq_work){.pastes = 1});
    list_put(&p->list[which], p->list[which].count, p->list[other].rows, p->list[other].count);
    p->list[other].count = 0;
    ct_seq_join(&p->pool, &p->seq[which], &p->seq[other]);
    program_check_room(p);
}

static void program_shift(program *p, uint32_t which) {
    program_list *list = &p->list[which];
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->rows[i].depth < least) least = list->rows[i].depth;
        if (list->rows[i].depth > most) most = list->rows[i].depth;
    }
    if (list->count == 0) return;
    uint32_t to = random_below(&p->random, p->depth_span - (most - least));
    if (random_below(&p->random, 2) == 0 && least > 0) to = least - 1;
    for (uint32_t i = 0; i < list->count; i++) list->rows[i].depth += to - least;
    ct_seq_shift(&p->seq[which], to - least);
}

static void program_cut(program *p, uint32_t which, uint32_t other) {
    program_list *list = &p->list[which];
    if (p->list[other].count != 0 || other == which || list->count == 0) return;
    uint32_t at = random_below(&p->random, list->count), count = program_size(p, list->count - at);
    program_reserve(p, (ct_seq_work){.cuts = 1});
    ct_seq_cut(&p->pool, &p->seq[which], at, count, &p->seq[other]);
    program_check_room(p);
    list_put(&p->list[other], 0, list->rows + at, count);
    list_take(list, at, count);
}

static void program_insert_seq(program *p, uint32_t which, uint32_t other) {
    program_list *list = &p->list[which];
    if (other == which) return;
    uint32_t at = random_below(&p->random, list->count + 1);
    program_reserve(p, (ct_seq_work){.pastes = 1});
    ct_seq_insert_seq(&p->pool, &p->seq[which], at, &p->seq[other]);
    program_check_room(p);
    list_put(list, at, p->list[other].rows, p->list[other].count);
    p->list[other].count = 0;
}

static void program_rebuild(program *p, uint32_t which) {
    program_list *list = &p->list[which];
    uint32_t owner = p->seq[which].owner;
    for (uint32_t i = 0; i < list->count; i++) {
        p->a[i] = list->rows[i].slot;
        p->b[i] = list->rows[i].depth;
        p->c[i] = list->rows[i].height;
    }
    ct_seq_destroy(&p->pool, &p->seq[which]);
    for (uint32_t i = 0; i < list->count; i++) CHECK(!ct_seq_holds(&p->pool, p->a[i]));
    ct_seq_rows rows = {p->a, p->b, p->c, list->count};
    CHECK_EQUAL(ct_seq_build(&p->pool, rows, &p->seq[which]), CTREE_OK);
    ct_seq_set_owner(&p->pool, &p->seq[which], owner);
}

static void program_step(program *p) {
    uint32_t which = random_below(&p->random, PROGRAM_SEQS), other = random_below(&p->random, PROGRAM_SEQS);
    /* From time to time everything shrinks, so that blocks are given back and trees get lower. */
    bool shrinking = p->step / 500 % 4 == 3;
    p->step++;
    switch (random_below(&p->random, 32)) {
        case 0:
        case 1: program_split(p, which, other); break;
        case 2: program_join(p, which, other); break;
        case 3:
        case 4:
        case 5: program_cut(p, which, other); break;
        case 6:
        case 7:
        case 8: program_insert_seq(p, which, other); break;
        case 9:
            if ((p->pool.parts & CT_SEQ_DEPTHS) != 0) program_shift(p, which);
            break;
        case 10:
            if (random_below(&p->random, 8) == 0) program_rebuild(p, which);
            break;
        case 11:
        case 12:
        case 13:
            if ((p->pool.parts & CT_SEQ_HEIGHTS) != 0 && p->list[which].count != 0) {
                uint32_t at = random_below(&p->random, p->list[which].count), height = random_below(&p->random, 500);
                ct_seq_set_height(&p->pool, &p->seq[which], at, height);
                p->list[which].rows[at].height = height;
            }
            break;
        default:
            if (random_below(&p->random, 10) < (shrinking ? 3u : 6u)) program_insert(p, which);
            else program_remove(p, which);
    }
}

/* Runs steps; after each the invariants are checked, and the rows of what is small. */
static void program_run(uint32_t parts, uint32_t slots, uint32_t span, uint32_t steps, uint64_t seed,
                        const ctree_allocator *allocator) {
    ct_mem mem;
    program p;
    CHECK_EQUAL(ct_mem_init(&mem, allocator), CTREE_OK);
    program_begin(&p, &mem, parts, slots, span, seed);
    uint32_t every = slots > 4000 ? 16 : slots > 500 ? 4 : 1;
    for (uint32_t i = 0; i < steps; i++) {
        program_step(&p);
        if (i % every != 0) continue;
        program_check(&p, true);
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t which = random_below(&p.random, PROGRAM_SEQS);
            if (p.list[which].count != 0) program_look(&p, which, random_below(&p.random, p.list[which].count));
        }
        uint32_t which = random_below(&p.random, PROGRAM_SEQS);
        if (p.list[which].count != 0) program_look_many(&p, which);
    }
    program_end(&p);
}

#endif
