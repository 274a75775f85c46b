/* The allocator of a store, and the one place that reads the C library's. */
#ifndef CT_MEM_H
#define CT_MEM_H

#include "ctree/base.h"

typedef struct ct_mem {
    ctree_allocator allocator; /* The C library's unless one was given. */
    bool custom;               /* An allocator was given: memory comes from nowhere else. */
} ct_mem;

/* NULL means the C library's malloc. CTREE_INVALID where a function is missing. */
ctree_status ct_mem_init(ct_mem *mem, const ctree_allocator *allocator);

void *ct_alloc(const ct_mem *mem, size_t size);
void *ct_realloc(const ct_mem *mem, void *block, size_t old_size, size_t new_size);
void ct_free(const ct_mem *mem, void *block, size_t size); /* NULL is let pass. */

/* Grows a block of `*capacity` items so that it holds `need`, by half again at least. False, and nothing changed,
   without memory or where the size would not fit a size_t. */
bool ct_grow(const ct_mem *mem, void **block, size_t *capacity, size_t need, size_t item_size);

#endif
