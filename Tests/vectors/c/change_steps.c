/* Steps of selection, splices and batches. */
#include "run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WORD(i) (step->words.word[i])

uint64_t limit_of(struct run *run, const struct step *step, int from) {
    for (int i = from; i + 1 < step->words.count; i++) {
        if (strcmp(WORD(i), "limit") == 0) return number_of(run, WORD(i + 1));
    }
    return 0;
}

/* ---- Selection --------------------------------------------------------------------------------------------------
 */

static void select_(struct run *run, const struct step *step) {
    ctree_node node;
    if (node_of(run, WORD(2), &node))
        went_well(run, ctree_view_select(view_of(run, WORD(1)), node, yes_of(run, WORD(3))));
}

static void select_rows(struct run *run, const struct step *step) {
    uint32_t first = small_of(run, WORD(2)), count = small_of(run, WORD(3));
    went_well(run, ctree_view_select_rows(view_of(run, WORD(1)), first, count, yes_of(run, WORD(4))));
}

static void deselect_all(struct run *run, const struct step *step) {
    went_well(run, ctree_view_deselect_all(view_of(run, WORD(1))));
}

static void selected_count(struct run *run, const struct step *step) {
    text_add(&run->out, "%" PRIu64 "\n", ctree_view_selected_count(view_of(run, WORD(1))));
}

static int by_text(const void *a, const void *b) {
    const struct text *left = a, *right = b;
    return strcmp(left->bytes, right->bytes);
}

/* The order of the hidden ones is not promised, so they are printed sorted. */
static void print_selection(struct run *run, const ctree_view *view, const ctree_node *nodes, size_t count) {
    struct text *names = grow(NULL, count, sizeof *names);
    size_t shown = 0;
    while (shown < count && ctree_view_row_of(view, nodes[shown]) != CTREE_NO_ROW) shown++;
    for (size_t i = 0; i < count; i++) {
        names[i] = (struct text){NULL, 0, 0};
        add_node(run, &names[i], nodes[i]);
    }
    qsort(names + shown, count - shown, sizeof *names, by_text);
    text_add(&run->out, "%zu", count);
    for (size_t i = 0; i < count; i++) {
        text_add(&run->out, " %s", names[i].bytes);
        text_free(&names[i]);
    }
    text_add(&run->out, "\n");
    free(names);
}

static void selection(struct run *run, const struct step *step) {
    ctree_view *view = view_of(run, WORD(1));
    uint64_t room = ctree_view_selected_count(view);
    ctree_node *nodes = grow(NULL, (size_t)room, sizeof *nodes);
    if (went_well(run, ctree_view_selected(view, &room, nodes))) print_selection(run, view, nodes, (size_t)room);
    free(nodes);
}

/* ---- Splices ----------------------------------------------------------------------------------------------------
 */

static void hear_splice(void *context, const ctree_view *view, const ctree_splice *splice) {
    struct named *named = context;
    (void)view;
    text_add(&named->splices, "%" PRIu32 " %" PRIu32 " %" PRIu32 "\n", splice->row, splice->removed,
             splice->inserted);
}

static void watch(struct run *run, const struct step *step) {
    ctree_view *view = view_of(run, WORD(1));
    bool on = strcmp(WORD(0), "watch") == 0;
    if (run->complaint == NULL)
        went_well(run, ctree_view_watch(view, on ? hear_splice : NULL, on ? named_of(run, WORD(1)) : NULL));
}

static void splices(struct run *run, const struct step *step) {
    struct named *named = named_of(run, WORD(1));
    if (named == NULL) run->complaint = "no such view";
    if (named == NULL) return;
    if (named->splices.length > 0) text_add(&run->out, "%s", named->splices.bytes);
    text_free(&named->splices);
}

/* ---- Batches ----------------------------------------------------------------------------------------------------
 */

#define EACH(i, count) for (uint32_t i = 0; i < (count); i++)

