/*
 * The rows of a view, kept up to date through every edit: which node is at a row, where a node is, what to draw.
 * Rows are numbered from 0 in preorder, section headers not counted.
 *
 * From within a splice of an edit that has sections come, go or move (ctree/watch.h) rows have no numbers: calls that
 * return a status say CTREE_BUSY there, the others that there is none.
 *
 * Bounds are said with v visible rows, w rows of a window, d the depth of a node, c sections.
 */
#ifndef CTREE_VIEW_ROWS_H
#define CTREE_VIEW_ROWS_H

#include "ctree/rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Rows and nodes ------------------------------------------------------------------------------------------- */

/** Number of rows; 0 when the store is closed. O(1). */
CTREE_API uint32_t ctree_view_row_count(const ctree_view *view);

/** The node of a row; CTREE_NONE beyond the end. O(log v), with sections O(log v log c). */
CTREE_API ctree_node ctree_view_node_at(const ctree_view *view, uint32_t row);

/** The row of a node; CTREE_NO_ROW where it has none: hidden, a section, or stale. O(log v), with sections
 * O(log v log c). */
CTREE_API uint32_t ctree_view_row_of(const ctree_view *view, ctree_node node);

/**
 * Many at once, several times faster than one by one on many rows.
 *
 * @param out  Receives `count` nodes, CTREE_NONE for a row beyond the end; or rows, CTREE_NO_ROW for a node without
 *             one.
 * @return CTREE_OK, CTREE_INVALID, CTREE_CLOSED.
 */
CTREE_API ctree_status ctree_view_nodes_at(const ctree_view *view, const uint32_t *rows, size_t count,
                                           ctree_node *out);
CTREE_API ctree_status ctree_view_rows_of(const ctree_view *view, const ctree_node *nodes, size_t count,
                                          uint32_t *out);

/**
 * A window of rows: what a table draws.
 *
 * @param count  In: how many from `first` on; out: how many there were.
 * @param out    Receives them.
 * @return CTREE_OK, CTREE_RANGE (`first` beyond the number of rows), CTREE_INVALID, CTREE_CLOSED.
 *
 * Cost: O(log v + w + d), and O(log k) for each row that does not follow its elder sibling.
 */
CTREE_API ctree_status ctree_view_window(const ctree_view *view, uint32_t first, uint32_t *count, ctree_row *out);

/**
 * The nodes of a window of rows, and how deep they stand, without the rest: what a walk over many rows takes.
 *
 * @param count   In: how many from `first` on; out: how many there were.
 * @param nodes   Receives the nodes. May be NULL.
 * @param depths  Receives the depths, counted from 0 (below a section: from its children). May be NULL.
 * @return CTREE_OK, CTREE_RANGE (`first` beyond the number of rows), CTREE_INVALID, CTREE_CLOSED.
 *
 * Cost: O(log v + w).
 */
CTREE_API ctree_status ctree_view_nodes_from(const ctree_view *view, uint32_t first, uint32_t *count,
                                             ctree_node *nodes, uint32_t *depths);

/**
 * The ancestors of a node from the topmost down: what a table draws as sticky headers.
 *
 * @param room  In: how many fit at `out`; out: how many there are, also where they did not fit.
 * @return CTREE_OK, CTREE_STALE, CTREE_RANGE (did not fit; nothing was written to `out`), CTREE_INVALID,
 *         CTREE_CLOSED.
 *
 * Cost: O(d).
 */
CTREE_API ctree_status ctree_view_ancestors(const ctree_view *view, ctree_node node, uint32_t *room, ctree_node *out);

/* ---- Sections ------------------------------------------------------------------------------------------------- */

/** Number of sections; 1 without sections. O(1). */
CTREE_API uint32_t ctree_view_section_count(const ctree_view *view);

/** The node of a section; CTREE_NONE beyond the end and without sections. O(log c). */
CTREE_API ctree_node ctree_view_section_node(const ctree_view *view, uint32_t section);

/** Number of rows in a section; 0 beyond the end. O(log v). */
CTREE_API uint32_t ctree_view_section_rows(const ctree_view *view, uint32_t section);

/** The index path of a row. CTREE_RANGE, CTREE_CLOSED. O(log v log c). */
CTREE_API ctree_status ctree_view_index_path(const ctree_view *view, uint32_t row, ctree_index_path *out);

/** The row at an index path; CTREE_NO_ROW where there is none. O(log v). */
CTREE_API uint32_t ctree_view_row_at_index_path(const ctree_view *view, ctree_index_path path);

/* ---- Memory --------------------------------------------------------------------------------------------------- */

/** Bytes that the view holds, apart from its store. O(1). */
CTREE_API uint64_t ctree_view_memory(const ctree_view *view);

/** Give back what is kept of collapsed subtrees; they are built anew when they are opened. In a view that records,
 * what was closed since the last accept stays, so that it is known again. O(rows kept). */
CTREE_API ctree_status ctree_view_trim(ctree_view *view);

/** Pack the rows densely again, as after a bulk build: many small edits leave room in between. O(v). */
CTREE_API ctree_status ctree_view_compact(ctree_view *view);

/* ---- Checking ------------------------------------------------------------------------------------------------- */

/**
 * Check every invariant of the rows that a view keeps, and that they are what ctree_rows_flatten makes of the store.
 *
 * @param reason  Receives a static sentence about the first breach, or NULL where there is none. May be NULL.
 * @return CTREE_OK, CTREE_CORRUPT, CTREE_INVALID, CTREE_CLOSED, CTREE_NO_MEMORY.
 *
 * Cost: O(v + rows kept of collapsed subtrees + slots of the store).
 */
CTREE_API ctree_status ctree_view_validate(const ctree_view *view, const char **reason);

#ifdef __cplusplus
}
#endif

#endif
