#include "support/world.h"

#include "support/assertions.h"
#include "support/compare.h"
#include "support/world_calls.h"

/* ---- Values let go ------------------------------------------------------------------------------------------- */

static void on_release(void *context, const ctree_node *nodes, const uint64_t *values, size_t count) {
    world *w = context;
    CHECK(count > 0);
    CHECK(!w->mirror.open);
    for (size_t i = 0; i < count; i++) {
        w->released = grown(w->released, w->released_count, &w->released_room, sizeof *w->released);
        w->released[w->released_count++] = (twin_release){nodes[i], values[i]};
    }
}

static int by_node(const void *a, const void *b) {
    const twin_release *x = a, *y = b;
    if (x->node != y->node) return x->node < y->node ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

static void compare_released(world *w) {
    twin *t = w->twin;
    CHECK_EQUAL(w->released_count, t->released_count);
    if (t->released_count > 0) {
        qsort(w->released, w->released_count, sizeof *w->released, by_node);
        qsort(t->released, t->released_count, sizeof *t->released, by_node);
    }
    for (uint32_t i = 0; i < w->released_count; i++) {
        CHECK_EQUAL(w->released[i].node, t->released[i].node);
        CHECK_EQUAL(w->released[i].value, t->released[i].value);
    }
}

/* ---- Life ---------------------------------------------------------------------------------------------------- */

world *world_create(world_options given) {
    world *w = must(calloc(1, sizeof *w));
    failing_allocator_init(&w->memory);
    ctree_allocator allocator = failing_allocator_use(&w->memory);
    w->has_allocator = given.allocator;
    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    options.allocator = given.allocator ? &allocator : NULL;
    options.id_kind = (uint32_t)given.kind;
    options.id_scope = (uint32_t)given.scope;
    options.node_limit = given.limit;
    options.secret = "the same in every run, so that a failure comes back";
    options.secret_size = 32;
    options.release = on_release;
    options.release_context = w;
    CHECK_EQUAL(ctree_store_create(&options, &w->store), CTREE_OK);
    w->twin = twin_create(given.kind, given.scope, given.limit == 0 ? UINT32_MAX - 1 : given.limit);
    mirror_attach(&w->mirror, w->store);
    w->checks_moves = true;
    return w;
}

void world_destroy(world *w) {
    w->released_count = 0;
    twin_forget_released(w->twin);
    while (w->twin->top->count > 0) twin_kill(w->twin, w->twin->top->children[0], true);
    ctree_store_destroy(w->store);
    compare_released(w);
    for (uint32_t i = 0; i < TWIN_VIEWS; i++) ctree_view_destroy(w->views[i]);
    mirror_free(&w->mirror);
    CHECK_EQUAL(w->memory.blocks, 0);
    twin_destroy(w->twin);
    free(w->released);
    free(w);
}

/* ---- A call -------------------------------------------------------------------------------------------------- */

typedef struct patience {
    uint64_t asked, last;
    uint64_t done, total;
} patience;

static bool keep_going(void *context, uint64_t done, uint64_t total) {
    patience *p = context;
    CHECK(done <= total);
    CHECK(p->asked == 0 || total != p->total || done >= p->done);
    p->done = done;
    p->total = total;
    return ++p->asked != p->last;
}

static void begin_attempt(world *w, op *call) {
    mirror_count_from_here(&w->mirror);
    w->released_count = 0;
    call->out = 7;
    call->fault = (ctree_fault)CTREE_FAULT_INIT;
    for (uint64_t i = 0; call->outs != NULL && i < call->forest->count; i++) call->outs[i] = 7;
}

/* A call that failed may have told, changed and let go nothing. */
static void check_nothing_happened(world *w, const op *call) {
    CHECK_EQUAL(w->mirror.edits, 0);
    CHECK_EQUAL(w->mirror.settled, 0);
    CHECK_EQUAL(w->released_count, 0);
    for (uint64_t i = 0; call->outs != NULL && i < call->forest->count; i++) CHECK_EQUAL(call->outs[i], 7);
}

static ctree_status disturbed(world *w, op *call) {
    patience waits = {0, call->cancel_at, 0, 0};
    ctree_progress progress = {&waits, keep_going};
    ctree_ticket ticket = call->ticket;
    begin_attempt(w, call);
    if (call->fail_at > 0) failing_allocator_arm(&w->memory, call->fail_at, call->fail_onwards);
    ctree_status status = call_engine(w, call, call->cancel_at > 0 ? &progress : NULL);
    call->was_disturbed = call->fail_at > 0 && failing_allocator_disarm(&w->memory);
    if (waits.last > 0 && waits.asked >= waits.last) call->was_disturbed = true;
    bool gave_up = status == CTREE_NO_MEMORY || status == CTREE_CANCELLED;
    if (!call->was_disturbed || !gave_up) return status;
    if (status == CTREE_CANCELLED && call->cancel_at == 0) return status; /* of a load */
    CHECK(status == CTREE_NO_MEMORY ? call->fail_at > 0 : call->cancel_at > 0);
    check_nothing_happened(w, call);
    CHECK_EQUAL(call->out, 7);
    CHECK_EQUAL(call->ticket, ticket);
    world_compare(w);
    begin_attempt(w, call);
    return call_engine(w, call, NULL);
}

/* Of numbers that all differ: how many a longest rising run has, whatever lies between. `best` has as many words. */
static uint32_t longest_rising(const uint32_t *numbers, uint32_t count, uint32_t *best) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < count; i++) {
        best[i] = 1;
        for (uint32_t k = 0; k < i; k++) {
            if (numbers[k] < numbers[i] && best[k] >= best[i]) best[i] = best[k] + 1;
        }
        if (best[i] > most) most = best[i];
    }
    return most;
}

