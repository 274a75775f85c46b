// The rows of a view, through the public interface alone: identifiers, handles, load states and checks are part of
// each figure. Beside them, in the same run, L and S (see machine.h), and two structures that a user would otherwise
// write: "flat", an array of rows with the row of each node, moved and renumbered at each change, and "counts", the
// number of visible rows kept with each node and walked through siblings. Their figures end in how many times the
// view's they are.
//
// CTREE_BENCH_HUGE=1 adds 100 million rows, which take 9 GB; CTREE_BENCH_ROOT names another directory than /usr to
// read.
#include <benchmark/benchmark.h>

#include <functional>
#include <utility>

#include "ctree/ctree.h"
#include "machine.h"
#include "view_world.h"

namespace {

using bench::Case;
using bench::check;
using bench::items_of_size;
using bench::nanoseconds;
using bench::Percentiles;
using bench::title;
using bench::World;

using bench::kChain;
using bench::kFiles;
using bench::kSiblings;
using bench::kTenAry;
using bench::Shape;
const uint32_t kLookups = 100000;
const int kRuns = 5;

// ---- Look-ups ---------------------------------------------------------------------------------------------------

template <class Operation> double best_of(uint32_t each, Operation operation) {
    double best = 1e18;
    for (int run = 0; run < kRuns; run++) {
        uint64_t begin = nanoseconds();
        operation();
        best = std::min(best, double(nanoseconds() - begin) / each);
    }
    return best;
}

void look_up(benchmark::State &state, Case c, const std::string &what) {
    World &w = c.get();
    auto rows = bench::random_numbers(c.count, kLookups);
    std::vector<ctree_node> nodes;
    for (uint32_t row : rows) nodes.push_back(w.nodes[row]);
    std::vector<ctree_node> found(kLookups);
    std::vector<uint32_t> at(kLookups);
    std::vector<ctree_row> window(100);
    std::function<void()> operation;
    uint32_t each = kLookups;
    // Each look-up waits for the one before, as L does, but for the "free" ones.
    if (what == "node_at free") {
        operation = [&] {
            ctree_node sum = 0;
            for (uint32_t row : rows) sum += ctree_view_node_at(w.view, row);
            benchmark::DoNotOptimize(sum);
        };
    } else if (what == "row_of free") {
        operation = [&] {
            uint32_t sum = 0;
            for (ctree_node node : nodes) sum += ctree_view_row_of(w.view, node);
            benchmark::DoNotOptimize(sum);
        };
    } else if (what == "node_at") {
        operation = [&] {
            ctree_node last = 0;
            for (uint32_t row : rows) last = ctree_view_node_at(w.view, row ^ uint32_t(last >> 63));
            benchmark::DoNotOptimize(last);
        };
    } else if (what == "row_of") {
        operation = [&] {
            uint32_t last = 0;
            for (ctree_node node : nodes) last = ctree_view_row_of(w.view, node ^ (last >> 31));
            benchmark::DoNotOptimize(last);
        };
    } else if (what == "nodes_at") {
        operation = [&] { check(ctree_view_nodes_at(w.view, rows.data(), kLookups, found.data())); };
    } else if (what == "rows_of") {
        operation = [&] { check(ctree_view_rows_of(w.view, nodes.data(), kLookups, at.data())); };
    } else if (what == "window") {
        each = kLookups / 10;
        operation = [&] {
            for (uint32_t i = 0; i < each; i++) {
                uint32_t count = 100;
                check(ctree_view_window(w.view, rows[i], &count, window.data()));
            }
        };
    } else if (what == "nodes_from") {
        each = kLookups / 10;
        operation = [&] {
            for (uint32_t i = 0; i < each; i++) {
                uint32_t count = 100;
                check(ctree_view_nodes_from(w.view, rows[i], &count, found.data(), at.data()));
            }
        };
    } else if (what == "scan") { // all rows, a thousand nodes at a time
        each = c.count;
        operation = [&] {
            for (uint32_t row = 0, count = 1000; row < c.count; row += count) {
                check(ctree_view_nodes_from(w.view, row, &count, found.data(), nullptr));
            }
        };
    } else { // all rows, a thousand at a time
        each = c.count;
        window.resize(1000);
        operation = [&] {
            for (uint32_t row = 0, count = 1000; row < c.count; row += count) {
                check(ctree_view_window(w.view, row, &count, window.data()));
            }
        };
    }
    for (auto _ : state) {
        double best = best_of(each, operation);
        state.counters["ns"] = best;
        if (what == "windows" || what == "scan") {
            state.counters["perS"] = best / bench::flat_scan(c.count);
        } else {
            state.counters["perL"] = best / bench::dependent_read(c.count);
        }
        c.took(what, best);
    }
}

// ---- Building ---------------------------------------------------------------------------------------------------

void build(benchmark::State &state, Case c) {
    World &w = c.get();
    for (auto _ : state) {
        state.counters["ns"] = best_of(c.count, [&] { w.open(0); });
        // What a slot takes is told apart: that is there whether or not it is a row.
        double slots = 5.0 * double(c.count);
        state.counters["bytes_row"] = (double(ctree_view_memory(w.view)) - slots) / c.count;
        check(ctree_view_collapse_all(w.view, CTREE_NONE));
        state.counters["bytes_row_closed"] = (double(ctree_view_memory(w.view)) - slots) / c.count;
        double all = 1e18;
        for (int run = 0; run < kRuns; run++) {
            check(ctree_view_collapse_all(w.view, CTREE_NONE));
            uint64_t begin = nanoseconds();
            check(ctree_view_expand_all(w.view, CTREE_NONE, CTREE_ALL_LEVELS, nullptr));
            double time = double(nanoseconds() - begin) / c.count;
            all = std::min(all, time);
        }
        state.counters["expand_all_ns"] = all;
        w.open(0);
    }
}

void build_scattered(benchmark::State &state, Case c) {
    ctree_store *store = World::scattered(c.get().parents);
    for (auto _ : state) {
        double best = 1e18;
        for (int run = 0; run < 3; run++) {
            ctree_view_options options = CTREE_VIEW_OPTIONS_INIT;
            options.default_depth = CTREE_ALL_LEVELS;
            ctree_view *view = nullptr;
            uint64_t begin = nanoseconds();
            check(ctree_view_create(store, &options, &view));
            best = std::min(best, double(nanoseconds() - begin) / c.count);
            ctree_view_destroy(view);
        }
        state.counters["ns"] = best;
    }
    ctree_store_destroy(store);
}

// ---- Opening and closing ----------------------------------------------------------------------------------------

void toggle(benchmark::State &state, Case c, uint32_t size) {
    World &w = c.get();
    std::vector<uint32_t> items = items_of_size(w, c.shape, size);
    if (items.empty()) {
        state.SkipWithError("no subtree of this size");
        return;
    }
    size_t at_once = c.shape == kChain ? 1 : std::min<size_t>(items.size(), 200);
    std::mt19937_64 random(5);
    Percentiles collapse, expand;
    double first = 1e18;
    for (auto _ : state) {
        for (int run = 0; run < kRuns; run++) {
            while (collapse.size() < 2000) {
                for (size_t i = 0; i < at_once; i++) std::swap(items[i], items[i + random() % (items.size() - i)]);
                for (size_t i = 0; i < at_once; i++) {
                    uint64_t begin = nanoseconds();
                    check(ctree_view_collapse(w.view, w.nodes[items[i]]));
                    collapse.add(begin);
                }
                std::shuffle(items.begin(), items.begin() + ptrdiff_t(at_once), random);
                for (size_t i = 0; i < at_once; i++) {
                    uint64_t begin = nanoseconds();
                    check(ctree_view_expand(w.view, w.nodes[items[i]]));
                    expand.add(begin);
                }
            }
            collapse.end_run();
            expand.end_run();
            for (size_t i = 0; i < std::min<size_t>(at_once, 3); i++) {
                check(ctree_view_collapse(w.view, w.nodes[items[i]]));
                check(ctree_view_trim(w.view));
                uint64_t begin = nanoseconds();
                check(ctree_view_expand(w.view, w.nodes[items[i]]));
                first = std::min(first, double(nanoseconds() - begin) / w.sizes[items[i]]);
            }
        }
    }
    collapse.report(state, "close");
    expand.report(state, "open");
    state.counters["first_ns_row"] = first;
    state.counters["nodes"] = double(items.size());
    c.took("close" + std::to_string(size), collapse.p50());
    c.took("open" + std::to_string(size), expand.p50());
}

// ---- Edits of the store -----------------------------------------------------------------------------------------

// Folders to put nodes into; where there are few, any node.
std::vector<uint32_t> random_folders(const World &w, uint32_t count, uint64_t seed) {
    std::vector<uint32_t> folders;
    auto items = bench::random_numbers(w.count(), count, seed);
    for (uint32_t item : items) folders.push_back(w.parents[item] == CTREE_END ? item : w.parents[item]);
    return folders;
}

void edit_at_random(World &w, Percentiles &insert, Percentiles &remove) {
    const uint32_t each = 1000;
    for (int run = 0; run < kRuns; run++) {
        std::mt19937_64 random(uint64_t(run) + 20);
        auto folders = random_folders(w, each, 11 + uint64_t(run));
        std::vector<ctree_node> added(each);
        for (uint32_t i = 0; i < each; i++) {
            ctree_node parent = w.nodes[folders[i]];
            uint32_t at = uint32_t(random() % (uint64_t(ctree_store_child_count(w.store, parent)) + 1));
            ctree_id id = ctree_id_u64(uint64_t(w.count()) + i);
            uint64_t begin = nanoseconds();
            check(ctree_store_insert(w.store, parent, at, id, nullptr, &added[i]));
            insert.add(begin);
        }
        for (uint32_t i = 0; i < each; i++) {
            uint64_t begin = nanoseconds();
            check(ctree_store_remove(w.store, added[(i * 617) % each]));
            remove.add(begin);
        }
        insert.end_run();
        remove.end_run();
    }
}

void insert_remove(benchmark::State &state, Case c) {
    World &w = c.get();
    Percentiles insert, remove, insert_alone, remove_alone;
    for (auto _ : state) {
        edit_at_random(w, insert, remove);
        ctree_view_destroy(w.view);
        w.view = nullptr;
        edit_at_random(w, insert_alone, remove_alone);
        w.open(0);
    }
    insert.report(state, "insert");
    remove.report(state, "remove");
    state.counters["store_insert_us"] = insert_alone.p50() / 1000;
    state.counters["store_remove_us"] = remove_alone.p50() / 1000;
    c.took("insert", insert.p50());
    c.took("remove", remove.p50());
}

// A subtree to another folder, and back.
void move(benchmark::State &state, Case c, uint32_t size) {
    World &w = c.get();
    std::vector<uint32_t> items = items_of_size(w, c.shape, size);
    if (items.empty()) {
        state.SkipWithError("no subtree of this size");
        return;
    }
    std::mt19937_64 random(5);
    Percentiles moved;
    for (auto _ : state) {
        for (int run = 0; run < kRuns; run++) {
            for (uint32_t target : random_folders(w, 500, 30 + uint64_t(run))) {
                uint32_t item = items[random() % items.size()];
                if (target >= item && target < item + w.sizes[item]) continue;
                if (w.parents[item] == CTREE_END || target == w.parents[item]) continue;
                uint32_t from;
                check(ctree_store_ordinal(w.store, w.nodes[item], &from));
                uint64_t begin = nanoseconds();
                check(ctree_store_move(w.store, w.nodes[item], w.nodes[target], 0));
                moved.add(begin);
                begin = nanoseconds();
                check(ctree_store_move(w.store, w.nodes[item], w.nodes[w.parents[item]], from));
                moved.add(begin);
            }
            moved.end_run();
        }
    }
    moved.report(state, "move");
}

// ---- Commit -----------------------------------------------------------------------------------------------------

// Closing and opening folders, inserts and removals in turns: `splices` of them between two batches.
void commit(benchmark::State &state, Case c, uint32_t splices) {
    World &w = c.get();
    w.open(CTREE_VIEW_RECORDS);
    check(ctree_view_accept(w.view));
    std::vector<uint32_t> items;
    for (uint32_t size : {10u, 100u, 1000u, 10000000u}) {
        if (items.size() < 10) items = items_of_size(w, c.shape, size);
    }
    if (items.empty()) items.push_back(0); // among siblings only their parent opens and closes
    std::mt19937_64 random(5);
    Percentiles commits, accepts, edits;
    double told = 0;
    const uint32_t rounds = splices == 1 ? 1000 : splices == 100 ? 100 : 4;
    for (auto _ : state) {
        for (int run = 0; run < kRuns; run++) {
            uint64_t next = w.count();
            std::vector<ctree_node> added;
            auto folders = random_folders(w, 1024, 40 + uint64_t(run));
            for (uint32_t round = 0; round < rounds; round++) {
                for (uint32_t i = 0; i < splices; i++) {
                    uint32_t what = (i + round) % 3;
                    uint64_t begin;
                    if (what == 0) {
                        ctree_node node = w.nodes[items[random() % items.size()]];
                        begin = nanoseconds();
                        check(ctree_view_toggle(w.view, node));
                    } else if (what == 1) {
                        ctree_node node, parent = w.nodes[folders[random() % folders.size()]];
                        ctree_id id = ctree_id_u64(next++);
                        begin = nanoseconds();
                        check(ctree_store_insert(w.store, parent, 0, id, nullptr, &node));
                        added.push_back(node);
                    } else if (!added.empty()) {
                        std::swap(added.back(), added[random() % added.size()]);
                        begin = nanoseconds();
                        check(ctree_store_remove(w.store, added.back()));
                        added.pop_back();
                    } else {
                        continue;
                    }
                    edits.add(begin);
                }
                const ctree_batch *batch;
                uint64_t begin = nanoseconds();
                check(ctree_view_commit(w.view, 0, &batch));
                commits.add(begin);
                if (batch->reload) state.SkipWithError("a batch says reload");
                told = double(batch->delete_count) + batch->insert_count + batch->move_count;
                begin = nanoseconds();
                check(ctree_view_accept(w.view));
                accepts.add(begin);
            }
            for (ctree_node node : added) check(ctree_store_remove(w.store, node));
            check(ctree_view_expand_all(w.view, CTREE_NONE, CTREE_ALL_LEVELS, nullptr));
            const ctree_batch *batch;
            check(ctree_view_commit(w.view, 1, &batch));
            check(ctree_view_accept(w.view));
            commits.end_run();
            accepts.end_run();
            edits.end_run();
        }
    }
    commits.report(state, "commit");
    accepts.report(state, "accept");
    state.counters["edit_us"] = edits.p50() / 1000;
    state.counters["ranges"] = told;
    w.open(0);
}

// ---- The list ---------------------------------------------------------------------------------------------------

template <class Run> void add(const char *who, const std::string &what, Case c, Run run) {
    benchmark::RegisterBenchmark(title(who, c.shape, c.count, what).c_str(), run)
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
}

using State = benchmark::State;

void add_case(Shape shape, uint32_t count) {
    Case c = {shape, count};
    add("view", "build", c, [=](State &s) { build(s, c); });
    if (shape == kFiles) add("view", "build scattered", c, [=](State &s) { build_scattered(s, c); });
    for (const char *what : {"node_at", "node_at free", "row_of", "row_of free", "nodes_at", "rows_of", "window",
                             "nodes_from", "windows", "scan"}) {
        add("view", what, c, [=](State &s) { look_up(s, c, what); });
    }
    for (uint32_t size : {10u, 1000u, 100000u, 1000000u}) {
        if (shape == kSiblings ? size * 2 < count || size > count : size > count / 2) continue;
        add("view", "toggle " + std::to_string(size), c, [=](State &s) { toggle(s, c, size); });
    }
    add("view", "insert and remove", c, [=](State &s) { insert_remove(s, c); });
    if (count >= 1000000 && shape != kSiblings) add("view", "move 100000", c, [=](State &s) { move(s, c, 100000); });
    for (uint32_t splices : {1u, 100u, 10000u}) {
        add("view", "commit " + std::to_string(splices), c, [=](State &s) { commit(s, c, splices); });
    }
    if (count > 10000000) return;
    add("flat", "all", c, [=](State &s) { bench::flat(s, c); });
    add("counts", "all", c, [=](State &s) { bench::counts(s, c); });
}

const bool registered = [] {
    for (Shape shape : {kFiles, kTenAry}) {
        for (uint32_t count : {10000u, 1000000u, 10000000u}) add_case(shape, count);
    }
    if (std::getenv("CTREE_BENCH_HUGE") != nullptr) add_case(kFiles, 100000000);
    for (Shape shape : {kChain, kSiblings}) {
        for (uint32_t count : {10000u, 1000000u}) add_case(shape, count);
    }
    return true;
}();

} // namespace
