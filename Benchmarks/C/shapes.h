/* Plain trees, and what is to be known of any tree: parents of items in preorder. */
#ifndef BENCH_SHAPES_H
#define BENCH_SHAPES_H

#include <cstdint>
#include <numeric>
#include <vector>

#include "ctree/ctree.h"

namespace bench {

enum Shape : int { kFiles, kTenAry, kChain, kSiblings };
inline const char *const kShapeNames[] = {"files", "ten", "chain", "siblings"};

/* Any shape but files: ten children each, one child each, or all below the first item. */
inline std::vector<uint32_t> plain_shape(Shape shape, uint32_t count) {
    std::vector<uint32_t> parents(count);
    parents[0] = CTREE_END;
    if (shape == kChain) std::iota(parents.begin() + 1, parents.end(), 0u);
    if (shape != kTenAry) return parents; /* siblings: all below the first */
    struct Part {
        uint32_t size, parent;
    };
    std::vector<Part> open = {{count, CTREE_END}};
    for (uint32_t item = 0; item < count; item++) {
        Part part = open.back();
        open.pop_back();
        parents[item] = part.parent;
        std::vector<uint32_t> sizes;
        for (uint32_t i = 0, rest = part.size - 1; i < 10 && rest > 0; i++) {
            sizes.push_back((rest + 9 - i) / (10 - i));
            rest -= sizes.back();
        }
        for (size_t i = sizes.size(); i > 0; i--) open.push_back({sizes[i - 1], item});
    }
    return parents;
}

/* Items of each subtree, its root included. */
inline std::vector<uint32_t> sizes_of(const std::vector<uint32_t> &parents) {
    std::vector<uint32_t> sizes(parents.size(), 1);
    for (size_t i = parents.size(); i-- > 1;) {
        if (parents[i] != CTREE_END) sizes[parents[i]] += sizes[i];
    }
    return sizes;
}

} // namespace bench

#endif
