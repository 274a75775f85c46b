#include "support/view_program.h"

#include "support/assertions.h"
#include "support/view_screen.h"
#include "support/world_calls.h"

enum { RECORDING = 3, LAST = 3, MOST_ITEMS = 512 }; /* Views 0 to 2 record, view 3 comes and goes. */

typedef enum extra_call { CALL_OF_WORLD, CALL_TRIM, CALL_COMPACT } extra_call;

typedef struct program {
    view_program_options options;
    random_source random;
    world w, other; /* Only stores and views of these are used, and the allocator. */
    view_screen screens[RECORDING];
    uint32_t next_number;
    ctree_node loading;
    ctree_ticket ticket;

    ctree_node *told; /* The rows of view 0 as splices tell them. */
    uint32_t told_count, told_room;

    op call;
    extra_call extra;
    ctree_node_init init;
    ctree_forest forest;
    ctree_id ids[MOST_ITEMS];
    char names[MOST_ITEMS][12];
    uint32_t numbers[MOST_ITEMS];
    uint32_t parents[MOST_ITEMS];
    uint64_t values[MOST_ITEMS];
    uint8_t states[MOST_ITEMS];
} program;

static uint32_t below(program *p, uint32_t bound) { return random_below(&p->random, bound); }
static bool one_in(program *p, uint32_t times) { return random_chance(&p->random, 1, times); }

static ctree_node any_node(program *p) {
    /* A walk down at random finds shallow nodes, a walk in preorder from there the others. */
    ctree_node node = CTREE_NONE;
    for (uint32_t hops = 1 + below(p, 6); hops > 0; hops--) {
        uint32_t count = ctree_store_child_count(p->w.store, node);
        if (count == 0) break;
        node = ctree_store_child_at(p->w.store, node, below(p, count));
    }
    for (uint32_t hops = one_in(p, 4) ? below(p, 400) : 0; hops > 0; hops--) {
        ctree_node next = ctree_store_next(p->w.store, node, CTREE_NONE, false);
        if (next == CTREE_NONE) break;
        node = next;
    }
    return node;
}

/* ---- Splices --------------------------------------------------------------------------------------------------- */

static void on_splice(void *context, const ctree_view *view, const ctree_splice *splice) {
    program *p = context;
    CHECK(splice->row <= p->told_count && splice->removed <= p->told_count - splice->row);
    uint32_t tail = p->told_count - splice->row - splice->removed;
    uint32_t count = splice->row + splice->inserted + tail;
    if (count > p->told_room) p->told = must(realloc(p->told, (p->told_room = count * 2) * sizeof *p->told));
    if (tail != 0) {
        memmove(p->told + splice->row + splice->inserted, p->told + splice->row + splice->removed,
                tail * sizeof *p->told);
    }
    p->told_count = count;
    CHECK_EQUAL(ctree_view_row_count(view), count);
    for (uint32_t i = 0; i < splice->inserted; i++)
        p->told[splice->row + i] = ctree_view_node_at(view, splice->row + i);
}

/* ---- Checks ---------------------------------------------------------------------------------------------------- */

static void validate(const program *p) {
    const char *reason = NULL;
    ctree_status status = ctree_validate(p->w.store, &reason);
    for (uint32_t v = 0; v < TWIN_VIEWS && status == CTREE_OK; v++) {
        if (p->w.views[v] != NULL) status = ctree_view_validate(p->w.views[v], &reason);
    }
    if (status != CTREE_OK) fprintf(stderr, "%s\n", reason != NULL ? reason : ctree_status_name(status));
    CHECK_EQUAL(status, CTREE_OK);
}

