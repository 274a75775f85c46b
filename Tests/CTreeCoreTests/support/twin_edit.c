#include "support/assertions.h"
#include "support/twin.h"

ctree_status twin_insert(twin *t, ctree_node parent, uint32_t at, ctree_id id, const ctree_node_init *init,
                         twin_node **out) {
    static const ctree_node_init nothing = {0, 0, CTREE_STATE_LEAF};
    if (init == NULL) init = &nothing;
    bool state_fits = init->load_state == CTREE_STATE_LEAF || init->load_state == CTREE_STATE_UNLOADED
                      || init->load_state == CTREE_STATE_LOADED;
    twin_node *above = twin_parent_of(t, parent);
    if (!twin_id_fits(t, id) || !state_fits) {
        if (above == NULL) t->also |= 1u << CTREE_STALE;
        if (above != NULL && at != CTREE_END && at > above->count) t->also |= 1u << CTREE_RANGE;
        return CTREE_INVALID;
    }
    if (above == NULL) return CTREE_STALE;
    if (at != CTREE_END && at > above->count) return CTREE_RANGE;
    twin_node *holder = twin_holder(t, above, id);
    if (holder != NULL) {
        *out = holder;
        return CTREE_DUPLICATE;
    }
    if (t->count >= t->limit) return CTREE_LIMIT;
    *out = twin_new_node(t, id, init->value, init->revision, init->load_state);
    twin_link(above, at, *out);
    twin_gets_children(above);
    twin_came(t, *out);
    return CTREE_OK;
}

ctree_status twin_remove(twin *t, ctree_node node) {
    twin_node *gone = twin_node_of(t, node);
    if (gone == NULL) return CTREE_STALE;
    twin_kill(t, gone, true);
    return CTREE_OK;
}

ctree_status twin_remove_children(twin *t, ctree_node parent, uint32_t first, uint32_t count) {
    twin_node *above = twin_parent_of(t, parent);
    if (above == NULL) return CTREE_STALE;
    if (first > above->count || count > above->count - first) return CTREE_RANGE;
    for (uint32_t i = 0; i < count; i++) twin_kill(t, above->children[first], true);
    return CTREE_OK;
}

ctree_status twin_move(twin *t, ctree_node node, ctree_node parent, uint32_t at) {
    twin_node *moved = twin_node_of(t, node);
    twin_node *above = twin_parent_of(t, parent);
    if (moved == NULL || above == NULL) return CTREE_STALE;
    uint32_t count = above->count - (moved->parent == above ? 1 : 0);
    bool beyond = at != CTREE_END && at > count;
    if (twin_is_within(above, moved)) {
        if (beyond) t->also |= 1u << CTREE_RANGE;
        return CTREE_CYCLE;
    }
    if (beyond) return CTREE_RANGE;
    if (t->scope == CTREE_SCOPE_SIBLINGS && moved->parent != above
        && twin_find_child(t, above, twin_id(t, moved)) != NULL) {
        return CTREE_DUPLICATE;
    }
    uint32_t depth_before = twin_depth(moved);
    twin_unlink(moved);
    twin_link(above, at, moved);
    twin_gets_children(above);
    twin_moved(t, moved, depth_before);
    return CTREE_OK;
}

ctree_status twin_set_value(twin *t, ctree_node node, uint64_t value, uint64_t revision) {
    twin_node *changed = twin_node_of(t, node);
    if (changed == NULL) return CTREE_STALE;
    twin_set_words(t, changed, value, revision);
    return CTREE_OK;
}

ctree_status twin_set_leaf(twin *t, ctree_node node, bool leaf) {
    twin_node *changed = twin_node_of(t, node);
    if (changed == NULL) return CTREE_STALE;
    if (leaf && changed->state != CTREE_STATE_LEAF) {
        twin_make_leaf(t, changed);
    } else if (!leaf && changed->state == CTREE_STATE_LEAF) {
        changed->state = CTREE_STATE_UNLOADED;
        twin_may_open(t, changed);
    }
    return CTREE_OK;
}

/* A load that is under way ends with the graft, a failed one is forgotten. */
static uint32_t state_there(const twin_node *node) {
    if (node->count > 0) return CTREE_STATE_LOADED;
    uint32_t state = node->state == CTREE_STATE_LOADING ? node->state_before : node->state;
    return state == CTREE_STATE_FAILED ? CTREE_STATE_UNLOADED : state;
}

static twin_node *copy_of(twin *t, const twin *other, const twin_node *from) {
    twin_node *copy = twin_new_node(t, twin_id(other, from), from->value, from->revision, state_there(from));
    copy->more = from->more;
    return copy;
}

ctree_status twin_graft(twin *t, ctree_node parent, uint32_t at, twin *other) {
    if (t == other || t->kind != other->kind || t->scope != other->scope) return CTREE_INVALID;
    twin_node *above = twin_parent_of(t, parent);
    if (above == NULL) return CTREE_STALE;
    if (at != CTREE_END && at > above->count) return CTREE_RANGE;
    if (t->count + (uint64_t)other->count > t->limit) t->also |= 1u << CTREE_LIMIT;
    for (uint32_t i = 0; i < other->count; i++) {
        const twin_node *node = other->nodes[i];
        if (t->scope == CTREE_SCOPE_SIBLINGS && node->parent != other->top) continue;
        if (twin_holder(t, above, twin_id(other, node)) != NULL) return CTREE_DUPLICATE;
    }
    if (t->count + (uint64_t)other->count > t->limit) return CTREE_LIMIT;
    if (other->count == 0) return CTREE_OK;

    if (at == CTREE_END) at = above->count;
    twin_node **copies = must(calloc(other->count, sizeof *copies)); /* as other->nodes */
    uint32_t placed = 0;
    for (uint32_t i = 0; i < other->count; i++) other->nodes[i]->mark = i;
    for (const twin_node *from = twin_next(other->top, NULL, false); from != NULL;
         from = twin_next(from, NULL, false)) {
        twin_node *copy = copy_of(t, other, from);
        copies[from->mark] = copy;
        if (from->parent == other->top) {
            twin_link(above, at + placed++, copy);
        } else {
            twin_link(copies[from->parent->mark], CTREE_END, copy);
        }
    }
    twin_gets_children(above);
    for (uint32_t i = 0; i < other->count; i++) twin_came(t, copies[i]);
    free(copies);
    while (other->top->count > 0) twin_kill(other, other->top->children[0], false);
    return CTREE_OK;
}
