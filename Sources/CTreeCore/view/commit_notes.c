/* A batch from notes: what was shown and is shown in runs, of which as few rows as can be move. */
#include <stdlib.h>

#include "view/choose.h"
#include "view/commit.h"
#include "view/fold.h"
#include "view/view.h"

void *ct_told_add(ctree_view *view, ct_told_rows *rows, size_t item_size) {
    if (!ct_grow(&view->store->mem, &rows->items, &rows->room, rows->count + 1, item_size)) return NULL;
    return (char *)rows->items + rows->count++ * item_size;
}

/* Joins the last range where it follows it. */
static bool add_range(ctree_view *view, ct_told_rows *ranges, uint32_t first, uint32_t count) {
    ctree_row_range *last = ranges->count != 0 ? (ctree_row_range *)ranges->items + ranges->count - 1 : NULL;
    view->commit.told += count;
    if (last != NULL && last->first + last->count == first) {
        last->count += count;
        return true;
    }
    ctree_row_range *range = ct_told_add(view, ranges, sizeof *range);
    if (range != NULL) *range = (ctree_row_range){first, count};
    return range != NULL;
}

static bool add_run(ctree_view *view, ct_told_rows *runs, ctree_row_run run) {
    ctree_row_run *last = runs->count != 0 ? (ctree_row_run *)runs->items + runs->count - 1 : NULL;
    if (last != NULL && last->from + last->count == run.from && last->to + last->count == run.to) {
        last->count += run.count;
        return true;
    }
    ctree_row_run *added = ct_told_add(view, runs, sizeof run);
    if (added != NULL) *added = run;
    return added != NULL;
}

/* ---- Structure ----------------------------------------------------------------------------------------------------
 */

static ctree_status collect_runs(ctree_view *view, const ct_fold *fold) {
    ct_commit *commit = &view->commit;
    ct_piece_walk walk;
    ct_fold_pieces(fold, 0, &walk);
    for (ct_piece piece; ct_fold_next(&walk, &piece);) {
        bool added = piece.from == CT_NEW_ROWS
                         ? add_range(view, &commit->inserts, piece.to, piece.count)
                         : add_run(view, &commit->runs, (ctree_row_run){piece.from, piece.to, piece.count});
        if (!added) return CTREE_NO_MEMORY;
    }
    return CTREE_OK;
}

/* `order` are the runs in old order, NULL where that is the new one. */
static ctree_status tell_deletes(ctree_view *view, const uint32_t *order) {
    ct_commit *commit = &view->commit;
    const ctree_row_run *runs = commit->runs.items;
    uint32_t next = 0;
    for (size_t i = 0; i < commit->runs.count; i++) {
        const ctree_row_run *run = &runs[order != NULL ? order[i] : i];
        if (run->from > next && !add_range(view, &commit->deletes, next, run->from - next)) return CTREE_NO_MEMORY;
        next = run->from + run->count;
    }
    uint32_t rest = view->notes.old_count - next;
    return rest == 0 || add_range(view, &commit->deletes, next, rest) ? CTREE_OK : CTREE_NO_MEMORY;
}

static ctree_status tell_moves(ctree_view *view, const uint32_t *order, const bool *stays) {
    ct_commit *commit = &view->commit;
    const ctree_row_run *runs = commit->runs.items;
    for (size_t i = 0; i < commit->runs.count; i++) {
        const ctree_row_run *run = &runs[order[i]];
        if (stays[order[i]]) continue;
        commit->told += run->count;
        if (!add_run(view, &commit->moves, *run)) return CTREE_NO_MEMORY;
    }
    return CTREE_OK;
}

/* Rows changed places. */
static ctree_status tell_shuffled(ctree_view *view) {
    const ct_mem *mem = &view->store->mem;
    uint32_t count = (uint32_t)view->commit.runs.count;
    uint32_t *order = ct_alloc(mem, count * sizeof *order);
    bool *stays = ct_alloc(mem, count * sizeof *stays);
    ctree_status status = CTREE_NO_MEMORY;
    if (order != NULL && stays != NULL) status = ct_choose(mem, view->commit.runs.items, count, order, stays);
    if (status == CTREE_OK) status = tell_deletes(view, order);
    if (status == CTREE_OK) status = tell_moves(view, order, stays);
    ct_free(mem, order, count * sizeof *order);
    ct_free(mem, stays, count * sizeof *stays);
    return status;
}

/* ---- Content ------------------------------------------------------------------------------------------------------
 */

static int compare_targets(const void *a, const void *b) {
    const ctree_row_run *x = a, *y = b;
    return (x->to > y->to) - (x->to < y->to);
}

/* The run that a new row is in, NULL for a row that came. */
static const ctree_row_run *run_at(const ct_told_rows *rows, uint32_t to) {
    const ctree_row_run *runs = rows->items;
    size_t low = 0, high = rows->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (runs[middle].to + runs[middle].count <= to) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < rows->count && runs[low].to <= to ? &runs[low] : NULL;
}

