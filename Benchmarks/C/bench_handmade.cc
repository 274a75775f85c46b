// What a user would otherwise write instead of a view: see handmade.h. Each figure stands beside how many times the
// view's it is.
#include <algorithm>
#include <random>

#include "handmade.h"
#include "machine.h"
#include "view_world.h"

namespace bench {

namespace {

const uint32_t kLookups = 100000;

// As many as fit into a tenth of a second, at least three, in nanoseconds.
template <class Operation> double mean_of(Operation operation) {
    uint64_t begin = nanoseconds(), now = begin;
    uint32_t done = 0;
    for (; done < 3 || now - begin < 100000000u; done++) {
        operation();
        now = nanoseconds();
    }
    return std::max(1.0, double(now - begin) / done - clock_cost());
}

template <class Structure> void compare_look_ups(benchmark::State &state, Case c, const Structure &structure) {
    auto numbers = random_numbers(c.count, kLookups);
    size_t at = 0;
    auto next = [&] { return numbers[at++ % kLookups]; };
    uint32_t sum = 0;
    // A hundred at a time where that is not too slow, so that the clock does not count.
    const int each = c.shape == kChain || c.shape == kSiblings ? 1 : 100;
    auto many = [&](auto one) {
        return mean_of([&] {
                   for (int i = 0; i < each; i++) sum += one(next());
               })
               / each;
    };
    c.compare(state, "node_at", many([&](uint32_t row) { return structure.node_at(row); }));
    c.compare(state, "row_of", many([&](uint32_t item) { return structure.row_of(item); }));
    benchmark::DoNotOptimize(sum);
}

} // namespace

void flat(benchmark::State &state, Case c) {
    World &w = c.get();
    for (auto _ : state) {
        Flat flat(w.parents);
        flat.expand_all();
        compare_look_ups(state, c, flat);
        std::mt19937_64 random(6);
        for (uint32_t size : {10u, 1000u, 100000u, 1000000u}) {
            std::vector<uint32_t> items = items_of_size(w, c.shape, size);
            if (items.empty()) continue;
            double closing = 0, opening = 0;
            for (int i = 0; i < 5; i++) {
                uint32_t item = items[random() % items.size()];
                uint64_t begin = nanoseconds();
                flat.close(item);
                closing += double(nanoseconds() - begin) / 5;
                begin = nanoseconds();
                flat.open(item);
                opening += double(nanoseconds() - begin) / 5;
            }
            c.compare(state, "close" + std::to_string(size), closing);
            c.compare(state, "open" + std::to_string(size), opening);
        }
        double removing = 0, inserting = 0;
        for (int i = 0; i < 9; i++) {
            uint32_t item = uint32_t(random() % c.count);
            uint32_t parent = w.parents[item] == CTREE_END ? item : w.parents[item];
            uint32_t at = uint32_t(random() % (flat.item(parent).children.size() + 1));
            uint64_t begin = nanoseconds();
            flat.insert(parent, at, c.count);
            inserting += double(nanoseconds() - begin) / 9;
            begin = nanoseconds();
            flat.remove(parent, at);
            removing += double(nanoseconds() - begin) / 9;
        }
        c.compare(state, "insert", inserting);
        c.compare(state, "remove", removing);
    }
}

void counts(benchmark::State &state, Case c) {
    World &w = c.get();
    for (auto _ : state) {
        Counts counts(w.parents);
        counts.expand_all();
        compare_look_ups(state, c, counts);
        std::mt19937_64 random(6);
        for (uint32_t size : {10u, 1000u, 100000u, 1000000u}) {
            std::vector<uint32_t> items = items_of_size(w, c.shape, size);
            if (items.empty()) continue;
            // Closed and opened again: both walk up once.
            double both = mean_of([&] {
                uint32_t item = items[random() % items.size()];
                counts.close(item);
                counts.open(item);
            });
            c.compare(state, "close" + std::to_string(size), both / 2);
            c.compare(state, "open" + std::to_string(size), both / 2);
        }
    }
}

} // namespace bench
