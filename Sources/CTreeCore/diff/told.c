#include "diff/told.h"

static void list_free(ct_work *work, ct_list *list, size_t item_size) {
    ct_free(&work->mem, list->items, list->capacity * item_size);
    *list = (ct_list){NULL, 0, 0};
}

void ct_told_free(ct_work *work, ct_told *told) {
    size_t range = told->paths ? sizeof(ctree_path_range) : sizeof(ctree_row_range);
    size_t run = told->paths ? sizeof(ctree_path_run) : sizeof(ctree_row_run);
    list_free(work, &told->deletes, range);
    list_free(work, &told->inserts, range);
    list_free(work, &told->moves, run);
    list_free(work, &told->changes, run);
    list_free(work, &told->section_deletes, sizeof(ctree_section_range));
    list_free(work, &told->section_inserts, sizeof(ctree_section_range));
    list_free(work, &told->section_moves, sizeof(ctree_section_run));
    list_free(work, &told->section_changes, sizeof(ctree_section_run));
}

bool ct_told_range(ct_work *work, ct_told *told, ct_list *list, uint32_t first, uint32_t count, ct_place place) {
    told->told += count;
    if (told->paths) {
        ctree_path_range *range = ct_list_add(work, list, sizeof *range);
        if (range != NULL) *range = (ctree_path_range){place.section, first - place.start, count};
        return range != NULL;
    }
    ctree_row_range *range = ct_list_add(work, list, sizeof *range);
    if (range != NULL) *range = (ctree_row_range){first, count};
    return range != NULL;
}

bool ct_told_run(ct_work *work, ct_told *told, ct_list *list, const ctree_row_run *run, ct_place from, ct_place to) {
    told->told += run->count;
    if (told->paths) {
        ctree_path_run *path = ct_list_add(work, list, sizeof *path);
        if (path != NULL) {
            *path =
                (ctree_path_run){from.section, run->from - from.start, to.section, run->to - to.start, run->count};
        }
        return path != NULL;
    }
    ctree_row_run *row = ct_list_add(work, list, sizeof *row);
    if (row != NULL) *row = *run;
    return row != NULL;
}

bool ct_told_section(ct_work *work, ct_told *told, ct_list *list, uint32_t section) {
    told->told++;
    ctree_section_range *last = list->count > 0 ? (ctree_section_range *)list->items + list->count - 1 : NULL;
    if (last != NULL && last->first + last->count == section) {
        last->count++;
        return true;
    }
    ctree_section_range *range = ct_list_add(work, list, sizeof *range);
    if (range != NULL) *range = (ctree_section_range){section, 1};
    return range != NULL;
}

bool ct_told_section_run(ct_work *work, ct_told *told, ct_list *list, uint32_t from, uint32_t to) {
    told->told++;
    ctree_section_run *last = list->count > 0 ? (ctree_section_run *)list->items + list->count - 1 : NULL;
    if (last != NULL && last->from + last->count == from && last->to + last->count == to) {
        last->count++;
        return true;
    }
    ctree_section_run *run = ct_list_add(work, list, sizeof *run);
    if (run != NULL) *run = (ctree_section_run){from, to, 1};
    return run != NULL;
}
