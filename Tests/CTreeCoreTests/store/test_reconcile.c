/* Reconcile: what it tells, step by step, and what it refuses without a trace. */
#include "store/store.h"
#include "support/assertions.h"
#include "support/forest_box.h"
#include "support/sketch.h"
#include "support/unit.h"

/* ---- Steps as text ------------------------------------------------------------------------------------------------
 */

/*
 * Each edit told, in order: "-A0,2" two nodes removed from A at 0; "+A1,1" inserted; "A3,1>B0" moved; "x:v", "x:r",
 * "x:s" value, revision or load state of x changed. The top level is "^". At each step the store must be sound.
 */
typedef struct steps {
    char text[4096];
    size_t length;
    uint64_t token;
} steps;

static char name_of(const ctree_store *store, ctree_node node) {
    ctree_id id;
    if (node == CTREE_NONE) return '^';
    assert_int_equal(ctree_store_id(store, node, &id), CTREE_OK);
    return (char)id.word;
}

static void assert_sound(const ctree_store *store) {
    const char *reason = NULL;
    ctree_status status = ctree_validate(store, &reason);
    if (status != CTREE_OK) print_message("%s\n", reason);
    assert_int_equal(status, CTREE_OK);
}

static void note(void *context, const ctree_store *store, const ctree_edit *edit) {
    steps *s = context;
    char *end = s->text + s->length;
    size_t room = sizeof s->text - s->length;
    char parent = name_of(store, edit->parent);
    assert_sound(store);
    switch (edit->kind) {
        case CTREE_EDIT_INSERT: snprintf(end, room, " +%c%u,%u", parent, edit->first, edit->count); break;
        case CTREE_EDIT_REMOVE: snprintf(end, room, " -%c%u,%u", parent, edit->first, edit->count); break;
        case CTREE_EDIT_MOVE:
            snprintf(end, room, " %c%u,%u>%c%u", parent, edit->first, edit->count, name_of(store, edit->to_parent),
                     edit->to_first);
            break;
        default:
            snprintf(end, room, " %c:%s%s%s", name_of(store, edit->node),
                     (edit->changed & CTREE_CHANGED_VALUE) != 0 ? "v" : "",
                     (edit->changed & CTREE_CHANGED_REVISION) != 0 ? "r" : "",
                     (edit->changed & CTREE_CHANGED_LOAD_STATE) != 0 ? "s" : "");
    }
    s->length += strlen(end);
    assert_true(s->length < sizeof s->text - 1);
}

static void look(void *context, const ctree_store *store, const ctree_edit *edit) {
    (void)context;
    (void)edit;
    assert_sound(store);
}

static void steps_begin(steps *s, world *w) {
    *s = (steps){.length = 0};
    ctree_listener listener = {s, note, look, NULL};
    assert_int_equal(ctree_store_add_listener(w->store, &listener, &s->token), CTREE_OK);
}

static void steps_end(steps *s, world *w) {
    assert_int_equal(ctree_store_remove_listener(w->store, s->token), CTREE_OK);
}

/* Reconciles and returns the status; the steps must be those. */
static ctree_status tells(world *w, ctree_node parent, const char *text, uint32_t elsewhere, const char *expected) {
    steps s;
    steps_begin(&s, w);
    ctree_status status = sketch_reconcile(w, parent, text, elsewhere);
    steps_end(&s, w);
    const char *told = s.length != 0 ? s.text + 1 : s.text;
    assert_string_equal(told, expected);
    return status;
}

#define assert_tells(w, parent, text, expected) \
    assert_int_equal(tells(w, parent, text, CTREE_ELSEWHERE_FAILS, expected), CTREE_OK)

/* ---- What it tells ------------------------------------------------------------------------------------------------
 */

WORLD_TEST(equal_children_tell_nothing) {
    sketch(w, "A[x y[p q] z?] B[] c");
    assert_tells(w, CTREE_NONE, "A[x y[p q] z?] B[] c", "");
    assert_tells(w, at(w, 'A'), "x y[p q] z?", "");
    assert_tells(w, at(w, 'A'), "x= y= z=", "");
}

WORLD_TEST(one_node_that_moved_is_one_move) {
    sketch(w, "1 2 3 4");
    assert_tells(w, CTREE_NONE, "2 3 4 1", "^0,1>^3");
    assert_tells(w, CTREE_NONE, "1 2 3 4", "^3,1>^0");
    assert_tells(w, CTREE_NONE, "1 3 2 4", "^1,1>^2");
    assert_holds(w, "1 3 2 4");
}

