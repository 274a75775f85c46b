#include "support/twin.h"

#include "support/assertions.h"

twin *twin_create(ctree_id_kind kind, ctree_id_scope scope, uint64_t limit) {
    twin *t = must(calloc(1, sizeof *t));
    t->kind = kind;
    t->scope = scope;
    t->limit = limit;
    t->top = must(calloc(1, sizeof *t->top));
    t->top->state = CTREE_STATE_LOADED;
    return t;
}

void twin_destroy(twin *t) {
    for (uint32_t i = 0; i < t->count; i++) {
        free(t->nodes[i]->bytes);
        free(t->nodes[i]->children);
        free(t->nodes[i]);
    }
    free(t->top->children);
    free(t->top);
    free(t->nodes);
    free(t->requests);
    free(t->released);
    free(t);
}

/* ---- Searches ------------------------------------------------------------------------------------------------ */

twin_node *twin_node_of(const twin *t, ctree_node handle) {
    if (handle == CTREE_NONE) return NULL;
    for (uint32_t i = 0; i < t->count; i++) {
        if (t->nodes[i]->handle == handle) return t->nodes[i];
    }
    return NULL;
}

twin_node *twin_parent_of(const twin *t, ctree_node handle) {
    return handle == CTREE_NONE ? t->top : twin_node_of(t, handle);
}

bool twin_id_fits(const twin *t, ctree_id id) { return (t->kind == CTREE_ID_BYTES) == (id.bytes != NULL); }

ctree_id twin_id(const twin *t, const twin_node *node) {
    return t->kind == CTREE_ID_U64 ? ctree_id_u64(node->word) : ctree_id_bytes(node->bytes, (size_t)node->word);
}

bool twin_same_id(const twin *t, ctree_id a, ctree_id b) {
    if (a.word != b.word) return false;
    if (t->kind == CTREE_ID_U64 || a.word == 0 || a.bytes == b.bytes) return true;
    return a.bytes != NULL && b.bytes != NULL && memcmp(a.bytes, b.bytes, (size_t)a.word) == 0;
}

twin_node *twin_find(const twin *t, ctree_id id) {
    for (uint32_t i = 0; i < t->count; i++) {
        if (twin_same_id(t, twin_id(t, t->nodes[i]), id)) return t->nodes[i];
    }
    return NULL;
}

twin_node *twin_find_child(const twin *t, const twin_node *parent, ctree_id id) {
    for (uint32_t i = 0; i < parent->count; i++) {
        if (twin_same_id(t, twin_id(t, parent->children[i]), id)) return parent->children[i];
    }
    return NULL;
}

twin_node *twin_holder(const twin *t, const twin_node *parent, ctree_id id) {
    return t->scope == CTREE_SCOPE_STORE ? twin_find(t, id) : twin_find_child(t, parent, id);
}

uint32_t twin_ordinal(const twin_node *node) {
    uint32_t i = 0;
    while (node->parent->children[i] != node) i++;
    return i;
}

uint32_t twin_depth(const twin_node *node) {
    uint32_t depth = 0;
    for (; node->parent->parent != NULL; node = node->parent) depth++;
    return depth;
}

bool twin_is_within(const twin_node *node, const twin_node *ancestor) {
    for (; node != NULL; node = node->parent) {
        if (node == ancestor) return true;
    }
    return false;
}

twin_node *twin_next(const twin_node *node, const twin_node *root, bool skip_children) {
    if (!skip_children && node->count > 0) return node->children[0];
    for (; node != root && node->parent != NULL; node = node->parent) {
        uint32_t next = twin_ordinal(node) + 1;
        if (next < node->parent->count) return node->parent->children[next];
    }
    return NULL;
}

/* ---- Parts of edits ------------------------------------------------------------------------------------------ */

twin_node *twin_new_node(twin *t, ctree_id id, uint64_t value, uint64_t revision, uint32_t state) {
    twin_node *node = must(calloc(1, sizeof *node));
    node->word = id.word;
    if (t->kind == CTREE_ID_BYTES) {
        /* Exactly as long as the identifier, so that a read beyond it is seen. */
        node->bytes = must(malloc(id.word == 0 ? 1 : (size_t)id.word));
        if (id.word > 0) memcpy(node->bytes, id.bytes, (size_t)id.word);
    }
    node->value = value;
    node->revision = revision;
    node->state = state;
    t->nodes = grown(t->nodes, t->count, &t->room, sizeof *t->nodes);
    t->nodes[t->count++] = node;
    return node;
}

