/* The selected nodes of a view. */
#ifndef CT_SELECTION_H
#define CT_SELECTION_H

#include "arena/array.h"

typedef struct ct_selection {
    ct_array words;
    uint64_t count;
} ct_selection;

/* Takes no memory. */
void ct_selection_init(ct_selection *selection);

bool ct_selection_has(const ct_selection *selection, uint32_t slot);

/* The node of the slot goes. */
void ct_selection_forget(ct_selection *selection, uint32_t slot);

#endif