WORLD_TEST(a_block_that_moved_is_one_move_of_the_shorter_side) {
    sketch(w, "1 2 3 4 5 6 7 8");
    assert_tells(w, CTREE_NONE, "4 5 6 7 8 1 2 3", "^0,3>^5");
    assert_tells(w, CTREE_NONE, "1 2 3 4 5 6 7 8", "^5,3>^0");
}

WORLD_TEST(the_old_goes_in_runs_and_the_new_comes_in_runs) {
    sketch(w, "A[1 2 3 4 5 6]");
    assert_tells(w, at(w, 'A'), "a b 3 c d 6 e", "-A0,2 -A1,2 +A0,2 +A3,2 +A6,1");
    assert_holds(w, "A[a b 3 c d 6 e]");
}

WORLD_TEST(a_whole_other_list_is_one_removal_and_one_insertion) {
    sketch(w, "A[1 2 3]");
    assert_tells(w, at(w, 'A'), "a b[p q[r]] c?", "-A0,3 +A0,3");
    assert_holds(w, "A[a b[p q[r]] c]");
    assert_tells(w, at(w, 'A'), "", "-A0,3");
    assert_int_equal(ctree_store_load_state(w->store, at(w, 'A')), CTREE_STATE_LOADED);
}

WORLD_TEST(a_new_subtree_comes_at_once_and_found_nodes_move_into_it) {
    sketch(w, "A[x y]");
    assert_tells(w, CTREE_NONE, "A[n[m[y k[l]] j] x]", "+A0,1 A2,1>m0");
    assert_holds(w, "A[n[m[y k[l]] j] x]");
}

WORLD_TEST(what_is_needed_of_a_node_that_goes_is_taken_out_of_it_before) {
    sketch(w, "A[d[e[f g]] h] B[]");
    ctree_node f = at(w, 'f');
    assert_tells(w, CTREE_NONE, "A[h] B[f]", "e0,1>B0 -A0,1");
    assert_holds(w, "A[h] B[f]");
    assert_true(at(w, 'f') == f);
}

WORLD_TEST(parent_and_child_change_places) {
    sketch(w, "A[B[C[x]] y]");
    assert_tells(w, CTREE_NONE, "C[B[A[y] x]]", "B0,1>^0 A0,1>C0 ^1,1>B0 C1,1>B1");
    assert_holds(w, "C[B[A[y] x]]");
}

WORLD_TEST(changes_of_values_are_told_apart_from_moves) {
    sketch(w, "a b c");
    forest_box *box = forest_box_new(3);
    for (uint32_t i = 0; i < 3; i++) box->ids[i] = ctree_id_u64((uint64_t) "cab"[i]);
    for (uint32_t i = 0; i < 3; i++) box->states[i] = CTREE_STATE_KEEP;
    box->values[0] = 7;
    box->revisions[0] = 1;
    box->revisions[2] = 2;
    steps s;
    steps_begin(&s, w);
    op call = {.kind = OP_RECONCILE, .forest = &box->forest, .outs = box->outs};
    assert_int_equal(world_do(w, &call), CTREE_OK);
    assert_string_equal(s.text, " ^2,1>^0 c:vr b:r");
    s.length = 0;
    s.text[0] = '\0';
    box->forest.values = NULL; /* none given means 0 */
    assert_int_equal(world_do(w, &call), CTREE_OK);
    assert_string_equal(s.text, " c:v");
    steps_end(&s, w);
    forest_box_free(box);
}

WORLD_TEST(the_state_of_an_item_decides_about_its_children) {
    sketch(w, "A[x[p] y[q] z[r] u? v]");
    assert_tells(w, at(w, 'A'), "x[] y= z u= v=", "-x0,1 -z0,1 z:s");
    assert_holds(w, "A[x y[q] z u v]");
    assert_int_equal(ctree_store_load_state(w->store, at(w, 'x')), CTREE_STATE_LOADED);
    assert_int_equal(ctree_store_load_state(w->store, at(w, 'v')), CTREE_STATE_LEAF);
    assert_tells(w, at(w, 'A'), "x? y? z? u v?", "z:s u:s v:s");
    assert_holds(w, "A[x y[q] z u v]");
    assert_int_equal(ctree_store_load_state(w->store, at(w, 'x')), CTREE_STATE_LOADED);
    assert_int_equal(ctree_store_load_state(w->store, at(w, 'v')), CTREE_STATE_UNLOADED);
}

