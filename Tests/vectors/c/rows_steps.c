/* Steps of plain rows. */
#include "run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WORD(i) (step->words.word[i])

static ctree_rows *rows_of_name(struct run *run, const char *name) {
    return (ctree_rows *)(void *)view_of(run, name);
}

static void keep(struct named *named, ctree_rows *rows) {
    named->object = rows;
    named->is_rows = true;
}

static void flatten(struct run *run, const struct step *step) {
    ctree_rows *rows = NULL;
    uint32_t flags = 0;
    if (step->words.count > 3 && strcmp(WORD(3), "lookup") == 0) flags = CTREE_ROWS_LOOKUP;
    if (went_well(run, ctree_rows_flatten(view_of(run, WORD(1)), flags, progress_of(step), &rows)))
        keep(name_anew(run, WORD(2)), rows);
}

static void rows_list(struct run *run, const struct step *step) {
    ctree_rows *rows = rows_of_name(run, WORD(1));
    if (rows == NULL) return;
    for (uint32_t i = 0; i < ctree_rows_count(rows); i++) {
        text_add(&run->out, "%" PRIu32 " ", ctree_rows_depths(rows)[i]);
        print_node(run, ctree_rows_nodes(rows)[i]);
    }
}

static void rows_section_count(struct run *run, const struct step *step) {
    text_add(&run->out, "%" PRIu32 "\n", ctree_rows_section_count(rows_of_name(run, WORD(1))));
}

static void rows_section(struct run *run, const struct step *step) {
    ctree_rows *rows = rows_of_name(run, WORD(1));
    uint32_t section = small_of(run, WORD(2));
    add_node(run, &run->out, ctree_rows_section_node(rows, section));
    text_add(&run->out, " %" PRIu32 "\n", ctree_rows_section_start(rows, section));
}

static void rows_index_path(struct run *run, const struct step *step) {
    ctree_index_path path;
    if (went_well(run, ctree_rows_index_path(rows_of_name(run, WORD(1)), small_of(run, WORD(2)), &path)))
        text_add(&run->out, "%" PRIu32 " %" PRIu32 "\n", path.section, path.row);
}

static void rows_at(struct run *run, const struct step *step) {
    ctree_index_path path = {small_of(run, WORD(2)), small_of(run, WORD(3))};
    print_row_number(run, ctree_rows_at_index_path(rows_of_name(run, WORD(1)), path));
}

static void rows_node(struct run *run, const struct step *step) {
    print_node(run, ctree_rows_node(rows_of_name(run, WORD(1)), small_of(run, WORD(2))));
}

static void rows_row(struct run *run, const struct step *step) {
    ctree_node node;
    if (node_of(run, WORD(2), &node)) print_row_number(run, ctree_rows_row(rows_of_name(run, WORD(1)), node));
}

static void rows_window(struct run *run, const struct step *step) {
    ctree_rows *rows = rows_of_name(run, WORD(1));
    ctree_view *view = view_of(run, WORD(2));
    uint32_t count = small_of(run, WORD(4));
    if (run->complaint != NULL) return;
    ctree_row *out = grow(NULL, count, sizeof *out);
    if (went_well(run, ctree_rows_window(rows, view, small_of(run, WORD(3)), &count, out))) {
        for (uint32_t i = 0; i < count; i++) print_row(run, &out[i]);
    }
    free(out);
}

static void rows_free(struct run *run, const struct step *step) {
    struct named *named = named_of(run, WORD(1));
    ctree_rows_destroy(rows_of_name(run, WORD(1)));
    if (named != NULL) named->object = NULL;
}

const struct verb rows_verbs[] = {{"flatten", flatten, 2, 4},
                                  {"rows-list", rows_list, 1, 1},
                                  {"rows-section-count", rows_section_count, 1, 1},
                                  {"rows-section", rows_section, 2, 2},
                                  {"rows-index-path", rows_index_path, 2, 2},
                                  {"rows-at", rows_at, 3, 3},
                                  {"rows-node", rows_node, 2, 2},
                                  {"rows-row", rows_row, 2, 2},
                                  {"rows-window", rows_window, 4, 4},
                                  {"rows-free", rows_free, 1, 1},
                                  {NULL, NULL, 0, 0}};
