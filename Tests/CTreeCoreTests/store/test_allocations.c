/*
 * Memory that runs out, at whichever allocation of whichever call: each in turn fails once, also with all that follow
 * it, on trees large enough for each part of the store to grow in the midst of the call. world_do compares everything
 * with the state before, makes the call again, and compares with the twin.
 */
#include "support/assertions.h"
#include "support/forest_box.h"
#include "support/unit.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

/* ---- The world that each call finds -------------------------------------------------------------------------- */

enum { WIDE = 300, FIRST_FREE_ID = 1000 };

static uint64_t value_of(uint32_t number) { return UINT64_C(0x100000000) + number; }

static ctree_node put(world *w, ctree_node parent, uint32_t number, uint32_t load_state) {
    ctree_node_init init = {value_of(number), number, load_state};
    op call = {
        .kind = OP_INSERT, .parent = parent, .at = CTREE_END, .init = &init, .id = id_supply(w->twin->kind, number)};
    CHECK_EQUAL(world_do(w, &call), CTREE_OK);
    return call.out;
}

/* Every eighth may be opened. */
static void put_many(world *w, ctree_node parent, uint32_t *number, uint32_t count) {
    forest_box *box = forest_box_new(count);
    for (uint32_t i = 0; i < count; i++, ++*number) {
        box->ids[i] = id_supply(w->twin->kind, *number);
        box->values[i] = value_of(*number);
        box->states[i] = i % 8 == 0 ? CTREE_STATE_UNLOADED : CTREE_STATE_LEAF;
    }
    op call = {.kind = OP_BUILD, .parent = parent, .at = CTREE_END, .forest = &box->forest};
    CHECK_EQUAL(world_do(w, &call), CTREE_OK);
    forest_box_free(box);
}

typedef struct scene {
    world *w, *other;
    ctree_node wide, full, deep, plain, loading, failed;
    ctree_ticket ticket;
    forest_box *box;
} scene;

/* A flat forest of the first `known` children of a parent, with the first few of them turned round at the end, and
   `fresh` new ones behind them. Few, since a view makes room for each move. */
static void list_of(scene *s, ctree_node parent, uint32_t known, uint32_t fresh) {
    enum { TURNED = 4 };
    const twin_node *above = twin_parent_of(s->w->twin, parent);
    s->box = forest_box_new((uint64_t)known + fresh);
    for (uint32_t i = 0; i < known; i++) {
        uint32_t from = i + TURNED < known ? i + TURNED : known - 1 - i;
        s->box->ids[i] = id_lasting(s->w->twin, above->children[from]);
        s->box->states[i] = CTREE_STATE_KEEP;
    }
    for (uint32_t i = known; i < known + fresh; i++) {
        s->box->ids[i] = id_supply(s->w->twin->kind, FIRST_FREE_ID + i);
        s->box->states[i] = CTREE_STATE_UNLOADED;
        s->box->values[i] = value_of(i);
        s->box->revisions[i] = i;
    }
}

/* The same as a tree: each fresh item stands below the one before, or beside it. */
static void tree_of(scene *s, uint32_t fresh) {
    list_of(s, CTREE_NONE, 0, fresh);
    for (uint32_t i = 0; i < fresh; i++) {
        if (i > 0) s->box->parents[i] = i < 40 ? i - 1 : 39;
        s->box->states[i] = i < 40 ? CTREE_STATE_LOADED : CTREE_STATE_LEAF;
    }
}

static scene scene_make(world_options options) {
    scene s = {.w = world_create(options)};
    world *w = s.w;
    uint32_t number = 0;
    s.wide = put(w, CTREE_NONE, number++, CTREE_STATE_LOADED);
    s.full = put(w, CTREE_NONE, number++, CTREE_STATE_LOADED);
    s.plain = put(w, CTREE_NONE, number++, CTREE_STATE_LEAF);
    s.loading = put(w, CTREE_NONE, number++, CTREE_STATE_UNLOADED);
    s.failed = put(w, CTREE_NONE, number++, CTREE_STATE_UNLOADED);
    s.deep = put(w, CTREE_NONE, number++, CTREE_STATE_LOADED);
    put_many(w, s.wide, &number, WIDE);
    put_many(w, s.full, &number, 256); /* one more makes it wide */
    ctree_node parent = s.deep;
    for (uint32_t i = 0; i < 20; i++) parent = put(w, parent, number++, CTREE_STATE_LOADED);
    world_view(w, 0, 0, 2);
    world_view(w, 1, CTREE_VIEW_SECTIONS | CTREE_VIEW_FORGETS, 0);
    op begin = {.kind = OP_BEGIN, .node = s.loading};
    CHECK_EQUAL(world_do(w, &begin), CTREE_OK);
    s.ticket = begin.ticket;
    op again = {.kind = OP_BEGIN, .node = s.failed};
    CHECK_EQUAL(world_do(w, &again), CTREE_OK);
    op fail = {.kind = OP_FAIL, .node = s.failed, .ticket = again.ticket, .value = 9};
    CHECK_EQUAL(world_do(w, &fail), CTREE_OK);
    return s;
}

