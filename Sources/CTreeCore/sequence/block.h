/*
 * The blocks of a sequence: leaves of rows, and inner blocks of entries, each entry one child block.
 *
 * A block is named by a 32-bit number: leaves as they are, inner blocks with the top bit set, 0 names none. Heads
 * stand in arrays of their own, so that climbing stays in cache. A head knows its parent and its index there; that of
 * a root has the sequence's owner in place of a parent.
 *
 * Depths are relative. A block has a frame: what to add to the numbers in it to get depths. The frame of a child is
 * its parent's plus the child's offset, that of a root is the handle's base. So a subtree's shift touches one number.
 * All of it is arithmetic modulo 2^32, compared by the sign of the difference. A leaf keeps one byte a row while its
 * depths span at most 255, else whole words out of line.
 *
 * Row counts and heights of entries are cumulative: a search is a count over one line, a climb reads one word a
 * level.
 */
#ifndef CT_SEQ_BLOCK_H
#define CT_SEQ_BLOCK_H

#include "sequence/seq.h"

/* Tests build small blocks too, so that few rows make deep trees. */
#ifndef CT_SEQ_LEAF_BITS
#define CT_SEQ_LEAF_BITS 8
#endif
#ifndef CT_SEQ_FAN_BITS
#define CT_SEQ_FAN_BITS 5
#endif

enum {
    CT_LEAF = 1 << CT_SEQ_LEAF_BITS, /* rows in a leaf, at most 256 */
    CT_LEAF_FILL = CT_LEAF / 8 * 7,  /* in a bulk build, and what stays when appends split a leaf */
    CT_LEAF_MERGE = CT_LEAF / 8 * 7, /* neighbours of so many together become one */
    CT_FAN = 1 << CT_SEQ_FAN_BITS,   /* entries of an inner block */
    CT_FAN_FILL = CT_FAN / 8 * 7,
    CT_FAN_MERGE = CT_FAN / 4 * 3,
    CT_FAN_LEAST = CT_FAN / 4, /* of an inner block that is not the root; roots have two */
    CT_ROOT = 255,             /* the index of a root */
    CT_LEVELS = 32             /* more than 2^27 leaves can have with CT_FAN_LEAST 2 */
};

#define CT_INNER 0x80000000u

typedef struct ct_head {
    uint32_t parent; /* Or the owner. Of a free block: the next free one. */
    uint16_t count;  /* Rows, or entries. */
    uint8_t index;   /* In the parent, or CT_ROOT. */
    uint8_t level;   /* Of an inner block, 1 above leaves. Of a leaf: 1 when its depths are wide, else 0. */
} ct_head;

typedef struct ct_inner {
    uint32_t rows[CT_FAN]; /* Rows up to and with the entry; UINT32_MAX behind the last entry. */
    uint32_t child[CT_FAN];
} ct_inner;

typedef struct ct_inner_depths {
    uint32_t offset[CT_FAN]; /* The child's frame less this block's. */
    uint32_t least[CT_FAN];  /* The least depth in the child, in this block's frame. */
} ct_inner_depths;

typedef struct ct_inner_heights {
    uint64_t sum[CT_FAN]; /* Heights up to and with the entry. */
} ct_inner_heights;

/* What an entry says of a block. */
typedef struct ct_entry {
    uint32_t child, rows, offset, least;
    uint64_t height;
} ct_entry;

#if defined(__GNUC__)
#define CT_PREFETCH(address) __builtin_prefetch(address)
#else
#define CT_PREFETCH(address) ((void)(address))
#endif

/* ---- Access -------------------------------------------------------------------------------------------------- */

static inline bool ct_is_inner(uint32_t block) { return (block & CT_INNER) != 0; }
static inline bool ct_has_depths(const ct_seq_pool *pool) { return (pool->parts & CT_SEQ_DEPTHS) != 0; }
static inline bool ct_has_heights(const ct_seq_pool *pool) { return (pool->parts & CT_SEQ_HEIGHTS) != 0; }

