/*
 * The rows of a view kept up to date: sequences of slots with depths, cut and joined instead of rebuilt.
 *
 * `shown` has every row, and with sections on every section's header too, at depth 0. A sequence that is not shown is
 * kept so that showing it again is one join; there are two kinds:
 *
 *   below   the rows under a node, which is collapsed, or is no row itself.
 *   with    a node's row and the rows under it, where the node came to stand under a parent whose children have none.
 *
 * A slot stands in at most one sequence. The children of a node stand all in one, or none of them does, apart from
 * roots of `with`. So where a node's rows are is found from any of its children, without a table.
 *
 * Every function that may fail is a reservation; what follows it takes no memory.
 */
#ifndef CT_LIVE_H
#define CT_LIVE_H

#include "ctree/watch.h"
#include "store/store.h"

typedef struct ctree_view ctree_view;

/* Fewer rows than this are built anew from the lists of children instead of being kept: a sequence of its own costs a
   leaf, however short. */
enum { CT_WORTH_KEEPING = 129 };

typedef enum ct_kept_kind { CT_KEPT_NONE, CT_KEPT_BELOW, CT_KEPT_WITH } ct_kept_kind;

typedef struct ct_kept {
    ct_seq rows;
    uint32_t slot; /* The node. Of a free entry: the next free one + 1. */
    ct_kept_kind kind;
    uint32_t list; /* Its number among the notes of this window, see notes.h. */
    uint64_t window;
} ct_kept;

/* An edit of so many steps that the rows below a node are dropped before it and built anew after it. */
typedef enum ct_bulk_stage { CT_BULK_NONE, CT_BULK_PLANNED, CT_BULK_UNDER_WAY } ct_bulk_stage;

typedef struct ct_bulk {
    ct_bulk_stage stage;
    bool noted;            /* What becomes of the rows is noted at the end. */
    bool few;              /* There are not so many steps that comparing all rows of the view would be cheaper. */
    uint32_t root;         /* CT_TOP: all rows. */
    uint32_t first, count; /* The rows among those shown: where they begin, and how many there were, */
    uint32_t *old;         /* their slots, their depths, and as many numbers that are nobody's. */
    size_t old_room;
} ct_bulk;

typedef struct ct_live {
    ct_seq_pool pool;
    ct_seq shown;
    ct_kept *kept; /* Entry i owns the sequence whose owner is i + 1; owner 0 is `shown`. */
    size_t room, used;
    uint32_t free_head; /* + 1 */
    uint32_t kept_count;
    uint32_t planned; /* Entries that the edit under way may yet need, beside those asked for meanwhile. */

    /* Between "before" and "after" of a move. */
    ct_seq moving;
    bool moving_held;
    uint32_t moving_list; /* As ct_kept.list. */

    ct_bulk bulk;

    ctree_splice_fn watcher;
    void *watcher_context;
    bool silent; /* Nothing is told for now. */
    /* Sections come, go or move: their headers are not all among the rows, which cannot be numbered meanwhile. */
    bool headers_away;

    uint32_t short_count; /* Sequences that are kept for the notes only, about. */
} ct_live;

/* ---- Life: live.c ---------------------------------------------------------------------------------------------- */

void ct_live_init(ctree_view *view);
void ct_live_destroy(ctree_view *view);

/* Fills `shown` for the first time. */
ctree_status ct_live_start(ctree_view *view);

/* CTREE_OK, or CTREE_CORRUPT and a reason; compares nothing with the tree but what links say. */
ctree_status ct_live_check(const ctree_view *view, const char **reason);

/* ---- Where things are: live.c ---------------------------------------------------------------------------------- */

static inline ct_seq *ct_live_seq_owned(ct_live *live, uint32_t owner) {
    return owner == 0 ? &live->shown : &live->kept[owner - 1].rows;
}

/* The sequence that a slot stands in, which must stand in one. */
ct_seq *ct_live_seq_of(ct_live *live, uint32_t slot);

static inline bool ct_live_holds(const ct_live *live, uint32_t slot) { return ct_seq_holds(&live->pool, slot); }

/* The entry whose root the slot is, NULL where it is none. */
ct_kept *ct_live_with(ct_live *live, uint32_t slot);

/* The entry with the rows under a node, NULL where there is none. */
ct_kept *ct_live_below(ctree_view *view, uint32_t slot);

/* As ct_within_fn says, of a view. Where a sequence has the slot, it has what is above it too, up to what its first
   row stands below. */
ct_within_fn ct_live_within;

