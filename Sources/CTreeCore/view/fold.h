/*
 * Folding notes: each list as a sequence of pieces, a piece being rows that were shown side by side, or new rows. A
 * piece is an entry of a sequence whose height is its number of rows; so the place of a row is found in O(log
 * pieces).
 */
#ifndef CT_FOLD_H
#define CT_FOLD_H

#include "view/notes.h"

#define CT_NEW_ROWS UINT32_MAX

/* A list of one piece, as folders that were closed are mostly, has no sequence: a leaf for each would be a page of
   memory for every few of them. */
typedef struct ct_fold_list {
    ct_seq pieces;
    uint32_t from, count; /* The only piece, as ct_piece has it; count 0: none. */
} ct_fold_list;

/* Zero is an empty one, which holds nothing. */
typedef struct ct_fold {
    const ct_mem *mem; /* NULL: nothing to free. */
    ct_seq_pool pool;
    ct_fold_list *lists; /* lists[0] is what is shown. */
    size_t list_room, list_count;
    uint32_t *from; /* By piece, from 1: the old number of its first row, or CT_NEW_ROWS. */
    size_t room, used;
} ct_fold;

/* Where a fold begins: at what was accepted, or at what the last commit, one from notes, led to. */
typedef enum ct_fold_base { CT_FOLD_ACCEPTED, CT_FOLD_COMMITTED } ct_fold_base;

/* Folds all notes of a view from there on, into a fold that is empty; it is empty again on failure. */
ctree_status ct_fold_make(ct_fold *fold, const ctree_view *view, ct_fold_base base);

/* Empties a fold. Memory that small folds take stays for the next one: taking it anew would cost most of a commit. */
void ct_fold_clear(ct_fold *fold);
void ct_fold_free(ct_fold *fold);

/* Told each piece of a list in order. */
typedef struct ct_piece {
    uint32_t from; /* CT_NEW_ROWS: rows that were not shown. */
    uint32_t to;   /* Where it stands in the list. */
    uint32_t count;
} ct_piece;

enum { CT_PIECES_READ = 32 };

typedef struct ct_piece_walk {
    const ct_fold *fold;
    const ct_fold_list *list;
    uint32_t next, row; /* Of the list: pieces read so far, and rows told. */
    uint32_t at, held;
    uint32_t pieces[CT_PIECES_READ], counts[CT_PIECES_READ]; /* Read together, told one by one. */
} ct_piece_walk;

void ct_fold_pieces(const ct_fold *fold, size_t list, ct_piece_walk *walk);
bool ct_fold_next(ct_piece_walk *walk, ct_piece *out);

/* Rows of a list. */
uint32_t ct_fold_rows(const ct_fold *fold, size_t list);

/* The nodes of all rows that were shown at the base, headers included; those that are no longer known have handles
   that no node ever has, each another. NULL without memory or rows; to be freed as so many of them. `replaced`, or
   NULL, is what came between the last note and the rows as they are. */
ctree_node *ct_fold_nodes(const ctree_view *view, ct_fold_base base, const ct_replaced *replaced);

#endif
