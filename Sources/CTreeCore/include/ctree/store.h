/*
 * The store: a forest of nodes with identifiers, order of children, values and load states. It knows nothing of rows.
 *
 * Bounds are said with n nodes in the store, k children of the node in question, d its depth, s nodes of a subtree.
 */
#ifndef CTREE_STORE_H
#define CTREE_STORE_H

#include "ctree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ctree_store ctree_store;

/* ---- Options ------------------------------------------------------------------------------------------------- */

/** What an identifier is. */
typedef enum ctree_id_kind {
    CTREE_ID_U64 = 0,  /**< A 64-bit number. */
    CTREE_ID_BYTES = 1 /**< Up to 2^32 - 1 bytes of any content. */
} ctree_id_kind;

/** Where an identifier must be unique. */
typedef enum ctree_id_scope {
    CTREE_SCOPE_STORE = 0,   /**< In the whole store. */
    CTREE_SCOPE_SIBLINGS = 1 /**< Among the children of one node, as a file's name is in its folder. */
} ctree_id_scope;

/**
 * Told of values that the store let go: `values[i]` was the value of `nodes[i]`. Every node that a call removed is
 * told once, also where its value is 0, and every value that a call replaced by another; never when the call failed.
 * It comes after the listeners' "after", in blocks, and from ctree_store_destroy. The handles of removed nodes are
 * stale by then. The store may be read; an edit there is CTREE_BUSY.
 */
typedef void (*ctree_release_fn)(void *context, const ctree_node *nodes, const uint64_t *values, size_t count);

/** How to create a store. Begin with CTREE_STORE_OPTIONS_INIT and set what differs. */
typedef struct ctree_store_options {
    size_t size;                      /**< sizeof(ctree_store_options) */
    const ctree_allocator *allocator; /**< NULL: the C library's, and address space from the system. Copied. */
    uint32_t id_kind;                 /**< A ctree_id_kind. */
    uint32_t id_scope;                /**< A ctree_id_scope. */
    uint64_t node_limit;              /**< The most nodes at one time; 0 means, and the most is, 2^32 - 2. */
    const void *secret;               /**< Keys the hash, for replay; NULL draws from the system. Copied. */
    size_t secret_size;               /**< Bytes at `secret`. */
    ctree_release_fn release;         /**< May be NULL. */
    void *release_context;
} ctree_store_options;

#define CTREE_STORE_OPTIONS_INIT \
    { sizeof(ctree_store_options), NULL, CTREE_ID_U64, CTREE_SCOPE_STORE, 0, NULL, 0, NULL, NULL }

/* ---- Life ---------------------------------------------------------------------------------------------------- */

/**
 * Create an empty store.
 *
 * @param options  NULL means CTREE_STORE_OPTIONS_INIT.
 * @param out      Receives the store; the caller owns it and ends it with ctree_store_destroy.
 * @return CTREE_OK, CTREE_INVALID, CTREE_NO_MEMORY. Takes under 64 KiB.
 */
CTREE_API ctree_status ctree_store_create(const ctree_store_options *options, ctree_store **out);

/**
 * End a store: its values are released and its nodes freed at once; later calls on its views return CTREE_CLOSED.
 * The object itself is freed now, or with its last view. From within a callback of the store it takes effect when the
 * outermost call returns. NULL is let pass.
 *
 * Cost: O(n), without recursion.
 */
CTREE_API void ctree_store_destroy(ctree_store *store);

/* ---- The whole ----------------------------------------------------------------------------------------------- */

/** Number of nodes; 0 when closed. O(1). */
CTREE_API uint64_t ctree_store_count(const ctree_store *store);

/** The kind and scope of identifiers that the store was created with. */
CTREE_API ctree_id_kind ctree_store_id_kind(const ctree_store *store);
CTREE_API ctree_id_scope ctree_store_id_scope(const ctree_store *store);

/** Where a store's memory is, in bytes. Address space that was never touched does not count. */
typedef struct ctree_memory {
    size_t size;          /**< sizeof(ctree_memory), set by the caller */
    uint64_t total;       /**< All of it. */
    uint64_t nodes;       /**< Slots: links, values, revisions, load states. */
    uint64_t children;    /**< Lists of children. */
    uint64_t identifiers; /**< Identifiers and their bytes, live, dead and spare. */
    uint64_t index;       /**< The index of identifiers. */
    uint64_t dead;        /**< Of `identifiers`: bytes of removed nodes that were not reclaimed yet. */
} ctree_memory;

