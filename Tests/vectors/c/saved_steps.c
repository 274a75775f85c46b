/* Steps of saved states, and of reveals that wait. */
#include "run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WORD(i) (step->words.word[i])

static const char *const WHAT[] = {"expanded", "collapsed", "selected"};

static uint32_t what_of(struct run *run, const struct words *words, int from) {
    uint32_t what = 0;
    for (int i = from; i < words->count; i++) {
        uint32_t bit = 0;
        for (uint32_t w = 0; w < 3; w++) bit |= (uint32_t)(strcmp(words->word[i], WHAT[w]) == 0) << w;
        if (bit == 0) run->complaint = "neither expanded nor collapsed nor selected";
        what |= bit;
    }
    return what;
}

/* The identifiers of a path, which take the place of the word. */
static uint32_t path_of(struct run *run, char *word, ctree_id ids[MOST_WORDS]) {
    uint32_t length = 0;
    while (word != NULL && length < MOST_WORDS) {
        char *slash = strchr(word, '/');
        if (slash != NULL) *slash = '\0';
        ids[length++] = id_of(run, word, run->bytes);
        word = slash != NULL ? slash + 1 : NULL;
    }
    return length;
}

/** Lines as they were told. */
struct lines {
    struct text *line;
    size_t count;
};

static bool note(void *context, const ctree_saved *entry) {
    struct lines *lines = context;
    lines->line = grow(lines->line, lines->count + 1, sizeof *lines->line);
    struct text *text = &lines->line[lines->count++];
    *text = (struct text){NULL, 0, 0};
    for (uint32_t i = 0; i < entry->length; i++) {
        if (i > 0) text_add(text, "/");
        add_id(text, entry->path[i]);
    }
    for (uint32_t w = 0; w < 3; w++) {
        if ((entry->what >> w & 1) != 0) text_add(text, " %s", WHAT[w]);
    }
    return true;
}

static int by_text(const void *a, const void *b) {
    const struct text *left = a, *right = b;
    return strcmp(left->bytes, right->bytes);
}

static void save(struct run *run, const struct step *step) {
    struct lines lines = {NULL, 0};
    went_well(run, ctree_view_save(view_of(run, WORD(1)), what_of(run, &step->words, 2), note, &lines));
    if (lines.count > 0) qsort(lines.line, lines.count, sizeof *lines.line, by_text);
    for (size_t i = 0; i < lines.count; i++) {
        text_add(&run->out, "%s\n", lines.line[i].bytes);
        text_free(&lines.line[i]);
    }
    free(lines.line);
}

static void restore(struct run *run, const struct step *step) {
    size_t count = (size_t)step->input_count;
    ctree_saved *entries = grow(NULL, count, sizeof *entries);
    ctree_id(*paths)[MOST_WORDS] = grow(NULL, count, sizeof *paths);
    for (size_t i = 0; i < count; i++) {
        entries[i].path = paths[i];
        entries[i].length = path_of(run, step->input[i].word[0], paths[i]);
        entries[i].what = what_of(run, &step->input[i], 1);
    }
    if (run->complaint == NULL) went_well(run, ctree_view_restore(view_of(run, WORD(1)), entries, count));
    free(entries);
    free(paths);
}

static void waiting(struct run *run, const struct step *step) {
    text_add(&run->out, "%" PRIu64 "\n", ctree_view_waiting_count(view_of(run, WORD(1))));
}

static void forget_waiting(struct run *run, const struct step *step) {
    went_well(run, ctree_view_forget_waiting(view_of(run, WORD(1))));
}

static void reveal_path(struct run *run, const struct step *step) {
    ctree_id ids[MOST_WORDS];
    ctree_node node = CTREE_NONE;
    uint32_t length = path_of(run, WORD(2), ids);
    ctree_status status = ctree_view_reveal_path(view_of(run, WORD(1)), ids, length, &node);
    if (status == CTREE_OK || status == CTREE_LOADING) {
        text_add(&run->out, "%s ", status_word(status));
        print_node(run, node);
    } else {
        went_well(run, status);
    }
}

const struct verb saved_verbs[] = {{"save", save, 1, 4},
                                   {"restore", restore, 1, 1},
                                   {"waiting", waiting, 1, 1},
                                   {"forget-waiting", forget_waiting, 1, 1},
                                   {"reveal-path", reveal_path, 2, 2},
                                   {NULL, NULL, 0, 0}};
