#include "view/fold.h"

#include "view/view.h"

/* ---- Pieces ------------------------------------------------------------------------------------------------------- */

static ctree_status add_piece(ct_fold *fold, uint32_t from, uint32_t *piece) {
    void *all = fold->from;
    if (!ct_grow(fold->mem, &all, &fold->room, fold->used + 1, sizeof *fold->from)) return CTREE_NO_MEMORY;
    fold->from = all;
    *piece = (uint32_t)fold->used++;
    fold->from[*piece] = from;
    return ct_seq_reserve_slots(&fold->pool, (uint64_t)*piece + 1);
}

static ctree_status put_piece(ct_fold *fold, ct_seq *list, uint32_t position, uint32_t from, uint32_t count) {
    uint32_t piece;
    ctree_status status = add_piece(fold, from, &piece);
    if (status == CTREE_OK) status = ct_seq_reserve(&fold->pool, 1, 1);
    if (status != CTREE_OK) return status;
    ct_seq_insert(&fold->pool, list, position, piece, 0);
    ct_seq_set_height(&fold->pool, list, position, count);
    return CTREE_OK;
}

static uint32_t rows_of(const ct_fold *fold, const ct_seq *list, uint32_t position) {
    uint32_t height;
    ct_seq_copy_rows(&fold->pool, list, position, 1, NULL, NULL, &height);
    return height;
}

/* Where the piece that begins at a row stands, having made a piece begin there. */
static ctree_status begin_at(ct_fold *fold, ct_seq *list, uint32_t row, uint32_t *position) {
    *position = list->count;
    if (list->count == 0 || row == ct_seq_total_height(&fold->pool, list)) return CTREE_OK;
    uint64_t within;
    *position = ct_seq_position_at(&fold->pool, list, row, &within);
    if (within == 0) return CTREE_OK;
    uint32_t count = rows_of(fold, list, *position);
    uint32_t from = fold->from[ct_seq_at(&fold->pool, list, *position)];
    if (from != CT_NEW_ROWS) from += (uint32_t)within;
    ctree_status status = put_piece(fold, list, *position + 1, from, count - (uint32_t)within);
    if (status != CTREE_OK) return status;
    ct_seq_set_height(&fold->pool, list, *position, (uint32_t)within);
    ++*position;
    return CTREE_OK;
}

/* ---- Notes -------------------------------------------------------------------------------------------------------- */

static ctree_status fold_note(ct_fold *fold, const ct_note *note) {
    ct_seq *list = &fold->lists[note->list];
    uint32_t first, end;
    ctree_status status = begin_at(fold, list, note->at, &first);
    if (status != CTREE_OK) return status;
    switch ((ct_note_kind)note->kind) {
        case CT_NOTE_LIST:
        case CT_NOTE_INSERT: return put_piece(fold, list, first, CT_NEW_ROWS, note->count);
        case CT_NOTE_PASTE:
            status = ct_seq_reserve(&fold->pool, 1, 0);
            if (status == CTREE_OK) ct_seq_insert_seq(&fold->pool, list, first, &fold->lists[note->other]);
            return status;
        case CT_NOTE_DELETE:
        case CT_NOTE_CUT:
            status = begin_at(fold, list, note->at + note->count, &end);
            if (status == CTREE_OK) status = ct_seq_reserve(&fold->pool, 1, 0);
            if (status != CTREE_OK) return status;
            if (note->kind == CT_NOTE_DELETE) {
                ct_seq_remove_range(&fold->pool, list, first, end - first);
            } else {
                ct_seq_cut(&fold->pool, list, first, end - first, &fold->lists[note->other]);
            }
            return CTREE_OK;
    }
    return CTREE_OK;
}

static uint32_t base_rows(const ctree_view *view, ct_fold_base base) {
    return base == CT_FOLD_ACCEPTED ? view->notes.old_count : view->notes.committed_rows;
}

/* The lists as they are at the base: all that is shown is old, all else is new. */
static ctree_status lay_base(ct_fold *fold, const ctree_view *view, ct_fold_base base) {
    const ct_commit *commit = &view->commit;
    uint32_t shown = base_rows(view, base);
    ctree_status status = shown != 0 ? put_piece(fold, &fold->lists[0], 0, 0, shown) : CTREE_OK;
    for (size_t i = 1; base == CT_FOLD_COMMITTED && i < commit->list_count && status == CTREE_OK; i++) {
        if (commit->list_rows[i] == 0) continue;
        status = put_piece(fold, &fold->lists[i], 0, CT_NEW_ROWS, commit->list_rows[i]);
    }
    return status;
}