static inline ct_head *ct_leaf_head(const ct_seq_pool *pool, uint32_t leaf) {
    return ct_array_at(&pool->leaf_heads, leaf, sizeof(ct_head));
}
static inline ct_head *ct_inner_head(const ct_seq_pool *pool, uint32_t block) {
    return ct_array_at(&pool->inner_heads, block & ~CT_INNER, sizeof(ct_head));
}
static inline ct_head *ct_block_head(const ct_seq_pool *pool, uint32_t block) {
    return ct_is_inner(block) ? ct_inner_head(pool, block) : ct_leaf_head(pool, block);
}
static inline uint32_t *ct_leaf_slots(const ct_seq_pool *pool, uint32_t leaf) {
    return ct_array_at(&pool->leaf_slots, leaf, CT_LEAF * sizeof(uint32_t));
}
static inline uint8_t *ct_leaf_bytes(const ct_seq_pool *pool, uint32_t leaf) {
    return ct_array_at(&pool->leaf_depths, leaf, CT_LEAF);
}
static inline uint32_t *ct_leaf_heights(const ct_seq_pool *pool, uint32_t leaf) {
    return ct_array_at(&pool->leaf_heights, leaf, CT_LEAF * sizeof(uint32_t));
}
static inline bool ct_leaf_wide(const ct_seq_pool *pool, uint32_t leaf) {
    return ct_leaf_head(pool, leaf)->level != 0;
}
/* The words of a wide leaf, whose number its bytes hold. */
static inline uint32_t *ct_leaf_words(const ct_seq_pool *pool, uint32_t leaf) {
    uint32_t wide;
    memcpy(&wide, ct_leaf_bytes(pool, leaf), sizeof wide);
    return ct_array_at(&pool->wide_depths, wide, CT_LEAF * sizeof(uint32_t));
}
static inline ct_inner *ct_inner_at(const ct_seq_pool *pool, uint32_t block) {
    return ct_array_at(&pool->inner_rows, block & ~CT_INNER, sizeof(ct_inner));
}
static inline ct_inner_depths *ct_inner_depths_at(const ct_seq_pool *pool, uint32_t block) {
    return ct_array_at(&pool->inner_depths, block & ~CT_INNER, sizeof(ct_inner_depths));
}
static inline ct_inner_heights *ct_inner_heights_at(const ct_seq_pool *pool, uint32_t block) {
    return ct_array_at(&pool->inner_heights, block & ~CT_INNER, sizeof(ct_inner_heights));
}

/* Whether depth or offset a is less than b: both stand in one frame, less than 2^31 apart. */
static inline bool ct_less(uint32_t a, uint32_t b) { return ((a - b) & 0x80000000u) != 0; }

/* Level of a block: 0 for leaves. */
static inline uint32_t ct_level(const ct_seq_pool *pool, uint32_t block) {
    return ct_is_inner(block) ? ct_inner_head(pool, block)->level : 0;
}

/* Rows before an entry. */
static inline uint32_t ct_rows_before(const ct_inner *inner, uint32_t index) {
    return index == 0 ? 0 : inner->rows[index - 1];
}

/* The entry that holds a position; past the end none. Reads the whole line, so that there is no branch to miss. */
static inline uint32_t ct_find_entry(const ct_inner *inner, uint32_t position) {
    uint32_t index = 0;
    for (uint32_t i = 0; i < CT_FAN; i++) index += inner->rows[i] <= position;
    return index;
}

/* ---- Blocks: pool.c ------------------------------------------------------------------------------------------ */

/* Takes a block that was reserved: no rows, no entries, not a root. */
uint32_t ct_leaf_take(ct_seq_pool *pool);
uint32_t ct_inner_take(ct_seq_pool *pool, uint32_t level);
uint32_t ct_wide_take(ct_seq_pool *pool);

void ct_leaf_give(ct_seq_pool *pool, uint32_t leaf); /* With its wide block. */
void ct_inner_give(ct_seq_pool *pool, uint32_t block);
void ct_wide_give(ct_seq_pool *pool, uint32_t wide);

/* Numbers of blocks that can be taken. */
typedef struct ct_seq_room {
    uint64_t leaves, inners, wides;
} ct_seq_room;

/* What ct_seq_reserve makes room for. */
ct_seq_room ct_seq_room_for(const ct_seq_pool *pool, const ct_seq_work *work);
ctree_status ct_seq_reserve_blocks(ct_seq_pool *pool, ct_seq_room room);

/* ---- Leaves: leaf.c. Depths are in the leaf's frame ---------------------------------------------------------- */

/* Copies rows of another leaf in at `at`, with `shift` added to their depths, and points their slots here; they stay
   in the source too. What it returns is to be added to the leaf's offset: its own depths were lowered by as much. */
uint32_t ct_leaf_copy(ct_seq_pool *pool, uint32_t leaf, uint32_t at, uint32_t source, uint32_t from, uint32_t count,
                      uint32_t shift);

/* The same with rows of the caller's, whose depths are given; depths may be NULL in a pool without. */
uint32_t ct_leaf_put(ct_seq_pool *pool, uint32_t leaf, uint32_t at, ct_seq_rows rows, uint32_t shift);

/* Closes the gap that rows leave behind; their slots are not told. */
void ct_leaf_erase(ct_seq_pool *pool, uint32_t leaf, uint32_t from, uint32_t count);

