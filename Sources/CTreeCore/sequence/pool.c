#include "sequence/block.h"

/* The back-pointer has 24 bits for a leaf. */
enum { LEAVES_MOST = 1 << 24 };

void ct_seq_pool_init(ct_seq_pool *pool, const ct_mem *mem, uint32_t parts) {
    *pool = (ct_seq_pool){.mem = mem, .parts = parts, .height = 1};
    pool->leaves = pool->inners = pool->wides = (ct_seq_blocks){.used = 1}; /* Number 0 names none. */
    ct_array_init(&pool->leaf_of, sizeof(uint32_t), (uint64_t)UINT32_MAX + 1);
    ct_array_init(&pool->leaf_heads, sizeof(ct_head), LEAVES_MOST);
    ct_array_init(&pool->leaf_slots, CT_LEAF * sizeof(uint32_t), LEAVES_MOST);
    ct_array_init(&pool->leaf_depths, CT_LEAF, LEAVES_MOST);
    ct_array_init(&pool->leaf_heights, CT_LEAF * sizeof(uint32_t), LEAVES_MOST);
    ct_array_init(&pool->wide_depths, CT_LEAF * sizeof(uint32_t), LEAVES_MOST);
    ct_array_init(&pool->inner_heads, sizeof(ct_head), LEAVES_MOST);
    ct_array_init(&pool->inner_rows, sizeof(ct_inner), LEAVES_MOST);
    ct_array_init(&pool->inner_depths, sizeof(ct_inner_depths), LEAVES_MOST);
    ct_array_init(&pool->inner_heights, sizeof(ct_inner_heights), LEAVES_MOST);
}

void ct_seq_pool_destroy(ct_seq_pool *pool) {
    ct_array_destroy(&pool->leaf_of, pool->mem);
    ct_array_destroy(&pool->leaf_heads, pool->mem);
    ct_array_destroy(&pool->leaf_slots, pool->mem);
    ct_array_destroy(&pool->leaf_depths, pool->mem);
    ct_array_destroy(&pool->leaf_heights, pool->mem);
    ct_array_destroy(&pool->wide_depths, pool->mem);
    ct_array_destroy(&pool->inner_heads, pool->mem);
    ct_array_destroy(&pool->inner_rows, pool->mem);
    ct_array_destroy(&pool->inner_depths, pool->mem);
    ct_array_destroy(&pool->inner_heights, pool->mem);
}

/* Blocks of address space that were only reserved take no memory; of the wide ones that is mostly all of them. */
static size_t bytes_held(const ct_array *array, uint32_t used) {
    bool touched_only = array->reserved != 0 && used < array->capacity;
    return touched_only ? (size_t)used * array->item_size : ct_array_bytes(array);
}

size_t ct_seq_pool_bytes(const ct_seq_pool *pool) {
    uint32_t leaves = pool->leaves.used, inners = pool->inners.used;
    return ct_array_bytes(&pool->leaf_of) + bytes_held(&pool->leaf_heads, leaves)
           + bytes_held(&pool->leaf_slots, leaves) + bytes_held(&pool->leaf_depths, leaves)
           + bytes_held(&pool->leaf_heights, leaves) + bytes_held(&pool->wide_depths, pool->wides.used)
           + bytes_held(&pool->inner_heads, inners) + bytes_held(&pool->inner_rows, inners)
           + bytes_held(&pool->inner_depths, inners) + bytes_held(&pool->inner_heights, inners);
}

/* ---- Room ---------------------------------------------------------------------------------------------------- */

ctree_status ct_seq_reserve_slots(ct_seq_pool *pool, uint64_t slots) {
    return ct_array_reserve(&pool->leaf_of, pool->mem, slots);
}

/* Block numbers to be touchable so that `more` can be taken; 0 when they are free already. */
static uint64_t numbers_needed(const ct_seq_blocks *blocks, uint64_t more) {
    return more <= blocks->free_count ? 0 : blocks->used + more - blocks->free_count;
}

static uint64_t lesser(uint64_t a, uint64_t b) { return a < b ? a : b; }

static ctree_status back_leaves(ct_seq_pool *pool, uint64_t numbers) {
    const ct_mem *mem = pool->mem;
    uint64_t ready = UINT64_MAX;
    ctree_status status = ct_array_reserve(&pool->leaf_heads, mem, numbers);
    if (status == CTREE_OK) status = ct_array_reserve(&pool->leaf_slots, mem, numbers);
    if (status == CTREE_OK && ct_has_depths(pool)) {
        status = ct_array_reserve(&pool->leaf_depths, mem, numbers);
        ready = pool->leaf_depths.capacity;
    }
    if (status == CTREE_OK && ct_has_heights(pool)) {
        status = ct_array_reserve(&pool->leaf_heights, mem, numbers);
        ready = lesser(ready, pool->leaf_heights.capacity);
    }
    if (status != CTREE_OK) return status;
    pool->leaves.ready = lesser(ready, lesser(pool->leaf_heads.capacity, pool->leaf_slots.capacity));
    return CTREE_OK;
}

