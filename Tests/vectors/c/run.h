/*
 * The C runner of the scenarios: what a run keeps between steps, and what the files with the verbs share.
 * The format is described in ../README.md.
 */
#ifndef VECTORS_RUN_H
#define VECTORS_RUN_H

#include "ctree/ctree.h"

enum { MOST_WORDS = 64, MOST_NAMES = 64 };

/** Text that grows. */
struct text {
    char *bytes;
    size_t length;
    size_t room;
};

/** A line split at its spaces. */
struct words {
    int count;
    char *word[MOST_WORDS];
};

/** A step with its input lines. */
struct step {
    struct words words;
    struct words *input;
    int input_count;
};

struct run;

struct named {
    char name[32];
    uint64_t number; /**< A handle or a ticket. */
    void *object;    /**< A view, or rows. */
    bool is_rows;
    struct text splices; /**< What a watched view told. */
    struct run *run;
};

/** What one scenario has made so far. */
struct run {
    ctree_store *store;
    bool closed;
    bool bytes;
    bool siblings;
    struct named names[MOST_NAMES];
    int name_count;
    uint64_t token;
    struct text heard;
    uint64_t *released;
    size_t released_count;
    struct text out;       /**< What the step printed. */
    const char *complaint; /**< Why the step could not be run: a mistake in the file. */
};

typedef void (*verb_fn)(struct run *run, const struct step *step);

struct verb {
    const char *word;
    verb_fn act;
    int least; /**< Words after the verb. */
    int most;
};

/* Each file of verbs ends with an entry whose word is NULL. */
extern const struct verb store_verbs[], edit_verbs[], load_verbs[], view_verbs[], saved_verbs[], change_verbs[],
    rows_verbs[], diff_verbs[];

/* ---- text.c: growing text, and memory that is always there ---- */
void *grow(void *block, size_t count, size_t size);
void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_free(struct text *text);

/* ---- words.c: from words to values, and back; a mistake sets run->complaint ---- */
uint64_t number_of(struct run *run, const char *word);
uint32_t small_of(struct run *run, const char *word);
bool yes_of(struct run *run, const char *word);
uint32_t place_of(struct run *run, const char *word);
uint32_t levels_of(struct run *run, const char *word);
uint32_t state_of(struct run *run, const char *word);
const char *state_word(uint32_t state);
/** An identifier of the kind `bytes`; its bytes replace the word. */
ctree_id id_of(struct run *run, char *word, bool bytes);
void add_id(struct text *text, ctree_id id);
/** False after having printed `unknown`. */
bool node_of(struct run *run, const char *word, ctree_node *out);
void add_node(struct run *run, struct text *text, ctree_node node);
void print_node(struct run *run, ctree_node node);
void print_list(struct run *run, const ctree_node *nodes, size_t count);
void print_yes(struct run *run, bool yes);
void print_row_number(struct run *run, uint32_t row);
void print_row(struct run *run, const ctree_row *row);
/** Prints the status where it is not CTREE_OK, and says whether it is. */
bool went_well(struct run *run, ctree_status status);
void print_fault(struct run *run, ctree_status status, const ctree_fault *fault);
const char *status_word(ctree_status status);
bool last_word_is(const struct step *step, const char *word);
/** A progress that asks to stop where the step ends with `stop`, else NULL. */
const ctree_progress *progress_of(const struct step *step);
struct named *named_of(struct run *run, const char *name);
struct named *name_anew(struct run *run, const char *name);
ctree_view *view_of(struct run *run, const char *name);

/* ---- forest.c ---- */
struct items {
    ctree_forest forest;
    ctree_id *ids;
    uint32_t *parents;
    uint64_t *values;
    uint64_t *revisions;
    uint8_t *states;
};
bool items_of(struct run *run, const struct step *step, struct items *items);
void items_free(struct items *items);

/* ---- change_steps.c ---- */
void print_batch(struct run *run, const ctree_batch *batch);
void print_section_batch(struct run *run, const ctree_section_batch *batch);
uint64_t limit_of(struct run *run, const struct step *step, int from);

#endif
