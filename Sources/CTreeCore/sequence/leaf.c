#include "sequence/block.h"

/* Depths of a leaf as words, for the paths where bytes do not do. */
typedef struct leaf_words {
    uint32_t depth[CT_LEAF];
} leaf_words;

static void point_here(ct_seq_pool *pool, uint32_t leaf, uint32_t at, uint32_t count) {
    const uint32_t *slots = ct_leaf_slots(pool, leaf);
    uint32_t back = leaf << 8;
    if (pool->leaf_of.base != NULL) {
        uint32_t *leaf_of = ct_array_at(&pool->leaf_of, 0, sizeof(uint32_t));
        for (uint32_t i = at; i < at + count; i++) leaf_of[slots[i]] = back | i;
    } else {
        for (uint32_t i = at; i < at + count; i++) ct_array_set_u32(&pool->leaf_of, slots[i], back | i);
    }
}

/* ---- Depths -------------------------------------------------------------------------------------------------- */

/* The least of some words, and by how much the others exceed it at most. */
static uint32_t least_of(const uint32_t *words, uint32_t count, uint32_t *span) {
    /* Moved so that the order modulo 2^32 becomes the plain one. */
    uint32_t origin = words[0] - 0x80000000u, low = UINT32_MAX, high = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word = words[i] - origin;
        low = word < low ? word : low;
        high = word > high ? word : high;
    }
    *span = high - low;
    return low + origin;
}

void ct_leaf_words_out(const ct_seq_pool *pool, uint32_t leaf, uint32_t from, uint32_t count, uint32_t *words) {
    if (ct_leaf_wide(pool, leaf)) {
        memcpy(words, ct_leaf_words(pool, leaf) + from, count * sizeof *words);
    } else {
        const uint8_t *bytes = ct_leaf_bytes(pool, leaf) + from;
        for (uint32_t i = 0; i < count; i++) words[i] = bytes[i];
    }
}

/* Writes all depths of a leaf, as bytes if they allow it, lowered so that the least is 0; returns by how much. */
static uint32_t write_words(ct_seq_pool *pool, uint32_t leaf, const uint32_t *words, uint32_t count) {
    ct_head *head = ct_leaf_head(pool, leaf);
    uint8_t *bytes = ct_leaf_bytes(pool, leaf);
    uint32_t span, least = least_of(words, count, &span), wide;
    if (span <= UINT8_MAX) {
        if (head->level != 0) {
            memcpy(&wide, bytes, sizeof wide);
            ct_wide_give(pool, wide);
            head->level = 0;
        }
        for (uint32_t i = 0; i < count; i++) bytes[i] = (uint8_t)(words[i] - least);
        return least;
    }
    if (head->level == 0) {
        wide = ct_wide_take(pool);
        memcpy(bytes, &wide, sizeof wide);
        head->level = 1;
    }
    uint32_t *out = ct_leaf_words(pool, leaf);
    for (uint32_t i = 0; i < count; i++) out[i] = words[i] - least;
    return least;
}

/* Puts depths into a leaf of `old` rows; the slow way, which finds the best form anew. */
static uint32_t put_words(ct_seq_pool *pool, uint32_t leaf, uint32_t old, uint32_t at, const uint32_t *words,
                          uint32_t count) {
    leaf_words all;
    ct_leaf_words_out(pool, leaf, 0, at, all.depth);
    memcpy(all.depth + at, words, count * sizeof *words);
    ct_leaf_words_out(pool, leaf, at, old - at, all.depth + at + count);
    return write_words(pool, leaf, all.depth, old + count);
}

static uint32_t put_depths(ct_seq_pool *pool, uint32_t leaf, uint32_t old, uint32_t at, const uint32_t *words,
                           uint32_t count) {
    if (old == 0) return write_words(pool, leaf, words, count);
    if (ct_leaf_wide(pool, leaf)) {
        if (count > 1) return put_words(pool, leaf, old, at, words, count);
        uint32_t *own = ct_leaf_words(pool, leaf);
        memmove(own + at + 1, own + at, (old - at) * sizeof *own);
        own[at] = words[0];
        return 0;
    }
    uint32_t most = 0;
    for (uint32_t i = 0; i < count; i++) most |= words[i];
    if (most > UINT8_MAX) return put_words(pool, leaf, old, at, words, count);
    uint8_t *bytes = ct_leaf_bytes(pool, leaf);
    memmove(bytes + at + count, bytes + at, old - at);
    for (uint32_t i = 0; i < count; i++) bytes[at + i] = (uint8_t)words[i];
    return 0;
}

