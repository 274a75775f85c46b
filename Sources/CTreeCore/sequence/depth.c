#include "sequence/block.h"

uint32_t ct_seq_depth_of(const ct_seq_pool *pool, const ct_seq *seq, uint32_t slot) {
    uint32_t back = ct_array_get_u32(&pool->leaf_of, slot), leaf = back >> 8;
    return ct_leaf_depth(pool, leaf, ct_leaf_find(pool, slot, back)) + ct_frame_of(pool, seq, leaf);
}

/* The first entry from `from` on that has a row of this depth at most, or the number of entries. */
static uint32_t entry_at_most(const ct_seq_pool *pool, uint32_t block, uint32_t from, uint32_t depth) {
    const uint32_t *least = ct_inner_depths_at(pool, block)->least;
    uint32_t count = ct_inner_head(pool, block)->count, i = from;
    while (i < count && ct_less(depth, least[i])) i++;
    return i;
}

/* Rows from a place on before the first of this depth at most; the depth is in the leaf's frame. Up while the rest of
   a block is deeper, then down: the frames passed are all it needs, so it can begin at a leaf. */
static uint32_t rows_deeper(const ct_seq_pool *pool, uint32_t leaf, uint32_t at, uint32_t depth) {
    const ct_head *head = ct_leaf_head(pool, leaf);
    uint32_t found = ct_leaf_next_at_most(pool, leaf, at, depth), rows = found - at, block = 0;
    if (found < head->count) return rows;
    while (block == 0) {
        if (head->index == CT_ROOT) return rows;
        uint32_t parent = head->parent, index = head->index;
        const ct_inner *inner = ct_inner_at(pool, parent);
        const uint32_t *offset = ct_inner_depths_at(pool, parent)->offset;
        head = ct_inner_head(pool, parent);
        depth += offset[index];
        found = entry_at_most(pool, parent, index + 1, depth);
        rows += inner->rows[found - 1] - inner->rows[index];
        if (found < head->count) {
            block = inner->child[found];
            depth -= offset[found];
        }
    }
    while (ct_is_inner(block)) {
        const ct_inner *inner = ct_inner_at(pool, block);
        found = entry_at_most(pool, block, 0, depth);
        rows += ct_rows_before(inner, found);
        depth -= ct_inner_depths_at(pool, block)->offset[found];
        block = inner->child[found];
    }
    return rows + ct_leaf_next_at_most(pool, block, 0, depth);
}

uint32_t ct_seq_extent_at(const ct_seq_pool *pool, const ct_seq_place *place) {
    return 1 + rows_deeper(pool, place->leaf, place->at + 1, ct_leaf_depth(pool, place->leaf, place->at));
}

uint32_t ct_seq_extent(const ct_seq_pool *pool, uint32_t slot) {
    uint32_t back = ct_array_get_u32(&pool->leaf_of, slot), leaf = back >> 8;
    uint32_t at = ct_leaf_find(pool, slot, back);
    return 1 + rows_deeper(pool, leaf, at + 1, ct_leaf_depth(pool, leaf, at));
}

uint32_t ct_seq_next_at_most(const ct_seq_pool *pool, const ct_seq *seq, uint32_t position, uint32_t depth) {
    ct_seq_walk place = ct_seq_walk_from(pool, seq, position);
    if (place.leaf == 0) return seq->count;
    return position + rows_deeper(pool, place.leaf, place.at, depth - place.frame);
}
