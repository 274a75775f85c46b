// The trees that peers are compared on. Made anew by each program, the same each time; a file system is read once,
// into a file, since it changes.
#ifndef PEER_TREE_H
#define PEER_TREE_H

#include <cstdint>
#include <string>
#include <vector>

#include "peer.h"

namespace peers {

struct Tree {
    std::vector<uint32_t> parents, sizes, ordinals;
    std::vector<uint64_t> handles;
    uint32_t deepest = 0;

    // `name` is files, ten, chain, siblings, json, classes, or @ and a file that `scan` wrote.
    Tree(const std::string &name, uint32_t count);
    peer_tree lend();

  private:
    void measure();
};

// Every entry below a directory on its file system, in preorder, to a file. Returns how many there were.
uint32_t scan(const std::string &directory, const std::string &file);

} // namespace peers

#endif