/* The fewest nodes that must move for these lists: all that are found again, but for those that stay in their list
   and in their order. */
static uint64_t fewest_moves(const world *w, const op *call) {
    const ctree_forest *f = call->forest;
    const twin_node *above = twin_parent_of(w->twin, call->kind == OP_FINISH ? call->node : call->parent);
    size_t room = f->count > 0 ? (size_t)f->count : 1;
    twin_node **matched = must(calloc(room, sizeof(twin_node *)));
    uint32_t *staying = must(calloc(room, sizeof *staying)), *best = must(calloc(room, sizeof *best));
    twin_match(w->twin, above, f, matched);
    uint64_t moves = 0;
    for (uint64_t i = 0; i < f->count; i++) moves += matched[i] != NULL;
    for (uint64_t list = 0; list <= f->count; list++) { /* that of each item, then that of the parent */
        const twin_node *owner = list == f->count ? above : matched[list];
        uint32_t count = 0;
        for (uint64_t i = 0; owner != NULL && i < f->count; i++) {
            uint32_t over = f->parents == NULL ? CTREE_END : f->parents[i];
            if (over != (list == f->count ? CTREE_END : list)) continue;
            if (matched[i] != NULL && matched[i]->parent == owner) staying[count++] = twin_ordinal(matched[i]);
        }
        moves -= longest_rising(staying, count, best);
    }
    free(matched);
    free(staying);
    free(best);
    return moves;
}

static bool is_reconcile(op_kind kind) { return kind == OP_RECONCILE || kind == OP_FINISH; }

static void add_stale(world *w, ctree_node node) {
    memmove(w->stale + 1, w->stale, (WORLD_STALE - 1) * sizeof *w->stale);
    w->stale[0] = node;
    if (w->stale_count < WORLD_STALE) w->stale_count++;
}

static void keep_stale(world *w) {
    for (uint32_t i = 0; i < w->twin->released_count; i++) {
        ctree_node node = w->twin->released[i].node;
        if (twin_node_of(w->twin, node) == NULL) add_stale(w, node); /* else only its value went */
    }
}

static void keep_ticket(world *w, const op *call) {
    memmove(w->tickets + 1, w->tickets, (WORLD_TICKETS - 1) * sizeof *w->tickets);
    w->tickets[0] = (world_ticket){call->node, call->ticket};
    if (w->ticket_count < WORLD_TICKETS) w->ticket_count++;
}

