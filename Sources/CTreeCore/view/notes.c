#include "view/notes.h"

#include <stdlib.h>

#include "store/children.h"
#include "view/fold.h"
#include "view/view.h"

void ct_notes_init(ctree_view *view, bool on) { view->notes = (ct_notes){.on = on, .lists = 1, .window = 1}; }

static void free_whole(ctree_view *view) {
    ct_notes *notes = &view->notes;
    ct_free(&view->store->mem, notes->old_nodes, (size_t)notes->old_count * sizeof *notes->old_nodes);
    notes->old_nodes = NULL;
    notes->whole = false;
}

void ct_notes_destroy(ctree_view *view) {
    ct_notes *notes = &view->notes;
    const ct_mem *mem = &view->store->mem;
    free_whole(view);
    ct_free(mem, notes->items, notes->room * sizeof *notes->items);
    ct_free(mem, notes->changed, notes->changed_room * sizeof *notes->changed);
    ct_free(mem, notes->old_headers, notes->old_header_room * sizeof *notes->old_headers);
    *notes = (ct_notes){0};
}

/* ---- Taking notes ------------------------------------------------------------------------------------------------
 */

void ct_note_add(ctree_view *view, ct_note note) {
    ct_notes *notes = &view->notes;
    void *items = notes->items;
    if (!ct_grow(&view->store->mem, &items, &notes->room, notes->count + 1, sizeof note)) {
        notes->lost = true;
        return;
    }
    notes->items = items;
    notes->items[notes->count++] = note;
}

/* Whether notes are taken; that something happened is known in any case. */
static bool is_taken(ct_notes *notes) {
    notes->edited_since = true;
    return ct_notes_taken(notes);
}

/* Where the number of a sequence's list is kept. */
static uint32_t *number_of(ctree_view *view, const ct_seq *seq) {
    ct_live *live = &view->live;
    if (seq == &live->moving) return &live->moving_list;
    ct_kept *kept = &live->kept[seq->owner - 1];
    if (kept->window != view->notes.window) {
        kept->window = view->notes.window;
        kept->list = CT_NO_LIST;
    }
    return &kept->list;
}

bool ct_notes_follow(const ctree_view *view, const ct_seq *seq) {
    const ct_kept *kept = &view->live.kept[seq->owner - 1];
    return ct_notes_taken(&view->notes) && kept->window == view->notes.window && kept->list != CT_NO_LIST;
}

static uint32_t list_of(ctree_view *view, const ct_seq *seq) {
    return seq == &view->live.shown ? 0 : *number_of(view, seq);
}

void ct_note_insert(ctree_view *view, const ct_seq *seq, uint32_t at, uint32_t count) {
    if (!is_taken(&view->notes) || count == 0) return;
    uint32_t list = list_of(view, seq);
    if (list != CT_NO_LIST) ct_note_add(view, (ct_note){CT_NOTE_INSERT, list, at, count, 0});
}

void ct_note_delete(ctree_view *view, const ct_seq *seq, uint32_t at, uint32_t count) {
    if (!is_taken(&view->notes) || count == 0) return;
    uint32_t list = list_of(view, seq);
    if (list != CT_NO_LIST) ct_note_add(view, (ct_note){CT_NOTE_DELETE, list, at, count, 0});
}

void ct_note_cut(ctree_view *view, const ct_seq *seq, uint32_t at, uint32_t count, const ct_seq *to) {
    if (!is_taken(&view->notes)) return;
    uint32_t list = list_of(view, seq), *number = number_of(view, to);
    *number = CT_NO_LIST;
    if (list == CT_NO_LIST || count == 0) return;
    *number = view->notes.lists++;
    ct_note_add(view, (ct_note){CT_NOTE_CUT, list, at, count, *number});
}

/* The last note, if a paste would only undo it. */
static bool undoes(const ct_notes *notes, uint32_t list, uint32_t at, uint32_t other) {
    size_t barrier = notes->committed ? notes->committed_notes : 0;
    if (notes->count <= barrier) return false;
    const ct_note *last = &notes->items[notes->count - 1];
    return last->kind == CT_NOTE_CUT && last->list == list && last->at == at && last->other == other;
}

void ct_note_paste(ctree_view *view, const ct_seq *seq, uint32_t at, const ct_seq *from) {
    ct_notes *notes = &view->notes;
    if (!is_taken(notes) || from->count == 0) return;
    uint32_t list = list_of(view, seq), other = list_of(view, from);
    if (other == CT_NO_LIST) {
        ct_note_insert(view, seq, at, from->count);
        return;
    }
    if (list == CT_NO_LIST) {
        list = *number_of(view, seq) = notes->lists++;
        if (seq->count != 0) ct_note_add(view, (ct_note){CT_NOTE_LIST, list, 0, seq->count, 0});
    }
    if (undoes(notes, list, at, other)) {
        notes->count--;
        return;
    }
    ct_note_add(view, (ct_note){CT_NOTE_PASTE, list, at, from->count, other});
}

