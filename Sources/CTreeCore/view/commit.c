#include "view/commit.h"

#include "store/children.h"
#include "store/edits.h"
#include "view/view.h"

static void free_rows(const ct_mem *mem, ct_told_rows *rows, size_t item_size) {
    ct_free(mem, rows->items, rows->room * item_size);
}

static void forget_nodes(ctree_view *view) {
    ct_commit *commit = &view->commit;
    ct_free(&view->store->mem, commit->nodes, (size_t)commit->node_count * sizeof *commit->nodes);
    commit->nodes = NULL;
    commit->node_count = 0;
    ctree_diff_destroy(commit->diff);
    commit->diff = NULL;
}

void ct_commit_destroy(ctree_view *view) {
    ct_commit *commit = &view->commit;
    const ct_mem *mem = &view->store->mem;
    forget_nodes(view);
    free_rows(mem, &commit->deletes, sizeof(ctree_row_range));
    free_rows(mem, &commit->inserts, sizeof(ctree_row_range));
    free_rows(mem, &commit->moves, sizeof(ctree_row_run));
    free_rows(mem, &commit->changes, sizeof(ctree_row_run));
    free_rows(mem, &commit->path_deletes, sizeof(ctree_path_range));
    free_rows(mem, &commit->path_inserts, sizeof(ctree_path_range));
    free_rows(mem, &commit->path_moves, sizeof(ctree_path_run));
    free_rows(mem, &commit->path_changes, sizeof(ctree_path_run));
    free_rows(mem, &commit->section_changes, sizeof(ctree_section_run));
    free_rows(mem, &commit->runs, sizeof(ctree_row_run));
    ct_fold_free(&commit->fold);
    ct_free(mem, commit->list_rows, commit->list_room * sizeof *commit->list_rows);
    ct_free(mem, commit->headers, commit->header_room * sizeof *commit->headers);
    *commit = (ct_commit){0};
}

/* ---- Commit ------------------------------------------------------------------------------------------------------
 */

static uint32_t header_count(const ctree_view *view) {
    return (view->flags & CTREE_VIEW_SECTIONS) != 0 ? ct_hot_at(view->store, CT_TOP)->count : 0;
}

static void say_reload(ctree_view *view) {
    ct_commit *commit = &view->commit;
    const ct_notes *notes = &view->notes;
    uint32_t old_headers = notes->accepted ? (uint32_t)notes->old_header_count : 0;
    uint32_t old_count = notes->accepted ? notes->old_count - old_headers : 0;
    uint32_t headers = header_count(view), new_count = view->live.shown.count - headers;
    commit->reload = true;
    commit->batch = (ctree_batch){.reload = 1, .old_count = old_count, .new_count = new_count};
    commit->section_batch = (ctree_section_batch){.reload = 1,
                                                  .old_section_count = old_headers,
                                                  .new_section_count = headers,
                                                  .old_count = old_count,
                                                  .new_count = new_count};
    if ((view->flags & CTREE_VIEW_SECTIONS) == 0) {
        commit->section_batch.old_section_count = notes->accepted ? 1 : 0;
        commit->section_batch.new_section_count = 1;
    }
}

static ctree_status keep_headers(ctree_view *view) {
    ct_commit *commit = &view->commit;
    uint32_t count = header_count(view);
    void *headers = commit->headers;
    if (!ct_grow(&view->store->mem, &headers, &commit->header_room, count, sizeof(uint32_t))) return CTREE_NO_MEMORY;
    commit->headers = headers;
    commit->header_count = count;
    for (uint32_t i = 0; i < count; i++) {
        commit->headers[i] = ct_seq_rank(&view->live.pool, ct_children_at(view->store, CT_TOP, i));
    }
    return CTREE_OK;
}

static ctree_status commit_now(ctree_view *view, uint64_t limit, bool sections) {
    ct_commit *commit = &view->commit;
    ct_notes *notes = &view->notes;
    forget_nodes(view);
    commit->limit = limit;
    commit->told = 0;
    commit->reload = false;
    ctree_status status = keep_headers(view);
    if (status != CTREE_OK) return status;
    bool has_sections = (view->flags & CTREE_VIEW_SECTIONS) != 0;
    if (!notes->accepted || notes->lost) {
        say_reload(view);
    } else {
        bool by_notes = !notes->whole && has_sections == sections;
        if (by_notes && !sections) status = ct_commit_notes(view);
        if (by_notes && sections) status = ct_commit_sections(view, &by_notes);
        if (status == CTREE_OK && !by_notes) status = ct_commit_whole(view, sections);
        if (status == CTREE_OK && commit->reload) say_reload(view);
    }
    if (status != CTREE_OK) return status;
    notes->committed = true;
    notes->edited_since = false;
    notes->committed_notes = notes->count;
    notes->committed_changed = notes->changed_count;
    notes->committed_rows = view->live.shown.count;
    return CTREE_OK;
}

