/* How rows follow an edit of the store. */
#include "store/children.h"
#include "view/levels.h"
#include "view/live.h"
#include "view/view.h"

/* Nodes that may open or close because they come to another depth. */
static uint64_t parents_in_levels(const ctree_view *view, uint32_t root) {
    const ctree_store *store = view->store;
    uint64_t count = ct_hot_at(store, root)->count != 0;
    ct_levels walk;
    ct_levels_begin(&walk, store, root, view->open_levels - 1);
    for (uint32_t slot; (slot = ct_levels_next(&walk)) != CT_TOP;) count += ct_hot_at(store, slot)->count != 0;
    return count;
}

ctree_status ct_live_plan(ctree_view *view, const ct_plan *plan) {
    /* New nodes are as the view's default has it; without one only the topmost of them become rows. */
    uint64_t runs = plan->steps < plan->tops ? plan->steps : plan->tops;
    uint64_t rows = view->open_levels == 0 ? plan->tops : plan->nodes;
    ct_seq_work work = {0};
    if (rows == runs) {
        work.inserts = rows;
    } else {
        work = (ct_seq_work){.runs = runs, .run_rows = rows, .deep = view->open_levels > UINT8_MAX};
    }
    /* Each step that moves cuts its rows out, and pastes them in, or cuts them apart where they go below a collapsed
       node: the last part is what is left. */
    work.cuts = plan->moved_count;
    work.pastes = plan->steps < plan->moved_count ? plan->steps : plan->moved_count;
    /* There are no more rows than nodes; moved nodes that stand below each other would be counted again and again. */
    uint64_t most = view->store->count + plan->nodes;
    bool bulk = ct_live_is_bulk(view, plan);
    for (uint32_t i = 0; i < plan->moved_count && !(bulk && work.run_rows > most); i++) {
        uint32_t slot = plan->moved[i];
        /* Of one step the rows that are there go along; of several, an earlier one may have dropped them. */
        if (plan->steps == 1 && !ct_view_has_levels(view) && ct_live_holds(&view->live, slot)) continue;
        ct_live_foresee_anywhere(view, slot, &work);
        bulk = bulk || work.run_rows / 8 > most;
        if (ct_view_has_levels(view) && !bulk) work.runs += parents_in_levels(view, slot);
    }
    view->live.planned = 0;
    view->live.bulk.stage = CT_BULK_NONE;
    if (bulk) return ct_live_plan_bulk(view, plan, work.run_rows < most ? work.run_rows : most);
    ctree_status status = ct_live_reserve_kept(view, plan->moved_count);
    if (status == CTREE_OK) status = ct_live_reserve(view, &work);
    if (status == CTREE_OK) view->live.planned = plan->moved_count;
    return status;
}

/* ---- Before and after
 * ----------------------------------------------------------------------------------------------- */

/* Rows of children [first, first + count), where they stand in place. */
static ct_seq *run_of(ctree_view *view, uint32_t parent, uint32_t first, uint32_t count, ctree_row_range *range) {
    ct_live *live = &view->live;
    uint32_t head = ct_children_at(view->store, parent, first);
    if (!ct_live_holds(live, head) || ct_live_with(live, head) != NULL) return NULL;
    ct_seq_place start = ct_seq_place_of(&live->pool, head), last = start;
    if (count > 1) {
        last = ct_seq_place_of(&live->pool, ct_children_at(view->store, parent, first + count - 1));
    }
    range->first = start.position;
    range->count = last.position + ct_seq_extent_at(&live->pool, &last) - range->first;
    return ct_live_seq_owned(live, start.owner);
}

static void let_go_if_empty(ct_live *live, ct_seq *seq) {
    if (seq->owner != 0 && seq->count == 0) ct_live_let_go(live, &live->kept[seq->owner - 1]);
}

void ct_live_before(ctree_view *view, const ctree_edit *edit) {
    ct_live *live = &view->live;
    bool of_top = edit->kind == CTREE_EDIT_MOVE ? edit->parent == CTREE_NONE || edit->to_parent == CTREE_NONE
                                                : edit->kind != CTREE_EDIT_CHANGE && edit->parent == CTREE_NONE;
    live->headers_away = (view->flags & CTREE_VIEW_SECTIONS) != 0 && of_top;
    if (live->bulk.stage == CT_BULK_PLANNED) ct_live_begin_bulk(view);
    if (live->bulk.stage != CT_BULK_NONE) return;
    if (edit->kind != CTREE_EDIT_REMOVE && edit->kind != CTREE_EDIT_MOVE) return;
    uint32_t parent = (uint32_t)edit->parent;
    ctree_row_range range;
    ct_seq *seq = run_of(view, parent, edit->first, edit->count, &range);
    if (edit->kind == CTREE_EDIT_REMOVE) {
        if (seq != NULL) {
            ct_note_delete(view, seq, range.first, range.count);
            ct_seq_remove_range(&live->pool, seq, range.first, range.count);
            ct_live_tell(view, seq, range.first, range.count, 0);
            let_go_if_empty(live, seq);
        }
        ct_live_purge(view, parent, edit->first, edit->count);
        return;
    }
    live->moving = CT_SEQ_EMPTY;
    live->moving_held = seq != NULL;
    live->moving_list = CT_NO_LIST;
    if (seq == NULL) return;
    ct_note_cut(view, seq, range.first, range.count, &live->moving);
    ct_seq_cut(&live->pool, seq, range.first, range.count, &live->moving);
    ct_live_tell(view, seq, range.first, range.count, 0);
    let_go_if_empty(live, seq);
}

