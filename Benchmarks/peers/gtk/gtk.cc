// GTK 4: a GtkTreeListModel over GListStores of GObjects, as its documentation has it. Passing the items through is
// the faster way for looking items up; a row's GtkTreeListRow is asked for where depth and state are wanted.
#include <gtk/gtk.h>

#include <cstdio>
#include <vector>

#include "peer.h"

namespace {

struct Item {
    GObject object;
    GListStore *children; // NULL: a leaf
};
struct ItemClass {
    GObjectClass parent;
};

GType item_type() {
    static GType type = 0;
    if (type != 0) return type;
    GTypeInfo info = {};
    info.class_size = sizeof(ItemClass);
    info.instance_size = sizeof(Item);
    info.class_init = [](gpointer klass, gpointer) {
        G_OBJECT_CLASS(klass)->finalize = [](GObject *object) {
            g_clear_object(&reinterpret_cast<Item *>(object)->children);
            G_OBJECT_CLASS(g_type_class_peek(G_TYPE_OBJECT))->finalize(object);
        };
    };
    return type = g_type_register_static(G_TYPE_OBJECT, "PeerItem", &info, GTypeFlags(0));
}

struct Outline {
    peer_tree tree;
    GListStore *top;
    GtkTreeListModel *model;
    std::vector<GtkTreeListRow *> held;
    std::vector<uint32_t> held_items;
    uint64_t told = 0;
};

Outline &of(void *self) { return *static_cast<Outline *>(self); }
Item *item_of(uint64_t handle) { return reinterpret_cast<Item *>(handle); }

GListStore *list_of(Outline &o, uint32_t parent) {
    if (parent == PEER_NONE) return o.top;
    Item *item = item_of(o.tree.handles[parent]);
    if (item->children == nullptr) item->children = g_list_store_new(item_type());
    return item->children;
}

GListModel *children_of(gpointer object, gpointer) {
    Item *item = static_cast<Item *>(object);
    return item->children != nullptr ? G_LIST_MODEL(g_object_ref(item->children)) : nullptr;
}

void told(GListModel *, guint, guint removed, guint added, gpointer self) { of(self).told += removed + added; }

void make_model(Outline &o, bool open) {
    if (o.model != nullptr) g_object_unref(o.model);
    o.model = gtk_tree_list_model_new(G_LIST_MODEL(g_object_ref(o.top)), TRUE, open, children_of, nullptr, nullptr);
    g_signal_connect(o.model, "items-changed", G_CALLBACK(told), &o);
}

void *build(peer_tree *tree) {
    auto *o = new Outline{*tree, g_list_store_new(item_type()), nullptr, {}, {}, 0};
    for (uint32_t i = 0; i < tree->count; i++) {
        auto *item = static_cast<Item *>(g_object_new(item_type(), nullptr));
        tree->handles[i] = reinterpret_cast<uint64_t>(item);
        GListStore *list = list_of(*o, tree->parents[i]);
        g_list_store_append(list, item);
        g_object_unref(item);
    }
    make_model(*o, false);
    return o;
}

void destroy(void *self) {
    g_object_unref(of(self).model);
    g_object_unref(of(self).top);
    delete &of(self);
}

// A new model that opens by itself is quicker than opening row by row.
void expand_all(void *self) { make_model(of(self), true); }

uint32_t row_count(void *self) { return g_list_model_get_n_items(G_LIST_MODEL(of(self).model)); }

uint64_t node_at(void *self, uint32_t row) {
    gpointer item = g_list_model_get_item(G_LIST_MODEL(of(self).model), row);
    g_object_unref(item); // the list keeps it
    return reinterpret_cast<uint64_t>(item);
}

// There is no way from an item to its row but through a GtkTreeListRow that was kept.
void hold(void *self, const uint32_t *items, uint32_t count) {
    Outline &o = of(self);
    for (GtkTreeListRow *row : o.held) g_object_unref(row);
    o.held.clear();
    if (count == 0) return;
    o.held_items.assign(o.tree.count, PEER_NONE);
    for (uint32_t i = 0; i < count; i++) {
        o.held_items[items[i]] = i;
        o.held.push_back(gtk_tree_list_model_get_row(o.model, items[i]));
    }
}
uint32_t row_of(void *self, uint32_t item) {
    return gtk_tree_list_row_get_position(of(self).held[of(self).held_items[item]]);
}

void set_expanded(void *self, uint32_t position, int expanded) {
    GtkTreeListRow *row = gtk_tree_list_model_get_row(of(self).model, position);
    gtk_tree_list_row_set_expanded(row, expanded);
    g_object_unref(row);
}

void window(void *self, uint32_t first, uint32_t count, peer_row *out) {
    for (uint32_t i = 0; i < count; i++) {
        GtkTreeListRow *row = gtk_tree_list_model_get_row(of(self).model, first + i);
        gpointer item = gtk_tree_list_row_get_item(row);
        out[i] = {reinterpret_cast<uint64_t>(item), gtk_tree_list_row_get_depth(row),
                  uint8_t(gtk_tree_list_row_is_expandable(row)), uint8_t(gtk_tree_list_row_get_expanded(row))};
        g_object_unref(item);
        g_object_unref(row);
    }
}

void insert(void *self, uint32_t parent, uint32_t ordinal, uint32_t number) {
    Outline &o = of(self);
    auto *item = static_cast<Item *>(g_object_new(item_type(), nullptr));
    o.tree.handles[number] = reinterpret_cast<uint64_t>(item);
    g_list_store_insert(list_of(o, parent), ordinal, item);
    g_object_unref(item);
}
void remove(void *self, uint32_t parent, uint32_t ordinal) {
    g_list_store_remove(list_of(of(self), parent), ordinal);
}

} // namespace

int main(int argc, char **argv) {
    char what[96];
    std::snprintf(what, sizeof what, "GTK %u.%u.%u, GtkTreeListModel over GListStore", gtk_get_major_version(),
                  gtk_get_minor_version(), gtk_get_micro_version());
    peer self = {"gtk", what,   0,       build,        destroy, expand_all, row_count, node_at,
                 hold,  row_of, nullptr, set_expanded, window,  insert,     remove,    nullptr};
    return peer_main(&self, 1, argc, argv);
}