void ct_note_whole(ctree_view *view, const ct_replaced *replaced) {
    ct_notes *notes = &view->notes;
    ct_commit *commit = &view->commit;
    if (!is_taken(notes)) return;
    notes->old_nodes = ct_fold_nodes(view, CT_FOLD_ACCEPTED, replaced);
    if (notes->old_nodes == NULL && notes->old_count != 0) {
        notes->lost = true;
        return;
    }
    if (notes->committed && commit->nodes == NULL && !commit->reload) {
        /* The commit may yet be accepted, and be what the next is compared with. */
        commit->nodes = ct_fold_nodes(view, CT_FOLD_COMMITTED, replaced);
        commit->node_count = notes->committed_rows;
        if (commit->nodes == NULL && notes->committed_rows != 0) {
            commit->node_count = 0;
            notes->lost = true;
        }
    }
    notes->whole = true;
    notes->count = 0;
    notes->committed_notes = 0;
}

/* ---- Changed looks ------------------------------------------------------------------------------------------------
 */

static int compare_nodes(const void *a, const void *b) {
    ctree_node x = *(const ctree_node *)a, y = *(const ctree_node *)b;
    return (x > y) - (x < y);
}

/* Those up to the last commit stay in front of those after it. */
static void leave_once(ct_notes *notes, size_t first) {
    ctree_node *nodes = notes->changed + first;
    size_t count = notes->changed_count - first, kept = 0;
    qsort(nodes, count, sizeof *nodes, compare_nodes);
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || nodes[kept - 1] != nodes[i]) nodes[kept++] = nodes[i];
    }
    notes->changed_count = first + kept;
}

void ct_notes_sort_changed(ct_notes *notes) {
    if (notes->changed_count != 0) leave_once(notes, 0);
}

void ct_note_changed(ctree_view *view, uint32_t slot) {
    ct_notes *notes = &view->notes;
    if (!notes->on) return;
    /* What is held nowhere was not shown, unless all was built anew since, or will be soon. */
    bool bulk = view->live.bulk.stage == CT_BULK_UNDER_WAY;
    if (!notes->whole && !bulk && !ct_live_holds(&view->live, slot)) return;
    notes->edited_since = true;
    if (!notes->accepted || notes->lost) return;
    ctree_node node = ct_node_at(view->store, slot);
    size_t first = notes->committed ? notes->committed_changed : 0;
    if (notes->changed_count > first && notes->changed[notes->changed_count - 1] == node) return;
    if (notes->changed_count == notes->changed_room && notes->changed_count > first) leave_once(notes, first);
    void *changed = notes->changed;
    size_t need = notes->changed_count + notes->changed_count / 2 + 1; /* or the next sorting would come too soon */
    if (notes->changed_count != notes->changed_room) need = notes->changed_count + 1;
    if (!ct_grow(&view->store->mem, &changed, &notes->changed_room, need, sizeof node)) {
        notes->lost = true;
        return;
    }
    notes->changed = changed;
    notes->changed[notes->changed_count++] = node;
}

/* ---- Starting anew ------------------------------------------------------------------------------------------------
 */

static ctree_status note_headers(ctree_view *view) {
    ct_notes *notes = &view->notes;
    const ctree_store *store = view->store;
    if ((view->flags & CTREE_VIEW_SECTIONS) == 0) return CTREE_OK;
    uint32_t count = ct_hot_at(store, CT_TOP)->count;
    void *headers = notes->old_headers;
    if (!ct_grow(&store->mem, &headers, &notes->old_header_room, count, sizeof(uint32_t))) return CTREE_NO_MEMORY;
    notes->old_headers = headers;
    notes->old_header_count = count;
    for (uint32_t i = 0; i < count; i++) {
        notes->old_headers[i] = ct_seq_rank(&view->live.pool, ct_children_at(store, CT_TOP, i));
    }
    return CTREE_OK;
}

/* Short sequences are kept for the sake of the notes only. */
static void drop_short(ctree_view *view) {
    ct_live *live = &view->live;
    if (live->short_count == 0) return;
    for (size_t i = 0; i < live->used; i++) {
        ct_kept *kept = &live->kept[i];
        if (kept->kind == CT_KEPT_NONE || kept->rows.count >= CT_WORTH_KEEPING) continue;
        ct_seq_destroy(&live->pool, &kept->rows);
        ct_live_let_go(live, kept);
    }
    live->short_count = 0;
}

ctree_status ct_notes_restart(ctree_view *view) {
    ct_notes *notes = &view->notes;
    free_whole(view);
    drop_short(view);
    notes->count = 0;
    notes->lists = 1;
    notes->window++;
    notes->changed_count = 0;
    notes->old_count = view->live.shown.count;
    notes->committed = false;
    notes->edited_since = false;
    notes->lost = false;
    notes->accepted = true;
    ctree_status status = note_headers(view);
    if (status != CTREE_OK) notes->lost = true;
    return status;
}
