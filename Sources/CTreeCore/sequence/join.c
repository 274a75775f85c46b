#include "sequence/block.h"

/* ---- Split --------------------------------------------------------------------------------------------------- */

/* What became of a block that was split: either part may be missing, but not both. Offsets are in the block's
   parent. */
typedef struct halves {
    uint32_t left, right, left_offset, right_offset;
} halves;

/* The smaller part moves: its rows have to be pointed at their new leaf. */
static halves split_leaf(ct_seq_pool *pool, uint32_t leaf, uint32_t at, uint32_t offset) {
    uint32_t count = ct_leaf_head(pool, leaf)->count;
    if (at == 0) return (halves){0, leaf, 0, offset};
    uint32_t fresh = ct_leaf_take(pool), lowered;
    if (at < count - at) {
        lowered = ct_leaf_copy(pool, fresh, 0, leaf, 0, at, 0);
        ct_leaf_erase(pool, leaf, 0, at);
        return (halves){fresh, leaf, offset + lowered, offset + ct_leaf_narrow(pool, leaf)};
    }
    lowered = ct_leaf_copy(pool, fresh, 0, leaf, at, count - at, 0);
    ct_leaf_erase(pool, leaf, at, count - at);
    return (halves){leaf, fresh, offset + ct_leaf_narrow(pool, leaf), offset + lowered};
}

/* Splits an inner block at an entry whose child was split. */
static halves split_inner(ct_seq_pool *pool, uint32_t block, uint32_t index, halves child, uint32_t offset) {
    uint32_t count = ct_inner_head(pool, block)->count;
    ct_entry right = ct_sum_up(pool, child.right, child.right_offset);
    if (child.left == 0 && index == 0) return (halves){0, block, 0, offset};
    halves result = {block, block, offset, offset};
    uint32_t fresh = ct_inner_take(pool, ct_inner_head(pool, block)->level), rest = count - index - 1;
    if (index < rest) {
        result.left = fresh;
        ct_inner_copy(pool, fresh, 0, block, 0, index, 0);
        ct_inner_erase(pool, block, 0, index + 1);
        ct_inner_insert(pool, block, 0, &right);
    } else {
        result.right = fresh;
        ct_inner_copy(pool, fresh, 0, block, index + 1, rest, 0);
        ct_inner_insert(pool, fresh, 0, &right);
        ct_inner_erase(pool, block, index, rest + 1);
    }
    if (child.left != 0) {
        ct_entry left = ct_sum_up(pool, child.left, child.left_offset);
        ct_inner_insert(pool, result.left, index, &left);
    }
    return result;
}

void ct_seq_split(ct_seq_pool *pool, ct_seq *seq, uint32_t position, ct_seq *right) {
    if (position >= seq->count) return;
    ct_seq_walk place = ct_seq_walk_from(pool, seq, position);
    ct_head head = *ct_leaf_head(pool, place.leaf);
    uint32_t offset = *ct_offset_of(pool, seq, place.leaf);
    halves split = split_leaf(pool, place.leaf, place.at, offset);
    while (head.index != CT_ROOT) {
        uint32_t block = head.parent, index = head.index;
        head = *ct_inner_head(pool, block);
        offset = *ct_offset_of(pool, seq, block);
        split = split_inner(pool, block, index, split, offset);
    }
    right->count = seq->count - position;
    seq->count = position;
    ct_set_root(pool, right, split.right, split.right_offset);
    ct_set_root(pool, seq, split.left, split.left_offset);
    if (split.left != 0) ct_tree_trim(pool, seq, true);
    ct_tree_trim(pool, right, false);
}

/* ---- Join ---------------------------------------------------------------------------------------------------- */

/* A root that became an inner block among others may hold too few entries for that. */
static void settle_root(ct_seq_pool *pool, ct_seq *seq, uint32_t block) {
    if (!ct_is_inner(block) || ct_inner_head(pool, block)->count >= CT_FAN_LEAST) return;
    const ct_head *head = ct_inner_head(pool, block);
    ct_tree_settle(pool, head->parent, head->index);
    ct_tree_lower(pool, seq);
}

void ct_seq_join(ct_seq_pool *pool, ct_seq *seq, ct_seq *right) {
    if (right->count == 0) return;
    uint32_t a = seq->root, b = right->root, rows = right->count;
    uint32_t high = seq->count == 0 ? 0 : ct_level(pool, a), low = ct_level(pool, b);
    if (seq->count == 0) {
        seq->count = rows;
        ct_set_root(pool, seq, b, right->base);
    } else {
        /* The leaves that meet. */
        uint32_t last = ct_edge(pool, a, 0, true), first = ct_edge(pool, b, 0, false);
        if (high == low) {
            ct_entry left = ct_sum_up(pool, a, seq->base), other = ct_sum_up(pool, b, right->base);
            uint32_t root = ct_inner_take(pool, high + 1);
            ct_inner_insert(pool, root, 0, &left);
            ct_inner_insert(pool, root, 1, &other);
            ct_set_root(pool, seq, root, 0);
            settle_root(pool, seq, a);
            if (seq->root == root) settle_root(pool, seq, b);
        } else if (high > low) {
            uint32_t block = ct_edge(pool, a, low + 1, true);
            ct_entry entry = ct_sum_up(pool, b, right->base - ct_frame_of(pool, seq, block));
            ct_tree_insert(pool, seq, block, ct_inner_head(pool, block)->count, &entry);
            settle_root(pool, seq, b);
        } else {
            uint32_t block = ct_edge(pool, b, high + 1, false);
            ct_entry entry = ct_sum_up(pool, a, seq->base - ct_frame_of(pool, right, block));
            ct_set_root(pool, seq, b, right->base);
            ct_tree_insert(pool, seq, block, 0, &entry);
            settle_root(pool, seq, a);
        }
        seq->count += rows;
        ct_tree_merge(pool, seq, last, first);
    }
    right->count = 0;
    ct_set_root(pool, right, 0, 0);
}
