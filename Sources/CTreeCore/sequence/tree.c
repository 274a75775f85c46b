#include "sequence/block.h"

void ct_set_root(ct_seq_pool *pool, ct_seq *seq, uint32_t block, uint32_t base) {
    seq->root = block;
    seq->base = block == 0 ? 0 : base;
    if (block == 0) return;
    ct_head *head = ct_block_head(pool, block);
    head->parent = seq->owner;
    head->index = CT_ROOT;
}

uint32_t *ct_offset_of(ct_seq_pool *pool, ct_seq *seq, uint32_t block) {
    const ct_head *head = ct_block_head(pool, block);
    if (head->index == CT_ROOT || !ct_has_depths(pool)) return &seq->base;
    return &ct_inner_depths_at(pool, head->parent)->offset[head->index];
}

uint32_t ct_frame_of(const ct_seq_pool *pool, const ct_seq *seq, uint32_t block) {
    uint32_t frame = seq->base;
    if (!ct_has_depths(pool)) return frame;
    const ct_head *head = ct_block_head(pool, block);
    while (head->index != CT_ROOT) {
        frame += ct_inner_depths_at(pool, head->parent)->offset[head->index];
        head = ct_inner_head(pool, head->parent);
    }
    return frame;
}

uint32_t ct_edge(const ct_seq_pool *pool, uint32_t root, uint32_t level, bool last) {
    uint32_t block = root;
    while (ct_level(pool, block) > level) {
        block = ct_inner_at(pool, block)->child[last ? ct_inner_head(pool, block)->count - 1 : 0];
    }
    return block;
}

void ct_climb_add(ct_seq_pool *pool, uint32_t block, uint32_t rows, uint64_t height) {
    const ct_head *head = ct_block_head(pool, block);
    while (head->index != CT_ROOT) {
        uint32_t parent = head->parent, index = head->index;
        head = ct_inner_head(pool, parent);
        uint32_t *row = ct_inner_at(pool, parent)->rows;
        for (uint32_t i = index; i < head->count; i++) row[i] += rows;
        if (ct_has_heights(pool)) {
            uint64_t *sum = ct_inner_heights_at(pool, parent)->sum;
            for (uint32_t i = index; i < head->count; i++) sum[i] += height;
        }
    }
}

void ct_climb_least(ct_seq_pool *pool, uint32_t block) {
    if (!ct_has_depths(pool)) return;
    for (;;) {
        const ct_head *head = ct_block_head(pool, block);
        if (head->index == CT_ROOT) return;
        ct_inner_depths *depths = ct_inner_depths_at(pool, head->parent);
        uint32_t least = ct_block_least(pool, block) + depths->offset[head->index];
        if (depths->least[head->index] == least) return;
        depths->least[head->index] = least;
        block = head->parent;
    }
}

/* ---- Entries ------------------------------------------------------------------------------------------------- */

/* Entries `index` and the next have exchanged rows or one of them is new: what they hold together is unchanged. */
static void recount_pair(ct_seq_pool *pool, uint32_t block, uint32_t index) {
    ct_inner *inner = ct_inner_at(pool, block);
    uint32_t offset[2] = {0, 0};
    if (ct_has_depths(pool)) {
        offset[0] = ct_inner_depths_at(pool, block)->offset[index];
        offset[1] = ct_inner_depths_at(pool, block)->offset[index + 1];
    }
    ct_entry left = ct_sum_up(pool, inner->child[index], offset[0]);
    inner->rows[index] = ct_rows_before(inner, index) + left.rows;
    if (ct_has_heights(pool)) {
        uint64_t *sum = ct_inner_heights_at(pool, block)->sum;
        sum[index] = (index == 0 ? 0 : sum[index - 1]) + left.height;
    }
    if (ct_has_depths(pool)) {
        uint32_t *least = ct_inner_depths_at(pool, block)->least;
        least[index] = left.least;
        least[index + 1] = ct_block_least(pool, inner->child[index + 1]) + offset[1];
    }
}

