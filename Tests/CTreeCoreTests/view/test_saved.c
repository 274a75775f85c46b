/* The state of a view by identifiers: saved, given back to nodes that are there and to those that come later. */
#include "ctree/ctree.h"
#include "support/assertions.h"
#include "support/failing_allocator.h"
#include "support/random.h"
#include "support/unit.h"

static const ctree_node_init unloaded = {0, 0, CTREE_STATE_UNLOADED};

/*
 * All names that there can be: up to four letters out of three, each below the one that it begins with. With
 * identifiers unique among siblings a node is called by its last letter, else by all of them.
 */
enum { LETTERS = 3, LONGEST = 4, NAMES = 3 + 9 + 27 + 81 };

typedef struct name {
    char text[LONGEST + 1];
    uint32_t length, parent; /* CTREE_END: none */
} name;

/* What is right, in plain arrays. */
typedef struct twin {
    bool there[NAMES], loaded[NAMES], selected[NAMES];
    uint32_t setting[NAMES]; /* 0 by default, CTREE_SAVED_EXPANDED, _COLLAPSED */
    uint32_t waits[NAMES];
} twin;

typedef struct program {
    name names[NAMES];
    twin twin;
    random_source random;
    failing_allocator memory;
    ctree_allocator allocator;
    ctree_store *store;
    ctree_view *view;
    bool scoped, open_by_default;
} program;

static void name_all(program *p) {
    uint32_t count = 0, from = 0;
    for (uint32_t i = 0; i < LETTERS; i++)
        p->names[count++] = (name){.text = {(char)('a' + i)}, .length = 1, .parent = CTREE_END};
    while (count < NAMES) {
        for (uint32_t i = 0; i < LETTERS; i++) {
            name below = p->names[from];
            below.parent = from;
            below.text[below.length++] = (char)('a' + i);
            p->names[count++] = below;
        }
        from++;
    }
}

static ctree_view *new_view(program *p, ctree_store *store) {
    ctree_view_options options = CTREE_VIEW_OPTIONS_INIT;
    options.flags = CTREE_VIEW_RECORDS;
    options.default_depth = p->open_by_default ? CTREE_ALL_LEVELS : 0;
    ctree_view *view;
    assert_int_equal(ctree_view_create(store, &options, &view), CTREE_OK);
    return view;
}

static void begin(program *p, bool scoped, bool open_by_default) {
    *p = (program){.scoped = scoped, .open_by_default = open_by_default};
    name_all(p);
    failing_allocator_init(&p->memory);
    p->allocator = failing_allocator_use(&p->memory);
    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    options.id_kind = CTREE_ID_BYTES;
    options.id_scope = scoped ? CTREE_SCOPE_SIBLINGS : CTREE_SCOPE_STORE;
    options.allocator = &p->allocator;
    assert_int_equal(ctree_store_create(&options, &p->store), CTREE_OK);
    p->view = new_view(p, p->store);
}

static void end(program *p) {
    ctree_view_destroy(p->view);
    ctree_store_destroy(p->store);
    assert_int_equal(p->memory.blocks, 0);
}

static ctree_id own_id(const program *p, uint32_t i) {
    const name *n = &p->names[i];
    return p->scoped ? ctree_id_bytes(n->text + n->length - 1, 1) : ctree_id_bytes(n->text, n->length);
}

/* The identifiers of a name and of all those that it begins with. */
static uint32_t way_to(const program *p, uint32_t i, ctree_id *way) {
    uint32_t length = p->names[i].length;
    for (uint32_t at = length; at-- != 0; i = p->names[i].parent) way[at] = own_id(p, i);
    return length;
}

/* What names a node in a saved state. */
static uint32_t path_of(const program *p, uint32_t i, ctree_id *path) {
    if (p->scoped) return way_to(p, i, path);
    path[0] = own_id(p, i);
    return 1;
}

static ctree_node node_in(const program *p, ctree_store *store, uint32_t i) {
    if (!p->scoped) return ctree_store_find(store, own_id(p, i));
    ctree_id way[LONGEST];
    ctree_node node = CTREE_NONE;
    uint32_t length = way_to(p, i, way);
    for (uint32_t at = 0; at < length; at++) {
        node = ctree_store_find_child(store, node, way[at]);
        if (node == CTREE_NONE) break;
    }
    return node;
}

static ctree_node node_of(const program *p, uint32_t i) { return node_in(p, p->store, i); }

