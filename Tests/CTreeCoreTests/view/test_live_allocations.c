/*
 * Memory that runs out at whichever allocation of whichever call, with three views attached: each fails once, alone
 * and with all that follow it. A call that failed has changed nothing and can be repeated, and leads to what it would
 * have led to at once. Where a recording view lost its notes, its next batch says reload; no batch is ever wrong.
 */
#include "support/assertions.h"
#include "support/forest_box.h"
#include "support/unit.h"
#include "support/view_screen.h"
#include "support/world_calls.h"

enum { VIEWS = 3, ROOMY = 300, CHAIN = 40, CALL_TRIM = OP_KINDS + 1, CALL_COMPACT };

typedef struct scene {
    world w, other;
    view_screen screens[VIEWS];
    uint32_t next_number;
    ctree_node wide, small, chain, deepest, closed, loading, loaded;
    ctree_ticket ticket;
    forest_box *box;
    uint32_t extra; /* In place of a call of the world. */
} scene;

/* ---- The scene ------------------------------------------------------------------------------------------------- */

static forest_box *new_nodes(scene *s, uint32_t count) {
    forest_box *box = forest_box_new(count);
    for (uint32_t i = 0; i < count; i++) {
        box->ids[i] = ctree_id_u64(s->next_number++);
        box->states[i] = i % 8 == 0 ? CTREE_STATE_UNLOADED : CTREE_STATE_LEAF;
    }
    return box;
}

static ctree_node put(scene *s, ctree_node parent) {
    ctree_node node;
    ctree_node_init init = {0, 0, CTREE_STATE_LOADED};
    CHECK_EQUAL(ctree_store_insert(s->w.store, parent, CTREE_END, ctree_id_u64(s->next_number++), &init, &node),
                CTREE_OK);
    return node;
}

static void put_many(scene *s, ctree_node parent, uint32_t count) {
    forest_box *box = new_nodes(s, count);
    CHECK_EQUAL(ctree_store_build(s->w.store, parent, CTREE_END, &box->forest, NULL, NULL, NULL), CTREE_OK);
    forest_box_free(box);
}

static void create_views(scene *s) {
    const uint32_t flags[VIEWS] = {CTREE_VIEW_RECORDS, CTREE_VIEW_RECORDS | CTREE_VIEW_SECTIONS,
                                   CTREE_VIEW_RECORDS | CTREE_VIEW_FORGETS};
    for (uint32_t v = 0; v < VIEWS; v++) {
        ctree_view_options options = {sizeof options, flags[v], v == 2 ? 2 : 0};
        CHECK_EQUAL(ctree_view_create(s->w.store, &options, &s->w.views[v]), CTREE_OK);
        s->screens[v] = (view_screen){.store = s->w.store, .view = s->w.views[v], .sections = v == 1};
        CHECK_EQUAL(ctree_view_expand(s->w.views[v], s->wide), CTREE_OK);
        CHECK_EQUAL(ctree_view_expand(s->w.views[v], s->chain), CTREE_OK);
        CHECK_EQUAL(ctree_view_expand(s->w.views[v], s->closed), CTREE_OK);
        CHECK_EQUAL(ctree_view_collapse(s->w.views[v], s->closed),
                    CTREE_OK); /* kept, of more rows than are built anew */
        view_screen_commit(&s->screens[v], NULL, 0, 0);
        view_screen_show(&s->screens[v]);
        view_screen_accept(&s->screens[v], NULL, 0, false);
    }
}

static scene *scene_make(void) {
    scene *s = must(calloc(1, sizeof *s));
    s->next_number = 1;
    failing_allocator_init(&s->w.memory);
    ctree_allocator allocator = failing_allocator_use(&s->w.memory);
    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    options.allocator = &allocator;
    CHECK_EQUAL(ctree_store_create(&options, &s->w.store), CTREE_OK);
    s->wide = put(s, CTREE_NONE);
    s->small = put(s, CTREE_NONE);
    s->chain = put(s, CTREE_NONE);
    s->closed = put(s, CTREE_NONE);
    s->loaded = put(s, CTREE_NONE);
    put_many(s, s->wide, ROOMY);
    put_many(s, s->closed, ROOMY);
    put_many(s, s->small, 6);
    s->deepest = s->chain;
    for (uint32_t i = 0; i < CHAIN; i++) s->deepest = put(s, s->deepest);
    put_many(s, s->deepest, 3);
    s->loading = ctree_store_child_at(s->w.store, s->wide, 8);
    CHECK_EQUAL(ctree_load_begin(s->w.store, s->loading, 0, &s->ticket), CTREE_OK);
    create_views(s);
    return s;
}

