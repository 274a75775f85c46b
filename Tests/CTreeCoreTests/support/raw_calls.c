#include "support/raw_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctree/ctree.h"
#include "support/assertions.h"

enum { STORES = 2, VIEWS = 3, HANDLES = 64, ITEMS = 24 };

/* What a call looks at while it runs; one made from within it has its own. */
typedef struct input {
    char names[ITEMS][4];
    ctree_id ids[ITEMS];
    uint64_t numbers[ITEMS], values[ITEMS], revisions[ITEMS];
    uint32_t parents[ITEMS];
    uint8_t states[ITEMS];
} input;

typedef struct raw {
    random_source random;
    ctree_store *stores[STORES];
    bool closed[STORES]; /* Kept alive by a view. */
    ctree_view *views[VIEWS];
    int store_of[VIEWS];
    ctree_rows *rows;
    ctree_node handles[HANDLES];
    ctree_ticket tickets[8];
    uint32_t next_handle, next_ticket;
    input inputs[2];
    uint64_t token;
    bool within;
} raw;

static uint32_t below(raw *r, uint32_t bound) { return random_below(&r->random, bound); }
static bool one_in(raw *r, uint32_t times) { return random_chance(&r->random, 1, times); }

static void call(raw *r);

static void call_within(raw *r) {
    r->within = true;
    call(r);
    r->within = false;
}

/* ---- Arguments ---------------------------------------------------------------------------------------------------
 */

static ctree_store *some_store(raw *r) { return one_in(r, 40) ? NULL : r->stores[below(r, STORES)]; }
static ctree_view *some_view(raw *r) { return one_in(r, 40) ? NULL : r->views[below(r, VIEWS)]; }

static ctree_node some_node(raw *r) {
    switch (below(r, 16)) {
        case 0: return CTREE_NONE;
        case 1: return random_u64(&r->random);
        case 2: return r->handles[below(r, HANDLES)] ^ UINT64_C(1) << below(r, 64);
        default: return r->handles[below(r, HANDLES)];
    }
}

static uint32_t some_number(raw *r) {
    switch (below(r, 8)) {
        case 0: return UINT32_MAX;
        case 1: return UINT32_MAX - below(r, 3);
        case 2: return (uint32_t)random_u64(&r->random);
        default: return below(r, 12);
    }
}

static ctree_id some_id(raw *r, const ctree_store *store) {
    bool bytes = store != NULL && ctree_store_id_kind(store) == CTREE_ID_BYTES;
    if (one_in(r, 30)) bytes = !bytes;
    uint32_t which = below(r, ITEMS);
    if (!bytes) return ctree_id_u64(one_in(r, 20) ? random_u64(&r->random) : which);
    r->inputs[r->within].names[which][0] = (char)which;
    return ctree_id_bytes(r->inputs[r->within].names[which], below(r, 3));
}

static void keep(raw *r, ctree_node node) {
    if (node != CTREE_NONE) r->handles[r->next_handle++ % HANDLES] = node;
}

static void keep_ticket(raw *r, ctree_ticket ticket) { r->tickets[r->next_ticket++ % 8] = ticket; }

static ctree_ticket some_ticket(raw *r) { return one_in(r, 10) ? random_u64(&r->random) : r->tickets[below(r, 8)]; }

