#include "support/program.h"

#include "support/assertions.h"
#include "support/compare.h"
#include "support/forest_box.h"

enum { COMPARED_ALWAYS = 64, COMPARED_EVERY = 256, ROWS_KEPT = 3 };

/* Rows of some moment ago: they must still say the same, whatever the store went through. */
typedef struct kept_rows {
    ctree_rows *rows;
    ctree_node *nodes;
    uint32_t *depths;
    uint32_t count, view;
} kept_rows;

typedef struct program {
    random_source *source;
    program_options options;
    world *w;
    uint32_t ids, most_nodes, most_items;
    uint64_t next_value;
    kept_rows kept[ROWS_KEPT];
    uint64_t calls;
} program;

static uint32_t below(program *p, uint32_t bound) { return random_below(p->source, bound); }
static bool chance(program *p, uint32_t times, uint32_t out_of) { return random_chance(p->source, times, out_of); }

/* ---- Arguments ----------------------------------------------------------------------------------------------- */

static ctree_node forged(program *p) {
    const twin *t = p->w->twin;
    if (t->count == 0 || chance(p, 1, 4)) return random_u64(p->source);
    ctree_node node = t->nodes[below(p, t->count)]->handle;
    return chance(p, 1, 2) ? node + ((ctree_node)1 << 32) : node ^ ((ctree_node)1 << (32 + below(p, 32)));
}

static ctree_node bad_node(program *p) {
    const world *w = p->w;
    ctree_node node = w->stale_count > 0 && chance(p, 2, 3) ? w->stale[below(p, w->stale_count)] : forged(p);
    return twin_node_of(w->twin, node) != NULL ? CTREE_NONE : node;
}

static ctree_node any_node(program *p) {
    const twin *t = p->w->twin;
    if (t->count == 0 || chance(p, 1, 24)) return bad_node(p);
    return t->nodes[below(p, t->count)]->handle;
}

/* Wide and deep trees alike: sometimes the one that has most children, sometimes the newest node. */
static ctree_node any_parent(program *p) {
    const twin *t = p->w->twin;
    if (chance(p, 1, 6)) return CTREE_NONE;
    if (t->count > 0 && chance(p, 1, 5)) return t->nodes[t->count - 1]->handle;
    if (t->count > 0 && chance(p, 1, 5)) {
        const twin_node *widest = t->nodes[0];
        for (uint32_t i = 1; i < t->count; i++) {
            if (t->nodes[i]->count > widest->count) widest = t->nodes[i];
        }
        return widest->handle;
    }
    return any_node(p);
}

static ctree_node node_in_state(program *p, uint32_t states) {
    const twin *t = p->w->twin;
    uint32_t start = below(p, t->count);
    for (uint32_t i = 0; i < t->count; i++) {
        const twin_node *node = t->nodes[(start + i) % t->count];
        if ((states >> node->state & 1) != 0) return node->handle;
    }
    return any_node(p);
}

static uint32_t any_position(program *p, ctree_node parent) {
    const twin_node *above = twin_parent_of(p->w->twin, parent);
    if (chance(p, 1, 4)) return CTREE_END;
    uint32_t count = above == NULL ? 0 : above->count;
    return chance(p, 1, 24) ? count + 1 + below(p, 3) : below(p, count + 1);
}

static ctree_id any_id(program *p) {
    const twin *t = p->w->twin;
    if (chance(p, 1, 64)) return t->kind == CTREE_ID_U64 ? ctree_id_bytes("x", 1) : ctree_id_u64(1);
    if (t->count > 0 && chance(p, 1, 16)) return id_lasting(t, t->nodes[below(p, t->count)]);
    return id_supply(t->kind, below(p, p->ids));
}

static bool any_view(program *p, uint32_t *view) {
    uint32_t start = below(p, TWIN_VIEWS);
    for (uint32_t i = 0; i < TWIN_VIEWS; i++) {
        *view = (start + i) % TWIN_VIEWS;
        if (p->w->views[*view] != NULL) return true;
    }
    return false;
}

/* A ticket for the node: its own, an old one, that of another node, or none that ever was. */
static ctree_ticket any_ticket(program *p, ctree_node *node) {
    const world *w = p->w;
    const twin *t = w->twin;
    if (chance(p, 2, 3)) { /* one that is good */
        uint32_t start = below(p, t->count);
        for (uint32_t i = 0; i < t->count; i++) {
            const twin_node *n = t->nodes[(start + i) % t->count];
            if (n->load != TWIN_UNDER_WAY) continue;
            *node = n->handle;
            return n->ticket;
        }
    }
    if (w->ticket_count > 0 && chance(p, 3, 4)) {
        const world_ticket *old = &w->tickets[below(p, w->ticket_count)];
        if (chance(p, 3, 4)) *node = old->node;
        return old->ticket;
    }
    return chance(p, 1, 2) ? 0 : random_u64(p->source);
}

