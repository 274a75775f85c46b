#include "view/fold.h"

#include "view/view.h"

/* ---- Pieces -------------------------------------------------------------------------------------------------------
 */

static ctree_status reserve_note(ct_fold *fold) {
    /* At most: an only piece, two that begin anew, and one that is put in, cut out or pasted. */
    enum { NOTE_PIECES = 4 };
    ct_seq_work work = {.inserts = NOTE_PIECES, .pastes = 1, .cuts = 1};
    size_t need = fold->used + NOTE_PIECES;
    void *all = fold->from;
    if (!ct_grow(fold->mem, &all, &fold->room, need, sizeof *fold->from)) return CTREE_NO_MEMORY;
    fold->from = all;
    ctree_status status = ct_seq_reserve_slots(&fold->pool, need);
    return status == CTREE_OK ? ct_seq_reserve(&fold->pool, &work) : status;
}

static void put_piece(ct_fold *fold, ct_seq *list, uint32_t position, uint32_t from, uint32_t count) {
    uint32_t piece = (uint32_t)fold->used++;
    fold->from[piece] = from;
    fold->pool.height = count;
    ct_seq_insert(&fold->pool, list, position, piece, 0);
}

static uint32_t rows_of(const ct_fold *fold, const ct_seq *list, uint32_t position) {
    uint32_t height;
    ct_seq_copy_rows(&fold->pool, list, position, 1, NULL, NULL, &height);
    return height;
}

/* Where the piece that begins at a row stands, having made a piece begin there. */
static uint32_t begin_at(ct_fold *fold, ct_seq *list, uint32_t row) {
    if (list->count == 0 || row == ct_seq_total_height(&fold->pool, list)) return list->count;
    uint64_t within;
    uint32_t position = ct_seq_position_at(&fold->pool, list, row, &within);
    if (within == 0) return position;
    uint32_t count = rows_of(fold, list, position);
    uint32_t from = fold->from[ct_seq_at(&fold->pool, list, position)];
    if (from != CT_NEW_ROWS) from += (uint32_t)within;
    ct_seq_set_height(&fold->pool, list, position, (uint32_t)within);
    put_piece(fold, list, position + 1, from, count - (uint32_t)within);
    return position + 1;
}

/* ---- Notes --------------------------------------------------------------------------------------------------------
 */

/* The sequence of a list, with the only piece in it. */
static ct_seq *pieces_of(ct_fold *fold, uint32_t number) {
    ct_fold_list *list = &fold->lists[number];
    if (list->count != 0) put_piece(fold, &list->pieces, 0, list->from, list->count);
    list->count = 0;
    return &list->pieces;
}

static void cut(ct_fold *fold, ct_seq *list, const ct_note *note, uint32_t first, uint32_t end) {
    ct_fold_list *to = &fold->lists[note->other];
    if (end - first != 1) {
        ct_seq_cut(&fold->pool, list, first, end - first, &to->pieces);
        return;
    }
    to->from = fold->from[ct_seq_at(&fold->pool, list, first)];
    to->count = note->count;
    ct_seq_remove(&fold->pool, list, first);
}

static void paste(ct_fold *fold, ct_seq *list, uint32_t position, ct_fold_list *from) {
    if (from->count != 0) {
        put_piece(fold, list, position, from->from, from->count);
        from->count = 0;
    } else {
        ct_seq_insert_seq(&fold->pool, list, position, &from->pieces);
    }
}

static ctree_status fold_note(ct_fold *fold, const ct_note *note) {
    ctree_status status = reserve_note(fold);
    if (status != CTREE_OK) return status;
    ct_seq *list = pieces_of(fold, note->list);
    uint32_t first = begin_at(fold, list, note->at), end;
    switch ((ct_note_kind)note->kind) {
        case CT_NOTE_LIST:
        case CT_NOTE_INSERT: put_piece(fold, list, first, CT_NEW_ROWS, note->count); break;
        case CT_NOTE_PASTE: paste(fold, list, first, &fold->lists[note->other]); break;
        case CT_NOTE_DELETE:
            end = begin_at(fold, list, note->at + note->count);
            ct_seq_remove_range(&fold->pool, list, first, end - first);
            break;
        case CT_NOTE_CUT:
            end = begin_at(fold, list, note->at + note->count);
            cut(fold, list, note, first, end);
            break;
    }
    return CTREE_OK;
}

static uint32_t base_rows(const ctree_view *view, ct_fold_base base) {
    return base == CT_FOLD_ACCEPTED ? view->notes.old_count : view->notes.committed_rows;
}

/* The lists as they are at the base: all that is shown is old, all else is new. */
static void lay_base(ct_fold *fold, const ctree_view *view, ct_fold_base base) {
    const ct_commit *commit = &view->commit;
    fold->lists[0].count = base_rows(view, base);
    for (size_t i = 1; base == CT_FOLD_COMMITTED && i < commit->list_count; i++) {
        fold->lists[i].from = CT_NEW_ROWS;
        fold->lists[i].count = commit->list_rows[i];
    }
}

static ctree_status fold_all(ct_fold *fold, const ctree_view *view, ct_fold_base base) {
    const ct_notes *notes = &view->notes;
    ctree_status status = CTREE_OK;
    lay_base(fold, view, base);
    size_t first = base == CT_FOLD_ACCEPTED ? 0 : notes->committed_notes;
    for (size_t i = first; i < notes->count && status == CTREE_OK; i++) status = fold_note(fold, &notes->items[i]);
    return status;
}