static void check_results(world *w, op *call, ctree_status status, twin_node **nodes) {
    if (call->kind == OP_INSERT) {
        bool told = status == CTREE_OK || status == CTREE_DUPLICATE;
        CHECK_EQUAL(call->out, told ? nodes[0]->handle : 7);
    }
    if (op_takes_forest(call->kind) && call->forest != NULL) {
        const twin_node *above =
            twin_parent_of(w->twin, call->kind == OP_BUILD || call->kind == OP_RECONCILE ? call->parent : call->node);
        if (status == CTREE_OK) {
            CHECK(call->fault.item == CTREE_NO_ITEM && call->fault.node == CTREE_NONE);
        } else if (above != NULL) {
            bool is_true = twin_fault_is_true(w->twin, above, status, &call->fault, call->forest);
            if (!is_true) {
                printf("%s: item %" PRIu64 ", other %" PRIu64 ", node %" PRIx64 "\n", ctree_status_name(status),
                       call->fault.item, call->fault.other_item, call->fault.node);
            }
            CHECK(is_true);
        }
        for (uint64_t i = 0; call->outs != NULL && i < call->forest->count; i++) {
            CHECK_EQUAL(call->outs[i], status == CTREE_OK ? nodes[i]->handle : 7);
        }
    }
    if (call->kind == OP_GRAFT && status == CTREE_DUPLICATE) {
        CHECK(twin_node_of(w->twin, call->fault.node) != NULL);
    }
}

/* Before a graft: what will be stale in the other store once it has succeeded. */
static void expect_emptied(world *other) {
    other->released_count = 0;
    mirror_count_from_here(&other->mirror);
    other->leaving_count = 0;
    for (uint32_t i = 0; i < other->twin->count && i < WORLD_STALE; i++) {
        other->leaving[other->leaving_count++] = other->twin->nodes[i]->handle;
    }
}

/* What a graft leaves of the other store. */
static void check_other(world *other, ctree_status status) {
    CHECK_EQUAL(other->released_count, 0);
    if (status == CTREE_OK) {
        for (uint32_t i = 0; i < other->leaving_count; i++) add_stale(other, other->leaving[i]);
    } else {
        CHECK_EQUAL(other->mirror.edits, 0);
    }
    world_compare(other);
}

/* With CTREE_TRACE in the environment every call is printed: how a random program that failed is read. */
static void trace(const world *w, const op *call, ctree_status status) {
    static const char *const names[OP_KINDS] = {"insert",   "remove", "remove_children", "move",         "set_value",
                                                "set_leaf", "build",  "graft",           "reconcile",    "request",
                                                "next",     "begin",  "finish",          "append",       "fail",
                                                "cancel",   "drop",   "create",          "destroy",      "expand",
                                                "collapse", "toggle", "expand_all",      "collapse_all", "reveal"};
    const char *wanted = getenv("CTREE_TRACE");
    if (wanted == NULL || *wanted == 0) return;
    fprintf(stderr, "%s node %" PRIx64 " parent %" PRIx64 " at %" PRIu32 " count %" PRIu32 " flag %d flags %" PRIu32,
            names[call->kind], call->node, call->parent, call->at, call->count, call->flag, call->flags);
    fprintf(stderr,
            " levels %" PRIu32 " elsewhere %" PRIu32 " ticket %" PRIu64 " view %" PRIu32 ": %s, %" PRIu32 " nodes\n",
            call->levels, call->elsewhere, call->ticket, call->view, ctree_status_name(status), w->twin->count);
    const ctree_forest *f = op_takes_forest(call->kind) ? call->forest : NULL;
    bool readable = f != NULL && (f->ids != NULL || f->numbers != NULL || f->offsets != NULL);
    for (uint64_t i = 0; readable && i < f->count; i++) {
        ctree_id id = twin_item_id(f, i);
        const twin_node *known = twin_id_fits(w->twin, id) ? twin_find(w->twin, id) : NULL;
        fprintf(stderr, "  %" PRIu64 " id %" PRIx64 " (node %" PRIx64 " below %" PRIx64 ") parent %d state %d\n", i,
                id.word, known != NULL ? known->handle : 0, known != NULL ? known->parent->handle : 0,
                f->parents != NULL ? (int)f->parents[i] : -1, f->states != NULL ? f->states[i] : -1);
    }
}

