/* Opening and closing: one cut or one join, whatever appears. */
#include "store/children.h"
#include "view/levels.h"
#include "view/live.h"
#include "view/view.h"

void ct_live_foresee_open(ctree_view *view, uint32_t slot, ct_seq_work *work) {
    if (!ct_live_holds(&view->live, slot)) return;
    if (ct_live_below(view, slot) != NULL) {
        work->pastes++;
    } else {
        ct_live_foresee(view, slot, 0, ct_hot_at(view->store, slot)->count, work);
    }
}

ctree_status ct_live_reserve_open(ctree_view *view, uint32_t slot) {
    ct_seq_work work = {0};
    ct_live_foresee_open(view, slot, &work);
    return ct_live_reserve(view, &work);
}

void ct_live_opened(ctree_view *view, uint32_t slot) {
    ct_live *live = &view->live;
    uint32_t count = ct_hot_at(view->store, slot)->count;
    if (count == 0 || !ct_live_holds(live, slot)) return;
    ct_kept *kept = ct_live_below(view, slot);
    ct_spot spot = ct_live_spot_below(live, slot);
    if (kept == NULL) {
        ct_live_put(view, slot, 0, count, spot);
    } else {
        ct_live_join(view, &kept->rows, spot);
        ct_live_let_go(live, kept);
    }
}

void ct_live_closed(ctree_view *view, uint32_t slot, bool planned) {
    ct_live *live = &view->live;
    if (!ct_live_holds(live, slot)) return;
    ct_seq_place place = ct_seq_place_of(&live->pool, slot);
    uint32_t count = ct_seq_extent_at(&live->pool, &place) - 1, first = place.position + 1;
    if (count == 0) return;
    ct_seq *seq = ct_live_seq_owned(live, place.owner);
    /* While notes are taken every sequence is kept, so that its rows are known again. Where no entry is to be had, or
       no blocks for the cut, the rows are dropped: they can be built anew. The blocks are asked for each time, since
       a kept sequence holds on to those that its cut took. */
    bool keep = count >= CT_WORTH_KEEPING || ct_notes_taken(&view->notes);
    ct_seq_work cut = {.cuts = 1};
    if (keep) keep = ct_live_reserve_kept(view, 1) == CTREE_OK;
    if (keep) keep = (planned ? ct_live_reserve_beside(view, &cut) : ct_live_reserve(view, &cut)) == CTREE_OK;
    if (!keep) {
        ct_note_delete(view, seq, first, count);
        ct_seq_remove_range(&live->pool, seq, first, count);
        ct_live_tell(view, seq, first, count, 0);
        return;
    }
    seq = ct_live_seq_owned(live, place.owner); /* entries may have moved */
    ct_kept *kept = ct_live_keep(live, slot, CT_KEPT_BELOW);
    if (count < CT_WORTH_KEEPING) live->short_count++;
    ct_note_cut(view, seq, first, count, &kept->rows);
    ct_seq_cut(&live->pool, seq, first, count, &kept->rows);
    ct_live_tell(view, seq, first, count, 0);
}

void ct_live_closed_with_all(ctree_view *view, uint32_t slot) {
    if (!ct_notes_taken(&view->notes)) {
        ct_live_build_anew(view, slot);
        return;
    }
    ct_live_closed(view, slot, false);
    ct_levels walk;
    ct_levels_begin(&walk, view->store, slot, CTREE_ALL_LEVELS);
    for (uint32_t below; (below = ct_levels_next(&walk)) != CT_TOP;) ct_live_closed(view, below, false);
}

ctree_status ct_live_reserve_anew(ctree_view *view, uint32_t slot) {
    uint64_t rows = view->store->count;
    if (slot != CT_TOP) {
        rows = ct_live_holds(&view->live, slot)
                   ? ctree_store_subtree_count(view->store, ct_node_at(view->store, slot))
                   : 0;
    }
    return ct_live_reserve(view, &(ct_seq_work){.runs = 1, .run_rows = rows, .deep = true});
}

ctree_status ct_live_reserve_closed(ctree_view *view, uint32_t slot) {
    uint64_t rows = 0;
    if (slot == CT_TOP) {
        const ctree_store *store = view->store;
        uint32_t tops = ct_hot_at(store, CT_TOP)->count;
        rows = tops;
        bool sections = (view->flags & CTREE_VIEW_SECTIONS) != 0;
        for (uint32_t i = 0; i < tops && sections; i++)
            rows += ct_hot_at(store, ct_children_at(store, CT_TOP, i))->count;
    } else if (ct_view_is_section(view, slot)) {
        rows = ct_hot_at(view->store, slot)->count;
    }
    return ct_live_reserve(view, &(ct_seq_work){.runs = 1, .run_rows = rows, .deep = true});
}

static void build_all_anew(ctree_view *view) {
    ct_live *live = &view->live;
    uint32_t count = ct_hot_at(view->store, CT_TOP)->count, old_rows = live->shown.count;
    ct_seq_destroy(&live->pool, &live->shown);
    ct_live_purge(view, CT_TOP, 0, count);
    ct_live_put(view, CT_TOP, 0, count, (ct_spot){.seq = &live->shown});
    live->silent = false;
    ct_live_tell(view, &live->shown, 0, old_rows, live->shown.count);
}

static void build_below_anew(ctree_view *view, uint32_t slot) {
    ct_live *live = &view->live;
    uint32_t count = ct_hot_at(view->store, slot)->count;
    bool held = ct_live_holds(live, slot);
    uint32_t old_rows = held ? ct_seq_extent(&live->pool, slot) - 1 : 0;
    ct_spot spot = held ? ct_live_spot_below(live, slot) : (ct_spot){.seq = NULL};
    if (old_rows != 0) ct_seq_remove_range(&live->pool, spot.seq, spot.position, old_rows);
    ct_live_purge(view, slot, 0, count);
    uint32_t others = held ? spot.seq->count : 0;
    if (held && count != 0 && ct_view_opens(view, slot)) ct_live_put(view, slot, 0, count, spot);
    live->silent = false;
    if (held) ct_live_tell(view, spot.seq, spot.position, old_rows, spot.seq->count - others);
}

void ct_live_build_anew(ctree_view *view, uint32_t slot) {
    ct_note_whole(view, NULL);
    view->live.silent = true; /* one splice for all of it */
    if (slot == CT_TOP) {
        build_all_anew(view);
    } else {
        build_below_anew(view, slot);
    }
}
