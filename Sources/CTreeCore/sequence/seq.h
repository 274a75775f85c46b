/*
 * Sequences of node slots: counted B+ trees whose blocks live in a pool that many sequences share.
 *
 * They serve twice: the children of a wide node (slots alone), and the rows of a view (with a depth for each row, and
 * with a height where the view has heights). A slot stands in at most one sequence of a pool, and the pool knows
 * where: `leaf_of[slot]` names its leaf, from which its position is found by climbing.
 *
 * Positions, counts and depths are 32-bit; depths stay below 2^31. Positions beyond the end are a fault of the
 * caller.
 *
 * Memory. Only calls that return a status take any. An edit is reserved first (ct_seq_reserve, and
 * ct_seq_reserve_slots for slots never seen); after that the calls it was reserved for cannot fail and take none.
 *
 * A handle is a plain value. Copying it makes no second sequence: keep one, and pass its address to what edits.
 */
#ifndef CT_SEQ_H
#define CT_SEQ_H

#include "arena/array.h"

enum {
    CT_SEQ_DEPTHS = 1, /* Each row has a depth. */
    CT_SEQ_HEIGHTS = 2 /* Each row has a height. */
};

typedef struct ct_seq {
    uint32_t root;  /* The root block, 0 when empty. */
    uint32_t count; /* Rows. */
    uint32_t base;  /* Added to every depth in it: a whole sequence is shifted by changing this. */
    uint32_t owner; /* The user's number, found again from any slot in it by ct_seq_owner_of. */
} ct_seq;

/* The blocks of one kind in use, and those given back. */
typedef struct ct_seq_blocks {
    uint32_t used; /* Block numbers handed out so far, with number 0, which names none. */
    uint32_t free; /* The first of the free ones, each naming the next. */
    uint32_t free_count;
    uint64_t ready;   /* Block numbers below it are backed by memory. */
    uint64_t granted; /* How many may yet be taken on the last reservation. */
} ct_seq_blocks;

typedef struct ct_seq_pool {
    const ct_mem *mem; /* Outlives the pool. */
    uint32_t parts;    /* CT_SEQ_DEPTHS, CT_SEQ_HEIGHTS */
    uint32_t height;   /* Of a row put in without one. */
    ct_seq_blocks leaves, inners, wides;
    bool overdrawn;   /* More was taken than was reserved: a fault that ct_seq_pool_check tells. */
    ct_array leaf_of; /* by slot: leaf number * 256 + a hint at the position in it, 0 for none */
    ct_array leaf_heads, leaf_slots, leaf_depths, leaf_heights; /* by leaf number */
    ct_array wide_depths; /* depths of leaves that span more than 255 levels, by a number of their own */
    ct_array inner_heads, inner_rows, inner_depths, inner_heights; /* by inner block number */
} ct_seq_pool;

/* ---- Pools --------------------------------------------------------------------------------------------------- */

/* Takes no memory. */
void ct_seq_pool_init(ct_seq_pool *pool, const ct_mem *mem, uint32_t parts);

/* Frees all of it; the sequences in it are gone with it. */
void ct_seq_pool_destroy(ct_seq_pool *pool);

/* Bytes held, free blocks and the back-pointers included. */
size_t ct_seq_pool_bytes(const ct_seq_pool *pool);

/* Slots below `slots` may stand in sequences of the pool from now on. */
ctree_status ct_seq_reserve_slots(ct_seq_pool *pool, uint64_t slots);

/* Edits to come. Removals are none of them: they take no blocks. */
typedef struct ct_seq_work {
    uint64_t inserts;  /* of one row each */
    uint64_t runs;     /* insert_run, and builds of what is then pasted, */
    uint64_t run_rows; /* and the rows in all of them together */
    uint64_t pastes;   /* insert_seq, split, join */
    uint64_t cuts;
    bool deep; /* Some run spans more than 255 levels, or may do so. */
} ct_seq_work;

/* These edits, in any order and with removals between them, cannot run out of blocks. Only the last reservation
   counts. CTREE_NO_MEMORY or CTREE_LIMIT leaves everything as it was, what was reserved before too. */
ctree_status ct_seq_reserve(ct_seq_pool *pool, const ct_seq_work *work);

/* The same beside what the last reservation has left. */
ctree_status ct_seq_reserve_more(ct_seq_pool *pool, const ct_seq_work *work);

/* The same for `runs` inserts of `run_rows` rows in all and besides for inserts of `rows` rows in all, however many
   calls those take: each inserts one row, or at least CT_SEQ_RUN_LEAST of them. Removals of any kind may come
   between. And for one call of any kind more, which leaves no more blocks in use than it found. */
enum { CT_SEQ_RUN_LEAST = 128 };
ctree_status ct_seq_reserve_rows(ct_seq_pool *pool, uint64_t runs, uint64_t run_rows, uint64_t rows);

/* ---- Making and ending sequences ----------------------------------------------------------------------------- */

#define CT_SEQ_EMPTY ((ct_seq){0, 0, 0, 0})