/* The parent has room, or the block is the root. */
static uint32_t divide(ct_seq_pool *pool, ct_seq *seq, uint32_t block, uint32_t keep) {
    ct_head *head = ct_block_head(pool, block);
    uint32_t level = ct_level(pool, block), rest = head->count - keep, right;
    if (head->index == CT_ROOT) {
        ct_entry only = ct_sum_up(pool, block, seq->base);
        uint32_t root = ct_inner_take(pool, level + 1);
        ct_inner_insert(pool, root, 0, &only);
        ct_set_root(pool, seq, root, 0);
    }
    uint32_t parent = head->parent, index = head->index;
    ct_entry entry = {0, 0, *ct_offset_of(pool, seq, block), 0, 0};
    if (level == 0) {
        right = ct_leaf_take(pool);
        entry.offset += ct_leaf_copy(pool, right, 0, block, keep, rest, 0);
        ct_leaf_erase(pool, block, keep, rest);
        *ct_offset_of(pool, seq, block) += ct_leaf_narrow(pool, block);
    } else {
        right = ct_inner_take(pool, level);
        ct_inner_copy(pool, right, 0, block, keep, rest, 0);
        ct_inner_erase(pool, block, keep, rest);
    }
    entry.child = right; /* With no rows of its own yet: they are still counted in its neighbour. */
    ct_inner_insert(pool, parent, index + 1, &entry);
    recount_pair(pool, parent, index);
    return right;
}

uint32_t ct_tree_divide(ct_seq_pool *pool, ct_seq *seq, uint32_t block, uint32_t keep) {
    for (;;) {
        /* The highest block that has to be divided first: full, under a parent with room. */
        uint32_t full = block, index = 0;
        for (;;) {
            const ct_head *head = ct_block_head(pool, full);
            if (head->index == CT_ROOT || ct_inner_head(pool, head->parent)->count < CT_FAN) break;
            index = head->index;
            full = head->parent;
        }
        if (full == block) return divide(pool, seq, block, keep);
        /* Appends leave full blocks behind. */
        uint32_t left = index == CT_FAN - 1 ? CT_FAN - CT_FAN_LEAST : index == 0 ? CT_FAN_LEAST : CT_FAN / 2;
        divide(pool, seq, full, left);
    }
}

void ct_tree_insert(ct_seq_pool *pool, ct_seq *seq, uint32_t block, uint32_t at, const ct_entry *entry) {
    if (ct_inner_head(pool, block)->count == CT_FAN) {
        uint32_t keep = at == CT_FAN ? CT_FAN - CT_FAN_LEAST : at == 0 ? CT_FAN_LEAST : CT_FAN / 2;
        uint32_t right = ct_tree_divide(pool, seq, block, keep);
        if (at > keep) {
            block = right;
            at -= keep;
        }
    }
    ct_inner_insert(pool, block, at, entry);
    ct_climb_add(pool, block, entry->rows, entry->height);
    ct_climb_least(pool, block);
}

void ct_tree_settle(ct_seq_pool *pool, uint32_t block, uint32_t index) {
    uint32_t at = index == 0 ? 0 : index - 1;
    ct_inner *inner = ct_inner_at(pool, block);
    uint32_t left = inner->child[at], right = inner->child[at + 1];
    uint32_t a = ct_inner_head(pool, left)->count, b = ct_inner_head(pool, right)->count, shift = 0;
    if (ct_has_depths(pool)) {
        const uint32_t *offset = ct_inner_depths_at(pool, block)->offset;
        shift = offset[at + 1] - offset[at];
    }
    if (a + b <= CT_FAN_MERGE) {
        ct_inner_copy(pool, left, a, right, 0, b, shift);
        ct_inner_erase(pool, right, 0, b);
    } else if (a < b) {
        uint32_t moved = (b - a) / 2;
        ct_inner_copy(pool, left, a, right, 0, moved, shift);
        ct_inner_erase(pool, right, 0, moved);
    } else {
        uint32_t moved = (a - b) / 2;
        ct_inner_copy(pool, right, 0, left, a - moved, moved, 0 - shift);
        ct_inner_erase(pool, left, a - moved, moved);
    }
    if (ct_inner_head(pool, right)->count != 0) {
        recount_pair(pool, block, at);
        return;
    }
    /* All of it stands left now: give the left entry the right one's end, then take the right one out, empty. */
    inner->rows[at] = inner->rows[at + 1];
    if (ct_has_heights(pool)) {
        uint64_t *sum = ct_inner_heights_at(pool, block)->sum;
        sum[at] = sum[at + 1];
    }
    if (ct_has_depths(pool)) {
        uint32_t *least = ct_inner_depths_at(pool, block)->least;
        if (ct_less(least[at + 1], least[at])) least[at] = least[at + 1];
    }
    ct_inner_erase(pool, block, at + 1, 1);
    ct_inner_give(pool, right);
}

