/* Identifiers too long for a page: one block of memory each, in a table. */
#ifndef CT_ID_BLOCKS_H
#define CT_ID_BLOCKS_H

#include "ids/ids.h"

/* The block of a reference that has CT_IDS_OWN_BLOCK. */
static inline ct_ids_block *ct_ids_block_at(const ct_ids *ids, uint32_t reference) {
    return (ct_ids_block *)ct_array_at(&ids->blocks, reference & ~CT_IDS_OWN_BLOCK, sizeof(ct_ids_block));
}

/* Copies an identifier into a block. CTREE_NO_MEMORY, CTREE_LIMIT: nothing changed. */
ctree_status ct_ids_keep_block(ct_ids *ids, const ct_mem *mem, ctree_id id, uint32_t *reference);

void ct_ids_drop_block(ct_ids *ids, const ct_mem *mem, uint32_t reference);

/* All of them, and the table. */
void ct_ids_blocks_destroy(ct_ids *ids, const ct_mem *mem);

#endif
