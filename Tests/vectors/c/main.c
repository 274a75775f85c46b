/*
 * Runs files of scenarios: vectors FILE..., or vectors --print FILE to see what the steps print. The format is
 * described in ../README.md.
 */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** A file, and how far it was read. */
struct reader {
    const char *path;
    char **lines;
    int count;
    int at;
};

static int failures, scenarios, steps;

static void read_file(struct reader *reader) {
    FILE *file = fopen(reader->path, "rb");
    struct text text = {NULL, 0, 0};
    char line[4096];
    if (file == NULL) {
        fprintf(stderr, "vectors: cannot read %s\n", reader->path);
        exit(2);
    }
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        text_add(&text, "%s", line);
        reader->lines = grow(reader->lines, (size_t)reader->count + 1, sizeof *reader->lines);
        reader->lines[reader->count++] = text.bytes != NULL ? text.bytes : grow(NULL, 1, 1);
        if (text.bytes == NULL) reader->lines[reader->count - 1][0] = '\0';
        text = (struct text){NULL, 0, 0};
    }
    fclose(file);
}

static void split(struct words *words, char *line) {
    words->count = 0;
    while (line != NULL && words->count < MOST_WORDS) {
        char *space = strchr(line, ' ');
        if (space != NULL) *space = '\0';
        words->word[words->count++] = line;
        line = space != NULL ? space + 1 : NULL;
    }
}

static void run_free(struct run *run) {
    for (int i = 0; i < run->name_count; i++) {
        struct named *named = &run->names[i];
        text_free(&named->splices);
        if (named->is_rows) {
            ctree_rows_destroy(named->object);
        } else {
            ctree_view_destroy(named->object);
        }
    }
    if (!run->closed) ctree_store_destroy(run->store);
    text_free(&run->heard);
    text_free(&run->out);
    free(run->released);
    memset(run, 0, sizeof *run);
}

static const struct verb *verb_of(const char *word) {
    const struct verb *const tables[] = {store_verbs, edit_verbs,   load_verbs, view_verbs,
                                         saved_verbs, change_verbs, rows_verbs, diff_verbs};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        for (const struct verb *verb = tables[t]; verb->word != NULL; verb++) {
            if (strcmp(verb->word, word) == 0) return verb;
        }
    }
    return NULL;
}

static void act(struct run *run, const struct step *step) {
    const struct verb *verb = verb_of(step->words.word[0]);
    int words = step->words.count - 1;
    run->complaint = NULL;
    run->out.length = 0;
    if (verb == NULL) {
        run->complaint = "no such verb";
    } else if (words < verb->least || words > verb->most) {
        run->complaint = "too few or too many words";
    } else if (run->store == NULL && strcmp(verb->word, "store") != 0) {
        run->complaint = "no store yet";
    } else {
        verb->act(run, step);
    }
}

/* Compares what was printed with the lines that begin with "= ", and passes by them. */
static bool as_expected(struct reader *reader, const struct run *run) {
    const char *got = run->out.length > 0 ? run->out.bytes : "";
    bool same = true;
    for (; reader->at < reader->count && reader->lines[reader->at][0] == '='; reader->at++) {
        const char *wanted = reader->lines[reader->at];
        size_t length = strcspn(got, "\n");
        same = same && *got != '\0' && strlen(wanted) >= 2 && strlen(wanted + 2) == length
               && strncmp(wanted + 2, got, length) == 0;
        got += length + (got[length] == '\n');
    }
    return same && *got == '\0';
}

static void print_output(const struct run *run) {
    for (const char *line = run->out.length > 0 ? run->out.bytes : ""; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        printf("= %.*s\n", (int)length, line);
        line += length + 1;
    }
}

static void run_step(struct reader *reader, struct run *run, bool printing) {
    struct step step = {.input = NULL, .input_count = 0};
    int line = reader->at + 1;
    if (printing) puts(reader->lines[reader->at]);
    split(&step.words, reader->lines[reader->at++]);
    for (; reader->at < reader->count && reader->lines[reader->at][0] == '+'; reader->at++) {
        if (printing) puts(reader->lines[reader->at]);
        step.input = grow(step.input, (size_t)step.input_count + 1, sizeof *step.input);
        split(&step.input[step.input_count++], reader->lines[reader->at] + 2);
    }
    act(run, &step);
    steps++;
    bool same = as_expected(reader, run);
    if (printing) print_output(run);
    if (run->complaint != NULL || (!same && !printing)) {
        failures++;
        fprintf(stderr, "%s:%d: %s: %s\n", reader->path, line, step.words.word[0],
                run->complaint != NULL ? run->complaint : "it printed");
        if (run->complaint == NULL) fprintf(stderr, "%s", run->out.length > 0 ? run->out.bytes : "(nothing)\n");
    }
    free(step.input);
}

static void run_file(const char *path, bool printing) {
    struct reader reader = {path, NULL, 0, 0};
    static struct run run;
    read_file(&reader);
    while (reader.at < reader.count) {
        const char *line = reader.lines[reader.at];
        bool begins = strncmp(line, "scenario ", 9) == 0;
        if (line[0] != '\0' && line[0] != '#' && !begins) {
            run_step(&reader, &run, printing);
            continue;
        }
        if (printing) puts(line);
        if (begins) run_free(&run);
        scenarios += begins;
        reader.at++;
    }
    run_free(&run);
    for (int i = 0; i < reader.count; i++) free(reader.lines[i]);
    free(reader.lines);
}

int main(int count, char **arguments) {
    bool printing = count > 1 && strcmp(arguments[1], "--print") == 0;
    for (int i = printing ? 2 : 1; i < count; i++) run_file(arguments[i], printing);
    fprintf(stderr, "%d scenarios, %d steps, %d failures\n", scenarios, steps, failures);
    return failures > 0 || scenarios == 0 ? 1 : 0;
}