/* ---- Whole trees --------------------------------------------------------------------------------------------- */

void ct_tree_lower(ct_seq_pool *pool, ct_seq *seq) {
    while (ct_is_inner(seq->root) && ct_inner_head(pool, seq->root)->count == 1) {
        uint32_t root = seq->root, child = ct_inner_at(pool, root)->child[0], base = seq->base;
        if (ct_has_depths(pool)) base += ct_inner_depths_at(pool, root)->offset[0];
        ct_inner_give(pool, root);
        ct_set_root(pool, seq, child, base);
    }
}

void ct_tree_drop(ct_seq_pool *pool, ct_seq *seq, uint32_t block) {
    ct_head head = *ct_block_head(pool, block);
    ct_leaf_give(pool, block);
    if (head.index == CT_ROOT) {
        ct_set_root(pool, seq, 0, 0);
        return;
    }
    uint32_t parent = head.parent;
    ct_inner_erase(pool, parent, head.index, 1);
    ct_climb_least(pool, parent);
    for (;;) {
        const ct_head *small = ct_inner_head(pool, parent);
        if (small->index == CT_ROOT || small->count >= CT_FAN_LEAST) break;
        uint32_t above = small->parent;
        ct_tree_settle(pool, above, small->index);
        parent = above;
    }
    ct_tree_lower(pool, seq);
}

void ct_tree_merge(ct_seq_pool *pool, ct_seq *seq, uint32_t left, uint32_t right) {
    uint32_t a = ct_leaf_head(pool, left)->count, b = ct_leaf_head(pool, right)->count;
    if (a + b > CT_LEAF_MERGE) return;
    bool into_right = a < b;
    if (ct_has_depths(pool)) {
        bool left_wide = ct_leaf_wide(pool, left), right_wide = ct_leaf_wide(pool, right);
        if (left_wide != right_wide) into_right = right_wide;
        /* None becomes wide by it: a removal reserves nothing, and words take as much as the leaf that would go. */
        uint32_t apart = ct_frame_of(pool, seq, right) - ct_frame_of(pool, seq, left);
        if (!left_wide && !right_wide && !ct_leaf_fit_bytes(pool, left, right, apart)) return;
    }
    uint32_t source = into_right ? left : right, target = into_right ? right : left, rows = into_right ? a : b;
    uint32_t shift = ct_frame_of(pool, seq, source) - ct_frame_of(pool, seq, target);
    uint64_t height = ct_leaf_height(pool, source, 0, rows);
    uint32_t lowered = ct_leaf_copy(pool, target, into_right ? 0 : a, source, 0, rows, shift);
    *ct_offset_of(pool, seq, target) += lowered;
    ct_climb_add(pool, target, rows, height);
    ct_climb_add(pool, source, 0 - rows, 0 - height);
    ct_climb_least(pool, target);
    ct_tree_drop(pool, seq, source);
}

void ct_tree_trim(ct_seq_pool *pool, ct_seq *seq, bool last) {
    ct_tree_lower(pool, seq);
    uint32_t block = seq->root;
    while (ct_level(pool, block) > 1) {
        /* A block on the way down keeps one entry more than the least, so that a merge below cannot make it small. */
        uint32_t index = last ? ct_inner_head(pool, block)->count - 1u : 0;
        if (ct_inner_head(pool, ct_inner_at(pool, block)->child[index])->count <= CT_FAN_LEAST) {
            ct_tree_settle(pool, block, index);
            if (block == seq->root) {
                ct_tree_lower(pool, seq);
                if (block != seq->root) {
                    block = seq->root;
                    continue;
                }
            }
            index = last ? ct_inner_head(pool, block)->count - 1u : 0;
        }
        block = ct_inner_at(pool, block)->child[index];
    }
}
