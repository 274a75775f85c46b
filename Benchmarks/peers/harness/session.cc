// Replays what somebody did with an outline, step by step: each line of the recording names a place on the screen, so
// that it fits any tree. A step is what happens until the next frame can be drawn: the change, and reading a screen.
//
//   tap 7        opens or closes what stands in line 7 of the screen or, where that cannot open, nearest above it
//   scroll -20   by so many lines
//   drag 0.25    the scroll bar to a quarter of the way down
//   reload 3     the open folder nearest at or above line 3 is read again: of its files one has gone and one has come
//
// Where there is no such line, nothing but the frame is drawn.
#include <algorithm>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>
#include <unordered_map>

#include "measure.h"

namespace peers {

namespace {

const uint32_t kScreen = 50;

struct Step {
    std::string what;
    double number;
};

std::vector<Step> read_steps(const std::string &name) {
    std::ifstream file(name);
    std::vector<Step> steps;
    for (std::string line; std::getline(file, line);) {
        Step step;
        std::istringstream words(line);
        if (line[0] != '#' && words >> step.what >> step.number) steps.push_back(step);
    }
    if (steps.empty()) {
        std::fprintf(stderr, "no steps in %s\n", name.c_str());
        std::exit(2);
    }
    return steps;
}

// The children of the folders that were read again, as they are now.
class Folders {
  public:
    explicit Folders(const Tree &tree) : tree_(tree), next_(uint32_t(tree.parents.size())) {
        for (uint32_t i = 0; i < next_; i++) item_of_[tree.handles[i]] = i;
    }
    bool knows(uint64_t handle) const { return item_of_.count(handle) != 0; }
    uint32_t item(uint64_t handle) const { return item_of_.at(handle); }
    uint32_t next() { return next_++; }
    bool is_leaf(uint32_t item) const { return item >= tree_.sizes.size() || tree_.sizes[item] == 1; }

    std::vector<uint32_t> &children(uint32_t folder) {
        auto [at, fresh] = children_.try_emplace(folder);
        if (fresh) {
            for (uint32_t i = folder + 1; i < folder + tree_.sizes[folder]; i += tree_.sizes[i])
                at->second.push_back(i);
        }
        return at->second;
    }

  private:
    const Tree &tree_;
    uint32_t next_;
    std::unordered_map<uint64_t, uint32_t> item_of_;
    std::unordered_map<uint32_t, std::vector<uint32_t>> children_;
};

} // namespace

void Bench::session(const std::string &file, bool all_open, const std::string &without) {
    std::vector<Step> steps = read_steps(file);
    self = p.build(&lent);
    if (all_open) p.expand_all(self);
    Folders folders(tree);
    std::mt19937_64 random(3);
    std::vector<peer_row> screen(kScreen);
    std::vector<std::pair<std::string, Times>> kinds = {{"open", {}}, {"close", {}}, {"scroll", {}}, {"reload", {}}};
    Times all;
    uint32_t top = 0;
    double start = peer_time();
    auto shown = [&] { return std::min(kScreen, p.row_count(self)); };
    auto draw = [&] {
        uint32_t count = p.row_count(self);
        top = count <= kScreen ? 0 : std::min(top, count - kScreen);
        p.window(self, top, std::min(kScreen, count), screen.data());
    };
    draw();
    for (const Step &step : steps) {
        if (peer_time() - start > 40 * budget) break;
        if (step.what == without) continue;
        bool reloads = step.what == "reload";
        uint32_t line = uint32_t(std::max(0.0, step.number)) % shown();
        auto fits = [&](const peer_row &row) { return row.expandable && (!reloads || row.expanded); };
        while (line > 0 && !fits(screen[line])) line--;
        const uint32_t row = top + line;
        const peer_row at = screen[line];
        size_t kind = 2;
        double begin, took;
        if (step.what == "tap" && fits(at)) {
            kind = at.expanded ? 1 : 0;
            begin = peer_time();
            p.set_expanded(self, row, !at.expanded);
            draw();
            took = peer_time() - begin;
        } else if (reloads && fits(at) && folders.knows(at.handle)) {
            uint32_t parent = folders.item(at.handle);
            std::vector<uint32_t> &children = folders.children(parent);
            // A file that goes; where there is none, nothing goes.
            uint32_t gone = uint32_t(children.size()), item = folders.next();
            for (uint32_t tries = 0; tries < 8 && gone == children.size() && gone > 0; tries++) {
                uint32_t one = uint32_t(random() % children.size());
                if (folders.is_leaf(children[one])) gone = one;
            }
            bool goes = gone < children.size();
            if (goes) children.erase(children.begin() + ptrdiff_t(gone));
            uint32_t come = uint32_t(random() % (children.size() + 1));
            children.insert(children.begin() + ptrdiff_t(come), item);
            kind = 3;
            begin = peer_time();
            if (p.reload != nullptr) {
                p.reload(self, parent, children.data(), uint32_t(children.size()));
            } else {
                if (goes) p.remove(self, parent, gone);
                p.insert(self, parent, come, item);
            }
            draw();
            took = peer_time() - begin;
        } else {
            if (step.what == "scroll") top = uint32_t(std::max(0.0, double(top) + step.number));
            if (step.what == "drag") top = uint32_t(step.number * p.row_count(self));
            begin = peer_time();
            draw();
            took = peer_time() - begin;
        }
        kinds[kind].second.put(took);
        all.put(took);
    }
    std::string suffix = all_open ? "_all_open" : "";
    print("session" + suffix, uint32_t(all.size()), all);
    for (auto &[name, times] : kinds) print("session" + suffix + "_" + name, 0, times);
    print("session" + suffix + "_rows", 0, p.row_count(self), "rows");
}

} // namespace peers
