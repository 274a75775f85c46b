// The operations of an outline, each on a tree in which everything is open but for the first two.
#include "measure.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "../../C/limits.h"
#include "../../C/measure.h"

namespace peers {

namespace {

const uint32_t kHeld = 1 << 18;

double at_part(std::vector<double> &times, double part) {
    size_t at = std::min(times.size() - 1, size_t(part * double(times.size())));
    std::nth_element(times.begin(), times.begin() + ptrdiff_t(at), times.end());
    return times[at];
}

} // namespace

void Times::add(double begin) { times_.push_back(std::max(1.0, peer_time() - begin - clock())); }

double Times::clock() {
    static const double cost = bench::clock_cost();
    return cost;
}

void Bench::print(const std::string &op, uint32_t size, Times &times) const {
    if (times.size() == 0) return;
    std::vector<double> all = times.all();
    double p50 = at_part(all, 0.5), p99 = at_part(all, 0.99), p999 = at_part(all, 0.999);
    double most = *std::max_element(all.begin(), all.end());
    std::string name = title(op, size);
    std::printf("{\"name\": \"%s\", \"peer\": \"%s\", \"tree\": \"%s\", \"rows\": %u, \"op\": \"%s\", \"size\": %u, "
                "\"cpu_time\": %.5g, \"time_unit\": \"ns\", \"p99\": %.5g, \"p999\": %.5g, \"most\": %.5g, "
                "\"iterations\": %zu}\n",
                name.c_str(), p.name, tree_name.c_str(), rows, op.c_str(), size, p50, p99, p999, most, all.size());
    std::fflush(stdout);
}

void Bench::print(const std::string &op, uint32_t size, double value, const char *unit) const {
    peer_print(p.name, tree_name.c_str(), rows, op.c_str(), size, value, unit);
}

std::string Bench::title(const std::string &op, uint32_t size) const {
    std::string name = std::string(p.name) + "/" + tree_name + "/" + std::to_string(rows) + "/" + op;
    return size == 0 ? name : name + "/" + std::to_string(size);
}

bool Bench::wants(const std::string &op) const {
    return only.empty() || ("," + only + ",").find("," + op + ",") != std::string::npos;
}

void Bench::fail(const char *what) const {
    std::fprintf(stderr, "%s: %s on %s is wrong\n", p.name, what, tree_name.c_str());
    std::exit(3);
}

// What is timed has to be right as well: with everything open, each row is its item.
void Bench::check_rows(const char *what) const {
    if (p.row_count(self) != rows) fail(what);
    for (uint32_t i = 0; i < 100; i++) {
        uint32_t row = uint32_t(uint64_t(i) * (rows - 1) / 99);
        if (p.node_at(self, row) != tree.handles[row]) fail(what);
    }
}

// ---- Building, and opening everything -----------------------------------------------------------------------------

void Bench::build() {
    // Twice where it is quick: the second time the memory is there already, as in a program that runs for long. What
    // counts as memory is the first.
    Times opening;
    double best = 1e18, before = 0, built = 0;
    double spent = 0;
    for (int run = 0; run < 3 && (run == 0 || spent < budget * 24); run++) {
        if (self != nullptr) p.destroy(self);
        if (run == 0) before = bench::resident_bytes();
        double begin = peer_time();
        self = p.build(&lent);
        best = std::min(best, peer_time() - begin);
        if (run == 0) built = bench::resident_bytes();
        begin = peer_time();
        p.expand_all(self);
        opening.add(begin);
        spent += peer_time() - begin + best;
        if (run == 0 && wants("memory")) {
            print("memory_source", 0, (built - before) / rows, "bytes");
            print("memory", 0, (bench::resident_bytes() - before) / rows, "bytes");
        }
    }
    check_rows("expand all");
    if (wants("build")) print("build", 0, best / rows, "ns");
    if (wants("expand_all"))
        print("expand_all", 0, *std::min_element(opening.all().begin(), opening.all().end()) / rows, "ns");
}

// ---- Look-ups -----------------------------------------------------------------------------------------------------

template <class Call> void Bench::many(const std::string &op, Call call) {
    if (!wants(op)) return;
    std::mt19937_64 random(7);
    // How many fit into a tenth of what may be spent; then the best of runs of so many.
    uint32_t each = 1;
    double time = 0;
    for (;; each *= 4) {
        double begin = peer_time();
        for (uint32_t i = 0; i < each; i++) call(uint32_t(random() % rows));
        time = peer_time() - begin;
        if (time > budget / 10 || each >= kHeld) break;
    }
    double best = time / each, spent = time;
    std::vector<uint32_t> numbers(each);
    while (spent < budget) {
        for (uint32_t &number : numbers) number = uint32_t(random() % rows);
        double begin = peer_time();
        for (uint32_t number : numbers) call(number);
        time = peer_time() - begin;
        best = std::min(best, time / each);
        spent += time;
    }
    print(op, 0, best, "ns");
}

void Bench::look_ups() {
    uint64_t sum = 0;
    check_rows("row to node");
    // In a loop one look-up need not wait for the one before; "alone" it does, as what a user asks for one by one.
    many("node_at", [&](uint32_t row) { sum += p.node_at(self, row); });
    uint64_t last = 0;
    many("node_at_alone", [&](uint32_t row) { last = p.node_at(self, row ^ uint32_t(last >> 63)); });
    sum += last;
    if (p.row_of != nullptr && wants("row_of")) {
        // Of items that its user keeps at hand, where it needs that.
        std::mt19937_64 random(8);
        std::vector<uint32_t> held(std::min(kHeld, rows));
        for (uint32_t &item : held) item = uint32_t(random() % rows);
        if (p.hold != nullptr) p.hold(self, held.data(), uint32_t(held.size()));
        for (uint32_t i = 0; i < std::min(20u, rows); i++) {
            if (p.row_of(self, held[i]) != held[i]) fail("node to row");
        }
        many("row_of", [&](uint32_t number) { sum += p.row_of(self, held[number % held.size()]); });
        uint32_t before = 0;
        many("row_of_alone",
             [&](uint32_t number) { before = p.row_of(self, held[(number ^ (before >> 31)) % held.size()]); });
        sum += before;
        if (p.hold != nullptr) p.hold(self, nullptr, 0);
    }
    if (p.find != nullptr) {
        if (p.find(self, rows / 2) != tree.handles[rows / 2]) fail("find");
        many("find", [&](uint32_t number) { sum += p.find(self, number); });
    }
    const uint32_t window = 50;
    if (rows > window) {
        peer_row out[window];
        many("window", [&](uint32_t row) {
            p.window(self, std::min(row, rows - window), window, out);
            sum += out[window - 1].depth;
        });
        p.window(self, rows - window, window, out);
        if (out[window - 1].handle != tree.handles[rows - 1]) fail("a window");
    }
    bench::keep(sum);
}

// ---- Opening and closing ------------------------------------------------------------------------------------------

// Items with about so many below them; none inside another, but on a chain.
std::vector<uint32_t> Bench::items_of_size(uint32_t size) const {
    std::vector<uint32_t> items;
    bool nested = tree.deepest > rows / 2;
    for (uint32_t i = 0; i < rows;) {
        uint32_t below = tree.sizes[i] - 1;
        bool fits = below >= size / 2 && below <= size + size / 2;
        if (fits) items.push_back(i);
        i += fits && !nested ? tree.sizes[i] : 1;
    }
    return items;
}

// A few dozen at a time, from the last to the first and back, so that what is above stays open and a row is its item;
// and so that an item has left the nearest cache when it is opened again.
void Bench::toggles(uint32_t size) {
    if (!wants("toggle")) return;
    std::vector<uint32_t> items = items_of_size(size);
    if (items.empty()) return;
    std::mt19937_64 random(5);
    Times closing, opening;
    size_t at_once = tree.deepest > rows / 2 ? 1 : std::min<size_t>(items.size(), 64);
    double start = peer_time();
    size_t least = 8;
    while ((peer_time() - start < budget || closing.size() < least) && closing.size() < 20000) {
        if (peer_time() - start > 8 * budget) break;
        std::vector<uint32_t> chosen;
        for (size_t i = 0; i < at_once; i++) {
            std::swap(items[i], items[i + random() % (items.size() - i)]);
            chosen.push_back(items[i]);
        }
        std::sort(chosen.begin(), chosen.end());
        size_t closed = 0;
        for (; closed < chosen.size(); closed++) {
            double begin = peer_time();
            p.set_expanded(self, chosen[chosen.size() - 1 - closed], 0);
            closing.add(begin);
            if (peer_time() - start > 4 * budget) {
                closed++;
                break;
            }
        }
        for (size_t i = chosen.size() - closed; i < chosen.size(); i++) {
            double begin = peer_time();
            p.set_expanded(self, chosen[i], 1);
            opening.add(begin);
        }
        check_rows("closing and opening");
    }
    print("collapse", size, closing);
    print("expand", size, opening);
}

// ---- Edits --------------------------------------------------------------------------------------------------------

// Leaves put in at random, and taken out in the reverse order, so that each stands where it was put.
void Bench::edits() {
    if (!wants("insert") || p.insert == nullptr) return;
    std::mt19937_64 random(9);
    Times inserting, removing;
    struct Put {
        uint32_t parent, ordinal;
    };
    double start = peer_time();
    do {
        std::vector<Put> put;
        while (put.size() < 1000 && (put.size() < 4 || peer_time() - start < 2 * budget)) {
            // Beside a random item, or below it where it is the only one of the top level.
            uint32_t beside = uint32_t(random() % rows), parent = tree.parents[beside];
            Put one = {parent == PEER_NONE ? beside : parent, parent == PEER_NONE ? 0 : tree.ordinals[beside]};
            if (tree.sizes[one.parent] == 1) continue;
            double begin = peer_time();
            p.insert(self, one.parent, one.ordinal, rows + uint32_t(put.size()));
            inserting.add(begin);
            put.push_back(one);
        }
        for (; !put.empty(); put.pop_back()) {
            double begin = peer_time();
            p.remove(self, put.back().parent, put.back().ordinal);
            removing.add(begin);
        }
    } while (peer_time() - start < 2 * budget);
    check_rows("inserting and removing");
    print("insert", 0, inserting);
    print("remove", 0, removing);
}

void Bench::run() {
    if (wants("limits") && !only.empty()) {
        peer_print("machine", tree_name.c_str(), rows, "dependent_read", 0, bench::dependent_read(rows), "ns");
        peer_print("machine", tree_name.c_str(), rows, "flat_scan", 0, bench::flat_scan(rows), "ns");
        return;
    }
    build();
    look_ups();
    for (uint32_t size : {10u, 100u, 1000u, 10000u, 100000u, 1000000u}) {
        if (size <= rows) toggles(size);
    }
    edits();
}

} // namespace peers

double peer_time(void) { return bench::thread_time(); }

void peer_print(const char *who, const char *tree, uint32_t rows, const char *op, uint32_t size, double value,
                const char *unit) {
    std::string tail = size == 0 ? "" : "/" + std::to_string(size);
    std::printf("{\"name\": \"%s/%s/%u/%s%s\", \"peer\": \"%s\", \"tree\": \"%s\", \"rows\": %u, \"op\": \"%s\", "
                "\"size\": %u, \"cpu_time\": %.5g, \"time_unit\": \"%s\", \"iterations\": 1}\n",
                who, tree, rows, op, tail.c_str(), who, tree, rows, op, size, value, unit);
    std::fflush(stdout);
}
