/* Steps of loading. */
#include "run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WORD(i) (step->words.word[i])

static void request(struct run *run, const struct step *step) {
    ctree_node node;
    if (node_of(run, WORD(1), &node)) went_well(run, ctree_load_request(run->store, node));
}

static void next_request(struct run *run, const struct step *step) {
    (void)step;
    print_node(run, ctree_load_next_request(run->store));
}

static void requests(struct run *run, const struct step *step) {
    (void)step;
    ctree_node node, *nodes = NULL;
    size_t count = 0;
    while ((node = ctree_load_next_request(run->store)) != CTREE_NONE) {
        nodes = grow(nodes, count + 1, sizeof *nodes);
        nodes[count++] = node;
    }
    print_list(run, nodes, count);
    free(nodes);
}

static void load(struct run *run, const struct step *step) {
    ctree_node node;
    ctree_ticket ticket = 0;
    if (!node_of(run, WORD(1), &node)) return;
    uint32_t flags = step->words.count > 3 ? CTREE_LOAD_RELOAD : 0;
    ctree_status status = ctree_load_begin(run->store, node, flags, &ticket);
    if (status == CTREE_OK || status == CTREE_LOADING) name_anew(run, WORD(2))->number = ticket;
    went_well(run, status);
}

/* A ticket that was never given is 0, which is none. */
static bool node_and_ticket(struct run *run, const struct step *step, ctree_node *node, ctree_ticket *ticket) {
    struct named *named = named_of(run, WORD(2));
    if (named == NULL) run->complaint = "no such ticket";
    *ticket = named != NULL ? named->number : 0;
    return node_of(run, WORD(1), node) && named != NULL;
}

static void check(struct run *run, const struct step *step) {
    ctree_node node;
    ctree_ticket ticket;
    if (node_and_ticket(run, step, &node, &ticket))
        text_add(&run->out, "%s\n", status_word(ctree_load_check(run->store, node, ticket)));
}

static void finish(struct run *run, const struct step *step) {
    ctree_node node;
    ctree_ticket ticket;
    ctree_fault fault = CTREE_FAULT_INIT;
    struct items items;
    if (!node_and_ticket(run, step, &node, &ticket)) return;
    uint32_t elsewhere = strcmp(WORD(3), "moves") == 0 ? CTREE_ELSEWHERE_MOVES : CTREE_ELSEWHERE_FAILS;
    if (items_of(run, step, &items)) {
        print_fault(run, ctree_load_finish(run->store, node, ticket, &items.forest, elsewhere, NULL, &fault), &fault);
    }
    items_free(&items);
}

static void append(struct run *run, const struct step *step) {
    ctree_node node;
    ctree_ticket ticket;
    ctree_fault fault = CTREE_FAULT_INIT;
    struct items items;
    if (!node_and_ticket(run, step, &node, &ticket)) return;
    bool more = strcmp(WORD(3), "more") == 0;
    if (items_of(run, step, &items)) {
        print_fault(run, ctree_load_append(run->store, node, ticket, &items.forest, more, NULL, &fault), &fault);
    }
    items_free(&items);
}

static void fail(struct run *run, const struct step *step) {
    ctree_node node;
    ctree_ticket ticket;
    if (node_and_ticket(run, step, &node, &ticket))
        went_well(run, ctree_load_fail(run->store, node, ticket, number_of(run, WORD(3))));
}

static void cancel(struct run *run, const struct step *step) {
    ctree_node node;
    ctree_ticket ticket;
    if (node_and_ticket(run, step, &node, &ticket)) went_well(run, ctree_load_cancel(run->store, node, ticket));
}

static void error(struct run *run, const struct step *step) {
    ctree_node node;
    if (node_of(run, WORD(1), &node)) text_add(&run->out, "%" PRIu64 "\n", ctree_load_error(run->store, node));
}

static void drop(struct run *run, const struct step *step) {
    ctree_node node;
    if (node_of(run, WORD(1), &node)) went_well(run, ctree_load_drop(run->store, node));
}

const struct verb load_verbs[] = {{"request", request, 1, 1},   {"next-request", next_request, 0, 0},
                                  {"requests", requests, 0, 0}, {"load", load, 2, 3},
                                  {"check", check, 2, 2},       {"finish", finish, 3, 3},
                                  {"append", append, 3, 3},     {"fail", fail, 3, 3},
                                  {"cancel", cancel, 2, 2},     {"error", error, 1, 1},
                                  {"drop", drop, 1, 1},         {NULL, NULL, 0, 0}};
