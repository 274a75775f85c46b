/* What a table wants to know of a row, for rows that are asked for one after another. */
#ifndef CT_DESCRIBE_H
#define CT_DESCRIBE_H

#include "ctree/rows.h"
#include "store/children.h"
#include "view/view.h"

/* Where the walk through a window stands: mostly the next row is the next sibling, and need not be looked for. */
typedef struct ct_describer {
    const ctree_view *view;
    uint32_t parent;
    uint32_t next; /* The position after the last row's. */
} ct_describer;

static inline ct_describer ct_describer_of(const ctree_view *view) {
    ct_describer describer = {view, CT_TOP, 0};
    return describer;
}

/* Fills in all but node and depth. */
void ct_describe(ct_describer *describer, uint32_t slot, ctree_row *out);

#endif
