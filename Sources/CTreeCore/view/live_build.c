/* Putting rows in place: kept ones by joining, the others from the lists of children. */
#include "view/levels.h"
#include "view/live.h"
#include "view/view.h"

/* How a walk over what will be rows goes on behind a node. */
typedef enum turn { GO_BELOW, PASS_BY, JOIN_BELOW, JOIN_WITH } turn;

static bool may_open(const ctree_view *view, uint32_t slot, bool anywhere) {
    if (!anywhere || ct_expanded_get(&view->expanded, slot) != CT_BY_DEFAULT) return ct_view_opens(view, slot);
    return view->open_levels != 0;
}

static turn turn_at(ctree_view *view, uint32_t slot, bool anywhere, ct_kept **kept) {
    ct_live *live = &view->live;
    if (live->kept_count != 0) {
        *kept = ct_live_with(live, slot);
        if (*kept != NULL) return JOIN_WITH;
    }
    if (ct_hot_at(view->store, slot)->count == 0 || !may_open(view, slot, anywhere)) return PASS_BY;
    *kept = ct_live_below(view, slot);
    return *kept != NULL ? JOIN_BELOW : GO_BELOW;
}

/* A walk over nodes that will be rows. */
typedef struct rows_walk {
    ctree_view *view;
    uint32_t parent, next, end; /* The children whose subtrees are walked. */
    ct_levels below;            /* Of the child before `next`. */
    bool inside;
    bool anywhere;  /* See ct_live_foresee_anywhere. */
    uint32_t level; /* Of the node told, 0 for the children. */
    turn turn;
    ct_kept *kept;
} rows_walk;

static uint32_t step(rows_walk *walk) {
    ctree_view *view = walk->view;
    uint32_t slot = CT_TOP;
    if (walk->inside) slot = walk->turn == GO_BELOW ? ct_levels_next(&walk->below) : ct_levels_pass_by(&walk->below);
    if (slot == CT_TOP) {
        if (walk->next == walk->end) return CT_TOP;
        slot = ct_children_at(view->store, walk->parent, walk->next++);
        ct_levels_begin(&walk->below, view->store, slot, CTREE_ALL_LEVELS);
        walk->inside = true;
        walk->level = 0;
    } else {
        walk->level = walk->below.level + 1;
    }
    walk->turn = turn_at(view, slot, walk->anywhere, &walk->kept);
    return slot;
}

static void foresee(rows_walk *walk, ct_seq_work *work) {
    uint64_t rows = 0, joins = 0;
    uint32_t deepest = 0;
    while (step(walk) != CT_TOP) {
        rows += walk->turn != JOIN_WITH;
        joins += walk->turn == JOIN_WITH || walk->turn == JOIN_BELOW;
        if (walk->level > deepest) deepest = walk->level;
    }
    work->pastes += joins;
    work->runs += joins + 1;
    work->run_rows += rows;
    work->deep = work->deep || deepest > UINT8_MAX;
}

void ct_live_foresee(ctree_view *view, uint32_t parent, uint32_t first, uint32_t count, ct_seq_work *work) {
    rows_walk walk = {.view = view, .parent = parent, .next = first, .end = first + count};
    foresee(&walk, work);
}

void ct_live_foresee_anywhere(ctree_view *view, uint32_t slot, ct_seq_work *work) {
    uint32_t at = ct_children_ordinal(view->store, slot);
    rows_walk walk = {
        .view = view, .parent = ct_hot_at(view->store, slot)->parent, .next = at, .end = at + 1, .anywhere = true};
    foresee(&walk, work);
}

ctree_status ct_live_reserve(ctree_view *view, const ct_seq_work *work) {
    ctree_status status = ct_seq_reserve_slots(&view->live.pool, view->store->hot.capacity);
    return status == CTREE_OK ? ct_seq_reserve(&view->live.pool, work) : status;
}

ctree_status ct_live_reserve_beside(ctree_view *view, const ct_seq_work *work) {
    ctree_status status = ct_seq_reserve_slots(&view->live.pool, view->store->hot.capacity);
    return status == CTREE_OK ? ct_seq_reserve_more(&view->live.pool, work) : status;
}

void ct_live_join(ctree_view *view, ct_seq *rows, ct_spot spot) {
    ct_live *live = &view->live;
    if (rows->count == 0) return;
    ct_note_paste(view, spot.seq, spot.position, rows);
    uint32_t depth = ct_seq_depth_of(&live->pool, rows, ct_seq_at(&live->pool, rows, 0));
    uint32_t count = rows->count;
    ct_seq_shift(rows, spot.depth - depth);
    ct_seq_insert_seq(&live->pool, spot.seq, spot.position, rows);
    ct_live_tell(view, spot.seq, spot.position, 0, count);
}

