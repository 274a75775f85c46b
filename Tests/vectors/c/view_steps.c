/* Steps that look at a store through a view. */
#include "run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WORD(i) (step->words.word[i])

static void view(struct run *run, const struct step *step) {
    static const char *const flags[] = {"sections", "forgets", "empty-can-open", "records"};
    ctree_view_options options = CTREE_VIEW_OPTIONS_INIT;
    ctree_view *made = NULL;
    options.default_depth = levels_of(run, WORD(2));
    for (int i = 3; i < step->words.count; i++) {
        uint32_t bit = 0;
        for (uint32_t flag = 0; flag < 4; flag++) bit |= (uint32_t)(strcmp(WORD(i), flags[flag]) == 0) << flag;
        if (bit == 0) run->complaint = "no flag of a view";
        options.flags |= bit;
    }
    if (went_well(run, ctree_view_create(run->store, &options, &made))) name_anew(run, WORD(1))->object = made;
}

static void close_view(struct run *run, const struct step *step) {
    ctree_view_destroy(view_of(run, WORD(1)));
    struct named *named = named_of(run, WORD(1));
    if (named != NULL) named->object = NULL;
}

static void view_store(struct run *run, const struct step *step) {
    print_yes(run, ctree_view_store(view_of(run, WORD(1))) == run->store);
}

/* ---- Opening and closing ----------------------------------------------------------------------------------------
 */

static void open_or_close(struct run *run, const struct step *step) {
    ctree_node node;
    ctree_view *seen = view_of(run, WORD(1));
    if (run->complaint != NULL || !node_of(run, WORD(2), &node)) return;
    if (strcmp(WORD(0), "expand") == 0) went_well(run, ctree_view_expand(seen, node));
    if (strcmp(WORD(0), "collapse") == 0) went_well(run, ctree_view_collapse(seen, node));
    if (strcmp(WORD(0), "toggle") == 0) went_well(run, ctree_view_toggle(seen, node));
    if (strcmp(WORD(0), "reveal") == 0) went_well(run, ctree_view_reveal(seen, node));
    if (strcmp(WORD(0), "collapse-all") == 0) went_well(run, ctree_view_collapse_all(seen, node));
    if (strcmp(WORD(0), "expanded") == 0) print_yes(run, ctree_view_is_expanded(seen, node));
    if (strcmp(WORD(0), "visible") == 0) print_yes(run, ctree_view_is_visible(seen, node));
    if (strcmp(WORD(0), "expandable") == 0) print_yes(run, ctree_view_is_expandable(seen, node));
    if (strcmp(WORD(0), "selected") == 0) print_yes(run, ctree_view_is_selected(seen, node));
    if (strcmp(WORD(0), "row-of") == 0) print_row_number(run, ctree_view_row_of(seen, node));
}

static void expand_all(struct run *run, const struct step *step) {
    ctree_node node;
    ctree_view *seen = view_of(run, WORD(1));
    if (run->complaint != NULL || !node_of(run, WORD(2), &node)) return;
    went_well(run, ctree_view_expand_all(seen, node, levels_of(run, WORD(3)), progress_of(step)));
}

/* ---- Rows -------------------------------------------------------------------------------------------------------
 */

static void nodes_from(struct run *run, const struct step *step) {
    ctree_view *seen = view_of(run, WORD(1));
    if (run->complaint != NULL) return;
    uint32_t first = step->words.count > 2 ? small_of(run, WORD(2)) : 0;
    uint32_t count = step->words.count > 2 ? small_of(run, WORD(3)) : ctree_view_row_count(seen);
    ctree_node *nodes = grow(NULL, count, sizeof *nodes);
    uint32_t *depths = grow(NULL, count, sizeof *depths);
    if (went_well(run, ctree_view_nodes_from(seen, first, &count, nodes, depths))) {
        for (uint32_t i = 0; i < count; i++) {
            text_add(&run->out, "%" PRIu32 " ", depths[i]);
            print_node(run, nodes[i]);
        }
    }
    free(nodes);
    free(depths);
}

static void window(struct run *run, const struct step *step) {
    ctree_view *seen = view_of(run, WORD(1));
    uint32_t count = small_of(run, WORD(3));
    if (run->complaint != NULL) return;
    ctree_row *rows = grow(NULL, count, sizeof *rows);
    if (went_well(run, ctree_view_window(seen, small_of(run, WORD(2)), &count, rows))) {
        for (uint32_t i = 0; i < count; i++) print_row(run, &rows[i]);
    }
    free(rows);
}

static void row_count(struct run *run, const struct step *step) {
    text_add(&run->out, "%" PRIu32 "\n", ctree_view_row_count(view_of(run, WORD(1))));
}

static void node_at(struct run *run, const struct step *step) {
    print_node(run, ctree_view_node_at(view_of(run, WORD(1)), small_of(run, WORD(2))));
}

static void nodes_at(struct run *run, const struct step *step) {
    uint32_t rows[MOST_WORDS];
    ctree_node nodes[MOST_WORDS];
    size_t count = (size_t)step->words.count - 2;
    for (size_t i = 0; i < count; i++) rows[i] = small_of(run, WORD(i + 2));
    if (went_well(run, ctree_view_nodes_at(view_of(run, WORD(1)), rows, count, nodes))) print_list(run, nodes, count);
}

