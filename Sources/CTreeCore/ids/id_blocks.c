#include "ids/id_blocks.h"

_Static_assert((sizeof(ct_ids_block) & (sizeof(ct_ids_block) - 1)) == 0, "an array item is a power of two");

ctree_status ct_ids_keep_block(ct_ids *ids, const ct_mem *mem, ctree_id id, uint32_t *reference) {
    if (ids->free_block == 0) {
        ctree_status status = ct_array_reserve(&ids->blocks, mem, (uint64_t)ids->block_count + 1);
        if (status != CTREE_OK) return status;
    }
    unsigned char *bytes = ct_alloc(mem, (size_t)id.word);
    if (bytes == NULL) return CTREE_NO_MEMORY;
    memcpy(bytes, id.bytes, (size_t)id.word);
    uint32_t number = ids->block_count;
    if (ids->free_block != 0) {
        number = ids->free_block - 1;
        ids->free_block = ct_ids_block_at(ids, number)->length;
    } else {
        ids->block_count++;
    }
    *ct_ids_block_at(ids, number) = (ct_ids_block){bytes, (uint32_t)id.word};
    ids->block_bytes += id.word;
    *reference = number | CT_IDS_OWN_BLOCK;
    return CTREE_OK;
}

void ct_ids_drop_block(ct_ids *ids, const ct_mem *mem, uint32_t reference) {
    ct_ids_block *block = ct_ids_block_at(ids, reference);
    ids->block_bytes -= block->length;
    ct_free(mem, block->bytes, block->length);
    *block = (ct_ids_block){NULL, ids->free_block};
    ids->free_block = (reference & ~CT_IDS_OWN_BLOCK) + 1;
}

void ct_ids_blocks_destroy(ct_ids *ids, const ct_mem *mem) {
    for (uint32_t number = 0; number < ids->block_count; number++) {
        const ct_ids_block *block = ct_ids_block_at(ids, number);
        ct_free(mem, block->bytes, block->length);
    }
    ct_array_destroy(&ids->blocks, mem);
}

bool ct_ids_equal_block(const ct_ids *ids, uint32_t reference, ctree_id id) {
    if (reference == 0) return false;
    const ct_ids_block *block = ct_ids_block_at(ids, reference);
    return block->length == id.word && memcmp(block->bytes, id.bytes, block->length) == 0;
}
