/* What becomes of rows: of all of them, or of those in one section that stays. */
#ifndef CT_DIFF_ROWS_H
#define CT_DIFF_ROWS_H

#include "diff/match.h"
#include "diff/sections.h"
#include "diff/told.h"

/* Rows of both lists that belong together: all that is between the equal ends, or a section. */
typedef struct ct_region {
    uint32_t old_first, old_end;
    uint32_t new_first, new_end;
    ct_place old_place, new_place; /* Of its section. */
} ct_region;

/* Tells deletes, inserts and moves of all rows, not looking at sections. CTREE_LIMIT: more than the caller's limit.
 */
ctree_status ct_rows_tell(ct_work *work, const ct_match *match, ct_told *told);

/* The same of the rows of all sections that stay. */
ctree_status ct_rows_tell_in_sections(ct_work *work, const ct_match *match, ct_sections *sections, ct_told *told);

/* Tells the rows that look different: of all, or, with sections, of those that the table keeps. */
ctree_status ct_rows_tell_changes(ct_work *work, const ct_match *match, ct_sections *sections,
                                  const uint64_t *old_revisions, const uint64_t *new_revisions, ct_told *told);

#endif
