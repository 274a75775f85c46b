/* What is told of a change: the arrays of a batch while they grow, in row numbers or, with sections, in paths. */
#ifndef CT_DIFF_TOLD_H
#define CT_DIFF_TOLD_H

#include "ctree/batch.h"
#include "diff/work.h"

typedef struct ct_list {
    void *items;
    size_t count;
    size_t capacity;
} ct_list;

typedef struct ct_told {
    ct_list deletes; /* ctree_row_range, or ctree_path_range */
    ct_list inserts; /* the same */
    ct_list moves;   /* ctree_row_run, or ctree_path_run */
    ct_list changes; /* the same */
    ct_list section_deletes;
    ct_list section_inserts;
    ct_list section_moves;
    ct_list section_changes;
    bool paths;
    uint64_t told;  /* Rows and sections in the arrays... */
    uint64_t limit; /* ...and the most that the caller wants to hear of. */
} ct_told;

void ct_told_free(ct_work *work, ct_told *told);

/* Past the limit: what is told is of no use then, but still to be freed. */
static inline bool ct_told_beyond(const ct_told *told) { return told->told > told->limit; }

/* Appends room for an item; NULL without memory. */
static inline void *ct_list_add(ct_work *work, ct_list *list, size_t item_size) {
    if (list->count == list->capacity
        && !ct_grow(&work->mem, &list->items, &list->capacity, list->count + 1, item_size)) {
        return NULL;
    }
    return (char *)list->items + list->count++ * item_size;
}

/* One section of each side and where it begins; 0, 0 without sections. */
typedef struct ct_place {
    uint32_t section;
    uint32_t start;
} ct_place;

/* Rows of one numbering, numbered through all sections, in the section at `place`. */
bool ct_told_range(ct_work *work, ct_told *told, ct_list *list, uint32_t first, uint32_t count, ct_place place);

/* Rows that stay together. */
bool ct_told_run(ct_work *work, ct_told *told, ct_list *list, const ctree_row_run *run, ct_place from, ct_place to);

/* A section, which joins the last range or run where it can. */
bool ct_told_section(ct_work *work, ct_told *told, ct_list *list, uint32_t section);
bool ct_told_section_run(ct_work *work, ct_told *told, ct_list *list, uint32_t from, uint32_t to);

#endif