/* Where the nodes went no rows are: what is worth it is kept with each node. */
static void keep_moved(ctree_view *view, uint32_t parent, uint32_t first, uint32_t count) {
    ct_live *live = &view->live;
    for (uint32_t i = first; i < first + count; i++) {
        uint32_t slot = ct_children_at(view->store, parent, i);
        uint32_t rows = ct_seq_extent(&live->pool, slot);
        if (rows < CT_WORTH_KEEPING && !ct_notes_taken(&view->notes)) {
            ct_seq_remove_range(&live->pool, &live->moving, 0, rows);
            continue;
        }
        if (live->planned != 0) live->planned--;
        ct_kept *kept = ct_live_keep(live, slot, CT_KEPT_WITH);
        if (rows < CT_WORTH_KEEPING) live->short_count++;
        ct_note_cut(view, &live->moving, 0, rows, &kept->rows);
        ct_seq_cut(&live->pool, &live->moving, 0, rows, &kept->rows);
    }
}

/* Nodes that were open by default at their old depth and are not at the new one, or the other way round. `shift` is
   added to the depth of the run's own nodes, `before`, to give the new one. */
static void change_levels(ctree_view *view, const ctree_edit *edit, uint32_t before, uint32_t after) {
    const ctree_store *store = view->store;
    uint32_t parent = (uint32_t)edit->to_parent;
    uint32_t nearest = before < after ? before : after;
    for (uint32_t i = edit->to_first; i < edit->to_first + edit->count; i++) {
        uint32_t root = ct_children_at(store, parent, i), slot = root, level = 0;
        ct_levels walk;
        ct_levels_begin(&walk, store, root, view->open_levels - nearest - 1);
        do {
            if (slot != root) level = walk.level + 1;
            bool was_open = before + level < view->open_levels, is_open = after + level < view->open_levels;
            bool by_default = ct_expanded_get(&view->expanded, slot) == CT_BY_DEFAULT;
            if (!by_default || was_open == is_open || !ct_live_holds(&view->live, slot)) continue;
            if (!is_open) {
                ct_live_closed(view, slot, true);
            } else if (ct_seq_extent(&view->live.pool, slot) == 1) {
                ct_live_opened(view, slot); /* unless it came with an ancestor that was opened just now */
            }
        } while ((slot = ct_levels_next(&walk)) != CT_TOP);
    }
}

static void after_move(ctree_view *view, const ctree_edit *edit, uint32_t before, uint32_t after) {
    ct_live *live = &view->live;
    uint32_t parent = (uint32_t)edit->to_parent;
    ct_spot spot = ct_live_spot(view, parent, edit->to_first, edit->count);
    if (live->moving_held && spot.seq != NULL) {
        ct_live_join(view, &live->moving, spot);
    } else if (live->moving_held) {
        keep_moved(view, parent, edit->to_first, edit->count);
    } else if (spot.seq != NULL) {
        ct_live_put(view, parent, edit->to_first, edit->count, spot);
    }
    if (before != after && ct_view_has_levels(view)) change_levels(view, edit, before, after);
}

static void after_insert(ctree_view *view, const ctree_edit *edit) {
    ct_live *live = &view->live;
    uint32_t parent = (uint32_t)edit->parent;
    ct_spot spot = ct_live_spot(view, parent, edit->first, edit->count);
    if (spot.seq == NULL) return;
    uint32_t slot = ct_children_at(view->store, parent, edit->first);
    if (edit->count > 1 || ct_hot_at(view->store, slot)->count != 0) {
        ct_live_put(view, parent, edit->first, edit->count, spot);
        return;
    }
    /* A single row, as most inserts are: nothing to look for, nothing below it. */
    ct_note_insert(view, spot.seq, spot.position, 1);
    ct_seq_rows row = {&slot, &spot.depth, NULL, 1};
    ct_seq_insert_at(&live->pool, spot.seq, spot.position, &spot.place, row);
    ct_live_tell(view, spot.seq, spot.position, 0, 1);
}

void ct_live_after(ctree_view *view, const ctree_edit *edit, uint32_t before, uint32_t after) {
    ct_live *live = &view->live;
    if (live->bulk.stage == CT_BULK_NONE) {
        if (edit->kind == CTREE_EDIT_MOVE) after_move(view, edit, before, after);
        if (edit->kind == CTREE_EDIT_INSERT) after_insert(view, edit);
    }
    live->headers_away = false;
}