static uint32_t named(const program *p, const char *text) {
    for (uint32_t i = 0; i < NAMES; i++) {
        if (strcmp(p->names[i].text, text) == 0) return i;
    }
    fail_msg("nothing is called %s", text);
    return 0;
}

static bool is_below(const program *p, uint32_t i, uint32_t above) {
    const name *n = &p->names[i], *a = &p->names[above];
    return n->length > a->length && memcmp(n->text, a->text, a->length) == 0;
}

/* ---- What is right ------------------------------------------------------------------------------------------------
 */

static bool opens(const program *p, uint32_t i) {
    return p->twin.setting[i] == 0 ? p->open_by_default : p->twin.setting[i] == CTREE_SAVED_EXPANDED;
}

static void give(program *p, uint32_t i, uint32_t what) {
    twin *t = &p->twin;
    if ((what & CTREE_SAVED_EXPANDED) != 0) t->setting[i] = CTREE_SAVED_EXPANDED;
    if ((what & CTREE_SAVED_COLLAPSED) != 0 && opens(p, i)) t->setting[i] = CTREE_SAVED_COLLAPSED;
    if ((what & CTREE_SAVED_SELECTED) != 0) t->selected[i] = true;
}

static void ask(program *p, uint32_t i, uint32_t what) {
    const uint32_t settings = CTREE_SAVED_EXPANDED | CTREE_SAVED_COLLAPSED;
    if (p->twin.there[i]) {
        give(p, i, what);
        return;
    }
    if ((what & settings) != 0) p->twin.waits[i] &= ~settings;
    p->twin.waits[i] |= what;
}

static void arrive(program *p, uint32_t i) {
    twin *t = &p->twin;
    t->there[i] = true;
    t->loaded[i] = t->selected[i] = false;
    t->setting[i] = 0;
    if (p->names[i].parent != CTREE_END) t->loaded[p->names[i].parent] = true;
    give(p, i, t->waits[i]);
    t->waits[i] = 0;
}

static uint32_t what_of(const program *p, uint32_t i) {
    const twin *t = &p->twin;
    if (!t->there[i]) return t->waits[i];
    uint32_t what = t->selected[i] ? CTREE_SAVED_SELECTED : 0;
    if (t->setting[i] == CTREE_SAVED_COLLAPSED && !p->open_by_default) return what;
    return what | t->setting[i];
}

typedef struct heard {
    const program *p;
    uint32_t what[NAMES];
    uint32_t count;
} heard;

static bool hear(void *context, const ctree_saved *entry) {
    heard *h = context;
    char text[LONGEST + 1] = {0};
    size_t length = 0;
    for (uint32_t i = 0; i < entry->length; i++) {
        memcpy(text + length, entry->path[i].bytes, (size_t)entry->path[i].word);
        length += (size_t)entry->path[i].word;
    }
    uint32_t i = named(h->p, text);
    assert_int_equal(h->what[i], 0);
    h->what[i] = entry->what;
    h->count++;
    return true;
}

static void compare_with(const program *p, ctree_store *store, ctree_view *view) {
    const char *reason = NULL;
    if (ctree_view_validate(view, &reason) != CTREE_OK) fail_msg("%s", reason);
    heard h = {.p = p};
    uint64_t waiting = 0;
    assert_int_equal(ctree_view_save(view, CTREE_SAVED_ALL, hear, &h), CTREE_OK);
    for (uint32_t i = 0; i < NAMES; i++) {
        ctree_node node = node_in(p, store, i);
        assert_int_equal(node != CTREE_NONE, p->twin.there[i]);
        assert_int_equal(h.what[i], what_of(p, i));
        if (node == CTREE_NONE) {
            waiting += p->twin.waits[i] != 0;
            continue;
        }
        assert_int_equal(ctree_view_is_expanded(view, node), opens(p, i));
        assert_int_equal(ctree_view_is_selected(view, node), p->twin.selected[i]);
    }
    assert_int_equal(ctree_view_waiting_count(view), waiting);
}

static void compare(const program *p) { compare_with(p, p->store, p->view); }

/* ---- Calls --------------------------------------------------------------------------------------------------------
 */

static void insert(program *p, uint32_t i) {
    ctree_node parent = p->names[i].parent == CTREE_END ? CTREE_NONE : node_of(p, p->names[i].parent), node;
    assert_int_equal(ctree_store_insert(p->store, parent, CTREE_END, own_id(p, i), &unloaded, &node), CTREE_OK);
    arrive(p, i);
}

