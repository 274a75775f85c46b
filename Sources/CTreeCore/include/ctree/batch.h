/*
 * How change is told: as a batch (everything at once, in old and new numbers), as a batch with sections, or step by
 * step. Plain arrays of fixed-width structs; whoever hands one out owns it and says how long it lasts.
 *
 * Words
 *   - Old numbers count the rows before the change, new numbers those after it, both from 0.
 *   - Stays: a row of both sides that is not told as moved. The rows that stay fill, in their old order, the places
 *     that no insert and no move claims; a row that merely shifts is never told.
 *   - Ranges are maximal: two ranges of one kind are never told apart where one would do. A count is never 0.
 *
 * A batch is for tables that take a change as a whole (UITableView, UICollectionView): the order of its parts means
 * nothing. It comes in two stages. First the structure: deletes, inserts and moves, in one update, inside which the
 * data source begins to answer in new numbers. Then the content: changed rows, to be reloaded or reconfigured in an
 * update of their own, in new numbers. The two must not be mixed: a table works out a reloaded row's place from
 * deletes and inserts alone, and can find it taken by a move.
 */
#ifndef CTREE_BATCH_H
#define CTREE_BATCH_H

#include "ctree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Ranges and runs ----------------------------------------------------------------------------------------- */

/** Consecutive rows: `count` of them from `first` on. */
typedef struct ctree_row_range {
    uint32_t first;
    uint32_t count;
} ctree_row_range;

/** Rows that stay together: `count` of them, with old numbers from `from` on and new numbers from `to` on. */
typedef struct ctree_row_run {
    uint32_t from;
    uint32_t to;
    uint32_t count;
} ctree_row_run;

/** Consecutive sections. */
typedef struct ctree_section_range {
    uint32_t first;
    uint32_t count;
} ctree_section_range;

/** Sections that stay together, in old and in new numbers. */
typedef struct ctree_section_run {
    uint32_t from;
    uint32_t to;
    uint32_t count;
} ctree_section_run;

/** Consecutive rows of one section: `count` of them from row `first` of the section on. */
typedef struct ctree_path_range {
    uint32_t section;
    uint32_t first;
    uint32_t count;
} ctree_path_range;

/** Rows of one section that stay together and are afterwards in one section again, the same or another. */
typedef struct ctree_path_run {
    uint32_t from_section; /**< Old number. */
    uint32_t from;         /**< Old number within the old section. */
    uint32_t to_section;   /**< New number. */
    uint32_t to;           /**< New number within the new section. */
    uint32_t count;
} ctree_path_run;

/* ---- Batches ------------------------------------------------------------------------------------------------- */

/**
 * All change of a list of rows. Where `reload` is set there was nothing to compare with, or more change than the
 * caller's limit: the table is to be loaded anew, and all arrays are empty.
 */
typedef struct ctree_batch {
    uint32_t reload;    /**< 1: load the table anew; else 0. */
    uint32_t old_count; /**< Rows before. */
    uint32_t new_count; /**< Rows after. */
    uint32_t delete_count;
    uint32_t insert_count;
    uint32_t move_count;
    uint32_t change_count;
    const ctree_row_range *deletes; /**< Rows that are gone, in old numbers, ascending. */
    const ctree_row_range *inserts; /**< Rows that came, in new numbers, ascending. */
    const ctree_row_run *moves;     /**< Rows that stand elsewhere among the others, ascending by `from`. */
    const ctree_row_run *changes;   /**< Rows of both sides that look different, moved or not, ascending by `to`. */
} ctree_batch;

/**
 * All change of sections and of the rows in them.
 *
 * Rows are told only in sections that stay. What happens in a section that is deleted, inserted or moved is implied:
 * a row that leaves a deleted section for one that stays is an insert there, one that leaves a section that stays for
 * an inserted one is a delete, and one that goes from a deleted to an inserted section is not told at all. A section
 * that moves has the same rows before and after; one that would have to move and has not is told as deleted and
 * inserted.
 *
 * Changed sections and rows are those that the table keeps: what is in an inserted section, or came by an insert, is
 * shown anew in any case. A changed section is one whose own look (its header) changed; its rows are told by
 * themselves. Where a table can refresh a header only by reloading the whole section, the changed rows of that
 * section (by `to_section`) go without saying, and must not be reloaded in the same update.
 */
typedef struct ctree_section_batch {
    uint32_t reload;            /**< 1: load the table anew; else 0. */
    uint32_t old_section_count; /**< Sections before. */
    uint32_t new_section_count; /**< Sections after. */
    uint32_t old_count;         /**< Rows before, in all sections. */
    uint32_t new_count;         /**< Rows after, in all sections. */
    uint32_t section_delete_count;
    uint32_t section_insert_count;
    uint32_t section_move_count;
    uint32_t section_change_count;
    uint32_t delete_count;
    uint32_t insert_count;
    uint32_t move_count;
    uint32_t change_count;
    const ctree_section_range *section_deletes; /**< Old numbers, ascending. */
    const ctree_section_range *section_inserts; /**< New numbers, ascending. */
    const ctree_section_run *section_moves;     /**< Ascending by `from`. */
    const ctree_section_run *section_changes;   /**< Ascending by `to`. */
    const ctree_path_range *deletes;            /**< Old numbers, ascending by section and row. */
    const ctree_path_range *inserts;            /**< New numbers, ascending by section and row. */
    const ctree_path_run *moves;                /**< Ascending by `from_section`, then `from`. */
    const ctree_path_run *changes;              /**< Ascending by `to_section`, then `to`. */
} ctree_section_batch;

/* ---- Step by step -------------------------------------------------------------------------------------------- */

/**
 * One step of change in the row numbers of its moment: `removed` rows went at `row`, then `inserted` rows came there.
 * A row that moves goes in one place and comes in another. This is GTK's items-changed, or a patch of a list in a
 * browser.
 */
typedef struct ctree_splice {
    uint32_t row;
    uint32_t removed;
    uint32_t inserted;
} ctree_splice;

/** Splices in the order in which they apply. */
typedef struct ctree_splices {
    uint32_t reload;    /**< 1: load the list anew; else 0. */
    uint32_t old_count; /**< Rows before. */
    uint32_t new_count; /**< Rows after. */
    uint32_t splice_count;
    const ctree_splice *splices;
} ctree_splices;

/** What a step does. */
typedef enum ctree_step_kind {
    CTREE_STEP_DELETE = 0, /**< `count` rows go at `from`; `to` is 0. */
    CTREE_STEP_MOVE = 1,   /**< `count` rows are taken out at `from`, then put in so that the first stands at `to`. */
    CTREE_STEP_INSERT = 2  /**< `count` rows come at `to`, which is the new number of the first; `from` is 0. */
} ctree_step_kind;

/** One step in the row numbers of its moment; `to` of a move counts without the rows that are being moved. */
typedef struct ctree_step {
    uint32_t kind; /**< A ctree_step_kind. */
    uint32_t from;
    uint32_t to;
    uint32_t count;
} ctree_step;

/**
 * Steps in the order in which they apply, for tables that animate moves but count as they go (NSTableView): deletes
 * from the end, then moves, then inserts from the start.
 */
typedef struct ctree_steps {
    uint32_t reload;    /**< 1: load the table anew; else 0. */
    uint32_t old_count; /**< Rows before. */
    uint32_t new_count; /**< Rows after. */
    uint32_t step_count;
    const ctree_step *steps;
} ctree_steps;

#ifdef __cplusplus
}
#endif

#endif
