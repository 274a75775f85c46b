#include "view/levels.h"

enum {
    RECORDS_AHEAD = 16, /* siblings */
    BLOCKS_AHEAD = 8
};

void ct_levels_ahead(const ct_levels *walk) {
    const ctree_store *store = walk->store;
    ct_span rest = walk->run.rest;
    if (rest.count > RECORDS_AHEAD) ct_prefetch(ct_hot_at(store, rest.slots[RECORDS_AHEAD]));
    if (rest.count > BLOCKS_AHEAD) ct_children_block_ahead(store, ct_hot_at(store, rest.slots[BLOCKS_AHEAD]));
}

static void begin_run(ct_levels *walk, const ct_hot *parent, uint32_t position) {
    const ctree_store *store = walk->store;
    ct_span run = ct_children_span(store, parent, position);
    walk->run = (ct_level_run){run, (parent->tag & CT_FLAG_WIDE) != 0, ct_children_lie_far(run)};
    if (!walk->run.far) return;
    for (uint32_t i = 0; i <= RECORDS_AHEAD && i < run.count; i++) ct_prefetch(ct_hot_at(store, run.slots[i]));
    for (uint32_t i = 0; i <= BLOCKS_AHEAD && i < run.count; i++) {
        ct_children_block_ahead(store, ct_hot_at(store, run.slots[i]));
    }
}

/* Begins the run that follows `slot`; false where it is the last. */
static bool read_on(ct_levels *walk) {
    const ct_hot *parent = ct_hot_at(walk->store, ct_hot_at(walk->store, walk->slot)->parent);
    begin_run(walk, parent, ct_children_ordinal(walk->store, walk->slot) + 1);
    return walk->run.rest.count != 0;
}

/* Up to the parent; false where that is the root. */
static bool climb(ct_levels *walk) {
    walk->slot = ct_hot_at(walk->store, walk->slot)->parent;
    if (walk->slot == walk->root) return false;
    walk->level--;
    if (walk->kept != 0) {
        walk->kept--;
        walk->run = walk->above[walk->level % CT_LEVELS_KEPT];
    } else {
        (void)read_on(walk);
    }
    return true;
}

uint32_t ct_levels_next(ct_levels *walk) {
    const ct_hot *hot = ct_hot_at(walk->store, walk->slot);
    bool is_root = walk->slot == walk->root; /* which stands at level -1 */
    if (hot->count != 0 && walk->level + 1 < walk->levels && !walk->pass_by) {
        if (!is_root) {
            walk->above[walk->level % CT_LEVELS_KEPT] = walk->run;
            if (walk->kept < CT_LEVELS_KEPT) walk->kept++;
        }
        walk->level++;
        begin_run(walk, hot, 0);
    } else {
        if (is_root) return CT_TOP;
        while (walk->run.rest.count == 0 && !(walk->run.wide && read_on(walk))) {
            if (!climb(walk)) return CT_TOP;
        }
    }
    walk->pass_by = false;
    if (walk->run.far) ct_levels_ahead(walk);
    walk->slot = *walk->run.rest.slots++;
    walk->run.rest.count--;
    return walk->slot;
}
