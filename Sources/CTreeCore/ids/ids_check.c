#include "ids/id_blocks.h"
#include "ids/id_pages.h"

/* One bit for each unit in a page and each block: set where a slot's identifier lies. */
typedef struct claims {
    unsigned char *bits;
    size_t size;
    uint64_t unit_count;
} claims;

static bool claim(claims *claimed, uint64_t bit) {
    unsigned char mask = (unsigned char)(1 << bit % 8);
    if ((claimed->bits[bit / 8] & mask) != 0) return false;
    claimed->bits[bit / 8] |= mask;
    return true;
}

static bool is_claimed(const claims *claimed, uint64_t bit) { return claimed->bits[bit / 8] >> bit % 8 & 1; }

static const char *check_inline(const ct_ids *ids, uint32_t reference, claims *claimed) {
    uint32_t unit = reference - 1, page = unit / CT_IDS_PAGE_UNITS;
    if (page >= ids->page_count) return "an identifier's reference lies beyond the pages";
    uint32_t units = ct_ids_units_at(ct_ids_inline_at(ids, reference));
    if (unit % CT_IDS_PAGE_UNITS + units > ct_ids_page_used(ct_ids_page_at(ids, page))) {
        return "an identifier reaches beyond what was handed out of its page";
    }
    for (uint32_t i = 0; i < units; i++) {
        if (!claim(claimed, (uint64_t)unit + i)) return "two slots share identifier bytes";
    }
    return NULL;
}

static const char *check_slots(const ct_ids *ids, claims *claimed) {
    for (uint64_t slot = 0; slot < ids->slots.capacity; slot++) {
        uint32_t reference = ct_ids_entry_at(ids, (uint32_t)slot)->reference;
        if (reference == 0) continue;
        if (slot >= ids->slot_end) return "a slot beyond the end has an identifier";
        const char *reason = NULL;
        if ((reference & CT_IDS_OWN_BLOCK) == 0) {
            reason = check_inline(ids, reference, claimed);
        } else {
            uint32_t number = reference & ~CT_IDS_OWN_BLOCK;
            if (number >= ids->block_count) return "an identifier's block lies beyond the table";
            if (ct_ids_block_at(ids, number)->bytes == NULL) return "a slot names a free block";
            if (ct_ids_block_at(ids, number)->length <= CT_IDS_INLINE_MOST) return "a short identifier has a block";
            if (!claim(claimed, claimed->unit_count + number)) return "two slots share an identifier's block";
        }
        if (reason != NULL) return reason;
    }
    return NULL;
}

static const char *check_pages(const ct_ids *ids, const claims *claimed) {
    uint64_t used_units = 0, live_units = 0, empty = 0;
    uint32_t by_dead[CT_IDS_DEAD_CLASSES] = {0};
    for (uint32_t page = 0; page < ids->page_count; page++) {
        const ct_ids_page_info *info = ct_ids_page_at(ids, page);
        uint32_t live = 0, used = ct_ids_page_used(info);
        for (uint32_t unit = 0; unit < CT_IDS_PAGE_UNITS; unit++) {
            live += is_claimed(claimed, (uint64_t)page * CT_IDS_PAGE_UNITS + unit);
        }
        if (live != info->live) return "a page's count of living units is wrong";
        if (used > CT_IDS_PAGE_UNITS) return "a page handed out more than it has";
        bool open = page + 1 == ids->open_page;
        if (live == 0 && used != 0) return "an empty page was not freed";
        if (open && (info->marks & CT_IDS_EMPTYING) != 0) return "the open page is being emptied";
        empty += live == 0 && !open;
        if (live != 0 || open) by_dead[ct_ids_page_dead(info) / CT_IDS_DEAD_STEP]++;
        used_units += used;
        live_units += live;
    }
    if (memcmp(by_dead, ids->pages_by_dead, sizeof by_dead) != 0)
        return "the pages are counted wrong by what is dead";
    if (used_units != ids->used_units) return "the count of units handed out is wrong";
    if (live_units != ids->live_units) return "the count of living units is wrong";
    uint64_t free_pages = 0;
    for (uint32_t next = ids->free_page; next != 0; free_pages++) {
        if (next > ids->page_count || free_pages == empty) return "the list of free pages is broken";
        if (ct_ids_page_at(ids, next - 1)->live != 0 || next == ids->open_page)
            return "a page in use is listed as free";
        memcpy(&next, ct_array_at(&ids->pages, next - 1, CT_IDS_PAGE), sizeof next);
    }
    return free_pages == empty ? NULL : "an empty page is not in the list of free ones";
}

static const char *check_blocks(const ct_ids *ids, const claims *claimed) {
    uint64_t bytes = 0, unused = 0;
    for (uint32_t number = 0; number < ids->block_count; number++) {
        const ct_ids_block *block = ct_ids_block_at(ids, number);
        bool live = is_claimed(claimed, claimed->unit_count + number);
        if (live != (block->bytes != NULL)) return "a block is held for no slot";
        if (live) bytes += block->length;
        unused += !live;
    }
    if (bytes != ids->block_bytes) return "the count of bytes in blocks is wrong";
    uint64_t free_blocks = 0;
    for (uint32_t next = ids->free_block; next != 0; free_blocks++) {
        if (next > ids->block_count || free_blocks == unused) return "the list of free blocks is broken";
        const ct_ids_block *block = ct_ids_block_at(ids, next - 1);
        if (block->bytes != NULL) return "a block in use is listed as free";
        next = block->length;
    }
    return free_blocks == unused ? NULL : "a free block is not in the list of free ones";
}

ctree_status ct_ids_check(const ct_ids *ids, const ct_mem *mem, const char **reason) {
    *reason = NULL;
    if (ids->kind == CT_IDS_U64) return CTREE_OK;
    claims claimed = {.unit_count = (uint64_t)ids->page_count * CT_IDS_PAGE_UNITS};
    claimed.size = (size_t)((claimed.unit_count + ids->block_count) / 8 + 1);
    claimed.bits = ct_alloc(mem, claimed.size);
    if (claimed.bits == NULL) return CTREE_NO_MEMORY;
    memset(claimed.bits, 0, claimed.size);
    *reason = check_slots(ids, &claimed);
    if (*reason == NULL) *reason = check_pages(ids, &claimed);
    if (*reason == NULL) *reason = check_blocks(ids, &claimed);
    ct_free(mem, claimed.bits, claimed.size);
    return *reason == NULL ? CTREE_OK : CTREE_CORRUPT;
}