static void scene_end(scene *s) {
    if (s->box != NULL) forest_box_free(s->box);
    if (s->other != NULL) world_destroy(s->other);
    world_destroy(s->w);
}

/* ---- The calls ----------------------------------------------------------------------------------------------- */

typedef struct trial {
    const char *name;
    void (*prepare)(scene *s, op *call);
    bool takes_none; /* No allocation at all. */
} trial;

static const ctree_node_init fresh_init = {7, 8, CTREE_STATE_UNLOADED};

static void insert_into(scene *s, op *call, ctree_node parent) {
    *call = (op){.kind = OP_INSERT,
                 .parent = parent,
                 .at = 1,
                 .init = &fresh_init,
                 .id = id_supply(s->w->twin->kind, 1007)}; /* as bytes: too long to lie among others */
}
static void insert_wide(scene *s, op *call) { insert_into(s, call, s->wide); }
static void insert_full(scene *s, op *call) { insert_into(s, call, s->full); }
static void insert_plain(scene *s, op *call) {
    insert_into(s, call, s->plain);
    call->at = 0;
}
static void move_into(scene *s, op *call, ctree_node parent) {
    *call = (op){.kind = OP_MOVE, .node = s->deep, .parent = parent, .at = 0};
}
static void move_wide(scene *s, op *call) { move_into(s, call, s->wide); }
static void move_full(scene *s, op *call) { move_into(s, call, s->full); }
static void move_plain(scene *s, op *call) { move_into(s, call, s->plain); }
static void move_within(scene *s, op *call) {
    *call = (op){
        .kind = OP_MOVE, .parent = s->wide, .at = CTREE_END, .node = ctree_store_child_at(s->w->store, s->wide, 3)};
}
static void move_up(scene *s, op *call) {
    *call = (op){.kind = OP_MOVE, .at = 0, .node = ctree_store_child_at(s->w->store, s->wide, 8)};
}
static void set_value(scene *s, op *call) {
    *call = (op){.kind = OP_SET_VALUE, .node = s->deep, .value = 77, .revision = 78};
}
static void make_leaf(scene *s, op *call) { *call = (op){.kind = OP_SET_LEAF, .node = s->wide, .flag = true}; }
static void unmake_leaf(scene *s, op *call) { *call = (op){.kind = OP_SET_LEAF, .node = s->plain}; }
static void build_into(scene *s, op *call, ctree_node parent, uint32_t at) {
    *call = (op){.kind = OP_BUILD, .parent = parent, .at = at, .forest = &s->box->forest, .outs = s->box->outs};
}
static void build_tree(scene *s, op *call) {
    tree_of(s, 400);
    build_into(s, call, s->plain, 0);
}
static void build_wide(scene *s, op *call) {
    list_of(s, s->wide, 0, 200);
    build_into(s, call, s->wide, 100);
}
static void build_full(scene *s, op *call) {
    list_of(s, s->full, 0, 2);
    build_into(s, call, s->full, 7);
}
static void graft_wide(scene *s, op *call) {
    world_options options = {s->w->twin->kind, s->w->twin->scope, 0, true};
    s->other = world_create(options);
    for (uint32_t i = 0; i < 30; i++) {
        put(s->other, i < 9 ? CTREE_NONE : s->other->twin->top->children[i % 9]->handle, 2000 + i,
            CTREE_STATE_UNLOADED);
    }
    world_view(s->other, 0, 0, 1);
    *call = (op){.kind = OP_GRAFT, .parent = s->full, .at = 5, .other = s->other};
}
static void reconcile(scene *s, op *call, ctree_node parent) {
    *call = (op){.kind = OP_RECONCILE,
                 .parent = parent,
                 .elsewhere = CTREE_ELSEWHERE_MOVES,
                 .forest = &s->box->forest,
                 .outs = s->box->outs};
}
static void reconcile_turned(scene *s, op *call) {
    list_of(s, s->wide, WIDE, 0);
    reconcile(s, call, s->wide);
}
static void reconcile_mixed(scene *s, op *call) {
    list_of(s, s->wide, 100, 300);
    reconcile(s, call, s->wide);
}
static void reconcile_elsewhere(scene *s, op *call) { /* in sibling scope these are new */
    list_of(s, s->full, 10, 60);
    reconcile(s, call, s->deep);
}
static void reconcile_grows(scene *s, op *call) {
    list_of(s, s->full, 256, 5);
    reconcile(s, call, s->full);
}
static void reconcile_tree(scene *s, op *call) {
    tree_of(s, 300);
    reconcile(s, call, CTREE_NONE);
}
static void reconcile_empty(scene *s, op *call) {
    list_of(s, s->wide, 0, 0);
    reconcile(s, call, s->wide);
}
static void begin_first(scene *s, op *call) {
    *call = (op){.kind = OP_BEGIN, .node = ctree_store_child_at(s->w->store, s->wide, 16)};
}
static void begin_again(scene *s, op *call) {
    *call = (op){.kind = OP_BEGIN, .node = s->loading, .flags = CTREE_LOAD_RELOAD};
}
static void begin_failed(scene *s, op *call) { *call = (op){.kind = OP_BEGIN, .node = s->failed}; }
static void finish(scene *s, op *call) {
    tree_of(s, 320);
    *call = (op){
        .kind = OP_FINISH, .node = s->loading, .ticket = s->ticket, .forest = &s->box->forest, .outs = s->box->outs};
}
static void append(scene *s, op *call) {
    list_of(s, s->loading, 0, 320);
    *call = (op){.kind = OP_APPEND,
                 .node = s->loading,
                 .ticket = s->ticket,
                 .forest = &s->box->forest,
                 .outs = s->box->outs,
                 .flag = true};
}
static void append_reload(scene *s, op *call) {
    op begin = {.kind = OP_BEGIN, .node = s->wide, .flags = CTREE_LOAD_RELOAD};
    CHECK_EQUAL(world_do(s->w, &begin), CTREE_OK);
    list_of(s, s->wide, 120, 40);
    *call = (op){.kind = OP_APPEND, .node = s->wide, .ticket = begin.ticket, .forest = &s->box->forest};
}
static void load_fails(scene *s, op *call) {
    *call = (op){.kind = OP_FAIL, .node = s->loading, .ticket = s->ticket, .value = 4};
}
static void cancel(scene *s, op *call) { *call = (op){.kind = OP_CANCEL, .node = s->loading, .ticket = s->ticket}; }
static void drop(scene *s, op *call) { *call = (op){.kind = OP_DROP, .node = s->wide}; }
static void request(scene *s, op *call) { *call = (op){.kind = OP_REQUEST, .node = s->failed}; }
static void next_request(scene *s, op *call) {
    (void)s;
    *call = (op){.kind = OP_NEXT_REQUEST};
}
static void remove_deep(scene *s, op *call) { *call = (op){.kind = OP_REMOVE, .node = s->deep}; }
static void remove_wide(scene *s, op *call) { *call = (op){.kind = OP_REMOVE, .node = s->wide}; }
static void remove_some(scene *s, op *call) {
    *call = (op){.kind = OP_REMOVE_CHILDREN, .parent = s->wide, .at = 7, .count = 200};
}
static void expand_wide(scene *s, op *call) { *call = (op){.kind = OP_EXPAND, .view = 1, .node = s->failed}; }
static void collapse_wide(scene *s, op *call) { *call = (op){.kind = OP_COLLAPSE, .view = 1, .node = s->wide}; }
static void toggle_wide(scene *s, op *call) { *call = (op){.kind = OP_TOGGLE, .view = 0, .node = s->wide}; }
static void expand_all(scene *s, op *call) {
    (void)s;
    *call = (op){.kind = OP_EXPAND_ALL, .view = 1, .levels = CTREE_ALL_LEVELS};
}
static void collapse_all(scene *s, op *call) {
    (void)s;
    *call = (op){.kind = OP_COLLAPSE_ALL, .view = 0};
}
static void reveal(scene *s, op *call) {
    const twin_node *node = twin_node_of(s->w->twin, s->deep);
    while (node->count > 0) node = node->children[0];
    *call = (op){.kind = OP_REVEAL, .view = 1, .node = node->handle};
}
static void create_view(scene *s, op *call) {
    (void)s;
    *call = (op){.kind = OP_VIEW_CREATE, .view = 2, .levels = CTREE_ALL_LEVELS};
}