WORLD_TEST(a_node_that_gets_a_list_is_loaded_before_the_list_comes) {
    sketch(w, "A? b C?");
    assert_tells(w, at(w, 'A'), "x", "A:s +A0,1");
    assert_tells(w, at(w, 'b'), "", "b:s");
    assert_tells(w, CTREE_NONE, "A[x] b[y] C[]", "+b0,1 C:s");
    assert_int_equal(ctree_store_load_state(w->store, at(w, 'C')), CTREE_STATE_LOADED);
}

/* ---- From elsewhere -----------------------------------------------------------------------------------------------
 */

WORLD_TEST(a_node_from_elsewhere_is_an_error_or_moves) {
    sketch(w, "A[x] B[y[z]]");
    assert_int_equal(tells(w, at(w, 'A'), "x y=", CTREE_ELSEWHERE_FAILS, ""), CTREE_DUPLICATE);
    assert_int_equal(tells(w, at(w, 'A'), "x y=", CTREE_ELSEWHERE_MOVES, "B0,1>A1"), CTREE_OK);
    assert_holds(w, "A[x y[z]] B");
}

WORLD_TEST(what_a_node_keeps_is_elsewhere) {
    sketch(w, "A[k[x] l[y]]");
    assert_int_equal(tells(w, at(w, 'A'), "k= l[x y]", CTREE_ELSEWHERE_FAILS, ""), CTREE_DUPLICATE);
    assert_int_equal(tells(w, at(w, 'A'), "k= l[x y]", CTREE_ELSEWHERE_MOVES, "k0,1>l0"), CTREE_OK);
    assert_tells(w, at(w, 'A'), "k l[x] y", "l1,1>A2 k:s");
    assert_holds(w, "A[k l[x] y]");
}

WORLD_TEST(the_parent_and_what_stands_above_it_cannot_come_below_it) {
    sketch(w, "A[B[C[x]]]");
    for (uint32_t elsewhere = CTREE_ELSEWHERE_FAILS; elsewhere <= CTREE_ELSEWHERE_MOVES; elsewhere++) {
        assert_int_equal(tells(w, at(w, 'C'), "x C=", elsewhere, ""), CTREE_CYCLE);
        assert_int_equal(tells(w, at(w, 'C'), "x B=", elsewhere, ""), CTREE_CYCLE);
        assert_int_equal(tells(w, at(w, 'C'), "n[A[]]", elsewhere, ""), CTREE_CYCLE);
        assert_int_equal(tells(w, at(w, 'C'), "A[B[x]]", elsewhere, ""), CTREE_CYCLE);
    }
    assert_holds(w, "A[B[C[x]]]");
}

WORLD_TEST(a_repeated_identifier_names_both_items) {
    sketch(w, "A[x y] B[z]");
    forest_box *box = forest_box_new(4);
    const char *names[] = {"xyax", "naya", "xaya", "zyxz"};
    const uint64_t firsts[] = {0, 1, 1, 0}, seconds[] = {3, 3, 3, 3};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        for (uint32_t i = 0; i < 4; i++) box->ids[i] = ctree_id_u64((uint64_t)names[n][i]);
        op call = {.kind = OP_RECONCILE, .parent = at(w, 'A'), .forest = &box->forest};
        assert_int_equal(world_do(w, &call), CTREE_DUPLICATE);
        assert_true(call.fault.item == seconds[n] && call.fault.other_item == firsts[n]);
    }
    forest_box_free(box);
}

/* ---- Large lists --------------------------------------------------------------------------------------------------
 */

typedef struct wide {
    ctree_store *store;
    failing_allocator memory;
    uint64_t *numbers; /* as they shall stand */
    ctree_node *nodes; /* by number */
    uint64_t moved, inserted, removed, steps;
    uint32_t most; /* numbers are below this */
    bool armed;    /* An allocation will fail: none to be made by the test itself. */
} wide;

static void count_step(void *context, const ctree_store *store, const ctree_edit *edit) {
    wide *x = context;
    if (edit->kind == CTREE_EDIT_MOVE) x->moved += edit->count;
    if (edit->kind == CTREE_EDIT_INSERT) x->inserted += edit->count;
    if (edit->kind == CTREE_EDIT_REMOVE) x->removed += edit->count;
    if (x->steps++ % 512 == 0 && !x->armed) assert_sound(store);
}

