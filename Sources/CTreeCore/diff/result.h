/* What a result holds. */
#ifndef CT_DIFF_RESULT_H
#define CT_DIFF_RESULT_H

#include "ctree/diff.h"
#include "diff/told.h"

struct ctree_diff {
    ct_mem mem;
    uint32_t forms;
    ct_told flat;
    ct_told paths;
    ct_list splice_list; /* ctree_splice */
    ct_list step_list;   /* ctree_step */
    ctree_batch batch;
    ctree_section_batch section_batch;
    ctree_splices splices;
    ctree_steps steps;
    uint64_t step_total; /* See ct_work. Tests look at it. */
};

#endif
