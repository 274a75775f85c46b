#include "support/compare.h"

#include "support/assertions.h"

/* ---- One node ------------------------------------------------------------------------------------------------ */

static void compare_info(const ctree_store *store, const twin *t, const twin_node *node) {
    ctree_node_info info = {.size = sizeof info};
    CHECK_EQUAL(ctree_store_info(store, node->handle, &info), CTREE_OK);
    CHECK_EQUAL(info.parent, node->parent->handle);
    CHECK_EQUAL(info.value, node->value);
    CHECK_EQUAL(info.revision, node->revision);
    CHECK_EQUAL(info.child_count, node->count);
    CHECK_EQUAL(info.load_state, node->state);
    CHECK_EQUAL(info.more, node->more);
    CHECK(twin_id_fits(t, info.id));
    CHECK(twin_same_id(t, info.id, twin_id(t, node)));

    ctree_node parent = ~node->handle;
    ctree_id id = {NULL, 0};
    CHECK_EQUAL(ctree_store_parent(store, node->handle, &parent), CTREE_OK);
    CHECK_EQUAL(parent, node->parent->handle);
    CHECK_EQUAL(ctree_store_id(store, node->handle, &id), CTREE_OK);
    CHECK(twin_same_id(t, id, twin_id(t, node)));
    CHECK(ctree_store_contains(store, node->handle));
    CHECK_EQUAL(ctree_store_value(store, node->handle), node->value);
    CHECK_EQUAL(ctree_store_revision(store, node->handle), node->revision);
    CHECK_EQUAL(ctree_store_load_state(store, node->handle), node->state);
    CHECK_EQUAL(ctree_load_error(store, node->handle), node->state == CTREE_STATE_FAILED ? node->error : 0);
    CHECK_EQUAL(ctree_load_check(store, node->handle, node->ticket), twin_check(t, node->handle, node->ticket));
}

static void compare_children(const ctree_store *store, const twin_node *parent) {
    CHECK_EQUAL(ctree_store_child_count(store, parent->handle), parent->count);
    for (uint32_t i = 0; i < parent->count; i++) {
        CHECK_EQUAL(ctree_store_child_at(store, parent->handle, i), parent->children[i]->handle);
        uint32_t ordinal = CTREE_END;
        CHECK_EQUAL(ctree_store_ordinal(store, parent->children[i]->handle, &ordinal), CTREE_OK);
        CHECK_EQUAL(ordinal, i);
    }
    CHECK_EQUAL(ctree_store_child_at(store, parent->handle, parent->count), CTREE_NONE);
    CHECK_EQUAL(ctree_store_child_at(store, parent->handle, CTREE_END), CTREE_NONE);

    /* All of them in one call, then the last half in another that asks for too many. */
    ctree_node *read = must(malloc((parent->count + 2) * sizeof *read));
    uint32_t firsts[2] = {0, parent->count / 2};
    for (uint32_t turn = 0; turn < 2; turn++) {
        uint32_t first = firsts[turn], count = parent->count - first + turn;
        read[parent->count - first] = ~(ctree_node)0;
        CHECK_EQUAL(ctree_store_children(store, parent->handle, first, &count, read), CTREE_OK);
        CHECK_EQUAL(count, parent->count - first);
        CHECK_EQUAL(read[count], ~(ctree_node)0);
        for (uint32_t i = 0; i < count; i++) CHECK_EQUAL(read[i], parent->children[first + i]->handle);
    }
    uint32_t count = 1;
    CHECK_EQUAL(ctree_store_children(store, parent->handle, parent->count + 1, &count, read), CTREE_RANGE);
    CHECK_EQUAL(count, 1);
    free(read);
}

static void compare_place(const ctree_store *store, const twin_node *node) {
    uint32_t expected = twin_depth(node), depth = CTREE_END;
    CHECK_EQUAL(ctree_store_depth(store, node->handle, &depth), CTREE_OK);
    CHECK_EQUAL(depth, expected);

    uint32_t *path = must(calloc((size_t)expected + 1, sizeof *path));
    uint32_t room = expected;
    CHECK_EQUAL(ctree_store_path(store, node->handle, &room, path), CTREE_RANGE);
    CHECK_EQUAL(room, expected + 1);
    for (uint32_t i = 0; i <= expected; i++) CHECK_EQUAL(path[i], 0);
    CHECK_EQUAL(ctree_store_path(store, node->handle, &room, path), CTREE_OK);
    CHECK_EQUAL(room, expected + 1);
    const twin_node *at = node;
    for (uint32_t i = expected + 1; i-- > 0; at = at->parent) CHECK_EQUAL(path[i], twin_ordinal(at));
    CHECK_EQUAL(ctree_store_node_at_path(store, path, room), node->handle);
    path[expected] = node->parent->count;
    CHECK_EQUAL(ctree_store_node_at_path(store, path, room), CTREE_NONE);
    free(path);

    CHECK(!ctree_store_is_below(store, node->handle, node->handle));
    CHECK(node->parent->parent == NULL || ctree_store_is_below(store, node->handle, node->parent->handle));
    CHECK(!ctree_store_is_below(store, node->parent->handle, node->handle));
    CHECK(!ctree_store_is_below(store, node->handle, CTREE_NONE));
}

