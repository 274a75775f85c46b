/* What may be done from within the callbacks of an edit, and who hears what. */
#include "support/assertions.h"
#include "support/sketch.h"
#include "support/unit.h"

/* ---- A listener that does something at its first callback ----------------------------------------------------- */

typedef struct actor actor;
struct actor {
    ctree_store *store;
    ctree_view *view;
    ctree_node node;
    uint64_t token, other_token;
    void (*on_before)(actor *a);
    void (*on_after)(actor *a);
    void (*on_settled)(actor *a);
    uint64_t befores, afters, settleds, edits_in_settled;
    actor *next; /* to be added by this one */
};

static void hear_before(void *context, const ctree_store *store, const ctree_edit *edit) {
    actor *a = context;
    (void)store;
    (void)edit;
    a->befores++;
    if (a->on_before != NULL) a->on_before(a);
}

static void hear_after(void *context, const ctree_store *store, const ctree_edit *edit) {
    actor *a = context;
    (void)store;
    (void)edit;
    a->afters++;
    if (a->on_after != NULL) a->on_after(a);
}

static void hear_settled(void *context, ctree_store *store) {
    actor *a = context;
    assert_ptr_equal(store, a->store);
    a->settleds++;
    if (a->on_settled != NULL) a->on_settled(a);
}

static void listen(actor *a, world *w) {
    a->store = w->store;
    a->view = w->views[0];
    ctree_listener listener = {a, hear_before, hear_after, hear_settled};
    assert_int_equal(ctree_store_add_listener(w->store, &listener, &a->token), CTREE_OK);
    assert_true(a->token != 0);
}

/* ---- Read-only while an edit is told -------------------------------------------------------------------------- */

static void every_edit_is_busy(actor *a) {
    ctree_store *s = a->store;
    ctree_id id = ctree_id_u64('q');
    ctree_forest forest = CTREE_FOREST_INIT;
    ctree_node node = a->node, out = 7;
    ctree_ticket ticket = 7;
    ctree_view *made = NULL;
    forest.count = 1;
    forest.ids = &id;
    assert_int_equal(ctree_store_insert(s, CTREE_NONE, 0, id, NULL, &out), CTREE_BUSY);
    assert_int_equal(ctree_store_remove(s, node), CTREE_BUSY);
    assert_int_equal(ctree_store_remove_children(s, CTREE_NONE, 0, 1), CTREE_BUSY);
    assert_int_equal(ctree_store_move(s, node, CTREE_NONE, 0), CTREE_BUSY);
    assert_int_equal(ctree_store_set_value(s, node, 1, 2), CTREE_BUSY);
    assert_int_equal(ctree_store_set_leaf(s, node, true), CTREE_BUSY);
    assert_int_equal(ctree_store_build(s, CTREE_NONE, 0, &forest, NULL, &out, NULL), CTREE_BUSY);
    assert_int_equal(ctree_store_reconcile(s, CTREE_NONE, &forest, 0, NULL, &out, NULL), CTREE_BUSY);
    assert_int_equal(ctree_load_request(s, node), CTREE_BUSY);
    assert_int_equal(ctree_load_begin(s, node, CTREE_LOAD_RELOAD, &ticket), CTREE_BUSY);
    assert_int_equal(ctree_load_finish(s, node, 1, &forest, 0, &out, NULL), CTREE_BUSY);
    assert_int_equal(ctree_load_append(s, node, 1, &forest, true, &out, NULL), CTREE_BUSY);
    assert_int_equal(ctree_load_fail(s, node, 1, 1), CTREE_BUSY);
    assert_int_equal(ctree_load_cancel(s, node, 1), CTREE_BUSY);
    assert_int_equal(ctree_load_drop(s, node), CTREE_BUSY);
    assert_int_equal(out, 7);
    assert_int_equal(ticket, 7);
    assert_null(made);
    if (a->view == NULL) return;
    assert_int_equal(ctree_view_expand(a->view, node), CTREE_BUSY);
    assert_int_equal(ctree_view_collapse(a->view, node), CTREE_BUSY);
    assert_int_equal(ctree_view_toggle(a->view, node), CTREE_BUSY);
    assert_int_equal(ctree_view_expand_all(a->view, CTREE_NONE, 1, NULL), CTREE_BUSY);
    assert_int_equal(ctree_view_collapse_all(a->view, CTREE_NONE), CTREE_BUSY);
    assert_int_equal(ctree_view_reveal(a->view, node), CTREE_BUSY);
}