static void check_reads(program *p, const ctree_view *view) {
    ctree_rows *rows;
    CHECK_EQUAL(ctree_rows_flatten(view, 0, NULL, &rows), CTREE_OK);
    uint32_t count = ctree_rows_count(rows);
    CHECK_EQUAL(ctree_view_row_count(view), count);
    CHECK_EQUAL(ctree_view_section_count(view), ctree_rows_section_count(rows));
    for (uint32_t i = 0; i < 6 && count != 0; i++) {
        uint32_t row = below(p, count), got = CTREE_NO_ROW, wanted = 1 + below(p, 9), plain = wanted;
        ctree_node node = ctree_rows_node(rows, row), found = CTREE_NONE;
        ctree_index_path path, flat;
        ctree_row window[9], expected[9];
        CHECK_EQUAL(ctree_view_node_at(view, row), node);
        CHECK_EQUAL(ctree_view_row_of(view, node), row);
        CHECK_EQUAL(ctree_view_nodes_at(view, &row, 1, &found), CTREE_OK);
        CHECK_EQUAL(found, node);
        CHECK_EQUAL(ctree_view_rows_of(view, &node, 1, &got), CTREE_OK);
        CHECK_EQUAL(got, row);
        CHECK_EQUAL(ctree_view_index_path(view, row, &path), CTREE_OK);
        CHECK_EQUAL(ctree_rows_index_path(rows, row, &flat), CTREE_OK);
        CHECK(path.section == flat.section && path.row == flat.row);
        CHECK_EQUAL(ctree_view_row_at_index_path(view, path), row);
        CHECK_EQUAL(ctree_view_window(view, row, &wanted, window), CTREE_OK);
        CHECK_EQUAL(ctree_rows_window(rows, view, row, &plain, expected), CTREE_OK);
        CHECK_EQUAL(wanted, plain);
        ctree_node nodes[9];
        uint32_t depths[9], many = 9;
        CHECK_EQUAL(ctree_view_nodes_from(view, row, &many, nodes, depths), CTREE_OK);
        for (uint32_t w = 0; w < wanted; w++) {
            CHECK_EQUAL(window[w].node, expected[w].node);
            CHECK_EQUAL(nodes[w], expected[w].node);
            CHECK_EQUAL(depths[w], expected[w].depth);
            CHECK_EQUAL(window[w].depth, expected[w].depth);
            CHECK_EQUAL(window[w].position, expected[w].position);
            CHECK_EQUAL(window[w].sibling_count, expected[w].sibling_count);
            CHECK_EQUAL(window[w].expanded, expected[w].expanded);
        }
    }
    ctree_rows_destroy(rows);
}

static void check_all(program *p) {
    validate(p);
    for (uint32_t v = 0; v < TWIN_VIEWS; v++) {
        if (p->w.views[v] != NULL) check_reads(p, p->w.views[v]);
    }
    CHECK_EQUAL(p->told_count, ctree_view_row_count(p->w.views[0]));
    for (uint32_t i = 0; i < p->told_count; i++) CHECK_EQUAL(p->told[i], ctree_view_node_at(p->w.views[0], i));
    if (p->options.mirrored) mirror_compare(&p->w.mirror, p->w.store);
}

static uint64_t mix(uint64_t sum, uint64_t word) {
    word = (sum ^ word) * 0x9E3779B97F4A7C15u;
    return word ^ word >> 29;
}

/* All that can be read, as one number. */
static uint64_t sum_of(const program *p) {
    const ctree_store *store = p->w.store;
    uint64_t sum = ctree_store_count(store);
    for (ctree_node node = CTREE_NONE; (node = ctree_store_next(store, node, CTREE_NONE, false)) != CTREE_NONE;) {
        ctree_node parent;
        CHECK_EQUAL(ctree_store_parent(store, node, &parent), CTREE_OK);
        sum = mix(mix(mix(sum, node), parent), ctree_store_value(store, node));
        sum = mix(mix(sum, ctree_store_revision(store, node)), ctree_store_load_state(store, node));
        for (uint32_t v = 0; v < TWIN_VIEWS; v++) sum = mix(sum, ctree_view_is_expanded(p->w.views[v], node));
    }
    for (uint32_t v = 0; v < TWIN_VIEWS; v++) {
        uint32_t count = ctree_view_row_count(p->w.views[v]);
        for (uint32_t row = 0; row < count; row++) {
            uint32_t one = 1;
            ctree_row shown;
            CHECK_EQUAL(ctree_view_window(p->w.views[v], row, &one, &shown), CTREE_OK);
            sum = mix(mix(sum, shown.node), shown.depth);
        }
    }
    return sum;
}

/* ---- Forests --------------------------------------------------------------------------------------------------- */

static void set_id(program *p, uint32_t item, uint32_t number) {
    p->numbers[item] = number;
    p->values[item] = number; /* the way back to the identifier */
    if (p->options.kind == CTREE_ID_U64) {
        p->ids[item] = ctree_id_u64(number);
    } else {
        snprintf(p->names[item], sizeof p->names[item], "%" PRIu32, number);
        p->ids[item] = ctree_id_bytes(p->names[item], strlen(p->names[item]));
    }
}

static uint32_t new_number(program *p) {
    bool again = p->options.scope == CTREE_SCOPE_SIBLINGS && one_in(p, 3);
    return again ? 1 + below(p, 40) : p->next_number++;
}