static void wide_begin(wide *x, uint32_t most) {
    *x = (wide){.most = most};
    failing_allocator_init(&x->memory);
    ctree_allocator allocator = failing_allocator_use(&x->memory);
    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    options.allocator = &allocator;
    options.secret = "the same in every run"; /* so that it takes the same memory */
    options.secret_size = 21;
    assert_int_equal(ctree_store_create(&options, &x->store), CTREE_OK);
    ctree_listener listener = {x, NULL, count_step, NULL};
    uint64_t token;
    assert_int_equal(ctree_store_add_listener(x->store, &listener, &token), CTREE_OK);
    x->numbers = must(calloc(most, sizeof *x->numbers));
    x->nodes = must(calloc(most, sizeof *x->nodes));
}

static void wide_end(wide *x) {
    ctree_store_destroy(x->store);
    assert_int_equal(x->memory.blocks, 0);
    free(x->numbers);
    free(x->nodes);
}

/* Lets the first `count` numbers be the top level; they must be there then, known ones with the handles they had. */
static void wide_set(wide *x, uint32_t count) {
    ctree_forest forest = CTREE_FOREST_INIT;
    forest.count = count;
    forest.numbers = x->numbers;
    x->moved = x->inserted = x->removed = 0;
    assert_int_equal(ctree_store_reconcile(x->store, CTREE_NONE, &forest, 0, NULL, NULL, NULL), CTREE_OK);
    assert_int_equal(ctree_store_child_count(x->store, CTREE_NONE), count);
    ctree_node *nodes = must(malloc((count + 1) * sizeof *nodes));
    uint32_t read = count;
    assert_int_equal(ctree_store_children(x->store, CTREE_NONE, 0, &read, nodes), CTREE_OK);
    bool *listed = must(calloc(x->most, sizeof *listed));
    for (uint32_t i = 0; i < count; i++) {
        ctree_id id;
        assert_int_equal(ctree_store_id(x->store, nodes[i], &id), CTREE_OK);
        assert_true(id.word == x->numbers[i]);
        if (x->nodes[id.word] != CTREE_NONE) assert_true(nodes[i] == x->nodes[id.word]);
        x->nodes[id.word] = nodes[i];
        listed[id.word] = true;
    }
    for (uint32_t i = 0; i < x->most; i++) {
        if (!listed[i]) x->nodes[i] = CTREE_NONE;
    }
    assert_sound(x->store);
    free(listed);
    free(nodes);
}

static void shuffle(random_source *source, uint64_t *numbers, uint32_t count) {
    for (uint32_t i = count; i > 1; i--) {
        uint32_t k = random_below(source, i);
        uint64_t held = numbers[i - 1];
        numbers[i - 1] = numbers[k];
        numbers[k] = held;
    }
}

static void a_list_of_thousands_is_put_into_any_order(void **state) {
    (void)state;
    enum { MOST = 6000 };
    random_source source = random_from_seed(random_seed_of_test("orders", 1));
    wide x;
    wide_begin(&x, MOST);
    for (uint32_t i = 0; i < MOST; i++) x.numbers[i] = i;
    wide_set(&x, MOST);
    assert_int_equal(x.inserted, MOST);
    for (uint32_t i = 0; i < MOST; i++) x.numbers[i] = MOST - 1 - i;
    wide_set(&x, MOST);
    assert_int_equal(x.moved, MOST - 1);
    for (uint32_t i = 0; i < MOST; i++) x.numbers[i] = (i + 700) % MOST;
    wide_set(&x, MOST);
    assert_int_equal(x.moved, MOST - 2);
    for (uint32_t i = 0; i < MOST; i++) x.numbers[i] = i;
    uint64_t told = x.steps;
    wide_set(&x, MOST);
    assert_int_equal(x.moved, 700);
    assert_int_equal(x.steps - told, 1);
    for (uint32_t round = 0; round < 6; round++) {
        shuffle(&source, x.numbers, MOST);
        wide_set(&x, MOST / 2 + random_below(&source, MOST / 2));
    }
    wide_end(&x);
}

/* Half of a long list is new, one node here, a hundred and more there. */
static void new_nodes_come_between_those_of_a_long_list(void **state) {
    (void)state;
    enum { MOST = 20000 };
    wide x;
    wide_begin(&x, MOST);
    for (uint32_t i = 0; i < MOST; i += 2) x.numbers[i / 2] = i;
    wide_set(&x, MOST / 2);
    for (uint32_t i = 0; i < MOST; i++) x.numbers[i] = i;
    wide_set(&x, MOST);
    assert_true(x.inserted == MOST / 2 && x.moved == 0 && x.removed == 0);
    ctree_memory memory = {.size = sizeof memory};
    assert_int_equal(ctree_store_memory(x.store, &memory), CTREE_OK);
    assert_true(memory.children < 100 * MOST); /* a leaf for each of them would be a thousand bytes */
    wide_set(&x, 100);
    for (uint32_t i = 0; i < MOST; i++) x.numbers[i] = i % 200 == 100 ? i / 200 : i + 100;
    wide_set(&x, MOST - 100);
    assert_true(x.inserted == MOST - 199 && x.moved == 0 && x.removed == 1);
    wide_end(&x);
}

