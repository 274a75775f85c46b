/*
 * Editing a store. Every edit runs in steps: check; reserve (may fail, all undone); tell listeners "before"; apply
 * (cannot fail); tell "after". What every edit here may return, beside what its own text says:
 * CTREE_INVALID (NULL where none is allowed, a wrong number), CTREE_CLOSED, CTREE_BUSY (from within a callback of
 * this store other than "settled"), CTREE_NO_MEMORY, CTREE_LIMIT. On failure everything is as it was.
 */
#ifndef CTREE_EDIT_H
#define CTREE_EDIT_H

#include "ctree/store.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- One node ------------------------------------------------------------------------------------------------ */

/** What a new node starts with. Zero everywhere is a leaf with value 0. */
typedef struct ctree_node_init {
    uint64_t value;
    uint64_t revision;
    uint32_t load_state; /**< CTREE_STATE_LEAF, _UNLOADED or _LOADED (no children, and none to load). */
} ctree_node_init;

/**
 * Insert a node below `parent` (CTREE_NONE: at the top level) before position `at` (CTREE_END: last). A parent that
 * was a leaf or unloaded is loaded from then on.
 *
 * @param init  NULL: all zero.
 * @param out   Receives the node; on CTREE_DUPLICATE the node that has the identifier already. May be NULL.
 * @return CTREE_OK, CTREE_STALE (the parent), CTREE_RANGE, CTREE_DUPLICATE, or as said above.
 *
 * Cost: O(log k); memory never moves by more than a few hundred kilobytes.
 */
CTREE_API ctree_status ctree_store_insert(ctree_store *store, ctree_node parent, uint32_t at, ctree_id id,
                                          const ctree_node_init *init, ctree_node *out);

/**
 * Remove a node and its subtree.
 *
 * @return CTREE_OK, CTREE_STALE. Cost: O(log k + s). Allocates nothing; never CTREE_NO_MEMORY.
 */
CTREE_API ctree_status ctree_store_remove(ctree_store *store, ctree_node node);

/** Remove `count` children of `parent` from position `first` on, with their subtrees. CTREE_STALE, CTREE_RANGE. */
CTREE_API ctree_status ctree_store_remove_children(ctree_store *store, ctree_node parent, uint32_t first,
                                                   uint32_t count);

/**
 * Move a node with its subtree below `parent` (CTREE_NONE: the top level), so that it comes to stand at position `at`
 * (CTREE_END: last), counted when it has left its old place. Handles, and what is expanded, stay. A move to where it
 * stands is CTREE_OK and nothing happens.
 *
 * @return CTREE_OK, CTREE_STALE, CTREE_RANGE, CTREE_CYCLE (the parent is the node or stands below it),
 *         CTREE_DUPLICATE (sibling scope: the new parent has a child of that identifier).
 *
 * Cost: O(log k), and to look for a cycle, where the node has children, O(log v) in a view that shows the parent,
 * else O(d).
 */
CTREE_API ctree_status ctree_store_move(ctree_store *store, ctree_node node, ctree_node parent, uint32_t at);

/**
 * Give a node another value and revision. Listeners hear of it where either differs; the old value is released where
 * it differs.
 *
 * @return CTREE_OK, CTREE_STALE. Cost: O(1).
 */
CTREE_API ctree_status ctree_store_set_value(ctree_store *store, ctree_node node, uint64_t value, uint64_t revision);

/**
 * Make a node a leaf, removing its subtree and ending its load, or, with false, make a leaf unloaded. CTREE_STALE.
 *
 * Cost: O(s).
 */
CTREE_API ctree_status ctree_store_set_leaf(ctree_store *store, ctree_node node, bool leaf);

/* ---- Many nodes ---------------------------------------------------------------------------------------------- */

/**
 * A forest as flat arrays of `count` items: the input of bulk build, of reconcile and of load results. All arrays are
 * lent for the length of the call. Exactly one of `ids`, `numbers` and `bytes` names the identifiers.
 */