static void scene_end(scene *s) {
    for (uint32_t v = 0; v < VIEWS; v++) view_screen_free(&s->screens[v]);
    for (uint32_t v = 0; v < VIEWS; v++) ctree_view_destroy(s->w.views[v]);
    ctree_store_destroy(s->w.store);
    ctree_store_destroy(s->other.store);
    if (s->box != NULL) forest_box_free(s->box);
    CHECK_EQUAL(s->w.memory.blocks, 0);
    free(s);
}

/* ---- Dumps ----------------------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t sum, uint64_t word) {
    word = (sum ^ word) * 0x9E3779B97F4A7C15u;
    return word ^ word >> 29;
}

/* By slots, since handles of another store differ. */
static uint64_t dump(const scene *s) {
    const ctree_store *store = s->w.store;
    uint64_t sum = ctree_store_count(store);
    for (ctree_node node = CTREE_NONE; (node = ctree_store_next(store, node, CTREE_NONE, false)) != CTREE_NONE;) {
        ctree_node_info info = {.size = sizeof info};
        CHECK_EQUAL(ctree_store_info(store, node, &info), CTREE_OK);
        sum = mix(mix(mix(sum, info.id.word), (uint32_t)info.parent), info.load_state * 2u + info.more);
        for (uint32_t v = 0; v < VIEWS; v++) sum = mix(sum, ctree_view_is_expanded(s->w.views[v], node));
    }
    for (uint32_t v = 0; v < VIEWS; v++) {
        uint32_t count = ctree_view_row_count(s->w.views[v]), wanted = count;
        ctree_row *rows = must(calloc(count + 1u, sizeof *rows));
        CHECK_EQUAL(ctree_view_window(s->w.views[v], 0, &wanted, rows), CTREE_OK);
        CHECK_EQUAL(wanted, count);
        for (uint32_t i = 0; i < count; i++) {
            ctree_id id;
            CHECK_EQUAL(ctree_store_id(store, rows[i].node, &id), CTREE_OK);
            sum = mix(mix(sum, id.word), rows[i].depth);
        }
        free(rows);
    }
    return sum;
}

static uint64_t dump_requests(scene *s) {
    uint64_t sum = 0;
    for (ctree_node node; (node = ctree_load_next_request(s->w.store)) != CTREE_NONE;) {
        ctree_id id;
        CHECK_EQUAL(ctree_store_id(s->w.store, node, &id), CTREE_OK);
        sum = mix(sum, id.word);
    }
    return sum;
}

static void validate(const scene *s) {
    const char *reason = NULL;
    ctree_status status = ctree_validate(s->w.store, &reason);
    for (uint32_t v = 0; v < VIEWS && status == CTREE_OK; v++) status = ctree_view_validate(s->w.views[v], &reason);
    if (status != CTREE_OK) fprintf(stderr, "%s\n", reason != NULL ? reason : ctree_status_name(status));
    CHECK_EQUAL(status, CTREE_OK);
}

/* ---- The calls ------------------------------------------------------------------------------------------------- */

