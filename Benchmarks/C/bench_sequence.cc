// The sequence alone, as the rows of a view use it. Each figure stands beside two measures of the machine, taken in
// the same run: L, a dependent random read over 4 bytes a row, and S, a flat scan of as many bytes.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "machine.h"
#include "shapes.h"

extern "C" {
#include "sequence/seq.h"
}

namespace {

using bench::kChain;
using bench::kFiles;
using bench::kShapeNames;
using bench::kSiblings;
using bench::kTenAry;
using bench::nanoseconds;
using bench::random_numbers;
using bench::Shape;

// ---- Trees as rows in preorder: depths and subtree sizes --------------------------------------------------------

struct Rows {
    std::vector<uint32_t> slots, depths, sizes;
};

// A folder holds files mostly, and a few folders among which the rest is divided unevenly.
void add_folder_sizes(std::mt19937_64 &random, uint32_t rest, std::vector<uint32_t> &sizes) {
    while (rest > 0) {
        uint32_t folders = 1 + random() % 6, files = random() % 24;
        for (uint32_t i = 0; i < files && rest > 0; i++, rest--) sizes.push_back(1);
        for (uint32_t i = 0; i < folders && rest > 0; i++) {
            uint32_t part = rest < 8 ? rest : uint32_t(random() % (rest / 2)) + 1;
            sizes.push_back(part);
            rest -= part;
        }
    }
}

Rows make_rows(Shape shape, uint32_t count) {
    Rows rows;
    rows.slots.resize(count);
    std::iota(rows.slots.begin(), rows.slots.end(), 0u);
    std::mt19937_64 random(42);
    std::vector<std::pair<uint32_t, uint32_t>> open = {{count, 0}}; // size and depth of what is to come, last first
    std::vector<uint32_t> sizes;
    while (rows.depths.size() < count) {
        auto [size, depth] = open.back();
        open.pop_back();
        rows.depths.push_back(depth);
        rows.sizes.push_back(size);
        sizes.clear();
        if (size > 1) {
            switch (shape) {
                case kFiles: add_folder_sizes(random, size - 1, sizes); break;
                case kTenAry:
                    for (uint32_t i = 0, rest = size - 1; i < 10 && rest > 0; i++) {
                        sizes.push_back((rest + 9 - i) / (10 - i));
                        rest -= sizes.back();
                    }
                    break;
                case kChain: sizes.push_back(size - 1); break;
                case kSiblings: sizes.assign(size - 1, 1); break;
            }
        }
        for (size_t i = sizes.size(); i > 0; i--) open.push_back({sizes[i - 1], depth + 1});
    }
    return rows;
}

// ---- A view's rows ----------------------------------------------------------------------------------------------

ctree_status reserve(ct_seq_pool &pool, ct_seq_work work) { return ct_seq_reserve(&pool, &work); }

struct World {
    ct_mem mem;
    ct_seq_pool pool;
    ct_seq seq;
    Rows rows;

    World(Shape shape, uint32_t count, uint32_t parts = CT_SEQ_DEPTHS) : rows(make_rows(shape, count)) {
        ct_mem_init(&mem, nullptr);
        ct_seq_pool_init(&pool, &mem, parts);
        pool.height = 20;
        if (ct_seq_reserve_slots(&pool, uint64_t(count) + 1000) != CTREE_OK) abort();
        build();
    }
    ~World() { ct_seq_pool_destroy(&pool); }
    World(const World &) = delete;

