/*
 * The naive twin of a store and its views: the same calls on plain arrays and linear searches, so simple that they
 * can be seen to be right. Whatever the engine does is compared with what its twin did.
 *
 * The twin never asks the engine what happened, but for one thing that only the engine can know: the handles of new
 * nodes, which twin_learn reads from where the twin says that they stand.
 */
#ifndef TEST_TWIN_H
#define TEST_TWIN_H

#include "ctree/ctree.h"

enum { TWIN_VIEWS = 4 };

typedef enum twin_load { TWIN_NO_LOAD, TWIN_UNDER_WAY, TWIN_ENDED } twin_load;
typedef enum twin_own { TWIN_BY_DEFAULT, TWIN_EXPANDED, TWIN_COLLAPSED } twin_own;

typedef struct twin_node twin_node;
struct twin_node {
    ctree_node handle;    /* CTREE_NONE until it is learned, and for the top level */
    unsigned char *bytes; /* of a byte identifier */
    uint64_t word;        /* as in ctree_id */
    twin_node *parent;    /* NULL for the top level only */
    twin_node **children;
    uint32_t count;
    uint64_t value, revision;
    uint32_t state;
    bool more;
    uint64_t error;

    ctree_ticket ticket;    /* of the load under way, else of the last */
    ctree_ticket cancelled; /* the newest that was cancelled */
    twin_load load;
    uint32_t state_before;
    bool more_before;
    uint64_t error_before;
    bool replaces;     /* the first page of a reload is to come */
    bool failed_early; /* that was so when the last load failed */

    uint8_t own[TWIN_VIEWS]; /* what a call said of it in each view */
    uint64_t mark;           /* for whoever walks */
};

typedef struct twin_view {
    bool used;
    uint32_t flags, default_depth;
} twin_view;

/* One entry of the queue. Requests of one call come in any order, since the interface does not say which. */
typedef struct twin_request_entry {
    twin_node *node; /* NULL: it went */
    uint64_t call;
    bool maybe; /* The interface leaves open whether this is asked for. */
} twin_request_entry;

typedef struct twin_release {
    ctree_node node;
    uint64_t value;
} twin_release;

typedef struct twin {
    ctree_id_kind kind;
    ctree_id_scope scope;
    uint64_t limit;
    twin_node *top;
    twin_node **nodes; /* all that live but the top, in no order */
    uint32_t count, room;
    twin_request_entry *requests; /* oldest first */
    uint32_t request_count, request_room;
    uint64_t calls; /* Counted up by whoever makes calls. */
    twin_view views[TWIN_VIEWS];
    twin_release *released; /* values let go since the last twin_forget_released */
    uint32_t released_count, released_room;
    uint32_t also; /* Where an input has several faults: the other statuses that are as true, as bits. */
} twin;

/* ---- Life and searches: twin.c ---- */

twin *twin_create(ctree_id_kind kind, ctree_id_scope scope, uint64_t limit);
void twin_destroy(twin *t);
twin_node *twin_node_of(const twin *t, ctree_node handle);   /* NULL for a stale one and CTREE_NONE */
twin_node *twin_parent_of(const twin *t, ctree_node handle); /* the top for CTREE_NONE */
bool twin_id_fits(const twin *t, ctree_id id);               /* the right kind */
ctree_id twin_id(const twin *t, const twin_node *node);
bool twin_same_id(const twin *t, ctree_id a, ctree_id b);
twin_node *twin_find(const twin *t, ctree_id id); /* in store scope */
twin_node *twin_find_child(const twin *t, const twin_node *parent, ctree_id id);
twin_node *twin_holder(const twin *t, const twin_node *parent, ctree_id id); /* who has it within the scope */
uint32_t twin_ordinal(const twin_node *node);
uint32_t twin_depth(const twin_node *node);
bool twin_is_within(const twin_node *node, const twin_node *ancestor); /* or the same */
twin_node *twin_next(const twin_node *node, const twin_node *root, bool skip_children);
void twin_learn(twin *t, const ctree_store *store);
void twin_forget_released(twin *t);

/* Parts of edits, used by several calls. */
twin_node *twin_new_node(twin *t, ctree_id id, uint64_t value, uint64_t revision, uint32_t state);
void twin_link(twin_node *parent, uint32_t at, twin_node *node);
void twin_unlink(twin_node *node);
void twin_kill(twin *t, twin_node *node, bool release); /* with its subtree */
void twin_kill_children(twin *t, twin_node *node);
void twin_gets_children(twin_node *parent);   /* a leaf or unloaded parent is loaded from then on */
void twin_gets_whole_list(twin_node *parent); /* its list was replaced by a reconcile: loaded, none to come */
void twin_set_words(twin *t, twin_node *node, uint64_t value, uint64_t revision);
void twin_make_leaf(twin *t, twin_node *node);
void twin_cancel_load(twin_node *node);

