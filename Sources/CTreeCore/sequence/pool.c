#include "sequence/block.h"

/* The back-pointer has 24 bits for a leaf. */
enum { LEAVES_MOST = 1 << 24 };

void ct_seq_pool_init(ct_seq_pool *pool, const ct_mem *mem, uint32_t parts) {
    *pool = (ct_seq_pool){.mem = mem, .parts = parts, .height = 1};
    pool->leaves = pool->inners = pool->wides = (ct_seq_blocks){1, 0, 0}; /* Number 0 names none. */
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

ctree_status ct_seq_reserve_blocks(ct_seq_pool *pool, ct_seq_room room) {
    const ct_mem *mem = pool->mem;
    bool depths = ct_has_depths(pool), heights = ct_has_heights(pool);
    uint64_t leaf = numbers_needed(&pool->leaves, room.leaves);
    uint64_t inner = numbers_needed(&pool->inners, room.inners);
    uint64_t wide = depths ? numbers_needed(&pool->wides, room.wides) : 0;
    ctree_status status = ct_array_reserve(&pool->leaf_heads, mem, leaf);
    if (status == CTREE_OK) status = ct_array_reserve(&pool->leaf_slots, mem, leaf);
    if (status == CTREE_OK && depths) status = ct_array_reserve(&pool->leaf_depths, mem, leaf);
    if (status == CTREE_OK && heights) status = ct_array_reserve(&pool->leaf_heights, mem, leaf);
    if (status == CTREE_OK) status = ct_array_reserve(&pool->wide_depths, mem, wide);
    if (status == CTREE_OK) status = ct_array_reserve(&pool->inner_heads, mem, inner);
    if (status == CTREE_OK) status = ct_array_reserve(&pool->inner_rows, mem, inner);
    if (status == CTREE_OK && depths) status = ct_array_reserve(&pool->inner_depths, mem, inner);
    if (status == CTREE_OK && heights) status = ct_array_reserve(&pool->inner_heights, mem, inner);
    return status;
}

ct_seq_room ct_seq_room_for(const ct_seq_pool *pool, uint32_t calls, uint64_t rows) {
    /* A call splits at most two leaves and one block a level for each, and builds at most one run of rows. Leaves
       that it splits, merges or writes to may become wide. The levels grow with what the pool holds. */
    uint64_t levels = 2, run = rows / CT_LEAF_FILL + calls;
    for (uint64_t leaves = pool->leaves.used + run; leaves > 0; leaves /= CT_FAN_LEAST) levels++;
    return (ct_seq_room){3 * (uint64_t)calls + run, 3 * levels * calls + run / CT_FAN_LEAST,
                         4 * (uint64_t)calls + run};
}

ctree_status ct_seq_reserve(ct_seq_pool *pool, uint32_t calls, uint64_t rows) {
    return ct_seq_reserve_blocks(pool, ct_seq_room_for(pool, calls, rows));
}

/*
 * A call with one row takes a leaf only where it splits a full one. Of the two that become of it, neither lacks less
 * than an eighth of a leaf to be full again, so that after those that are full now each split costs that many rows. A
 * run of half a leaf or more has as many rows as the leaves would cost that it takes. A tree whose inner blocks have
 * two entries or more has fewer of them than leaves, and no more leaves are wide than there are.
 */
static ct_seq_room room_for_rows(const ct_seq_pool *pool, uint64_t runs, uint64_t run_rows, uint64_t rows) {
    uint64_t in_use = pool->leaves.used - 1 - pool->leaves.free_count, levels = 2;
    uint64_t splits = in_use + rows / (CT_LEAF - CT_LEAF_FILL);
    if (splits > rows) splits = rows;
    ct_seq_room room = {splits + 4 * (runs + 1) + run_rows / CT_LEAF_FILL, 0, 2 * rows + 5 * (runs + 1) + run_rows};
    for (uint64_t most = in_use + room.leaves; most > 0; most /= CT_FAN_LEAST) levels++;
    room.inners = in_use + room.leaves + 3 * levels;
    if (room.inners > levels * room.leaves) room.inners = levels * room.leaves;
    if (room.wides > in_use + room.leaves) room.wides = in_use + room.leaves;
    return room;
}

ctree_status ct_seq_reserve_rows(ct_seq_pool *pool, uint64_t runs, uint64_t run_rows, uint64_t rows) {
    return ct_seq_reserve_blocks(pool, room_for_rows(pool, runs, run_rows, rows));
}

/* ---- Blocks -------------------------------------------------------------------------------------------------- */

uint32_t ct_leaf_take(ct_seq_pool *pool) {
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
}

uint32_t ct_inner_take(ct_seq_pool *pool, uint32_t level) {
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
}

bool ct_wide_ready(const ct_seq_pool *pool) {
    return pool->wides.free != 0 || pool->wides.used < pool->wide_depths.capacity;
}

uint32_t ct_wide_take(ct_seq_pool *pool) {
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
}
