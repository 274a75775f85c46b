/* From the words of a step to what the calls take, and from what they give to what is printed. */
#include "run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const STATUS_WORDS[] = {"ok",         "no-memory", "invalid", "stale",  "range",  "duplicate",
                                           "limit",      "leaf",      "cycle",   "busy",   "closed", "cancelled",
                                           "superseded", "not-found", "loading", "corrupt"};
static const char *const STATE_WORDS[] = {"leaf", "unloaded", "loading", "loaded", "failed", "keep"};

/* ---- Numbers and other plain words ---------------------------------------------------------------------------- */

uint64_t number_of(struct run *run, const char *word) {
    uint64_t number = 0;
    for (const char *c = word; *c != '\0' || c == word; c++) {
        uint64_t digit = (uint64_t)(*c - '0');
        if (*c < '0' || *c > '9' || number > (UINT64_MAX - digit) / 10) {
            run->complaint = "not a number";
            return 0;
        }
        number = number * 10 + digit;
    }
    return number;
}

uint32_t small_of(struct run *run, const char *word) {
    uint64_t number = number_of(run, word);
    if (number > UINT32_MAX) run->complaint = "a number beyond 32 bits";
    return (uint32_t)number;
}

bool yes_of(struct run *run, const char *word) {
    bool yes = strcmp(word, "yes") == 0;
    if (!yes && strcmp(word, "no") != 0) run->complaint = "neither yes nor no";
    return yes;
}

uint32_t place_of(struct run *run, const char *word) {
    return strcmp(word, "end") == 0 ? CTREE_END : small_of(run, word);
}

uint32_t levels_of(struct run *run, const char *word) {
    return strcmp(word, "all") == 0 ? CTREE_ALL_LEVELS : small_of(run, word);
}

uint32_t state_of(struct run *run, const char *word) {
    for (uint32_t state = 0; state < sizeof STATE_WORDS / sizeof *STATE_WORDS; state++) {
        if (strcmp(word, STATE_WORDS[state]) == 0) return state;
    }
    run->complaint = "no load state";
    return 0;
}

const char *state_word(uint32_t state) {
    return state < sizeof STATE_WORDS / sizeof *STATE_WORDS ? STATE_WORDS[state] : "?";
}

const char *status_word(ctree_status status) {
    size_t number = (size_t)status;
    return number < sizeof STATUS_WORDS / sizeof *STATUS_WORDS ? STATUS_WORDS[number] : "?";
}

bool last_word_is(const struct step *step, const char *word) {
    return strcmp(step->words.word[step->words.count - 1], word) == 0;
}

static bool stops(void *context, uint64_t done, uint64_t total) {
    (void)context, (void)done, (void)total;
    return false;
}

const ctree_progress *progress_of(const struct step *step) {
    static const ctree_progress stopping = {NULL, stops};
    return last_word_is(step, "stop") ? &stopping : NULL;
}

/* ---- Identifiers ----------------------------------------------------------------------------------------------- */

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

ctree_id id_of(struct run *run, char *word, bool bytes) {
    if (!bytes) return ctree_id_u64(number_of(run, word));
    size_t length = strlen(word), count = 0;
    if (length < 2 || word[0] != '"' || word[length - 1] != '"') {
        run->complaint = "no quoted identifier";
        return ctree_id_bytes("", 0);
    }
    for (size_t i = 1; i + 1 < length; i++) {
        if (word[i] != '\\') {
            word[count++] = word[i];
            continue;
        }
        int high = i + 4 < length ? hex_digit(word[i + 2]) : -1, low = i + 4 < length ? hex_digit(word[i + 3]) : -1;
        if (high < 0 || low < 0 || word[i + 1] != 'x') {
            run->complaint = "an escape that is not \\xNN";
            break;
        }
        word[count++] = (char)(high * 16 + low);
        i += 3;
    }
    return ctree_id_bytes(word, count);
}

void add_id(struct text *text, ctree_id id) {
    if (id.bytes == NULL) {
        text_add(text, "%" PRIu64, id.word);
        return;
    }
    const unsigned char *bytes = id.bytes;
    text_add(text, "\"");
    for (uint64_t i = 0; i < id.word; i++) {
        bool plain = bytes[i] > 0x20 && bytes[i] < 0x7f && strchr("\"\\/", bytes[i]) == NULL;
        text_add(text, plain ? "%c" : "\\x%02x", bytes[i]);
    }
    text_add(text, "\"");
}

/* ---- Nodes ----------------------------------------------------------------------------------------------------- */

