#include "support/assertions.h"
#include "support/twin.h"

/* Sections are no level, and stand one above the topmost rows. */
static bool is_section(const twin *t, uint32_t view, const twin_node *node) {
    return (t->views[view].flags & CTREE_VIEW_SECTIONS) != 0 && node->parent == t->top;
}

static uint32_t level(const twin *t, uint32_t view, const twin_node *node) {
    return twin_depth(node) - ((t->views[view].flags & CTREE_VIEW_SECTIONS) != 0 ? 1 : 0);
}

static bool is_open_by_default(const twin *t, uint32_t view, const twin_node *node) {
    if (is_section(t, view, node)) return true;
    uint32_t depth = t->views[view].default_depth;
    return depth == CTREE_ALL_LEVELS || level(t, view, node) < depth;
}

bool twin_opens(const twin *t, uint32_t view, const twin_node *node) {
    if (node->own[view] != TWIN_BY_DEFAULT) return node->own[view] == TWIN_EXPANDED;
    return is_open_by_default(t, view, node);
}

bool twin_is_expanded(const twin *t, uint32_t view, const twin_node *node) {
    return node != NULL && node->state != CTREE_STATE_LEAF && twin_opens(t, view, node);
}

bool twin_is_visible(const twin *t, uint32_t view, const twin_node *node) {
    if (node == NULL) return false;
    for (node = node->parent; node != t->top; node = node->parent) {
        if (!twin_is_expanded(t, view, node)) return false;
    }
    return true;
}

bool twin_is_expandable(const twin *t, uint32_t view, const twin_node *node) {
    if (node == NULL || node->state == CTREE_STATE_LEAF) return false;
    bool is_empty = node->state == CTREE_STATE_LOADED && node->count == 0;
    return !is_empty || (t->views[view].flags & CTREE_VIEW_EMPTY_CAN_OPEN) != 0;
}

/* ---- Default expansion --------------------------------------------------------------------------------------- */

/* A node that is unloaded and comes to be open by default asks for its load, be it visible or not. */
static void ask_if_open(twin *t, uint32_t view, twin_node *node) {
    if (node->state != CTREE_STATE_UNLOADED || node->own[view] != TWIN_BY_DEFAULT) return;
    if (is_open_by_default(t, view, node)) twin_ask(t, node, false);
}

void twin_came(twin *t, twin_node *node) {
    for (uint32_t view = 0; view < TWIN_VIEWS; view++) {
        if (t->views[view].used) ask_if_open(t, view, node);
    }
}

void twin_may_open(twin *t, twin_node *node) {
    for (uint32_t view = 0; view < TWIN_VIEWS; view++) {
        if (t->views[view].used && twin_opens(t, view, node)) twin_ask(t, node, false);
    }
}

/* Levels from the top that are open by default, sections counted. */
static uint32_t open_levels(const twin_view *view) {
    bool sections = (view->flags & CTREE_VIEW_SECTIONS) != 0;
    return view->default_depth == CTREE_ALL_LEVELS ? CTREE_ALL_LEVELS : view->default_depth + (sections ? 1 : 0);
}

void twin_moved(twin *t, twin_node *node, uint32_t depth_before) {
    for (uint32_t view = 0; view < TWIN_VIEWS; view++) {
        /* Only where it rose into levels that are open, or within them. */
        uint32_t levels = open_levels(&t->views[view]);
        if (!t->views[view].used || levels == CTREE_ALL_LEVELS) continue;
        uint32_t depth = twin_depth(node);
        if (depth >= levels || depth >= depth_before) continue;
        for (twin_node *n = node; n != NULL; n = twin_next(n, node, false)) ask_if_open(t, view, n);
    }
}

void twin_passed(twin *t, twin_node *node) {
    for (uint32_t view = 0; view < TWIN_VIEWS; view++) {
        if (!t->views[view].used || open_levels(&t->views[view]) == 0) continue;
        for (twin_node *n = node; n != NULL; n = twin_next(n, node, false)) {
            if (n->state == CTREE_STATE_UNLOADED && n->own[view] == TWIN_BY_DEFAULT) twin_ask(t, n, true);
        }
    }
}

/* ---- Life ---------------------------------------------------------------------------------------------------- */

void twin_view_create(twin *t, uint32_t view, uint32_t flags, uint32_t default_depth) {
    t->views[view] = (twin_view){true, flags, default_depth};
    for (uint32_t i = 0; i < t->count; i++) t->nodes[i]->own[view] = TWIN_BY_DEFAULT;
    for (uint32_t i = 0; i < t->count; i++) ask_if_open(t, view, t->nodes[i]);
}

void twin_view_destroy(twin *t, uint32_t view) { t->views[view].used = false; }

