#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <string>
#include <utility>

#include <sys/stat.h>

#include "../../C/shapes.h"
#include "../../C/trees.h"
#include "tree.h"

namespace peers {

namespace {

const uint32_t kSpare = 1 << 16;

// A document as programs exchange them: records with a few members, some of them lists or objects again.
void write_value(bench::Random &random, std::string &text, uint32_t level, uint32_t &left) {
    if (left > 0) left--;
    uint32_t kind = random.below(10);
    if (level > 8 || left == 0 || (level > 1 && kind < 6)) {
        if (kind % 3 == 0) text += "\"a \\\"quoted\\\" text [1, {2}\"";
        else text += kind % 3 == 1 ? "12.5" : "true";
        return;
    }
    bool object = level % 2 == 1 || kind == 9;
    uint32_t members = level == 0 ? UINT32_MAX : level == 1 ? 4 + random.below(12) : random.below(8);
    text += object ? '{' : '[';
    for (uint32_t i = 0; i < members && left > 0; i++) {
        if (i > 0) text += ", ";
        if (object) text += "\"key" + std::to_string(i) + "\": ";
        write_value(random, text, level + 1, left); // nine levels at most
    }
    text += object ? '}' : ']';
}

// Each value of the document is an item, below the list or object that it stands in.
std::vector<uint32_t> json(uint32_t count) {
    bench::Random random(4);
    std::string text;
    uint32_t left = count;
    write_value(random, text, 0, left);
    std::vector<uint32_t> parents, open;
    bool fresh = true; // a value may begin here
    for (size_t at = 0; at < text.size() && parents.size() < count; at++) {
        char c = text[at];
        if (c == ' ') continue;
        if (c == ']' || c == '}') {
            open.pop_back();
            fresh = false;
        } else if (c == ',') {
            fresh = true;
        } else if (c == '"') {
            for (at++; text[at] != '"'; at++) at += text[at] == '\\';
            if (text[at + 1] == ':') at++;
            else if (fresh) parents.push_back(open.empty() ? CTREE_END : open.back());
        } else if (c == '[' || c == '{') {
            parents.push_back(open.empty() ? CTREE_END : open.back());
            open.push_back(uint32_t(parents.size()) - 1);
            fresh = true;
        } else {
            parents.push_back(open.empty() ? CTREE_END : open.back());
            while (text[at + 1] != ',' && text[at + 1] != ']' && text[at + 1] != '}') at++;
        }
    }
    return parents;
}

// One root; a new class derives from the root, from a class that has heirs already, or from any: a few have
// thousands of heirs and most have none.
std::vector<uint32_t> classes(uint32_t count) {
    bench::Random random(5);
    std::vector<uint32_t> base(count, 0);
    for (uint32_t i = 1; i < count; i++) {
        uint32_t other = random.below(i);
        uint32_t kind = random.below(10);
        base[i] = kind == 0 ? 0 : kind < 7 ? base[other] : other;
    }
    // Into preorder, by child lists in place.
    std::vector<uint32_t> first(count, CTREE_END), next(count, CTREE_END);
    for (uint32_t i = count; i-- > 1;) {
        next[i] = first[base[i]];
        first[base[i]] = i;
    }
    std::vector<uint32_t> parents, open = {0}, place(count);
    parents.reserve(count);
    while (!open.empty()) {
        uint32_t i = open.back();
        open.pop_back();
        place[i] = uint32_t(parents.size());
        parents.push_back(i == 0 ? CTREE_END : place[base[i]]);
        if (i != 0 && next[i] != CTREE_END) open.push_back(next[i]);
        if (first[i] != CTREE_END) open.push_back(first[i]);
    }
    return parents;
}

std::vector<uint32_t> from_file(const std::string &name) {
    std::FILE *file = std::fopen(name.c_str(), "rb");
    std::vector<uint32_t> parents;
    uint32_t block[4096];
    if (file != nullptr) {
        while (size_t count = std::fread(block, 4, 4096, file)) parents.insert(parents.end(), block, block + count);
        std::fclose(file);
    }
    if (parents.empty()) {
        std::fprintf(stderr, "no tree in %s\n", name.c_str());
        std::exit(2);
    }
    return parents;
}

std::vector<uint32_t> make(const std::string &name, uint32_t count) {
    if (name[0] == '@') return from_file(name.substr(1));
    if (name == "files") return bench::file_tree(count);
    if (name == "json") return json(count);
    if (name == "classes") return classes(count);
    for (bench::Shape shape : {bench::kTenAry, bench::kChain, bench::kSiblings}) {
        if (name == bench::kShapeNames[shape]) return bench::plain_shape(shape, count);
    }
    std::fprintf(stderr, "no tree is called %s\n", name.c_str());
    std::exit(2);
}

} // namespace

Tree::Tree(const std::string &name, uint32_t count) : parents(make(name, count)) { measure(); }

void Tree::measure() {
    uint32_t count = uint32_t(parents.size()), tops = 0;
    sizes = bench::sizes_of(parents);
    ordinals.resize(count);
    handles.assign(size_t(count) + kSpare, 1); // not 0: all of it is to be in memory now
    // Children so far, and then depths, in turn.
    std::vector<uint32_t> known(count, 0);
    for (uint32_t i = 0; i < count; i++) ordinals[i] = parents[i] == CTREE_END ? tops++ : known[parents[i]]++;
    for (uint32_t i = 0; i < count; i++) {
        known[i] = parents[i] == CTREE_END ? 1 : known[parents[i]] + 1;
        deepest = std::max(deepest, known[i]);
    }
}

peer_tree Tree::lend() {
    uint32_t count = uint32_t(parents.size());
    return {count, count + kSpare, parents.data(), sizes.data(), ordinals.data(), handles.data()};
}

uint32_t scan(const std::string &directory, const std::string &name) {
    namespace fs = std::filesystem;
    std::vector<uint32_t> parents = {CTREE_END}, path = {0};
    struct stat root, other;
    if (stat(directory.c_str(), &root) != 0) return 0;
    std::error_code error;
    fs::recursive_directory_iterator at(directory, fs::directory_options::skip_permission_denied, error), end;
    while (!error && at != end) {
        path.resize(size_t(at.depth()) + 2);
        path.back() = uint32_t(parents.size());
        parents.push_back(path[path.size() - 2]);
        // What is mounted there is another file system, or none (/proc).
        std::error_code none;
        if (at->is_directory(none) && !at->is_symlink(none)
            && (stat(at->path().c_str(), &other) != 0 || other.st_dev != root.st_dev)) {
            at.disable_recursion_pending();
        }
        at.increment(error);
    }
    std::FILE *file = std::fopen(name.c_str(), "wb");
    if (file == nullptr) return 0;
    bool written = std::fwrite(parents.data(), 4, parents.size(), file) == parents.size();
    return std::fclose(file) == 0 && written ? uint32_t(parents.size()) : 0;
}

} // namespace peers