void print_batch(struct run *run, const ctree_batch *batch) {
    struct text *out = &run->out;
    if (batch->reload != 0) {
        text_add(out, "reload\n");
        return;
    }
    text_add(out, "rows %" PRIu32 " %" PRIu32 "\n", batch->old_count, batch->new_count);
    EACH(i, batch->delete_count)
    text_add(out, "delete %" PRIu32 " %" PRIu32 "\n", batch->deletes[i].first, batch->deletes[i].count);
    EACH(i, batch->insert_count)
    text_add(out, "insert %" PRIu32 " %" PRIu32 "\n", batch->inserts[i].first, batch->inserts[i].count);
    EACH(i, batch->move_count)
    text_add(out, "move %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", batch->moves[i].from, batch->moves[i].to,
             batch->moves[i].count);
    EACH(i, batch->change_count)
    text_add(out, "change %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", batch->changes[i].from, batch->changes[i].to,
             batch->changes[i].count);
}

static void print_section_ranges(struct text *out, const char *kind, const ctree_section_range *r, uint32_t count) {
    EACH(i, count) text_add(out, "section-%s %" PRIu32 " %" PRIu32 "\n", kind, r[i].first, r[i].count);
}

static void print_section_runs(struct text *out, const char *kind, const ctree_section_run *r, uint32_t count) {
    EACH(i, count)
    text_add(out, "section-%s %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", kind, r[i].from, r[i].to, r[i].count);
}

static void print_path_ranges(struct text *out, const char *kind, const ctree_path_range *r, uint32_t count) {
    EACH(i, count)
    text_add(out, "%s %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", kind, r[i].section, r[i].first, r[i].count);
}

static void print_path_runs(struct text *out, const char *kind, const ctree_path_run *r, uint32_t count) {
    EACH(i, count)
    text_add(out, "%s %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", kind, r[i].from_section,
             r[i].from, r[i].to_section, r[i].to, r[i].count);
}

void print_section_batch(struct run *run, const ctree_section_batch *batch) {
    struct text *out = &run->out;
    if (batch->reload != 0) {
        text_add(out, "reload\n");
        return;
    }
    text_add(out, "sections %" PRIu32 " %" PRIu32 " rows %" PRIu32 " %" PRIu32 "\n", batch->old_section_count,
             batch->new_section_count, batch->old_count, batch->new_count);
    print_section_ranges(out, "delete", batch->section_deletes, batch->section_delete_count);
    print_section_ranges(out, "insert", batch->section_inserts, batch->section_insert_count);
    print_section_runs(out, "move", batch->section_moves, batch->section_move_count);
    print_section_runs(out, "change", batch->section_changes, batch->section_change_count);
    print_path_ranges(out, "delete", batch->deletes, batch->delete_count);
    print_path_ranges(out, "insert", batch->inserts, batch->insert_count);
    print_path_runs(out, "move", batch->moves, batch->move_count);
    print_path_runs(out, "change", batch->changes, batch->change_count);
}

static void commit(struct run *run, const struct step *step) {
    const ctree_batch *batch = NULL;
    if (went_well(run, ctree_view_commit(view_of(run, WORD(1)), limit_of(run, step, 2), &batch)))
        print_batch(run, batch);
}

static void commit_sections(struct run *run, const struct step *step) {
    const ctree_section_batch *batch = NULL;
    if (went_well(run, ctree_view_commit_sections(view_of(run, WORD(1)), limit_of(run, step, 2), &batch)))
        print_section_batch(run, batch);
}

static void accept(struct run *run, const struct step *step) {
    went_well(run, ctree_view_accept(view_of(run, WORD(1))));
}

const struct verb change_verbs[] = {{"select", select_, 3, 3},
                                    {"select-rows", select_rows, 4, 4},
                                    {"deselect-all", deselect_all, 1, 1},
                                    {"selected-count", selected_count, 1, 1},
                                    {"selection", selection, 1, 1},
                                    {"watch", watch, 1, 1},
                                    {"unwatch", watch, 1, 1},
                                    {"splices", splices, 1, 1},
                                    {"commit", commit, 1, 3},
                                    {"commit-sections", commit_sections, 1, 3},
                                    {"accept", accept, 1, 1},
                                    {NULL, NULL, 0, 0}};