static ctree_forest some_forest(raw *r, const ctree_store *store) {
    ctree_forest forest = CTREE_FOREST_INIT;
    uint32_t count = below(r, ITEMS), first = below(r, ITEMS);
    forest.count = count;
    bool bytes = store != NULL && ctree_store_id_kind(store) == CTREE_ID_BYTES;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t which = one_in(r, 20) ? below(r, ITEMS) : (first + i) % ITEMS;
        r->inputs[r->within].names[i][0] = (char)which;
        r->inputs[r->within].ids[i] = bytes ? ctree_id_bytes(r->inputs[r->within].names[i], 1) : ctree_id_u64(which);
        r->inputs[r->within].numbers[i] = which;
        r->inputs[r->within].parents[i] =
            i == 0 || one_in(r, 3) ? CTREE_END : below(r, one_in(r, 40) ? UINT32_MAX : i);
        r->inputs[r->within].values[i] = random_u64(&r->random);
        r->inputs[r->within].revisions[i] = below(r, 3);
        r->inputs[r->within].states[i] = (uint8_t)(one_in(r, 40)  ? below(r, 256)
                                                   : one_in(r, 3) ? CTREE_STATE_UNLOADED
                                                                  : CTREE_STATE_KEEP);
    }
    if (one_in(r, 2) || bytes) {
        forest.ids = r->inputs[r->within].ids;
    } else {
        forest.numbers = r->inputs[r->within].numbers;
    }
    if (one_in(r, 50)) forest.ids = NULL;
    if (!one_in(r, 4)) forest.parents = r->inputs[r->within].parents;
    if (one_in(r, 2)) forest.values = r->inputs[r->within].values;
    if (one_in(r, 2)) forest.revisions = r->inputs[r->within].revisions;
    if (one_in(r, 2)) forest.states = r->inputs[r->within].states;
    if (one_in(r, 50)) forest.size = below(r, 80);
    return forest;
}

static bool keep_going(void *context, uint64_t done, uint64_t total) {
    (void)done;
    (void)total;
    return !one_in(context, 4);
}

static ctree_progress some_progress(raw *r) { return (ctree_progress){r, one_in(r, 20) ? NULL : keep_going}; }

/* ---- Callbacks ----------------------------------------------------------------------------------------------------
 */

static void on_edit(void *context, const ctree_store *store, const ctree_edit *edit) {
    raw *r = context;
    (void)store;
    keep(r, edit->node);
    if (r->within || !one_in(r, 4)) return;
    call_within(r);
}

static void on_settled(void *context, ctree_store *store) {
    raw *r = context;
    (void)store;
    if (r->within || !one_in(r, 6)) return;
    call_within(r);
}

static void on_splice(void *context, const ctree_view *view, const ctree_splice *splice) {
    raw *r = context;
    (void)ctree_view_node_at(view, splice->row);
    if (r->within || !one_in(r, 8)) return;
    call_within(r);
}

static bool on_saved(void *context, const ctree_saved *entry) {
    raw *r = context;
    return entry->length != 0 && !one_in(r, 30);
}

/* ---- Calls --------------------------------------------------------------------------------------------------------
 */

static void read_store(raw *r) {
    const ctree_store *store = some_store(r);
    ctree_node node = some_node(r), out = CTREE_NONE, nodes[8];
    uint32_t number = below(r, 8), ordinals[8];
    ctree_id id;
    ctree_node_info info = {.size = one_in(r, 20) ? below(r, 100) : sizeof info};
    ctree_memory memory = {.size = sizeof memory};
    switch (below(r, 20)) {
        case 0: keep(r, ctree_store_find(store, some_id(r, store))); break;
        case 1: keep(r, ctree_store_find_child(store, node, some_id(r, store))); break;
        case 2: (void)ctree_store_info(store, node, one_in(r, 20) ? NULL : &info); break;
        case 3: (void)ctree_store_parent(store, node, &out); break;
        case 4: (void)ctree_store_id(store, node, &id); break;
        case 5: (void)ctree_store_ordinal(store, node, &number); break;
        case 6: (void)ctree_store_depth(store, node, &number); break;
        case 7: (void)ctree_store_path(store, node, &number, ordinals); break;
        case 8: (void)ctree_store_children(store, node, some_number(r), &number, nodes); break;
        case 9: keep(r, ctree_store_child_at(store, node, some_number(r))); break;
        case 10: keep(r, ctree_store_next(store, node, some_node(r), one_in(r, 2))); break;
        case 11: (void)ctree_store_is_below(store, node, some_node(r)); break;
        case 12: (void)ctree_store_subtree_count(store, node); break;
        case 13: (void)ctree_store_memory(store, &memory); break;
        case 14:
            ordinals[0] = some_number(r);
            ordinals[1] = some_number(r);
            keep(r, ctree_store_node_at_path(store, ordinals, below(r, 3)));
            break;
        case 15:
            nodes[0] = some_node(r);
            r->inputs[r->within].ids[0] = some_id(r, store);
            (void)ctree_store_find_many(store, one_in(r, 2) ? NULL : nodes, r->inputs[r->within].ids, below(r, 2),
                                        nodes + 1);
            break;
        case 16: keep(r, ctree_load_next_request(r->stores[below(r, STORES)])); break;
        case 17: (void)ctree_load_check(store, node, some_ticket(r)); break;
        case 18: (void)ctree_load_error(store, node); break;
        default: (void)ctree_store_value(store, node); break;
    }
}