/** @return CTREE_OK, CTREE_INVALID, CTREE_CLOSED. Cost: O(1). */
CTREE_API ctree_status ctree_store_memory(const ctree_store *store, ctree_memory *out);

/**
 * Check every invariant of the store.
 *
 * @param reason  Receives a static sentence about the first breach, or NULL where there is none. May be NULL.
 * @return CTREE_OK, CTREE_CORRUPT, CTREE_CLOSED, CTREE_NO_MEMORY.
 *
 * Cost: O(n).
 */
CTREE_API ctree_status ctree_validate(const ctree_store *store, const char **reason);

/* ---- Finding ------------------------------------------------------------------------------------------------- */

/**
 * The node of an identifier, in a store whose identifiers are unique in the store.
 *
 * @return CTREE_NONE when there is none, also when the identifier is of the other kind or the scope is siblings.
 *
 * Cost: O(1) expected, whatever identifiers were chosen.
 */
CTREE_API ctree_node ctree_store_find(const ctree_store *store, ctree_id id);

/**
 * The child of `parent` (CTREE_NONE: the top level) that has this identifier; in either scope. O(1) expected.
 *
 * @return CTREE_NONE when there is none or the parent is stale.
 */
CTREE_API ctree_node ctree_store_find_child(const ctree_store *store, ctree_node parent, ctree_id id);

/**
 * Find many at once, several times faster than one by one on a large store.
 *
 * @param parents  In a store of sibling scope the parent of each; NULL means the top level for all. Ignored in store
 *                 scope, where it may be NULL.
 * @param out      Receives `count` nodes, CTREE_NONE for each that is not there.
 * @return CTREE_OK, CTREE_INVALID, CTREE_CLOSED.
 */
CTREE_API ctree_status ctree_store_find_many(const ctree_store *store, const ctree_node *parents, const ctree_id *ids,
                                             size_t count, ctree_node *out);

/** The same for packed 64-bit identifiers. */
CTREE_API ctree_status ctree_store_find_many_u64(const ctree_store *store, const ctree_node *parents,
                                                 const uint64_t *numbers, size_t count, ctree_node *out);

/* ---- Reading a node ------------------------------------------------------------------------------------------ */

/** What is known of a node's children. */
typedef enum ctree_load_state {
    CTREE_STATE_LEAF = 0,     /**< Cannot open. Has no children. */
    CTREE_STATE_UNLOADED = 1, /**< May open; nothing is here yet. Has no children. */
    CTREE_STATE_LOADING = 2,  /**< A load is under way; children of before stay until it ends. */
    CTREE_STATE_LOADED = 3,   /**< The children are here, possibly none. */
    CTREE_STATE_FAILED = 4,   /**< The last load failed; children of before are still here. */
    CTREE_STATE_KEEP = 5      /**< Only in a ctree_forest: as the node is; unloaded where it is new. */
} ctree_load_state;

/** All that is stored of one node. */
typedef struct ctree_node_info {
    size_t size;       /**< sizeof(ctree_node_info), set by the caller */
    ctree_node parent; /**< CTREE_NONE at the top level. */
    uint64_t value;
    uint64_t revision;
    ctree_id id; /**< Lent until the next edit of the store. */
    uint32_t child_count;
    uint32_t load_state; /**< A ctree_load_state. */
    bool more;           /**< More children are to come. */
} ctree_node_info;

/** Whether the handle names a living node. O(1). */
CTREE_API bool ctree_store_contains(const ctree_store *store, ctree_node node);

/** @return CTREE_OK, CTREE_STALE, CTREE_INVALID, CTREE_CLOSED. Cost: O(1). */
CTREE_API ctree_status ctree_store_info(const ctree_store *store, ctree_node node, ctree_node_info *out);