static void use_forest(program *p, uint32_t count) {
    p->forest = (ctree_forest)CTREE_FOREST_INIT;
    p->forest.count = count;
    p->forest.ids = p->ids;
    p->forest.parents = p->parents;
    p->forest.values = p->values;
    p->forest.states = p->states;
    p->call.forest = &p->forest;
    p->call.fault = (ctree_fault)CTREE_FAULT_INIT;
}

/* A forest of new nodes: a chain, a broad one, or of no shape. */
static void draw_new(program *p, uint32_t count) {
    uint32_t shape = below(p, 4);
    if (count > MOST_ITEMS) count = MOST_ITEMS;
    for (uint32_t i = 0; i < count; i++) {
        set_id(p, i, new_number(p));
        p->parents[i] = i == 0 || (shape != 0 && one_in(p, 20)) ? CTREE_END
                        : shape == 0                            ? i - 1
                        : shape == 1                            ? 0
                                                                : below(p, i);
        p->states[i] = (uint8_t)(one_in(p, 3) ? CTREE_STATE_UNLOADED : CTREE_STATE_LEAF);
        if (p->parents[i] != CTREE_END) p->states[p->parents[i]] = CTREE_STATE_LOADED;
    }
    use_forest(p, count);
}

/* Children as they are, most of them, with others and new ones among them, some below others. */
static void draw_list(program *p, ctree_node parent) {
    const ctree_store *store = p->w.store;
    uint32_t count = 0, present = ctree_store_child_count(store, parent), wanted = below(p, 64), keep = below(p, 4);
    bool turned = one_in(p, 6); /* runs move */
    for (uint32_t i = 0; i < wanted; i++) {
        ctree_node node = CTREE_NONE;
        uint32_t from = turned ? (i + present / 2) % (present + 1) : i;
        if (keep != 0 && i < present)
            node = ctree_store_child_at(store, parent, one_in(p, 10) ? below(p, present) : from);
        if (one_in(p, 8)) node = any_node(p);
        bool known = node != CTREE_NONE && !one_in(p, 10);
        uint32_t number = known ? (uint32_t)ctree_store_value(store, node) : new_number(p), same = 0;
        while (same < count && p->numbers[same] != number) same++;
        if (same != count) continue;
        set_id(p, count, number);
        p->parents[count] = count != 0 && one_in(p, 3) ? below(p, count) : CTREE_END;
        p->states[count] = (uint8_t)(one_in(p, 3) ? CTREE_STATE_LOADED : CTREE_STATE_KEEP);
        if (p->parents[count] != CTREE_END) p->states[p->parents[count]] = CTREE_STATE_LOADED;
        count++;
    }
    use_forest(p, count);
}

static void draw_graft(program *p) {
    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    options.id_kind = p->options.kind;
    options.id_scope = p->options.scope;
    CHECK_EQUAL(ctree_store_create(&options, &p->other.store), CTREE_OK);
    draw_new(p, 1 + below(p, p->options.most / 8 + 1));
    ctree_store_build(p->other.store, CTREE_NONE, CTREE_END, &p->forest, NULL, NULL, NULL);
    p->call.other = &p->other;
}

/* ---- Calls ----------------------------------------------------------------------------------------------------- */

static void draw_load(program *p) {
    static const op_kind kinds[] = {OP_BEGIN,  OP_FINISH, OP_APPEND,  OP_APPEND,      OP_FAIL,
                                    OP_CANCEL, OP_DROP,   OP_REQUEST, OP_NEXT_REQUEST};
    p->call.kind = kinds[below(p, sizeof kinds / sizeof kinds[0])];
    if (p->call.kind == OP_BEGIN || p->call.kind == OP_REQUEST) {
        p->call.flags = below(p, 2);
        return;
    }
    if (p->call.kind == OP_DROP && one_in(p, 2)) return;
    p->call.node = p->loading;
    p->call.ticket = p->ticket;
    p->call.value = 5;
    p->call.flag = one_in(p, 2);
    if (p->call.kind == OP_FINISH) draw_list(p, p->loading);
    if (p->call.kind == OP_APPEND) draw_new(p, below(p, 20));
}