static const trial trials[] = {
    {"insert into a wide list", insert_wide, false},
    {"insert into a list that becomes wide", insert_full, false},
    {"insert below a leaf", insert_plain, false},
    {"move into a wide list", move_wide, false},
    {"move into a list that becomes wide", move_full, false},
    {"move below a leaf", move_plain, false},
    {"move within a wide list", move_within, false},
    {"move up to where nodes are open", move_up, false},
    {"set a value", set_value, false},
    {"make a leaf", make_leaf, false},
    {"make a leaf one that may open", unmake_leaf, false},
    {"build a tree", build_tree, false},
    {"build in a wide list", build_wide, false},
    {"build so that a list becomes wide", build_full, false},
    {"graft", graft_wide, false},
    {"reconcile to another order", reconcile_turned, false},
    {"reconcile old and new", reconcile_mixed, false},
    {"reconcile what stands elsewhere", reconcile_elsewhere, false},
    {"reconcile so that a list becomes wide", reconcile_grows, false},
    {"reconcile all by a tree", reconcile_tree, false},
    {"reconcile to nothing", reconcile_empty, false},
    {"begin the first load", begin_first, false},
    {"begin a load again", begin_again, false},
    {"begin after a failure", begin_failed, false},
    {"finish a load", finish, false},
    {"append a page", append, false},
    {"append the first page of a reload", append_reload, false},
    {"fail a load", load_fails, false},
    {"cancel a load", cancel, false},
    {"drop", drop, false},
    {"request a load", request, false},
    {"take a request", next_request, false},
    {"remove a deep subtree", remove_deep, true},
    {"remove a wide subtree", remove_wide, true},
    {"remove a run of children", remove_some, true},
    {"expand", expand_wide, false},
    {"collapse and forget", collapse_wide, false},
    {"toggle", toggle_wide, false},
    {"expand all", expand_all, false},
    {"collapse all", collapse_all, false},
    {"reveal", reveal, false},
    {"create a view", create_view, false},
};

