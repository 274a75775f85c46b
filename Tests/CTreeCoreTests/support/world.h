/*
 * A store with its views and listeners beside its twin. Every call is made on both and everything that it may show is
 * compared: status, results, faults, values let go, edits told. Also where memory runs out or the call is cancelled
 * in the midst of it: then nothing may have changed, and the call is made again.
 */
#ifndef TEST_WORLD_H
#define TEST_WORLD_H

#include "support/failing_allocator.h"
#include "support/mirror.h"
#include "support/twin.h"

/* ---- Calls --------------------------------------------------------------------------------------------------- */

typedef enum op_kind {
    OP_INSERT,
    OP_REMOVE,
    OP_REMOVE_CHILDREN,
    OP_MOVE,
    OP_SET_VALUE,
    OP_SET_LEAF,
    OP_BUILD,
    OP_GRAFT,
    OP_RECONCILE,
    OP_REQUEST,
    OP_NEXT_REQUEST,
    OP_BEGIN,
    OP_FINISH,
    OP_APPEND,
    OP_FAIL,
    OP_CANCEL,
    OP_DROP,
    OP_VIEW_CREATE,
    OP_VIEW_DESTROY,
    OP_EXPAND,
    OP_COLLAPSE,
    OP_TOGGLE,
    OP_EXPAND_ALL,
    OP_COLLAPSE_ALL,
    OP_REVEAL,
    OP_KINDS
} op_kind;

struct world;

/* One call with its arguments; those that it does not have are left alone. */
typedef struct op {
    op_kind kind;
    ctree_node node, parent;
    uint32_t at; /* or the first position */
    uint32_t count;
    ctree_id id;
    const ctree_node_init *init;
    uint64_t value, revision; /* or the error of a load */
    bool flag;                /* leaf; more to come */
    uint32_t flags;           /* of a begin, of a view */
    uint32_t levels;          /* of expand all; the default depth of a view */
    uint32_t elsewhere;
    ctree_ticket ticket;
    const ctree_forest *forest;
    struct world *other; /* of a graft */
    uint32_t view;

    uint64_t fail_at;   /* First let the n-th allocation fail. 0: none. */
    bool fail_onwards;  /* And all that follow it. */
    uint64_t cancel_at; /* First let progress say no at the n-th asking. 0: never. */
    bool was_disturbed; /* Out: an allocation failed, or progress was asked so often. */
    ctree_node out;     /* Out: the inserted node, or the next request. */
    ctree_node *outs;   /* In: where the node of each item goes, or NULL. */
    ctree_fault fault;  /* Out. */
} op;

typedef struct world_ticket {
    ctree_node node;
    ctree_ticket ticket;
} world_ticket;

enum { WORLD_STALE = 32, WORLD_TICKETS = 32 };

typedef struct world {
    ctree_store *store;
    twin *twin;
    mirror mirror;
    ctree_view *views[TWIN_VIEWS];
    bool has_allocator;
    failing_allocator memory;

    twin_release *released; /* as the store told, since the call began */
    uint32_t released_count, released_room;
    ctree_node stale[WORLD_STALE]; /* handles of nodes that went, newest first */
    uint32_t stale_count;
    ctree_node leaving[WORLD_STALE]; /* about to go into another store */
    uint32_t leaving_count;
    world_ticket tickets[WORLD_TICKETS]; /* that were given, newest first */
    uint32_t ticket_count;
    bool checks_moves; /* Reconciles must move as few nodes as can be. */
} world;

typedef struct world_options {
    ctree_id_kind kind;
    ctree_id_scope scope;
    uint64_t limit; /* 0: none */
    bool allocator; /* a failing one of the world's own */
} world_options;

world *world_create(world_options options);
void world_destroy(world *w); /* with checks of what destroy must do */

/* Makes the call; the status is that of the last attempt. */
ctree_status world_do(world *w, op *call);

/* Everything that can be read, compared. */
void world_compare(const world *w);

/* ---- Shorthands for tests that spell their calls out ---- */

ctree_node world_insert(world *w, ctree_node parent, uint32_t at, ctree_id id, uint32_t load_state);
ctree_status world_on(world *w, op_kind kind, ctree_node node); /* a call with one node, in view 0 where it has one */
ctree_view *world_view(world *w, uint32_t number, uint32_t flags, uint32_t default_depth);

#endif