static void a_list_may_be_replaced_whole_again_and_again_and_keeps_no_room(void **state) {
    (void)state;
    wide x;
    wide_begin(&x, 4000);
    size_t bytes = 0;
    for (uint32_t round = 0; round < 40; round++) {
        uint32_t count = round % 2 == 0 ? 200 : 2000;
        for (uint32_t i = 0; i < count; i++) x.numbers[i] = (round % 4 < 2 ? 0 : 2000) + i;
        wide_set(&x, count);
        if (round == 7) bytes = x.memory.bytes;
    }
    assert_true(x.memory.bytes <= bytes);
    wide_set(&x, 0);
    wide_end(&x);
}

/* Refused again and again, with new nodes below new nodes; and lists that lose their last child to another one. */
static void what_is_given_up_is_used_again(void **state) {
    (void)state;
    enum { COUNT = 60 };
    wide x;
    wide_begin(&x, 8);
    uint64_t numbers[COUNT + 1];
    uint32_t parents[COUNT + 1];
    for (uint32_t i = 0; i < COUNT; i++) {
        numbers[i] = 100 + i;
        parents[i] = i < 5 ? CTREE_END : i % 5;
    }
    ctree_forest forest = CTREE_FOREST_INIT;
    forest.count = COUNT;
    forest.numbers = numbers;
    forest.parents = parents;
    size_t bytes = 0;
    for (uint32_t round = 0; round < 3000; round++) {
        if (round % 2 == 0) {
            forest.count = COUNT + 1;
            numbers[COUNT] = 103;
            parents[COUNT] = 4;
            assert_int_equal(ctree_store_reconcile(x.store, CTREE_NONE, &forest, 0, NULL, NULL, NULL),
                             CTREE_DUPLICATE);
            forest.count = COUNT;
        } else {
            uint32_t home = (round / 2) % 5;
            for (uint32_t i = 5; i < COUNT; i++) parents[i] = home;
            ctree_node nodes[COUNT];
            assert_int_equal(ctree_store_reconcile(x.store, CTREE_NONE, &forest, 0, NULL, nodes, NULL), CTREE_OK);
            for (uint32_t i = 0; i < 5; i++) {
                const ct_hot *hot = ct_hot_at(x.store, (uint32_t)nodes[i]);
                assert_true((hot->kids != 0) == (i == home) && (hot->count != 0) == (i == home));
            }
        }
        if (round == 100) bytes = x.memory.bytes;
    }
    assert_true(x.memory.bytes <= bytes);

    /* From a node that the forest does not name. */
    ctree_node into = ctree_store_find(x.store, ctree_id_u64(100)),
               from = ctree_store_find(x.store, ctree_id_u64(101));
    ctree_node_init init = {0, 0, CTREE_STATE_LEAF};
    assert_int_equal(ctree_store_insert(x.store, from, 0, ctree_id_u64(1), &init, NULL), CTREE_OK);
    numbers[0] = 1;
    forest.count = 1;
    assert_int_equal(ctree_store_reconcile(x.store, into, &forest, CTREE_ELSEWHERE_MOVES, NULL, NULL, NULL),
                     CTREE_OK);
    assert_true(ct_hot_at(x.store, (uint32_t)from)->kids == 0);
    wide_end(&x);
}

/* Where look-ups are begun ahead of their turn, a list may end before they are needed. */
static void short_lists_are_found_in_a_large_store(void **state) {
    (void)state;
    enum { MOST = 40000, SHORT = 70 };
    wide x;
    wide_begin(&x, MOST);
    for (uint32_t i = 0; i < MOST; i++) x.numbers[i] = i;
    wide_set(&x, MOST);
    ctree_node parent = x.nodes[MOST - 1], nodes[SHORT];
    ctree_id ids[SHORT];
    for (uint32_t count = 0; count <= SHORT; count++) {
        for (uint32_t i = 0; i < count; i++) ids[i] = ctree_id_u64(i % 3 == 0 ? MOST + i : i * 7);
        ctree_forest forest = CTREE_FOREST_INIT;
        forest.count = count;
        forest.ids = ids;
        assert_int_equal(ctree_store_reconcile(x.store, parent, &forest, CTREE_ELSEWHERE_MOVES, NULL, nodes, NULL),
                         CTREE_OK);
        assert_int_equal(ctree_store_child_count(x.store, parent), count);
        for (uint32_t i = 0; i < count; i++) {
            assert_true(ctree_store_child_at(x.store, parent, i) == nodes[i]);
            assert_true(ctree_store_find(x.store, ids[i]) == nodes[i]);
            if (i % 3 != 0) assert_true(nodes[i] == x.nodes[i * 7]);
        }
        if (count == 0) continue;
        ids[count - 1].bytes = "of the other kind";
        assert_int_equal(ctree_store_reconcile(x.store, parent, &forest, 0, NULL, NULL, NULL), CTREE_INVALID);
    }
    assert_sound(x.store);
    wide_end(&x);
}

