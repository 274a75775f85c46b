#include "sequence/block.h"

/* Look-ups that go forward together, a level at a time: while one waits for memory, the others ask for theirs. */
enum { TOGETHER = 32 };

static void at_some(const ct_seq_pool *pool, const ct_seq *seq, const uint32_t *positions, uint32_t count,
                    uint32_t *slots) {
    uint32_t block[TOGETHER], rest[TOGETHER];
    for (uint32_t i = 0; i < count; i++) {
        block[i] = seq->root;
        rest[i] = positions[i];
    }
    for (uint32_t level = ct_level(pool, seq->root); level > 0; level--) {
        for (uint32_t i = 0; i < count; i++) {
            const ct_inner *inner = ct_inner_at(pool, block[i]);
            uint32_t index = ct_find_entry(inner, rest[i]);
            rest[i] -= ct_rows_before(inner, index);
            block[i] = inner->child[index];
            if (level == 1) CT_PREFETCH(ct_leaf_slots(pool, block[i]) + rest[i]);
            if (level > 1) CT_PREFETCH(ct_inner_at(pool, block[i]));
        }
    }
    for (uint32_t i = 0; i < count; i++) slots[i] = ct_leaf_slots(pool, block[i])[rest[i]];
}

void ct_seq_at_many(const ct_seq_pool *pool, const ct_seq *seq, const uint32_t *positions, size_t count,
                    uint32_t *slots) {
    for (size_t done = 0; done < count; done += TOGETHER) {
        uint32_t some = count - done < TOGETHER ? (uint32_t)(count - done) : TOGETHER;
        at_some(pool, seq, positions + done, some, slots + done);
    }
}

static void rank_some(const ct_seq_pool *pool, const ct_seq *seq, const uint32_t *slots, uint32_t count,
                      uint32_t *ranks) {
    uint32_t back[TOGETHER];
    for (uint32_t i = 0; i < count; i++) {
        if (slots[i] < pool->leaf_of.capacity) CT_PREFETCH(ct_array_at(&pool->leaf_of, slots[i], sizeof(uint32_t)));
    }
    for (uint32_t i = 0; i < count; i++) {
        back[i] = slots[i] < pool->leaf_of.capacity ? ct_array_get_u32(&pool->leaf_of, slots[i]) : 0;
        if (back[i] == 0) continue;
        CT_PREFETCH(ct_leaf_slots(pool, back[i] >> 8) + (back[i] & (CT_LEAF - 1)));
        CT_PREFETCH(ct_leaf_head(pool, back[i] >> 8));
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t block = back[i] >> 8, rank;
        ranks[i] = CTREE_END;
        if (block == 0) continue;
        rank = ct_leaf_find(pool, slots[i], back[i]);
        for (const ct_head *head = ct_leaf_head(pool, block); head->index != CT_ROOT;
             head = ct_inner_head(pool, block)) {
            block = head->parent;
            rank += ct_rows_before(ct_inner_at(pool, block), head->index);
        }
        if (block == seq->root) ranks[i] = rank;
    }
}

void ct_seq_rank_many(const ct_seq_pool *pool, const ct_seq *seq, const uint32_t *slots, size_t count,
                      uint32_t *ranks) {
    for (size_t done = 0; done < count; done += TOGETHER) {
        uint32_t some = count - done < TOGETHER ? (uint32_t)(count - done) : TOGETHER;
        rank_some(pool, seq, slots + done, some, ranks + done);
    }
}