/* Runs a call with the n-th allocation failing, for n = 1, 2, ... until it needs fewer. */
static uint64_t try_each(const trial *t, world_options options, bool onwards) {
    char context[128] = "";
    check_context(context);
    for (uint64_t n = 1;; n++) {
        snprintf(context, sizeof context, "%s, kind %d, scope %d, allocation %" PRIu64, t->name, (int)options.kind,
                 (int)options.scope, n);
        scene s = scene_make(options);
        op call;
        t->prepare(&s, &call);
        call.fail_at = n;
        call.fail_onwards = onwards;
        CHECK_EQUAL(world_do(s.w, &call), CTREE_OK);
        bool needed = call.was_disturbed;
        if (t->takes_none) CHECK(!needed);
        if (!needed || n < 3) world_compare(s.w);
        scene_end(&s);
        if (needed) continue;
        check_context("");
        return n - 1;
    }
}

static void try_all(bool onwards) {
    uint64_t failures = 0;
    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) {
        /* Kind and scope take turns: what they change are a few calls to the index and the identifiers. */
        uint32_t k = (uint32_t)i + (onwards ? 2 : 0);
        world_options options = {(ctree_id_kind)(k & 1), (ctree_id_scope)(k >> 1 & 1), 0, true};
        failures += try_each(&trials[i], options, onwards);
    }
    printf("%" PRIu64 " allocations failed, one at a time\n", failures);
    assert_true(failures > 200);
}

static void every_allocation_may_fail_once_in_every_call(void **state) {
    (void)state;
    try_all(false);
}

static void every_allocation_may_fail_for_good_in_every_call(void **state) {
    (void)state;
    try_all(true);
}

/* ---- Calls that are none of the world's ------------------------------------------------------------------------ */

static void a_store_that_cannot_be_created_leaves_nothing_behind(void **state) {
    (void)state;
    for (uint32_t k = 0; k < 4; k++) {
        for (uint64_t n = 1;; n++) {
            failing_allocator memory;
            failing_allocator_init(&memory);
            ctree_allocator allocator = failing_allocator_use(&memory);
            ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
            options.allocator = &allocator;
            options.id_kind = k & 1;
            options.id_scope = k >> 1;
            ctree_store *store = NULL;
            failing_allocator_arm(&memory, n, false);
            ctree_status status = ctree_store_create(&options, &store);
            bool failed = failing_allocator_disarm(&memory);
            assert_int_equal(status, failed ? CTREE_NO_MEMORY : CTREE_OK);
            if (failed) assert_null(store);
            ctree_store_destroy(store);
            assert_int_equal(memory.blocks, 0);
            if (!failed) break;
        }
    }
}