static void runs_move_between_wide_lists(void **state) {
    (void)state;
    enum { COUNT = 1500 };
    random_source source = random_from_seed(random_seed_of_test("runs", 2));
    ctree_store *store = NULL;
    assert_int_equal(ctree_store_create(NULL, &store), CTREE_OK);
    uint64_t numbers[COUNT + 2];
    uint32_t parents[COUNT + 2];
    numbers[COUNT] = COUNT;
    numbers[COUNT + 1] = COUNT + 1;
    parents[COUNT] = parents[COUNT + 1] = CTREE_END;
    ctree_node nodes[COUNT + 2], before[COUNT + 2];
    for (uint32_t round = 0; round < 30; round++) {
        uint32_t left = 1;
        for (uint32_t i = 0, side = 0; i < COUNT; i++) {
            if (--left == 0) {
                left = 1 + random_below(&source, round % 3 == 0 ? 400 : 5);
                side = random_below(&source, 2);
            }
            numbers[i] = i;
            parents[i] = COUNT + side;
        }
        if (round % 5 == 4) shuffle(&source, numbers, COUNT);
        ctree_forest forest = CTREE_FOREST_INIT;
        forest.count = COUNT + 2;
        forest.numbers = numbers;
        forest.parents = parents;
        assert_int_equal(ctree_store_reconcile(store, CTREE_NONE, &forest, 0, NULL, nodes, NULL), CTREE_OK);
        assert_sound(store);
        uint32_t at[2] = {0, 0};
        for (uint32_t i = 0; i < COUNT; i++) {
            uint32_t side = parents[i] - COUNT;
            assert_true(ctree_store_child_at(store, nodes[COUNT + side], at[side]++) == nodes[i]);
            if (round > 0) assert_true(before[numbers[i]] == nodes[i]);
            before[numbers[i]] = nodes[i];
        }
        assert_int_equal(ctree_store_child_count(store, nodes[COUNT]), at[0]);
        assert_int_equal(ctree_store_child_count(store, nodes[COUNT + 1]), at[1]);
    }
    ctree_store_destroy(store);
}

static void a_chain_of_a_hundred_thousand_is_turned_upside_down(void **state) {
    (void)state;
    enum { DEPTH = 100000 };
    ctree_store *store = NULL;
    assert_int_equal(ctree_store_create(NULL, &store), CTREE_OK);
    uint64_t *numbers = must(malloc(DEPTH * sizeof *numbers));
    uint32_t *parents = must(malloc(DEPTH * sizeof *parents));
    for (uint32_t i = 0; i < DEPTH; i++) {
        numbers[i] = i;
        parents[i] = i == 0 ? CTREE_END : i - 1;
    }
    ctree_forest forest = CTREE_FOREST_INIT;
    forest.count = DEPTH;
    forest.numbers = numbers;
    forest.parents = parents;
    assert_int_equal(ctree_store_reconcile(store, CTREE_NONE, &forest, 0, NULL, NULL, NULL), CTREE_OK);
    for (uint32_t i = 0; i < DEPTH; i++) numbers[i] = DEPTH - 1 - i;
    assert_int_equal(ctree_store_reconcile(store, CTREE_NONE, &forest, 0, NULL, NULL, NULL), CTREE_OK);
    assert_sound(store);
    ctree_node node = ctree_store_child_at(store, CTREE_NONE, 0);
    for (uint32_t i = 0; i < DEPTH; i++) {
        ctree_id id;
        assert_int_equal(ctree_store_id(store, node, &id), CTREE_OK);
        assert_true(id.word == DEPTH - 1 - i);
        node = ctree_store_child_at(store, node, 0);
    }
    assert_true(node == CTREE_NONE);
    ctree_store_destroy(store);
    free(numbers);
    free(parents);
}