static void edit_store(raw *r) {
    ctree_store *store = some_store(r);
    ctree_node node = some_node(r), out = CTREE_NONE;
    ctree_node_init init = {random_u64(&r->random), 1, below(r, one_in(r, 20) ? 9 : 2)};
    ctree_forest forest = some_forest(r, store);
    ctree_progress progress = some_progress(r);
    const ctree_progress *asked = one_in(r, 4) ? &progress : NULL;
    ctree_fault fault = {.size = one_in(r, 20) ? 0 : sizeof fault};
    ctree_ticket ticket = 0;
    ctree_listener listener = {r, one_in(r, 2) ? on_edit : NULL, one_in(r, 2) ? on_edit : NULL, on_settled};
    switch (below(r, 22)) {
        case 0:
        case 1:
        case 2:
            (void)ctree_store_insert(store, node, one_in(r, 3) ? some_number(r) : CTREE_END, some_id(r, store),
                                     one_in(r, 4) ? NULL : &init, &out);
            keep(r, out);
            break;
        case 3: (void)ctree_store_remove(store, node); break;
        case 4: (void)ctree_store_remove_children(store, node, some_number(r), some_number(r)); break;
        case 5: (void)ctree_store_move(store, node, some_node(r), some_number(r)); break;
        case 6: (void)ctree_store_set_value(store, node, random_u64(&r->random), below(r, 3)); break;
        case 7: (void)ctree_store_set_leaf(store, node, one_in(r, 2)); break;
        case 8:
        case 9: (void)ctree_store_build(store, node, some_number(r), &forest, asked, NULL, &fault); break;
        case 10:
            (void)ctree_store_reconcile(store, node, &forest, below(r, one_in(r, 20) ? 5 : 2), asked, NULL, &fault);
            break;
        case 11: (void)ctree_store_graft(store, node, some_number(r), some_store(r), asked, &fault); break;
        case 12: (void)ctree_store_begin(store); break;
        case 13: (void)ctree_store_end(store); break;
        case 14: (void)ctree_store_add_listener(store, &listener, &r->token); break;
        case 15: (void)ctree_store_remove_listener(store, one_in(r, 4) ? random_u64(&r->random) : r->token); break;
        case 16: (void)ctree_load_request(store, node); break;
        case 17:
            (void)ctree_load_begin(store, node, below(r, one_in(r, 20) ? UINT32_MAX : 2), &ticket);
            keep_ticket(r, ticket);
            break;
        case 18: (void)ctree_load_finish(store, node, some_ticket(r), &forest, below(r, 2), NULL, &fault); break;
        case 19: (void)ctree_load_append(store, node, some_ticket(r), &forest, one_in(r, 2), NULL, &fault); break;
        case 20:
            if (one_in(r, 2)) {
                (void)ctree_load_fail(store, node, some_ticket(r), random_u64(&r->random));
            } else {
                (void)ctree_load_cancel(store, node, some_ticket(r));
            }
            break;
        default: (void)ctree_load_drop(store, node); break;
    }
}