/* ---- Opening and closing ------------------------------------------------------------------------------------- */

static void forget_below(twin *t, uint32_t view, twin_node *node) {
    if ((t->views[view].flags & CTREE_VIEW_FORGETS) == 0) return;
    for (twin_node *below = twin_next(node, node, false); below != NULL; below = twin_next(below, node, false)) {
        below->own[view] = TWIN_COLLAPSED; /* leaves too: they may open later */
    }
}

static void open_one(twin *t, uint32_t view, twin_node *node) {
    node->own[view] = TWIN_EXPANDED;
    twin_ask(t, node, false);
}

static ctree_status find_openable(const twin *t, ctree_node node, twin_node **found) {
    *found = twin_node_of(t, node);
    if (*found == NULL) return CTREE_STALE;
    return (*found)->state == CTREE_STATE_LEAF ? CTREE_LEAF : CTREE_OK;
}

ctree_status twin_expand(twin *t, uint32_t view, ctree_node node) {
    twin_node *opened;
    ctree_status status = find_openable(t, node, &opened);
    if (status == CTREE_OK) open_one(t, view, opened);
    return status;
}

ctree_status twin_collapse(twin *t, uint32_t view, ctree_node node) {
    twin_node *closed;
    ctree_status status = find_openable(t, node, &closed);
    if (status != CTREE_OK) return status;
    bool was_open = twin_opens(t, view, closed);
    closed->own[view] = TWIN_COLLAPSED;
    if (was_open) forget_below(t, view, closed);
    return CTREE_OK;
}

ctree_status twin_toggle(twin *t, uint32_t view, ctree_node node) {
    twin_node *found = twin_node_of(t, node);
    return twin_is_expanded(t, view, found) ? twin_collapse(t, view, node) : twin_expand(t, view, node);
}

ctree_status twin_expand_all(twin *t, uint32_t view, ctree_node node, uint32_t levels) {
    twin_node *root = twin_parent_of(t, node);
    if (root == NULL) return CTREE_STALE;
    uint32_t first = root == t->top ? 0 : twin_depth(root);
    twin_node *at = root == t->top ? twin_next(root, root, false) : root;
    for (; at != NULL; at = twin_next(at, root, false)) {
        if (at->state == CTREE_STATE_LEAF) continue;
        if (levels == CTREE_ALL_LEVELS || twin_depth(at) - first < levels) open_one(t, view, at);
    }
    return CTREE_OK;
}

ctree_status twin_collapse_all(twin *t, uint32_t view, ctree_node node) {
    twin_node *root = twin_parent_of(t, node);
    if (root == NULL) return CTREE_STALE;
    twin_node *at = root == t->top ? twin_next(root, root, false) : root;
    for (; at != NULL; at = twin_next(at, root, false)) {
        if (!is_section(t, view, at)) at->own[view] = TWIN_COLLAPSED;
    }
    return CTREE_OK;
}

ctree_status twin_reveal(twin *t, uint32_t view, ctree_node node) {
    twin_node *shown = twin_node_of(t, node);
    if (shown == NULL) return CTREE_STALE;
    for (twin_node *above = shown->parent; above != t->top; above = above->parent) {
        if (!twin_opens(t, view, above)) open_one(t, view, above);
    }
    return CTREE_OK;
}

/* ---- Rows ---------------------------------------------------------------------------------------------------- */

twin_rows twin_flatten(const twin *t, uint32_t view) {
    bool sections = (t->views[view].flags & CTREE_VIEW_SECTIONS) != 0;
    twin_rows rows = {0};
    size_t room = (size_t)t->count + 2;
    rows.nodes = must(malloc(room * sizeof(twin_node *)));
    rows.depths = must(malloc(room * sizeof *rows.depths));
    rows.sections = must(malloc(room * sizeof(twin_node *)));
    rows.starts = must(malloc(room * sizeof *rows.starts));
    if (!sections) {
        rows.sections[0] = NULL;
        rows.starts[0] = 0;
        rows.section_count = 1;
    }
    for (twin_node *node = twin_next(t->top, NULL, false); node != NULL; node = twin_next(node, NULL, false)) {
        if (is_section(t, view, node)) {
            rows.starts[rows.section_count] = rows.count;
            rows.sections[rows.section_count++] = node;
        } else if (twin_is_visible(t, view, node)) {
            rows.depths[rows.count] = level(t, view, node);
            rows.nodes[rows.count++] = node;
        }
    }
    rows.starts[rows.section_count] = rows.count;
    return rows;
}

void twin_rows_free(twin_rows *rows) {
    free(rows->nodes);
    free(rows->depths);
    free(rows->sections);
    free(rows->starts);
}