/* Finds the best form anew for a leaf that lost rows. Returns what is to be added to its offset. */
uint32_t ct_leaf_narrow(ct_seq_pool *pool, uint32_t leaf);

/* Whether the depths of two leaves, neither of them wide, fit into bytes together. `apart` is the frame of the second
   less that of the first. */
bool ct_leaf_fit_bytes(const ct_seq_pool *pool, uint32_t leaf, uint32_t other, uint32_t apart);

/* Reads depths out as words. */
void ct_leaf_words_out(const ct_seq_pool *pool, uint32_t leaf, uint32_t from, uint32_t count, uint32_t *words);

/* The first row from `from` on whose depth is `depth` at most, or the number of rows. */
uint32_t ct_leaf_next_at_most(const ct_seq_pool *pool, uint32_t leaf, uint32_t from, uint32_t depth);

uint32_t ct_leaf_depth(const ct_seq_pool *pool, uint32_t leaf, uint32_t at);
uint32_t ct_leaf_least(const ct_seq_pool *pool, uint32_t leaf, uint32_t from, uint32_t count); /* count > 0 */
uint64_t ct_leaf_height(const ct_seq_pool *pool, uint32_t leaf, uint32_t from, uint32_t count);

/* Where in its leaf a slot stands. */
uint32_t ct_leaf_find(const ct_seq_pool *pool, uint32_t slot, uint32_t back);

/* ---- Inner blocks: inner.c ----------------------------------------------------------------------------------- */

void ct_inner_insert(ct_seq_pool *pool, uint32_t block, uint32_t at, const ct_entry *entry);

/* Copies entries of another block in at `at`, with `shift` added to their depths, and adopts the children. */
void ct_inner_copy(ct_seq_pool *pool, uint32_t block, uint32_t at, uint32_t source, uint32_t from, uint32_t count,
                   uint32_t shift);
void ct_inner_erase(ct_seq_pool *pool, uint32_t block, uint32_t from, uint32_t count);

/* The least depth in a block that has rows, in its frame. */
uint32_t ct_block_least(const ct_seq_pool *pool, uint32_t block);

/* Sums up a block that has rows as the entry of a parent in whose frame the block has this offset. */
ct_entry ct_sum_up(const ct_seq_pool *pool, uint32_t block, uint32_t offset);

/* ---- Trees: tree.c ------------------------------------------------------------------------------------------- */

/* Makes the block the root of the handle. 0 makes it empty. */
void ct_set_root(ct_seq_pool *pool, ct_seq *seq, uint32_t block, uint32_t base);

/* The offset of a block in its parent, or the base of the sequence. */
uint32_t *ct_offset_of(ct_seq_pool *pool, ct_seq *seq, uint32_t block);
uint32_t ct_frame_of(const ct_seq_pool *pool, const ct_seq *seq, uint32_t block);

/* The first or last block of a level; level 0 gives a leaf. */
uint32_t ct_edge(const ct_seq_pool *pool, uint32_t root, uint32_t level, bool last);

/* Adds rows and heights in all entries above a block; modulo 2^32 and 2^64, so that they can be taken away too. */
void ct_climb_add(ct_seq_pool *pool, uint32_t block, uint32_t rows, uint64_t height);

/* Corrects the least depths above a block whose own least may have changed. */
void ct_climb_least(ct_seq_pool *pool, uint32_t block);

/* Puts an entry into the parent-level block `block` at `at`, splitting where it is full; adds its rows above. */
void ct_tree_insert(ct_seq_pool *pool, ct_seq *seq, uint32_t block, uint32_t at, const ct_entry *entry);

/* Moves what stands from `keep` on into a new block right of this one, in the same parent. Returns the new block. */
uint32_t ct_tree_divide(ct_seq_pool *pool, ct_seq *seq, uint32_t block, uint32_t keep);

/* Takes a block without rows out of its parent, frees it and mends what grows too small above. */
void ct_tree_drop(ct_seq_pool *pool, ct_seq *seq, uint32_t block);

/* Merges entry `index` of an inner block of inner blocks with a neighbour, or evens the two out. */
void ct_tree_settle(ct_seq_pool *pool, uint32_t block, uint32_t index);

/* Lowers the root while it has a single child. */
void ct_tree_lower(ct_seq_pool *pool, ct_seq *seq);

/* Makes one leaf of two neighbours where they hold little. */
void ct_tree_merge(ct_seq_pool *pool, ct_seq *seq, uint32_t left, uint32_t right);

/* Mends the left or right edge of a tree that was cut there. */
void ct_tree_trim(ct_seq_pool *pool, ct_seq *seq, bool last);

#endif
