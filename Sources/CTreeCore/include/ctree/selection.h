/*
 * Which nodes are selected in a view. Selection belongs to nodes, not rows: it survives moves, reloads and collapses,
 * a hidden node stays selected, and a removed one is deselected. Selecting changes no rows and is in no batch.
 *
 * Calls that change the selection may return CTREE_BUSY, CTREE_CLOSED, CTREE_INVALID and CTREE_NO_MEMORY; it is as it
 * was then.
 */
#ifndef CTREE_SELECTION_H
#define CTREE_SELECTION_H

#include "ctree/view_rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Select a node, or deselect it. CTREE_STALE. O(1). */
CTREE_API ctree_status ctree_view_select(ctree_view *view, ctree_node node, bool selected);

/** Select rows, or deselect them: `count` of them from `first` on. CTREE_RANGE. O(log v + count). */
CTREE_API ctree_status ctree_view_select_rows(ctree_view *view, uint32_t first, uint32_t count, bool selected);

/** Deselect all. O(slots of the store / 64). */
CTREE_API ctree_status ctree_view_deselect_all(ctree_view *view);

/** Whether a node is selected; false for a stale handle. O(1). */
CTREE_API bool ctree_view_is_selected(const ctree_view *view, ctree_node node);

/** Number of selected nodes, hidden ones included. O(1). */
CTREE_API uint64_t ctree_view_selected_count(const ctree_view *view);

/**
 * All selected nodes: first those that are rows, in their order, then the others, in an order that is not promised.
 *
 * @param room  In: how many fit at `out`; out: how many there are, also where they did not fit.
 * @param out   Receives them.
 * @return CTREE_OK, CTREE_RANGE (did not fit; nothing was written to `out`), CTREE_INVALID, CTREE_CLOSED,
 *         CTREE_NO_MEMORY.
 *
 * Cost: O(slots of the store / 64 + c log c) for c selected nodes.
 */
CTREE_API ctree_status ctree_view_selected(const ctree_view *view, uint64_t *room, ctree_node *out);

#ifdef __cplusplus
}
#endif

#endif