void twin_link(twin_node *parent, uint32_t at, twin_node *node) {
    if (at == CTREE_END) at = parent->count;
    parent->children = must(realloc(parent->children, (parent->count + 1) * sizeof *parent->children));
    for (uint32_t i = parent->count++; i > at; i--) parent->children[i] = parent->children[i - 1];
    parent->children[at] = node;
    node->parent = parent;
}

void twin_unlink(twin_node *node) {
    twin_node *parent = node->parent;
    for (uint32_t i = twin_ordinal(node) + 1; i < parent->count; i++) parent->children[i - 1] = parent->children[i];
    parent->count--;
    node->parent = NULL;
}

static void let_go(twin *t, const twin_node *node, uint64_t value) {
    t->released = grown(t->released, t->released_count, &t->released_room, sizeof *t->released);
    t->released[t->released_count++] = (twin_release){node->handle, value};
}

static void kill_one(twin *t, twin_node *node, bool release) {
    if (release) let_go(t, node, node->value);
    for (uint32_t i = 0; i < t->request_count; i++) {
        if (t->requests[i].node == node) t->requests[i].node = NULL;
    }
    uint32_t i = 0;
    while (t->nodes[i] != node) i++;
    t->nodes[i] = t->nodes[--t->count];
    free(node->bytes);
    free(node->children);
    free(node);
}

void twin_kill(twin *t, twin_node *node, bool release) {
    twin_unlink(node);
    twin_node *at = node;
    while (at != NULL) { /* the deepest first */
        if (at->count > 0) {
            at = at->children[at->count - 1];
            continue;
        }
        twin_node *parent = at == node ? NULL : at->parent;
        if (parent != NULL) parent->count--;
        kill_one(t, at, release);
        at = parent;
    }
}

void twin_kill_children(twin *t, twin_node *node) {
    while (node->count > 0) twin_kill(t, node->children[0], true);
}

void twin_gets_children(twin_node *parent) {
    if (parent->state == CTREE_STATE_LEAF || parent->state == CTREE_STATE_UNLOADED) {
        parent->state = CTREE_STATE_LOADED;
    }
}

void twin_gets_whole_list(twin_node *parent) {
    if (parent->parent == NULL) return; /* the top level has no load state */
    if (parent->load != TWIN_UNDER_WAY) {
        parent->state = CTREE_STATE_LOADED;
        parent->more = false;
        parent->error = 0;
    } else if (parent->state == CTREE_STATE_LOADING) {
        /* The load goes on, but a cancel now has this list to come back to. */
        parent->state_before = CTREE_STATE_LOADED;
        parent->more_before = false;
    }
}

void twin_set_words(twin *t, twin_node *node, uint64_t value, uint64_t revision) {
    if (node->value != value) let_go(t, node, node->value);
    node->value = value;
    node->revision = revision;
}

void twin_cancel_load(twin_node *node) {
    if (node->load != TWIN_UNDER_WAY) return;
    node->load = TWIN_ENDED;
    node->cancelled = node->ticket;
}

void twin_make_leaf(twin *t, twin_node *node) {
    twin_kill_children(t, node);
    twin_cancel_load(node);
    node->state = CTREE_STATE_LEAF;
    node->more = false;
    node->error = 0;
}

void twin_learn(twin *t, const ctree_store *store) {
    for (bool again = true; again;) { /* a node's parent may stand behind it: once for each level of new nodes */
        again = false;
        for (uint32_t i = 0; i < t->count; i++) {
            twin_node *node = t->nodes[i];
            if (node->handle != CTREE_NONE) continue;
            again = true;
            if (node->parent != t->top && node->parent->handle == CTREE_NONE) continue;
            ctree_node handle = ctree_store_child_at(store, node->parent->handle, twin_ordinal(node));
            CHECK(handle != CTREE_NONE);
            CHECK(twin_node_of(t, handle) == NULL);
            node->handle = handle;
        }
    }
}

void twin_forget_released(twin *t) { t->released_count = 0; }