static void insert_below_shown(scene *s, op *call) {
    *call = (op){.kind = OP_INSERT, .parent = s->wide, .at = 7, .id = ctree_id_u64(s->next_number++)};
}
static void insert_below_open(scene *s, op *call) {
    *call = (op){.kind = OP_INSERT, .parent = CTREE_NONE, .at = 1, .id = ctree_id_u64(s->next_number++)};
}
static void insert_below_closed(scene *s, op *call) {
    *call = (op){.kind = OP_INSERT, .parent = s->closed, .at = 9, .id = ctree_id_u64(s->next_number++)};
}
static void build_below(scene *s, op *call, ctree_node parent, bool deep) {
    s->box = new_nodes(s, 900);
    for (uint32_t i = 1; i < 900 && deep; i++) {
        s->box->parents[i] = (i - 1) / 3;
        s->box->states[(i - 1) / 3] = CTREE_STATE_LOADED;
    }
    *call = (op){.kind = OP_BUILD, .parent = parent, .at = 1, .forest = &s->box->forest};
}
static void build_wide(scene *s, op *call) { build_below(s, call, s->wide, false); }
static void build_deep(scene *s, op *call) { build_below(s, call, CTREE_NONE, true); }
static void move_to(scene *s, op *call, ctree_node node, ctree_node parent) {
    (void)s;
    *call = (op){.kind = OP_MOVE, .node = node, .parent = parent, .at = 0};
}
static void move_shown_to_shown(scene *s, op *call) { move_to(s, call, s->chain, s->wide); }
static void move_shown_to_closed(scene *s, op *call) { move_to(s, call, s->wide, s->small); }
static void move_closed_to_top(scene *s, op *call) { move_to(s, call, s->deepest, CTREE_NONE); }
static void move_kept(scene *s, op *call) { move_to(s, call, s->closed, s->wide); }
static void move_deeper(scene *s, op *call) { move_to(s, call, s->wide, s->deepest); }
static void remove_shown(scene *s, op *call) { *call = (op){.kind = OP_REMOVE, .node = s->wide}; }
static void remove_kept(scene *s, op *call) { *call = (op){.kind = OP_REMOVE, .node = s->closed}; }
static void remove_run(scene *s, op *call) {
    *call = (op){.kind = OP_REMOVE_CHILDREN, .parent = s->wide, .at = 20, .count = 100};
}
/* Every `step`-th child from behind, then new ones. */
static void reconcile_by(scene *s, op *call, ctree_node parent, uint32_t step, uint32_t fresh) {
    uint32_t count = ctree_store_child_count(s->w.store, parent), known = 0;
    s->box = new_nodes(s, count / step + 1 + fresh);
    for (uint32_t i = 0; i * step < count; i++, known++) {
        ctree_node node = ctree_store_child_at(s->w.store, parent, count - 1 - i * step);
        CHECK_EQUAL(ctree_store_id(s->w.store, node, &s->box->ids[i]), CTREE_OK);
        s->box->states[i] = CTREE_STATE_KEEP;
    }
    *call = (op){.kind = OP_RECONCILE, .parent = parent, .forest = &s->box->forest};
}
static void reconcile_few(scene *s, op *call) { reconcile_by(s, call, s->wide, 30, 5); }
static void reconcile_many(scene *s, op *call) { reconcile_by(s, call, s->wide, 1, 200); }
static void reconcile_top(scene *s, op *call) { reconcile_by(s, call, CTREE_NONE, 1, 40); }
static void reconcile_elsewhere(scene *s, op *call) {
    s->box = new_nodes(s, 50);
    for (uint32_t i = 0; i < 40; i++) {
        ctree_node node = ctree_store_child_at(s->w.store, i % 2 ? s->wide : s->closed, i * 3);
        CHECK_EQUAL(ctree_store_id(s->w.store, node, &s->box->ids[i]), CTREE_OK);
    }
    *call =
        (op){.kind = OP_RECONCILE, .parent = s->small, .forest = &s->box->forest, .elsewhere = CTREE_ELSEWHERE_MOVES};
}
static void graft_to(scene *s, op *call, ctree_node parent) {
    CHECK_EQUAL(ctree_store_create(NULL, &s->other.store), CTREE_OK);
    forest_box *box = new_nodes(s, 400);
    CHECK_EQUAL(ctree_store_build(s->other.store, CTREE_NONE, CTREE_END, &box->forest, NULL, NULL, NULL), CTREE_OK);
    forest_box_free(box);
    *call = (op){.kind = OP_GRAFT, .parent = parent, .at = 0, .other = &s->other};
}
static void graft_shown(scene *s, op *call) { graft_to(s, call, s->wide); }
static void graft_top(scene *s, op *call) { graft_to(s, call, CTREE_NONE); }
static void load_with(scene *s, op *call, op_kind kind) {
    s->box = new_nodes(s, 300);
    *call = (op){.kind = kind, .node = s->loading, .ticket = s->ticket, .forest = &s->box->forest, .flag = true};
    CHECK_EQUAL(ctree_view_expand(s->w.views[0], s->loading), CTREE_OK);
}
static void load_finish(scene *s, op *call) { load_with(s, call, OP_FINISH); }
static void load_append(scene *s, op *call) { load_with(s, call, OP_APPEND); }
static void load_begin(scene *s, op *call) {
    *call = (op){.kind = OP_BEGIN, .node = ctree_store_child_at(s->w.store, s->wide, 16)};
}
static void set_leaf(scene *s, op *call) { *call = (op){.kind = OP_SET_LEAF, .node = s->wide, .flag = true}; }
static void set_open(scene *s, op *call) {
    *call = (op){.kind = OP_SET_LEAF, .node = ctree_store_child_at(s->w.store, s->small, 1)};
}
static void in_view(op *call, op_kind kind, uint32_t view, ctree_node node) {
    *call = (op){.kind = kind, .view = view, .node = node, .levels = CTREE_ALL_LEVELS};
}
static void expand_new(scene *s, op *call) { in_view(call, OP_EXPAND, 0, s->small); }
static void expand_kept(scene *s, op *call) { in_view(call, OP_EXPAND, 2, s->closed); }
static void expand_hidden(scene *s, op *call) { in_view(call, OP_EXPAND, 0, s->deepest); }
static void collapse_wide(scene *s, op *call) { in_view(call, OP_COLLAPSE, 0, s->wide); }
static void collapse_section(scene *s, op *call) { in_view(call, OP_COLLAPSE, 1, s->wide); }
static void collapse_forgets(scene *s, op *call) { in_view(call, OP_COLLAPSE, 2, s->chain); }
static void toggle(scene *s, op *call) { in_view(call, OP_TOGGLE, 0, s->chain); }
static void expand_all(scene *s, op *call) {
    (void)s;
    in_view(call, OP_EXPAND_ALL, 0, CTREE_NONE);
}
static void expand_all_of_one(scene *s, op *call) { in_view(call, OP_EXPAND_ALL, 1, s->chain); }
static void collapse_all(scene *s, op *call) {
    (void)s;
    in_view(call, OP_COLLAPSE_ALL, 2, CTREE_NONE);
}
static void collapse_all_of_one(scene *s, op *call) { in_view(call, OP_COLLAPSE_ALL, 1, s->wide); }
static void reveal(scene *s, op *call) {
    in_view(call, OP_REVEAL, 0, ctree_store_child_at(s->w.store, s->deepest, 0));
}
/* More rows than there are blocks for: what was opened for the look ahead must close again. */
static void reveal_many(scene *s, op *call) {
    put_many(s, s->deepest, 4000);
    reveal(s, call);
}
static void trim(scene *s, op *call) {
    *call = (op){.view = 0};
    s->extra = CALL_TRIM;
}
static void compact(scene *s, op *call) {
    *call = (op){.view = 1};
    s->extra = CALL_COMPACT;
}