/** The node's parent into `out`: CTREE_NONE at the top level. CTREE_STALE, CTREE_CLOSED. O(1). */
CTREE_API ctree_status ctree_store_parent(const ctree_store *store, ctree_node node, ctree_node *out);

/** The node's identifier, lent until the next edit. CTREE_STALE, CTREE_CLOSED. O(1). */
CTREE_API ctree_status ctree_store_id(const ctree_store *store, ctree_node node, ctree_id *out);

/** The node's value and revision; 0 for a stale handle. O(1). */
CTREE_API uint64_t ctree_store_value(const ctree_store *store, ctree_node node);
CTREE_API uint64_t ctree_store_revision(const ctree_store *store, ctree_node node);

/** The node's load state; CTREE_STATE_LEAF for a stale handle. O(1). */
CTREE_API ctree_load_state ctree_store_load_state(const ctree_store *store, ctree_node node);

/** Number of children (CTREE_NONE: of top-level nodes); 0 for a stale handle. O(1). */
CTREE_API uint32_t ctree_store_child_count(const ctree_store *store, ctree_node parent);

/** The child at a position counted from 0; CTREE_NONE beyond the end or for a stale parent. O(log k). */
CTREE_API ctree_node ctree_store_child_at(const ctree_store *store, ctree_node parent, uint32_t position);

/**
 * A run of children in one call.
 *
 * @param count  In: how many to read from `first` on; out: how many there were.
 * @param out    Receives them.
 * @return CTREE_OK, CTREE_STALE, CTREE_RANGE (`first` beyond the number of children), CTREE_INVALID, CTREE_CLOSED.
 *
 * Cost: O(log k + count).
 */
CTREE_API ctree_status ctree_store_children(const ctree_store *store, ctree_node parent, uint32_t first,
                                            uint32_t *count, ctree_node *out);

/** The position of a node among its siblings, counted from 0, into `out`. CTREE_STALE, CTREE_CLOSED. O(log k). */
CTREE_API ctree_status ctree_store_ordinal(const ctree_store *store, ctree_node node, uint32_t *out);

/** Number of ancestors, 0 at the top level, into `out`. CTREE_STALE, CTREE_CLOSED. O(d). */
CTREE_API ctree_status ctree_store_depth(const ctree_store *store, ctree_node node, uint32_t *out);

/** Whether `node` stands somewhere below `ancestor` (a node is not below itself). False for stale handles. O(log v)
   where a view shows `node`, else O(d). */
CTREE_API bool ctree_store_is_below(const ctree_store *store, ctree_node node, ctree_node ancestor);

/**
 * The ordinals from the top level down to a node.
 *
 * @param room  In: how many ordinals fit at `out`; out: the length of the path, also where it did not fit.
 * @return CTREE_OK, CTREE_STALE, CTREE_RANGE (did not fit; nothing was written to `out`), CTREE_INVALID,
 *         CTREE_CLOSED.
 *
 * Cost: O(d log k).
 */
CTREE_API ctree_status ctree_store_path(const ctree_store *store, ctree_node node, uint32_t *room, uint32_t *out);

/** The node at a path of ordinals; CTREE_NONE where there is none. The empty path names no node. O(d log k). */
CTREE_API ctree_node ctree_store_node_at_path(const ctree_store *store, const uint32_t *path, uint32_t length);

/* ---- Walking ------------------------------------------------------------------------------------------------- */

/**
 * The node that follows in preorder within the subtree of `root` (CTREE_NONE: the whole store): its first child, or
 * its next sibling, or that of the nearest ancestor that has one. Start with `root` itself, or with CTREE_NONE for
 * the whole store. With `skip_children` the walk passes by the node's subtree. From a node that does not stand below
 * `root` it goes on to the end of the store.
 *
 * @return CTREE_NONE at the end and for stale handles.
 *
 * Cost: O(log k) for a step, amortised over a whole walk. Needs no memory at any depth.
 */
CTREE_API ctree_node ctree_store_next(const ctree_store *store, ctree_node node, ctree_node root, bool skip_children);

/** Number of nodes in a subtree, the node itself included; 0 for a stale handle. O(s). */
CTREE_API uint64_t ctree_store_subtree_count(const ctree_store *store, ctree_node node);

#ifdef __cplusplus
}
#endif

#endif