typedef struct ctree_forest {
    size_t size; /**< sizeof(ctree_forest) */
    uint64_t count;
    const ctree_id *ids;       /**< Identifiers of either kind. */
    const uint64_t *numbers;   /**< Or 64-bit identifiers. */
    const void *bytes;         /**< Or all bytes in one block, item i at offsets[i] up to offsets[i + 1]. */
    const uint64_t *offsets;   /**< count + 1 of them, never falling. */
    const uint32_t *parents;   /**< The position of each item's parent in this forest, in any order; CTREE_END: none.
                                    NULL: none has one. Siblings keep the order of the arrays. */
    const uint64_t *values;    /**< NULL: 0. */
    const uint64_t *revisions; /**< NULL: 0. */
    const uint8_t *states;     /**< A ctree_load_state each: leaf, unloaded, loaded or keep. NULL: loaded where the
                                    item has children in the forest, leaf elsewhere. */
} ctree_forest;

#define CTREE_FOREST_INIT \
    { sizeof(ctree_forest), 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL }

/** No item: see ctree_fault. */
#define CTREE_NO_ITEM UINT64_MAX

/** Where the fault lies when a call over many items fails. */
typedef struct ctree_fault {
    size_t size;         /**< sizeof(ctree_fault), set by the caller */
    uint64_t item;       /**< The position of the item at fault in the input, or CTREE_NO_ITEM. */
    uint64_t other_item; /**< On CTREE_DUPLICATE within the input: the earlier item of that identifier. */
    ctree_node node;     /**< The node in the store that is in the way, or CTREE_NONE. */
} ctree_fault;

#define CTREE_FAULT_INIT \
    { sizeof(ctree_fault), CTREE_NO_ITEM, CTREE_NO_ITEM, CTREE_NONE }

/**
 * Build a whole forest below `parent` (CTREE_NONE: at the top level) before position `at` (CTREE_END: last).
 * All or nothing.
 *
 * @param progress  May be NULL.
 * @param out       Receives the node of each item. May be NULL.
 * @param fault     Told what was wrong. May be NULL.
 * @return CTREE_OK, CTREE_STALE, CTREE_RANGE, CTREE_DUPLICATE, CTREE_CANCELLED; CTREE_INVALID for a parent that is no
 *         item, CTREE_CYCLE for items that are each other's ancestors; CTREE_INVALID for an item that has children in
 *         the forest though its state is not loaded.
 *
 * Cost: O(count). One insertion is told for each run of siblings: here one, whatever the depth.
 */
CTREE_API ctree_status ctree_store_build(ctree_store *store, ctree_node parent, uint32_t at,
                                         const ctree_forest *forest, const ctree_progress *progress, ctree_node *out,
                                         ctree_fault *fault);

/**
 * Take all nodes out of `other`, a store of the same kind and scope that may have been built on another thread, and
 * put them below `parent` before position `at`. `other` is left empty; its values are not released, they move. Its
 * views see it emptied, and loads under way in it end, as if cancelled. Handles are new. A failed load is forgotten:
 * its node is unloaded here, or loaded where it has children.
 *
 * @return CTREE_OK, CTREE_STALE, CTREE_RANGE, CTREE_DUPLICATE (`fault` names the node in `store` that is in the way),
 *         CTREE_CANCELLED, CTREE_INVALID (another kind or scope, or the same store). Both stores are as before then.
 *
 * Cost: O(nodes of `other`).
 */
CTREE_API ctree_status ctree_store_graft(ctree_store *store, ctree_node parent, uint32_t at, ctree_store *other,
                                         const ctree_progress *progress, ctree_fault *fault);

/** What a reconcile does with an identifier that stands elsewhere in the store. */
typedef enum ctree_elsewhere {
    CTREE_ELSEWHERE_FAILS = 0, /**< CTREE_DUPLICATE; the fault names the item and the node. */
    CTREE_ELSEWHERE_MOVES = 1  /**< The node moves here with its subtree. */
} ctree_elsewhere;

