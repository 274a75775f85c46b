#include "sequence/block.h"

ct_seq_walk ct_seq_walk_from(const ct_seq_pool *pool, const ct_seq *seq, uint32_t position) {
    ct_seq_walk walk = {0, 0, 0};
    if (position >= seq->count) return walk;
    uint32_t block = seq->root, frame = seq->base;
    bool depths = ct_has_depths(pool);
    while (ct_is_inner(block)) {
        const ct_inner *inner = ct_inner_at(pool, block);
        uint32_t index = ct_find_entry(inner, position);
        position -= ct_rows_before(inner, index);
        if (depths) frame += ct_inner_depths_at(pool, block)->offset[index];
        block = inner->child[index];
    }
    return (ct_seq_walk){block, position, frame};
}

uint32_t ct_seq_walk_span(const ct_seq_pool *pool, ct_seq_walk *walk, const uint32_t **slots) {
    if (walk->leaf == 0) return 0;
    const ct_head *head = ct_leaf_head(pool, walk->leaf);
    uint32_t count = head->count - walk->at;
    *slots = ct_leaf_slots(pool, walk->leaf) + walk->at;
    /* On to the next leaf: up to an entry that has another behind it, and down along the first entries. */
    walk->at = 0;
    uint32_t block = walk->leaf;
    for (;;) {
        if (head->index == CT_ROOT) {
            walk->leaf = 0;
            return count;
        }
        uint32_t parent = head->parent, index = head->index + 1u;
        head = ct_inner_head(pool, parent);
        if (ct_has_depths(pool)) walk->frame -= ct_inner_depths_at(pool, parent)->offset[index - 1];
        if (index < head->count) {
            if (ct_has_depths(pool)) walk->frame += ct_inner_depths_at(pool, parent)->offset[index];
            block = ct_inner_at(pool, parent)->child[index];
            break;
        }
    }
    while (ct_is_inner(block)) {
        if (ct_has_depths(pool)) walk->frame += ct_inner_depths_at(pool, block)->offset[0];
        block = ct_inner_at(pool, block)->child[0];
    }
    walk->leaf = block;
    return count;
}

void ct_seq_span_depths(const ct_seq_pool *pool, const ct_seq_walk *walk, uint32_t count, uint32_t *depths) {
    ct_leaf_words_out(pool, walk->leaf, walk->at, count, depths);
    for (uint32_t i = 0; i < count; i++) depths[i] += walk->frame;
}

uint32_t ct_seq_at(const ct_seq_pool *pool, const ct_seq *seq, uint32_t position) {
    uint32_t block = seq->root;
    while (ct_is_inner(block)) {
        const ct_inner *inner = ct_inner_at(pool, block);
        uint32_t index = ct_find_entry(inner, position);
        position -= ct_rows_before(inner, index);
        block = inner->child[index];
    }
    return ct_leaf_slots(pool, block)[position];
}

bool ct_seq_holds(const ct_seq_pool *pool, uint32_t slot) {
    return slot < pool->leaf_of.capacity && ct_array_get_u32(&pool->leaf_of, slot) != 0;
}

uint32_t ct_seq_rank(const ct_seq_pool *pool, uint32_t slot) {
    uint32_t back = ct_array_get_u32(&pool->leaf_of, slot);
    uint32_t rank = ct_leaf_find(pool, slot, back);
    const ct_head *head = ct_leaf_head(pool, back >> 8);
    while (head->index != CT_ROOT) {
        rank += ct_rows_before(ct_inner_at(pool, head->parent), head->index);
        head = ct_inner_head(pool, head->parent);
    }
    return rank;
}

/* The root over a leaf. */
static uint32_t root_over(const ct_seq_pool *pool, uint32_t leaf) {
    uint32_t block = leaf;
    for (const ct_head *head = ct_leaf_head(pool, leaf); head->index != CT_ROOT; head = ct_inner_head(pool, block)) {
        block = head->parent;
    }
    return block;
}

uint32_t ct_seq_root_of(const ct_seq_pool *pool, uint32_t slot) {
    return root_over(pool, ct_array_get_u32(&pool->leaf_of, slot) >> 8);
}

uint32_t ct_seq_owner_of(const ct_seq_pool *pool, uint32_t slot) {
    return ct_block_head(pool, ct_seq_root_of(pool, slot))->parent;
}

uint32_t ct_seq_rank_in(const ct_seq_pool *pool, const ct_seq *seq, uint32_t slot) {
    if (!ct_seq_holds(pool, slot)) return CTREE_END;
    uint32_t back = ct_array_get_u32(&pool->leaf_of, slot), block = back >> 8;
    uint32_t rank = ct_leaf_find(pool, slot, back);
    for (const ct_head *head = ct_leaf_head(pool, block); head->index != CT_ROOT; head = ct_inner_head(pool, block)) {
        block = head->parent;
        rank += ct_rows_before(ct_inner_at(pool, block), head->index);
    }
    return block == seq->root ? rank : CTREE_END;
}

void ct_seq_copy_rows(const ct_seq_pool *pool, const ct_seq *seq, uint32_t first, uint32_t count, uint32_t *slots,
                      uint32_t *depths, uint32_t *heights) {
    ct_seq_walk walk = ct_seq_walk_from(pool, seq, first);
    while (count != 0) {
        ct_seq_walk here = walk;
        const uint32_t *span_slots = NULL;
        uint32_t span = ct_seq_walk_span(pool, &walk, &span_slots);
        if (span > count) span = count;
        if (slots != NULL) {
            memcpy(slots, span_slots, span * sizeof *slots);
            slots += span;
        }
        if (depths != NULL) {
            ct_seq_span_depths(pool, &here, span, depths);
            depths += span;
        }
        if (heights != NULL) {
            memcpy(heights, ct_leaf_heights(pool, here.leaf) + here.at, span * sizeof *heights);
            heights += span;
        }
        count -= span;
    }
}