/* ---- Putting --------------------------------------------------------------------------------------------------- */

enum { BLOCK = 224 }; /* Rows that a leaf is filled with: no block is divided between two. */

typedef struct putter {
    ctree_view *view;
    ct_live *live;
    ct_spot spot; /* Where the next sequence is joined in. */
    ct_seq_builder builder;
    uint32_t slots[BLOCK], depths[BLOCK];
    uint32_t held;
    bool building;
} putter;

static void flush_block(putter *p) {
    if (p->held == 0) return;
    if (!p->building) ct_seq_build_begin(&p->builder, &p->live->pool, true);
    p->building = true;
    (void)ct_seq_build_add(&p->builder,
                           (ct_seq_rows){p->slots, p->depths, NULL, p->held}); /* reserved: cannot fail */
    p->held = 0;
}

static void flush(putter *p) {
    ct_seq_pool *pool = &p->live->pool;
    ct_seq *seq = p->spot.seq;
    uint32_t at = p->spot.position, before = seq->count;
    if (p->building) {
        flush_block(p);
        p->building = false;
        ct_seq built = CT_SEQ_EMPTY;
        ct_seq_build_end(&p->builder, &built);
        ct_note_insert(p->view, seq, at, built.count);
        ct_seq_insert_seq(pool, seq, at, &built);
    } else if (p->held != 0) { /* less than a leaf is filled with: no sequence of its own */
        ct_note_insert(p->view, seq, at, p->held);
        ct_seq_insert_run(pool, seq, at, (ct_seq_rows){p->slots, p->depths, NULL, p->held});
    }
    p->held = 0;
    uint32_t count = seq->count - before;
    if (count != 0) ct_live_tell(p->view, seq, at, 0, count);
    p->spot.position += count;
}

static void put_row(putter *p, uint32_t slot, uint32_t depth) {
    p->slots[p->held] = slot;
    p->depths[p->held] = depth;
    if (++p->held == BLOCK) flush_block(p);
}

static void put_kept(putter *p, ct_kept *kept, uint32_t depth) {
    flush(p);
    uint32_t count = kept->rows.count;
    ct_live_join(p->view, &kept->rows, (ct_spot){.seq = p->spot.seq, .position = p->spot.position, .depth = depth});
    ct_live_let_go(p->live, kept);
    p->spot.position += count;
}

void ct_live_put(ctree_view *view, uint32_t parent, uint32_t first, uint32_t count, ct_spot spot) {
    rows_walk walk = {.view = view, .parent = parent, .next = first, .end = first + count};
    putter p;
    p.view = view;
    p.live = &view->live;
    p.spot = spot;
    p.held = 0;
    p.building = false;
    for (uint32_t slot; (slot = step(&walk)) != CT_TOP;) {
        uint32_t depth = spot.depth + walk.level;
        if (walk.turn != JOIN_WITH) put_row(&p, slot, depth);
        if (walk.turn == JOIN_WITH) put_kept(&p, walk.kept, depth);
        if (walk.turn == JOIN_BELOW) put_kept(&p, walk.kept, depth + 1);
    }
    flush(&p);
}

/* ---- Purging --------------------------------------------------------------------------------------------------- */

static void purge_slot(ct_live *live, uint32_t slot) {
    if (!ct_live_holds(live, slot)) return;
    uint32_t owner = ct_seq_owner_of(&live->pool, slot);
    if (owner == 0) return;
    ct_kept *kept = &live->kept[owner - 1];
    ct_seq_destroy(&live->pool, &kept->rows);
    ct_live_let_go(live, kept);
}

void ct_live_purge(ctree_view *view, uint32_t parent, uint32_t first, uint32_t count) {
    ct_live *live = &view->live;
    for (uint32_t i = first; i < first + count && live->kept_count != 0; i++) {
        uint32_t child = ct_children_at(view->store, parent, i);
        purge_slot(live, child);
        ct_levels walk;
        ct_levels_begin(&walk, view->store, child, CTREE_ALL_LEVELS);
        for (uint32_t slot; live->kept_count != 0 && (slot = ct_levels_next(&walk)) != CT_TOP;)
            purge_slot(live, slot);
    }
}