static void use_view(raw *r) {
    ctree_view *view = some_view(r);
    ctree_node node = some_node(r), nodes[8] = {some_node(r), some_node(r)}, out = CTREE_NONE;
    uint32_t count = below(r, 8), numbers[8] = {some_number(r), some_number(r)};
    uint64_t room = 8;
    ctree_row rows[8];
    ctree_index_path path = {some_number(r), some_number(r)};
    ctree_progress progress = some_progress(r);
    const ctree_progress *asked = one_in(r, 4) ? &progress : NULL;
    const ctree_batch *batch;
    const ctree_section_batch *sections;
    ctree_id ids[3];
    const ctree_store *store = ctree_view_store(view);
    for (size_t i = 0; i < 3; i++) ids[i] = some_id(r, store);
    ctree_saved saved = {ids, below(r, 4), below(r, one_in(r, 10) ? UINT32_MAX : 8)};
    switch (below(r, 30)) {
        case 0:
        case 1: (void)ctree_view_expand(view, node); break;
        case 2: (void)ctree_view_collapse(view, node); break;
        case 3: (void)ctree_view_toggle(view, node); break;
        case 4: (void)ctree_view_reveal(view, node); break;
        case 5: (void)ctree_view_expand_all(view, node, some_number(r), asked); break;
        case 6: (void)ctree_view_collapse_all(view, node); break;
        case 7: keep(r, ctree_view_node_at(view, some_number(r))); break;
        case 8: (void)ctree_view_row_of(view, node); break;
        case 9: (void)ctree_view_nodes_at(view, numbers, below(r, 3), nodes + 2); break;
        case 10: (void)ctree_view_rows_of(view, nodes, below(r, 3), numbers); break;
        case 11: (void)ctree_view_window(view, some_number(r), &count, rows); break;
        case 12:
            (void)ctree_view_nodes_from(view, some_number(r), &count, nodes, one_in(r, 2) ? NULL : numbers);
            break;
        case 13: (void)ctree_view_ancestors(view, node, &count, nodes); break;
        case 14: (void)ctree_view_index_path(view, some_number(r), &path); break;
        case 15: (void)ctree_view_row_at_index_path(view, path); break;
        case 16: (void)ctree_view_section_rows(view, some_number(r)); break;
        case 17: (void)ctree_view_trim(view); break;
        case 18: (void)ctree_view_compact(view); break;
        case 19: (void)ctree_view_select(view, node, one_in(r, 2)); break;
        case 20: (void)ctree_view_select_rows(view, some_number(r), some_number(r), one_in(r, 2)); break;
        case 21: (void)ctree_view_selected(view, &room, nodes); break;
        case 22: (void)ctree_view_commit(view, below(r, 20), &batch); break;
        case 23: (void)ctree_view_commit_sections(view, below(r, 20), &sections); break;
        case 24: (void)ctree_view_accept(view); break;
        case 25: (void)ctree_view_watch(view, one_in(r, 3) ? NULL : on_splice, r); break;
        case 26: (void)ctree_view_save(view, below(r, 9), on_saved, r); break;
        case 27: (void)ctree_view_restore(view, &saved, below(r, 2)); break;
        case 28: (void)ctree_view_reveal_path(view, ids, below(r, 4), &out); break;
        default: (void)ctree_view_forget_waiting(view); break;
    }
}

static void open_store(raw *r, int which) {
    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    options.id_kind = below(r, 2);
    options.id_scope = below(r, 2);
    options.node_limit = one_in(r, 4) ? 60 : 0;
    CHECK_EQUAL(ctree_store_create(&options, &r->stores[which]), CTREE_OK);
}

static void open_view(raw *r, int which) {
    ctree_view_options options = CTREE_VIEW_OPTIONS_INIT;
    options.flags = below(r, 16);
    options.default_depth = one_in(r, 3) ? CTREE_ALL_LEVELS : below(r, 3);
    r->store_of[which] = (int)below(r, STORES);
    if (ctree_view_create(r->stores[r->store_of[which]], &options, &r->views[which]) != CTREE_OK)
        r->views[which] = NULL;
}

