/*
 * The diff: from two lists of rows to the change between them, with or without sections. It needs no store: rows are
 * named by handles of a store's nodes, by 64-bit keys, or by bytes.
 *
 * What it finds is minimal, and the following says exactly what that means. A row (or section) is kept when its key
 * is in both lists.
 *
 *   Without sections. Every row only in the old list is deleted, every row only in the new list inserted. Of the kept
 *   rows those that stay keep their order among each other, and all others move. The rows that move are as few as can
 *   be; where several choices move equally few, one is taken that tells them in the fewest runs. (Among choices equal
 *   in both, which one is taken is not promised, but it is the same every time.)
 *
 *   With sections. The keys of sections and of rows are apart: a section that becomes a row is deleted there and
 *   inserted here. First the sections: those that stay keep their order among each other, and of the kept sections as
 *   few as can be do not stay. Where there is a choice, as few as can be of these have a list of rows that changed
 *   (other rows, or another order), and then those have the fewest rows, old and new together. A kept section that
 *   does not stay is told as moved if its list of rows is the same before and after, and otherwise as deleted and
 *   inserted. Then the rows, in the sections that stay: a row that goes from one such section to another such section
 *   moves; those that remain in their section move as few as can be, and then in the fewest runs, as without
 *   sections.
 *
 * A row is changed when it has a revision in both lists and they differ.
 */
#ifndef CTREE_DIFF_H
#define CTREE_DIFF_H

#include "ctree/batch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- What goes in -------------------------------------------------------------------------------------------- */

/** What names rows and sections. */
typedef enum ctree_diff_keys {
    CTREE_DIFF_NODES = 0, /**< ctree_node: handles of one store; a slot used anew is another row. The fastest. */
    CTREE_DIFF_U64 = 1,   /**< uint64_t: any numbers. */
    CTREE_DIFF_IDS = 2    /**< ctree_id: bytes, and how many in `word`; may be NULL only where there are none. */
} ctree_diff_keys;

/** Bits of ctree_diff_options.forms: how the change is to be told. */
enum {
    CTREE_DIFF_BATCH = 1,    /**< ctree_diff_batch; sections, if there are any, are not looked at. */
    CTREE_DIFF_SECTIONS = 2, /**< ctree_diff_section_batch. */
    CTREE_DIFF_SPLICES = 4,  /**< ctree_diff_splices, made from the batch; rows are numbered through all sections. */
    CTREE_DIFF_STEPS = 8     /**< ctree_diff_steps, made from the batch; rows are numbered through all sections. */
};

/**
 * One of the two lists, lent for the length of the call. With sections, `rows` holds those of the first section, then
 * those of the second, and so on; a section may be empty.
 */
typedef struct ctree_diff_list {
    const void *rows; /**< Keys: ctree_node, uint64_t or ctree_id, by the options. NULL where there are none. */
    const uint64_t *revisions;         /**< One number a row, or NULL: then no row counts as changed. */
    const void *sections;              /**< Keys of the sections, of the same kind as those of rows. */
    const uint32_t *section_rows;      /**< How many rows each section has; together as many as there are rows. */
    const uint64_t *section_revisions; /**< One number a section, or NULL: then no section counts as changed. */
    uint32_t row_count;
    uint32_t section_count; /**< 0: no sections. */
} ctree_diff_list;

/** How to compare. Begin with CTREE_DIFF_OPTIONS_INIT. */
typedef struct ctree_diff_options {
    size_t size;    /**< sizeof(ctree_diff_options) */
    uint32_t keys;  /**< A ctree_diff_keys. */
    uint32_t forms; /**< 0: a section batch if either list has sections, a batch if none has. */
    uint64_t limit; /**< The most change to tell, beyond which a form says reload: rows and sections that were
                                             deleted, inserted, moved or changed, each counted. 0: all of it. */
    const ctree_progress *progress;   /**< NULL: none. Units of work are about a row each. */
    const ctree_allocator *allocator; /**< NULL: the C library's. It must outlive the result. */
    const void *seed; /**< Bytes that key the hash of numbers and bytes, for replay. NULL: a fixed key, and one from
                         the system as soon as keys collide more than chance allows. */
    size_t seed_size; /**< Number of bytes at `seed`. The result never depends on them. */
} ctree_diff_options;