static void graft_is_busy(actor *a) {
    ctree_store *other = NULL;
    assert_int_equal(ctree_store_create(NULL, &other), CTREE_OK);
    assert_int_equal(ctree_store_insert(other, CTREE_NONE, 0, ctree_id_u64(1), NULL, NULL), CTREE_OK);
    assert_int_equal(ctree_store_graft(a->store, CTREE_NONE, 0, other, NULL, NULL), CTREE_BUSY);
    assert_int_equal(ctree_store_graft(other, CTREE_NONE, 0, a->store, NULL, NULL), CTREE_BUSY);
    assert_int_equal(ctree_store_count(other), 1);
    ctree_store_destroy(other);
}

static void busy_both_ways(actor *a) {
    every_edit_is_busy(a);
    graft_is_busy(a);
}

WORLD_TEST(an_edit_while_an_edit_is_told_is_busy_and_reads_are_not) {
    sketch(w, "A[x y] B?");
    world_view(w, 0, 0, CTREE_ALL_LEVELS);
    actor a = {.node = at(w, 'A'), .on_before = busy_both_ways, .on_after = busy_both_ways};
    listen(&a, w);
    world_insert(w, at(w, 'B'), 0, ctree_id_u64('z'), CTREE_STATE_LEAF);
    op move = {.kind = OP_MOVE, .node = at(w, 'x'), .parent = at(w, 'B'), .at = 0};
    assert_int_equal(world_do(w, &move), CTREE_OK);
    op set = {.kind = OP_SET_VALUE, .node = at(w, 'y'), .value = 1};
    assert_int_equal(world_do(w, &set), CTREE_OK);
    assert_int_equal(world_on(w, OP_REMOVE, at(w, 'y')), CTREE_OK);
    assert_int_equal(sketch_reconcile(w, CTREE_NONE, "A[n] B[x]", CTREE_ELSEWHERE_FAILS), CTREE_OK);
    assert_true(a.befores >= 7);
    assert_int_equal(a.befores, a.afters);
    assert_int_equal(ctree_store_remove_listener(w->store, a.token), CTREE_OK);
}

WORLD_TEST(before_hears_what_goes_while_it_is_there_and_after_what_came_when_it_is) {
    /* The mirror of every world checks this at each step; here it is only made sure that there are such steps. */
    sketch(w, "A[x[1 2]]");
    assert_int_equal(sketch_reconcile(w, CTREE_NONE, "A[n[m] x[2]]", CTREE_ELSEWHERE_FAILS), CTREE_OK);
    assert_int_equal(w->mirror.told[CTREE_EDIT_INSERT], 1);
    assert_int_equal(w->mirror.told[CTREE_EDIT_REMOVE], 1);
    assert_int_equal(w->mirror.settled, 1);
}

/* ---- Settled --------------------------------------------------------------------------------------------------- */

static void edits_twice(actor *a) {
    if (a->edits_in_settled == 2) return;
    a->edits_in_settled++;
    ctree_id id = ctree_id_u64(1000 + a->edits_in_settled);
    assert_int_equal(ctree_store_insert(a->store, CTREE_NONE, 0, id, NULL, NULL), CTREE_OK);
}

static void an_edit_within_settled_is_followed_by_a_settled_of_its_own(void **state) {
    (void)state;
    ctree_store *store = NULL;
    assert_int_equal(ctree_store_create(NULL, &store), CTREE_OK);
    actor first = {.store = store, .on_settled = edits_twice}, second = {.store = store};
    ctree_listener listener = {&first, hear_before, hear_after, hear_settled};
    assert_int_equal(ctree_store_add_listener(store, &listener, &first.token), CTREE_OK);
    listener.context = &second;
    assert_int_equal(ctree_store_add_listener(store, &listener, &second.token), CTREE_OK);
    assert_int_equal(ctree_store_insert(store, CTREE_NONE, 0, ctree_id_u64(1), NULL, NULL), CTREE_OK);
    assert_int_equal(ctree_store_count(store), 3);
    assert_int_equal(first.befores, 3);
    assert_int_equal(first.settleds, 3);
    assert_int_equal(second.afters, 3);
    assert_true(second.settleds >= 1 && second.settleds <= 3);
    ctree_store_destroy(store);
}