/**
 * Replace the children of `parent` (CTREE_NONE: the top level) by a forest, matching by identifier: a node that is
 * found again stays the same node, with its handle and all that is known of it.
 *
 * An item found again gets the value and revision of the forest where they differ. Its state in the forest decides
 * about its children: loaded, they are replaced by those listed, and so on down; keep or unloaded, they stay as they
 * are; leaf, they are removed. Within the lists that are replaced, and what they remove, nodes move freely between
 * parents. An identifier that stands anywhere else in the store is treated as `elsewhere` says; an ancestor of
 * `parent`, or `parent` itself, is CTREE_CYCLE. In sibling scope items are matched under the same parent only.
 *
 * @param elsewhere  A ctree_elsewhere.
 * @param progress   May be NULL.
 * @param out        Receives the node of each item. May be NULL.
 * @param fault      Told what was wrong. May be NULL.
 * @return CTREE_OK, CTREE_STALE, CTREE_DUPLICATE, CTREE_CYCLE, CTREE_CANCELLED, and CTREE_INVALID as for
 *         ctree_store_build.
 *
 * Listeners hear it as a sequence of removals, moves (as few as can be) and insertions of runs, and changes.
 * What is new is made before the old goes: a limit of nodes has to leave room for both.
 * Cost: O(count + nodes removed), and O(log k) for each run that moves.
 */
CTREE_API ctree_status ctree_store_reconcile(ctree_store *store, ctree_node parent, const ctree_forest *forest,
                                             uint32_t elsewhere, const ctree_progress *progress, ctree_node *out,
                                             ctree_fault *fault);

/* ---- Transactions -------------------------------------------------------------------------------------------- */

/**
 * Begin a transaction: "settled" is told once, at its end, and a destroy waits for that. Edits are told and applied
 * as without; nothing is taken back. Transactions nest. CTREE_BUSY, CTREE_CLOSED.
 */
CTREE_API ctree_status ctree_store_begin(ctree_store *store);

/**
 * End the transaction begun last. With the outermost the store settles, and may be gone afterwards.
 *
 * @return CTREE_OK, CTREE_NOT_FOUND (none was begun), CTREE_BUSY, CTREE_CLOSED, CTREE_INVALID.
 */
CTREE_API ctree_status ctree_store_end(ctree_store *store);

/* ---- Listening ----------------------------------------------------------------------------------------------- */

/** What an edit does. */
typedef enum ctree_edit_kind {
    CTREE_EDIT_INSERT = 1, /**< `count` nodes with their subtrees come to stand below `parent` at `first`. */
    CTREE_EDIT_REMOVE = 2, /**< `count` nodes with their subtrees leave `parent` from `first` on. */
    CTREE_EDIT_MOVE = 3,   /**< `count` nodes leave `parent` from `first` on and come to stand below `to_parent` at
                                `to_first`, which is counted when they have left. */
    CTREE_EDIT_CHANGE = 4  /**< `node` changed in the ways that `changed` says. */
} ctree_edit_kind;

/** Bits of ctree_edit.changed. */
enum { CTREE_CHANGED_VALUE = 1, CTREE_CHANGED_REVISION = 2, CTREE_CHANGED_LOAD_STATE = 4 };

/** One step of change, in the numbering of its moment: what NSOutlineView and Qt want. */
typedef struct ctree_edit {
    uint32_t kind; /**< A ctree_edit_kind. */
    uint32_t changed;
    ctree_node node;
    ctree_node parent; /**< CTREE_NONE: the top level. */
    ctree_node to_parent;
    uint32_t first;
    uint32_t count;
    uint32_t to_first;
} ctree_edit;

/**
 * A listener. Any of the functions may be NULL. In `before` and `after` the store and all its views are read-only.
 * `before` hears a node that will be removed while it is still there, `after` a node that was inserted when it is.
 * A call of several steps tells each in turn. `settled` comes once after the outermost call; the store may be edited
 * there, and such an edit is followed by a `settled` of its own.
 */
typedef struct ctree_listener {
    void *context;
    void (*before)(void *context, const ctree_store *store, const ctree_edit *edit);
    void (*after)(void *context, const ctree_store *store, const ctree_edit *edit);
    void (*settled)(void *context, ctree_store *store);
} ctree_listener;

/**
 * Add a listener; it hears what begins after this call. Listeners are told in the order they came.
 *
 * @param token  Receives a number for ctree_store_remove_listener, never 0.
 * @return CTREE_OK, CTREE_INVALID, CTREE_CLOSED, CTREE_NO_MEMORY. Allowed from within a callback.
 */
CTREE_API ctree_status ctree_store_add_listener(ctree_store *store, const ctree_listener *listener, uint64_t *token);

/** Remove a listener; it hears nothing more. CTREE_NOT_FOUND. Allowed from within a callback. */
CTREE_API ctree_status ctree_store_remove_listener(ctree_store *store, uint64_t token);

#ifdef __cplusplus
}
#endif

#endif
