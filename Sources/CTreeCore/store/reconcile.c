#include "store/reconcile.h"

#include "store/edits.h"

bool ct_reconcile_may_go_on(const ct_reconciling *r, uint64_t done) {
    enum { STRIDE = 1 << 15 };
    if (r->progress == NULL || r->progress->keep_going == NULL || done % STRIDE != 0) return true;
    return r->progress->keep_going(r->progress->context, done, 2 * (uint64_t)r->shape.count);
}

static ctree_status take_memory(ct_reconciling *r) {
    const ct_mem *mem = &r->store->mem;
    size_t count = (size_t)r->shape.count + 1;
    r->slots = ct_alloc(mem, count * sizeof *r->slots);
    r->rows = ct_alloc(mem, count * sizeof *r->rows);
    r->flags = ct_alloc(mem, count);
    if (r->slots == NULL || r->rows == NULL || r->flags == NULL) return CTREE_NO_MEMORY;
    memset(r->flags, 0, count);
    return ct_marks_init(&r->marks, mem, count);
}

static void give_memory_back(ct_reconciling *r) {
    const ct_mem *mem = &r->store->mem;
    size_t count = (size_t)r->shape.count + 1;
    ct_free(mem, r->slots, count * sizeof *r->slots);
    ct_free(mem, r->rows, count * sizeof *r->rows);
    ct_free(mem, r->flags, count);
    ct_free(mem, r->going, r->going_room * sizeof *r->going);
    ct_free(mem, r->late, r->late_room * sizeof *r->late);
    ct_free(mem, r->scratch, r->scratch_room * sizeof *r->scratch);
    ct_marks_destroy(&r->marks, mem);
    ct_forest_shape_free(&r->shape, mem);
}

ctree_status ct_reconcile(ctree_store *store, uint32_t parent, const ctree_forest *forest, ctree_elsewhere elsewhere,
                          const ctree_progress *progress, ctree_node *out, ctree_fault *fault) {
    if (forest->count >= CT_MARK_OUTSIDE) return CTREE_LIMIT;
    ct_reconciling r = {.store = store,
                        .forest = forest,
                        .progress = progress,
                        .fault = fault,
                        .elsewhere = elsewhere,
                        .parent = parent};
    ctree_status status = ct_forest_shape_make(&r.shape, &store->mem, forest, fault);
    if (status != CTREE_OK) return status;
    status = take_memory(&r);
    if (status == CTREE_OK) status = ct_reconcile_match(&r);
    if (status == CTREE_OK) status = ct_reconcile_place(&r);
    if (status == CTREE_OK) status = ct_reconcile_plan(&r);
    if (status == CTREE_OK) {
        ct_reconcile_apply(&r);
        for (uint32_t i = 0; out != NULL && i < r.shape.count; i++) out[i] = ct_node_at(store, r.slots[i]);
    } else {
        ct_reconcile_take_back(&r);
    }
    give_memory_back(&r);
    return status;
}

ctree_status ctree_store_reconcile(ctree_store *store, ctree_node parent, const ctree_forest *forest,
                                   uint32_t elsewhere, const ctree_progress *progress, ctree_node *out,
                                   ctree_fault *fault) {
    if (store == NULL || elsewhere > CTREE_ELSEWHERE_MOVES) return CTREE_INVALID;
    ctree_status status = ct_edit_enter(store);
    if (status != CTREE_OK) return status;
    uint32_t slot;
    status = ct_forest_check(store, forest);
    if (status == CTREE_OK && !ct_parent_slot(store, parent, &slot)) status = CTREE_STALE;
    if (status == CTREE_OK) {
        status = ct_reconcile(store, slot, forest, (ctree_elsewhere)elsewhere, progress, out, fault);
    }
    return ct_edit_leave(store, status);
}