static ctree_status back_inners(ct_seq_pool *pool, uint64_t numbers) {
    const ct_mem *mem = pool->mem;
    uint64_t ready = UINT64_MAX;
    ctree_status status = ct_array_reserve(&pool->inner_heads, mem, numbers);
    if (status == CTREE_OK) status = ct_array_reserve(&pool->inner_rows, mem, numbers);
    if (status == CTREE_OK && ct_has_depths(pool)) {
        status = ct_array_reserve(&pool->inner_depths, mem, numbers);
        ready = pool->inner_depths.capacity;
    }
    if (status == CTREE_OK && ct_has_heights(pool)) {
        status = ct_array_reserve(&pool->inner_heights, mem, numbers);
        ready = lesser(ready, pool->inner_heights.capacity);
    }
    if (status != CTREE_OK) return status;
    pool->inners.ready = lesser(ready, lesser(pool->inner_heads.capacity, pool->inner_rows.capacity));
    return CTREE_OK;
}

ctree_status ct_seq_reserve_blocks(ct_seq_pool *pool, ct_seq_room room) {
    if (!ct_has_depths(pool)) room.wides = 0;
    uint64_t leaf = numbers_needed(&pool->leaves, room.leaves);
    uint64_t inner = numbers_needed(&pool->inners, room.inners);
    uint64_t wide = numbers_needed(&pool->wides, room.wides);
    ctree_status status = CTREE_OK;
    if (leaf > pool->leaves.ready) status = back_leaves(pool, leaf);
    if (status == CTREE_OK && inner > pool->inners.ready) status = back_inners(pool, inner);
    if (status == CTREE_OK && wide > pool->wides.ready) {
        status = ct_array_reserve(&pool->wide_depths, pool->mem, wide);
        if (status == CTREE_OK) pool->wides.ready = pool->wide_depths.capacity;
    }
    if (status != CTREE_OK) return status;
    pool->leaves.granted = room.leaves;
    pool->inners.granted = room.inners;
    pool->wides.granted = room.wides;
    return CTREE_OK;
}

/* The level of the root of the highest tree that so many leaves can make. */
static uint64_t levels_above(uint64_t leaves) {
    uint64_t levels = 0;
    for (uint64_t blocks = leaves / 2; blocks > 0; blocks /= CT_FAN_LEAST) levels++;
    return levels;
}

/*
 * What the edits take at most. With h for the level of the highest root that there may be meanwhile:
 *
 *                     leaves   inner blocks               wide ones
 *   insert            1        1 a level, and a root      1            divides a full leaf, and what is full above it
 *   split             1        1 a level                  1            the part that moves
 *   join              -        1 a level, or a root more  -            divides what is full above where it hangs in
 *   paste             1        3h + 2                     1            split, join, join; or all into one leaf
 *   cut               2        3h + 1                     2            split, split, join; or out of one leaf
 *   run               1 + n    3h + 2, and those built    1 + n        all into one leaf; or n leaves built and
 * pasted
 *
 * Of two leaves that were one, no more are wide than were before and one more: the levels that a part spans, the
 * whole spanned too. A row that is put in can make its leaf span more. Merging two leaves makes none wide
 * (ct_tree_merge). Rows that are built fill leaves to CT_LEAF_FILL, the last one of each run less; m + 1 leaves have
 * m / CT_FAN_LEAST + 1 inner blocks above them at most, none where m is 0: those are filled to CT_FAN_FILL, all but
 * the last of a level.
 *
 * Between two edits a tree has fewer inner blocks than leaves, as each of them has two entries or more; only within
 * one are there more, and no more than that one takes. So all edits together do not take more than what is missing to
 * that.
 */
ct_seq_room ct_seq_room_for(const ct_seq_pool *pool, const ct_seq_work *work) {
    uint64_t full = work->run_rows / CT_LEAF_FILL, built = work->runs == 0 ? 0 : full + work->runs;
    ct_seq_room room = {work->inserts + work->runs + work->pastes + 2 * work->cuts + built, 0,
                        work->inserts + work->runs + work->pastes + 2 * work->cuts + (work->deep ? built : 0)};
    uint64_t leaves = pool->leaves.used - 1 - pool->leaves.free_count + room.leaves;
    uint64_t inners = pool->inners.used - 1 - pool->inners.free_count;
    uint64_t h = levels_above(leaves), above = full / CT_FAN_LEAST + lesser(work->runs, full);
    room.inners =
        work->inserts * (h + 1) + (work->runs + work->pastes) * (3 * h + 2) + work->cuts * (3 * h + 1) + above;
    uint64_t most = leaves + 3 * h + 2 + above;
    room.inners = lesser(room.inners, most > inners ? most - inners : 0);
    return room;
}

