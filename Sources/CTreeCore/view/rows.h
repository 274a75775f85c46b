/* What rows are made of. */
#ifndef CT_ROWS_H
#define CT_ROWS_H

#include "ctree/rows.h"
#include "view/strip.h"
#include "view/view.h"

struct ctree_rows {
    ct_mem mem;
    const ctree_store *store; /* Compared, never followed: it may be gone. */
    ct_strip nodes;           /* ctree_node by row */
    ct_strip depths;          /* uint32_t by row */
    uint32_t count;
    uint32_t section_count;
    ctree_node *section_nodes; /* NULL without sections. */
    uint32_t *section_starts;  /* section_count + 1 */
    ct_array row_of; /* By slot: row + 1, 0 for none. Without items unless CTREE_ROWS_LOOKUP was asked for. */
};

/* Fills in the rows of a view. On failure they are to be destroyed. */
ctree_status ct_flatten(const ctree_view *view, const ctree_progress *progress, ctree_rows *rows);

#endif