static void flattening_adding_a_listener_and_validating_may_run_out_of_memory(void **state) {
    (void)state;
    world_options options = {CTREE_ID_U64, CTREE_SCOPE_STORE, 0, true};
    scene s = scene_make(options);
    failing_allocator *memory = &s.w->memory;
    for (uint32_t flags = 0; flags <= CTREE_ROWS_LOOKUP; flags++) {
        for (uint64_t n = 1;; n++) {
            size_t blocks = memory->blocks;
            ctree_rows *rows = NULL;
            failing_allocator_arm(memory, n, false);
            ctree_status status = ctree_rows_flatten(s.w->views[0], flags, NULL, &rows);
            bool failed = failing_allocator_disarm(memory);
            assert_int_equal(status, failed ? CTREE_NO_MEMORY : CTREE_OK);
            if (failed) assert_null(rows);
            ctree_rows_destroy(rows);
            assert_int_equal(memory->blocks, blocks);
            if (!failed) break;
        }
    }
    const ctree_listener listener = {NULL, NULL, NULL, NULL};
    for (uint32_t i = 0; i < 40; i++) {
        uint64_t token = 0;
        failing_allocator_arm(memory, 1, false);
        ctree_status status = ctree_store_add_listener(s.w->store, &listener, &token);
        bool failed = failing_allocator_disarm(memory);
        assert_int_equal(status, failed ? CTREE_NO_MEMORY : CTREE_OK);
        if (failed) assert_int_equal(token, 0);
        if (failed) assert_int_equal(ctree_store_add_listener(s.w->store, &listener, &token), CTREE_OK);
    }
    for (uint64_t n = 1;; n++) {
        const char *reason = "none";
        size_t blocks = memory->blocks;
        failing_allocator_arm(memory, n, false);
        ctree_status status = ctree_validate(s.w->store, &reason);
        bool failed = failing_allocator_disarm(memory);
        assert_int_equal(status, failed ? CTREE_NO_MEMORY : CTREE_OK);
        assert_int_equal(memory->blocks, blocks);
        if (!failed) break;
    }
    world_compare(s.w);
    scene_end(&s);
}

/* Each part of the store grows at a size of its own: the first allocation of every one of these calls fails. */
static void a_store_grows_by_calls_that_each_fail_once(void **state) {
    (void)state;
    for (uint32_t k = 0; k < 4; k++) {
        world_options options = {(ctree_id_kind)(k & 1), (ctree_id_scope)(k >> 1), 0, true};
        world *w = world_create(options);
        world_view(w, 0, 0, CTREE_ALL_LEVELS);
        ctree_node parent = CTREE_NONE;
        for (uint32_t i = 0; i < 900; i++) {
            ctree_node_init init = {value_of(i), i, CTREE_STATE_UNLOADED};
            op call = {.kind = OP_INSERT,
                       .parent = i % 3 == 0 ? parent : CTREE_NONE,
                       .at = i % 7 == 0 ? 0 : CTREE_END,
                       .id = id_supply(options.kind, i),
                       .init = &init,
                       .fail_at = 1 + i % 4};
            CHECK_EQUAL(world_do(w, &call), CTREE_OK);
            if (i % 11 == 0) parent = call.out;
            op begin = {.kind = OP_BEGIN, .node = call.out, .fail_at = 1 + i % 2};
            if (i % 5 == 0) CHECK_EQUAL(world_do(w, &begin), CTREE_OK);
        }
        world_compare(w);
        world_destroy(w);
    }
}

int main(void) {
#ifdef M_TRIM_THRESHOLD
    /* Worlds come and go by the thousand: giving each one's pages back to the system would take most of the time. */
    mallopt(M_TRIM_THRESHOLD, 1 << 28);
    mallopt(M_MMAP_THRESHOLD, 1 << 28);
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail_once_in_every_call),
        cmocka_unit_test(every_allocation_may_fail_for_good_in_every_call),
        cmocka_unit_test(a_store_that_cannot_be_created_leaves_nothing_behind),
        cmocka_unit_test(flattening_adding_a_listener_and_validating_may_run_out_of_memory),
        cmocka_unit_test(a_store_grows_by_calls_that_each_fail_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
