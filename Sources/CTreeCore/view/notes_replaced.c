/*
 * Rows that were replaced all at once, as notes: those that came back are found again by their slots, in runs that
 * stood and stand side by side. All are cut out, run by run in their old order, and pasted in the new one. A row
 * whose node is only hidden now may be shown again, and no list has it: then what was shown is remembered as a whole.
 */
#include "store/marks.h"
#include "view/notes.h"
#include "view/view.h"

typedef struct replacing {
    ctree_view *view;
    ct_replaced rows;
    uint32_t *now;      /* The slots that came. */
    ct_marks marks;     /* Places of the slots that went. */
    uint32_t *by_place; /* Of a run that came back, by where it began: its length, then its list. */
} replacing;

/* How many rows from `i` on came together. `from`: where they stood, CT_NO_MARK for new ones. */
static uint32_t run_at(const replacing *r, uint32_t i, uint32_t *from) {
    uint32_t count = 1;
    *from = ct_marks_get(&r->marks, r->now[i]);
    while (i + count < r->rows.came) {
        uint32_t next = ct_marks_get(&r->marks, r->now[i + count]);
        if (next != (*from == CT_NO_MARK ? CT_NO_MARK : *from + count)) break;
        count++;
    }
    return count;
}

static bool prepare(replacing *r) {
    const ctree_view *view = r->view;
    const ct_mem *mem = &view->store->mem;
    r->now = ct_alloc(mem, ((size_t)r->rows.came + 1) * sizeof *r->now);
    if (r->now == NULL || ct_marks_init(&r->marks, mem, r->rows.went) != CTREE_OK) return false;
    ct_seq_copy_rows(&view->live.pool, &view->live.shown, r->rows.at, r->rows.came, r->now, NULL, NULL);
    for (uint32_t i = 0; i < r->rows.went; i++) {
        if (ct_marks_put(&r->marks, mem, r->rows.old[i], i) != CTREE_OK) return false;
        r->by_place[i] = 0;
    }
    for (uint32_t i = 0, from, count; i < r->rows.came; i += count) {
        count = run_at(r, i, &from);
        if (from != CT_NO_MARK) r->by_place[from] = count;
    }
    return true;
}

static bool hides_rows(const replacing *r) {
    for (uint32_t i = 0; i < r->rows.went; i += r->by_place[i] == 0 ? 1 : r->by_place[i]) {
        if (r->by_place[i] == 0 && ct_is_live(r->view->store, r->rows.old[i])) return true;
    }
    return false;
}

static void add_notes(replacing *r) {
    ctree_view *view = r->view;
    uint32_t all = view->notes.lists++, count;
    ct_note_add(view, (ct_note){CT_NOTE_CUT, 0, r->rows.at, r->rows.went, all});
    for (uint32_t i = 0; i < r->rows.went; i += count) {
        count = r->by_place[i];
        if (count != 0) {
            r->by_place[i] = view->notes.lists++;
            ct_note_add(view, (ct_note){CT_NOTE_CUT, all, 0, count, r->by_place[i]});
        } else {
            for (count = 1; i + count < r->rows.went && r->by_place[i + count] == 0;) count++;
            ct_note_add(view, (ct_note){CT_NOTE_DELETE, all, 0, count, 0});
        }
    }
    for (uint32_t i = 0, from; i < r->rows.came; i += count) {
        count = run_at(r, i, &from);
        uint32_t place = r->rows.at + i;
        ct_note note = {CT_NOTE_INSERT, 0, place, count, 0};
        if (from != CT_NO_MARK) note = (ct_note){CT_NOTE_PASTE, 0, place, count, r->by_place[from]};
        ct_note_add(view, note);
    }
}

void ct_note_replaced(ctree_view *view, const ct_replaced *rows, uint32_t *scratch) {
    const ct_mem *mem = &view->store->mem;
    replacing r = {.view = view, .rows = *rows, .by_place = scratch};
    view->notes.edited_since = true;
    if (!ct_notes_taken(&view->notes)) return;
    if (rows->went == 0) {
        ct_note_add(view, (ct_note){CT_NOTE_INSERT, 0, rows->at, rows->came, 0});
        return;
    }
    if (!prepare(&r)) {
        view->notes.lost = true;
    } else if (hides_rows(&r)) {
        ct_note_whole(view, rows);
    } else {
        add_notes(&r);
    }
    ct_free(mem, r.now, ((size_t)rows->came + 1) * sizeof *r.now);
    ct_marks_destroy(&r.marks, mem);
}