static ctree_status fold_all(ct_fold *fold, const ctree_view *view, ct_fold_base base) {
    const ct_notes *notes = &view->notes;
    ctree_status status = lay_base(fold, view, base);
    size_t first = base == CT_FOLD_ACCEPTED ? 0 : notes->committed_notes;
    for (size_t i = first; i < notes->count && status == CTREE_OK; i++) status = fold_note(fold, &notes->items[i]);
    return status;
}

ctree_status ct_fold_make(ct_fold *fold, const ctree_view *view, ct_fold_base base) {
    *fold = (ct_fold){.mem = &view->store->mem, .list_count = view->notes.lists, .used = 1};
    ct_seq_pool_init(&fold->pool, fold->mem, CT_SEQ_HEIGHTS);
    fold->lists = ct_alloc(fold->mem, fold->list_count * sizeof *fold->lists);
    if (fold->lists == NULL) return CTREE_NO_MEMORY;
    for (size_t i = 0; i < fold->list_count; i++) fold->lists[i] = (ct_seq){.owner = (uint32_t)i};
    ctree_status status = fold_all(fold, view, base);
    if (status != CTREE_OK) ct_fold_free(fold);
    return status;
}

void ct_fold_free(ct_fold *fold) {
    ct_seq_pool_destroy(&fold->pool);
    ct_free(fold->mem, fold->lists, fold->list_count * sizeof *fold->lists);
    ct_free(fold->mem, fold->from, fold->room * sizeof *fold->from);
    fold->lists = NULL;
    fold->from = NULL;
    fold->list_count = fold->room = 0;
}

bool ct_fold_next(ct_piece_walk *walk, ct_piece *out) {
    if (walk->next == walk->list->count) return false;
    uint32_t piece, count;
    ct_seq_copy_rows(&walk->fold->pool, walk->list, walk->next++, 1, &piece, NULL, &count);
    *out = (ct_piece){walk->fold->from[piece], walk->row, count};
    walk->row += count;
    return true;
}

/* ---- What was shown ----------------------------------------------------------------------------------------------- */

static void write_list(const ctree_view *view, const ct_fold *fold, uint32_t list, const ct_seq *rows,
                       ctree_node *out) {
    ct_piece_walk walk = ct_fold_pieces(fold, list);
    enum { BLOCK = 256 };
    uint32_t slots[BLOCK];
    for (ct_piece piece; ct_fold_next(&walk, &piece);) {
        if (piece.from == CT_NEW_ROWS) continue;
        for (uint32_t done = 0; done < piece.count; done += BLOCK) {
            uint32_t here = piece.count - done < BLOCK ? piece.count - done : BLOCK;
            ct_seq_copy_rows(&view->live.pool, rows, piece.to + done, here, slots, NULL, NULL);
            for (uint32_t i = 0; i < here; i++) out[piece.from + done + i] = ct_node_at(view->store, slots[i]);
        }
    }
}

ctree_node *ct_fold_nodes(const ctree_view *view, ct_fold_base base) {
    const ct_live *live = &view->live;
    uint32_t count = base_rows(view, base);
    ct_fold fold;
    if (count == 0 || ct_fold_make(&fold, view, base) != CTREE_OK) return NULL;
    ctree_node *nodes = ct_alloc(fold.mem, (size_t)count * sizeof *nodes);
    if (nodes != NULL) {
        for (uint32_t i = 0; i < count; i++) nodes[i] = (ctree_node)i + 1; /* of generation 0, which no node has */
        write_list(view, &fold, 0, &live->shown, nodes);
        for (size_t i = 0; i < live->used; i++) {
            const ct_kept *kept = &live->kept[i];
            if (kept->kind != CT_KEPT_NONE && ct_notes_follow(view, &kept->rows))
                write_list(view, &fold, kept->list, &kept->rows, nodes);
        }
    }
    ct_fold_free(&fold);
    return nodes;
}
