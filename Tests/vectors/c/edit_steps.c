/* Steps that edit a store, and what its listeners hear. */
#include "run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WORD(i) (step->words.word[i])

static void insert(struct run *run, const struct step *step) {
    ctree_node parent, there = CTREE_NONE;
    ctree_node_init init = {0, 0, CTREE_STATE_LEAF};
    if (!node_of(run, WORD(1), &parent)) return;
    if (step->words.count > 4) init.value = number_of(run, WORD(4));
    if (step->words.count > 5) init.revision = number_of(run, WORD(5));
    if (step->words.count > 6) init.load_state = state_of(run, WORD(6));
    ctree_id id = id_of(run, WORD(3), run->bytes);
    ctree_status status = ctree_store_insert(run->store, parent, place_of(run, WORD(2)), id, &init, &there);
    if (status == CTREE_DUPLICATE) {
        text_add(&run->out, "duplicate ");
        print_node(run, there);
    } else {
        went_well(run, status);
    }
}

static void remove_(struct run *run, const struct step *step) {
    ctree_node node;
    if (node_of(run, WORD(1), &node)) went_well(run, ctree_store_remove(run->store, node));
}

static void remove_children(struct run *run, const struct step *step) {
    ctree_node parent;
    if (!node_of(run, WORD(1), &parent)) return;
    uint32_t first = small_of(run, WORD(2));
    went_well(run, ctree_store_remove_children(run->store, parent, first, small_of(run, WORD(3))));
}

static void move(struct run *run, const struct step *step) {
    ctree_node node, parent;
    if (node_of(run, WORD(1), &node) && node_of(run, WORD(2), &parent))
        went_well(run, ctree_store_move(run->store, node, parent, place_of(run, WORD(3))));
}

static void set(struct run *run, const struct step *step) {
    ctree_node node;
    if (!node_of(run, WORD(1), &node)) return;
    uint64_t value = number_of(run, WORD(2));
    went_well(run, ctree_store_set_value(run->store, node, value, number_of(run, WORD(3))));
}

static void set_leaf(struct run *run, const struct step *step) {
    ctree_node node;
    if (node_of(run, WORD(1), &node)) went_well(run, ctree_store_set_leaf(run->store, node, yes_of(run, WORD(2))));
}

/* ---- Forests --------------------------------------------------------------------------------------------------- */

static void build(struct run *run, const struct step *step) {
    ctree_node parent;
    ctree_fault fault = CTREE_FAULT_INIT;
    struct items items;
    if (!node_of(run, WORD(1), &parent)) return;
    if (items_of(run, step, &items)) {
        ctree_status status = ctree_store_build(run->store, parent, place_of(run, WORD(2)), &items.forest,
                                                progress_of(step), NULL, &fault);
        print_fault(run, status, &fault);
    }
    items_free(&items);
}

static void graft_items(struct run *run, const struct step *step, ctree_node parent, const ctree_forest *forest) {
    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    ctree_store *other = NULL;
    ctree_fault fault = CTREE_FAULT_INIT;
    options.id_kind = run->bytes ? CTREE_ID_BYTES : CTREE_ID_U64;
    options.id_scope = run->siblings ? CTREE_SCOPE_SIBLINGS : CTREE_SCOPE_STORE;
    if (!went_well(run, ctree_store_create(&options, &other))) return;
    if (went_well(run, ctree_store_build(other, CTREE_NONE, CTREE_END, forest, NULL, NULL, NULL))) {
        ctree_status status =
            ctree_store_graft(run->store, parent, place_of(run, WORD(2)), other, progress_of(step), &fault);
        print_fault(run, status, &fault);
        if (ctree_store_count(other) != (status == CTREE_OK ? 0 : forest->count))
            text_add(&run->out, "the other store has %" PRIu64 " nodes left\n", ctree_store_count(other));
    }
    ctree_store_destroy(other);
}

static void graft(struct run *run, const struct step *step) {
    ctree_node parent;
    struct items items;
    if (!node_of(run, WORD(1), &parent)) return;
    if (items_of(run, step, &items)) graft_items(run, step, parent, &items.forest);
    items_free(&items);
}