WORLD_TEST(a_call_that_changes_nothing_settles_nothing) {
    sketch(w, "A[x]");
    actor a = {.node = at(w, 'A')};
    listen(&a, w);
    assert_int_equal(ctree_store_set_value(w->store, at(w, 'A'), 0, 0), CTREE_OK);
    assert_int_equal(ctree_store_move(w->store, at(w, 'x'), at(w, 'A'), 0), CTREE_OK);
    assert_int_equal(ctree_store_remove_children(w->store, CTREE_NONE, 1, 0), CTREE_OK);
    assert_int_equal(ctree_store_remove(w->store, 12345), CTREE_STALE);
    assert_int_equal(a.befores + a.afters + a.settleds, 0);
    assert_int_equal(ctree_store_remove_listener(w->store, a.token), CTREE_OK);
}

/* ---- Listeners that come and go -------------------------------------------------------------------------------- */

static void leaves(actor *a) { assert_int_equal(ctree_store_remove_listener(a->store, a->token), CTREE_OK); }

static void sends_the_other_away(actor *a) {
    if (a->other_token == 0) return;
    assert_int_equal(ctree_store_remove_listener(a->store, a->other_token), CTREE_OK);
    assert_int_equal(ctree_store_remove_listener(a->store, a->other_token), CTREE_NOT_FOUND);
    a->other_token = 0;
}

static void brings_another(actor *a) {
    if (a->next == NULL) return;
    ctree_listener listener = {a->next, hear_before, hear_after, hear_settled};
    a->next->store = a->store;
    assert_int_equal(ctree_store_add_listener(a->store, &listener, &a->next->token), CTREE_OK);
    a->next = NULL;
}

WORLD_TEST(a_listener_that_leaves_within_a_callback_hears_nothing_more) {
    actor a = {.on_before = leaves}, b = {.on_after = leaves}, c = {.on_settled = leaves}, rest = {0};
    listen(&a, w);
    listen(&b, w);
    listen(&c, w);
    listen(&rest, w);
    for (uint64_t i = 1; i <= 3; i++) {
        world_insert(w, CTREE_NONE, 0, ctree_id_u64(i), CTREE_STATE_LEAF);
        assert_int_equal(rest.befores, i);
        assert_int_equal(rest.settleds, i);
    }
    assert_int_equal(a.befores, 1);
    assert_int_equal(a.afters + a.settleds, 0);
    assert_int_equal(b.befores + b.afters, 2);
    assert_int_equal(b.settleds, 0);
    assert_int_equal(c.befores + c.afters + c.settleds, 3);
    assert_int_equal(ctree_store_remove_listener(w->store, a.token), CTREE_NOT_FOUND);
    assert_int_equal(ctree_store_remove_listener(w->store, rest.token), CTREE_OK);
}

WORLD_TEST(a_listener_that_another_sends_away_hears_nothing_more) {
    actor a = {.on_before = sends_the_other_away}, b = {0};
    listen(&a, w);
    listen(&b, w);
    a.other_token = b.token;
    world_insert(w, CTREE_NONE, 0, ctree_id_u64(1), CTREE_STATE_LEAF);
    assert_int_equal(b.befores + b.afters + b.settleds, 0);
    assert_int_equal(ctree_store_remove_listener(w->store, a.token), CTREE_OK);
}

WORLD_TEST(a_listener_added_within_a_callback_hears_what_begins_afterwards) {
    actor first = {0}, second = {0}, third = {0};
    actor a = {.on_before = brings_another, .next = &first}, b = {.on_after = brings_another, .next = &second};
    actor c = {.on_settled = brings_another, .next = &third};
    listen(&a, w);
    listen(&b, w);
    listen(&c, w);
    world_insert(w, CTREE_NONE, 0, ctree_id_u64(1), CTREE_STATE_LEAF);
    assert_int_equal(first.befores + first.afters + second.befores + second.afters, 0);
    assert_int_equal(third.befores + third.afters + third.settleds, 0);
    world_insert(w, CTREE_NONE, 0, ctree_id_u64(2), CTREE_STATE_LEAF);
    assert_int_equal(first.befores, 1);
    assert_int_equal(second.afters, 1);
    assert_int_equal(third.befores + third.afters + third.settleds, 3);
}