/* ---- Edits: twin_edit.c, twin_forest.c ---- */

ctree_status twin_insert(twin *t, ctree_node parent, uint32_t at, ctree_id id, const ctree_node_init *init,
                         twin_node **out);
ctree_status twin_remove(twin *t, ctree_node node);
ctree_status twin_remove_children(twin *t, ctree_node parent, uint32_t first, uint32_t count);
ctree_status twin_move(twin *t, ctree_node node, ctree_node parent, uint32_t at);
ctree_status twin_set_value(twin *t, ctree_node node, uint64_t value, uint64_t revision);
ctree_status twin_set_leaf(twin *t, ctree_node node, bool leaf);
ctree_status twin_graft(twin *t, ctree_node parent, uint32_t at, twin *other);

/* `out` receives the node of each item. Whether a fault that was told is a true one: twin_fault_is_true. */
ctree_status twin_build(twin *t, ctree_node parent, uint32_t at, const ctree_forest *forest, twin_node **out);
ctree_status twin_reconcile(twin *t, ctree_node parent, const ctree_forest *forest, uint32_t elsewhere,
                            twin_node **out);
ctree_status twin_replace(twin *t, twin_node *parent, const ctree_forest *forest, uint32_t elsewhere,
                          twin_node **out);
/* The node that each item is found again as, NULL for a new one; of a forest without faults of its own. */
void twin_match(const twin *t, const twin_node *parent, const ctree_forest *forest, twin_node **matched);
ctree_id twin_item_id(const ctree_forest *forest, uint64_t item);
bool twin_forest_is_sound(const twin *t, const ctree_forest *forest);
bool twin_fault_is_true(const twin *t, const twin_node *parent, ctree_status status, const ctree_fault *fault,
                        const ctree_forest *forest);

/* ---- Loads: twin_load.c ---- */

void twin_ask(twin *t, twin_node *node, bool maybe); /* it was opened: it joins the queue where that is called for */
ctree_status twin_request(twin *t, ctree_node node);
bool twin_takes_request(twin *t, ctree_node told); /* whether this could be the next; it is taken */
ctree_status twin_begin(twin *t, ctree_node node, uint32_t flags, ctree_ticket told, ctree_ticket *ticket);
ctree_status twin_check(const twin *t, ctree_node node, ctree_ticket ticket);
ctree_status twin_finish(twin *t, ctree_node node, ctree_ticket ticket, const ctree_forest *forest,
                         uint32_t elsewhere, twin_node **out);
ctree_status twin_append(twin *t, ctree_node node, ctree_ticket ticket, const ctree_forest *page, bool more,
                         twin_node **out);
ctree_status twin_fail(twin *t, ctree_node node, ctree_ticket ticket, uint64_t error);
ctree_status twin_cancel(twin *t, ctree_node node, ctree_ticket ticket);
ctree_status twin_drop(twin *t, ctree_node node);

/* ---- Views: twin_view.c ---- */

void twin_view_create(twin *t, uint32_t view, uint32_t flags, uint32_t default_depth);
void twin_view_destroy(twin *t, uint32_t view);
ctree_status twin_expand(twin *t, uint32_t view, ctree_node node);
ctree_status twin_collapse(twin *t, uint32_t view, ctree_node node);
ctree_status twin_toggle(twin *t, uint32_t view, ctree_node node);
ctree_status twin_expand_all(twin *t, uint32_t view, ctree_node node, uint32_t levels);
ctree_status twin_collapse_all(twin *t, uint32_t view, ctree_node node);
ctree_status twin_reveal(twin *t, uint32_t view, ctree_node node);
bool twin_is_expanded(const twin *t, uint32_t view, const twin_node *node);
bool twin_is_visible(const twin *t, uint32_t view, const twin_node *node);
bool twin_is_expandable(const twin *t, uint32_t view, const twin_node *node);
bool twin_opens(const twin *t, uint32_t view, const twin_node *node); /* expanded, or would be if it were no leaf */
/* What the views ask for when a node is new, when a leaf may open, and when a subtree has moved from below a parent
   of that depth (0: the top level). */
void twin_came(twin *t, twin_node *node);
void twin_may_open(twin *t, twin_node *node);
void twin_moved(twin *t, twin_node *node, uint32_t depth_before);
/* A reconcile may have had it, with what is below, at any depth on the way to where it stands: views may have asked.
 */
void twin_passed(twin *t, twin_node *node);

typedef struct twin_rows {
    uint32_t count, section_count;
    twin_node **nodes;
    uint32_t *depths;
    twin_node **sections; /* one NULL without sections */
    uint32_t *starts;     /* section_count + 1 */
} twin_rows;

twin_rows twin_flatten(const twin *t, uint32_t view);
void twin_rows_free(twin_rows *rows);

#endif