struct named *named_of(struct run *run, const char *name) {
    for (int i = 0; i < run->name_count; i++) {
        if (strcmp(run->names[i].name, name) == 0) return &run->names[i];
    }
    return NULL;
}

struct named *name_anew(struct run *run, const char *name) {
    struct named *named = named_of(run, name);
    if (named == NULL && run->name_count < MOST_NAMES && strlen(name) < sizeof named->name) {
        named = &run->names[run->name_count++];
        strcpy(named->name, name);
    }
    if (named == NULL) {
        run->complaint = "too many names, or too long a one";
        named = &run->names[0];
    }
    named->run = run;
    return named;
}

ctree_view *view_of(struct run *run, const char *name) {
    struct named *named = named_of(run, name);
    if (named == NULL || named->object == NULL) run->complaint = "no such view or rows";
    return named != NULL ? named->object : NULL;
}

bool node_of(struct run *run, const char *word, ctree_node *out) {
    *out = CTREE_NONE;
    if (strcmp(word, "-") == 0) return true;
    if (word[0] == '$') {
        struct named *named = named_of(run, word);
        if (named == NULL) run->complaint = "no such handle";
        *out = named != NULL ? named->number : CTREE_NONE;
        return named != NULL;
    }
    struct text copy = {NULL, 0, 0};
    text_add(&copy, "%s", word);
    for (char *part = copy.bytes; part != NULL;) {
        char *slash = run->siblings ? strchr(part, '/') : NULL;
        if (slash != NULL) *slash = '\0';
        ctree_id id = id_of(run, part, run->bytes);
        *out = run->siblings ? ctree_store_find_child(run->store, *out, id) : ctree_store_find(run->store, id);
        part = slash != NULL && *out != CTREE_NONE ? slash + 1 : NULL;
    }
    text_free(&copy);
    if (*out == CTREE_NONE) text_add(&run->out, "unknown\n");
    return *out != CTREE_NONE;
}

void add_node(struct run *run, struct text *text, ctree_node node) {
    if (node == CTREE_NONE || !ctree_store_contains(run->store, node)) {
        text_add(text, node == CTREE_NONE ? "-" : "gone");
        return;
    }
    uint32_t depth = 0;
    if (run->siblings) ctree_store_depth(run->store, node, &depth);
    for (uint32_t level = 0; level <= depth; level++) {
        ctree_node above = node;
        ctree_id id = ctree_id_u64(0);
        for (uint32_t up = depth - level; up > 0; up--) ctree_store_parent(run->store, above, &above);
        ctree_store_id(run->store, above, &id);
        if (level > 0) text_add(text, "/");
        add_id(text, id);
    }
}

/* ---- Printing -------------------------------------------------------------------------------------------------- */

void print_node(struct run *run, ctree_node node) {
    add_node(run, &run->out, node);
    text_add(&run->out, "\n");
}

void print_list(struct run *run, const ctree_node *nodes, size_t count) {
    text_add(&run->out, "%zu", count);
    for (size_t i = 0; i < count; i++) {
        text_add(&run->out, " ");
        add_node(run, &run->out, nodes[i]);
    }
    text_add(&run->out, "\n");
}

void print_yes(struct run *run, bool yes) { text_add(&run->out, yes ? "yes\n" : "no\n"); }

void print_row_number(struct run *run, uint32_t row) {
    if (row == CTREE_NO_ROW) {
        text_add(&run->out, "-\n");
    } else {
        text_add(&run->out, "%" PRIu32 "\n", row);
    }
}

void print_row(struct run *run, const ctree_row *row) {
    text_add(&run->out, "%" PRIu32 " ", row->depth);
    add_node(run, &run->out, row->node);
    text_add(&run->out, " %" PRIu32 " %" PRIu32 " %s %s %s %s\n", row->position, row->sibling_count,
             state_word(row->load_state), row->expandable ? "expandable" : "-", row->expanded ? "expanded" : "-",
             row->more ? "more" : "-");
}

bool went_well(struct run *run, ctree_status status) {
    if (status != CTREE_OK) text_add(&run->out, "%s\n", status_word(status));
    return status == CTREE_OK;
}

static void add_item(struct run *run, uint64_t item) {
    if (item == CTREE_NO_ITEM) {
        text_add(&run->out, "-");
    } else {
        text_add(&run->out, "%" PRIu64, item);
    }
}

void print_fault(struct run *run, ctree_status status, const ctree_fault *fault) {
    if (status == CTREE_OK) return;
    text_add(&run->out, "%s item ", status_word(status));
    add_item(run, fault->item);
    text_add(&run->out, " other ");
    add_item(run, fault->other_item);
    text_add(&run->out, " node ");
    print_node(run, fault->node);
}
