#include "ids/id_pages.h"

enum {
    SWEEP_FLOOR = 16384 / CT_IDS_UNIT, /* units: dead bytes below this are not worth a sweep */
    SLOTS_PER_UNIT = 32 * CT_IDS_UNIT  /* the floor of a store with more slots than identifiers */
};

static uint64_t floor_units(const ct_ids *ids) {
    uint64_t by_slots = ids->slot_end / SLOTS_PER_UNIT;
    return by_slots > SWEEP_FLOOR ? by_slots : SWEEP_FLOOR;
}

/* Begins a sweep where enough is dead. The allowance is what may die until a quarter is dead, but never so little that
   a step would visit more than its due. */
static bool begin(ct_ids *ids) {
    uint64_t used = ids->used_units, dead = used - ids->live_units, floor = floor_units(ids);
    if (dead < floor || dead < used / 8) return false;
    uint64_t allowance = dead < used / 4 ? used / 4 - dead : 0;
    if (allowance < used / 32) allowance = used / 32;
    if (allowance < floor / 2) allowance = floor / 2;
    ids->allowance = allowance;
    ids->cursor = 0;
    /* Pages at least half as dead as all are on average: together they have half of the dead bytes or more. */
    ids->least_dead = (uint32_t)(dead * CT_IDS_PAGE_UNITS / used / 2);
    ids->turn ^= CT_IDS_TURN;
    if (ids->open_page != 0) {
        ct_ids_page_info *open = ct_ids_page_at(ids, ids->open_page - 1);
        open->marks = (uint16_t)(ct_ids_page_used(open) | ids->turn);
    }
    return true;
}

/* Whether this sweep empties the page. Settled when it first comes upon one of its identifiers, so that it treats
   all of them alike without a pass over the pages. */
static bool is_emptied(ct_ids *ids, ct_ids_page_info *info) {
    if ((info->marks & CT_IDS_TURN) != ids->turn) {
        uint32_t used = ct_ids_page_used(info), dead = used - info->live;
        bool empties = dead != 0 && (uint64_t)dead * CT_IDS_PAGE_UNITS >= (uint64_t)ids->least_dead * used;
        info->marks = (uint16_t)(used | ids->turn | (empties ? CT_IDS_EMPTYING : 0));
    }
    return (info->marks & CT_IDS_EMPTYING) != 0;
}

/* Copies the identifier of a slot out of a page that is being emptied. False without memory. */
static bool visit(ct_ids *ids, const ct_mem *mem, uint32_t slot) {
    ct_ids_entry *entry = (ct_ids_entry *)ct_array_at(&ids->slots, slot, sizeof *entry);
    uint32_t old = entry->reference;
    if (old == 0 || (old & CT_IDS_OWN_BLOCK) != 0) return true;
    if (!is_emptied(ids, ct_ids_page_at(ids, (old - 1) / CT_IDS_PAGE_UNITS))) return true;
    uint32_t units = ct_ids_units_at(ct_ids_inline_at(ids, old)), copy;
    if (ct_ids_take(ids, mem, units, &copy) != CTREE_OK) return false;
    memcpy((unsigned char *)(uintptr_t)ct_ids_inline_at(ids, copy), ct_ids_inline_at(ids, old),
           (size_t)units * CT_IDS_UNIT);
    entry->reference = copy;
    uint64_t died = ids->died;
    ct_ids_drop(ids, old);
    ids->died = died; /* What the sweep moves did not die: it would pay for itself without end. */
    return true;
}

void ct_ids_reclaim(ct_ids *ids, const ct_mem *mem) {
    if (ids->died == 0) return;
    /* All pages of an emptied store are free already. */
    if (ids->allowance == 0 && !begin(ids)) {
        ids->died = 0;
        return;
    }
    uint64_t died = ids->died;
    while (died != 0 && ids->allowance != 0) {
        /* The sweep is to end when three quarters of its allowance have died. */
        uint64_t pace = ids->allowance * 3 / 4 + 1;
        uint64_t part = died < pace ? died : pace;
        died -= part;
        ids->debt += part * (ids->slot_end + 1);
        while (ids->debt >= pace && ids->cursor < ids->slot_end) {
            if (!visit(ids, mem, ids->cursor)) {
                /* Kept for the next step, so that the sweep catches up once there is memory; no more than one sweep. */
                ids->died = 0;
                uint64_t whole = pace * ((uint64_t)ids->slot_end + 1);
                if (ids->debt > whole) ids->debt = whole;
                return;
            }
            ids->cursor++;
            ids->debt -= pace;
        }
        if (ids->cursor == ids->slot_end) {
            ids->debt = 0;
            ids->allowance = 0;
            begin(ids);
        }
    }
    ids->died = 0;
}