/* Rows lent for a call. */
typedef struct ct_seq_rows {
    const uint32_t *slots;
    const uint32_t *depths;  /* NULL in a pool without depths. */
    const uint32_t *heights; /* NULL: the pool's height for each. */
    uint32_t count;
} ct_seq_rows;

/* A new sequence of these rows, filled to 7/8. O(rows). On failure `out` is not written. The slots stand in no
   sequence of the pool before, and ct_seq_reserve_slots has seen them. */
ctree_status ct_seq_build(ct_seq_pool *pool, ct_seq_rows rows, ct_seq *out);

/* The same for rows that come piece by piece. */
typedef struct ct_seq_builder {
    ct_seq_pool *pool;
    bool reserved;     /* ct_seq_reserve was called for the run: adding cannot fail and takes no memory. */
    uint32_t leaf;     /* The one being filled, 0 when there is none. */
    uint32_t offset;   /* What was taken off its depths. */
    uint32_t count;    /* Rows so far. */
    uint32_t open[32]; /* By level: the inner block being filled. */
} ct_seq_builder;

void ct_seq_build_begin(ct_seq_builder *builder, ct_seq_pool *pool, bool reserved);

/* Appends rows. On failure some of them may be in: end the build, and destroy what it gave. */
ctree_status ct_seq_build_add(ct_seq_builder *builder, ct_seq_rows rows);

/* Ends the build and gives the sequence of the rows so far. Cannot fail. */
void ct_seq_build_end(ct_seq_builder *builder, ct_seq *out);

/* A copy in another pool with the same parts, filled to 7/8: what edits left half empty is not taken along. A pool
   is compacted by copying each of its sequences to a new one. The owner is copied too. On failure `out` is not
   written. */
ctree_status ct_seq_copy(ct_seq_pool *pool, const ct_seq_pool *from, const ct_seq *source, ct_seq *out);

/* Ends the sequence: gives its blocks to the pool and leaves the handle empty, with its owner. Its slots stand
   nowhere then. O(rows). */
void ct_seq_destroy(ct_seq_pool *pool, ct_seq *seq);

/* Sets the owner that ct_seq_owner_of finds; every later edit keeps it. */
void ct_seq_set_owner(ct_seq_pool *pool, ct_seq *seq, uint32_t owner);

/* ---- Reading: O(log rows) ------------------------------------------------------------------------------------ */

uint32_t ct_seq_at(const ct_seq_pool *pool, const ct_seq *seq, uint32_t position);

/* Whether the slot stands in a sequence of the pool. O(1). */
bool ct_seq_holds(const ct_seq_pool *pool, uint32_t slot);

/* The slot's position in its sequence. It must stand in one, here and below. */
uint32_t ct_seq_rank(const ct_seq_pool *pool, uint32_t slot);

/* The slot's position in this sequence, or CTREE_END where it stands in another one, or in none. Any slot number. */
uint32_t ct_seq_rank_in(const ct_seq_pool *pool, const ct_seq *seq, uint32_t slot);

/* Where a slot stands, all from one climb; until the next edit of the pool. */
typedef struct ct_seq_place {
    uint32_t owner;    /* Of its sequence, whose base is not in the numbers below. */
    uint32_t position; /* Of the row. */
    uint32_t depth;
    uint32_t leaf, at; /* A place in the leaf, */
    uint32_t frame;    /* and the leaf's frame. */
} ct_seq_place;

ct_seq_place ct_seq_place_of(const ct_seq_pool *pool, uint32_t slot);

/* Whether `at`, to which something was added, is still in the leaf or right behind its last row. */
bool ct_seq_reaches(const ct_seq_pool *pool, const ct_seq_place *place);

/* The root block of the slot's sequence, to compare with that of a handle; and its owner. */
uint32_t ct_seq_root_of(const ct_seq_pool *pool, uint32_t slot);
uint32_t ct_seq_owner_of(const ct_seq_pool *pool, uint32_t slot);

/* Many at once, whose reads of memory overlap. Ranks as ct_seq_rank_in gives them. */
void ct_seq_at_many(const ct_seq_pool *pool, const ct_seq *seq, const uint32_t *positions, size_t count,
                    uint32_t *slots);
void ct_seq_rank_many(const ct_seq_pool *pool, const ct_seq *seq, const uint32_t *slots, size_t count,
                      uint32_t *ranks);

/* Writes the rows at positions [first, first + count). Any of the three may be NULL. O(log rows + count). */
void ct_seq_copy_rows(const ct_seq_pool *pool, const ct_seq *seq, uint32_t first, uint32_t count, uint32_t *slots,
                      uint32_t *depths, uint32_t *heights);

/* A walk from leaf to leaf. It ends at the next edit of the pool. */
typedef struct ct_seq_walk {
    uint32_t leaf;  /* 0 at the end. */
    uint32_t at;    /* Position in the leaf. */
    uint32_t frame; /* What to add to the leaf's depths. */
} ct_seq_walk;

/* A walk that begins at `position`, which may be the end. O(log rows). */
ct_seq_walk ct_seq_walk_from(const ct_seq_pool *pool, const ct_seq *seq, uint32_t position);

