/*
 * What a recording view notes of each edit: rows come, go, or are cut out into a list of their own and pasted again,
 * in the row numbers of the moment. Rows keep their origin through all of it, so that whatever comes back is known
 * again.
 *
 * List 0 is what is shown. A kept sequence is a list as long as it may hold rows that were shown when the last batch
 * was accepted; other kept sequences hold nothing that a batch could tell as anything but new, and what happens in
 * them is not noted.
 */
#ifndef CT_NOTES_H
#define CT_NOTES_H

#include "store/store.h"

typedef struct ctree_view ctree_view;

#define CT_NO_LIST UINT32_MAX /* A sequence that is not followed. */

typedef enum ct_note_kind {
    CT_NOTE_INSERT, /* `count` new rows in `list` at `at` */
    CT_NOTE_DELETE, /* `count` rows of `list` from `at` on are gone */
    CT_NOTE_CUT,    /* `count` rows of `list` from `at` on become all of list `other` */
    CT_NOTE_PASTE,  /* all of list `other` comes to stand in `list` at `at`; `count` is how many that is */
    CT_NOTE_LIST    /* `list` has `count` new rows */
} ct_note_kind;

typedef struct ct_note {
    uint32_t kind, list, at, count, other;
} ct_note;

typedef struct ct_notes {
    bool on;       /* The view records. */
    bool accepted; /* There is something to compare with. */
    bool lost;     /* Notes could not be kept: the next batch says reload. */
    bool pausing;  /* What happens for now is noted otherwise. */

    ct_note *items;
    size_t room, count;
    uint32_t lists;     /* Numbers given to lists, 0 among them. */
    uint64_t window;    /* Counts accepts: list numbers of another window are void. */
    uint32_t old_count; /* Of what is shown, headers included, when the last batch was accepted. */

    ctree_node *changed; /* Nodes whose look changed, each once or a few times. */
    size_t changed_room, changed_count;

    /* In place of notes, once the rows were built anew: what was shown, by node. */
    ctree_node *old_nodes;
    bool whole;

    uint32_t *old_headers; /* With sections: where headers stood among what was shown. */
    size_t old_header_room, old_header_count;

    /* As of the last commit. */
    bool committed;
    size_t committed_notes, committed_changed;
    uint32_t committed_rows;
    bool edited_since; /* Something happened after it. */
} ct_notes;

void ct_notes_init(ctree_view *view, bool on);
void ct_notes_destroy(ctree_view *view);

/* Whether notes are to be taken: else the calls below do nothing. */
static inline bool ct_notes_taken(const ct_notes *notes) {
    return notes->on && notes->accepted && !notes->lost && !notes->whole && !notes->pausing;
}

/* Whether a kept sequence may hold rows that a batch has to know again. */
bool ct_notes_follow(const ctree_view *view, const ct_seq *kept);

/* What happened to sequences of the view, told where it happens. `seq` is `shown`, `moving`, or a kept one. */
void ct_note_insert(ctree_view *view, const ct_seq *seq, uint32_t at, uint32_t count);
void ct_note_delete(ctree_view *view, const ct_seq *seq, uint32_t at, uint32_t count);
void ct_note_cut(ctree_view *view, const ct_seq *seq, uint32_t at, uint32_t count, const ct_seq *to);
void ct_note_paste(ctree_view *view, const ct_seq *seq, uint32_t at, const ct_seq *from);

/* One more note. One that finds no memory loses all: the next batch says reload. No edit fails for it. */
void ct_note_add(ctree_view *view, ct_note note);

/* Of what is shown, rows that were replaced all at once, and are not noted yet. */
typedef struct ct_replaced {
    uint32_t at, went, came;
    const uint32_t *old; /* The slots of those that went. None of them serves another node yet. */
} ct_replaced;

/* Notes it. `scratch` has a number for each of those that went: notes_replaced.c. */
void ct_note_replaced(ctree_view *view, const ct_replaced *replaced, uint32_t *scratch);

/* Many rows are about to be built anew, or have been replaced just now: remembers what was shown instead of how it
   changes. */
void ct_note_whole(ctree_view *view, const ct_replaced *replaced);

/* The look of a node changed. */
void ct_note_changed(ctree_view *view, uint32_t slot);

/* Sorts, and leaves each node once. */
void ct_notes_sort_changed(ct_notes *notes);

/* Forgets all notes: what is shown now is what a batch is compared with. */
ctree_status ct_notes_restart(ctree_view *view);

#endif