static void compare_walk(const ctree_store *store, const twin *t) {
    const twin_node *expected = twin_next(t->top, NULL, false);
    ctree_node at = CTREE_NONE;
    uint64_t steps = 0;
    while ((at = ctree_store_next(store, at, CTREE_NONE, false)) != CTREE_NONE) {
        CHECK(expected != NULL);
        CHECK_EQUAL(at, expected->handle);
        const twin_node *passed = twin_next(expected, NULL, true);
        CHECK_EQUAL(ctree_store_next(store, at, CTREE_NONE, true), passed == NULL ? CTREE_NONE : passed->handle);
        passed = twin_next(expected, expected->parent, true);
        CHECK_EQUAL(ctree_store_next(store, at, expected->parent->handle, true),
                    passed == NULL ? CTREE_NONE : passed->handle);
        uint64_t within = 0;
        for (const twin_node *n = expected; n != NULL; n = twin_next(n, expected, false)) within++;
        CHECK_EQUAL(ctree_store_subtree_count(store, at), within);
        expected = twin_next(expected, NULL, false);
        steps++;
    }
    CHECK(expected == NULL);
    CHECK_EQUAL(steps, t->count);
}

/* ---- Finding ------------------------------------------------------------------------------------------------- */

static void compare_found(const ctree_store *store, const twin *t) {
    size_t room = (size_t)t->count + 1;
    ctree_id *ids = must(malloc(room * sizeof *ids));
    uint64_t *numbers = must(malloc(room * sizeof *numbers));
    ctree_node *parents = must(malloc(room * sizeof *parents));
    ctree_node *found = must(malloc(room * sizeof *found));
    for (uint32_t i = 0; i < t->count; i++) {
        const twin_node *node = t->nodes[i];
        ids[i] = twin_id(t, node);
        numbers[i] = node->word;
        parents[i] = node->parent->handle;
        ctree_node whole = t->scope == CTREE_SCOPE_STORE ? node->handle : CTREE_NONE;
        CHECK_EQUAL(ctree_store_find(store, ids[i]), whole);
        CHECK_EQUAL(ctree_store_find_child(store, parents[i], ids[i]), node->handle);
    }
    ctree_node *roots = t->scope == CTREE_SCOPE_STORE ? NULL : parents;
    CHECK_EQUAL(ctree_store_find_many(store, roots, ids, t->count, found), CTREE_OK);
    for (uint32_t i = 0; i < t->count; i++) CHECK_EQUAL(found[i], t->nodes[i]->handle);
    if (t->kind == CTREE_ID_U64) {
        CHECK_EQUAL(ctree_store_find_many_u64(store, roots, numbers, t->count, found), CTREE_OK);
        for (uint32_t i = 0; i < t->count; i++) CHECK_EQUAL(found[i], t->nodes[i]->handle);
    }
    if (t->scope == CTREE_SCOPE_SIBLINGS) { /* no parents: the top level for all */
        CHECK_EQUAL(ctree_store_find_many(store, NULL, ids, t->count, found), CTREE_OK);
        for (uint32_t i = 0; i < t->count; i++) {
            const twin_node *at_top = twin_find_child(t, t->top, ids[i]);
            CHECK_EQUAL(found[i], at_top == NULL ? CTREE_NONE : at_top->handle);
        }
    }
    free(ids);
    free(numbers);
    free(parents);
    free(found);
}

static void compare_memory(const ctree_store *store) {
    ctree_memory memory = {.size = sizeof memory};
    CHECK_EQUAL(ctree_store_memory(store, &memory), CTREE_OK);
    CHECK(memory.nodes + memory.children + memory.identifiers + memory.index <= memory.total);
    CHECK(memory.dead <= memory.identifiers);
}

void compare_store(const ctree_store *store, const twin *t) {
    const char *reason = "";
    ctree_status valid = ctree_validate(store, &reason);
    if (valid != CTREE_OK) printf("ctree_validate: %s\n", reason != NULL ? reason : "no reason");
    CHECK_EQUAL(valid, CTREE_OK);
    CHECK(reason == NULL);
    CHECK_EQUAL(ctree_store_count(store), t->count);
    CHECK_EQUAL(ctree_store_id_kind(store), t->kind);
    CHECK_EQUAL(ctree_store_id_scope(store), t->scope);
    compare_children(store, t->top);
    for (uint32_t i = 0; i < t->count; i++) {
        compare_info(store, t, t->nodes[i]);
        compare_children(store, t->nodes[i]);
        compare_place(store, t->nodes[i]);
    }
    compare_walk(store, t);
    compare_found(store, t);
    compare_memory(store);
}