/* ---- All of it at random ------------------------------------------------------------------------------------------
 */

/* Identifiers that the forest borrowed from the twin would go with the twin's nodes. */
static void own_ids(forest_box *box) {
    size_t size = 0;
    if (box->forest.ids == NULL) return;
    for (uint64_t i = 0; i < box->forest.count; i++) size += box->ids[i].bytes != NULL ? (size_t)box->ids[i].word : 0;
    box->bytes = must(malloc(size + 1));
    size = 0;
    for (uint64_t i = 0; i < box->forest.count; i++) {
        if (box->ids[i].bytes == NULL || box->ids[i].word > 1 << 20) continue;
        memcpy(box->bytes + size, box->ids[i].bytes, (size_t)box->ids[i].word);
        box->ids[i].bytes = box->bytes + size;
        size += (size_t)box->ids[i].word;
    }
}

static void random_reconciles(ctree_id_kind kind, ctree_id_scope scope, uint64_t seed, uint32_t rounds) {
    random_source source = random_from_seed(random_seed_of_test("reconciles", seed));
    world_options options = {kind, scope, 0, true};
    world *w = world_create(options);
    uint64_t next_value = 0;
    uint32_t done = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        twin *t = w->twin;
        const twin_node *target =
            t->count == 0 || random_chance(&source, 1, 3) ? t->top : t->nodes[random_below(&source, t->count)];
        forest_taste taste = {w, target, 1 + random_below(&source, 30), 60, 12, &next_value};
        forest_box *box = forest_box_random(&source, &taste);
        if (kind == CTREE_ID_BYTES) own_ids(box);
        op call = {.kind = OP_RECONCILE,
                   .parent = target->handle,
                   .elsewhere = random_below(&source, 2),
                   .forest = &box->forest,
                   .outs = box->outs};
        if (random_chance(&source, 1, 4)) call.fail_at = 1 + random_below(&source, 24);
        if (random_chance(&source, 1, 8)) call.cancel_at = 1 + random_below(&source, 2);
        done += world_do(w, &call) == CTREE_OK;
        forest_box_free(box);
        if (round % 4 == 0) world_compare(w);
    }
    world_compare(w);
    world_destroy(w);
    assert_true(done > rounds / 4);
}

static void random_forests_come_to_what_the_twin_says(void **state) {
    (void)state;
    uint32_t rounds = 1500 * random_runs();
    random_reconciles(CTREE_ID_U64, CTREE_SCOPE_STORE, 11, rounds);
    random_reconciles(CTREE_ID_BYTES, CTREE_SCOPE_STORE, 12, rounds / 3);
    random_reconciles(CTREE_ID_U64, CTREE_SCOPE_SIBLINGS, 13, rounds / 3);
    random_reconciles(CTREE_ID_BYTES, CTREE_SCOPE_SIBLINGS, 14, rounds / 3);
}

/* Letters and brackets. What has no brackets keeps its children. */
static forest_box *forest_of(const char *text) {
    forest_box *box = forest_box_new(strlen(text));
    uint32_t open[32], depth = 0, count = 0;
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '[') {
            box->states[count - 1] = CTREE_STATE_LOADED;
            open[depth++] = count - 1;
        } else if (*c == ']') {
            depth--;
        } else {
            box->ids[count] = ctree_id_u64((uint64_t)*c);
            box->values[count] = (uint64_t)strlen(text);
            box->parents[count] = depth > 0 ? open[depth - 1] : CTREE_END;
            box->states[count++] = CTREE_STATE_KEEP;
        }
    }
    box->forest.count = count;
    return box;
}

WORLD_TEST(whichever_allocation_fails_nothing_has_happened) {
    forest_box *old = forest_of("A[d[e[fg]]hij]B[kl]");
    static const char *const texts[] = {"A[jn[o[f]p]h]B[qrs]", "B[A[d[ge]]]C[xyz]", "D[e]", ""};
    for (size_t turn = 0; turn < sizeof texts / sizeof *texts; turn++) {
        forest_box *fresh = forest_of(texts[turn]);
        op back = {.kind = OP_RECONCILE, .forest = &old->forest};
        op call = {
            .kind = OP_RECONCILE, .elsewhere = CTREE_ELSEWHERE_MOVES, .forest = &fresh->forest, .outs = fresh->outs};
        do {
            call.fail_at++;
            assert_int_equal(world_do(w, &back), CTREE_OK);
            assert_int_equal(world_do(w, &call), CTREE_OK);
            world_compare(w);
        } while (call.was_disturbed);
        assert_true(call.fail_at > 8);
        forest_box_free(fresh);
    }
    forest_box_free(old);
}

