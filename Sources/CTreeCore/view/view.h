/* A view, and what its parts share. */
#ifndef CT_VIEW_H
#define CT_VIEW_H

#include "ctree/view.h"
#include "store/store.h"
#include "view/commit.h"
#include "view/expanded.h"
#include "view/live.h"
#include "view/notes.h"
#include "view/selection.h"
#include "view/waiting.h"

struct ctree_view {
    ctree_store *store; /* Retained. */
    uint64_t token;     /* As an observer of the store. */
    uint32_t flags;
    uint32_t open_levels; /* Levels from the top that are open by default, sections counted; CTREE_ALL_LEVELS. */
    ct_expanded expanded;
    ct_live live;
    ct_notes notes;
    ct_commit commit;
    ct_selection selection;
    ct_waiting waiting;
    uint32_t depth_before; /* Of nodes that are being moved. */
    bool was_leaf;         /* The node that is being changed. */
    bool loads_nothing;    /* No node that the edit under way brings in waits for a load. */
};

/* Whether the slot stands less than `levels` deep; asks no more ancestors than that. */
bool ct_depth_is_below(const ctree_store *store, uint32_t slot, uint32_t levels);

/* Whether the node's children are shown wherever it is itself; of a leaf it says what would be. */
static inline bool ct_view_opens_at(const ctree_view *view, uint32_t slot, uint32_t depth) {
    ct_setting setting = ct_expanded_get(&view->expanded, slot);
    return setting == CT_BY_DEFAULT ? depth < view->open_levels : setting == CT_EXPANDED;
}

bool ct_view_opens(const ctree_view *view, uint32_t slot);

/* As the public calls, for a slot. */
static inline bool ct_view_shows_expandable(const ctree_view *view, const ct_hot *hot) {
    if (ct_state(hot) == CTREE_STATE_LEAF) return false;
    bool empty = ct_state(hot) == CTREE_STATE_LOADED && hot->count == 0;
    return !empty || (view->flags & CTREE_VIEW_EMPTY_CAN_OPEN) != 0;
}

static inline bool ct_view_is_section(const ctree_view *view, uint32_t slot) {
    return (view->flags & CTREE_VIEW_SECTIONS) != 0 && ct_hot_at(view->store, slot)->parent == CT_TOP;
}

/* Collapses all below a node but sections, the node itself not. Room for the settings must be there. */
void ct_view_close_below(ctree_view *view, uint32_t slot);

/* Makes room in the queue for the loads of all that is unloaded and open by default, and tells how many. */
ctree_status ct_view_reserve_requests(ctree_view *view, uint64_t *count);

/* Asks for the loads of what is unloaded and open by default in the subtrees of a run of children. */
void ct_view_request_open(ctree_view *view, uint32_t parent, uint32_t first, uint32_t count);

/* Collapses a node as the public call does, but as nobody's wish: what waits below it goes on waiting. */
ctree_status ct_view_collapse(ctree_view *view, ctree_node node);

/* What the view does before and when its store is edited. */
ctree_listener ct_view_follower(ctree_view *view);
ct_plan_fn ct_view_plan;

/* Whether other levels are open by default at other depths. */
static inline bool ct_view_has_levels(const ctree_view *view) {
    return view->open_levels != 0 && view->open_levels != CTREE_ALL_LEVELS;
}

#endif
