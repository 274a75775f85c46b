// The flattener: rows of a fully open view, from a store that was built in one go (its nodes lie in preorder) and
// from one that was filled in random order (a node's neighbours lie anywhere). Beside it, in turns, a memcpy of the
// bytes that a row costs: 20 read (a record of 16 and the slot in its parent's list), 12 written (handle and depth).
//
// Instructions a row are those that callgrind counts (--toggle-collect=ctree_rows_flatten) over the printed rows.
#include <benchmark/benchmark.h>

#include <cstring>
#include <memory>
#include <string>

#include "measure.h"
#include "trees.h"

namespace {

constexpr size_t kBytesRead = 20, kBytesWritten = 12;

// A store and a view of it in which everything is open.
class Opened {
  public:
    Opened(uint32_t count, bool scatter) : count_(count), scatter_(scatter) {
        ctree_store_create(nullptr, &store_);
        if (scatter) {
            insert_each(bench::scattered(bench::file_tree(count)));
        } else {
            build(bench::file_tree(count));
        }
        ctree_view_options options = CTREE_VIEW_OPTIONS_INIT;
        options.default_depth = CTREE_ALL_LEVELS;
        ctree_view_create(store_, &options, &view_);
    }
    ~Opened() {
        ctree_view_destroy(view_);
        ctree_store_destroy(store_);
    }
    Opened(const Opened &) = delete;
    Opened &operator=(const Opened &) = delete;

    const ctree_view *view() const { return view_; }
    bool is(uint32_t count, bool scatter) const { return count_ == count && scatter_ == scatter; }

  private:
    void build(const bench::Parents &parents) {
        std::vector<uint64_t> numbers(parents.size());
        std::iota(numbers.begin(), numbers.end(), 0u);
        ctree_forest forest = CTREE_FOREST_INIT;
        forest.count = parents.size();
        forest.numbers = numbers.data();
        forest.parents = parents.data();
        ctree_store_build(store_, CTREE_NONE, CTREE_END, &forest, nullptr, nullptr, nullptr);
    }

    // In the order of the items, but for those whose ancestors come later: these go first.
    void insert_each(const bench::Parents &parents) {
        std::vector<ctree_node> nodes(parents.size(), CTREE_NONE);
        std::vector<uint32_t> missing;
        for (uint32_t i = 0; i < parents.size(); i++) {
            for (uint32_t at = i; at != CTREE_END && nodes[at] == CTREE_NONE; at = parents[at]) missing.push_back(at);
            for (; !missing.empty(); missing.pop_back()) {
                uint32_t at = missing.back();
                ctree_node parent = parents[at] == CTREE_END ? CTREE_NONE : nodes[parents[at]];
                ctree_store_insert(store_, parent, CTREE_END, ctree_id_u64(at), nullptr, &nodes[at]);
            }
        }
    }

    uint32_t count_;
    bool scatter_;
    ctree_store *store_ = nullptr;
    ctree_view *view_ = nullptr;
};

// One at a time is in memory.
const ctree_view *opened(uint32_t count, bool scatter) {
    static std::unique_ptr<Opened> kept;
    if (!kept || !kept->is(count, scatter)) {
        kept.reset();
        kept = std::make_unique<Opened>(count, scatter);
    }
    return kept->view();
}

void Flatten(benchmark::State &state, bool scatter, uint32_t flags) {
    const uint32_t count = uint32_t(state.range(0));
    const ctree_view *view = opened(count, scatter);
    const size_t bytes = size_t(count) * (kBytesRead + kBytesWritten);
    std::vector<char> from(bytes, 1), to(bytes, 2);
    std::vector<double> times, copies;
    uint64_t rows_of_all = 0;
    for (auto _ : state) {
        ctree_rows *rows = nullptr;
        double time = bench::timed([&] { ctree_rows_flatten(view, flags, nullptr, &rows); });
        if (ctree_rows_count(rows) != count) state.SkipWithError("rows are missing");
        ctree_rows_destroy(rows);
        copies.push_back(bench::timed([&] {
            std::memcpy(to.data(), from.data(), bytes);
            benchmark::ClobberMemory();
        }));
        times.push_back(time);
        rows_of_all += count;
        state.SetIterationTime(time * 1e-9);
    }
    double time = bench::median(times), copy = bench::median(copies);
    state.counters["ns_row"] = time / count;
    state.counters["memcpy_ns_row"] = copy / count;
    state.counters["to_memcpy"] = time / copy;
    state.counters["rows"] = double(rows_of_all);
}

const bool registered = [] {
    for (int64_t count : {10000, 1000000, 10000000}) {
        for (bool scatter : {false, true}) {
            for (uint32_t flags : {0u, uint32_t(CTREE_ROWS_LOOKUP)}) {
                std::string name =
                    std::string("rows/") + (scatter ? "scattered" : "preorder") + (flags ? "_lookup" : "");
                auto run = [scatter, flags](benchmark::State &state) { Flatten(state, scatter, flags); };
                auto *made = benchmark::RegisterBenchmark(name.c_str(), run);
                made->Arg(count)->UseManualTime();
                if (count == 10000000) made->Iterations(9)->Unit(benchmark::kMillisecond);
            }
        }
    }
    return true;
}();

} // namespace
