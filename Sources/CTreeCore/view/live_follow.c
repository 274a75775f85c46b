/* How rows follow an edit of the store. */
#include "store/children.h"
#include "view/live.h"
#include "view/view.h"

ctree_status ct_live_plan(ctree_view *view, const ct_plan *plan) {
    /* New nodes are as the view's default has it; without one only the topmost of them become rows. */
    ct_work_ahead work = {view->open_levels == 0 ? plan->tops : plan->nodes, 3 * (uint64_t)plan->steps};
    for (uint32_t i = 0; i < plan->moved_count; i++) {
        uint32_t slot = plan->moved[i];
        work.calls += 6;
        /* Of one step the rows that are there go along; of several, an earlier one may have dropped them. */
        if (plan->steps == 1 && !ct_view_has_levels(view) && ct_live_holds(&view->live, slot)) continue;
        ct_live_foresee_anywhere(view, slot, &work);
    }
    ctree_status status = ct_live_reserve_kept(view, plan->moved_count);
    return status == CTREE_OK ? ct_live_reserve(view, work) : status;
}

/* Rows of children [first, first + count), where they stand in place. */
static ct_seq *run_of(ctree_view *view, uint32_t parent, uint32_t first, uint32_t count, ctree_row_range *range) {
    ct_live *live = &view->live;
    uint32_t head = ct_children_at(view->store, parent, first);
    if (!ct_live_holds(live, head) || ct_live_with(live, head) != NULL) return NULL;
    uint32_t last = ct_children_at(view->store, parent, first + count - 1);
    range->first = ct_seq_rank(&live->pool, head);
    range->count = ct_seq_rank(&live->pool, last) + ct_seq_extent(&live->pool, last) - range->first;
    return ct_live_seq_of(live, head);
}

static void let_go_if_empty(ct_live *live, ct_seq *seq) {
    if (seq->owner != 0 && seq->count == 0) ct_live_let_go(live, &live->kept[seq->owner - 1]);
}

void ct_live_before(ctree_view *view, const ctree_edit *edit) {
    ct_live *live = &view->live;
    if (edit->kind != CTREE_EDIT_REMOVE && edit->kind != CTREE_EDIT_MOVE) return;
    uint32_t parent = (uint32_t)edit->parent;
    ctree_row_range range;
    ct_seq *seq = run_of(view, parent, edit->first, edit->count, &range);
    if (edit->kind == CTREE_EDIT_REMOVE) {
        if (seq != NULL) {
            ct_seq_remove_range(&live->pool, seq, range.first, range.count);
            let_go_if_empty(live, seq);
        }
        ct_live_purge(view, parent, edit->first, edit->count);
        return;
    }
    live->moving = CT_SEQ_EMPTY;
    live->moving_held = seq != NULL;
    if (seq == NULL) return;
    ct_seq_cut(&live->pool, seq, range.first, range.count, &live->moving);
    let_go_if_empty(live, seq);
}

/* Where the nodes went no rows are: what is worth it is kept with each node. */
static void keep_moved(ctree_view *view, uint32_t parent, uint32_t first, uint32_t count) {
    ct_live *live = &view->live;
    for (uint32_t i = first; i < first + count; i++) {
        uint32_t slot = ct_children_at(view->store, parent, i);
        uint32_t rows = ct_seq_extent(&live->pool, slot);
        if (rows < CT_WORTH_KEEPING) {
            ct_seq_remove_range(&live->pool, &live->moving, 0, rows);
        } else {
            ct_seq_cut(&live->pool, &live->moving, 0, rows, &ct_live_keep(live, slot, CT_KEPT_WITH)->rows);
        }
    }
}

static void after_move(ctree_view *view, const ctree_edit *edit, bool other_levels) {
    ct_live *live = &view->live;
    uint32_t parent = (uint32_t)edit->to_parent;
    if (other_levels) {
        ct_seq_destroy(&live->pool, &live->moving);
        live->moving_held = false;
        ct_live_purge(view, parent, edit->to_first, edit->count);
    }
    ct_spot spot = ct_live_spot(view, parent, edit->to_first, edit->count);
    if (live->moving_held && spot.seq != NULL) {
        ct_live_join(live, &live->moving, spot);
    } else if (live->moving_held) {
        keep_moved(view, parent, edit->to_first, edit->count);
    } else if (spot.seq != NULL) {
        ct_live_put(view, parent, edit->to_first, edit->count, spot);
    }
}

void ct_live_after(ctree_view *view, const ctree_edit *edit, bool other_levels) {
    if (edit->kind == CTREE_EDIT_MOVE) {
        after_move(view, edit, other_levels);
    } else if (edit->kind == CTREE_EDIT_INSERT) {
        uint32_t parent = (uint32_t)edit->parent;
        ct_spot spot = ct_live_spot(view, parent, edit->first, edit->count);
        if (spot.seq != NULL) ct_live_put(view, parent, edit->first, edit->count, spot);
    }
}
