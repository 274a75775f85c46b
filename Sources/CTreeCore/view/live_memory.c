/* What the rows of a view take, and giving some of it back. */
#include "ctree/view_rows.h"

#include "store/edits.h"
#include "view/view.h"

uint64_t ctree_view_memory(const ctree_view *view) {
    if (view == NULL || view->store->closed) return 0;
    const ct_live *live = &view->live;
    return sizeof *view + ct_array_bytes(&view->expanded.words) + ct_array_bytes(&view->selection.words)
           + ct_waiting_bytes(&view->waiting) + ct_seq_pool_bytes(&live->pool) + live->room * sizeof *live->kept;
}

ctree_status ctree_view_trim(ctree_view *view) {
    if (view == NULL) return CTREE_INVALID;
    ctree_status status = ct_edit_enter(view->store);
    if (status != CTREE_OK) return status;
    ct_live *live = &view->live;
    for (size_t i = 0; i < live->used; i++) {
        if (live->kept[i].kind == CT_KEPT_NONE || ct_notes_follow(view, &live->kept[i].rows)) continue;
        ct_seq_destroy(&live->pool, &live->kept[i].rows);
        ct_live_let_go(live, &live->kept[i]);
    }
    return ct_edit_leave(view->store, CTREE_OK);
}

/* Copies every sequence into another pool, all or nothing. */
static ctree_status copy_all(const ct_live *live, ct_seq_pool *pool, ct_seq *shown, ct_seq *kept) {
    ctree_status status = ct_seq_reserve_slots(pool, live->pool.leaf_of.capacity);
    if (status == CTREE_OK) status = ct_seq_copy(pool, &live->pool, &live->shown, shown);
    for (size_t i = 0; i < live->used && status == CTREE_OK; i++) {
        if (live->kept[i].kind != CT_KEPT_NONE)
            status = ct_seq_copy(pool, &live->pool, &live->kept[i].rows, &kept[i]);
    }
    return status;
}

ctree_status ctree_view_compact(ctree_view *view) {
    if (view == NULL) return CTREE_INVALID;
    ctree_store *store = view->store;
    ctree_status status = ct_edit_enter(store);
    if (status != CTREE_OK) return status;
    ct_live *live = &view->live;
    ct_seq_pool pool;
    ct_seq_pool_init(&pool, &store->mem, CT_SEQ_DEPTHS);
    ct_seq shown = CT_SEQ_EMPTY;
    size_t bytes = live->used * sizeof(ct_seq);
    ct_seq *kept = bytes != 0 ? ct_alloc(&store->mem, bytes) : NULL;
    status = kept == NULL && bytes != 0 ? CTREE_NO_MEMORY : copy_all(live, &pool, &shown, kept);
    if (status == CTREE_OK) {
        ct_seq_pool_destroy(&live->pool);
        live->pool = pool;
        live->shown = shown;
        for (size_t i = 0; i < live->used; i++) {
            if (live->kept[i].kind != CT_KEPT_NONE) live->kept[i].rows = kept[i];
        }
    } else {
        ct_seq_pool_destroy(&pool);
    }
    ct_free(&store->mem, kept, bytes);
    return ct_edit_leave(store, status);
}
