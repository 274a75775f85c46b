/*
 * The rows of a view at one moment, flattened in O(v) into arrays: a value of its own that later edits do not touch.
 * Rows are numbered from 0 in preorder. This is the plain form: always right, linear in the rows.
 */
#ifndef CTREE_ROWS_H
#define CTREE_ROWS_H

#include "ctree/view.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ctree_rows ctree_rows;

/** No row. */
#define CTREE_NO_ROW UINT32_MAX

/** Flags of ctree_rows_flatten. */
enum { CTREE_ROWS_LOOKUP = 1 /**< Keep the way back from nodes to rows: 4 bytes a slot of the store. */ };

/**
 * Flatten the visible rows of a view.
 *
 * @param flags     CTREE_ROWS_LOOKUP or 0.
 * @param progress  May be NULL.
 * @param out       Receives the rows; the caller owns them and ends them with ctree_rows_destroy. They take memory
 *                  from the store's allocator, which must outlive them, and outlive store and view themselves.
 * @return CTREE_OK, CTREE_INVALID, CTREE_CLOSED, CTREE_NO_MEMORY, CTREE_CANCELLED, CTREE_LIMIT (2^32 - 1 rows or
 *         more).
 *
 * Cost: O(v), no recursion.
 */
CTREE_API ctree_status ctree_rows_flatten(const ctree_view *view, uint32_t flags, const ctree_progress *progress,
                                          ctree_rows **out);

/** Free rows. NULL is let pass. */
CTREE_API void ctree_rows_destroy(ctree_rows *rows);

/** Number of rows, section headers not counted. */
CTREE_API uint32_t ctree_rows_count(const ctree_rows *rows);

/** The nodes of all rows in order: ctree_rows_count of them, lent while the rows live. */
CTREE_API const ctree_node *ctree_rows_nodes(const ctree_rows *rows);

/** The depth of each row, counted from 0 (below a section: from its children), lent while the rows live. */
CTREE_API const uint32_t *ctree_rows_depths(const ctree_rows *rows);

/** Number of sections; 1 without sections, whose node is CTREE_NONE. */
CTREE_API uint32_t ctree_rows_section_count(const ctree_rows *rows);

/** The node of a section; CTREE_NONE beyond the end and without sections. */
CTREE_API ctree_node ctree_rows_section_node(const ctree_rows *rows, uint32_t section);

/** The first row of a section, counted over all rows; the number of rows for section == section count. */
CTREE_API uint32_t ctree_rows_section_start(const ctree_rows *rows, uint32_t section);

/** Where a row is: its section, and its number within that section. */
typedef struct ctree_index_path {
    uint32_t section;
    uint32_t row;
} ctree_index_path;

/** The index path of a row. CTREE_RANGE. O(log sections). */
CTREE_API ctree_status ctree_rows_index_path(const ctree_rows *rows, uint32_t row, ctree_index_path *out);

/** The row at an index path; CTREE_NO_ROW where there is none. O(1). */
CTREE_API uint32_t ctree_rows_at_index_path(const ctree_rows *rows, ctree_index_path path);

/** The node of a row; CTREE_NONE beyond the end. O(1). */
CTREE_API ctree_node ctree_rows_node(const ctree_rows *rows, uint32_t row);

/** The row of a node; CTREE_NO_ROW where it has none: hidden, a section, or not of this store. O(1) with
 * CTREE_ROWS_LOOKUP, else O(v). */
CTREE_API uint32_t ctree_rows_row(const ctree_rows *rows, ctree_node node);

/** One row as a table wants to draw it. */
typedef struct ctree_row {
    ctree_node node;
    uint32_t depth;
    uint32_t position;      /**< Among its siblings, counted from 0. */
    uint32_t sibling_count; /**< How many siblings there are, itself included. */
    uint32_t load_state;    /**< A ctree_load_state. */
    bool expandable;
    bool expanded;
    bool more; /**< More children are to come. */
} ctree_row;

/**
 * A window of rows: what a table draws. The rows are those of the moment of the flatten; what is said of each node is
 * as it is now.
 *
 * @param count  In: how many from `first` on; out: how many there were.
 * @param out    Receives them. A row whose node was removed since has sibling_count 0.
 * @return CTREE_OK, CTREE_RANGE (`first` beyond the number of rows), CTREE_INVALID (a view of another store),
 *         CTREE_CLOSED.
 *
 * Cost: O(count log k).
 */
CTREE_API ctree_status ctree_rows_window(const ctree_rows *rows, const ctree_view *view, uint32_t first,
                                         uint32_t *count, ctree_row *out);

#ifdef __cplusplus
}
#endif

#endif
