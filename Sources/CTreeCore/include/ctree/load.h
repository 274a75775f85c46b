/*
 * Loading children. Whatever opens a node asks for its load; the host pulls those requests, begins a load and hands
 * its result in with the ticket that it was given. Nothing here waits, and nothing runs by itself.
 *
 *   unloaded, failed --begin--> loading --finish--> loaded
 *                                  |--append--> loaded, with more to come while the pages say so
 *                                  |--fail----> failed
 *                                  '--cancel--> as before
 *   loaded --begin with reload--> loading      loaded, failed, loading --drop--> unloaded
 *
 * What every call that edits may return is said in edit.h.
 */
#ifndef CTREE_LOAD_H
#define CTREE_LOAD_H

#include "ctree/edit.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Names one load of one node: a counter of the store, never 0. It survives moves and reconciles of its node. */
typedef uint64_t ctree_ticket;

/* ---- Requests ------------------------------------------------------------------------------------------------ */

/**
 * Ask for a node's children: the node joins the queue of requests unless it is there already. A view does this for
 * whatever it opens.
 *
 * @return CTREE_OK, also where nothing is to be done: it is loaded, loading or queued already. CTREE_LEAF,
 *         CTREE_STALE.
 */
CTREE_API ctree_status ctree_load_request(ctree_store *store, ctree_node node);

/**
 * Take the oldest request that still stands: the node is alive and unloaded or failed.
 *
 * @return The node, or CTREE_NONE when none is left. O(1) amortised.
 */
CTREE_API ctree_node ctree_load_next_request(ctree_store *store);

/* ---- Loads --------------------------------------------------------------------------------------------------- */

/** Flags of ctree_load_begin. */
enum { CTREE_LOAD_RELOAD = 1 /**< Begin although the node is loaded, or loading: a load under way is superseded. */ };

/**
 * Begin a load. Its request, if any, is done with.
 *
 * @param ticket  Receives the ticket.
 * @return CTREE_OK; CTREE_LOADING when a load is under way and no reload was asked for (`ticket` receives that of the
 *         load under way); CTREE_LEAF; CTREE_STALE; CTREE_DUPLICATE when it is loaded, no more is to come and no
 *         reload was asked for.
 */
CTREE_API ctree_status ctree_load_begin(ctree_store *store, ctree_node node, uint32_t flags, ctree_ticket *ticket);

/**
 * What a ticket is good for now: CTREE_OK when its load is under way; CTREE_STALE when the node is gone;
 * CTREE_CANCELLED when it was cancelled; CTREE_SUPERSEDED when a newer load has begun or this one has ended. Of
 * several that were cancelled the last one is remembered as such, until a load of the node has all its children.
 * Every call below that takes a ticket returns the same.
 */
CTREE_API ctree_status ctree_load_check(const ctree_store *store, ctree_node node, ctree_ticket ticket);

/**
 * End a load with the whole list of children, reconciled as ctree_store_reconcile does it.
 *
 * @param elsewhere  A ctree_elsewhere; the usual one for results is CTREE_ELSEWHERE_MOVES.
 * @return As ctree_load_check, else as ctree_store_reconcile; when that fails the load goes on.
 */
CTREE_API ctree_status ctree_load_finish(ctree_store *store, ctree_node node, ctree_ticket ticket,
                                         const ctree_forest *forest, uint32_t elsewhere, ctree_node *out,
                                         ctree_fault *fault);

/**
 * Hand in a page of children, to stand behind those of earlier pages; of a reload the first page replaces what was
 * there. With `more` the node is loaded, more is to come, and the ticket stays good; without, the load ends.
 *
 * @return As ctree_load_check; CTREE_DUPLICATE when an identifier is there already, and the earlier pages and the
 *         load are left alone; else as ctree_store_build.
 */
CTREE_API ctree_status ctree_load_append(ctree_store *store, ctree_node node, ctree_ticket ticket,
                                         const ctree_forest *page, bool more, ctree_node *out, ctree_fault *fault);

/** End a load in failure: the node is failed and keeps `error` for ctree_load_error, and the children it had. */
CTREE_API ctree_status ctree_load_fail(ctree_store *store, ctree_node node, ctree_ticket ticket, uint64_t error);

/** End a load as if it had not begun: the state before it returns. Pages that came stay, with more to come. */
CTREE_API ctree_status ctree_load_cancel(ctree_store *store, ctree_node node, ctree_ticket ticket);

/** The error of a failed node; 0 for any other. O(1). */
CTREE_API uint64_t ctree_load_error(const ctree_store *store, ctree_node node);

/**
 * Forget a node's children: its subtree is removed and it is unloaded, whatever it was but a leaf. A load under way
 * is cancelled. Memory follows what is open so.
 *
 * @return CTREE_OK, CTREE_LEAF, CTREE_STALE. Cost: O(s).
 */
CTREE_API ctree_status ctree_load_drop(ctree_store *store, ctree_node node);

#ifdef __cplusplus
}
#endif

#endif
