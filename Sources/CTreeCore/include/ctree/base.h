/*
 * CTreeCore: what every other header stands on: status codes, handles, identifiers, memory, progress, versions.
 *
 * Conventions of the whole interface
 *   - A call that can fail returns a ctree_status and writes its results through out-parameters. On failure the
 *     store, its views and the results are as they were before the call, unless the call says otherwise.
 *   - Out-parameters may be NULL where a call says so, and only there.
 *   - Option structs begin with their size: set it with the INIT macro beside them. A field that a caller's older
 *     header does not have takes its default; a size that the library does not know yet is CTREE_INVALID unless
 *     everything beyond what it knows is zero, and so is any above 1,024 bytes.
 *   - No global state, no errno, no abort. A store and its views are one domain: a call that edits needs all of the
 *     domain to itself; calls that take const objects may run at the same time as each other. Domains share nothing.
 */
#ifndef CTREE_BASE_H
#define CTREE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(CTREE_SHARED_BUILD)
#define CTREE_API __declspec(dllexport)
#elif defined(__GNUC__)
#define CTREE_API __attribute__((visibility("default")))
#else
#define CTREE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version ------------------------------------------------------------------------------------------------- */

#define CTREE_VERSION_MAJOR 0
#define CTREE_VERSION_MINOR 1
#define CTREE_VERSION_PATCH 0
#define CTREE_VERSION_STRING "0.1.0"

/** Number of the binary interface; it is the SONAME. It grows when a program built before can no longer run. */
#define CTREE_ABI_VERSION 0

/** The version of the library that runs, as major * 1000000 + minor * 1000 + patch. */
CTREE_API uint32_t ctree_version(void);

/** The version of the library that runs, as text, such as "0.1.0". Static; never freed. */
CTREE_API const char *ctree_version_string(void);

/** The binary interface of the library that runs; compare with CTREE_ABI_VERSION. */
CTREE_API uint32_t ctree_abi_version(void);

/* ---- Status -------------------------------------------------------------------------------------------------- */

/** What a call came to. The numbers are pinned: they never change, new ones are added at the end. */
typedef enum ctree_status {
    CTREE_OK = 0,
    CTREE_NO_MEMORY = 1, /**< The allocator or the system gave none. */
    CTREE_INVALID =
        2,           /**< An argument no call could take: NULL, an unknown option, an identifier of the wrong kind. */
    CTREE_STALE = 3, /**< The handle names no living node of this store. */
    CTREE_RANGE = 4, /**< A position, row or count beyond the end. */
    CTREE_DUPLICATE = 5,   /**< The identifier is in use within its scope, or stands twice in one list. */
    CTREE_LIMIT = 6,       /**< A limit of the store or of a call was reached. */
    CTREE_LEAF = 7,        /**< The node is a leaf: it cannot be opened or loaded. */
    CTREE_CYCLE = 8,       /**< The node would come to stand below itself. */
    CTREE_BUSY = 9,        /**< An edit from within a callback of an edit of the same store. */
    CTREE_CLOSED = 10,     /**< The store was destroyed; only destroying what hangs on it is left to do. */
    CTREE_CANCELLED = 11,  /**< A progress callback asked to stop, or the load was cancelled. */
    CTREE_SUPERSEDED = 12, /**< A newer load of the node has begun, or this one has already ended. */
    CTREE_NOT_FOUND = 13,  /**< Nothing of that name is there. */
    CTREE_LOADING = 14,    /**< A load of the node is under way and no new one was asked for. */
    CTREE_CORRUPT = 15     /**< An invariant is broken: only ctree_validate and ctree_view_validate return it. */
} ctree_status;

/** A short English name of a status, such as "stale handle". Static; never freed; never NULL. */
CTREE_API const char *ctree_status_name(ctree_status status);

/* ---- Nodes --------------------------------------------------------------------------------------------------- */

/**
 * A node of a store: slot in the low half, generation in the high half. A handle to a removed node is stale for
 * ever, also after its slot serves another node. Generations of a store start at a number of its own, so that a
 * handle of another store is almost surely stale here.
 */
typedef uint64_t ctree_node;

/** Names no node. As a parent it means the top level of the store. */
#define CTREE_NONE ((ctree_node)0)

/** As a position: behind the last. */
#define CTREE_END UINT32_MAX

/* ---- Identifiers --------------------------------------------------------------------------------------------- */

/**
 * The caller's name of a node, lent for the length of a call. What `word` means is settled by the store's kind:
 * the identifier itself (64-bit identifiers; `bytes` is NULL then), or the number of bytes at `bytes`.
 */
typedef struct ctree_id {
    const void *bytes;
    uint64_t word;
} ctree_id;

/** A 64-bit identifier. */
static inline ctree_id ctree_id_u64(uint64_t number) {
    ctree_id id = {NULL, number};
    return id;
}

/** An identifier of `length` bytes: any content, also none, also with NUL. `bytes` may be NULL where length is 0. */
static inline ctree_id ctree_id_bytes(const void *bytes, size_t length) {
    ctree_id id = {bytes != NULL ? bytes : "", (uint64_t)length};
    return id;
}

/* ---- Memory -------------------------------------------------------------------------------------------------- */

/**
 * Where a store takes its memory. Sizes are in bytes and never 0; blocks are aligned as malloc aligns them.
 * `old_size` and `size` repeat what was asked for, so that an allocator need not remember. All three must be set.
 * The functions are called from whichever thread calls the store, and from two at once only
 * where two such calls run at once: a few reads take memory too (ctree_rows_flatten, ctree_validate,
 * ctree_view_selected).
 */
typedef struct ctree_allocator {
    void *context;
    void *(*allocate)(void *context, size_t size); /**< NULL when there is none. */
    void *(*reallocate)(void *context, void *block, size_t old_size, size_t new_size); /**< NULL leaves the block. */
    void (*release)(void *context, void *block, size_t size);                          /**< Never called with NULL. */
} ctree_allocator;

/* ---- Progress ------------------------------------------------------------------------------------------------ */

/**
 * Asked now and then by long calls (at least every 65,536 nodes): `done` of `total` units of work are behind.
 * Returning false ends the call with CTREE_CANCELLED and everything as it was before. It must not call the store.
 */
typedef struct ctree_progress {
    void *context;
    bool (*keep_going)(void *context, uint64_t done, uint64_t total);
} ctree_progress;

#ifdef __cplusplus
}
#endif

#endif
