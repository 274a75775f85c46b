/* What becomes of sections, and which section a row is in. */
#ifndef CT_DIFF_SECTIONS_H
#define CT_DIFF_SECTIONS_H

#include "diff/match.h"
#include "diff/told.h"

typedef enum ct_fate {
    CT_RENEWED = 0, /* Deleted, inserted, or both. */
    CT_STAYS = 1,
    CT_MOVES = 2 /* With the same rows in the same order. */
} ct_fate;

/* The sections of one list. */
typedef struct ct_section_side {
    uint32_t count;
    uint32_t *starts; /* Of each section the first row, and then the number of rows. */
    uint8_t *fates;
    uint32_t last;  /* The section found last: rows come in runs. */
    uint64_t steps; /* Of searches: see ct_work. */
} ct_section_side;

typedef struct ct_sections {
    ct_section_side old_side;
    ct_section_side new_side;
    ct_match match; /* Of their keys. */
} ct_sections;

/*
 * Matches the sections of two lists. `sections` is zeroed before, and to be freed whatever comes of it.
 * CTREE_DUPLICATE fills `duplicate`. A phase of as many units as there are sections.
 */
ctree_status ct_sections_match(ct_work *work, uint32_t kind, const ctree_diff_list *old_list,
                               const ctree_diff_list *new_list, ct_sections *sections,
                               ctree_diff_duplicate *duplicate);
void ct_sections_free(ct_work *work, ct_sections *sections);

/* Settles the fates, once rows are matched. */
ctree_status ct_sections_decide(ct_work *work, ct_sections *sections, const ct_match *rows);

/* Whether a kept section has the same rows in the same order. */
bool ct_sections_same(const ct_sections *sections, const ct_match *rows, uint32_t old_section, uint32_t new_section);

/* Tells what becomes of the sections themselves. CTREE_LIMIT: more than the caller's limit. */
ctree_status ct_sections_tell(ct_work *work, ct_sections *sections, const uint64_t *old_revisions,
                              const uint64_t *new_revisions, ct_told *told);

/* The section that a row is in. O(1) near the last one asked for, else O(log sections). */
uint32_t ct_section_of(ct_section_side *side, uint32_t row);

#endif