/* The next slots of the walk that lie next to each other in memory; their number, 0 at the end. O(1) amortised. */
uint32_t ct_seq_walk_span(const ct_seq_pool *pool, ct_seq_walk *walk, const uint32_t **slots);

/* Their depths, read before the walk goes on: `walk` as it stood before that step. */
void ct_seq_span_depths(const ct_seq_pool *pool, const ct_seq_walk *walk, uint32_t count, uint32_t *depths);

/* ---- Depths: O(log rows) ------------------------------------------------------------------------------------- */

uint32_t ct_seq_depth_of(const ct_seq_pool *pool, const ct_seq *seq, uint32_t slot);

/* ct_seq_extent of the row at a place. */
uint32_t ct_seq_extent_at(const ct_seq_pool *pool, const ct_seq_place *place);

/* How many rows the slot's subtree has: itself and those behind it, up to the first that is not deeper, or to the
   end. */
uint32_t ct_seq_extent(const ct_seq_pool *pool, uint32_t slot);

/* The first position from `position` on whose depth is `depth` at most, or the number of rows. */
uint32_t ct_seq_next_at_most(const ct_seq_pool *pool, const ct_seq *seq, uint32_t position, uint32_t depth);

/* ---- Heights: O(log rows) ------------------------------------------------------------------------------------ */

uint64_t ct_seq_total_height(const ct_seq_pool *pool, const ct_seq *seq);

/* The heights before a position, which may be the end. */
uint64_t ct_seq_offset_at(const ct_seq_pool *pool, const ct_seq *seq, uint32_t position);

/* The row that covers an offset, which lies below the total height: the last one that begins there or before it, and
   has a height. `within`, which may be NULL, receives how far into it the offset lies. */
uint32_t ct_seq_position_at(const ct_seq_pool *pool, const ct_seq *seq, uint64_t offset, uint64_t *within);

/* Cannot fail. */
void ct_seq_set_height(ct_seq_pool *pool, ct_seq *seq, uint32_t position, uint32_t height);

/* ---- Edits: reserved before, cannot fail; O(log rows), and O(rows put in or taken out) where said ------------ */

/* Inserts one row so that it stands at `position`. The slot stands in no sequence of the pool. */
void ct_seq_insert(ct_seq_pool *pool, ct_seq *seq, uint32_t position, uint32_t slot, uint32_t depth);

/* Inserts rows so that the first stands at `position`. O(log rows + run). */
void ct_seq_insert_run(ct_seq_pool *pool, ct_seq *seq, uint32_t position, ct_seq_rows run);

/* The same at a place that is known: `leaf` and `at` say where `position` is, which may also be behind the last row
   of the leaf. Where the leaf is 0 it is looked for. */
void ct_seq_insert_at(ct_seq_pool *pool, ct_seq *seq, uint32_t position, const ct_seq_place *place, ct_seq_rows run);

/* Takes one row out; its slot stands nowhere then. Needs no reservation. */
void ct_seq_remove(ct_seq_pool *pool, ct_seq *seq, uint32_t position);

/* Takes rows out; their slots stand nowhere then. Needs no reservation. O(log rows + count). */
void ct_seq_remove_range(ct_seq_pool *pool, ct_seq *seq, uint32_t first, uint32_t count);

/* Leaves [0, position) in `seq`; `right`, which is empty before, receives the rest. Depths stay. Handles keep their
   owners, here and below. */
void ct_seq_split(ct_seq_pool *pool, ct_seq *seq, uint32_t position, ct_seq *right);

/* Appends all of `right` to `seq` and leaves `right` empty. Depths stay. */
void ct_seq_join(ct_seq_pool *pool, ct_seq *seq, ct_seq *right);

/* Moves rows [first, first + count) out of `seq` into `out`, which is empty before. Depths stay. */
void ct_seq_cut(ct_seq_pool *pool, ct_seq *seq, uint32_t first, uint32_t count, ct_seq *out);

/* Moves all of `source` into `seq` so that its first row stands at `position`, and leaves `source` empty.
   Depths stay. */
void ct_seq_insert_seq(ct_seq_pool *pool, ct_seq *seq, uint32_t position, ct_seq *source);

/* Shifts every depth in the sequence. O(1). */
static inline void ct_seq_shift(ct_seq *seq, uint32_t delta) { seq->base += delta; }

/* ---- Checking ------------------------------------------------------------------------------------------------ */

/* Blocks seen by checks of sequences: those of all sequences of a pool, and the free ones, are all that there are. */
typedef struct ct_seq_census {
    uint64_t leaves, inners, wides;
} ct_seq_census;

/* Checks every invariant of one sequence: CTREE_OK, or CTREE_CORRUPT and a static English reason. Adds its blocks to
   the census, which may be NULL. O(rows). */
ctree_status ct_seq_check(const ct_seq_pool *pool, const ct_seq *seq, ct_seq_census *census, const char **reason);

/* Checks that the census of all sequences of the pool and its free blocks account for every block. */
ctree_status ct_seq_pool_check(const ct_seq_pool *pool, const ct_seq_census *census, const char **reason);

#endif
