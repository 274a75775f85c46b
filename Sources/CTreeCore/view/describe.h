/* What a table wants to know of a row, for rows that are asked for one after another. */
#ifndef CT_DESCRIBE_H
#define CT_DESCRIBE_H

#include "ctree/rows.h"
#include "store/children.h"
#include "view/view.h"

/*
 * Where the walk through a window stands: mostly the next row is a child of the last one, the next sibling, or the
 * next sibling of an ancestor that was met a few rows before, and need not be looked for in its list.
 */
enum { CT_PARENTS_KNOWN = 16 };

typedef struct ct_describer {
    const ctree_view *view;
    bool
        gapless; /* The rows stand as the tree does now: all children of a node that is open, one behind the other. */
    uint32_t last; /* The slot before. */
    struct {
        uint32_t parent;       /* CTREE_END: none. */
        uint32_t count;        /* Of its children. */
        uint32_t next;         /* The position after the last child that was met. */
    } known[CT_PARENTS_KNOWN]; /* By the low bits of the parent. */
} ct_describer;

static inline void ct_describer_begin(ct_describer *describer, const ctree_view *view, bool gapless) {
    describer->view = view;
    describer->gapless = gapless;
    describer->last = CTREE_END;
    for (uint32_t i = 0; i < CT_PARENTS_KNOWN; i++) describer->known[i].parent = CTREE_END;
}

/* Position and number of siblings of the next row. */
void ct_describe_place(ct_describer *describer, uint32_t slot, uint32_t parent, ctree_row *out);

/* Fills in all but node and depth. */
static inline void ct_describe(ct_describer *describer, uint32_t slot, ctree_row *out) {
    const ctree_view *view = describer->view;
    const ct_hot *hot = ct_hot_at(view->store, slot);
    uint32_t known = hot->parent % CT_PARENTS_KNOWN;
    if (describer->gapless && describer->known[known].parent == hot->parent) {
        out->position = describer->known[known].next++;
        out->sibling_count = describer->known[known].count;
    } else {
        ct_describe_place(describer, slot, hot->parent, out);
    }
    describer->last = slot;
    out->load_state = ct_state(hot);
    out->expandable = ct_view_shows_expandable(view, hot);
    out->expanded = ct_state(hot) != CTREE_STATE_LEAF && ct_view_opens(view, slot);
    out->more = (hot->tag & CT_FLAG_MORE) != 0;
}

#endif