ctree_status ct_fold_make(ct_fold *fold, const ctree_view *view, ct_fold_base base) {
    if (fold->mem == NULL) {
        fold->mem = &view->store->mem;
        ct_seq_pool_init(&fold->pool, fold->mem, CT_SEQ_HEIGHTS);
        fold->used = 1;
    }
    void *lists = fold->lists;
    if (!ct_grow(fold->mem, &lists, &fold->list_room, view->notes.lists, sizeof *fold->lists)) return CTREE_NO_MEMORY;
    fold->lists = lists;
    fold->list_count = view->notes.lists;
    for (size_t i = 0; i < fold->list_count; i++) fold->lists[i] = (ct_fold_list){0};
    ctree_status status = fold_all(fold, view, base);
    if (status != CTREE_OK) ct_fold_clear(fold);
    return status;
}

void ct_fold_clear(ct_fold *fold) {
    enum { SMALL = 4096 };
    if (fold->used > SMALL || fold->list_count > SMALL) {
        ct_fold_free(fold);
        return;
    }
    for (size_t i = 0; i < fold->list_count; i++) ct_seq_destroy(&fold->pool, &fold->lists[i].pieces);
    fold->list_count = 0;
    fold->used = 1;
}

void ct_fold_free(ct_fold *fold) {
    if (fold->mem == NULL) return;
    ct_seq_pool_destroy(&fold->pool);
    ct_free(fold->mem, fold->lists, fold->list_room * sizeof *fold->lists);
    ct_free(fold->mem, fold->from, fold->room * sizeof *fold->from);
    *fold = (ct_fold){0};
}

void ct_fold_pieces(const ct_fold *fold, size_t list, ct_piece_walk *walk) {
    walk->fold = fold;
    walk->list = &fold->lists[list];
    walk->next = walk->row = walk->at = walk->held = 0;
}

bool ct_fold_next(ct_piece_walk *walk, ct_piece *out) {
    if (walk->list->count != 0) {
        *out = (ct_piece){walk->list->from, 0, walk->list->count};
        return walk->next++ == 0;
    }
    if (walk->at == walk->held) {
        uint32_t rest = walk->list->pieces.count - walk->next;
        if (rest == 0) return false;
        walk->held = rest < CT_PIECES_READ ? rest : CT_PIECES_READ;
        walk->at = 0;
        ct_seq_copy_rows(&walk->fold->pool, &walk->list->pieces, walk->next, walk->held, walk->pieces, NULL,
                         walk->counts);
        walk->next += walk->held;
    }
    uint32_t count = walk->counts[walk->at];
    *out = (ct_piece){walk->fold->from[walk->pieces[walk->at++]], walk->row, count};
    walk->row += count;
    return true;
}

uint32_t ct_fold_rows(const ct_fold *fold, size_t list) {
    const ct_fold_list *rows = &fold->lists[list];
    return rows->count != 0 ? rows->count : (uint32_t)ct_seq_total_height(&fold->pool, &rows->pieces);
}

/* ---- What was shown -----------------------------------------------------------------------------------------------
 */

/* Reads what stood at [at, at + count) of a list when the last note was taken; no more than lies in one piece. */
static uint32_t read_slots(const ctree_view *view, const ct_seq *rows, const ct_replaced *replaced, uint32_t at,
                           uint32_t count, uint32_t *slots) {
    if (replaced != NULL && rows == &view->live.shown && at + count > replaced->at) {
        uint32_t end = replaced->at + replaced->went;
        if (at < replaced->at) {
            count = replaced->at - at;
        } else if (at < end) {
            if (count > end - at) count = end - at;
            memcpy(slots, replaced->old + (at - replaced->at), count * sizeof *slots);
            return count;
        } else {
            at = at - replaced->went + replaced->came;
        }
    }
    ct_seq_copy_rows(&view->live.pool, rows, at, count, slots, NULL, NULL);
    return count;
}

static void write_list(const ctree_view *view, const ct_fold *fold, uint32_t list, const ct_seq *rows,
                       const ct_replaced *replaced, ctree_node *out) {
    const ctree_store *store = view->store;
    ct_piece_walk walk;
    ct_fold_pieces(fold, list, &walk);
    enum { BLOCK = 256 };
    uint32_t slots[BLOCK];
    for (ct_piece piece; ct_fold_next(&walk, &piece);) {
        if (piece.from == CT_NEW_ROWS) continue;
        for (uint32_t done = 0, here; done < piece.count; done += here) {
            here = piece.count - done < BLOCK ? piece.count - done : BLOCK;
            here = read_slots(view, rows, replaced, piece.to + done, here, slots);
            for (uint32_t i = 0; i < here; i++) {
                if (replaced != NULL && !ct_is_live(store, slots[i])) continue;
                out[piece.from + done + i] = ct_node_named(store, slots[i]);
            }
        }
    }
}

ctree_node *ct_fold_nodes(const ctree_view *view, ct_fold_base base, const ct_replaced *replaced) {
    const ct_live *live = &view->live;
    uint32_t count = base_rows(view, base);
    ct_fold fold = {0};
    if (count == 0) return NULL;
    bool made = ct_fold_make(&fold, view, base) == CTREE_OK;
    ctree_node *nodes = made ? ct_alloc(fold.mem, (size_t)count * sizeof *nodes) : NULL;
    if (nodes != NULL) {
        for (uint32_t i = 0; i < count; i++) nodes[i] = (ctree_node)i + 1; /* of generation 0, which no node has */
        write_list(view, &fold, 0, &live->shown, replaced, nodes);
        for (size_t i = 0; i < live->used; i++) {
            const ct_kept *kept = &live->kept[i];
            if (kept->kind != CT_KEPT_NONE && ct_notes_follow(view, &kept->rows))
                write_list(view, &fold, kept->list, &kept->rows, replaced, nodes);
        }
    }
    ct_fold_free(&fold);
    return nodes;
}
