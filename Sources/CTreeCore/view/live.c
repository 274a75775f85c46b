#include "view/live.h"

#include "store/children.h"
#include "view/view.h"

/* ---- Life ------------------------------------------------------------------------------------------------------ */

void ct_live_init(ctree_view *view) {
    ct_live *live = &view->live;
    *live = (ct_live){0};
    ct_seq_pool_init(&live->pool, &view->store->mem, CT_SEQ_DEPTHS);
}

void ct_live_destroy(ctree_view *view) {
    ct_live *live = &view->live;
    ct_seq_pool_destroy(&live->pool);
    ct_free(&view->store->mem, live->kept, live->room * sizeof *live->kept);
    ct_free(&view->store->mem, live->bulk.old, live->bulk.old_room * sizeof *live->bulk.old);
    *live = (ct_live){0};
}

ctree_status ct_live_start(ctree_view *view) {
    uint32_t count = ct_hot_at(view->store, CT_TOP)->count;
    ct_seq_work work = {0};
    if (view->open_levels == CTREE_ALL_LEVELS && !view->store->mem.custom) {
        /* All of them, and nothing is kept: no need to walk. How deep they lie is of no account where memory is only
           taken as it is touched. */
        work = (ct_seq_work){.runs = 1, .run_rows = view->store->count, .deep = true};
    } else {
        ct_live_foresee(view, CT_TOP, 0, count, &work);
    }
    ctree_status status = ct_live_reserve(view, &work);
    if (status == CTREE_OK) ct_live_put(view, CT_TOP, 0, count, (ct_spot){.seq = &view->live.shown});
    return status;
}

/* ---- Kept sequences -------------------------------------------------------------------------------------------- */

ctree_status ct_live_reserve_kept(ctree_view *view, uint64_t more) {
    ct_live *live = &view->live;
    uint64_t need = live->kept_count + (uint64_t)live->planned + more;
    if (need >= UINT32_MAX) return CTREE_LIMIT;
    void *kept = live->kept;
    if (!ct_grow(&view->store->mem, &kept, &live->room, (size_t)need, sizeof *live->kept)) return CTREE_NO_MEMORY;
    live->kept = kept;
    return CTREE_OK;
}

ct_kept *ct_live_keep(ct_live *live, uint32_t slot, ct_kept_kind kind) {
    uint32_t number = live->free_head;
    if (number != 0) {
        live->free_head = live->kept[number - 1].slot;
    } else {
        number = (uint32_t)++live->used;
    }
    ct_kept *kept = &live->kept[number - 1];
    *kept = (ct_kept){.rows = {.owner = number}, .slot = slot, .kind = kind};
    live->kept_count++;
    return kept;
}

void ct_live_let_go(ct_live *live, ct_kept *kept) {
    kept->kind = CT_KEPT_NONE;
    kept->slot = live->free_head;
    live->free_head = (uint32_t)(kept - live->kept) + 1;
    live->kept_count--;
}

/* ---- Where things are ------------------------------------------------------------------------------------------ */

ct_seq *ct_live_seq_of(ct_live *live, uint32_t slot) {
    return ct_live_seq_owned(live, ct_seq_owner_of(&live->pool, slot));
}

static ct_kept *entry_of(ct_live *live, uint32_t slot) {
    uint32_t owner = ct_live_holds(live, slot) ? ct_seq_owner_of(&live->pool, slot) : 0;
    return owner == 0 ? NULL : &live->kept[owner - 1];
}

ct_kept *ct_live_with(ct_live *live, uint32_t slot) {
    ct_kept *kept = live->kept_count == 0 ? NULL : entry_of(live, slot);
    return kept != NULL && kept->kind == CT_KEPT_WITH && kept->slot == slot ? kept : NULL;
}

ct_kept *ct_live_below(ctree_view *view, uint32_t slot) {
    ct_live *live = &view->live;
    if (live->kept_count == 0 || ct_hot_at(view->store, slot)->count == 0) return NULL;
    ct_kept *kept = entry_of(live, ct_children_at(view->store, slot, 0));
    return kept != NULL && kept->kind == CT_KEPT_BELOW && kept->slot == slot ? kept : NULL;
}

static bool is_under(const ct_seq_pool *pool, uint32_t slot, uint32_t ancestor) {
    uint32_t first = ct_seq_rank(pool, ancestor), rank = ct_seq_rank(pool, slot);
    return first <= rank && rank - first < ct_seq_extent(pool, ancestor);
}