/* A whole subtree at once: all names below one that is there and has nothing below it. */
static void build_below(program *p, uint32_t root) {
    ctree_id ids[NAMES];
    uint32_t parents[NAMES], place[NAMES], count = 0;
    uint8_t states[NAMES];
    for (uint32_t i = 0; i < NAMES; i++) {
        if (!is_below(p, i, root)) continue;
        ids[count] = own_id(p, i);
        parents[count] = p->names[i].parent == root ? CTREE_END : place[p->names[i].parent];
        states[count] = p->names[i].length == LONGEST ? CTREE_STATE_UNLOADED : CTREE_STATE_LOADED;
        place[i] = count++;
    }
    ctree_forest forest = CTREE_FOREST_INIT;
    forest.count = count;
    forest.ids = ids;
    forest.parents = parents;
    forest.states = states;
    assert_int_equal(ctree_store_build(p->store, node_of(p, root), CTREE_END, &forest, NULL, NULL, NULL), CTREE_OK);
    for (uint32_t i = 0; i < NAMES; i++) {
        if (is_below(p, i, root)) arrive(p, i);
    }
}

static void take_away(program *p, uint32_t root) {
    assert_int_equal(ctree_store_remove(p->store, node_of(p, root)), CTREE_OK);
    for (uint32_t i = 0; i < NAMES; i++) {
        if (i == root || is_below(p, i, root)) p->twin.there[i] = false;
    }
}

static ctree_status restore(program *p, const uint32_t *which, const uint32_t *what, uint32_t count) {
    ctree_id paths[16][LONGEST];
    ctree_saved entries[16];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t length = path_of(p, which[i], paths[i]);
        entries[i] = (ctree_saved){paths[i], length, what[i]};
    }
    return ctree_view_restore(p->view, entries, count);
}

static void restore_at_random(program *p) {
    static const uint32_t whats[] = {CTREE_SAVED_EXPANDED, CTREE_SAVED_COLLAPSED, CTREE_SAVED_SELECTED,
                                     CTREE_SAVED_EXPANDED | CTREE_SAVED_SELECTED,
                                     CTREE_SAVED_COLLAPSED | CTREE_SAVED_SELECTED};
    uint32_t which[16] = {0}, what[16] = {0}, count = random_below(&p->random, 16);
    for (uint32_t i = 0; i < count; i++) {
        which[i] = random_below(&p->random, NAMES);
        what[i] = whats[random_below(&p->random, 5)];
    }
    assert_int_equal(restore(p, which, what, count), CTREE_OK);
    /* Of what waits for one node the last word counts; to one that is there all of them are said by then. */
    uint32_t asked[NAMES] = {0};
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t settings = CTREE_SAVED_EXPANDED | CTREE_SAVED_COLLAPSED;
        if ((what[i] & settings) != 0) asked[which[i]] &= ~settings;
        asked[which[i]] |= what[i];
    }
    for (uint32_t i = 0; i < NAMES; i++) {
        if (asked[i] != 0) ask(p, i, asked[i]);
    }
}

static void end_below(program *p, uint32_t above) {
    if (!p->scoped) return;
    for (uint32_t i = 0; i < NAMES; i++) {
        if (is_below(p, i, above)) p->twin.waits[i] &= ~(uint32_t)CTREE_SAVED_EXPANDED;
    }
}

static void reveal(program *p, uint32_t i) {
    ctree_id way[LONGEST];
    uint32_t length = way_to(p, i, way), present = i;
    while (present != CTREE_END && !p->twin.there[present]) present = p->names[present].parent;
    ctree_node nearest = 1;
    ctree_status status = ctree_view_reveal_path(p->view, way, length, &nearest);
    if (present != i && (present == CTREE_END || p->twin.loaded[present])) {
        assert_int_equal(status, CTREE_NOT_FOUND);
        assert_true(nearest == 1);
        return;
    }
    assert_int_equal(status, present == i ? CTREE_OK : CTREE_LOADING);
    assert_true(nearest == node_of(p, present));
    for (uint32_t above = p->names[i].parent; above != CTREE_END; above = p->names[above].parent)
        ask(p, above, opens(p, above) && p->twin.there[above] && above != present ? 0 : CTREE_SAVED_EXPANDED);
}

