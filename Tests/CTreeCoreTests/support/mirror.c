#include "support/mirror.h"

#include "support/assertions.h"

static mirror_node *look_up(const mirror *m, ctree_node node) {
    for (uint32_t i = 0; i < m->count; i++) {
        if (m->nodes[i].node == node) return &m->nodes[i];
    }
    return NULL;
}

static void read_own(mirror_node *n, const ctree_store *store) {
    ctree_node_info info = {.size = sizeof info};
    CHECK_EQUAL(ctree_store_info(store, n->node, &info), CTREE_OK);
    CHECK_EQUAL(info.parent, n->parent);
    n->value = info.value;
    n->revision = info.revision;
    n->load_state = info.load_state;
    n->more = info.more;
}

static void add_child(mirror_node *parent, uint32_t at, ctree_node child) {
    parent->children = grown(parent->children, parent->count, &parent->room, sizeof *parent->children);
    for (uint32_t i = parent->count++; i > at; i--) parent->children[i] = parent->children[i - 1];
    parent->children[at] = child;
}

static void take_child(mirror_node *parent, uint32_t at) {
    parent->count--;
    for (uint32_t i = at; i < parent->count; i++) parent->children[i] = parent->children[i + 1];
}

/* A node and all that stands below it in the store are new to the mirror. */
static void add_subtree(mirror *m, const ctree_store *store, ctree_node root, ctree_node parent) {
    ctree_node at = root;
    while (at != CTREE_NONE) {
        ctree_node above = CTREE_NONE;
        CHECK_EQUAL(ctree_store_parent(store, at, &above), CTREE_OK);
        CHECK(at != root || above == parent);
        CHECK(look_up(m, at) == NULL);
        m->nodes = grown(m->nodes, m->count, &m->room, sizeof *m->nodes);
        m->nodes[m->count++] = (mirror_node){.node = at, .parent = above};
        read_own(&m->nodes[m->count - 1], store);
        if (at != root) {
            mirror_node *p = look_up(m, above);
            CHECK(p != NULL);
            add_child(p, p->count, at);
        }
        at = ctree_store_next(store, at, root, false);
    }
}

static void drop_subtree(mirror *m, ctree_node root) {
    uint32_t kept = 0, first_dropped = m->count;
    /* What is dropped is collected behind the rest, and its children with it. */
    for (uint32_t i = 0; i < m->count; i++) {
        if (m->nodes[i].node == root) first_dropped = i;
    }
    CHECK(first_dropped < m->count);
    ctree_node *dropped = must(malloc(m->count * sizeof *dropped));
    uint32_t count = 0;
    dropped[count++] = root;
    for (uint32_t i = 0; i < count; i++) {
        mirror_node *n = look_up(m, dropped[i]);
        CHECK(n != NULL);
        for (uint32_t c = 0; c < n->count; c++) dropped[count++] = n->children[c];
    }
    for (uint32_t i = 0; i < m->count; i++) {
        bool is_dropped = false;
        for (uint32_t d = 0; d < count && !is_dropped; d++) is_dropped = dropped[d] == m->nodes[i].node;
        if (is_dropped) {
            free(m->nodes[i].children);
        } else {
            m->nodes[kept++] = m->nodes[i];
        }
    }
    m->count = kept;
    free(dropped);
}

static void compare_list(const mirror *m, const ctree_store *store, ctree_node parent) {
    const mirror_node *p = look_up(m, parent);
    CHECK(p != NULL);
    CHECK_EQUAL(ctree_store_child_count(store, parent), p->count);
    for (uint32_t i = 0; i < p->count; i++) CHECK_EQUAL(ctree_store_child_at(store, parent, i), p->children[i]);
}

/* ---- The listener -------------------------------------------------------------------------------------------- */

static void check_ranges(const mirror *m, const ctree_edit *edit) {
    const mirror_node *from = look_up(m, edit->parent), *to = look_up(m, edit->to_parent);
    switch (edit->kind) {
        case CTREE_EDIT_INSERT: CHECK(from != NULL && edit->first <= from->count && edit->count > 0); break;
        case CTREE_EDIT_REMOVE:
            CHECK(from != NULL && edit->count > 0 && edit->count <= from->count);
            CHECK(edit->first <= from->count - edit->count);
            break;
        case CTREE_EDIT_MOVE:
            CHECK(from != NULL && to != NULL && edit->count > 0 && edit->count <= from->count);
            CHECK(edit->first <= from->count - edit->count);
            CHECK(edit->to_first <= to->count - (from == to ? edit->count : 0));
            CHECK(from != to || edit->first != edit->to_first);
            break;
        case CTREE_EDIT_CHANGE:
            CHECK(edit->node != CTREE_NONE && look_up(m, edit->node) != NULL);
            CHECK(edit->changed != 0 && edit->changed < 8);
            break;
        default: CHECK_EQUAL(edit->kind, 0); /* none that is known */
    }
}

static void before(void *context, const ctree_store *store, const ctree_edit *edit) {
    mirror *m = context;
    CHECK(!m->open);
    m->open = true;
    m->edit = *edit;
    m->edits++;
    check_ranges(m, edit);
    m->told[edit->kind]++;
    CHECK_EQUAL(ctree_store_count(store), m->count - 1);
    if (edit->kind == CTREE_EDIT_CHANGE) return;
    compare_list(m, store, edit->parent);
    if (edit->kind == CTREE_EDIT_MOVE) compare_list(m, store, edit->to_parent);
    if (edit->kind == CTREE_EDIT_MOVE) m->moved += edit->count;
}