ctree_status world_do(world *w, op *call) {
    twin *t = w->twin;
    uint64_t fewest = UINT64_MAX;
    bool has_forest = op_takes_forest(call->kind) && call->forest != NULL;
    bool counts_moves = w->checks_moves && is_reconcile(call->kind) && has_forest
                        && twin_forest_is_sound(t, call->forest)
                        && twin_parent_of(t, call->kind == OP_FINISH ? call->node : call->parent) != NULL;
    if (counts_moves) fewest = fewest_moves(w, call);

    if (call->kind == OP_GRAFT) expect_emptied(call->other);
    ctree_status status = disturbed(w, call);
    trace(w, call, status);
    t->calls++;
    t->also = 0;
    twin_forget_released(t);
    size_t room = has_forest && call->forest->count > 0 ? (size_t)call->forest->count : 1;
    twin_node **nodes = must(calloc(room, sizeof(twin_node *)));
    ctree_ticket ticket = call->ticket;
    ctree_status expected = call_twin(w, call, status, nodes, &ticket);
    if (status != expected && !(expected != CTREE_OK && status < 16 && (t->also >> status & 1) != 0)) {
        printf("%s, expected %s\n", ctree_status_name(status), ctree_status_name(expected));
        CHECK_EQUAL(status, expected);
    }
    if (status == CTREE_OK) {
        twin_learn(t, w->store);
        CHECK_EQUAL(w->mirror.settled, w->mirror.edits > 0);
        if (counts_moves) CHECK_EQUAL(w->mirror.moved, fewest);
    } else {
        CHECK_EQUAL(w->mirror.edits, 0);
        CHECK_EQUAL(w->mirror.settled, 0);
    }
    CHECK_EQUAL(call->ticket, ticket);
    check_results(w, call, status, nodes);
    compare_released(w);
    keep_stale(w);
    if (call->kind == OP_BEGIN && status == CTREE_OK) keep_ticket(w, call);
    if (call->kind == OP_GRAFT) check_other(call->other, status);
    if (call->kind == OP_VIEW_DESTROY) w->views[call->view] = NULL;
    free(nodes);
    return status;
}

void world_compare(const world *w) {
    compare_store(w->store, w->twin);
    compare_misses(w->store, w->twin, w->stale, w->stale_count);
    mirror_compare(&w->mirror, w->store);
    for (uint32_t i = 0; i < w->ticket_count; i++) {
        CHECK_EQUAL(ctree_load_check(w->store, w->tickets[i].node, w->tickets[i].ticket),
                    twin_check(w->twin, w->tickets[i].node, w->tickets[i].ticket));
    }
    for (uint32_t i = 0; i < TWIN_VIEWS; i++) {
        if (w->views[i] != NULL) compare_view(w->views[i], w->twin, i);
    }
}

/* ---- Shorthands ---------------------------------------------------------------------------------------------- */

ctree_node world_insert(world *w, ctree_node parent, uint32_t at, ctree_id id, uint32_t load_state) {
    ctree_node_init init = {0, 0, load_state};
    op call = {.kind = OP_INSERT, .parent = parent, .at = at, .id = id, .init = &init};
    CHECK_EQUAL(world_do(w, &call), CTREE_OK);
    return call.out;
}

ctree_status world_on(world *w, op_kind kind, ctree_node node) {
    op call = {.kind = kind, .node = node, .levels = CTREE_ALL_LEVELS};
    return world_do(w, &call);
}

ctree_view *world_view(world *w, uint32_t number, uint32_t flags, uint32_t default_depth) {
    op call = {.kind = OP_VIEW_CREATE, .view = number, .flags = flags, .levels = default_depth};
    CHECK_EQUAL(world_do(w, &call), CTREE_OK);
    return w->views[number];
}
