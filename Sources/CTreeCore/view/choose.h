/* Which runs of rows stay where some changed places: as many rows as can be, then as few runs as can be move. */
#ifndef CT_CHOOSE_H
#define CT_CHOOSE_H

#include "base/mem.h"
#include "ctree/batch.h"

/*
 * Of runs in the order of their new places: `order`, unless it is NULL, receives their numbers in the order of their
 * old places, and `stays`, unless it is NULL, whether each stays. O(count log count). CTREE_NO_MEMORY.
 */
ctree_status ct_choose(const ct_mem *mem, const ctree_row_run *runs, uint32_t count, uint32_t *order, bool *stays);

/* Whether the old places ascend as the new ones do: then all stay, and no order is needed. */
bool ct_runs_ascend(const ctree_row_run *runs, size_t count);

#endif