static const struct trial {
    const char *name;
    void (*prepare)(scene *s, op *call);
} trials[] = {
    {"insert where it shows", insert_below_shown},
    {"insert at the top", insert_below_open},
    {"insert among kept rows", insert_below_closed},
    {"build many siblings", build_wide},
    {"build a tree at the top", build_deep},
    {"move rows", move_shown_to_shown},
    {"move rows away", move_shown_to_closed},
    {"move hidden nodes to the top", move_closed_to_top},
    {"move a node whose rows are kept", move_kept},
    {"move rows to another depth", move_deeper},
    {"remove rows", remove_shown},
    {"remove kept rows", remove_kept},
    {"remove a run", remove_run},
    {"reconcile to a few", reconcile_few},
    {"reconcile to the reverse and more", reconcile_many},
    {"reconcile the top level", reconcile_top},
    {"reconcile from elsewhere", reconcile_elsewhere},
    {"graft among rows", graft_shown},
    {"graft at the top", graft_top},
    {"finish a load", load_finish},
    {"append a page", load_append},
    {"begin a load", load_begin},
    {"make a leaf", set_leaf},
    {"make a leaf one that opens", set_open},
    {"expand for the first time", expand_new},
    {"expand what was kept", expand_kept},
    {"expand what is hidden", expand_hidden},
    {"collapse", collapse_wide},
    {"collapse a section", collapse_section},
    {"collapse and forget", collapse_forgets},
    {"toggle", toggle},
    {"expand all", expand_all},
    {"expand all of a node", expand_all_of_one},
    {"collapse all", collapse_all},
    {"collapse all of a node", collapse_all_of_one},
    {"reveal", reveal},
    {"reveal among many", reveal_many},
    {"trim", trim},
    {"compact", compact},
};

/* ---- Trying ---------------------------------------------------------------------------------------------------- */

static ctree_status attempt(scene *s, op *call) {
    if (s->extra == CALL_TRIM) return ctree_view_trim(s->w.views[call->view]);
    if (s->extra == CALL_COMPACT) return ctree_view_compact(s->w.views[call->view]);
    return call_engine(&s->w, call, NULL);
}

static void commit_all(scene *s, uint64_t fail_commit, uint64_t fail_accept) {
    for (uint32_t v = 0; v < VIEWS; v++) {
        for (uint32_t round = 0; round < 2; round++) {
            view_screen_commit(&s->screens[v], &s->w.memory, fail_commit, 0);
            view_screen_show(&s->screens[v]);
            view_screen_accept(&s->screens[v], &s->w.memory, fail_accept, false);
        }
    }
}