static void replay_move(mirror *m, const ctree_edit *edit) {
    ctree_node *moved = must(malloc(edit->count * sizeof *moved));
    mirror_node *from = look_up(m, edit->parent), *to = look_up(m, edit->to_parent);
    for (uint32_t i = 0; i < edit->count; i++) {
        moved[i] = from->children[edit->first];
        take_child(from, edit->first);
    }
    for (uint32_t i = 0; i < edit->count; i++) {
        add_child(to, edit->to_first + i, moved[i]);
        look_up(m, moved[i])->parent = edit->to_parent;
    }
    free(moved);
}

static void replay_change(mirror *m, const ctree_store *store, const ctree_edit *edit) {
    mirror_node *n = look_up(m, edit->node);
    mirror_node old = *n;
    read_own(n, store);
    CHECK_EQUAL(old.value != n->value, (edit->changed & CTREE_CHANGED_VALUE) != 0);
    CHECK_EQUAL(old.revision != n->revision, (edit->changed & CTREE_CHANGED_REVISION) != 0);
    bool state_changed = old.load_state != n->load_state || old.more != n->more;
    CHECK_EQUAL(state_changed, (edit->changed & CTREE_CHANGED_LOAD_STATE) != 0);
}

static void after(void *context, const ctree_store *store, const ctree_edit *edit) {
    mirror *m = context;
    CHECK(m->open);
    m->open = false;
    CHECK_EQUAL(edit->kind, m->edit.kind);
    CHECK_EQUAL(edit->changed, m->edit.changed);
    CHECK_EQUAL(edit->node, m->edit.node);
    CHECK_EQUAL(edit->parent, m->edit.parent);
    CHECK_EQUAL(edit->to_parent, m->edit.to_parent);
    CHECK_EQUAL(edit->first, m->edit.first);
    CHECK_EQUAL(edit->count, m->edit.count);
    CHECK_EQUAL(edit->to_first, m->edit.to_first);
    switch (edit->kind) {
        case CTREE_EDIT_INSERT:
            for (uint32_t i = 0; i < edit->count; i++) {
                ctree_node node = ctree_store_child_at(store, edit->parent, edit->first + i);
                add_subtree(m, store, node, edit->parent);
                add_child(look_up(m, edit->parent), edit->first + i, node);
            }
            break;
        case CTREE_EDIT_REMOVE:
            for (uint32_t i = 0; i < edit->count; i++) {
                mirror_node *p = look_up(m, edit->parent);
                ctree_node node = p->children[edit->first];
                CHECK(!ctree_store_contains(store, node));
                take_child(p, edit->first);
                drop_subtree(m, node);
            }
            break;
        case CTREE_EDIT_MOVE: replay_move(m, edit); break;
        default: replay_change(m, store, edit); return;
    }
    CHECK_EQUAL(ctree_store_count(store), m->count - 1);
    compare_list(m, store, edit->parent);
    if (edit->kind == CTREE_EDIT_MOVE) compare_list(m, store, edit->to_parent);
}

static void settled(void *context, ctree_store *store) {
    mirror *m = context;
    (void)store;
    CHECK(!m->open);
    m->settled++;
}

/* ---- Attaching and comparing --------------------------------------------------------------------------------- */

void mirror_attach(mirror *m, ctree_store *store) {
    *m = (mirror){0};
    m->nodes = grown(m->nodes, m->count, &m->room, sizeof *m->nodes);
    m->nodes[m->count++] = (mirror_node){.node = CTREE_NONE, .parent = CTREE_NONE};
    for (uint32_t i = 0; i < ctree_store_child_count(store, CTREE_NONE); i++) {
        ctree_node node = ctree_store_child_at(store, CTREE_NONE, i);
        add_subtree(m, store, node, CTREE_NONE);
        add_child(&m->nodes[0], i, node);
    }
    ctree_listener listener = {m, before, after, settled};
    CHECK_EQUAL(ctree_store_add_listener(store, &listener, &m->token), CTREE_OK);
    CHECK(m->token != 0);
}

void mirror_free(mirror *m) {
    for (uint32_t i = 0; i < m->count; i++) free(m->nodes[i].children);
    free(m->nodes);
    *m = (mirror){0};
}

void mirror_detach(mirror *m, ctree_store *store) {
    CHECK_EQUAL(ctree_store_remove_listener(store, m->token), CTREE_OK);
    CHECK_EQUAL(ctree_store_remove_listener(store, m->token), CTREE_NOT_FOUND);
    mirror_free(m);
}

void mirror_count_from_here(mirror *m) {
    m->settled = m->edits = m->moved = 0;
    memset(m->told, 0, sizeof m->told);
}

void mirror_compare(const mirror *m, const ctree_store *store) {
    CHECK(!m->open);
    CHECK_EQUAL(ctree_store_count(store), m->count - 1);
    for (uint32_t i = 0; i < m->count; i++) {
        const mirror_node *n = &m->nodes[i];
        compare_list(m, store, n->node);
        if (n->node == CTREE_NONE) continue;
        mirror_node now = {.node = n->node, .parent = n->parent};
        read_own(&now, store);
        CHECK_EQUAL(now.value, n->value);
        CHECK_EQUAL(now.revision, n->revision);
        CHECK_EQUAL(now.load_state, n->load_state);
        CHECK_EQUAL(now.more, n->more);
    }
}
