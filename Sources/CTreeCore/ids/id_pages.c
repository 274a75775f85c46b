#include "ids/id_pages.h"

/* A page begins as judged and kept: a sweep that is under way has no business with what was written after it
   began. */
static void open_page(ct_ids *ids, uint32_t page) {
    *ct_ids_page_at(ids, page) = (ct_ids_page_info){0, (uint16_t)ids->turn};
    ids->open_page = page + 1;
    ids->pages_by_dead[0]++;
}

/* Nothing in the page lives any more. */
static void empty_page(ct_ids *ids, uint32_t page) {
    ct_ids_page_info *info = ct_ids_page_at(ids, page);
    ids->used_units -= ct_ids_page_used(info);
    ids->pages_by_dead[ct_ids_page_dead(info) / CT_IDS_DEAD_STEP]--;
    if (page + 1 == ids->open_page) {
        open_page(ids, page);
        return;
    }
    *info = (ct_ids_page_info){0, 0};
    memcpy(ct_array_at(&ids->pages, page, CT_IDS_PAGE), &ids->free_page, sizeof ids->free_page);
    ids->free_page = page + 1;
}

static ctree_status next_page(ct_ids *ids, const ct_mem *mem) {
    if (ids->free_page != 0) {
        uint32_t page = ids->free_page - 1;
        memcpy(&ids->free_page, ct_array_at(&ids->pages, page, CT_IDS_PAGE), sizeof ids->free_page);
        open_page(ids, page);
        return CTREE_OK;
    }
    uint64_t count = (uint64_t)ids->page_count + 1;
    ctree_status status = ct_array_reserve(&ids->page_info, mem, count);
    if (status == CTREE_OK) status = ct_array_reserve(&ids->pages, mem, count);
    if (status != CTREE_OK) return status;
    open_page(ids, ids->page_count++);
    return CTREE_OK;
}

ctree_status ct_ids_take(ct_ids *ids, const ct_mem *mem, uint32_t units, uint32_t *reference) {
    bool fits =
        ids->open_page != 0 && ct_ids_page_used(ct_ids_page_at(ids, ids->open_page - 1)) + units <= CT_IDS_PAGE_UNITS;
    if (!fits) {
        ctree_status status = next_page(ids, mem);
        if (status != CTREE_OK) return status;
    }
    uint32_t page = ids->open_page - 1;
    ct_ids_page_info *info = ct_ids_page_at(ids, page);
    *reference = page * CT_IDS_PAGE_UNITS + ct_ids_page_used(info) + 1;
    info->live = (uint16_t)(info->live + units);
    info->marks = (uint16_t)(info->marks + units);
    ids->used_units += units;
    ids->live_units += units;
    return CTREE_OK;
}

void ct_ids_drop(ct_ids *ids, uint32_t reference) {
    uint32_t units = ct_ids_units_at(ct_ids_inline_at(ids, reference));
    uint32_t page = (reference - 1) / CT_IDS_PAGE_UNITS;
    ct_ids_page_info *info = ct_ids_page_at(ids, page);
    ids->pages_by_dead[ct_ids_page_dead(info) / CT_IDS_DEAD_STEP]--;
    info->live = (uint16_t)(info->live - units);
    ids->pages_by_dead[ct_ids_page_dead(info) / CT_IDS_DEAD_STEP]++;
    ids->live_units -= units;
    ids->died += units;
    if (info->live == 0) empty_page(ids, page);
}