static void draw_edit(program *p) {
    bool full = ctree_store_count(p->w.store) >= p->options.most;
    uint32_t count = ctree_store_child_count(p->w.store, p->call.parent);
    switch (below(p, 12)) {
        case 0:
        case 1:
            if (full) break;
            p->call.kind = OP_INSERT;
            p->call.at = below(p, count + 1);
            set_id(p, 0, new_number(p));
            p->call.id = p->ids[0];
            p->init = (ctree_node_init){p->values[0], 0, below(p, 2)};
            p->call.init = &p->init;
            break;
        case 2:
            if (full || !one_in(p, 3)) break;
            p->call.kind = OP_BUILD;
            p->call.at = one_in(p, 2) ? CTREE_END : below(p, count + 1);
            draw_new(p, 1 + below(p, p->options.most / 3 + 1));
            break;
        case 3:
        case 4:
        case 5:
            p->call.kind = OP_MOVE;
            p->call.at = one_in(p, 2) ? CTREE_END : below(p, count + 1);
            break;
        case 6:
            p->call.kind = OP_REMOVE;
            if (!one_in(p, 6) && ctree_store_child_count(p->w.store, p->call.node) > 3) p->call.kind = OP_EXPAND;
            break;
        case 7:
            p->call.kind = OP_REMOVE_CHILDREN;
            p->call.at = below(p, count + 1);
            p->call.count = one_in(p, 10) ? below(p, count + 1 - p->call.at) : 1;
            break;
        case 8:
        case 9:
            p->call.kind = OP_RECONCILE;
            if (one_in(p, 3)) p->call.parent = CTREE_NONE;
            p->call.elsewhere = one_in(p, 4) ? CTREE_ELSEWHERE_FAILS : CTREE_ELSEWHERE_MOVES;
            draw_list(p, p->call.parent);
            break;
        case 10:
            p->call.kind = one_in(p, 5) ? OP_SET_LEAF : OP_SET_VALUE;
            p->call.flag = one_in(p, 3);
            p->call.value = ctree_store_value(p->w.store, p->call.node);
            p->call.revision = below(p, 8);
            break;
        default:
            if (full || !one_in(p, 4)) break;
            p->call.kind = OP_GRAFT;
            p->call.at = below(p, count + 1);
            draw_graft(p);
            break;
    }
}

static void draw_view_call(program *p) {
    static const op_kind kinds[] = {OP_EXPAND, OP_EXPAND,     OP_EXPAND,       OP_EXPAND, OP_COLLAPSE,
                                    OP_TOGGLE, OP_EXPAND_ALL, OP_COLLAPSE_ALL, OP_REVEAL, OP_REVEAL};
    p->call.kind = kinds[below(p, sizeof kinds / sizeof kinds[0])];
    p->call.levels = one_in(p, 2) ? CTREE_ALL_LEVELS : 1 + below(p, 3);
    if (p->call.kind == OP_EXPAND_ALL || p->call.kind == OP_COLLAPSE_ALL) {
        if (one_in(p, 4)) p->call.node = CTREE_NONE;
        if (!one_in(p, 3)) p->call.kind = OP_COLLAPSE;
    }
    if (one_in(p, 80)) p->extra = one_in(p, 2) ? CALL_TRIM : CALL_COMPACT;
    if (!one_in(p, 60)) return;
    p->call.view = LAST;
    p->call.kind = p->w.views[LAST] == NULL ? OP_VIEW_CREATE : OP_VIEW_DESTROY;
    p->call.flags = below(p, 4);
    p->call.levels = one_in(p, 3) ? CTREE_ALL_LEVELS : below(p, 3);
}

static void draw(program *p) {
    p->extra = CALL_OF_WORLD;
    p->call = (op){.kind = OP_EXPAND, .node = any_node(p), .view = below(p, TWIN_VIEWS)};
    if (p->w.views[p->call.view] == NULL) p->call.view = 0;
    p->call.parent = one_in(p, 8) ? CTREE_NONE : any_node(p);
    uint32_t way = below(p, 16);
    if (way < 8) {
        draw_view_call(p);
    } else if (way < 14) {
        draw_edit(p);
    } else {
        draw_load(p);
    }
}

static ctree_status attempt(program *p) {
    ctree_view *view = p->w.views[p->call.view];
    if (p->extra == CALL_TRIM && view != NULL) return ctree_view_trim(view);
    if (p->extra == CALL_COMPACT && view != NULL) return ctree_view_compact(view);
    return call_engine(&p->w, &p->call, NULL);
}

static bool draws_failure(program *p) { return p->options.fails_in != 0 && one_in(p, p->options.fails_in); }