/* ---- What is not there --------------------------------------------------------------------------------------- */

static void compare_stale(const ctree_store *store, ctree_node stale) {
    ctree_node_info info = {.size = sizeof info};
    ctree_node node = 7;
    ctree_id id = {NULL, 7};
    uint32_t number = 7, path[1] = {7};
    CHECK(!ctree_store_contains(store, stale));
    CHECK_EQUAL(ctree_store_info(store, stale, &info), CTREE_STALE);
    CHECK_EQUAL(ctree_store_parent(store, stale, &node), CTREE_STALE);
    CHECK_EQUAL(ctree_store_id(store, stale, &id), CTREE_STALE);
    CHECK_EQUAL(ctree_store_value(store, stale), 0);
    CHECK_EQUAL(ctree_store_revision(store, stale), 0);
    CHECK_EQUAL(ctree_store_load_state(store, stale), CTREE_STATE_LEAF);
    CHECK_EQUAL(ctree_store_child_count(store, stale), 0);
    CHECK_EQUAL(ctree_store_child_at(store, stale, 0), CTREE_NONE);
    CHECK_EQUAL(ctree_store_children(store, stale, 0, &number, &node), CTREE_STALE);
    CHECK_EQUAL(ctree_store_ordinal(store, stale, &number), CTREE_STALE);
    CHECK_EQUAL(ctree_store_depth(store, stale, &number), CTREE_STALE);
    CHECK_EQUAL(ctree_store_path(store, stale, &number, path), CTREE_STALE);
    CHECK_EQUAL(ctree_store_next(store, stale, CTREE_NONE, false), CTREE_NONE);
    CHECK_EQUAL(ctree_store_next(store, stale, stale, false), CTREE_NONE);
    CHECK_EQUAL(ctree_store_subtree_count(store, stale), 0);
    CHECK_EQUAL(ctree_load_error(store, stale), 0);
    CHECK_EQUAL(ctree_load_check(store, stale, 1), CTREE_STALE);
    CHECK(!ctree_store_is_below(store, stale, stale));
    CHECK_EQUAL(node, 7);
    CHECK_EQUAL(id.word, 7);
    CHECK_EQUAL(number, 7);
    CHECK_EQUAL(path[0], 7);
}

void compare_misses(const ctree_store *store, const twin *t, const ctree_node *stale, uint32_t count) {
    ctree_id unknown = t->kind == CTREE_ID_U64 ? ctree_id_u64(UINT64_MAX - 3) : ctree_id_bytes("\0none such", 10);
    ctree_id wrong = t->kind == CTREE_ID_U64 ? ctree_id_bytes("", 0) : ctree_id_u64(0);
    ctree_node found = 7;
    for (uint32_t i = 0; i < count; i++) {
        compare_stale(store, stale[i]);
        CHECK_EQUAL(ctree_store_find_child(store, stale[i], unknown), CTREE_NONE);
        if (t->count == 0) continue;
        CHECK_EQUAL(ctree_store_find_child(store, stale[i], twin_id(t, t->nodes[0])), CTREE_NONE);
        CHECK_EQUAL(ctree_store_next(store, t->nodes[0]->handle, stale[i], false), CTREE_NONE);
        CHECK(!ctree_store_is_below(store, t->nodes[0]->handle, stale[i]));
        CHECK(!ctree_store_is_below(store, stale[i], t->nodes[0]->handle));
        if (t->scope != CTREE_SCOPE_SIBLINGS) continue;
        ctree_id id = twin_id(t, t->nodes[0]);
        CHECK_EQUAL(ctree_store_find_many(store, &stale[i], &id, 1, &found), CTREE_OK);
        CHECK_EQUAL(found, CTREE_NONE);
    }
    CHECK_EQUAL(ctree_store_find(store, unknown), CTREE_NONE);
    CHECK_EQUAL(ctree_store_find(store, wrong), CTREE_NONE);
    CHECK_EQUAL(ctree_store_find_child(store, CTREE_NONE, unknown), CTREE_NONE);
    CHECK_EQUAL(ctree_store_find_child(store, CTREE_NONE, wrong), CTREE_NONE);
    CHECK_EQUAL(ctree_store_find_many(store, NULL, &unknown, 1, &found), CTREE_OK);
    CHECK_EQUAL(found, CTREE_NONE);
    CHECK_EQUAL(ctree_store_node_at_path(store, NULL, 0), CTREE_NONE);
}