static ctree_status commit_as(ctree_view *view, uint64_t limit, bool sections) {
    if (view == NULL || !view->notes.on) return CTREE_INVALID;
    ctree_status status = ct_edit_enter(view->store);
    if (status != CTREE_OK) return status;
    status = commit_now(view, limit, sections);
    if (status != CTREE_OK) {
        /* What an earlier commit led to is overwritten: an accept of that one has nothing to go on from. */
        view->commit.reload = true;
        view->notes.edited_since = true;
    }
    return ct_edit_leave(view->store, status);
}

ctree_status ctree_view_commit(ctree_view *view, uint64_t limit, const ctree_batch **out) {
    if (out == NULL) return CTREE_INVALID;
    ctree_status status = commit_as(view, limit, false);
    if (status == CTREE_OK) *out = &view->commit.batch;
    return status;
}

ctree_status ctree_view_commit_sections(ctree_view *view, uint64_t limit, const ctree_section_batch **out) {
    if (out == NULL) return CTREE_INVALID;
    ctree_status status = commit_as(view, limit, true);
    if (status == CTREE_OK) *out = &view->commit.section_batch;
    return status;
}

/* ---- Accept ------------------------------------------------------------------------------------------------------
 */

/* The notes since the commit go on from what the commit led to. */
static ctree_status rebase(ctree_view *view) {
    ct_commit *commit = &view->commit;
    ct_notes *notes = &view->notes;
    size_t lists = commit->list_count, rest = notes->count - notes->committed_notes;
    void *items = notes->items;
    if (!ct_grow(&view->store->mem, &items, &notes->room, notes->count + lists, sizeof *notes->items)) {
        return CTREE_NO_MEMORY;
    }
    notes->items = items;
    memmove(notes->items + lists, notes->items + notes->committed_notes, rest * sizeof *notes->items);
    size_t kept = 0;
    for (size_t i = 1; i < lists; i++) {
        if (commit->list_rows[i] == 0) continue;
        notes->items[kept++] = (ct_note){CT_NOTE_LIST, (uint32_t)i, 0, commit->list_rows[i], 0};
    }
    memmove(notes->items + kept, notes->items + lists, rest * sizeof *notes->items);
    notes->count = kept + rest;
    return CTREE_OK;
}

static ctree_status go_on(ctree_view *view) {
    ct_commit *commit = &view->commit;
    ct_notes *notes = &view->notes;
    if (notes->lost) return CTREE_OK;
    if (commit->reload) {
        notes->lost = true; /* what the table loaded was not noted */
        return CTREE_OK;
    }
    if (commit->nodes != NULL || notes->whole) {
        ct_free(&view->store->mem, notes->old_nodes, (size_t)notes->old_count * sizeof *notes->old_nodes);
        notes->old_nodes = commit->nodes;
        notes->whole = true;
        notes->count = 0;
        commit->nodes = NULL;
        commit->node_count = 0;
    } else {
        ctree_status status = rebase(view);
        if (status != CTREE_OK) {
            notes->lost = true;
            return status;
        }
    }
    notes->old_count = notes->committed_rows;
    size_t rest = notes->changed_count - notes->committed_changed;
    if (rest != 0) memmove(notes->changed, notes->changed + notes->committed_changed, rest * sizeof *notes->changed);
    notes->changed_count = rest;
    uint32_t *headers = notes->old_headers;
    size_t room = notes->old_header_room;
    notes->old_headers = commit->headers;
    notes->old_header_room = commit->header_room;
    notes->old_header_count = commit->header_count;
    commit->headers = headers;
    commit->header_room = room;
    notes->committed = false;
    return CTREE_OK;
}

ctree_status ctree_view_accept(ctree_view *view) {
    if (view == NULL || !view->notes.on) return CTREE_INVALID;
    ctree_status status = ct_edit_enter(view->store);
    if (status != CTREE_OK) return status;
    const ct_notes *notes = &view->notes;
    status = notes->committed && notes->edited_since ? go_on(view) : ct_notes_restart(view);
    return ct_edit_leave(view->store, status);
}