static uint64_t order_heard[4];
static void writes_its_number(void *context, const ctree_store *store, const ctree_edit *edit) {
    (void)store;
    (void)edit;
    order_heard[++order_heard[0]] = *(uint64_t *)context;
}

WORLD_TEST(listeners_are_told_in_the_order_they_came) {
    uint64_t numbers[3] = {10, 20, 30}, tokens[3];
    memset(order_heard, 0, sizeof order_heard);
    for (uint32_t i = 0; i < 3; i++) {
        ctree_listener listener = {&numbers[i], writes_its_number, NULL, NULL};
        assert_int_equal(ctree_store_add_listener(w->store, &listener, &tokens[i]), CTREE_OK);
    }
    world_insert(w, CTREE_NONE, 0, ctree_id_u64(1), CTREE_STATE_LEAF);
    assert_int_equal(order_heard[0], 3);
    for (uint32_t i = 0; i < 3; i++) assert_int_equal(order_heard[i + 1], numbers[i]);
    for (uint32_t i = 0; i < 3; i++) assert_int_equal(ctree_store_remove_listener(w->store, tokens[i]), CTREE_OK);
}

/* ---- Destroy from within ----------------------------------------------------------------------------------------
 */

static void destroys_the_store(actor *a) { ctree_store_destroy(a->store); }
static void destroys_the_view(actor *a) {
    ctree_view_destroy(a->view);
    a->view = NULL;
}

static void after_a_destroy_within(void (*arrange)(actor *a)) {
    failing_allocator memory;
    failing_allocator_init(&memory);
    ctree_allocator allocator = failing_allocator_use(&memory);
    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    options.allocator = &allocator;
    actor a = {0};
    assert_int_equal(ctree_store_create(&options, &a.store), CTREE_OK);
    assert_int_equal(ctree_view_create(a.store, NULL, &a.view), CTREE_OK);
    ctree_listener listener = {&a, hear_before, hear_after, hear_settled};
    assert_int_equal(ctree_store_add_listener(a.store, &listener, &a.token), CTREE_OK);
    arrange(&a);
    ctree_node node = CTREE_NONE;
    assert_int_equal(ctree_store_insert(a.store, CTREE_NONE, 0, ctree_id_u64(1), NULL, &node), CTREE_OK);
    assert_true(node != CTREE_NONE);
    assert_int_equal(a.befores, 1);
    assert_int_equal(a.afters, 1);
    assert_int_equal(a.settleds, 1);
    /* The view still holds the object: it is closed. */
    assert_int_equal(ctree_store_count(a.store), 0);
    assert_int_equal(ctree_store_insert(a.store, CTREE_NONE, 0, ctree_id_u64(2), NULL, NULL), CTREE_CLOSED);
    assert_int_equal(ctree_view_expand(a.view, node), CTREE_CLOSED);
    ctree_view_destroy(a.view);
    assert_int_equal(memory.blocks, 0);
}

static void in_before(actor *a) { a->on_before = destroys_the_store; }
static void in_after(actor *a) { a->on_after = destroys_the_store; }
static void in_settled(actor *a) { a->on_settled = destroys_the_store; }

static void a_store_destroyed_within_a_callback_closes_when_the_call_returns(void **state) {
    (void)state;
    after_a_destroy_within(in_before);
    after_a_destroy_within(in_after);
    after_a_destroy_within(in_settled);
}

static void a_view_may_be_destroyed_within_a_callback(void **state) {
    (void)state;
    for (uint32_t when = 0; when < 3; when++) {
        world_options options = {CTREE_ID_U64, CTREE_SCOPE_STORE, 0, true};
        world *w = world_create(options);
        sketch(w, "A[x y]");
        actor a = {0};
        listen(&a, w);
        assert_int_equal(ctree_view_create(w->store, NULL, &a.view), CTREE_OK);
        if (when == 0) a.on_before = destroys_the_view;
        if (when == 1) a.on_after = destroys_the_view;
        if (when == 2) a.on_settled = destroys_the_view;
        assert_int_equal(world_on(w, OP_REMOVE, at(w, 'x')), CTREE_OK);
        assert_null(a.view);
        world_insert(w, CTREE_NONE, 0, ctree_id_u64(1), CTREE_STATE_LEAF);
        assert_int_equal(ctree_store_remove_listener(w->store, a.token), CTREE_OK);
        world_compare(w);
        world_destroy(w);
    }
}

