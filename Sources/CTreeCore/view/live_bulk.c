/*
 * Edits of very many steps, all of them below one node: the rows there are dropped before it and built anew after it,
 * and told as one splice, trimmed to what differs. What stands elsewhere is not touched.
 */
#include "store/children.h"
#include "view/live.h"
#include "view/view.h"

/* The sequence that the rows below a node stand in when it is open, NULL where the node is held nowhere; and which of
   them are there. */
static ct_seq *rows_below(ctree_view *view, uint32_t root, ctree_row_range *range) {
    ct_live *live = &view->live;
    *range = (ctree_row_range){0, live->shown.count};
    if (root == CT_TOP) return &live->shown;
    *range = (ctree_row_range){0, 0};
    if (!ct_live_holds(live, root)) return NULL;
    range->first = ct_seq_rank(&live->pool, root) + 1;
    range->count = ct_seq_extent(&live->pool, root) - 1;
    return ct_live_seq_of(live, root);
}

/* A step costs what it takes to build eight rows or so, and the room that is set aside for it what many more take. */
enum { ROWS_A_STEP = 32, FEW_STEPS = 32 };

bool ct_live_is_bulk(ctree_view *view, const ct_plan *plan) {
    uint64_t steps = plan->steps + plan->moved_count, rows;
    if (steps <= FEW_STEPS) return false;
    ctree_row_range range;
    (void)rows_below(view, plan->root, &range);
    rows = range.count;
    if (rows == 0 && view->live.kept_count != 0) {
        const ct_kept *kept = plan->root == CT_TOP ? NULL : ct_live_below(view, plan->root);
        rows = kept != NULL ? kept->rows.count : view->store->count; /* any of them may be kept */
    }
    return rows / ROWS_A_STEP < steps;
}

static void free_old(ctree_view *view) {
    ct_bulk *bulk = &view->live.bulk;
    ct_free(&view->store->mem, bulk->old, bulk->old_room * sizeof *bulk->old);
    bulk->old = NULL;
    bulk->old_room = 0;
}

ctree_status ct_live_plan_bulk(ctree_view *view, const ct_plan *plan, uint64_t new_rows) {
    ct_live *live = &view->live;
    ct_bulk *bulk = &live->bulk;
    ctree_row_range range;
    bool shown = rows_below(view, plan->root, &range) == &live->shown;
    uint64_t rows = new_rows + range.count, most = view->store->count + plan->nodes;
    for (size_t i = 0; i < live->used; i++) {
        if (live->kept[i].kind != CT_KEPT_NONE) rows += live->kept[i].rows.count;
    }
    if (rows > most) rows = most;
    void *old = bulk->old;
    uint64_t need = shown ? 3 * (uint64_t)range.count : 0;
    if (need > SIZE_MAX / sizeof *bulk->old) return CTREE_NO_MEMORY;
    if (!ct_grow(&view->store->mem, &old, &bulk->old_room, (size_t)need, sizeof *bulk->old)) return CTREE_NO_MEMORY;
    bulk->old = old;
    view->store->edits.tell_over = true;
    ctree_status status = ct_live_reserve(view, &(ct_seq_work){.runs = 1, .run_rows = rows, .deep = true});
    if (status != CTREE_OK) return status;
    bulk->stage = CT_BULK_PLANNED;
    bulk->root = plan->root;
    bulk->few = (plan->steps + plan->moved_count) * 4 < live->shown.count;
    return CTREE_OK;
}

/* Whether a kept sequence may hold rows that a batch has to know again. */
static bool follows_any(const ctree_view *view) {
    const ct_live *live = &view->live;
    for (size_t i = 0; i < live->used; i++) {
        if (live->kept[i].kind != CT_KEPT_NONE && ct_notes_follow(view, &live->kept[i].rows)) return true;
    }
    return false;
}