    void build() {
        ct_seq_rows all = {rows.slots.data(), rows.depths.data(), nullptr, uint32_t(rows.slots.size())};
        if (ct_seq_build(&pool, all, &seq) != CTREE_OK) abort();
    }
    uint32_t count() const { return uint32_t(rows.slots.size()); }
};

// The last one is kept: building ten million rows takes longer than measuring them.
World &world(Shape shape, uint32_t count, uint32_t parts = CT_SEQ_DEPTHS) {
    static std::unique_ptr<World> last;
    static Shape last_shape;
    static uint32_t last_parts;
    if (!last || last_shape != shape || last->count() != count || last_parts != parts) {
        last.reset();
        last = std::make_unique<World>(shape, count, parts);
        last_shape = shape;
        last_parts = parts;
    }
    return *last;
}

// Nanoseconds of one operation, best of five runs, beside L.
template <class Operation> void measure(benchmark::State &state, uint32_t count, uint32_t each, Operation operation) {
    double best = 1e18;
    for (auto _ : state) {
        for (int run = 0; run < 5; run++) {
            uint64_t begin = nanoseconds();
            operation(run);
            best = std::min(best, double(nanoseconds() - begin) / each);
        }
    }
    state.counters["ns"] = best;
    state.counters["perL"] = best / bench::dependent_read(count);
}

// ---- Look-ups ---------------------------------------------------------------------------------------------------

const uint32_t kLookups = 200000;

void at(benchmark::State &state, Shape shape, uint32_t count) {
    World &w = world(shape, count);
    auto positions = random_numbers(count, kLookups);
    measure(state, count, kLookups, [&](int) {
        uint64_t sum = 0;
        for (uint32_t position : positions) sum += ct_seq_at(&w.pool, &w.seq, position);
        benchmark::DoNotOptimize(sum);
    });
}

// Each waits for the one before, as L does.
void at_dependent(benchmark::State &state, Shape shape, uint32_t count) {
    World &w = world(shape, count);
    auto positions = random_numbers(count, kLookups);
    measure(state, count, kLookups, [&](int) {
        uint32_t last = 0;
        for (uint32_t position : positions) last = ct_seq_at(&w.pool, &w.seq, (position ^ (last & 1)) % count);
        benchmark::DoNotOptimize(last);
    });
}

void at_many(benchmark::State &state, Shape shape, uint32_t count) {
    World &w = world(shape, count);
    auto positions = random_numbers(count, kLookups);
    std::vector<uint32_t> slots(kLookups);
    measure(state, count, kLookups, [&](int) {
        ct_seq_at_many(&w.pool, &w.seq, positions.data(), kLookups, slots.data());
        benchmark::ClobberMemory();
    });
}

void rank_in(benchmark::State &state, Shape shape, uint32_t count) {
    World &w = world(shape, count);
    auto slots = random_numbers(count, kLookups);
    measure(state, count, kLookups, [&](int) {
        uint64_t sum = 0;
        for (uint32_t slot : slots) sum += ct_seq_rank_in(&w.pool, &w.seq, slot);
        benchmark::DoNotOptimize(sum);
    });
}

void rank_dependent(benchmark::State &state, Shape shape, uint32_t count) {
    World &w = world(shape, count);
    auto slots = random_numbers(count, kLookups);
    measure(state, count, kLookups, [&](int) {
        uint32_t last = 0;
        for (uint32_t slot : slots) last = ct_seq_rank_in(&w.pool, &w.seq, (slot ^ (last & 1)) % count);
        benchmark::DoNotOptimize(last);
    });
}

void rank_many(benchmark::State &state, Shape shape, uint32_t count) {
    World &w = world(shape, count);
    auto slots = random_numbers(count, kLookups);
    std::vector<uint32_t> ranks(kLookups);
    measure(state, count, kLookups, [&](int) {
        ct_seq_rank_many(&w.pool, &w.seq, slots.data(), kLookups, ranks.data());
        benchmark::ClobberMemory();
    });
}

void window(benchmark::State &state, Shape shape, uint32_t count) {
    World &w = world(shape, count);
    auto positions = random_numbers(count - 100, kLookups);
    uint32_t slots[100], depths[100];
    measure(state, count, kLookups, [&](int) {
        for (uint32_t position : positions) {
            ct_seq_copy_rows(&w.pool, &w.seq, position, 100, slots, depths, nullptr);
            benchmark::ClobberMemory();
        }
    });
}

void extent(benchmark::State &state, Shape shape, uint32_t count) {
    World &w = world(shape, count);
    auto slots = random_numbers(count, kLookups);
    measure(state, count, kLookups, [&](int) {
        uint64_t sum = 0;
        for (uint32_t slot : slots) sum += ct_seq_extent(&w.pool, slot);
        benchmark::DoNotOptimize(sum);
    });
}

void scan(benchmark::State &state, Shape shape, uint32_t count) {
    World &w = world(shape, count);
    measure(state, count, count, [&](int) {
        uint64_t sum = 0;
        ct_seq_walk walk = ct_seq_walk_from(&w.pool, &w.seq, 0);
        const uint32_t *slots;
        while (uint32_t span = ct_seq_walk_span(&w.pool, &walk, &slots)) {
            for (uint32_t i = 0; i < span; i++) sum += slots[i];
        }
        benchmark::DoNotOptimize(sum);
    });
    state.counters["perS"] = state.counters["ns"] / bench::flat_scan(count);
}

// ---- Building ---------------------------------------------------------------------------------------------------

void build(benchmark::State &state, Shape shape, uint32_t count, bool scattered) {
    World &w = world(shape, count);
    if (scattered) std::shuffle(w.rows.slots.begin(), w.rows.slots.end(), std::mt19937_64(3));
    double best = 1e18;
    for (auto _ : state) {
        for (int run = 0; run < 5; run++) {
            ct_seq_destroy(&w.pool, &w.seq);
            uint64_t begin = nanoseconds();
            w.build();
            best = std::min(best, double(nanoseconds() - begin) / count);
        }
    }
    state.counters["ns"] = best;
    double back = 4.0 * double(w.pool.leaf_of.capacity);
    state.counters["bytes"] = (double(ct_seq_pool_bytes(&w.pool)) - back) / count;
    std::iota(w.rows.slots.begin(), w.rows.slots.end(), 0u);
    ct_seq_destroy(&w.pool, &w.seq);
    w.build();
}

// ---- Edits ------------------------------------------------------------------------------------------------------

// Nodes whose subtrees have about so many rows below them, none inside another unless that is asked for.
std::vector<uint32_t> nodes_of_size(const Rows &rows, uint32_t size, bool nested = false) {
    std::vector<uint32_t> nodes;
    for (uint32_t i = 0; i < rows.sizes.size();) {
        uint32_t below = rows.sizes[i] - 1;
        if (below >= size / 2 && below <= size * 2) {
            nodes.push_back(i);
            i += nested ? 1 : rows.sizes[i];
        } else {
            i++;
        }
    }
    return nodes;
}

void toggle(benchmark::State &state, Shape shape, uint32_t count, uint32_t size) {
    World &w = world(shape, count);
    // On a chain all nodes lie inside one another: one at a time is closed there.
    std::vector<uint32_t> nodes = nodes_of_size(w.rows, size, shape == kChain);
    size_t at_once = shape == kChain ? 1 : std::min<size_t>(nodes.size(), 200);
    if (nodes.empty()) {
        state.SkipWithError("no subtree of this size");
        return;
    }
    std::mt19937_64 random(5);
    bench::Percentiles collapse, expand;
    for (auto _ : state) {
        for (int run = 0; run < 5; run++) {
            while (collapse.size() < 2000) {
                for (size_t i = 0; i < at_once; i++) std::swap(nodes[i], nodes[i + random() % (nodes.size() - i)]);
                std::vector<ct_seq> hidden(at_once, ct_seq{0, 0, 0, 0});
                for (size_t i = 0; i < at_once; i++) {
                    uint64_t begin = nanoseconds();
                    if (reserve(w.pool, {0, 0, 0, 1, 1, false}) != CTREE_OK) abort();
                    uint32_t row = ct_seq_rank(&w.pool, nodes[i]), rows = ct_seq_extent(&w.pool, nodes[i]);
                    ct_seq_cut(&w.pool, &w.seq, row + 1, rows - 1, &hidden[i]);
                    collapse.add(begin);
                }
                std::vector<size_t> order(at_once);
                std::iota(order.begin(), order.end(), size_t(0));
                std::shuffle(order.begin(), order.end(), random);
                for (size_t i : order) {
                    uint64_t begin = nanoseconds();
                    if (reserve(w.pool, {0, 0, 0, 1, 1, false}) != CTREE_OK) abort();
                    uint32_t row = ct_seq_rank(&w.pool, nodes[i]);
                    ct_seq_insert_seq(&w.pool, &w.seq, row + 1, &hidden[i]);
                    expand.add(begin);
                }
            }
            collapse.end_run();
            expand.end_run();
        }
    }
    collapse.report(state, "collapse");
    expand.report(state, "expand");
    double back = 4.0 * double(w.pool.leaf_of.capacity);
    state.counters["bytes"] = (double(ct_seq_pool_bytes(&w.pool)) - back) / count;
    state.counters["nodes"] = double(nodes.size());
    ct_seq_destroy(&w.pool, &w.seq);
    w.build();
}

double bytes_in_use(const ct_seq_pool &pool) {
    double leaf = 4.0 * 256 + 256 + 8, inner = 256.0 + 256 + 8, wide = 1024;
    auto held = [](const ct_seq_blocks &blocks) { return double(blocks.used - 1 - blocks.free_count); };
    return held(pool.leaves) * leaf + held(pool.inners) * inner + held(pool.wides) * wide;
}

// Every folder closed and opened again, one by one in random order: how far the leaves empty. Small runs are taken
// out and put in anew, larger ones kept, as a view does it.
void erosion(benchmark::State &state, Shape shape, uint32_t count) {
    World &w = world(shape, count);
    std::vector<uint32_t> folders;
    for (uint32_t i = 1; i < count; i++) {
        if (w.rows.sizes[i] > 1) folders.push_back(i);
    }
    std::shuffle(folders.begin(), folders.end(), std::mt19937_64(9));
    state.counters["bytes_before"] = bytes_in_use(w.pool) / count;
    uint64_t begin = nanoseconds();
    for (auto _ : state) {
        for (uint32_t node : folders) {
            uint32_t row = ct_seq_rank(&w.pool, node), rows = ct_seq_extent(&w.pool, node) - 1;
            if (rows <= 128) {
                ct_seq_rows run = {&w.rows.slots[node + 1], &w.rows.depths[node + 1], nullptr, rows};
                if (reserve(w.pool, {0, 1, rows, 0, 0, true}) != CTREE_OK) abort();
                ct_seq_remove_range(&w.pool, &w.seq, row + 1, rows);
                ct_seq_insert_run(&w.pool, &w.seq, row + 1, run);
            } else {
                ct_seq hidden = {0, 0, 0, 0};
                if (reserve(w.pool, {0, 0, 0, 1, 1, false}) != CTREE_OK) abort();
                ct_seq_cut(&w.pool, &w.seq, row + 1, rows, &hidden);
                ct_seq_insert_seq(&w.pool, &w.seq, row + 1, &hidden);
            }
        }
    }
    state.counters["us"] = double(nanoseconds() - begin) / 1000 / double(folders.size());
    state.counters["bytes_after"] = bytes_in_use(w.pool) / count;
    ct_seq_destroy(&w.pool, &w.seq);
    w.build();
}

void insert_remove(benchmark::State &state, Shape shape, uint32_t count) {
    World &w = world(shape, count);
    bench::Percentiles insert, remove;
    for (auto _ : state) {
        for (int run = 0; run < 5; run++) {
            auto parents = random_numbers(count, 1000, 11 + uint64_t(run));
            for (uint32_t i = 0; i < 1000; i++) {
                uint64_t begin = nanoseconds();
                if (reserve(w.pool, {1, 0, 0, 0, 0, false}) != CTREE_OK) abort();
                uint32_t row = ct_seq_rank(&w.pool, parents[i]);
                ct_seq_insert(&w.pool, &w.seq, row + 1, count + i, w.rows.depths[parents[i]] + 1);
                insert.add(begin);
            }
            for (uint32_t k = 0; k < 1000; k++) {
                uint32_t i = (k * 617) % 1000;
                uint64_t begin = nanoseconds();
                if (reserve(w.pool, {0, 0, 0, 1, 1, false}) != CTREE_OK) abort();
                ct_seq_remove(&w.pool, &w.seq, ct_seq_rank(&w.pool, count + i));
                remove.add(begin);
            }
            insert.end_run();
            remove.end_run();
        }
    }
    insert.report(state, "insert");
    remove.report(state, "remove");
}

// A subtree from one place to another, at another depth.
void move(benchmark::State &state, Shape shape, uint32_t count, uint32_t size) {
    World &w = world(shape, count);
    std::vector<uint32_t> nodes = nodes_of_size(w.rows, size);
    if (nodes.empty()) {
        state.SkipWithError("no subtree of this size");
        return;
    }
    std::mt19937_64 random(5);
    bench::Percentiles moved;
    for (auto _ : state) {
        for (int run = 0; run < 5; run++) {
            for (int i = 0; i < 1000; i++) {
                uint32_t node = nodes[random() % nodes.size()], target = uint32_t(random() % count);
                uint64_t begin = nanoseconds();
                if (reserve(w.pool, {0, 0, 0, 1, 1, false}) != CTREE_OK) abort();
                uint32_t row = ct_seq_rank(&w.pool, node), rows = ct_seq_extent(&w.pool, node);
                uint32_t to = ct_seq_rank(&w.pool, target);
                if (to >= row && to < row + rows) continue;
                ct_seq cut = {0, 0, 0, 0};
                uint32_t depth = ct_seq_depth_of(&w.pool, &w.seq, node);
                uint32_t under = ct_seq_depth_of(&w.pool, &w.seq, target);
                ct_seq_cut(&w.pool, &w.seq, row, rows, &cut);
                ct_seq_shift(&cut, under + 1 - depth);
                ct_seq_insert_seq(&w.pool, &w.seq, ct_seq_rank(&w.pool, target) + 1, &cut);
                moved.add(begin);
            }
            moved.end_run();
        }
    }
    moved.report(state, "move");
    ct_seq_destroy(&w.pool, &w.seq);
    w.build();
}

// ---- Heights ----------------------------------------------------------------------------------------------------

void heights(benchmark::State &state, Shape shape, uint32_t count, int what) {
    World &w = world(shape, count, CT_SEQ_DEPTHS | CT_SEQ_HEIGHTS);
    auto positions = random_numbers(count, kLookups);
    measure(state, count, kLookups, [&](int run) {
        uint64_t sum = 0;
        for (uint32_t position : positions) {
            if (what == 0) sum += ct_seq_offset_at(&w.pool, &w.seq, position);
            if (what == 1) sum += ct_seq_position_at(&w.pool, &w.seq, uint64_t(position) * 20 + 5, nullptr);
            if (what == 2) ct_seq_set_height(&w.pool, &w.seq, position, 20u + (uint32_t(run) & 1));
        }
        benchmark::DoNotOptimize(sum);
    });
    if (what == 2) {
        for (uint32_t position : positions) ct_seq_set_height(&w.pool, &w.seq, position, 20);
    }
}

// ---- The list ---------------------------------------------------------------------------------------------------

std::string title(const char *what, Shape shape, uint32_t count) {
    return std::string("sequence/") + kShapeNames[shape] + "/" + std::to_string(count) + "/" + what;
}

template <class Run> void add(const char *what, Shape shape, uint32_t count, Run run) {
    benchmark::RegisterBenchmark(title(what, shape, count).c_str(), run)
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
}

using S = benchmark::State;

void add_shape(Shape shape, uint32_t n) {
    add("build", shape, n, [=](S &s) { build(s, shape, n, false); });
    add("build scattered", shape, n, [=](S &s) { build(s, shape, n, true); });
    add("at", shape, n, [=](S &s) { at(s, shape, n); });
    add("at, dependent", shape, n, [=](S &s) { at_dependent(s, shape, n); });
    add("at, batched", shape, n, [=](S &s) { at_many(s, shape, n); });
    add("rank", shape, n, [=](S &s) { rank_in(s, shape, n); });
    add("rank, dependent", shape, n, [=](S &s) { rank_dependent(s, shape, n); });
    add("rank, batched", shape, n, [=](S &s) { rank_many(s, shape, n); });
    add("window of 100", shape, n, [=](S &s) { window(s, shape, n); });
    add("extent", shape, n, [=](S &s) { extent(s, shape, n); });
    add("scan", shape, n, [=](S &s) { scan(s, shape, n); });
    for (uint32_t size : {10u, 1000u, 100000u, 1000000u}) {
        if (size * 4 > n) continue;
        std::string what = "toggle " + std::to_string(size);
        if (shape != kSiblings) add(what.c_str(), shape, n, [=](S &s) { toggle(s, shape, n, size); });
    }
    if (shape != kChain && shape != kSiblings) add("erosion", shape, n, [=](S &s) { erosion(s, shape, n); });
    add("insert and remove", shape, n, [=](S &s) { insert_remove(s, shape, n); });
    if (n >= 1000000 && shape != kSiblings) add("move 100000", shape, n, [=](S &s) { move(s, shape, n, 100000); });
}

const bool registered = [] {
    for (uint32_t n : {10000u, 1000000u, 10000000u}) add_shape(kFiles, n);
    for (uint32_t n : {10000u, 1000000u, 10000000u}) add_shape(kTenAry, n);
    // Takes 5 GB.
    if (getenv("CTREE_BENCH_HUGE") != nullptr) add_shape(kFiles, 100000000);
    add_shape(kChain, 1000000);
    add_shape(kSiblings, 1000000);
    for (uint32_t n : {1000000u, 10000000u}) {
        add("heights: row to offset", kFiles, n, [=](S &s) { heights(s, kFiles, n, 0); });
        add("heights: offset to row", kFiles, n, [=](S &s) { heights(s, kFiles, n, 1); });
        add("heights: set", kFiles, n, [=](S &s) { heights(s, kFiles, n, 2); });
    }
    return true;
}();

} // namespace