/* A destroy waits for the end of transactions that are open. What is told then must not use what is gone here. */
static void end_store(raw *r, ctree_store *store) {
    bool was_within = r->within;
    r->within = true;
    while (store != NULL && ctree_store_end(store) == CTREE_OK) continue;
    ctree_store_destroy(store);
    r->within = was_within;
}

/* Lives that end and begin, one whole store with its views at a time. */
static void renew(raw *r) {
    if (r->within) return;
    int which = (int)below(r, STORES);
    if (one_in(r, 3)) { /* closed first, and used while it is */
        end_store(r, r->stores[which]);
        for (uint32_t i = 0; i < 6; i++) {
            bool any = false;
            for (int v = 0; v < VIEWS; v++) any = any || (r->views[v] != NULL && r->store_of[v] == which);
            if (!any) r->stores[which] = NULL;
            use_view(r);
        }
        r->stores[which] = NULL;
    }
    for (int v = 0; v < VIEWS; v++) {
        if (r->store_of[v] != which) continue;
        ctree_view_destroy(r->views[v]);
        r->views[v] = NULL;
    }
    end_store(r, r->stores[which]);
    open_store(r, which);
    for (int v = 0; v < VIEWS; v++) {
        if (r->views[v] == NULL) open_view(r, v);
    }
}

static void use_rows(raw *r) {
    const ctree_view *view = some_view(r);
    ctree_index_path path = {some_number(r), some_number(r)};
    ctree_rows *made = NULL;
    switch (below(r, 6)) {
        case 0:
            if (ctree_rows_flatten(view, below(r, 3), NULL, &made) == CTREE_OK) {
                ctree_rows_destroy(r->rows);
                r->rows = made;
            }
            break;
        case 1: keep(r, ctree_rows_node(r->rows, some_number(r))); break;
        case 2: (void)ctree_rows_row(r->rows, some_node(r)); break;
        case 3: (void)ctree_rows_index_path(r->rows, some_number(r), &path); break;
        case 4: (void)ctree_rows_at_index_path(r->rows, path); break;
        default:
            keep(r, ctree_rows_section_node(r->rows, some_number(r)));
            (void)ctree_rows_section_start(r->rows, some_number(r));
            (void)ctree_rows_section_count(NULL);
            break;
    }
}

static void call(raw *r) {
    switch (below(r, 12)) {
        case 0:
        case 1:
        case 2:
        case 3: edit_store(r); break;
        case 4:
        case 5: read_store(r); break;
        case 6: use_rows(r); break;
        case 7:
            if (one_in(r, 30)) renew(r);
            break;
        default: use_view(r); break;
    }
}

static void validate(const raw *r) {
    const char *reason = NULL;
    for (int s = 0; s < STORES; s++) {
        ctree_status status = ctree_validate(r->stores[s], &reason);
        if (status != CTREE_OK) fprintf(stderr, "%s\n", reason != NULL ? reason : ctree_status_name(status));
        CHECK_EQUAL(status, CTREE_OK);
    }
    for (int v = 0; v < VIEWS; v++) {
        if (r->views[v] == NULL) continue;
        ctree_status status = ctree_view_validate(r->views[v], &reason);
        if (status != CTREE_OK) fprintf(stderr, "%s\n", reason != NULL ? reason : ctree_status_name(status));
        CHECK_EQUAL(status, CTREE_OK);
    }
}

void raw_calls_run(random_source source, uint32_t calls) {
    raw *r = must(calloc(1, sizeof *r));
    r->random = source;
    for (int s = 0; s < STORES; s++) open_store(r, s);
    for (int v = 0; v < VIEWS; v++) open_view(r, v);
    for (uint32_t i = 0; i < calls && !random_is_over(&r->random); i++) {
        call(r);
        if (i % 32 == 31) validate(r);
    }
    validate(r);
    ctree_rows_destroy(r->rows);
    for (int v = 0; v < VIEWS; v++) ctree_view_destroy(r->views[v]);
    for (int s = 0; s < STORES; s++) end_store(r, r->stores[s]);
    free(r);
}
