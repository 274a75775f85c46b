/* The batch of the last commit, and what it takes to make the next. */
#ifndef CT_COMMIT_H
#define CT_COMMIT_H

#include "ctree/changes.h"
#include "ctree/diff.h"
#include "store/store.h"
#include "view/fold.h"

/* An array that is used again from commit to commit. */
typedef struct ct_told_rows {
    void *items; /* ctree_row_range or ctree_row_run */
    size_t room, count;
} ct_told_rows;

typedef struct ct_commit {
    ct_told_rows deletes, inserts, moves, changes;
    ct_told_rows path_deletes, path_inserts, path_moves, path_changes, section_changes;
    ct_told_rows runs; /* Rows that were shown and are, in new order. */
    ct_fold fold;      /* Empty between commits. */
    uint64_t told, limit;
    ctree_batch batch;
    ctree_section_batch section_batch;
    ctree_diff *diff; /* Where the whole was compared. */

    /* What the batch led to, for an accept that comes after further edits. */
    ctree_node *nodes; /* Where the whole was compared: what was shown. */
    uint32_t node_count;
    uint32_t *list_rows; /* Else: rows of each list. */
    size_t list_room, list_count;
    uint32_t *headers;
    size_t header_room, header_count;
    bool reload;
} ct_commit;

void ct_commit_destroy(ctree_view *view);

/* From the notes, of a view without sections: commit_notes.c. */
ctree_status ct_commit_notes(ctree_view *view);

/* The runs, inserts and changes of it alone, in positions, headers counted. */
ctree_status ct_commit_positions(ctree_view *view);

/* From the notes, of a view with sections: commit_sections.c. Nothing is told where `stayed` comes out false:
   sections came, went or changed places. */
ctree_status ct_commit_sections(ctree_view *view, bool *stayed);

/* Room for one more item; NULL without memory: commit_notes.c. */
void *ct_told_add(ctree_view *view, ct_told_rows *rows, size_t item_size);

/* From all rows: commit_whole.c. */
ctree_status ct_commit_whole(ctree_view *view, bool sections);

static inline bool ct_commit_beyond(const ct_commit *commit) {
    return commit->limit != 0 && commit->told > commit->limit;
}

#endif