static void step(program *p) {
    draw(p);
    bool fails = draws_failure(p);
    uint64_t before = fails ? sum_of(p) : 0, other = ctree_store_count(p->other.store);
    if (fails) failing_allocator_arm(&p->w.memory, 1 + below(p, 8), one_in(p, 4));
    ctree_status status = attempt(p);
    bool failed = fails && failing_allocator_disarm(&p->w.memory);
    for (uint32_t v = 0; v < RECORDING && failed; v++) p->screens[v].may_reload = true;
    bool destroyed = p->call.kind == OP_VIEW_DESTROY && p->extra == CALL_OF_WORLD;
    if (destroyed) p->w.views[p->call.view] = NULL;
    if (status != CTREE_OK && fails) {
        CHECK_EQUAL(sum_of(p), before);
        if (p->other.store != NULL) CHECK_EQUAL(ctree_store_count(p->other.store), other);
    }
    if (status == CTREE_NO_MEMORY) {
        CHECK(failed);
        validate(p);
        status = attempt(p);
    }
    CHECK(status != CTREE_NO_MEMORY && status != CTREE_LIMIT && status != CTREE_BUSY && status != CTREE_CORRUPT);
    if (p->call.kind == OP_BEGIN && status == CTREE_OK) {
        p->loading = p->call.node;
        p->ticket = p->call.ticket;
    }
    ctree_store_destroy(p->other.store);
    p->other.store = NULL;
}

static uint64_t commit(program *p) {
    view_screen *s = &p->screens[below(p, RECORDING)];
    view_screen_commit(s, &p->w.memory, draws_failure(p) ? 1 + below(p, 12) : 0,
                       one_in(p, 12) ? 1 + below(p, 30) : 0);
    if (one_in(p, 4)) return 0; /* not shown: part of the next */
    view_screen_show(s);
    uint32_t edits = one_in(p, 3) ? below(p, 4) : 0;
    for (uint32_t i = 0; i < edits; i++) step(p);
    view_screen_accept(s, &p->w.memory, draws_failure(p) ? 1 + below(p, 3) : 0, edits != 0);
    return edits;
}

/* ---- The program ----------------------------------------------------------------------------------------------- */

static void begin(program *p) {
    failing_allocator_init(&p->w.memory);
    ctree_allocator allocator = failing_allocator_use(&p->w.memory);
    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    options.allocator = &allocator;
    options.id_kind = p->options.kind;
    options.id_scope = p->options.scope;
    CHECK_EQUAL(ctree_store_create(&options, &p->w.store), CTREE_OK);
    const uint32_t flags[TWIN_VIEWS] = {CTREE_VIEW_RECORDS, CTREE_VIEW_RECORDS | CTREE_VIEW_SECTIONS,
                                        CTREE_VIEW_RECORDS | CTREE_VIEW_FORGETS, 0};
    const uint32_t depths[TWIN_VIEWS] = {0, 0, 2, 0};
    for (uint32_t v = 0; v < TWIN_VIEWS; v++) {
        ctree_view_options view_options = {sizeof view_options, flags[v], depths[v]};
        CHECK_EQUAL(ctree_view_create(p->w.store, &view_options, &p->w.views[v]), CTREE_OK);
        if (v >= RECORDING) continue;
        p->screens[v] = (view_screen){.store = p->w.store, .view = p->w.views[v]};
        p->screens[v].sections = (flags[v] & CTREE_VIEW_SECTIONS) != 0;
    }
    CHECK_EQUAL(ctree_view_watch(p->w.views[0], on_splice, p), CTREE_OK);
    if (p->options.mirrored) mirror_attach(&p->w.mirror, p->w.store);
}

static void end(program *p) {
    if (p->options.mirrored) mirror_detach(&p->w.mirror, p->w.store);
    for (uint32_t v = 0; v < RECORDING; v++) view_screen_free(&p->screens[v]);
    for (uint32_t v = 0; v < TWIN_VIEWS; v++) ctree_view_destroy(p->w.views[v]);
    ctree_store_destroy(p->w.store);
    if (p->options.mirrored) mirror_free(&p->w.mirror);
    CHECK_EQUAL(p->w.memory.blocks, 0);
    free(p->told);
}

uint64_t view_program_run(random_source random, view_program_options options, uint64_t steps) {
    program *p = must(calloc(1, sizeof *p));
    p->options = options;
    p->random = random;
    p->next_number = 1000;
    begin(p);
    uint64_t done = 0;
    for (uint64_t checked = 0; done < steps && !random_is_over(&p->random); done++) {
        step(p);
        if (one_in(p, 6)) done += commit(p);
        if (done - checked < options.check_every) continue;
        check_all(p);
        checked = done;
    }
    check_all(p);
    end(p);
    free(p);
    return done;
}
