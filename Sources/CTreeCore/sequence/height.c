#include "sequence/block.h"

static uint64_t height_before(const ct_seq_pool *pool, uint32_t block, uint32_t index) {
    return index == 0 ? 0 : ct_inner_heights_at(pool, block)->sum[index - 1];
}

uint64_t ct_seq_total_height(const ct_seq_pool *pool, const ct_seq *seq) {
    if (seq->root == 0) return 0;
    if (!ct_is_inner(seq->root)) return ct_leaf_height(pool, seq->root, 0, seq->count);
    return height_before(pool, seq->root, ct_inner_head(pool, seq->root)->count);
}

uint64_t ct_seq_offset_at(const ct_seq_pool *pool, const ct_seq *seq, uint32_t position) {
    if (position >= seq->count) return ct_seq_total_height(pool, seq);
    uint32_t block = seq->root;
    uint64_t offset = 0;
    while (ct_is_inner(block)) {
        const ct_inner *inner = ct_inner_at(pool, block);
        uint32_t index = ct_find_entry(inner, position);
        position -= ct_rows_before(inner, index);
        offset += height_before(pool, block, index);
        block = inner->child[index];
    }
    return offset + ct_leaf_height(pool, block, 0, position);
}

uint32_t ct_seq_position_at(const ct_seq_pool *pool, const ct_seq *seq, uint64_t offset, uint64_t *within) {
    uint32_t block = seq->root, position = 0, i = 0;
    while (ct_is_inner(block)) {
        const uint64_t *sum = ct_inner_heights_at(pool, block)->sum;
        uint32_t index = 0, count = ct_inner_head(pool, block)->count;
        for (uint32_t k = 0; k < count; k++) index += sum[k] <= offset;
        position += ct_rows_before(ct_inner_at(pool, block), index);
        offset -= height_before(pool, block, index);
        block = ct_inner_at(pool, block)->child[index];
    }
    for (const uint32_t *heights = ct_leaf_heights(pool, block); heights[i] <= offset; i++) offset -= heights[i];
    if (within != NULL) *within = offset;
    return position + i;
}

void ct_seq_set_height(ct_seq_pool *pool, ct_seq *seq, uint32_t position, uint32_t height) {
    ct_seq_walk place = ct_seq_walk_from(pool, seq, position);
    uint32_t *own = ct_leaf_heights(pool, place.leaf) + place.at;
    uint64_t more = (uint64_t)height - *own;
    *own = height;
    ct_climb_add(pool, place.leaf, 0, more);
}