static void reconcile(struct run *run, const struct step *step) {
    ctree_node parent;
    ctree_fault fault = CTREE_FAULT_INIT;
    struct items items;
    if (!node_of(run, WORD(1), &parent)) return;
    uint32_t elsewhere = strcmp(WORD(2), "moves") == 0 ? CTREE_ELSEWHERE_MOVES : CTREE_ELSEWHERE_FAILS;
    if (items_of(run, step, &items)) {
        ctree_status status =
            ctree_store_reconcile(run->store, parent, &items.forest, elsewhere, progress_of(step), NULL, &fault);
        print_fault(run, status, &fault);
    }
    items_free(&items);
}

/* ---- Transactions, listeners, released values ------------------------------------------------------------------ */

static void begin(struct run *run, const struct step *step) {
    (void)step;
    went_well(run, ctree_store_begin(run->store));
}

static void end(struct run *run, const struct step *step) {
    (void)step;
    went_well(run, ctree_store_end(run->store));
}

static void hear(struct run *run, const char *when, const ctree_edit *edit) {
    struct text *text = &run->heard;
    static const char *const kinds[] = {"", "insert", "remove", "move", "change"};
    text_add(text, "%s %s ", when, edit->kind < 5 ? kinds[edit->kind] : "?");
    if (edit->kind == CTREE_EDIT_CHANGE) {
        add_node(run, text, edit->node);
        if ((edit->changed & CTREE_CHANGED_VALUE) != 0) text_add(text, " value");
        if ((edit->changed & CTREE_CHANGED_REVISION) != 0) text_add(text, " revision");
        if ((edit->changed & CTREE_CHANGED_LOAD_STATE) != 0) text_add(text, " load-state");
    } else {
        add_node(run, text, edit->parent);
        text_add(text, " %" PRIu32 " %" PRIu32, edit->first, edit->count);
    }
    if (edit->kind == CTREE_EDIT_MOVE) {
        text_add(text, " ");
        add_node(run, text, edit->to_parent);
        text_add(text, " %" PRIu32, edit->to_first);
    }
    text_add(text, "\n");
}

static void hear_before(void *context, const ctree_store *store, const ctree_edit *edit) {
    (void)store;
    hear(context, "before", edit);
}

static void hear_after(void *context, const ctree_store *store, const ctree_edit *edit) {
    struct run *run = context;
    (void)store;
    hear(run, "after", edit);
    if (ctree_store_begin(run->store) != CTREE_BUSY) text_add(&run->heard, "not busy\n");
}

static void hear_settled(void *context, ctree_store *store) {
    struct run *run = context;
    (void)store;
    text_add(&run->heard, "settled\n");
}

static void listen(struct run *run, const struct step *step) {
    (void)step;
    ctree_listener listener = {run, hear_before, hear_after, hear_settled};
    went_well(run, ctree_store_add_listener(run->store, &listener, &run->token));
}

static void unlisten(struct run *run, const struct step *step) {
    (void)step;
    went_well(run, ctree_store_remove_listener(run->store, run->token));
}

static void heard(struct run *run, const struct step *step) {
    (void)step;
    if (run->heard.length > 0) text_add(&run->out, "%s", run->heard.bytes);
    text_free(&run->heard);
}

static int by_number(const void *a, const void *b) {
    const uint64_t *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

static void released(struct run *run, const struct step *step) {
    (void)step;
    if (run->released_count > 0) qsort(run->released, run->released_count, sizeof *run->released, by_number);
    text_add(&run->out, "%zu", run->released_count);
    for (size_t i = 0; i < run->released_count; i++) text_add(&run->out, " %" PRIu64, run->released[i]);
    text_add(&run->out, "\n");
    run->released_count = 0;
}

const struct verb edit_verbs[] = {{"insert", insert, 3, 6},
                                  {"remove", remove_, 1, 1},
                                  {"remove-children", remove_children, 3, 3},
                                  {"move", move, 3, 3},
                                  {"set", set, 3, 3},
                                  {"set-leaf", set_leaf, 2, 2},
                                  {"build", build, 2, 3},
                                  {"graft", graft, 2, 3},
                                  {"reconcile", reconcile, 2, 3},
                                  {"begin", begin, 0, 0},
                                  {"end", end, 0, 0},
                                  {"listen", listen, 0, 0},
                                  {"unlisten", unlisten, 0, 0},
                                  {"heard", heard, 0, 0},
                                  {"released", released, 0, 0},
                                  {NULL, NULL, 0, 0}};
