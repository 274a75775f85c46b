#include "ids/id_pages.h"

enum {
    SWEEP_FLOOR = 16384 / CT_IDS_UNIT, /* units: dead bytes below this are not worth a sweep */
    SLOTS_PER_UNIT = 32 * CT_IDS_UNIT  /* the floor of a store with more slots than identifiers */
};

static uint64_t floor_units(const ct_ids *ids) {
    uint64_t by_slots = ids->slot_end / SLOTS_PER_UNIT;
    return by_slots > SWEEP_FLOOR ? by_slots : SWEEP_FLOOR;
}

/* Chooses the pages: the deadest ones whose living identifiers are no more than may be copied; of a group that is too
   large as many as fit, but only where there is little else. What emptying them will give back, about. */
static uint64_t choose_pages(ct_ids *ids) {
    uint64_t gain = 0, left = ids->may_copy;
    uint32_t group = CT_IDS_DEAD_CLASSES;
    while (group > 1 && left > ids->may_copy / 2) {
        uint64_t dead = (uint64_t)(group - 1) * CT_IDS_DEAD_STEP, living = CT_IDS_PAGE_UNITS - dead;
        uint64_t pages = ids->pages_by_dead[group - 1];
        if (pages * living > left) pages = left / living;
        group--;
        gain += pages * dead;
        left -= pages * living;
    }
    ids->least_dead = group * CT_IDS_DEAD_STEP;
    return gain;
}

/* Begins a sweep where enough is dead. */
static bool begin(ct_ids *ids) {
    uint64_t used = ids->used_units, dead = used - ids->live_units, floor = floor_units(ids);
    if (dead < floor || dead < used / 8) return false;
    ids->may_copy = dead < used / 4 ? (used / 4 - dead) / 4 * 3 : 0;
    if (ids->may_copy < dead / 4) ids->may_copy = dead / 4;
    /* As much may die as the sweep gives back, less what it takes to get ahead; but never so little that a step would
       visit more than its due. */
    ids->allowance = choose_pages(ids) / 4 * (dead < used / 16 * 3 ? 3 : 2);
    if (ids->allowance < used / 256) ids->allowance = used / 256;
    if (ids->allowance < floor / 4) ids->allowance = floor / 4;
    ids->cursor = 0;
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
        bool empties = ct_ids_page_dead(info) >= ids->least_dead && info->live <= ids->may_copy;
        if (empties) ids->may_copy -= info->live;
        info->marks = (uint16_t)(ct_ids_page_used(info) | ids->turn | (empties ? CT_IDS_EMPTYING : 0));
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
    ct_ids_drop(ids, old);
    ids->died -= units; /* What the sweep moves did not die: it would pay for itself without end. */
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
    ids->died = 0;
    while (died != 0 && ids->allowance != 0) {
        uint64_t pace = ids->allowance, part = died < pace ? died : pace;
        died -= part;
        ids->debt += part * (ids->slot_end + (uint64_t)1);
        while (ids->debt >= pace && ids->cursor < ids->slot_end) {
            if (!visit(ids, mem, ids->cursor)) {
                /* What is owed stays owed, so that the sweep catches up once there is memory; up to one whole
                   sweep. */
                uint64_t whole = pace * (ids->slot_end + (uint64_t)1);
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
}