/* ---- Values let go ----------------------------------------------------------------------------------------------
 */

typedef struct releases {
    ctree_store *store;
    ctree_view *view;
    uint64_t sum, count, calls;
    bool destroys;
} releases;

static void on_release(void *context, const ctree_node *nodes, const uint64_t *values, size_t count) {
    releases *r = context;
    r->calls++;
    for (size_t i = 0; i < count; i++) {
        r->count++;
        r->sum += values[i];
        assert_false(ctree_store_contains(r->store, nodes[i]));
    }
    ctree_status status = ctree_store_insert(r->store, CTREE_NONE, 0, ctree_id_u64(77), NULL, NULL);
    assert_true(status == CTREE_BUSY || status == CTREE_CLOSED);
    if (r->view != NULL) {
        status = ctree_view_collapse_all(r->view, CTREE_NONE);
        assert_true(status == CTREE_BUSY || status == CTREE_CLOSED);
    }
    ctree_store_count(r->store);
    if (r->destroys) ctree_store_destroy(r->store);
}

static ctree_store *releasing(releases *r, uint32_t nodes) {
    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    options.release = on_release;
    options.release_context = r;
    assert_int_equal(ctree_store_create(&options, &r->store), CTREE_OK);
    for (uint32_t i = 0; i < nodes; i++) {
        ctree_node_init init = {i, 0, CTREE_STATE_LEAF};
        assert_int_equal(ctree_store_insert(r->store, CTREE_NONE, CTREE_END, ctree_id_u64(i), &init, NULL), CTREE_OK);
    }
    return r->store;
}

static void every_value_is_let_go_once_in_blocks_also_at_destroy(void **state) {
    (void)state;
    enum { NODES = 5000 };
    releases r = {0};
    ctree_store *store = releasing(&r, NODES);
    assert_int_equal(ctree_view_create(store, NULL, &r.view), CTREE_OK);
    assert_int_equal(ctree_store_remove_children(store, CTREE_NONE, 0, 2000), CTREE_OK);
    assert_int_equal(r.count, 2000);
    assert_true(r.calls < 200);
    ctree_store_destroy(store);
    assert_int_equal(r.count, NODES);
    assert_int_equal(r.sum, (uint64_t)NODES * (NODES - 1) / 2);
    assert_true(r.calls < 500);
    ctree_view_destroy(r.view);
}

static void a_store_may_be_destroyed_while_it_lets_values_go(void **state) {
    (void)state;
    releases r = {.destroys = true};
    ctree_store *store = releasing(&r, 1000);
    assert_int_equal(ctree_view_create(store, NULL, &r.view), CTREE_OK);
    assert_int_equal(ctree_store_remove(store, ctree_store_child_at(store, CTREE_NONE, 0)), CTREE_OK);
    assert_int_equal(r.count, 1000);
    assert_int_equal(ctree_store_count(store), 0);
    ctree_view_destroy(r.view);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edit_while_an_edit_is_told_is_busy_and_reads_are_not),
        cmocka_unit_test(before_hears_what_goes_while_it_is_there_and_after_what_came_when_it_is),
        cmocka_unit_test(an_edit_within_settled_is_followed_by_a_settled_of_its_own),
        cmocka_unit_test(a_call_that_changes_nothing_settles_nothing),
        cmocka_unit_test(a_listener_that_leaves_within_a_callback_hears_nothing_more),
        cmocka_unit_test(a_listener_that_another_sends_away_hears_nothing_more),
        cmocka_unit_test(a_listener_added_within_a_callback_hears_what_begins_afterwards),
        cmocka_unit_test(listeners_are_told_in_the_order_they_came),
        cmocka_unit_test(a_store_destroyed_within_a_callback_closes_when_the_call_returns),
        cmocka_unit_test(a_view_may_be_destroyed_within_a_callback),
        cmocka_unit_test(every_value_is_let_go_once_in_blocks_also_at_destroy),
        cmocka_unit_test(a_store_may_be_destroyed_while_it_lets_values_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