static void drop_kept(ct_live *live) {
    for (size_t i = 0; i < live->used; i++) {
        if (live->kept[i].kind == CT_KEPT_NONE) continue;
        ct_seq_destroy(&live->pool, &live->kept[i].rows);
        ct_live_let_go(live, &live->kept[i]);
    }
}

void ct_live_begin_bulk(ctree_view *view) {
    ct_live *live = &view->live;
    ct_bulk *bulk = &live->bulk;
    ctree_row_range range;
    ct_seq *seq = rows_below(view, bulk->root, &range);
    bulk->stage = CT_BULK_UNDER_WAY;
    bulk->first = range.first;
    bulk->count = seq == &live->shown ? range.count : 0;
    if (bulk->count != 0) {
        ct_seq_copy_rows(&live->pool, seq, range.first, range.count, bulk->old, bulk->old + range.count, NULL);
    }
    bulk->noted = ct_notes_taken(&view->notes) && bulk->few && !follows_any(view);
    if (!bulk->noted) ct_note_whole(view, NULL);
    if (bulk->root == CT_TOP) {
        ct_seq_destroy(&live->pool, &live->shown);
        drop_kept(live);
    } else {
        if (range.count != 0) ct_seq_remove_range(&live->pool, seq, range.first, range.count);
        ct_live_purge(view, bulk->root, 0, ct_hot_at(view->store, bulk->root)->count);
    }
}

/* How many rows are as they were, from the front or from the back on; `most` at most. */
static uint32_t unchanged(const ctree_view *view, uint32_t count, uint32_t most, bool back) {
    const ct_live *live = &view->live;
    const ct_bulk *bulk = &live->bulk;
    enum { BLOCK = 128 };
    uint32_t slots[BLOCK], depths[BLOCK], same = 0;
    while (same < most) {
        uint32_t here = most - same < BLOCK ? most - same : BLOCK;
        uint32_t now = back ? count - same - here : same, then = back ? bulk->count - same - here : same;
        ct_seq_copy_rows(&live->pool, &live->shown, bulk->first + now, here, slots, depths, NULL);
        for (uint32_t i = 0; i < here; i++, same++) {
            uint32_t k = back ? here - 1 - i : i;
            if (slots[k] != bulk->old[then + k] || depths[k] != bulk->old[bulk->count + then + k]) return same;
        }
    }
    return same;
}

/* What became of the rows that were shown. */
static void tell_bulk(ctree_view *view, uint32_t count) {
    ct_live *live = &view->live;
    const ct_bulk *bulk = &live->bulk;
    uint32_t most = count < bulk->count ? count : bulk->count;
    uint32_t front = unchanged(view, count, most, false);
    uint32_t back = unchanged(view, count, most - front, true);
    uint32_t at = bulk->first + front, went = bulk->count - front - back, came = count - front - back;
    if (bulk->noted && went + came != 0) {
        ct_replaced replaced = {at, went, came, bulk->old + front};
        ct_note_replaced(view, &replaced, bulk->old + 2 * (size_t)bulk->count);
    }
    ct_live_tell(view, &live->shown, at, went, came);
}

void ct_live_over(ctree_view *view) {
    ct_live *live = &view->live;
    ct_bulk *bulk = &live->bulk;
    if (bulk->stage == CT_BULK_UNDER_WAY) {
        ctree_row_range range;
        ct_seq *seq = rows_below(view, bulk->root, &range);
        uint32_t others = seq != NULL ? seq->count : 0;
        if (seq != NULL && (bulk->root == CT_TOP || ct_view_opens(view, bulk->root))) {
            ct_spot top = {.seq = &live->shown};
            ct_spot spot = bulk->root == CT_TOP ? top : ct_live_spot_below(live, bulk->root);
            live->silent = view->notes.pausing = true;
            ct_live_put(view, bulk->root, 0, ct_hot_at(view->store, bulk->root)->count, spot);
            live->silent = view->notes.pausing = false;
        }
        if (seq == &live->shown) tell_bulk(view, seq->count - others);
    }
    bulk->stage = CT_BULK_NONE;
    free_old(view);
}