ct_answer ct_live_within(const void *context, uint32_t *slot, uint32_t ancestor) {
    const ctree_view *view = context;
    const ct_live *live = &view->live;
    const ct_seq_pool *pool = &live->pool;
    if (!ct_live_holds(live, *slot)) return CT_MAYBE;
    uint32_t root = ct_seq_root_of(pool, *slot), owner = ct_seq_owner_of(pool, *slot);
    if (ct_live_holds(live, ancestor) && ct_seq_root_of(pool, ancestor) == root) {
        return is_under(pool, *slot, ancestor) ? CT_YES : CT_NO;
    }
    if (root == live->shown.root) return CT_NO;
    if (owner != 0) *slot = ct_seq_at(pool, &live->kept[owner - 1].rows, 0); /* 0: on their way with a move */
    return CT_MAYBE;
}

/* Whether a child stands where its siblings do, if they stand anywhere. */
static bool is_in_place(ct_live *live, uint32_t slot) {
    return ct_live_holds(live, slot) && ct_live_with(live, slot) == NULL;
}

/* Before the row of a slot; or behind the rows of its subtree; or right below it. */
typedef enum where { BEFORE, BEHIND, BELOW } where;

static ct_spot spot_at(ct_live *live, uint32_t slot, where to) {
    const ct_seq_pool *pool = &live->pool;
    ct_seq_place place = ct_seq_place_of(pool, slot);
    ct_seq *seq = ct_live_seq_owned(live, place.owner);
    uint32_t further = to == BEFORE ? 0 : to == BELOW ? 1 : ct_seq_extent_at(pool, &place);
    ct_spot spot = {seq, place.position + further, place.depth + seq->base + (to == BELOW), place};
    spot.place.at += further;
    if (!ct_seq_reaches(pool, &spot.place)) spot.place.leaf = 0;
    return spot;
}

ct_spot ct_live_spot(ctree_view *view, uint32_t parent, uint32_t first, uint32_t count) {
    const ctree_store *store = view->store;
    ct_live *live = &view->live;
    uint32_t all = ct_hot_at(store, parent)->count;
    bool in_front = first + count < all;
    if (in_front || first != 0) {
        uint32_t sibling = ct_children_at(store, parent, in_front ? first + count : first - 1);
        if (!is_in_place(live, sibling)) return (ct_spot){.seq = NULL};
        return spot_at(live, sibling, in_front ? BEFORE : BEHIND);
    }
    if (parent == CT_TOP) return (ct_spot){.seq = &live->shown};
    if (!ct_live_holds(live, parent) || !ct_view_opens(view, parent)) return (ct_spot){.seq = NULL};
    return ct_live_spot_below(live, parent);
}

ct_spot ct_live_spot_below(ct_live *live, uint32_t slot) { return spot_at(live, slot, BELOW); }

/* ---- Checking -------------------------------------------------------------------------------------------------- */

ctree_status ct_live_check(const ctree_view *view, const char **reason) {
    const ct_live *live = &view->live;
    ct_seq_census census = {0, 0, 0};
    ctree_status status = ct_seq_check(&live->pool, &live->shown, &census, reason);
    uint32_t kept_count = 0;
    for (size_t i = 0; i < live->used && status == CTREE_OK; i++) {
        const ct_kept *kept = &live->kept[i];
        if (kept->kind == CT_KEPT_NONE) continue;
        kept_count++;
        status = ct_seq_check(&live->pool, &kept->rows, &census, reason);
        if (status != CTREE_OK) return status;
        uint32_t root = kept->rows.count == 0 ? CT_TOP : ct_seq_at(&live->pool, &kept->rows, 0);
        if (kept->kind == CT_KEPT_BELOW && root != CT_TOP) root = ct_hot_at(view->store, root)->parent;
        if (root == CT_TOP || root != kept->slot || !ct_is_live(view->store, root)) {
            *reason = "rows are kept for a node that they do not belong to";
            return CTREE_CORRUPT;
        }
    }
    if (status != CTREE_OK) return status;
    if (kept_count != live->kept_count) {
        *reason = "the number of kept sequences is wrong";
        return CTREE_CORRUPT;
    }
    return ct_seq_pool_check(&live->pool, &census, reason);
}