static uint64_t new_value(program *p) { return chance(p, 1, 8) ? 0 : ++p->next_value; }

static forest_box *any_forest(program *p, op *call, const twin_node *target) {
    bool many = chance(p, 1, 32);
    forest_taste taste = {p->w, target, many ? p->most_items : 12, p->ids, 12, &p->next_value};
    forest_box *box = forest_box_random(p->source, &taste);
    call->forest = &box->forest;
    call->outs = chance(p, 3, 4) ? box->outs : NULL;
    call->elsewhere = chance(p, 1, 64) ? 2 + below(p, 9) : below(p, 2);
    return box;
}

/* ---- Calls --------------------------------------------------------------------------------------------------- */

static void do_call(program *p, op *call) {
    if (p->options.disturbs && p->w->has_allocator && chance(p, 1, 8)) call->fail_at = 1 + below(p, 12);
    if (p->options.disturbs && chance(p, 1, 8)) call->cancel_at = 1 + below(p, 3);
    world_do(p->w, call);
    p->calls++;
}

static void do_forest_call(program *p, op *call, const twin_node *target) {
    forest_box *box = any_forest(p, call, target);
    do_call(p, call);
    forest_box_free(box);
}

static void do_graft(program *p, op *call) {
    const twin *t = p->w->twin;
    bool fits = !chance(p, 1, 16);
    world_options options = {t->kind, t->scope, 0, p->w->has_allocator};
    if (!fits) options.scope = CTREE_SCOPE_STORE + CTREE_SCOPE_SIBLINGS - options.scope;
    world *other = chance(p, 1, 32) ? p->w : world_create(options);
    if (other != p->w) {
        forest_taste taste = {p->w, NULL, 10, p->ids, 0, &p->next_value}; /* mostly what this store does not have */
        op fill = {.kind = OP_BUILD, .at = CTREE_END};
        forest_box *box = forest_box_random(p->source, &taste);
        fill.forest = &box->forest;
        world_do(other, &fill);
        forest_box_free(box);
        if (chance(p, 1, 2)) world_view(other, 0, 0, CTREE_ALL_LEVELS);
        op begin = {.kind = OP_BEGIN, .node = ctree_store_child_at(other->store, CTREE_NONE, 0), .flags = 1};
        if (chance(p, 1, 2)) world_do(other, &begin);
        ctree_id page_id = id_supply(t->kind, below(p, p->ids));
        ctree_forest page = CTREE_FOREST_INIT;
        page.count = 1;
        page.ids = &page_id;
        op append = {.kind = OP_APPEND, .node = begin.node, .ticket = begin.ticket, .forest = &page, .flag = true};
        if (chance(p, 1, 2)) world_do(other, &append);
        op fail = {.kind = OP_FAIL, .node = begin.node, .ticket = begin.ticket, .value = 5};
        if (chance(p, 1, 4)) world_do(other, &fail);
    }
    call->other = other;
    do_call(p, call);
    if (other != p->w) world_destroy(other);
}

static void do_view_call(program *p, op *call) {
    if (!any_view(p, &call->view)) return;
    call->node = any_node(p);
    call->levels = chance(p, 1, 2) ? CTREE_ALL_LEVELS : below(p, 5);
    if ((call->kind == OP_EXPAND_ALL || call->kind == OP_COLLAPSE_ALL) && chance(p, 1, 3)) call->node = CTREE_NONE;
    do_call(p, call);
}

static void do_view_create(program *p, op *call) {
    call->view = below(p, TWIN_VIEWS);
    if (p->w->views[call->view] != NULL) return;
    call->flags = below(p, 8);
    call->levels = chance(p, 1, 2) ? below(p, 4) : chance(p, 1, 2) ? CTREE_ALL_LEVELS : CTREE_ALL_LEVELS - 1;
    do_call(p, call);
}

/* ---- Rows that outlive edits --------------------------------------------------------------------------------- */

static void forget_rows(kept_rows *kept) {
    ctree_rows_destroy(kept->rows);
    free(kept->nodes);
    free(kept->depths);
    *kept = (kept_rows){0};
}