/* Lists of thousands need other room than short ones. */
static void whichever_allocation_fails_a_wide_list_is_as_before(void **state) {
    (void)state;
    enum { MOST = 1200 };
    random_source source = random_from_seed(random_seed_of_test("wide failures", 3));
    wide x;
    wide_begin(&x, MOST);
    bool failed = true;
    for (uint64_t n = 1; failed; n++) {
        for (uint32_t i = 0; i < MOST; i++) x.numbers[i] = i;
        wide_set(&x, 250 + random_below(&source, 50));
        shuffle(&source, x.numbers, MOST);
        ctree_forest forest = CTREE_FOREST_INIT;
        forest.count = MOST - 100;
        forest.numbers = x.numbers;
        uint64_t count = ctree_store_count(x.store), told = x.steps;
        x.armed = true;
        failing_allocator_arm(&x.memory, n, n % 2 == 0);
        ctree_status status = ctree_store_reconcile(x.store, CTREE_NONE, &forest, 0, NULL, NULL, NULL);
        failed = failing_allocator_disarm(&x.memory);
        x.armed = false;
        if (!failed) {
            assert_int_equal(status, CTREE_OK);
            break;
        }
        assert_int_equal(status, CTREE_NO_MEMORY);
        assert_sound(x.store);
        assert_true(ctree_store_count(x.store) == count && x.steps == told);
        for (uint32_t i = 0; i < count; i++) {
            assert_true(ctree_store_child_at(x.store, CTREE_NONE, i) == x.nodes[i]);
        }
        wide_set(&x, MOST - 100);
    }
    wide_end(&x);
}

WORLD_TEST(a_reconcile_that_is_cancelled_changes_nothing) {
    sketch(w, "A[x y] B");
    forest_box *box = forest_of("B[yn]m");
    op call = {.kind = OP_RECONCILE, .forest = &box->forest, .outs = box->outs};
    do {
        call.cancel_at++;
        assert_int_equal(sketch_reconcile(w, CTREE_NONE, "A[x y] B", CTREE_ELSEWHERE_MOVES), CTREE_OK);
        assert_int_equal(world_do(w, &call), CTREE_OK);
    } while (call.was_disturbed);
    assert_true(call.cancel_at > 1);
    forest_box_free(box);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_children_tell_nothing),
        cmocka_unit_test(one_node_that_moved_is_one_move),
        cmocka_unit_test(a_block_that_moved_is_one_move_of_the_shorter_side),
        cmocka_unit_test(the_old_goes_in_runs_and_the_new_comes_in_runs),
        cmocka_unit_test(a_whole_other_list_is_one_removal_and_one_insertion),
        cmocka_unit_test(a_new_subtree_comes_at_once_and_found_nodes_move_into_it),
        cmocka_unit_test(what_is_needed_of_a_node_that_goes_is_taken_out_of_it_before),
        cmocka_unit_test(parent_and_child_change_places),
        cmocka_unit_test(changes_of_values_are_told_apart_from_moves),
        cmocka_unit_test(the_state_of_an_item_decides_about_its_children),
        cmocka_unit_test(a_node_that_gets_a_list_is_loaded_before_the_list_comes),
        cmocka_unit_test(a_node_from_elsewhere_is_an_error_or_moves),
        cmocka_unit_test(what_a_node_keeps_is_elsewhere),
        cmocka_unit_test(the_parent_and_what_stands_above_it_cannot_come_below_it),
        cmocka_unit_test(a_repeated_identifier_names_both_items),
        cmocka_unit_test(a_list_of_thousands_is_put_into_any_order),
        cmocka_unit_test(new_nodes_come_between_those_of_a_long_list),
        cmocka_unit_test(a_list_may_be_replaced_whole_again_and_again_and_keeps_no_room),
        cmocka_unit_test(what_is_given_up_is_used_again),
        cmocka_unit_test(short_lists_are_found_in_a_large_store),
        cmocka_unit_test(runs_move_between_wide_lists),
        cmocka_unit_test(a_chain_of_a_hundred_thousand_is_turned_upside_down),
        cmocka_unit_test(random_forests_come_to_what_the_twin_says),
        cmocka_unit_test(whichever_allocation_fails_nothing_has_happened),
        cmocka_unit_test(whichever_allocation_fails_a_wide_list_is_as_before),
        cmocka_unit_test(a_reconcile_that_is_cancelled_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