/* A place in a sequence. */
typedef struct ct_spot {
    ct_seq *seq; /* NULL: no rows there. */
    uint32_t position;
    uint32_t depth;
    ct_seq_place place; /* The same, for what is put in next; its leaf is 0 where that is not known. */
} ct_spot;

/* Where the rows of children [first, first + count) of a parent belong, which stand in no sequence (or are roots of
   `with`) while all their siblings are in place. */
ct_spot ct_live_spot(ctree_view *view, uint32_t parent, uint32_t first, uint32_t count);

/* Right below a node that is held. */
ct_spot ct_live_spot_below(ct_live *live, uint32_t slot);

/* A place among the kept sequences. Room must be there: ct_live_reserve_kept. */
ct_kept *ct_live_keep(ct_live *live, uint32_t slot, ct_kept_kind kind);
void ct_live_let_go(ct_live *live, ct_kept *kept); /* Its rows are empty or moved away. */
ctree_status ct_live_reserve_kept(ctree_view *view, uint64_t more);

/* Tells the watcher that rows went and came, if they did so in what is shown: watch.c. */
void ct_live_tell(ctree_view *view, const ct_seq *seq, uint32_t at, uint32_t removed, uint32_t inserted);

/* The position of a row among what is shown, headers counted: live_read.c. */
uint32_t ct_live_position_of_row(const ctree_view *view, uint32_t row);

/* ---- Building: live_build.c ------------------------------------------------------------------------------------ */

/* Adds what children [first, first + count) of a parent take, and all that is open below them. O(rows). */
void ct_live_foresee(ctree_view *view, uint32_t parent, uint32_t first, uint32_t count, ct_seq_work *work);

/* The same for one node, with what may be open by default at whatever depth it comes to stand. */
void ct_live_foresee_anywhere(ctree_view *view, uint32_t slot, ct_seq_work *work);

/* Reserves for edits of the rows. With `beside`, what was reserved before stays so as well. */
ctree_status ct_live_reserve(ctree_view *view, const ct_seq_work *work);
ctree_status ct_live_reserve_beside(ctree_view *view, const ct_seq_work *work);

/* Puts those rows at a spot. */
void ct_live_put(ctree_view *view, uint32_t parent, uint32_t first, uint32_t count, ct_spot spot);

/* Puts all rows of a sequence at a spot, with the depth that belongs there, and leaves it empty. */
void ct_live_join(ctree_view *view, ct_seq *rows, ct_spot spot);

/* Frees every sequence kept for children [first, first + count) of a parent or for what is below them. Their other
   rows are gone already. O(nodes) where anything is kept at all. */
void ct_live_purge(ctree_view *view, uint32_t parent, uint32_t first, uint32_t count);

/* ---- Opening and closing: live_toggle.c ------------------------------------------------------------------------ */

/* Adds what opening a node takes, whatever its setting says now. */
void ct_live_foresee_open(ctree_view *view, uint32_t slot, ct_seq_work *work);
ctree_status ct_live_reserve_open(ctree_view *view, uint32_t slot);

/* The node's setting now says open; and closed. Within an edit that was planned what it needs beside is asked for
   beside. */
void ct_live_opened(ctree_view *view, uint32_t slot);
void ct_live_closed(ctree_view *view, uint32_t slot, bool planned);

/* The node and all below it now say closed, but sections. */
void ct_live_closed_with_all(ctree_view *view, uint32_t slot);

/* Many settings below a node have changed: its rows are built anew. CT_TOP: all. Reserved for its whole subtree. */
ctree_status ct_live_reserve_anew(ctree_view *view, uint32_t slot);
ctree_status ct_live_reserve_closed(ctree_view *view, uint32_t slot); /* where all will be closed, but sections */
void ct_live_build_anew(ctree_view *view, uint32_t slot);

/* ---- Following the store: live_follow.c ------------------------------------------------------------------------ */

ctree_status ct_live_plan(ctree_view *view, const ct_plan *plan);

/* Edits of very many steps: live_bulk.c. */
bool ct_live_is_bulk(ctree_view *view, const ct_plan *plan);
ctree_status ct_live_plan_bulk(ctree_view *view, const ct_plan *plan, uint64_t new_rows);
void ct_live_begin_bulk(ctree_view *view);
void ct_live_before(ctree_view *view, const ctree_edit *edit);

/* The planned edit is over. */
void ct_live_over(ctree_view *view);

/* Of a move, `before` and `after` are the depths of the nodes that move, or the number of levels open by default
   where they are deeper. */
void ct_live_after(ctree_view *view, const ctree_edit *edit, uint32_t before, uint32_t after);

#endif