uint32_t ct_leaf_narrow(ct_seq_pool *pool, uint32_t leaf) {
    if (!ct_has_depths(pool) || !ct_leaf_wide(pool, leaf)) return 0;
    leaf_words all;
    uint32_t count = ct_leaf_head(pool, leaf)->count;
    ct_leaf_words_out(pool, leaf, 0, count, all.depth);
    return write_words(pool, leaf, all.depth, count);
}

bool ct_leaf_fit_bytes(const ct_seq_pool *pool, uint32_t leaf, uint32_t other, uint32_t apart) {
    uint32_t ends[4], span;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t block = i == 0 ? leaf : other, count = ct_leaf_head(pool, block)->count;
        const uint8_t *bytes = ct_leaf_bytes(pool, block);
        uint8_t low = UINT8_MAX, high = 0;
        for (uint32_t k = 0; k < count; k++) {
            low = bytes[k] < low ? bytes[k] : low;
            high = bytes[k] > high ? bytes[k] : high;
        }
        ends[2 * i] = low + (i == 0 ? 0 : apart);
        ends[2 * i + 1] = high + (i == 0 ? 0 : apart);
    }
    (void)least_of(ends, 4, &span);
    return span <= UINT8_MAX;
}

uint32_t ct_leaf_depth(const ct_seq_pool *pool, uint32_t leaf, uint32_t at) {
    return ct_leaf_wide(pool, leaf) ? ct_leaf_words(pool, leaf)[at] : ct_leaf_bytes(pool, leaf)[at];
}

uint32_t ct_leaf_least(const ct_seq_pool *pool, uint32_t leaf, uint32_t from, uint32_t count) {
    uint32_t span;
    if (ct_leaf_wide(pool, leaf)) return least_of(ct_leaf_words(pool, leaf) + from, count, &span);
    const uint8_t *bytes = ct_leaf_bytes(pool, leaf) + from;
    uint8_t least = UINT8_MAX;
    for (uint32_t i = 0; i < count; i++) least = bytes[i] < least ? bytes[i] : least;
    return least;
}

uint32_t ct_leaf_next_at_most(const ct_seq_pool *pool, uint32_t leaf, uint32_t from, uint32_t depth) {
    uint32_t count = ct_leaf_head(pool, leaf)->count, i = from;
    if (ct_leaf_wide(pool, leaf)) {
        const uint32_t *words = ct_leaf_words(pool, leaf);
        while (i < count && ct_less(depth, words[i])) i++;
        return i;
    }
    if ((depth & 0x80000000u) != 0) return count;
    if (depth >= UINT8_MAX) return from;
    const uint8_t *bytes = ct_leaf_bytes(pool, leaf);
    while (i + 16 <= count) {
        unsigned any = 0; /* Without a branch in it, so that it becomes one compare of a vector. */
        for (uint32_t j = 0; j < 16; j++) any |= bytes[i + j] <= (uint8_t)depth;
        if (any != 0) break;
        i += 16;
    }
    while (i < count && bytes[i] > depth) i++;
    return i;
}

/* ---- Rows ---------------------------------------------------------------------------------------------------- */

/* Makes a gap in slots and heights. */
static void open_gap(ct_seq_pool *pool, uint32_t leaf, uint32_t at, uint32_t count) {
    uint32_t *slots = ct_leaf_slots(pool, leaf), old = ct_leaf_head(pool, leaf)->count;
    memmove(slots + at + count, slots + at, (old - at) * sizeof *slots);
    if (ct_has_heights(pool)) {
        uint32_t *heights = ct_leaf_heights(pool, leaf);
        memmove(heights + at + count, heights + at, (old - at) * sizeof *heights);
    }
}