static void check_kept(const program *p, const kept_rows *kept) {
    if (kept->rows == NULL) return;
    const twin *t = p->w->twin;
    CHECK_EQUAL(ctree_rows_count(kept->rows), kept->count);
    for (uint32_t i = 0; i < kept->count; i++) {
        CHECK_EQUAL(ctree_rows_nodes(kept->rows)[i], kept->nodes[i]);
        CHECK_EQUAL(ctree_rows_depths(kept->rows)[i], kept->depths[i]);
        CHECK_EQUAL(ctree_rows_row(kept->rows, kept->nodes[i]), i);
    }
    const ctree_view *view = p->w->views[kept->view];
    if (view == NULL) return;
    ctree_row *window = must(calloc((size_t)kept->count + 1, sizeof *window));
    uint32_t count = kept->count;
    CHECK_EQUAL(ctree_rows_window(kept->rows, view, 0, &count, window), CTREE_OK);
    CHECK_EQUAL(count, kept->count);
    for (uint32_t i = 0; i < count; i++) {
        const twin_node *node = twin_node_of(t, kept->nodes[i]);
        CHECK_EQUAL(window[i].node, kept->nodes[i]);
        CHECK_EQUAL(window[i].depth, kept->depths[i]);
        CHECK_EQUAL(window[i].sibling_count, node == NULL ? 0 : node->parent->count);
        if (node != NULL) CHECK_EQUAL(window[i].position, twin_ordinal(node));
    }
    free(window);
}

static void keep_rows(program *p) {
    kept_rows *kept = &p->kept[below(p, ROWS_KEPT)];
    check_kept(p, kept);
    forget_rows(kept);
    uint32_t view;
    if (!any_view(p, &view)) return;
    CHECK_EQUAL(ctree_rows_flatten(p->w->views[view], below(p, 2), NULL, &kept->rows), CTREE_OK);
    kept->count = ctree_rows_count(kept->rows);
    kept->view = view;
    size_t room = (size_t)kept->count + 1;
    kept->nodes = must(malloc(room * sizeof *kept->nodes));
    kept->depths = must(malloc(room * sizeof *kept->depths));
    if (kept->count == 0) return;
    memcpy(kept->nodes, ctree_rows_nodes(kept->rows), kept->count * sizeof *kept->nodes);
    memcpy(kept->depths, ctree_rows_depths(kept->rows), kept->count * sizeof *kept->depths);
}

/* ---- Steps --------------------------------------------------------------------------------------------------- */

static op_kind any_kind(program *p) {
    static const uint8_t weights[OP_KINDS] = {
        [OP_INSERT] = 40,      [OP_REMOVE] = 8, [OP_REMOVE_CHILDREN] = 3, [OP_MOVE] = 24,        [OP_SET_VALUE] = 6,
        [OP_SET_LEAF] = 5,     [OP_BUILD] = 10, [OP_GRAFT] = 3,           [OP_RECONCILE] = 16,   [OP_REQUEST] = 6,
        [OP_NEXT_REQUEST] = 8, [OP_BEGIN] = 14, [OP_FINISH] = 10,         [OP_APPEND] = 12,      [OP_FAIL] = 4,
        [OP_CANCEL] = 5,       [OP_DROP] = 3,   [OP_VIEW_CREATE] = 3,     [OP_VIEW_DESTROY] = 1, [OP_EXPAND] = 14,
        [OP_COLLAPSE] = 10,    [OP_TOGGLE] = 8, [OP_EXPAND_ALL] = 4,      [OP_COLLAPSE_ALL] = 2, [OP_REVEAL] = 5};
    uint32_t total = 0;
    for (uint32_t i = 0; i < OP_KINDS; i++) total += weights[i];
    uint32_t roll = below(p, total);
    uint32_t kind = 0;
    while (roll >= weights[kind]) roll -= weights[kind++];
    return (op_kind)kind;
}

