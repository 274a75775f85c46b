/* The step that compares two lists. */
#include "run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WORD(i) (step->words.word[i])

/** One list as the input lines give it. */
struct list {
    void *rows, *sections;
    uint64_t *revisions, *section_revisions;
    uint32_t *section_rows;
    uint32_t row_count, section_count;
    bool revised, sections_revised;
};

static size_t key_size(uint32_t keys) { return keys == CTREE_DIFF_IDS ? sizeof(ctree_id) : sizeof(uint64_t); }

static void *add_key(struct run *run, uint32_t keys, void *array, uint32_t count, char *word) {
    uint64_t number = 0;
    array = grow(array, (size_t)count + 1, key_size(keys));
    if (keys == CTREE_DIFF_IDS) {
        ((ctree_id *)array)[count] = id_of(run, word, true);
        return array;
    }
    if (keys == CTREE_DIFF_NODES) {
        node_of(run, word, &number);
    } else {
        number = number_of(run, word);
    }
    ((uint64_t *)array)[count] = number;
    return array;
}

static void add_row(struct run *run, uint32_t keys, struct list *list, const struct words *line) {
    list->rows = add_key(run, keys, list->rows, list->row_count, line->word[1]);
    list->revisions = grow(list->revisions, (size_t)list->row_count + 1, sizeof *list->revisions);
    list->revisions[list->row_count++] = line->count > 2 ? number_of(run, line->word[2]) : 0;
    list->revised = line->count > 2;
    if (list->section_count > 0) list->section_rows[list->section_count - 1]++;
}

static void add_section(struct run *run, uint32_t keys, struct list *list, const struct words *line) {
    size_t count = list->section_count + (size_t)1;
    list->sections = add_key(run, keys, list->sections, list->section_count, line->word[1]);
    list->section_rows = grow(list->section_rows, count, sizeof *list->section_rows);
    list->section_rows[count - 1] = 0;
    list->section_revisions = grow(list->section_revisions, count, sizeof *list->section_revisions);
    list->section_revisions[count - 1] = line->count > 2 ? number_of(run, line->word[2]) : 0;
    list->sections_revised = line->count > 2;
    list->section_count++;
}

static void add_line(struct run *run, uint32_t keys, struct list lists[2], const struct words *line) {
    if (line->count < 2) {
        run->complaint = "a line of a list is + LIST KEY [REVISION]";
    } else if (strcmp(line->word[0], "old") == 0 || strcmp(line->word[0], "new") == 0) {
        add_row(run, keys, &lists[line->word[0][0] == 'n'], line);
    } else {
        add_section(run, keys, &lists[line->word[0][0] == 'n'], line);
    }
}

static ctree_diff_list lent(const struct list *list) {
    return (ctree_diff_list){list->rows,
                             list->revised ? list->revisions : NULL,
                             list->sections,
                             list->section_rows,
                             list->sections_revised ? list->section_revisions : NULL,
                             list->row_count,
                             list->section_count};
}

static void list_free(struct list *list) {
    free(list->rows);
    free(list->sections);
    free(list->revisions);
    free(list->section_revisions);
    free(list->section_rows);
}

static bool head(struct run *run, uint32_t reload, uint32_t old_count, uint32_t new_count) {
    if (reload != 0) {
        text_add(&run->out, "reload\n");
    } else {
        text_add(&run->out, "rows %" PRIu32 " %" PRIu32 "\n", old_count, new_count);
    }
    return reload == 0;
}

static void print_splices(struct run *run, const ctree_splices *told) {
    if (!head(run, told->reload, told->old_count, told->new_count)) return;
    for (uint32_t i = 0; i < told->splice_count; i++) {
        const ctree_splice *s = &told->splices[i];
        text_add(&run->out, "splice %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", s->row, s->removed, s->inserted);
    }
}

static void print_steps(struct run *run, const ctree_steps *told) {
    if (!head(run, told->reload, told->old_count, told->new_count)) return;
    for (uint32_t i = 0; i < told->step_count; i++) {
        const ctree_step *s = &told->steps[i];
        if (s->kind == CTREE_STEP_DELETE)
            text_add(&run->out, "step-delete %" PRIu32 " %" PRIu32 "\n", s->from, s->count);
        if (s->kind == CTREE_STEP_MOVE)
            text_add(&run->out, "step-move %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", s->from, s->to, s->count);
        if (s->kind == CTREE_STEP_INSERT)
            text_add(&run->out, "step-insert %" PRIu32 " %" PRIu32 "\n", s->to, s->count);
    }
}

static void print_diff(struct run *run, const struct step *step, const ctree_diff_list *before,
                       const ctree_diff_list *after, ctree_diff_options *options) {
    ctree_diff *diff = NULL;
    ctree_diff_duplicate twice = {0, 0, 0, 0};
    ctree_status status = ctree_diff_create(before, after, options, &twice, &diff);
    if (status == CTREE_DUPLICATE) {
        text_add(&run->out, "duplicate %s %s %" PRIu32 " %" PRIu32 "\n", twice.in_new != 0 ? "new" : "old",
                 twice.in_sections != 0 ? "section" : "row", twice.first, twice.second);
    } else if (went_well(run, status)) {
        if (strcmp(WORD(2), "batch") == 0) print_batch(run, ctree_diff_batch(diff));
        if (strcmp(WORD(2), "sections") == 0) print_section_batch(run, ctree_diff_section_batch(diff));
        if (strcmp(WORD(2), "splices") == 0) print_splices(run, ctree_diff_splices(diff));
        if (strcmp(WORD(2), "steps") == 0) print_steps(run, ctree_diff_steps(diff));
    }
    ctree_diff_destroy(diff);
}

static void diff(struct run *run, const struct step *step) {
    static const char *const keys[] = {"nodes", "u64", "ids"}, *const forms[] = {"batch", "sections", "splices",
                                                                                 "steps"};
    ctree_diff_options options = CTREE_DIFF_OPTIONS_INIT;
    struct list lists[2];
    memset(lists, 0, sizeof lists);
    bool from_nothing = false;
    options.keys = 3;
    for (uint32_t i = 0; i < 3; i++) {
        if (strcmp(WORD(1), keys[i]) == 0) options.keys = i;
    }
    for (uint32_t i = 0; i < 4; i++) options.forms |= (uint32_t)(strcmp(WORD(2), forms[i]) == 0) << i;
    for (int i = 3; i < step->words.count; i++) from_nothing |= strcmp(WORD(i), "from-nothing") == 0;
    if (options.keys > 2 || options.forms == 0) run->complaint = "diff KEYS FORM";
    options.limit = limit_of(run, step, 3);
    options.progress = progress_of(step);
    for (int i = 0; i < step->input_count && run->complaint == NULL; i++)
        add_line(run, options.keys, lists, &step->input[i]);
    ctree_diff_list before = lent(&lists[0]), after = lent(&lists[1]);
    if (run->complaint == NULL && run->out.length == 0)
        print_diff(run, step, from_nothing ? NULL : &before, &after, &options);
    list_free(&lists[0]);
    list_free(&lists[1]);
}

const struct verb diff_verbs[] = {{"diff", diff, 2, 6}, {NULL, NULL, 0, 0}};