uint32_t ct_leaf_copy(ct_seq_pool *pool, uint32_t leaf, uint32_t at, uint32_t source, uint32_t from, uint32_t count,
                      uint32_t shift) {
    ct_head *head = ct_leaf_head(pool, leaf);
    uint32_t lowered = 0;
    open_gap(pool, leaf, at, count);
    memcpy(ct_leaf_slots(pool, leaf) + at, ct_leaf_slots(pool, source) + from, count * sizeof(uint32_t));
    if (ct_has_heights(pool)) {
        memcpy(ct_leaf_heights(pool, leaf) + at, ct_leaf_heights(pool, source) + from, count * sizeof(uint32_t));
    }
    if (ct_has_depths(pool)) {
        leaf_words moved;
        ct_leaf_words_out(pool, source, from, count, moved.depth);
        for (uint32_t i = 0; i < count; i++) moved.depth[i] += shift;
        lowered = put_depths(pool, leaf, head->count, at, moved.depth, count);
    }
    head->count = (uint16_t)(head->count + count);
    point_here(pool, leaf, at, count);
    return lowered;
}

uint32_t ct_leaf_put(ct_seq_pool *pool, uint32_t leaf, uint32_t at, ct_seq_rows rows, uint32_t shift) {
    ct_head *head = ct_leaf_head(pool, leaf);
    uint32_t lowered = 0;
    open_gap(pool, leaf, at, rows.count);
    memcpy(ct_leaf_slots(pool, leaf) + at, rows.slots, rows.count * sizeof(uint32_t));
    if (ct_has_heights(pool)) {
        uint32_t *heights = ct_leaf_heights(pool, leaf) + at;
        for (uint32_t i = 0; i < rows.count; i++) heights[i] = rows.heights != NULL ? rows.heights[i] : pool->height;
    }
    if (ct_has_depths(pool)) {
        leaf_words given;
        for (uint32_t i = 0; i < rows.count; i++) given.depth[i] = rows.depths[i] + shift;
        lowered = put_depths(pool, leaf, head->count, at, given.depth, rows.count);
    }
    head->count = (uint16_t)(head->count + rows.count);
    point_here(pool, leaf, at, rows.count);
    return lowered;
}

void ct_leaf_erase(ct_seq_pool *pool, uint32_t leaf, uint32_t from, uint32_t count) {
    ct_head *head = ct_leaf_head(pool, leaf);
    uint32_t *slots = ct_leaf_slots(pool, leaf), behind = head->count - from - count;
    memmove(slots + from, slots + from + count, behind * sizeof *slots);
    if (ct_has_heights(pool)) {
        uint32_t *heights = ct_leaf_heights(pool, leaf);
        memmove(heights + from, heights + from + count, behind * sizeof *heights);
    }
    if (ct_has_depths(pool)) {
        if (ct_leaf_wide(pool, leaf)) {
            uint32_t *words = ct_leaf_words(pool, leaf);
            memmove(words + from, words + from + count, behind * sizeof *words);
        } else {
            uint8_t *bytes = ct_leaf_bytes(pool, leaf);
            memmove(bytes + from, bytes + from + count, behind);
        }
    }
    head->count = (uint16_t)(head->count - count);
}

uint64_t ct_leaf_height(const ct_seq_pool *pool, uint32_t leaf, uint32_t from, uint32_t count) {
    uint64_t height = 0;
    if (!ct_has_heights(pool)) return 0;
    const uint32_t *heights = ct_leaf_heights(pool, leaf) + from;
    for (uint32_t i = 0; i < count; i++) height += heights[i];
    return height;
}

uint32_t ct_leaf_find(const ct_seq_pool *pool, uint32_t slot, uint32_t back) {
    uint32_t leaf = back >> 8, hint = back & 255, count = ct_leaf_head(pool, leaf)->count;
    const uint32_t *slots = ct_leaf_slots(pool, leaf);
    if (hint < count && slots[hint] == slot) return hint;
    /* Rows put in or taken out before it moved it a little: look outwards. Behind the count stand rows of old. */
    uint32_t up = hint < count ? hint : count, down = up;
    for (;;) {
        for (uint32_t end = count - up < 8 ? count : up + 8; up < end; up++) {
            if (slots[up] == slot) return up;
        }
        for (uint32_t end = down < 8 ? 0 : down - 8; down > end; down--) {
            if (slots[down - 1] == slot) return down - 1;
        }
    }
}
