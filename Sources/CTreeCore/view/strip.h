/*
 * A block of memory that is lent to callers in one piece and grows to a size that is known only at the end, below one
 * that is known from the start. A large one takes address space for the most it can be, so that it never moves again;
 * where there is none, or an allocator was given, it is reallocated.
 */
#ifndef CT_STRIP_H
#define CT_STRIP_H

#include "base/mem.h"

typedef struct ct_strip {
    void *items;
    size_t bytes;  /* That may be touched. */
    bool is_range; /* Address space from the system, else a block from the allocator. */
} ct_strip;

/* Makes `need` bytes of it touchable, `most` being all it will ever want. False leaves it as it was. */
bool ct_strip_grow(ct_strip *strip, const ct_mem *mem, uint64_t need, uint64_t most);

void ct_strip_free(ct_strip *strip, const ct_mem *mem);

#endif