#define CTREE_DIFF_OPTIONS_INIT \
    { sizeof(ctree_diff_options), CTREE_DIFF_NODES, 0, 0, NULL, NULL, NULL, 0 }

/** Where a key stands twice. */
typedef struct ctree_diff_duplicate {
    uint32_t in_new;      /**< 0: in the old list; 1: in the new one. */
    uint32_t in_sections; /**< 0: among the rows; 1: among the sections. */
    uint32_t first;       /**< Where it stands first; rows are numbered through all sections. */
    uint32_t second;      /**< Where it stands again. No lesser number in this list repeats a key. */
} ctree_diff_duplicate;

/* ---- The diff ------------------------------------------------------------------------------------------------ */

/** The change between two lists, in the forms that were asked for. It does not refer to the lists. */
typedef struct ctree_diff ctree_diff;

/**
 * Compare two lists.
 *
 * @param old_list   What is shown now. NULL: nothing to compare with; every form says reload.
 * @param new_list   What is to be shown.
 * @param options    NULL means CTREE_DIFF_OPTIONS_INIT.
 * @param duplicate  Receives, with CTREE_DUPLICATE only, where a key stands twice: in the first of old sections, new
 *                   sections, old rows, new rows that has such a key. May be NULL.
 * @param out        Receives the result; the caller owns it and ends it with ctree_diff_destroy.
 *                   Untouched on failure.
 * @return CTREE_OK; CTREE_DUPLICATE; CTREE_CANCELLED by the progress callback; CTREE_NO_MEMORY; CTREE_LIMIT where the
 *         lists have 2^32 - 2 rows or more together, or so many sections; CTREE_INVALID: a NULL where something is
 *         needed, an unknown option, section_rows that do not add up to row_count, or rows outside sections where a
 *         section batch is asked for.
 *
 * Cost: O(rows + sections), and O(x log x) for the x runs of rows that are out of order; equal beginnings and ends
 * cost least. No keys, however chosen, make it more (expected, over the secret of the hash). Memory while it runs,
 * for each row of the longer list: 8 bytes, 4 to 8 for each slot (handles) or 12 to 24 (numbers and bytes), and for
 * each run out of order some 30; beyond that, what the change takes. Touches nothing but its arguments: calls may run
 * at the same time.
 */
CTREE_API ctree_status ctree_diff_create(const ctree_diff_list *old_list, const ctree_diff_list *new_list,
                                         const ctree_diff_options *options, ctree_diff_duplicate *duplicate,
                                         ctree_diff **out);

/** Free a result and all that was lent from it. NULL is let pass. */
CTREE_API void ctree_diff_destroy(ctree_diff *diff);

/* ---- What comes out ------------------------------------------------------------------------------------------ */

/** The batch, lent while the result lives; NULL where it was not asked for. */
CTREE_API const ctree_batch *ctree_diff_batch(const ctree_diff *diff);

/** The batch with sections, lent while the result lives; NULL where it was not asked for. */
CTREE_API const ctree_section_batch *ctree_diff_section_batch(const ctree_diff *diff);

/**
 * The splices, lent while the result lives; NULL where they were not asked for. They run from the first row to the
 * last, so that each row number is also the new number of the first row that came.
 */
CTREE_API const ctree_splices *ctree_diff_splices(const ctree_diff *diff);

/** The steps, lent while the result lives; NULL where they were not asked for. */
CTREE_API const ctree_steps *ctree_diff_steps(const ctree_diff *diff);

#ifdef __cplusplus
}
#endif

#endif
