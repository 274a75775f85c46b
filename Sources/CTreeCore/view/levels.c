#include "view/levels.h"

/* Brings the run of siblings that follows `slot` into `rest`; false where it is the last. */
static bool read_on(ct_levels *walk) {
    const ct_hot *parent = ct_hot_at(walk->store, ct_hot_at(walk->store, walk->slot)->parent);
    walk->rest = ct_children_span(walk->store, parent, ct_children_ordinal(walk->store, walk->slot) + 1);
    return walk->rest.count != 0;
}

uint32_t ct_levels_next(ct_levels *walk) {
    const ctree_store *store = walk->store;
    const ct_hot *hot = ct_hot_at(store, walk->slot);
    bool narrow; /* the run that has ended was all there is */
    if (hot->count != 0 && walk->level + 1 < walk->levels && !walk->pass_by) { /* the root stands at level -1 */
        walk->level++;
        walk->rest = ct_children_span(store, hot, 0);
    } else {
        if (walk->slot == walk->root) return CT_TOP;
        narrow = (ct_hot_at(store, hot->parent)->tag & CT_FLAG_WIDE) == 0;
        while (walk->rest.count == 0 && (narrow || !read_on(walk))) {
            walk->slot = ct_hot_at(store, walk->slot)->parent;
            if (walk->slot == walk->root) return CT_TOP;
            walk->level--;
            narrow = false;
        }
    }
    walk->pass_by = false;
    walk->slot = *walk->rest.slots++;
    walk->rest.count--;
    return walk->slot;
}
