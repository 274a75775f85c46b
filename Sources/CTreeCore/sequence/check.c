#include "sequence/block.h"

static ctree_status broken(const char **reason, const char *why) {
    *reason = why;
    return CTREE_CORRUPT;
}

static ctree_status check_leaf(const ct_seq_pool *pool, uint32_t leaf, ct_seq_census *census, const char **reason) {
    const ct_head *head = ct_leaf_head(pool, leaf);
    const uint32_t *slots = ct_leaf_slots(pool, leaf);
    if (head->count == 0 || head->count > CT_LEAF) return broken(reason, "a leaf is empty or too full");
    for (uint32_t i = 0; i < head->count; i++) {
        if (slots[i] >= pool->leaf_of.capacity) {
            return broken(reason, "a leaf holds a slot that the pool has no room for");
        }
        uint32_t back = ct_array_get_u32(&pool->leaf_of, slots[i]);
        if (back >> 8 != leaf) return broken(reason, "a slot does not know its leaf");
        if (ct_leaf_find(pool, slots[i], back) != i) return broken(reason, "a slot stands in a leaf twice");
    }
    if (census != NULL) {
        census->leaves++;
        census->wides += ct_has_depths(pool) && ct_leaf_wide(pool, leaf);
    }
    return CTREE_OK;
}

/* What an inner block says of an entry against what the child is. */
static ctree_status check_entry(const ct_seq_pool *pool, uint32_t block, uint32_t index, const char **reason) {
    const ct_inner *inner = ct_inner_at(pool, block);
    uint32_t child = inner->child[index], offset = 0;
    if (child == 0 || ct_level(pool, child) + 1 != ct_inner_head(pool, block)->level) {
        return broken(reason, "a child stands on the wrong level");
    }
    const ct_head *head = ct_block_head(pool, child);
    if (head->count == 0) return broken(reason, "a block is empty");
    if (head->parent != block || head->index != index) return broken(reason, "a block does not know its parent");
    if (ct_has_depths(pool)) offset = ct_inner_depths_at(pool, block)->offset[index];
    ct_entry entry = ct_sum_up(pool, child, offset);
    if (inner->rows[index] - ct_rows_before(inner, index) != entry.rows) {
        return broken(reason, "a count of rows is wrong");
    }
    if (ct_has_heights(pool)) {
        const uint64_t *sum = ct_inner_heights_at(pool, block)->sum;
        if (sum[index] - (index == 0 ? 0 : sum[index - 1]) != entry.height) {
            return broken(reason, "a height is wrong");
        }
    }
    if (ct_has_depths(pool) && ct_inner_depths_at(pool, block)->least[index] != entry.least) {
        return broken(reason, "a least depth is wrong");
    }
    return CTREE_OK;
}

static ctree_status check_inner(const ct_seq_pool *pool, uint32_t block, ct_seq_census *census, const char **reason) {
    const ct_head *head = ct_inner_head(pool, block);
    const ct_inner *inner = ct_inner_at(pool, block);
    uint32_t least = head->index == CT_ROOT ? 2 : CT_FAN_LEAST;
    if (head->level == 0) return broken(reason, "an inner block has the level of a leaf");
    if (head->count < least || head->count > CT_FAN) {
        return broken(reason, "an inner block has too few or too many entries");
    }
    for (uint32_t i = head->count; i < CT_FAN; i++) {
        if (inner->rows[i] != UINT32_MAX) return broken(reason, "a search would run past the last entry");
    }
    for (uint32_t i = 0; i < head->count; i++) {
        ctree_status status = check_entry(pool, block, i, reason);
        if (status != CTREE_OK) return status;
    }
    if (census != NULL) census->inners++;
    return CTREE_OK;
}

ctree_status ct_seq_check(const ct_seq_pool *pool, const ct_seq *seq, ct_seq_census *census, const char **reason) {
    uint32_t block = seq->root, rows = 0;
    if (block == 0) return seq->count == 0 ? CTREE_OK : broken(reason, "an empty sequence counts rows");
    const ct_head *head = ct_block_head(pool, block);
    if (head->index != CT_ROOT || head->parent != seq->owner) return broken(reason, "a root does not know its owner");
    /* Preorder over parents and indices. Each entry is checked before it is followed. */
    while (block != 0) {
        ctree_status status;
        for (; ct_is_inner(block); block = ct_inner_at(pool, block)->child[0]) {
            status = check_inner(pool, block, census, reason);
            if (status != CTREE_OK) return status;
        }
        status = check_leaf(pool, block, census, reason);
        if (status != CTREE_OK) return status;
        head = ct_leaf_head(pool, block);
        rows += head->count;
        block = 0;
        while (head->index != CT_ROOT) {
            uint32_t parent = head->parent, next = head->index + 1u;
            head = ct_inner_head(pool, parent);
            if (next < head->count) {
                block = ct_inner_at(pool, parent)->child[next];
                break;
            }
        }
    }
    return rows == seq->count ? CTREE_OK : broken(reason, "a sequence has another number of rows than it says");
}

static bool adds_up(const ct_seq_blocks *blocks, uint64_t held) {
    return held + blocks->free_count + 1 == blocks->used;
}

ctree_status ct_seq_pool_check(const ct_seq_pool *pool, const ct_seq_census *census, const char **reason) {
    if (pool->overdrawn) return broken(reason, "an edit took more blocks than were reserved for it");
    if (!adds_up(&pool->leaves, census->leaves)) return broken(reason, "a leaf is lost or held twice");
    if (!adds_up(&pool->inners, census->inners)) return broken(reason, "an inner block is lost or held twice");
    if (!adds_up(&pool->wides, census->wides)) return broken(reason, "a wide leaf's depths are lost or held twice");
    return CTREE_OK;
}
