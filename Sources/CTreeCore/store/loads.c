#include "store/loads.h"

#include "store/edits.h"
#include "store/load_records.h"

void ct_loads_init(ctree_store *store) {
    store->loads = (ct_loads){0};
    ct_array_init(&store->loads.of, sizeof(uint32_t), UINT32_MAX);
    store->requests = (ct_requests){0};
    ct_array_init(&store->requests.places, sizeof(uint32_t), UINT32_MAX);
}

void ct_loads_destroy(ctree_store *store) {
    ct_loads *loads = &store->loads;
    ct_requests *requests = &store->requests;
    ct_array_destroy(&loads->of, &store->mem);
    ct_free(&store->mem, loads->records, loads->room * sizeof *loads->records);
    ct_array_destroy(&requests->places, &store->mem);
    ct_free(&store->mem, requests->ring, requests->room * sizeof *requests->ring);
    *loads = (ct_loads){0};
    *requests = (ct_requests){0};
}

/* ---- Records --------------------------------------------------------------------------------------------------- */

ct_load *ct_load_of(const ctree_store *store, uint32_t slot) {
    if ((ct_hot_at(store, slot)->tag & CT_FLAG_LOAD) == 0) return NULL;
    return &store->loads.records[ct_array_get_u32(&store->loads.of, slot)];
}

ctree_status ct_load_reserve(ctree_store *store, uint32_t slot) {
    ct_loads *loads = &store->loads;
    if (ct_load_of(store, slot) != NULL) return CTREE_OK;
    ctree_status status = ct_array_reserve(&loads->of, &store->mem, (uint64_t)slot + 1);
    if (status != CTREE_OK || loads->free_head != 0) return status;
    void *records = loads->records;
    if (!ct_grow(&store->mem, &records, &loads->room, loads->used + 1, sizeof *loads->records)) {
        return CTREE_NO_MEMORY;
    }
    loads->records = records;
    return CTREE_OK;
}

static void take(ctree_store *store, uint32_t slot) {
    ct_loads *loads = &store->loads;
    uint32_t number = (uint32_t)loads->used;
    if (loads->free_head != 0) {
        number = loads->free_head - 1;
        loads->free_head = (uint32_t)loads->records[number].ticket;
    } else {
        loads->used++;
    }
    ct_array_set_u32(&loads->of, slot, number);
    ct_hot_at(store, slot)->tag |= CT_FLAG_LOAD;
}

void ct_loads_forget(ctree_store *store, uint32_t slot) {
    ct_loads *loads = &store->loads;
    uint32_t number = ct_array_get_u32(&loads->of, slot);
    loads->records[number] = (ct_load){.ticket = loads->free_head};
    loads->free_head = number + 1;
    ct_hot_at(store, slot)->tag &= ~(uint32_t)CT_FLAG_LOAD;
}

/* A record without a load under way is kept for its error, or so that a cancelled ticket is known as such. */
static bool is_needed(const ct_load *load, ctree_load_state state) {
    return load->under_way != 0 || load->cancelled != 0 || state == CTREE_STATE_FAILED;
}

static void set(ctree_store *store, uint32_t slot, ct_load load, ctree_load_state state) {
    bool present = ct_load_of(store, slot) != NULL;
    if (is_needed(&load, state)) {
        if (!present) take(store, slot);
        *ct_load_of(store, slot) = load;
    } else if (present) {
        ct_loads_forget(store, slot);
    }
}

void ct_load_change(ctree_store *store, uint32_t slot, ct_load load, ctree_load_state state, bool more) {
    ct_hot *hot = ct_hot_at(store, slot);
    if (ct_state(hot) == state && ((hot->tag & CT_FLAG_MORE) != 0) == more) {
        set(store, slot, load, state);
        return;
    }
    ctree_edit edit = {.kind = CTREE_EDIT_CHANGE, .changed = CTREE_CHANGED_LOAD_STATE, .node = ct_handle(slot, hot)};
    ct_edit_before(store, &edit);
    set(store, slot, load, state);
    ct_set_state(hot, state);
    hot->tag = more ? hot->tag | CT_FLAG_MORE : hot->tag & ~(uint32_t)CT_FLAG_MORE;
    ct_edit_after(store, &edit);
}

/* ---- What the rest of the store asks for ----------------------------------------------------------------------- */

void ct_loads_end(ctree_store *store, uint32_t slot) {
    const ct_load *present = ct_load_of(store, slot);
    if (present == NULL || present->under_way == 0) return;
    ct_load load = *present;
    load.under_way = 0;
    load.cancelled = load.ticket;
    set(store, slot, load, ct_state(ct_hot_at(store, slot)));
}

void ct_load_is_complete(ctree_store *store, uint32_t slot) {
    if (slot == CT_TOP) return;
    const ct_load *present = ct_load_of(store, slot);
    ct_load load = present != NULL ? *present : (ct_load){0};
    if (load.under_way == 0) {
        ct_load_change(store, slot, load, CTREE_STATE_LOADED, false);
        return;
    }
    /* Between pages it is loaded already, and what is still to come is the load's to say. */
    if (ct_state(ct_hot_at(store, slot)) != CTREE_STATE_LOADING) return;
    load.state_before = CTREE_STATE_LOADED;
    load.more_before = 0;
    set(store, slot, load, CTREE_STATE_LOADING);
}
