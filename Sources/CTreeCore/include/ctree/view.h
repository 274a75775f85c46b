/*
 * A view: one way of looking at a store. It keeps which nodes are expanded; a store has any number of views, and what
 * is expanded in one never shows in another. A view retains its store. Views of one store are one domain with it.
 *
 * A node's own setting outranks the view's default: a node that was collapsed by a call stays collapsed in a view
 * that opens by default, through moves, reloads and reconciles.
 */
#ifndef CTREE_VIEW_H
#define CTREE_VIEW_H

#include "ctree/store.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ctree_view ctree_view;

/** Bits of ctree_view_options.flags. */
enum {
    CTREE_VIEW_SECTIONS = 1,       /**< Each top-level node is a section: a header, not a row. */
    CTREE_VIEW_FORGETS = 2,        /**< A collapse forgets what was expanded below. */
    CTREE_VIEW_EMPTY_CAN_OPEN = 4, /**< A loaded node without children still looks expandable. */
    CTREE_VIEW_RECORDS = 8         /**< Notes changes, for ctree_view_commit. */
};

/** As default_depth: every node is expanded by default. */
#define CTREE_ALL_LEVELS UINT32_MAX

/** How to create a view. Begin with CTREE_VIEW_OPTIONS_INIT. */
typedef struct ctree_view_options {
    size_t size; /**< sizeof(ctree_view_options) */
    uint32_t flags;
    uint32_t default_depth; /**< Levels of nodes that are expanded unless a call collapsed them: 0 none, 1 the topmost
                                 rows. Sections are open by default in any case and do not count as a level. */
} ctree_view_options;

#define CTREE_VIEW_OPTIONS_INIT \
    { sizeof(ctree_view_options), 0, 0 }

/**
 * Create a view of a store.
 *
 * @param options  NULL means CTREE_VIEW_OPTIONS_INIT.
 * @param out      Receives the view; the caller owns it and ends it with ctree_view_destroy.
 * @return CTREE_OK, CTREE_INVALID, CTREE_CLOSED, CTREE_NO_MEMORY. Nodes that are open by default and unloaded have
 *         their loads requested.
 *
 * Cost: O(nodes open by default).
 */
CTREE_API ctree_status ctree_view_create(ctree_store *store, const ctree_view_options *options, ctree_view **out);

/** End a view, and with the last view of a destroyed store that store's object. NULL is let pass. */
CTREE_API void ctree_view_destroy(ctree_view *view);

/** The store of a view; not retained for the caller. */
CTREE_API ctree_store *ctree_view_store(const ctree_view *view);

/* ---- Opening and closing ------------------------------------------------------------------------------------- */

/**
 * Expand a node in this view: its children become rows wherever its ancestors are expanded. An unloaded or failed
 * node is expanded too, and its load requested.
 *
 * @return CTREE_OK, also when it was expanded already; CTREE_LEAF; CTREE_STALE; CTREE_BUSY; CTREE_CLOSED;
 *         CTREE_NO_MEMORY. On failure the view is as it was.
 *
 * Cost: O(log v), and O(r) for r rows that are shown for the first time.
 */
CTREE_API ctree_status ctree_view_expand(ctree_view *view, ctree_node node);

/** Collapse a node: what is below it is no row any more. CTREE_OK, also when it was collapsed already; else as
 * expand. Cost: O(log v). */
CTREE_API ctree_status ctree_view_collapse(ctree_view *view, ctree_node node);

/** Expand what is collapsed and collapse what is expanded; returns as they do. */
CTREE_API ctree_status ctree_view_toggle(ctree_view *view, ctree_node node);

/** Whether a node is expanded in this view, be it visible or not; false for leaves and stale handles. */
CTREE_API bool ctree_view_is_expanded(const ctree_view *view, ctree_node node);

/** Whether every ancestor of a node is expanded, so that it is a row (or, with sections on, a section). O(d). */
CTREE_API bool ctree_view_is_visible(const ctree_view *view, ctree_node node);

/** Whether a node looks expandable: it is no leaf, and if it is loaded without children, the view says so. */
CTREE_API bool ctree_view_is_expandable(const ctree_view *view, ctree_node node);

/**
 * Expand every node of a subtree that is present and no leaf, down to `levels` below it (CTREE_ALL_LEVELS: all; 1:
 * the node only). CTREE_NONE takes the whole store: levels counts from the top level then. It acts once, on the nodes
 * present. Unloaded nodes are expanded and their loads requested.
 *
 * @return As ctree_view_expand, but CTREE_OK for a leaf; CTREE_CANCELLED.
 *
 * Cost: O(nodes of those levels), no recursion.
 */
CTREE_API ctree_status ctree_view_expand_all(ctree_view *view, ctree_node node, uint32_t levels,
                                             const ctree_progress *progress);

/** Collapse a node and everything below it; CTREE_NONE: the whole store. Sections stay open. Cost: O(s). */
CTREE_API ctree_status ctree_view_collapse_all(ctree_view *view, ctree_node node);

/** Expand every ancestor of a node, so that it is visible. CTREE_STALE. Cost: O(d). Of a node that is yet to come:
 * ctree_view_reveal_path. */
CTREE_API ctree_status ctree_view_reveal(ctree_view *view, ctree_node node);

#ifdef __cplusplus
}
#endif

#endif
