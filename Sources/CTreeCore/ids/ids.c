#include "ids/ids.h"

#include "ids/id_blocks.h"
#include "ids/id_pages.h"

/* References reach 2^31 - 1 units. */
enum { PAGE_LIMIT = (1 << 21) - 1 };

void ct_ids_init(ct_ids *ids, ct_ids_kind kind, uint64_t slot_limit) {
    *ids = (ct_ids){.kind = kind};
    ct_array_init(&ids->slots, sizeof(ct_ids_entry), slot_limit);
    ct_array_init(&ids->pages, CT_IDS_PAGE, PAGE_LIMIT);
    ct_array_init(&ids->page_info, sizeof(ct_ids_page_info), PAGE_LIMIT);
    ct_array_init(&ids->blocks, sizeof(ct_ids_block), CT_IDS_OWN_BLOCK - 1);
}

void ct_ids_destroy(ct_ids *ids, const ct_mem *mem) {
    ct_ids_blocks_destroy(ids, mem);
    ct_array_destroy(&ids->page_info, mem);
    ct_array_destroy(&ids->pages, mem);
    ct_array_destroy(&ids->slots, mem);
    ct_ids_init(ids, ids->kind, ids->slots.limit);
}

ctree_status ct_ids_reserve(ct_ids *ids, const ct_mem *mem, uint64_t slots) {
    return ct_array_reserve(&ids->slots, mem, slots);
}

ctree_status ct_ids_reserve_bytes(ct_ids *ids, const ct_mem *mem, uint64_t count, uint64_t bytes) {
    if (ids->kind == CT_IDS_U64) return CTREE_OK;
    uint64_t most = (uint64_t)PAGE_LIMIT * CT_IDS_PAGE;
    if (bytes > most || count > most / CT_IDS_UNIT) return CTREE_OK; /* Only long ones, or no room: set will tell. */
    /* A length and three bytes of padding each at most, but on average half of that. */
    uint64_t pages = ids->page_count + (bytes + count * 3) / CT_IDS_PAGE + 1;
    if (pages > PAGE_LIMIT) pages = PAGE_LIMIT;
    ctree_status status = ct_array_reserve(&ids->page_info, mem, pages);
    return status == CTREE_OK ? ct_array_reserve(&ids->pages, mem, pages) : status;
}

static ct_ids_entry *entry_at(ct_ids *ids, uint32_t slot) {
    return (ct_ids_entry *)ct_array_at(&ids->slots, slot, sizeof(ct_ids_entry));
}

static ctree_status keep_inline(ct_ids *ids, const ct_mem *mem, ctree_id id, uint32_t *reference) {
    size_t length = (size_t)id.word;
    ctree_status status = ct_ids_take(ids, mem, ct_ids_units(length), reference);
    if (status != CTREE_OK) return status;
    unsigned char *at = (unsigned char *)(uintptr_t)ct_ids_inline_at(ids, *reference);
    if (length < 128) {
        *at++ = (unsigned char)length;
    } else {
        *at++ = (unsigned char)(128 | (length & 127));
        *at++ = (unsigned char)(length >> 7);
    }
    if (length != 0) memcpy(at, id.bytes, length);
    return CTREE_OK;
}

static void let_go(ct_ids *ids, const ct_mem *mem, uint32_t reference) {
    if (reference == 0) return;
    if ((reference & CT_IDS_OWN_BLOCK) != 0) {
        ct_ids_drop_block(ids, mem, reference);
    } else {
        ct_ids_drop(ids, reference);
    }
}

ctree_status ct_ids_set(ct_ids *ids, const ct_mem *mem, uint32_t slot, ctree_id id, uint32_t hash) {
    if (ids->kind == CT_IDS_U64) {
        ct_array_set_u64(&ids->slots, slot, id.word);
        return CTREE_OK;
    }
    if (id.word > UINT32_MAX || id.word > SIZE_MAX) return CTREE_LIMIT;
    uint32_t reference;
    ctree_status status = id.word > CT_IDS_INLINE_MOST ? ct_ids_keep_block(ids, mem, id, &reference)
                                                       : keep_inline(ids, mem, id, &reference);
    if (status != CTREE_OK) return status;
    ct_ids_entry *entry = entry_at(ids, slot);
    let_go(ids, mem, entry->reference);
    *entry = (ct_ids_entry){reference, hash};
    if (slot >= ids->slot_end) ids->slot_end = slot + 1;
    return CTREE_OK;
}

void ct_ids_clear(ct_ids *ids, const ct_mem *mem, uint32_t slot) {
    if (ids->kind == CT_IDS_U64) {
        ct_array_set_u64(&ids->slots, slot, 0);
        return;
    }
    ct_ids_entry *entry = entry_at(ids, slot);
    let_go(ids, mem, entry->reference);
    *entry = (ct_ids_entry){0, 0};
}

ctree_id ct_ids_get(const ct_ids *ids, uint32_t slot) {
    if (ids->kind == CT_IDS_U64) return ctree_id_u64(ct_array_get_u64(&ids->slots, slot));
    uint32_t reference = ct_ids_entry_at(ids, slot)->reference;
    if (reference == 0) return ctree_id_bytes(NULL, 0);
    if ((reference & CT_IDS_OWN_BLOCK) != 0) {
        const ct_ids_block *block = ct_ids_block_at(ids, reference);
        return ctree_id_bytes(block->bytes, block->length);
    }
    const unsigned char *at = ct_ids_inline_at(ids, reference);
    size_t length = *at++;
    if (length >= 128) length = (length & 127) | (size_t)*at++ << 7;
    return ctree_id_bytes(at, length);
}

ct_ids_figures ct_ids_measure(const ct_ids *ids) {
    ct_ids_figures figures;
    figures.live = ids->live_units * CT_IDS_UNIT + ids->block_bytes;
    figures.dead = (ids->used_units - ids->live_units) * CT_IDS_UNIT;
    figures.held = (uint64_t)ct_array_bytes(&ids->slots) + ct_array_bytes(&ids->pages)
                   + ct_array_bytes(&ids->page_info) + ct_array_bytes(&ids->blocks) + ids->block_bytes;
    return figures;
}