static void step(program *p) {
    const twin *t = p->w->twin;
    op call = {.kind = any_kind(p)};
    ctree_node_init init = {0, 0, 0};
    if (t->count > p->most_nodes && (call.kind == OP_INSERT || call.kind == OP_BUILD)) call.kind = OP_REMOVE;
    switch (call.kind) {
        case OP_INSERT:
            call.parent = any_parent(p);
            call.at = any_position(p, call.parent);
            call.id = any_id(p);
            init = (ctree_node_init){new_value(p), below(p, 3), chance(p, 1, 32) ? 3 + below(p, 4) : below(p, 2)};
            if (init.load_state == CTREE_STATE_LEAF && chance(p, 1, 3)) init.load_state = CTREE_STATE_LOADED;
            call.init = chance(p, 7, 8) ? &init : NULL;
            break;
        case OP_REMOVE_CHILDREN:
            call.parent = chance(p, 1, 8) ? any_parent(p) : any_node(p);
            call.at = any_position(p, call.parent);
            call.count = below(p, 4);
            break;
        case OP_MOVE:
            call.node = any_node(p);
            call.parent = any_parent(p);
            call.at = any_position(p, call.parent);
            break;
        case OP_SET_VALUE:
            call.node = any_node(p);
            call.value = new_value(p);
            call.revision = below(p, 3);
            if (t->count > 0 && chance(p, 1, 3)) call.value = ctree_store_value(p->w->store, call.node);
            break;
        case OP_SET_LEAF:
            call.flag = chance(p, 1, 3);
            call.node = call.flag ? any_node(p) : node_in_state(p, 1u << CTREE_STATE_LEAF);
            break;
        case OP_BUILD:
            call.parent = any_parent(p);
            call.at = any_position(p, call.parent);
            do_forest_call(p, &call, NULL);
            return;
        case OP_GRAFT:
            call.parent = any_parent(p);
            call.at = any_position(p, call.parent);
            do_graft(p, &call);
            return;
        case OP_RECONCILE:
            call.parent = any_parent(p);
            do_forest_call(p, &call, twin_parent_of(t, call.parent));
            return;
        case OP_BEGIN:
            call.node = chance(p, 1, 4) ? any_node(p) : node_in_state(p, 1u << (1 + below(p, 4)));
            call.flags = chance(p, 1, 32) ? below(p, 9) : below(p, 2);
            break;
        case OP_FINISH:
        case OP_APPEND:
            call.node = any_node(p);
            call.ticket = any_ticket(p, &call.node);
            call.flag = chance(p, 1, 2);
            do_forest_call(p, &call, chance(p, 1, 2) ? twin_node_of(t, call.node) : NULL);
            return;
        case OP_FAIL:
        case OP_CANCEL:
            call.node = any_node(p);
            call.ticket = any_ticket(p, &call.node);
            call.value = 1 + below(p, 100);
            break;
        case OP_REQUEST:
        case OP_DROP: call.node = node_in_state(p, 1u << below(p, 5)); break;
        case OP_VIEW_CREATE: do_view_create(p, &call); return;
        case OP_VIEW_DESTROY:
            if (!any_view(p, &call.view)) return;
            break;
        case OP_EXPAND:
        case OP_COLLAPSE:
        case OP_TOGGLE:
        case OP_EXPAND_ALL:
        case OP_COLLAPSE_ALL:
        case OP_REVEAL: do_view_call(p, &call); return;
        default: call.node = any_node(p); break;
    }
    do_call(p, &call);
}

static void drain_requests(program *p) {
    op call = {.kind = OP_NEXT_REQUEST};
    do world_do(p->w, &call);
    while (call.out != CTREE_NONE);
}

static void draw_sizes(program *p) {
    static const uint32_t ids[] = {12, 60, 300, 2000};
    static const uint32_t nodes[] = {24, 64, 64, 400, 1500};
    p->ids = ids[below(p, 4)];
    p->most_nodes = nodes[below(p, 5)];
    p->most_items = p->most_nodes > 64 ? p->most_nodes : 20;
}

uint64_t program_run(random_source *source, program_options options) {
    program p = {.source = source, .options = options};
    draw_sizes(&p);
    world_options w = {.kind = (ctree_id_kind)below(&p, 2),
                       .scope = (ctree_id_scope)below(&p, 2),
                       .limit = chance(&p, 1, 4) ? 5 + below(&p, 60) : 0,
                       .allocator = chance(&p, 3, 4)};
    p.w = world_create(w);
    for (uint32_t i = 0; i < options.steps && !random_is_over(source); i++) {
        step(&p);
        if (p.w->twin->count > COMPARED_ALWAYS && i % COMPARED_EVERY != 0) continue;
        world_compare(p.w);
        for (uint32_t k = 0; k < ROWS_KEPT; k++) check_kept(&p, &p.kept[k]);
        if (chance(&p, 1, 16)) keep_rows(&p);
    }
    drain_requests(&p);
    world_compare(p.w);
    for (uint32_t k = 0; k < ROWS_KEPT; k++) {
        check_kept(&p, &p.kept[k]);
        forget_rows(&p.kept[k]);
    }
    world_destroy(p.w);
    return p.calls;
}