typedef struct outcome {
    uint64_t dump, requests;
} outcome;

/* With the n-th allocation failing; whether it needed so many. */
static bool try_one(const struct trial *t, uint64_t n, bool onwards, const outcome *expected, outcome *out) {
    scene *s = scene_make();
    op call;
    t->prepare(s, &call);
    uint64_t before = dump(s);
    if (n != 0) failing_allocator_arm(&s->w.memory, n, onwards);
    ctree_status status = attempt(s, &call);
    bool failed = n != 0 && failing_allocator_disarm(&s->w.memory);
    for (uint32_t v = 0; v < VIEWS && failed; v++) s->screens[v].may_reload = true;
    if (status == CTREE_NO_MEMORY) {
        CHECK(failed);
        CHECK_EQUAL(dump(s), before);
        validate(s);
        status = attempt(s, &call);
    }
    CHECK_EQUAL(status, CTREE_OK);
    validate(s);
    out->dump = dump(s);
    /* Commits, while memory fails there too. */
    commit_all(s, n, n);
    out->requests = dump_requests(s);
    if (expected != NULL) {
        CHECK_EQUAL(out->dump, expected->dump);
        CHECK_EQUAL(out->requests, expected->requests);
    }
    scene_end(s);
    return failed;
}

static void try_all(bool onwards) {
    uint64_t failures = 0;
    char context[128] = "";
    check_context(context);
    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) {
        outcome expected, got;
        snprintf(context, sizeof context, "%s, nothing fails", trials[i].name);
        try_one(&trials[i], 0, false, NULL, &expected);
        for (uint64_t n = 1;; n++) {
            snprintf(context, sizeof context, "%s, allocation %" PRIu64, trials[i].name, n);
            if (!try_one(&trials[i], n, onwards, &expected, &got)) break;
            failures++;
        }
    }
    check_context("");
    printf("%" PRIu64 " allocations failed\n", failures);
    assert_true(failures > 100);
}

static void every_allocation_may_fail_once_with_three_views_attached(void **state) {
    (void)state;
    try_all(false);
}

static void every_allocation_may_fail_for_good_with_three_views_attached(void **state) {
    (void)state;
    try_all(true);
}

/* Each allocation of a commit and of an accept, after changes that need every part of them. */
static void every_allocation_of_a_commit_and_an_accept_may_fail(void **state) {
    (void)state;
    for (uint64_t n = 1; n < 40; n++) {
        for (uint32_t way = 0; way < 3; way++) {
            scene *s = scene_make();
            op call;
            for (uint32_t v = 0; v < VIEWS; v++) {
                CHECK_EQUAL(ctree_view_collapse(s->w.views[v], s->wide), CTREE_OK);
                CHECK_EQUAL(ctree_view_expand(s->w.views[v], s->small), CTREE_OK);
                CHECK_EQUAL(ctree_view_expand(s->w.views[v], s->closed), CTREE_OK);
            }
            move_kept(s, &call);
            CHECK_EQUAL(attempt(s, &call), CTREE_OK);
            for (uint32_t v = 0; v < VIEWS; v++) CHECK_EQUAL(ctree_view_expand(s->w.views[v], s->wide), CTREE_OK);
            reconcile_by(s, &call, s->wide, 7, 10);
            CHECK_EQUAL(attempt(s, &call), CTREE_OK);
            for (uint32_t v = 0; v < VIEWS && way == 1; v++) {
                CHECK_EQUAL(ctree_view_expand_all(s->w.views[v], CTREE_NONE, 2, NULL), CTREE_OK);
            }
            if (way != 2) {
                commit_all(s, n, n);
            } else {
                for (uint32_t v = 0; v < VIEWS; v++) {
                    view_screen *screen = &s->screens[v];
                    view_screen_commit(screen, &s->w.memory, n, 0);
                    view_screen_show(screen);
                    CHECK_EQUAL(ctree_view_toggle(screen->view, s->chain), CTREE_OK);
                    view_screen_accept(screen, &s->w.memory, n, true);
                }
                commit_all(s, n, n);
            }
            validate(s);
            scene_end(s);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail_once_with_three_views_attached),
        cmocka_unit_test(every_allocation_may_fail_for_good_with_three_views_attached),
        cmocka_unit_test(every_allocation_of_a_commit_and_an_accept_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
