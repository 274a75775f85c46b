// TreeKit's C core: a store and a view that records; a change ends when its batch is accepted.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "ctree/ctree.h"
#include "peer.h"

namespace {

void check(ctree_status status) {
    if (status != CTREE_OK) {
        std::fprintf(stderr, "status %d\n", int(status));
        std::abort();
    }
}

struct Outline {
    peer_tree tree;
    ctree_store *store = nullptr;
    ctree_view *view = nullptr;
    std::vector<ctree_row> rows;
    std::vector<uint64_t> numbers, values;
    std::vector<uint8_t> states;

    ctree_node node(uint32_t item) const { return item == PEER_NONE ? CTREE_NONE : tree.handles[item]; }
    void deliver() const {
        const ctree_batch *batch;
        check(ctree_view_commit(view, 0, &batch));
        check(ctree_view_accept(view));
    }
};

Outline &of(void *self) { return *static_cast<Outline *>(self); }

void *build(peer_tree *tree) {
    auto *o = new Outline();
    o->tree = *tree;
    std::vector<uint64_t> numbers(tree->count), values(tree->count);
    for (uint32_t i = 0; i < tree->count; i++) {
        numbers[i] = peer_number(i);
        values[i] = i + 1;
    }
    ctree_forest forest = CTREE_FOREST_INIT;
    forest.count = tree->count;
    forest.numbers = numbers.data();
    forest.parents = tree->parents;
    forest.values = values.data();
    check(ctree_store_create(nullptr, &o->store));
    check(ctree_store_build(o->store, CTREE_NONE, CTREE_END, &forest, nullptr, tree->handles, nullptr));
    ctree_view_options options = CTREE_VIEW_OPTIONS_INIT;
    options.flags = CTREE_VIEW_RECORDS;
    check(ctree_view_create(o->store, &options, &o->view));
    check(ctree_view_accept(o->view));
    return o;
}

void destroy(void *self) {
    ctree_view_destroy(of(self).view);
    ctree_store_destroy(of(self).store);
    delete &of(self);
}

// So much changes that the table is told to read everything again, as the other peers' are.
void expand_all(void *self) {
    check(ctree_view_expand_all(of(self).view, CTREE_NONE, CTREE_ALL_LEVELS, nullptr));
    check(ctree_view_accept(of(self).view));
}

uint32_t row_count(void *self) { return ctree_view_row_count(of(self).view); }
uint64_t node_at(void *self, uint32_t row) { return ctree_view_node_at(of(self).view, row); }
uint32_t row_of(void *self, uint32_t item) { return ctree_view_row_of(of(self).view, of(self).node(item)); }
uint64_t find(void *self, uint32_t item) { return ctree_store_find(of(self).store, ctree_id_u64(peer_number(item))); }

void set_expanded(void *self, uint32_t row, int expanded) {
    ctree_view *view = of(self).view;
    ctree_node node = ctree_view_node_at(view, row);
    check(expanded ? ctree_view_expand(view, node) : ctree_view_collapse(view, node));
    of(self).deliver();
}

void window(void *self, uint32_t first, uint32_t count, peer_row *out) {
    std::vector<ctree_row> &rows = of(self).rows;
    rows.resize(count);
    check(ctree_view_window(of(self).view, first, &count, rows.data()));
    for (uint32_t i = 0; i < count; i++) out[i] = {rows[i].node, rows[i].depth, rows[i].expandable, rows[i].expanded};
}

void insert(void *self, uint32_t parent, uint32_t ordinal, uint32_t item) {
    Outline &o = of(self);
    ctree_node_init init = {uint64_t(item) + 1, 0, CTREE_STATE_LEAF};
    check(ctree_store_insert(o.store, o.node(parent), ordinal, ctree_id_u64(peer_number(item)), &init,
                             &o.tree.handles[item]));
    o.deliver();
}

void remove(void *self, uint32_t parent, uint32_t ordinal) {
    Outline &o = of(self);
    check(ctree_store_remove(o.store, ctree_store_child_at(o.store, o.node(parent), ordinal)));
    o.deliver();
}

// The new list as it came: what has gone and come is TreeKit's to find out.
void reload(void *self, uint32_t parent, const uint32_t *children, uint32_t count) {
    Outline &o = of(self);
    o.numbers.resize(count);
    o.values.resize(count);
    o.states.assign(count, CTREE_STATE_KEEP);
    for (uint32_t i = 0; i < count; i++) {
        o.numbers[i] = peer_number(children[i]);
        o.values[i] = uint64_t(children[i]) + 1;
        if (children[i] >= o.tree.count) o.states[i] = CTREE_STATE_LEAF;
    }
    ctree_forest forest = CTREE_FOREST_INIT;
    forest.count = count;
    forest.numbers = o.numbers.data();
    forest.values = o.values.data();
    forest.states = o.states.data();
    check(ctree_store_reconcile(o.store, o.node(parent), &forest, CTREE_ELSEWHERE_FAILS, nullptr, nullptr, nullptr));
    o.deliver();
}

} // namespace

int main(int argc, char **argv) {
    char what[64];
    std::snprintf(what, sizeof what, "TreeKit %s, C core", ctree_version_string());
    peer self = {"treekit", what,   0,    build,        destroy, expand_all, row_count, node_at,
                 nullptr,   row_of, find, set_expanded, window,  insert,     remove,    reload};
    return peer_main(&self, 1, argc, argv);
}
