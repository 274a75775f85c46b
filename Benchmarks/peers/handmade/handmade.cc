// What a user would otherwise write in C++: see handmade.h.
#include "../../C/handmade.h"

#include "peer.h"

namespace {

template <class Outline> struct Peer {
    static Outline &of(void *self) { return *static_cast<Outline *>(self); }

    static void *build(peer_tree *tree) {
        for (uint32_t i = 0; i < tree->capacity; i++) tree->handles[i] = i;
        return new Outline(std::vector<uint32_t>(tree->parents, tree->parents + tree->count), tree->capacity);
    }
    static void destroy(void *self) { delete &of(self); }
    static void expand_all(void *self) { of(self).expand_all(); }
    static uint32_t row_count(void *self) { return of(self).row_count(); }
    static uint64_t node_at(void *self, uint32_t row) { return of(self).node_at(row); }
    static uint32_t row_of(void *self, uint32_t item) { return of(self).row_of(item); }
    static void set_expanded(void *self, uint32_t row, int expanded) {
        uint32_t item = of(self).node_at(row);
        if (expanded) of(self).open(item);
        else of(self).close(item);
    }
    static void window(void *self, uint32_t first, uint32_t count, peer_row *out) {
        static thread_local std::vector<bench::HandmadeRow> rows;
        rows.resize(count);
        of(self).window(first, count, rows.data());
        for (uint32_t i = 0; i < count; i++) {
            out[i] = {rows[i].item, rows[i].depth, rows[i].expandable, rows[i].expanded};
        }
    }
    static void insert(void *self, uint32_t parent, uint32_t ordinal, uint32_t item) {
        of(self).insert(parent, ordinal, item);
    }
    static void remove(void *self, uint32_t parent, uint32_t ordinal) { of(self).remove(parent, ordinal); }

    static peer make(const char *name, const char *what) {
        return {name,    what,   0,       build,        destroy, expand_all, row_count, node_at,
                nullptr, row_of, nullptr, set_expanded, window,  insert,     remove,    nullptr};
    }
};

} // namespace

int main(int argc, char **argv) {
    const peer all[] = {
        Peer<bench::Flat>::make("flat", "C++: an array of rows and the row of each item, moved and renumbered"),
        Peer<bench::Counts>::make("counts", "C++: visible rows counted at each item, walked through siblings"),
    };
    return peer_main(all, 2, argc, argv);
}