static void step(program *p) {
    twin *t = &p->twin;
    uint32_t i = random_below(&p->random, NAMES), parent = p->names[i].parent;
    switch (random_below(&p->random, 10)) {
        case 0:
        case 1:
        case 2:
        case 3:
            if (!t->there[i] && (parent == CTREE_END || t->there[parent])) insert(p, i);
            break;
        case 4:
            if (t->there[i] && !t->loaded[i] && p->names[i].length < LONGEST) build_below(p, i);
            break;
        case 5:
            if (t->there[i] && random_chance(&p->random, 1, 2)) take_away(p, i);
            break;
        case 6: restore_at_random(p); break;
        case 7:
            if (!t->there[i]) break;
            assert_int_equal(ctree_view_expand(p->view, node_of(p, i)), CTREE_OK);
            t->setting[i] = CTREE_SAVED_EXPANDED;
            break;
        case 8:
            if (!t->there[i]) break;
            assert_int_equal(ctree_view_collapse(p->view, node_of(p, i)), CTREE_OK);
            if (opens(p, i)) t->setting[i] = CTREE_SAVED_COLLAPSED;
            end_below(p, i);
            break;
        case 9:
            if (p->scoped && random_chance(&p->random, 3, 4)) {
                reveal(p, i);
            } else if (random_chance(&p->random, 1, 10)) {
                assert_int_equal(ctree_view_collapse_all(p->view, CTREE_NONE), CTREE_OK);
                for (uint32_t k = 0; k < NAMES; k++) {
                    t->waits[k] &= ~(uint32_t)CTREE_SAVED_EXPANDED;
                    if (t->there[k]) t->setting[k] = CTREE_SAVED_COLLAPSED;
                }
            }
            break;
    }
}

/* Saved from one view and given to another, before its nodes are there. */
typedef struct copier {
    ctree_view *to;
} copier;

static bool copy(void *context, const ctree_saved *entry) {
    copier *c = context;
    assert_int_equal(ctree_view_restore(c->to, entry, 1), CTREE_OK);
    return true;
}

static void carry_over(program *p) {
    program other;
    begin(&other, p->scoped, p->open_by_default);
    copier c = {other.view};
    assert_int_equal(ctree_view_save(p->view, CTREE_SAVED_ALL, copy, &c), CTREE_OK);
    for (uint32_t i = 0; i < NAMES; i++) other.twin.waits[i] = what_of(p, i);
    compare(&other);
    for (uint32_t i = 0; i < NAMES; i++) {
        if (p->twin.there[i]) insert(&other, i);
    }
    compare(&other);
    for (uint32_t i = 0; i < NAMES; i++) assert_int_equal(what_of(&other, i), what_of(p, i));
    end(&other);
}

static void a_view_keeps_what_waits_as_plain_arrays_do(void **state) {
    (void)state;
    uint64_t seed = random_seed_of_test("a view keeps what waits", 90);
    static program p;
    for (uint32_t run = 0; run < 16 * random_runs(); run++) {
        begin(&p, run % 2 == 0, run / 2 % 2 == 0);
        p.random = random_from_seed(seed + run);
        for (uint32_t i = 0; i < 600; i++) {
            step(&p);
            compare(&p);
            if (i % 100 == 99) carry_over(&p);
        }
        end(&p);
    }
}

/* ---- One by one ---------------------------------------------------------------------------------------------------
 */

static void what_waits_opens_level_by_level_and_asks_for_loads_once(void **state) {
    (void)state;
    static program p;
    begin(&p, true, false);
    uint32_t which[] = {named(&p, "a"), named(&p, "ab"), named(&p, "abc")};
    uint32_t what[] = {CTREE_SAVED_EXPANDED, CTREE_SAVED_EXPANDED, CTREE_SAVED_EXPANDED};
    assert_int_equal(restore(&p, which, what, 3), CTREE_OK);
    assert_int_equal(ctree_view_waiting_count(p.view), 3);
    assert_true(ctree_load_next_request(p.store) == CTREE_NONE);
    for (uint32_t i = 0; i < 3; i++) {
        ctree_node parent = i == 0 ? CTREE_NONE : node_of(&p, which[i - 1]), node;
        assert_int_equal(ctree_store_insert(p.store, parent, CTREE_END, own_id(&p, which[i]), &unloaded, &node),
                         CTREE_OK);
        assert_true(ctree_view_is_expanded(p.view, node));
        assert_true(ctree_load_next_request(p.store) == node);
        assert_true(ctree_load_next_request(p.store) == CTREE_NONE);
    }
    assert_int_equal(ctree_view_row_count(p.view), 3);
    assert_int_equal(ctree_view_waiting_count(p.view), 0);
    end(&p);
}

