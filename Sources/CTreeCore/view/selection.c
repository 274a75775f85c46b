#include "ctree/selection.h"

#include <stdlib.h>

#include "base/bits.h"
#include "store/edits.h"
#include "view/view.h"

/* A bit for each slot, in words that end behind the last slot that was ever selected. */
enum { WORD_BITS = 6, WORD_MASK = 63 };

void ct_selection_init(ct_selection *selection) {
    *selection = (ct_selection){.count = 0};
    ct_array_init(&selection->words, sizeof(uint64_t), (uint64_t)1 << (32 - WORD_BITS));
}

static uint64_t word_of(const ct_selection *selection, uint32_t slot) {
    bool there = slot >> WORD_BITS < selection->words.capacity;
    return there ? ct_array_get_u64(&selection->words, slot >> WORD_BITS) : 0;
}

bool ct_selection_has(const ct_selection *selection, uint32_t slot) {
    return (word_of(selection, slot) >> (slot & WORD_MASK) & 1) != 0;
}

static ctree_status reserve(ctree_view *view, uint32_t slot) {
    return ct_array_reserve(&view->selection.words, &view->store->mem, ((uint64_t)slot >> WORD_BITS) + 1);
}

static void set(ct_selection *selection, uint32_t slot, bool selected) {
    if (ct_selection_has(selection, slot) == selected) return;
    uint64_t word = word_of(selection, slot) ^ (uint64_t)1 << (slot & WORD_MASK);
    ct_array_set_u64(&selection->words, slot >> WORD_BITS, word);
    selection->count += selected ? 1 : (uint64_t)-1;
}

void ct_selection_forget(ct_selection *selection, uint32_t slot) { set(selection, slot, false); }

/* ---- Changing -----------------------------------------------------------------------------------------------------
 */

ctree_status ctree_view_select(ctree_view *view, ctree_node node, bool selected) {
    if (view == NULL) return CTREE_INVALID;
    ctree_store *store = view->store;
    ctree_status status = ct_edit_enter(store);
    if (status != CTREE_OK) return status;
    uint32_t slot = ct_slot_of(store, node);
    status = slot == CT_TOP ? CTREE_STALE : selected ? reserve(view, slot) : CTREE_OK;
    if (status == CTREE_OK) set(&view->selection, slot, selected);
    return ct_edit_leave(store, status);
}

/* Within the frame. */
static ctree_status select_rows(ctree_view *view, uint32_t first, uint32_t count, bool selected) {
    ctree_store *store = view->store;
    uint32_t all = ctree_view_row_count(view);
    if (first > all || count > all - first) return CTREE_RANGE;
    if (count == 0) return CTREE_OK;
    ctree_status status = selected ? reserve(view, store->used - 1) : CTREE_OK;
    if (status != CTREE_OK) return status;
    const ct_live *live = &view->live;
    uint32_t position = ct_live_position_of_row(view, first);
    ct_seq_walk walk = ct_seq_walk_from(&live->pool, &live->shown, position);
    const uint32_t *slots;
    for (uint32_t here; count != 0 && (here = ct_seq_walk_span(&live->pool, &walk, &slots)) != 0;) {
        for (uint32_t i = 0; i < here && count != 0; i++) {
            if (ct_view_is_section(view, slots[i])) continue;
            set(&view->selection, slots[i], selected);
            count--;
        }
    }
    return CTREE_OK;
}

ctree_status ctree_view_select_rows(ctree_view *view, uint32_t first, uint32_t count, bool selected) {
    if (view == NULL) return CTREE_INVALID;
    ctree_status status = ct_edit_enter(view->store);
    return status == CTREE_OK ? ct_edit_leave(view->store, select_rows(view, first, count, selected)) : status;
}

ctree_status ctree_view_deselect_all(ctree_view *view) {
    if (view == NULL) return CTREE_INVALID;
    ctree_status status = ct_edit_enter(view->store);
    if (status != CTREE_OK) return status;
    ct_array_destroy(&view->selection.words, &view->store->mem);
    view->selection.count = 0;
    return ct_edit_leave(view->store, CTREE_OK);
}

/* ---- Reading ------------------------------------------------------------------------------------------------------
 */

bool ctree_view_is_selected(const ctree_view *view, ctree_node node) {
    if (view == NULL || view->store->closed) return false;
    uint32_t slot = ct_slot_of(view->store, node);
    return slot != CT_TOP && ct_selection_has(&view->selection, slot);
}

uint64_t ctree_view_selected_count(const ctree_view *view) {
    return view == NULL || view->store->closed ? 0 : view->selection.count;
}

static int compare(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

ctree_status ctree_view_selected(const ctree_view *view, uint64_t *room, ctree_node *out) {
    if (view == NULL || room == NULL || (out == NULL && *room != 0)) return CTREE_INVALID;
    const ctree_store *store = view->store;
    if (store->closed) return CTREE_CLOSED;
    const ct_selection *selection = &view->selection;
    uint64_t count = selection->count, found = 0;
    bool fits = count <= *room;
    *room = count;
    if (!fits) return CTREE_RANGE;
    if (count == 0) return CTREE_OK;
    /* Each slot below its place among the rows; what is hidden has CTREE_END, behind all. */
    uint64_t *places = ct_alloc(&store->mem, (size_t)count * sizeof *places);
    if (places == NULL) return CTREE_NO_MEMORY;
    for (uint64_t at = 0; found < count && at < selection->words.capacity; at++) {
        for (uint64_t word = ct_array_get_u64(&selection->words, at); word != 0; word &= word - 1) {
            uint32_t low =
                (uint32_t)word != 0 ? ct_lowest_bit((uint32_t)word) : 32 + ct_lowest_bit((uint32_t)(word >> 32));
            uint32_t slot = (uint32_t)(at << WORD_BITS) + low;
            places[found++] = (uint64_t)ct_seq_rank_in(&view->live.pool, &view->live.shown, slot) << 32 | slot;
        }
    }
    qsort(places, (size_t)count, sizeof *places, compare);
    for (uint64_t i = 0; i < count; i++) out[i] = ct_node_at(store, (uint32_t)places[i]);
    ct_free(&store->mem, places, (size_t)count * sizeof *places);
    return CTREE_OK;
}
