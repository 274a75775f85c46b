/* Trees that benchmarks build: shaped like a file system, the same at each run. */
#ifndef BENCH_TREES_H
#define BENCH_TREES_H

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "ctree/ctree.h"

namespace bench {

/* A small generator: fast, and the same everywhere, which the standard library's distributions are not. */
class Random {
  public:
    explicit Random(uint64_t seed) : state_(seed) {}

    uint64_t next() {
        uint64_t z = state_ += 0x9E3779B97F4A7C15u;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
        z = (z ^ z >> 27) * 0x94D049BB133111EBu;
        return z ^ z >> 31;
    }

    uint32_t below(uint32_t bound) { return static_cast<uint32_t>((next() >> 32) * bound >> 32); }

  private:
    uint64_t state_;
};

/* The parent of each item of a forest, as ctree_forest wants it. */
using Parents = std::vector<uint32_t>;

/*
 * Folders of mostly a few, now and then of hundreds or thousands of entries, one in nine a folder itself, 4 to 16
 * levels deep: what a home directory looks like. In preorder.
 */
inline Parents file_tree(uint32_t count) {
    struct Folder {
        uint32_t item, left;
    };
    Random random(1);
    Parents parents;
    parents.reserve(count);
    std::vector<Folder> open;
    auto entries = [&random] {
        uint32_t kind = random.below(1000);
        if (kind < 1) return 500 + random.below(4000);
        if (kind < 30) return 60 + random.below(200);
        return 1 + random.below(18);
    };
    while (parents.size() < count) {
        while (!open.empty() && open.back().left == 0) open.pop_back();
        uint32_t item = static_cast<uint32_t>(parents.size());
        parents.push_back(open.empty() ? CTREE_END : open.back().item);
        if (!open.empty()) open.back().left--;
        bool folder = open.size() < 4 ? random.below(3) == 0 : open.size() < 16 && random.below(9) == 0;
        if (open.empty() || folder) open.push_back({item, entries()});
    }
    return parents;
}

/* The same forest with its items in random order, so that neighbours in the tree stand anywhere in the store. */
inline Parents scattered(const Parents &parents) {
    std::vector<uint32_t> place(parents.size());
    std::iota(place.begin(), place.end(), 0u);
    Random random(2);
    for (uint32_t i = static_cast<uint32_t>(place.size()); i > 1; i--)
        std::swap(place[i - 1], place[random.below(i)]);
    Parents moved(parents.size());
    for (size_t i = 0; i < parents.size(); i++) {
        moved[place[i]] = parents[i] == CTREE_END ? CTREE_END : place[parents[i]];
    }
    return moved;
}

} // namespace bench

#endif
