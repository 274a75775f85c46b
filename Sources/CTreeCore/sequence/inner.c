#include "sequence/block.h"

/* Tells the children from `from` on where they stand. */
static void adopt(ct_seq_pool *pool, uint32_t block, uint32_t from) {
    const uint32_t *child = ct_inner_at(pool, block)->child;
    const ct_head *own = ct_inner_head(pool, block);
    if (own->level > 1) {
        for (uint32_t i = from; i < own->count; i++) {
            ct_head *head = ct_inner_head(pool, child[i]);
            head->parent = block;
            head->index = (uint8_t)i;
        }
    } else {
        for (uint32_t i = from; i < own->count; i++) {
            ct_head *head = ct_leaf_head(pool, child[i]);
            head->parent = block;
            head->index = (uint8_t)i;
        }
    }
}

void ct_inner_insert(ct_seq_pool *pool, uint32_t block, uint32_t at, const ct_entry *entry) {
    ct_head *head = ct_inner_head(pool, block);
    ct_inner *inner = ct_inner_at(pool, block);
    uint32_t behind = head->count - at;
    memmove(inner->child + at + 1, inner->child + at, behind * sizeof inner->child[0]);
    inner->child[at] = entry->child;
    for (uint32_t i = head->count; i > at; i--) inner->rows[i] = inner->rows[i - 1] + entry->rows;
    inner->rows[at] = ct_rows_before(inner, at) + entry->rows;
    if (ct_has_depths(pool)) {
        ct_inner_depths *depths = ct_inner_depths_at(pool, block);
        memmove(depths->offset + at + 1, depths->offset + at, behind * sizeof depths->offset[0]);
        memmove(depths->least + at + 1, depths->least + at, behind * sizeof depths->least[0]);
        depths->offset[at] = entry->offset;
        depths->least[at] = entry->least;
    }
    if (ct_has_heights(pool)) {
        ct_inner_heights *heights = ct_inner_heights_at(pool, block);
        for (uint32_t i = head->count; i > at; i--) heights->sum[i] = heights->sum[i - 1] + entry->height;
        heights->sum[at] = (at == 0 ? 0 : heights->sum[at - 1]) + entry->height;
    }
    head->count++;
    adopt(pool, block, at);
}

void ct_inner_copy(ct_seq_pool *pool, uint32_t block, uint32_t at, uint32_t source, uint32_t from, uint32_t count,
                   uint32_t shift) {
    if (count == 0) return;
    ct_head *head = ct_inner_head(pool, block);
    ct_inner *to = ct_inner_at(pool, block);
    const ct_inner *in = ct_inner_at(pool, source);
    uint32_t old = head->count, behind = old - at;
    uint32_t skipped = ct_rows_before(in, from), before = ct_rows_before(to, at);
    uint32_t more = in->rows[from + count - 1] - skipped;
    memmove(to->child + at + count, to->child + at, behind * sizeof to->child[0]);
    memcpy(to->child + at, in->child + from, count * sizeof to->child[0]);
    for (uint32_t i = old; i > at; i--) to->rows[i - 1 + count] = to->rows[i - 1] + more;
    for (uint32_t i = 0; i < count; i++) to->rows[at + i] = in->rows[from + i] - skipped + before;
    if (ct_has_depths(pool)) {
        ct_inner_depths *mine = ct_inner_depths_at(pool, block);
        const ct_inner_depths *other = ct_inner_depths_at(pool, source);
        memmove(mine->offset + at + count, mine->offset + at, behind * sizeof mine->offset[0]);
        memmove(mine->least + at + count, mine->least + at, behind * sizeof mine->least[0]);
        for (uint32_t i = 0; i < count; i++) {
            mine->offset[at + i] = other->offset[from + i] + shift;
            mine->least[at + i] = other->least[from + i] + shift;
        }
    }
    if (ct_has_heights(pool)) {
        uint64_t *sum = ct_inner_heights_at(pool, block)->sum;
        const uint64_t *other = ct_inner_heights_at(pool, source)->sum;
        uint64_t left_out = from == 0 ? 0 : other[from - 1], under = at == 0 ? 0 : sum[at - 1];
        uint64_t higher = other[from + count - 1] - left_out;
        for (uint32_t i = old; i > at; i--) sum[i - 1 + count] = sum[i - 1] + higher;
        for (uint32_t i = 0; i < count; i++) sum[at + i] = other[from + i] - left_out + under;
    }
    head->count = (uint16_t)(old + count);
    adopt(pool, block, at);
}

void ct_inner_erase(ct_seq_pool *pool, uint32_t block, uint32_t from, uint32_t count) {
    if (count == 0) return;
    ct_head *head = ct_inner_head(pool, block);
    ct_inner *inner = ct_inner_at(pool, block);
    uint32_t old = head->count, next = from + count;
    uint32_t fewer = inner->rows[next - 1] - ct_rows_before(inner, from);
    memmove(inner->child + from, inner->child + next, (old - next) * sizeof inner->child[0]);
    if (ct_has_depths(pool)) {
        ct_inner_depths *depths = ct_inner_depths_at(pool, block);
        memmove(depths->offset + from, depths->offset + next, (old - next) * sizeof depths->offset[0]);
        memmove(depths->least + from, depths->least + next, (old - next) * sizeof depths->least[0]);
    }
    if (ct_has_heights(pool)) {
        uint64_t *sum = ct_inner_heights_at(pool, block)->sum;
        uint64_t lower = sum[next - 1] - (from == 0 ? 0 : sum[from - 1]);
        for (uint32_t i = next; i < old; i++) sum[i - count] = sum[i] - lower;
    }
    for (uint32_t i = next; i < old; i++) inner->rows[i - count] = inner->rows[i] - fewer;
    for (uint32_t i = old - count; i < old; i++) inner->rows[i] = UINT32_MAX;
    head->count = (uint16_t)(old - count);
    adopt(pool, block, from);
}

uint32_t ct_block_least(const ct_seq_pool *pool, uint32_t block) {
    if (!ct_is_inner(block)) return ct_leaf_least(pool, block, 0, ct_leaf_head(pool, block)->count);
    const uint32_t *least = ct_inner_depths_at(pool, block)->least;
    uint32_t low = least[0], count = ct_inner_head(pool, block)->count;
    for (uint32_t i = 1; i < count; i++) low = ct_less(least[i], low) ? least[i] : low;
    return low;
}

ct_entry ct_sum_up(const ct_seq_pool *pool, uint32_t block, uint32_t offset) {
    ct_entry entry = {.child = block, .offset = offset};
    if (ct_is_inner(block)) {
        uint32_t last = ct_inner_head(pool, block)->count - 1u;
        entry.rows = ct_inner_at(pool, block)->rows[last];
        if (ct_has_heights(pool)) entry.height = ct_inner_heights_at(pool, block)->sum[last];
    } else {
        entry.rows = ct_leaf_head(pool, block)->count;
        entry.height = ct_leaf_height(pool, block, 0, entry.rows);
    }
    if (ct_has_depths(pool)) entry.least = ct_block_least(pool, block) + offset;
    return entry;
}