static ctree_status tell_changes(ctree_view *view) {
    ct_commit *commit = &view->commit;
    ct_notes *notes = &view->notes;
    const ct_live *live = &view->live;
    ct_notes_sort_changed(notes);
    for (size_t i = 0; i < notes->changed_count; i++) {
        uint32_t slot = ct_slot_of(view->store, notes->changed[i]);
        uint32_t to = slot == CT_TOP ? CTREE_END : ct_seq_rank_in(&live->pool, &live->shown, slot);
        const ctree_row_run *run = to == CTREE_END ? NULL : run_at(&commit->runs, to);
        if (run == NULL) continue;
        ctree_row_run *changed = ct_told_add(view, &commit->changes, sizeof *changed);
        if (changed == NULL) return CTREE_NO_MEMORY;
        *changed = (ctree_row_run){run->from + (to - run->to), to, 1};
        commit->told++;
    }
    ctree_row_run *changes = commit->changes.items;
    size_t count = commit->changes.count;
    if (count != 0) qsort(changes, count, sizeof *changes, compare_targets);
    commit->changes.count = 0;
    for (size_t i = 0; i < count; i++) (void)add_run(view, &commit->changes, changes[i]); /* there is room */
    return CTREE_OK;
}

/* ---- All of it ----------------------------------------------------------------------------------------------------
 */

static ctree_status reserve_lists(ctree_view *view, size_t count) {
    ct_commit *commit = &view->commit;
    void *rows = commit->list_rows;
    if (!ct_grow(&view->store->mem, &rows, &commit->list_room, count, sizeof *commit->list_rows))
        return CTREE_NO_MEMORY;
    commit->list_rows = rows;
    commit->list_count = count;
    return CTREE_OK;
}

static ctree_status keep_lists(ctree_view *view, const ct_fold *fold) {
    ctree_status status = reserve_lists(view, fold->list_count);
    for (size_t i = 0; i < fold->list_count && status == CTREE_OK; i++) {
        view->commit.list_rows[i] = ct_fold_rows(fold, i);
    }
    return status;
}

static ctree_status fold_notes(ctree_view *view) {
    ct_fold *fold = &view->commit.fold;
    ctree_status status = ct_fold_make(fold, view, CT_FOLD_ACCEPTED);
    if (status != CTREE_OK) return status;
    status = keep_lists(view, fold);
    if (status == CTREE_OK) status = collect_runs(view, fold);
    ct_fold_clear(fold);
    return status;
}

/* Of one note, which is what a tap leaves, the runs are plain. It stands in what is shown: other lists come from
 * there. */
static ctree_status read_note(ctree_view *view) {
    ct_commit *commit = &view->commit;
    const ct_note *note = view->notes.items;
    uint32_t old_count = view->notes.old_count, at = note->at;
    uint32_t came = note->kind == CT_NOTE_INSERT ? note->count : 0, gone = note->count - came;
    ctree_status status = reserve_lists(view, view->notes.lists);
    if (status != CTREE_OK) return status;
    memset(commit->list_rows, 0, commit->list_count * sizeof *commit->list_rows);
    if (note->kind == CT_NOTE_CUT) commit->list_rows[note->other] = note->count;
    uint32_t rest = old_count - at - gone;
    bool added = at == 0 || add_run(view, &commit->runs, (ctree_row_run){0, 0, at});
    if (added && came != 0) added = add_range(view, &commit->inserts, at, came);
    if (added && rest != 0) added = add_run(view, &commit->runs, (ctree_row_run){at + gone, at + came, rest});
    return added ? CTREE_OK : CTREE_NO_MEMORY;
}

static bool is_plain(const ct_note *note) {
    return note->list == 0 && note->kind != CT_NOTE_PASTE && note->kind != CT_NOTE_LIST;
}

static void publish(ctree_view *view) {
    ct_commit *commit = &view->commit;
    commit->batch = (ctree_batch){.old_count = view->notes.old_count,
                                  .new_count = view->live.shown.count,
                                  .delete_count = (uint32_t)commit->deletes.count,
                                  .insert_count = (uint32_t)commit->inserts.count,
                                  .move_count = (uint32_t)commit->moves.count,
                                  .change_count = (uint32_t)commit->changes.count,
                                  .deletes = commit->deletes.items,
                                  .inserts = commit->inserts.items,
                                  .moves = commit->moves.items,
                                  .changes = commit->changes.items};
}

ctree_status ct_commit_positions(ctree_view *view) {
    ct_commit *commit = &view->commit;
    commit->inserts.count = commit->changes.count = commit->runs.count = 0;
    const ct_notes *notes = &view->notes;
    ctree_status status = notes->count == 1 && is_plain(notes->items) ? read_note(view) : fold_notes(view);
    return status == CTREE_OK ? tell_changes(view) : status;
}

ctree_status ct_commit_notes(ctree_view *view) {
    ct_commit *commit = &view->commit;
    commit->deletes.count = commit->moves.count = 0;
    ctree_status status = ct_commit_positions(view);
    if (status != CTREE_OK) return status;
    bool ascend = ct_runs_ascend(commit->runs.items, commit->runs.count);
    status = ascend ? tell_deletes(view, NULL) : tell_shuffled(view);
    if (status != CTREE_OK) return status;
    commit->reload = ct_commit_beyond(commit);
    publish(view);
    return CTREE_OK;
}