static void rows_of(struct run *run, const struct step *step) {
    uint32_t rows[MOST_WORDS];
    ctree_node nodes[MOST_WORDS];
    size_t count = (size_t)step->words.count - 2;
    for (size_t i = 0; i < count; i++) {
        if (!node_of(run, WORD(i + 2), &nodes[i])) return;
    }
    if (!went_well(run, ctree_view_rows_of(view_of(run, WORD(1)), nodes, count, rows))) return;
    text_add(&run->out, "%zu", count);
    for (size_t i = 0; i < count; i++) {
        if (rows[i] == CTREE_NO_ROW) {
            text_add(&run->out, " -");
        } else {
            text_add(&run->out, " %" PRIu32, rows[i]);
        }
    }
    text_add(&run->out, "\n");
}

static void ancestors(struct run *run, const struct step *step) {
    ctree_node node, none, *nodes;
    uint32_t room = 0;
    ctree_view *seen = view_of(run, WORD(1));
    if (run->complaint != NULL || !node_of(run, WORD(2), &node)) return;
    ctree_status status = ctree_view_ancestors(seen, node, &room, &none);
    if (status == CTREE_RANGE || status == CTREE_OK) {
        nodes = grow(NULL, room, sizeof *nodes);
        status = ctree_view_ancestors(seen, node, &room, nodes);
        if (status == CTREE_OK) print_list(run, nodes, room);
        free(nodes);
    }
    went_well(run, status);
}

static void section_count(struct run *run, const struct step *step) {
    text_add(&run->out, "%" PRIu32 "\n", ctree_view_section_count(view_of(run, WORD(1))));
}

static void section(struct run *run, const struct step *step) {
    ctree_view *seen = view_of(run, WORD(1));
    uint32_t number = small_of(run, WORD(2));
    add_node(run, &run->out, ctree_view_section_node(seen, number));
    text_add(&run->out, " %" PRIu32 "\n", ctree_view_section_rows(seen, number));
}

static void index_path(struct run *run, const struct step *step) {
    ctree_index_path path;
    if (went_well(run, ctree_view_index_path(view_of(run, WORD(1)), small_of(run, WORD(2)), &path)))
        text_add(&run->out, "%" PRIu32 " %" PRIu32 "\n", path.section, path.row);
}

static void row_at(struct run *run, const struct step *step) {
    ctree_index_path path = {small_of(run, WORD(2)), small_of(run, WORD(3))};
    print_row_number(run, ctree_view_row_at_index_path(view_of(run, WORD(1)), path));
}

/* ---- Upkeep -----------------------------------------------------------------------------------------------------
 */

static void view_memory(struct run *run, const struct step *step) {
    if (ctree_view_memory(view_of(run, WORD(1))) == 0) text_add(&run->out, "none\n");
}

static void trim(struct run *run, const struct step *step) { went_well(run, ctree_view_trim(view_of(run, WORD(1)))); }

static void compact(struct run *run, const struct step *step) {
    went_well(run, ctree_view_compact(view_of(run, WORD(1))));
}

static void validate_view(struct run *run, const struct step *step) {
    const char *reason = NULL;
    if (!went_well(run, ctree_view_validate(view_of(run, WORD(1)), &reason)) && reason != NULL)
        text_add(&run->out, "%s\n", reason);
}

const struct verb view_verbs[] = {{"view", view, 2, 6},
                                  {"close-view", close_view, 1, 1},
                                  {"view-store", view_store, 1, 1},
                                  {"expand", open_or_close, 2, 2},
                                  {"collapse", open_or_close, 2, 2},
                                  {"toggle", open_or_close, 2, 2},
                                  {"reveal", open_or_close, 2, 2},
                                  {"collapse-all", open_or_close, 2, 2},
                                  {"expanded", open_or_close, 2, 2},
                                  {"visible", open_or_close, 2, 2},
                                  {"expandable", open_or_close, 2, 2},
                                  {"selected", open_or_close, 2, 2},
                                  {"row-of", open_or_close, 2, 2},
                                  {"expand-all", expand_all, 3, 4},
                                  {"rows", nodes_from, 1, 1},
                                  {"nodes-from", nodes_from, 3, 3},
                                  {"window", window, 3, 3},
                                  {"row-count", row_count, 1, 1},
                                  {"node-at", node_at, 2, 2},
                                  {"nodes-at", nodes_at, 1, MOST_WORDS},
                                  {"rows-of", rows_of, 1, MOST_WORDS},
                                  {"ancestors", ancestors, 2, 2},
                                  {"section-count", section_count, 1, 1},
                                  {"section", section, 2, 2},
                                  {"index-path", index_path, 2, 2},
                                  {"row-at", row_at, 3, 3},
                                  {"view-memory", view_memory, 1, 1},
                                  {"trim", trim, 1, 1},
                                  {"compact", compact, 1, 1},
                                  {"validate-view", validate_view, 1, 1},
                                  {NULL, NULL, 0, 0}};