ctree_status ct_seq_reserve(ct_seq_pool *pool, const ct_seq_work *work) {
    return ct_seq_reserve_blocks(pool, ct_seq_room_for(pool, work));
}

ctree_status ct_seq_reserve_more(ct_seq_pool *pool, const ct_seq_work *work) {
    ct_seq_room room = ct_seq_room_for(pool, work);
    room.leaves += pool->leaves.granted;
    room.inners += pool->inners.granted;
    room.wides += pool->wides.granted;
    return ct_seq_reserve_blocks(pool, room);
}

/*
 * A call with one row takes a leaf only where it splits a full one. Of the two that become of it, neither lacks less
 * than an eighth of a leaf to be full again, so that after those that are full now each split costs that many rows. A
 * run of half a leaf or more has as many rows as the leaves would cost that it takes. A tree whose inner blocks have
 * two entries or more has fewer of them than leaves, and no more leaves are wide than there are.
 */
static ct_seq_room room_for_rows(const ct_seq_pool *pool, uint64_t runs, uint64_t run_rows, uint64_t rows) {
    uint64_t in_use = pool->leaves.used - 1 - pool->leaves.free_count;
    uint64_t splits = lesser(in_use + rows / (CT_LEAF - CT_LEAF_FILL), rows);
    ct_seq_room room = {splits + 2 * (runs + 1) + run_rows / CT_LEAF_FILL, 0, 0};
    uint64_t h = levels_above(in_use + room.leaves);
    room.inners = lesser(in_use + room.leaves + 3 * h + 2, (3 * h + 2) * room.leaves);
    room.wides = lesser(in_use + room.leaves, 2 * rows + 2 * (runs + 1) + run_rows);
    return room;
}

ctree_status ct_seq_reserve_rows(ct_seq_pool *pool, uint64_t runs, uint64_t run_rows, uint64_t rows) {
    return ct_seq_reserve_blocks(pool, room_for_rows(pool, runs, run_rows, rows));
}

/* ---- Blocks -------------------------------------------------------------------------------------------------- */

static void draw(ct_seq_pool *pool, ct_seq_blocks *blocks) {
    if (blocks->granted == 0) {
        pool->overdrawn = true;
    } else {
        blocks->granted--;
    }
}

uint32_t ct_leaf_take(ct_seq_pool *pool) {
    draw(pool, &pool->leaves);
    uint32_t leaf = pool->leaves.free;
    if (leaf != 0) {
        pool->leaves.free = ct_leaf_head(pool, leaf)->parent;
        pool->leaves.free_count--;
    } else {
        leaf = pool->leaves.used++;
    }
    *ct_leaf_head(pool, leaf) = (ct_head){0, 0, 0, 0};
    return leaf;
}

void ct_leaf_give(ct_seq_pool *pool, uint32_t leaf) {
    if (ct_leaf_wide(pool, leaf)) {
        uint32_t wide;
        memcpy(&wide, ct_leaf_bytes(pool, leaf), sizeof wide);
        ct_wide_give(pool, wide);
    }
    *ct_leaf_head(pool, leaf) = (ct_head){pool->leaves.free, 0, 0, 0};
    pool->leaves.free = leaf;
    pool->leaves.free_count++;
    pool->leaves.granted++;
}

uint32_t ct_inner_take(ct_seq_pool *pool, uint32_t level) {
    draw(pool, &pool->inners);
    uint32_t number = pool->inners.free;
    if (number != 0) {
        pool->inners.free = ct_inner_head(pool, number)->parent;
        pool->inners.free_count--;
    } else {
        number = pool->inners.used++;
    }
    *ct_inner_head(pool, number) = (ct_head){0, 0, 0, (uint8_t)level};
    memset(ct_inner_at(pool, number)->rows, 0xff, sizeof ct_inner_at(pool, number)->rows);
    return number | CT_INNER;
}

void ct_inner_give(ct_seq_pool *pool, uint32_t block) {
    *ct_inner_head(pool, block) = (ct_head){pool->inners.free, 0, 0, 0};
    pool->inners.free = block & ~CT_INNER;
    pool->inners.free_count++;
    pool->inners.granted++;
}

uint32_t ct_wide_take(ct_seq_pool *pool) {
    draw(pool, &pool->wides);
    uint32_t wide = pool->wides.free;
    if (wide == 0) return pool->wides.used++;
    pool->wides.free = *(uint32_t *)ct_array_at(&pool->wide_depths, wide, CT_LEAF * sizeof(uint32_t));
    pool->wides.free_count--;
    return wide;
}

void ct_wide_give(ct_seq_pool *pool, uint32_t wide) {
    *(uint32_t *)ct_array_at(&pool->wide_depths, wide, CT_LEAF * sizeof(uint32_t)) = pool->wides.free;
    pool->wides.free = wide;
    pool->wides.free_count++;
    pool->wides.granted++;
}
