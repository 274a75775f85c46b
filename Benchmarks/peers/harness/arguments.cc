// A peer's program:
//
//   --info                  says what it is, a line for each peer, and ends
//   --peer NAME             of a program with several; else the first
//   --tree NAME             files, ten, chain, siblings, json, classes, or @FILE; --as NAME says how to call it
//   --rows N                of the tree
//   --ms N                  to spend on an operation
//   --only A,B              operations: build, memory, expand_all, node_at, node_at_alone, row_of, row_of_alone,
//   find,
//                           window, toggle, insert; or limits, for what the machine can do with so many rows
//   --session FILE          replays a recording instead; with --all-open on a tree in which everything is open;
//                           --without WORD leaves such steps out
//   --scan DIRECTORY FILE   writes the tree of a directory to a file, and ends
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "measure.h"

int peer_main(const peer *peers_, int count, int argc, char **argv) {
    std::string tree = "files", as, only, session, name, without;
    uint32_t rows = 10000;
    double budget = 50;
    bool all_open = false;
    for (int i = 1; i < argc; i++) {
        std::string word = argv[i];
        auto next = [&] {
            if (++i == argc) {
                std::fprintf(stderr, "%s wants a value\n", word.c_str());
                std::exit(2);
            }
            return argv[i];
        };
        if (word == "--info") {
            for (int k = 0; k < count; k++) std::printf("%s\t%s\n", peers_[k].name, peers_[k].what);
            return 0;
        }
        if (word == "--scan") {
            std::string directory = next();
            uint32_t entries = peers::scan(directory, next());
            std::printf("%u entries\n", entries);
            return entries == 0;
        }
        if (word == "--peer") name = next();
        else if (word == "--tree") tree = next();
        else if (word == "--as") as = next();
        else if (word == "--rows") rows = uint32_t(std::strtoul(next(), nullptr, 10));
        else if (word == "--ms") budget = std::strtod(next(), nullptr);
        else if (word == "--only") only = next();
        else if (word == "--session") session = next();
        else if (word == "--all-open") all_open = true;
        else if (word == "--without") without = next();
        else {
            std::fprintf(stderr, "unknown: %s\n", word.c_str());
            return 2;
        }
    }
    const peer *chosen = nullptr;
    for (int k = 0; k < count; k++) {
        if (chosen == nullptr && (name.empty() || name == peers_[k].name)) chosen = &peers_[k];
    }
    if (chosen == nullptr || rows < 10) {
        std::fprintf(stderr, "no such peer, or fewer than 10 rows\n");
        return 2;
    }
    peers::Tree made(tree, rows);
    if (chosen->deepest != 0 && made.deepest > chosen->deepest) {
        std::fprintf(stderr, "%s overflows the stack beyond %u levels\n", chosen->name, chosen->deepest);
        return 4;
    }
    peers::Bench bench(*chosen, as.empty() ? tree : as, made, budget * 1e6, only);
    if (session.empty()) bench.run();
    else bench.session(session, all_open, without);
    rusage used;
    if (getrusage(RUSAGE_SELF, &used) == 0 && session.empty()) {
        peer_print(chosen->name, bench.tree_name.c_str(), bench.rows, "peak_memory", 0, double(used.ru_maxrss) * 1024,
                   "bytes");
    }
    return 0;
}
