/*
 * The state of a view by identifiers: what is expanded and selected, to be kept beyond the life of the store, and
 * given back to a view whose nodes may yet have to come. What is given back to a node that is not there waits in the
 * view until the node arrives, by whichever call; then it opens, and its load is asked for.
 *
 * A path is what names a node: with identifiers unique in the store its own identifier alone, with identifiers unique
 * among siblings those of all its ancestors from the topmost on, and its own.
 */
#ifndef CTREE_SAVED_H
#define CTREE_SAVED_H

#include "ctree/selection.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bits of ctree_saved.what. */
enum {
    CTREE_SAVED_EXPANDED = 1,  /**< A call expanded the node. */
    CTREE_SAVED_COLLAPSED = 2, /**< A call collapsed the node where the view's default would have it open. */
    CTREE_SAVED_SELECTED = 4,  /**< The node is selected. */
    CTREE_SAVED_ALL = 7
};

/** What is kept of one node. */
typedef struct ctree_saved {
    const ctree_id *path;
    uint32_t length; /**< Identifiers of the path; never 0. */
    uint32_t what;   /**< CTREE_SAVED_ bits. EXPANDED and COLLAPSED exclude each other. */
} ctree_saved;

/** Told of one entry, lent for the length of the call. False ends the telling. It must not edit store or view. */
typedef bool (*ctree_saved_fn)(void *context, const ctree_saved *entry);

/**
 * Tell what a view holds: first of its nodes in preorder, then what waits for nodes to come, in an order that is not
 * promised. To save, restore elsewhere and save again loses nothing.
 *
 * @param what  CTREE_SAVED_ bits: what is asked for.
 * @return CTREE_OK; CTREE_CANCELLED where `tell` returned false; CTREE_INVALID, CTREE_CLOSED, CTREE_NO_MEMORY.
 *
 * Cost: O(n + entries), with identifiers unique among siblings O(n + identifiers told).
 */
CTREE_API ctree_status ctree_view_save(const ctree_view *view, uint32_t what, ctree_saved_fn tell, void *context);

/**
 * Give entries back: to nodes that are there at once, in their order; the others wait. It adds to what the view
 * holds. Of entries that wait for one node a later one replaces an earlier one.
 *
 * What a caller does to a node outranks what waits: collapsing a node ends what waits below it, as far as the paths
 * lead through it, and collapsing all ends all that waits to be expanded. What has been given to a node is not given
 * to another that has its identifier later.
 *
 * @param entries  Copied. A path whose node is a leaf is let pass.
 * @return CTREE_OK; CTREE_INVALID (an empty path, an identifier that is not of the store's kind, with identifiers
 *         unique in the store a path of more than one, unknown bits, or none); CTREE_BUSY, CTREE_CLOSED,
 *         CTREE_LIMIT, CTREE_NO_MEMORY. On failure the view is as it was. Where there is memory to note an entry but
 *         not to open its node, that follows with the next edit of the store.
 *
 * Cost: O(identifiers given) expected, and that of expanding what is there.
 */
CTREE_API ctree_status ctree_view_restore(ctree_view *view, const ctree_saved *entries, size_t count);

/** Number of nodes for which something waits. O(1). */
CTREE_API uint64_t ctree_view_waiting_count(const ctree_view *view);

/** Give up all that waits, reveals under way too. CTREE_INVALID, CTREE_BUSY, CTREE_CLOSED. O(entries). */
CTREE_API ctree_status ctree_view_forget_waiting(ctree_view *view);

/**
 * Reveal a node by its way from the top: expand every ancestor that is there and, as they arrive, those that are not.
 * Each that is unloaded has its load requested, once; a load under way is joined.
 *
 * @param path    The identifiers of all ancestors from the topmost on, and the node's own, in either scope.
 * @param length  Never 0.
 * @param out     Receives the node where CTREE_OK is returned, else the nearest of its ancestors that is there,
 *                CTREE_NONE for the top level. May be NULL.
 * @return CTREE_OK: the node is visible. CTREE_LOADING: it will be once the loads of its ancestors, requested or
 * under way, have brought them; calling again tells how far it is. CTREE_NOT_FOUND: an ancestor is a leaf, or is
 *         loaded and has no such child and none to come; nothing has changed. CTREE_INVALID, CTREE_BUSY,
 *         CTREE_CLOSED, CTREE_NO_MEMORY.
 *
 * Cost: O(length log v), and O(rows that appear for the first time).
 */
CTREE_API ctree_status ctree_view_reveal_path(ctree_view *view, const ctree_id *path, uint32_t length,
                                              ctree_node *out);

#ifdef __cplusplus
}
#endif

#endif