static void what_waits_collapsed_is_not_asked_for_though_all_is_open_by_default(void **state) {
    (void)state;
    static program p;
    begin(&p, true, true);
    uint32_t which = named(&p, "a"), what = CTREE_SAVED_COLLAPSED;
    assert_int_equal(restore(&p, &which, &what, 1), CTREE_OK);
    insert(&p, which);
    assert_false(ctree_view_is_expanded(p.view, node_of(&p, which)));
    assert_true(ctree_load_next_request(p.store) == CTREE_NONE);
    end(&p);
}

static void a_collapse_ends_what_waits_below_it(void **state) {
    (void)state;
    static program p;
    begin(&p, true, false);
    uint32_t which[] = {named(&p, "a"), named(&p, "ab"), named(&p, "b")};
    uint32_t what[] = {CTREE_SAVED_EXPANDED, CTREE_SAVED_EXPANDED, CTREE_SAVED_EXPANDED};
    assert_int_equal(restore(&p, which, what, 3), CTREE_OK);
    insert(&p, which[0]);
    assert_int_equal(ctree_view_toggle(p.view, node_of(&p, which[0])), CTREE_OK);
    assert_int_equal(ctree_view_waiting_count(p.view), 1);
    insert(&p, which[1]);
    assert_false(ctree_view_is_expanded(p.view, node_of(&p, which[1])));
    insert(&p, which[2]);
    assert_true(ctree_view_is_expanded(p.view, node_of(&p, which[2])));
    end(&p);
}

static void a_reveal_goes_on_as_loads_bring_what_it_waits_for(void **state) {
    (void)state;
    static program p;
    for (uint32_t scoped = 0; scoped < 2; scoped++) {
        begin(&p, scoped, false);
        uint32_t goal = named(&p, "abca"), way[] = {named(&p, "a"), named(&p, "ab"), named(&p, "abc")};
        ctree_id ids[LONGEST];
        uint32_t length = way_to(&p, goal, ids);
        insert(&p, way[0]);
        ctree_node nearest;
        for (uint32_t i = 0; i < 3; i++) {
            ctree_node folder = node_of(&p, way[i]);
            assert_int_equal(ctree_view_reveal_path(p.view, ids, length, &nearest), CTREE_LOADING);
            assert_true(nearest == folder);
            assert_true(ctree_view_is_expanded(p.view, folder));
            assert_true(ctree_load_next_request(p.store) == folder);
            ctree_ticket ticket;
            assert_int_equal(ctree_load_begin(p.store, folder, 0, &ticket), CTREE_OK);
            /* Joined, and not asked for again. */
            assert_int_equal(ctree_view_reveal_path(p.view, ids, length, &nearest), CTREE_LOADING);
            assert_true(ctree_load_next_request(p.store) == CTREE_NONE);
            ctree_id below[2] = {own_id(&p, i == 2 ? goal : way[i + 1]), own_id(&p, named(&p, i == 0   ? "aa"
                                                                                              : i == 1 ? "abb"
                                                                                                       : "abcb"))};
            uint8_t states[] = {CTREE_STATE_UNLOADED, CTREE_STATE_UNLOADED};
            ctree_forest forest = CTREE_FOREST_INIT;
            forest.count = 2;
            forest.ids = below;
            forest.states = states;
            assert_int_equal(ctree_load_finish(p.store, folder, ticket, &forest, CTREE_ELSEWHERE_MOVES, NULL, NULL),
                             CTREE_OK);
        }
        assert_int_equal(ctree_view_reveal_path(p.view, ids, length, &nearest), CTREE_OK);
        assert_true(nearest == node_of(&p, goal) && ctree_view_is_visible(p.view, nearest));
        assert_int_equal(ctree_view_waiting_count(p.view), 0);
        ids[length - 1] = ctree_id_bytes("nobody", 6);
        assert_int_equal(ctree_view_reveal_path(p.view, ids, length, &nearest), CTREE_NOT_FOUND);
        assert_int_equal(ctree_view_waiting_count(p.view), 0);
        end(&p);
    }
}

