/* What a table wants to know of a row, for rows that are asked for one after another. */
#ifndef CT_DESCRIBE_H
#define CT_DESCRIBE_H

#include "ctree/rows.h"
#include "store/children.h"
#include "view/view.h"

/* What every row of a view is told by: a copy of the caller's own, which no write to a row can change. */
typedef struct ct_describer {
    ct_array hot, settings;
    uint32_t open_levels;
    unsigned shows_empty;
} ct_describer;

static inline ct_describer ct_describer_of(const ctree_view *view) {
    unsigned shows_empty = (view->flags & CTREE_VIEW_EMPTY_CAN_OPEN) != 0;
    return (ct_describer){view->store->hot, view->expanded.words, view->open_levels, shows_empty};
}

/*
 * All that is said of a row but its position. `depth` is the one in the store. Written without branches: which rows
 * are leaves, and which are open, no processor foresees, and a wrong guess costs more than all of this. Written field
 * by field: a row that is composed elsewhere and copied has to wait for its parts.
 */
static inline void ct_describe(const ct_describer *by, uint32_t slot, uint32_t depth, ctree_row *out) {
    const ct_hot *hot = ct_array_at(&by->hot, slot, sizeof *hot);
    const ct_hot *parent = ct_array_at(&by->hot, hot->parent, sizeof *parent);
    uint32_t state = (uint32_t)ct_state(hot), setting = (uint32_t)ct_setting_in(&by->settings, slot);
    unsigned can_open = state != CTREE_STATE_LEAF;
    unsigned empty = (state == CTREE_STATE_LOADED) & (hot->count == 0);
    unsigned opens = (setting == CT_EXPANDED) | ((setting == CT_BY_DEFAULT) & (depth < by->open_levels));
    out->node = ct_handle(slot, hot);
    out->depth = depth;
    out->sibling_count = parent->count;
    out->load_state = state;
    out->expandable = (can_open & ((empty ^ 1) | by->shows_empty)) != 0;
    out->expanded = (can_open & opens) != 0;
    out->more = (hot->tag & CT_FLAG_MORE) != 0;
}

/*
 * Positions among siblings along rows that follow one another without a gap. A row that stands deeper than the one
 * before it is a first child; any other follows the last row of its depth, and only those that stand higher than all
 * before them have to be looked for in their list.
 */
enum { CT_DEPTHS_KNOWN = 64 }; /* What was met at depths further apart than that may be forgotten. */

typedef struct ct_places {
    uint32_t last;                   /* Depth of the row before. */
    uint32_t depth[CT_DEPTHS_KNOWN]; /* By the low bits of the depth; CTREE_END: nothing. */
    uint32_t next[CT_DEPTHS_KNOWN];  /* The position after the last row of that depth. */
} ct_places;

static inline void ct_places_begin(ct_places *places) {
    places->last = CTREE_END;
    memset(places->depth, 0xFF, sizeof places->depth);
}

static inline uint32_t ct_places_next(ct_places *places, const ctree_store *store, uint32_t slot, uint32_t depth) {
    uint32_t at = depth % CT_DEPTHS_KNOWN;
    bool first = depth > places->last;
    if (!first & (places->depth[at] != depth)) places->next[at] = ct_children_ordinal(store, slot);
    uint32_t position = first ? 0 : places->next[at];
    places->last = depth;
    places->depth[at] = depth;
    places->next[at] = position + 1;
    return position;
}

/* Asks the memory for what describing rows of what is shown will read, all of it at once: one read after the other
   would wait for each. */
void ct_describe_ahead(const ctree_view *view, const uint32_t *slots, const uint32_t *depths, uint32_t count);

#endif
