/* The trees of the benchmarks of rows, and a store and a view of one of them in which everything is open. */
#ifndef BENCH_VIEW_WORLD_H
#define BENCH_VIEW_WORLD_H

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "ctree/ctree.h"
#include "shapes.h"

namespace bench {

inline void check(ctree_status status) {
    if (status != CTREE_OK) {
        std::fprintf(stderr, "status %d\n", int(status));
        std::abort();
    }
}

/* ---- Trees: the parent of each item, in preorder ------------------------------------------------------------- */

using Parents = std::vector<uint32_t>;

/* The directory itself first. */
inline Parents read_directory() {
    namespace fs = std::filesystem;
    const char *named = std::getenv("CTREE_BENCH_ROOT");
    Parents parents = {CTREE_END};
    std::vector<uint32_t> path = {0};
    auto options = fs::directory_options::skip_permission_denied;
    std::error_code error;
    for (fs::recursive_directory_iterator at(named != nullptr ? named : "/usr", options, error), end; at != end;
         at.increment(error)) {
        if (error || parents.size() == 1000000) break;
        path.resize(size_t(at.depth()) + 2);
        path.back() = uint32_t(parents.size());
        parents.push_back(path[path.size() - 2]);
    }
    return parents;
}

/* Copies of the directory, eight to a folder and eight such folders to another, as far as `count` goes. */
inline Parents files(uint32_t count) {
    static const Parents directory = read_directory();
    Parents parents;
    parents.reserve(count);
    std::vector<std::pair<uint32_t, uint32_t>> open = {{12, CTREE_END}}; // level and parent of what is to come
    while (!open.empty() && parents.size() < count) {
        auto [level, parent] = open.back();
        open.pop_back();
        uint32_t first = uint32_t(parents.size());
        uint64_t copies = 1, room = count - first;
        for (uint32_t i = 0; i < level && copies * directory.size() < room; i++) copies *= 8;
        if (level == 0) {
            for (size_t i = 0; i < directory.size() && parents.size() < count; i++) {
                parents.push_back(i == 0 ? parent : first + directory[i]);
            }
        } else if (first == 0 && copies * directory.size() >= uint64_t(count) * 8) {
            open.push_back({level - 1, parent}); // a folder around all of it would be one too many
        } else {
            parents.push_back(parent);
            for (int i = 0; i < 8; i++) open.push_back({level - 1, first});
        }
    }
    return parents;
}

inline Parents make_parents(Shape shape, uint32_t count) {
    return shape == kFiles ? files(count) : plain_shape(shape, count);
}

/* ---- A store and a view in which all is open ----------------------------------------------------------------- */

struct World {
    Parents parents;
    std::vector<uint32_t> sizes;
    std::vector<ctree_node> nodes; // by item, which is its row as well
    ctree_store *store = nullptr;
    ctree_view *view = nullptr;

    World(Shape shape, uint32_t count) : parents(make_parents(shape, count)), sizes(sizes_of(parents)), nodes(count) {
        build();
        open(0);
    }
    // The same forest, its nodes inserted one by one in random order, so that neighbours among the rows stand
    // anywhere in the store. An ancestor comes before its descendants in any case.
    static ctree_store *scattered(const Parents &parents) {
        std::vector<uint32_t> order(parents.size()), missing;
        std::iota(order.begin(), order.end(), 0u);
        std::shuffle(order.begin(), order.end(), std::mt19937_64(3));
        std::vector<ctree_node> nodes(parents.size(), CTREE_NONE);
        ctree_store *store = nullptr;
        check(ctree_store_create(nullptr, &store));
        for (uint32_t item : order) {
            for (uint32_t at = item; at != CTREE_END && nodes[at] == CTREE_NONE; at = parents[at])
                missing.push_back(at);
            for (; !missing.empty(); missing.pop_back()) {
                uint32_t at = missing.back();
                ctree_node parent = parents[at] == CTREE_END ? CTREE_NONE : nodes[parents[at]];
                check(ctree_store_insert(store, parent, CTREE_END, ctree_id_u64(at), nullptr, &nodes[at]));
            }
        }
        return store;
    }
    ~World() {
        ctree_view_destroy(view);
        ctree_store_destroy(store);
    }
    World(const World &) = delete;
    World &operator=(const World &) = delete;

    uint32_t count() const { return uint32_t(nodes.size()); }
    void open(uint32_t flags) {
        ctree_view_destroy(view);
        ctree_view_options options = CTREE_VIEW_OPTIONS_INIT;
        options.flags = flags;
        options.default_depth = CTREE_ALL_LEVELS;
        check(ctree_view_create(store, &options, &view));
    }

  private:
    void build() {
        std::vector<uint64_t> numbers(parents.size());
        std::iota(numbers.begin(), numbers.end(), 0u);
        check(ctree_store_create(nullptr, &store));
        ctree_forest forest = CTREE_FOREST_INIT;
        forest.count = parents.size();
        forest.numbers = numbers.data();
        forest.parents = parents.data();
        check(ctree_store_build(store, CTREE_NONE, CTREE_END, &forest, nullptr, nodes.data(), nullptr));
    }
};

/* The last one is kept: building ten million rows takes longer than measuring them. */
inline World &world(Shape shape, uint32_t count) {
    static std::unique_ptr<World> last;
    static Shape last_shape;
    if (!last || last_shape != shape || last->count() != count) {
        last.reset();
        last = std::make_unique<World>(shape, count);
        last_shape = shape;
    }
    return *last;
}

/* What the view took, for the ratios of the others: by shape, rows and operation. */
inline std::map<std::string, double> view_took;

inline std::string title(const char *who, Shape shape, uint32_t count, const std::string &what) {
    return std::string(who) + "/" + kShapeNames[shape] + "/" + std::to_string(count) + "/" + what;
}

struct Case {
    Shape shape;
    uint32_t count;
    World &get() const { return world(shape, count); }
    void took(const std::string &what, double time) const { view_took[title("view", shape, count, what)] = time; }
    void compare(benchmark::State &state, const std::string &what, double time) const {
        state.counters[what + "_ns"] = time;
        auto known = view_took.find(title("view", shape, count, what));
        if (known != view_took.end()) state.counters[what + "_times"] = time / known->second;
    }
};

/* Items with about so many rows below them, none inside another but on a chain. */
inline std::vector<uint32_t> items_of_size(const World &w, Shape shape, uint32_t size) {
    std::vector<uint32_t> items;
    for (uint32_t i = 0; i < w.count();) {
        uint32_t below = w.sizes[i] - 1;
        bool fits = below >= size / 2 && below <= size * 2;
        if (fits) items.push_back(i);
        i += fits && shape != kChain ? w.sizes[i] : 1;
    }
    return items;
}

/* What a user would otherwise write, on the same tree; see bench_handmade.cc. */
void flat(benchmark::State &state, Case c);
void counts(benchmark::State &state, Case c);

} // namespace bench

#endif