static void each_allocation_may_fail(void **state) {
    (void)state;
    static program p;
    for (uint64_t n = 1;; n++) {
        begin(&p, true, false);
        insert(&p, named(&p, "a"));
        insert(&p, named(&p, "ab"));
        uint32_t which[] = {named(&p, "ab"), named(&p, "abc"), named(&p, "a"), named(&p, "ca")};
        uint32_t what[] = {CTREE_SAVED_EXPANDED, CTREE_SAVED_EXPANDED | CTREE_SAVED_SELECTED, CTREE_SAVED_EXPANDED,
                           CTREE_SAVED_SELECTED};
        failing_allocator_arm(&p.memory, n, true);
        ctree_status status = restore(&p, which, what, 4);
        bool failed = failing_allocator_disarm(&p.memory);
        if (status != CTREE_OK) {
            assert_int_equal(status, CTREE_NO_MEMORY);
            compare(&p); /* as it was */
        } else {
            /* What memory did not reach for comes with the next edit. */
            insert(&p, named(&p, "b"));
            for (uint32_t i = 0; i < 4; i++) ask(&p, which[i], what[i]);
            compare(&p);
            insert(&p, named(&p, "abc"));
            compare(&p);
        }
        end(&p);
        if (!failed) break;
    }
    for (uint64_t n = 1;; n++) { /* and where a node comes */
        begin(&p, true, false);
        uint32_t which[] = {named(&p, "a"), named(&p, "ab")};
        uint32_t what[] = {CTREE_SAVED_EXPANDED | CTREE_SAVED_SELECTED, CTREE_SAVED_EXPANDED};
        assert_int_equal(restore(&p, which, what, 2), CTREE_OK);
        ask(&p, which[0], what[0]);
        ask(&p, which[1], what[1]);
        failing_allocator_arm(&p.memory, n, true);
        ctree_node node;
        ctree_status status =
            ctree_store_insert(p.store, CTREE_NONE, CTREE_END, own_id(&p, which[0]), &unloaded, &node);
        bool failed = failing_allocator_disarm(&p.memory);
        if (status == CTREE_OK) {
            arrive(&p, which[0]);
            insert(&p, which[1]);
        }
        compare(&p);
        end(&p);
        if (!failed) break;
    }
}

static void bad_input_is_told_and_changes_nothing(void **state) {
    (void)state;
    static program p;
    begin(&p, false, false);
    ctree_id id = ctree_id_bytes("a", 1), number = ctree_id_u64(1), two[] = {id, id};
    const ctree_saved bad[] = {{NULL, 1, CTREE_SAVED_EXPANDED},
                               {&id, 0, CTREE_SAVED_EXPANDED},
                               {&id, 1, 0},
                               {&id, 1, 8},
                               {&id, 1, 3},
                               {&number, 1, 1},
                               {two, 2, 1}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ctree_saved entries[] = {{&id, 1, 1}, bad[i]};
        assert_int_equal(ctree_view_restore(p.view, entries, 2), CTREE_INVALID);
    }
    assert_int_equal(ctree_view_restore(p.view, NULL, 1), CTREE_INVALID);
    assert_int_equal(ctree_view_restore(p.view, NULL, 0), CTREE_OK);
    assert_int_equal(ctree_view_restore(NULL, NULL, 0), CTREE_INVALID);
    assert_int_equal(ctree_view_save(p.view, 8, hear, NULL), CTREE_INVALID);
    assert_int_equal(ctree_view_save(p.view, 1, NULL, NULL), CTREE_INVALID);
    assert_int_equal(ctree_view_reveal_path(p.view, &id, 0, NULL), CTREE_INVALID);
    assert_int_equal(ctree_view_reveal_path(p.view, NULL, 1, NULL), CTREE_INVALID);
    assert_int_equal(ctree_view_reveal_path(p.view, &number, 1, NULL), CTREE_INVALID);
    assert_int_equal(ctree_view_forget_waiting(NULL), CTREE_INVALID);
    assert_int_equal(ctree_view_waiting_count(NULL), 0);
    ctree_saved one = {&id, 1, CTREE_SAVED_EXPANDED};
    assert_int_equal(ctree_view_restore(p.view, &one, 1), CTREE_OK);
    assert_int_equal(ctree_view_waiting_count(p.view), 1);
    assert_int_equal(ctree_view_forget_waiting(p.view), CTREE_OK);
    assert_int_equal(ctree_view_waiting_count(p.view), 0);
    end(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_view_keeps_what_waits_as_plain_arrays_do),
        cmocka_unit_test(what_waits_opens_level_by_level_and_asks_for_loads_once),
        cmocka_unit_test(what_waits_collapsed_is_not_asked_for_though_all_is_open_by_default),
        cmocka_unit_test(a_collapse_ends_what_waits_below_it),
        cmocka_unit_test(a_reveal_goes_on_as_loads_bring_what_it_waits_for),
        cmocka_unit_test(each_allocation_may_fail),
        cmocka_unit_test(bad_input_is_told_and_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
