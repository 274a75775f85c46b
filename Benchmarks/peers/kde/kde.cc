// KDE Frameworks: a KDescendantsProxyModel over a QStandardItemModel.
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <KDescendantsProxyModel>
#include <kitemmodels_version.h>

#include <cstdio>
#include <memory>
#include <vector>

#include "peer.h"

namespace {

struct Outline {
    peer_tree tree;
    QStandardItemModel source;
    std::unique_ptr<KDescendantsProxyModel> rows;
    std::vector<QModelIndex> held;
    std::vector<uint32_t> held_items;
    uint64_t told = 0;
};

Outline &of(void *self) { return *static_cast<Outline *>(self); }

QStandardItem *item_of(Outline &o, uint32_t number) {
    return number == PEER_NONE ? o.source.invisibleRootItem()
                               : reinterpret_cast<QStandardItem *>(o.tree.handles[number]);
}

void make_rows(Outline &o, bool open) {
    o.rows = std::make_unique<KDescendantsProxyModel>();
    o.rows->setExpandsByDefault(open);
    o.rows->setSourceModel(&o.source);
    auto told = [&o](const QModelIndex &, int first, int last) { o.told += uint64_t(last - first + 1); };
    QObject::connect(o.rows.get(), &QAbstractItemModel::rowsInserted, told);
    QObject::connect(o.rows.get(), &QAbstractItemModel::rowsRemoved, told);
}

// Items join the model when they are complete, so that it need not tell of each.
void *build(peer_tree *tree) {
    auto *o = new Outline();
    o->tree = *tree;
    std::vector<QStandardItem *> tops;
    for (uint32_t i = 0; i < tree->count; i++) {
        auto *item = new QStandardItem();
        tree->handles[i] = reinterpret_cast<uint64_t>(item);
        if (tree->parents[i] == PEER_NONE) tops.push_back(item);
        else item_of(*o, tree->parents[i])->appendRow(item);
    }
    for (QStandardItem *top : tops) o->source.appendRow(top); // appendRows() tells only the tops of their model
    make_rows(*o, false);
    return o;
}

void destroy(void *self) {
    of(self).rows.reset();
    delete &of(self);
}

void expand_all(void *self) { make_rows(of(self), true); }
uint32_t row_count(void *self) { return uint32_t(of(self).rows->rowCount()); }

uint64_t handle(Outline &o, const QModelIndex &source) {
    return reinterpret_cast<uint64_t>(o.source.itemFromIndex(source));
}
uint64_t node_at(void *self, uint32_t row) {
    Outline &o = of(self);
    return handle(o, o.rows->mapToSource(o.rows->index(int(row), 0)));
}

// An item's index is kept by whoever asks: finding it among its siblings is not what is measured.
void hold(void *self, const uint32_t *items, uint32_t count) {
    Outline &o = of(self);
    o.held.clear();
    if (count == 0) return;
    o.held_items.assign(o.tree.count, PEER_NONE);
    for (uint32_t i = 0; i < count; i++) {
        o.held_items[items[i]] = i;
        uint32_t parent = o.tree.parents[items[i]];
        QModelIndex above = parent == PEER_NONE ? QModelIndex() : item_of(o, parent)->index();
        o.held.push_back(o.source.index(int(o.tree.ordinals[items[i]]), 0, above));
    }
}
uint32_t row_of(void *self, uint32_t item) {
    Outline &o = of(self);
    return uint32_t(o.rows->mapFromSource(o.held[o.held_items[item]]).row());
}

void set_expanded(void *self, uint32_t row, int expanded) {
    Outline &o = of(self);
    QModelIndex source = o.rows->mapToSource(o.rows->index(int(row), 0));
    if (expanded) o.rows->expandSourceIndex(source);
    else o.rows->collapseSourceIndex(source);
}

void window(void *self, uint32_t first, uint32_t count, peer_row *out) {
    Outline &o = of(self);
    for (uint32_t i = 0; i < count; i++) {
        QModelIndex row = o.rows->index(int(first + i), 0), source = o.rows->mapToSource(row);
        uint32_t depth = 0;
        for (QModelIndex above = source.parent(); above.isValid(); above = above.parent()) depth++;
        out[i] = {handle(o, source), depth, uint8_t(o.source.hasChildren(source)),
                  uint8_t(o.rows->isSourceIndexExpanded(source))};
    }
}

void insert(void *self, uint32_t parent, uint32_t ordinal, uint32_t number) {
    Outline &o = of(self);
    auto *item = new QStandardItem();
    o.tree.handles[number] = reinterpret_cast<uint64_t>(item);
    item_of(o, parent)->insertRow(int(ordinal), item);
}
void remove(void *self, uint32_t parent, uint32_t ordinal) { item_of(of(self), parent)->removeRow(int(ordinal)); }

} // namespace

int main(int argc, char **argv) {
    char what[128];
    std::snprintf(what, sizeof what, "KDE Frameworks %s on Qt %s, KDescendantsProxyModel over QStandardItemModel",
                  KITEMMODELS_VERSION_STRING, qVersion());
    peer self = {"kde", what,   0,       build,        destroy, expand_all, row_count, node_at,
                 hold,  row_of, nullptr, set_expanded, window,  insert,     remove,    nullptr};
    return peer_main(&self, 1, argc, argv);
}
