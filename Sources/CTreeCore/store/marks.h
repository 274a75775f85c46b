/* What one call knows of some slots: a small hash table, so that its cost follows the call and not the store. */
#ifndef CT_MARKS_H
#define CT_MARKS_H

#include "base/mem.h"

#define CT_NO_MARK UINT32_MAX

typedef struct ct_marks {
    uint64_t *entries; /* Slot in the high half, mark in the low one; all bits set where there is none. */
    size_t room;       /* A power of two. */
    size_t count;
    uint32_t shift;
} ct_marks;

/* Room for `count` marks before it has to grow. */
ctree_status ct_marks_init(ct_marks *marks, const ct_mem *mem, size_t count);
void ct_marks_destroy(ct_marks *marks, const ct_mem *mem);

/* Marks a slot that has no mark yet. CTREE_NO_MEMORY leaves it so. */
ctree_status ct_marks_put(ct_marks *marks, const ct_mem *mem, uint32_t slot, uint32_t mark);

/* The mark of a slot, or CT_NO_MARK. */
uint32_t ct_marks_get(const ct_marks *marks, uint32_t slot);

#endif
