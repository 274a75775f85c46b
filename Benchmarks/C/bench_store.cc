// The store as a caller sees it, through the public interface: bulk build, inserts one by one, the worst single
// insert, look-ups, bytes a node. With 64-bit identifiers and with ones of 24 bytes. abseil's flat_hash_map stands
// beside it in turns, as what finds a node by its identifier and nothing more; of byte identifiers it gets views
// only, and owns none.
#include <benchmark/benchmark.h>

#include <absl/container/flat_hash_map.h>

#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "measure.h"
#include "trees.h"

namespace {

constexpr size_t kLength = 24;
constexpr size_t kBatch = 256;
constexpr size_t kBlock = 1 << 14; // look-ups timed at a time

// ---- Identifiers --------------------------------------------------------------------------------------------------

// Number i of a run of numbers that are all different and in no order.
uint64_t mixed(uint64_t i) {
    i = (i ^ (i >> 30)) * 0xBF58476D1CE4E5B9u;
    i = (i ^ (i >> 27)) * 0x94D049BB133111EBu;
    return i ^ (i >> 31);
}

struct Numbers {
    using Key = uint64_t;
    static constexpr ctree_id_kind kKind = CTREE_ID_U64;
    std::vector<uint64_t> words;

    explicit Numbers(size_t count) : words(count) {}
    size_t size() const { return words.size(); }
    void put(size_t at, uint64_t i) { words[at] = mixed(i + 0x9E3779B97F4A7C15u); }
    Key key(size_t at) const { return words[at]; }
    ctree_id id(size_t at) const { return ctree_id_u64(words[at]); }
    void lend(ctree_forest *forest) const { forest->numbers = words.data(); }
    void find_many(const ctree_store *store, size_t at, size_t count, ctree_node *out) const {
        ctree_store_find_many_u64(store, nullptr, &words[at], count, out);
    }
};

struct Texts {
    using Key = std::string_view;
    static constexpr ctree_id_kind kKind = CTREE_ID_BYTES;
    std::vector<char> bytes;
    std::vector<uint64_t> offsets;
    std::vector<ctree_id> ids;

    explicit Texts(size_t count) : bytes(count * kLength), offsets(count + 1), ids(count) {
        for (size_t i = 0; i <= count; i++) offsets[i] = i * kLength;
        for (size_t i = 0; i < count; i++) ids[i] = ctree_id_bytes(&bytes[i * kLength], kLength);
    }
    Texts(const Texts &) = delete;
    Texts &operator=(const Texts &) = delete;
    size_t size() const { return ids.size(); }
    void put(size_t at, uint64_t i) {
        static const char digits[] = "0123456789abcdef";
        char *text = &bytes[at * kLength];
        std::memcpy(text, "folder/", 7);
        uint64_t word = mixed(i + 0x9E3779B97F4A7C15u);
        for (size_t k = 7; k < kLength; k++, word = word >> 4 | word << 60) text[k] = digits[word & 15];
    }
    Key key(size_t at) const { return Key(&bytes[at * kLength], kLength); }
    ctree_id id(size_t at) const { return ids[at]; }
    void lend(ctree_forest *forest) const {
        forest->bytes = bytes.data();
        forest->offsets = offsets.data();
    }
    void find_many(const ctree_store *store, size_t at, size_t count, ctree_node *out) const {
        ctree_store_find_many(store, nullptr, &ids[at], count, out);
    }
};

// ---- Work ---------------------------------------------------------------------------------------------------------

// A file tree with its identifiers, and a shuffled million of look-ups (or as many as there are nodes).
template <class Keys> struct Work {
    bench::Parents parents;
    Keys all, hits, misses;

    explicit Work(uint32_t count)
        : parents(bench::file_tree(count)), all(count), hits(questions(count)), misses(questions(count)) {
        for (uint32_t i = 0; i < count; i++) all.put(i, i);
        bench::Random random(7);
        for (size_t i = 0; i < hits.size(); i++) {
            hits.put(i, random.below(count));
            misses.put(i, uint64_t(count) + random.below(count));
        }
    }
    static size_t questions(uint32_t count) { return std::min<size_t>(count, 1 << 20) / kBatch * kBatch; }
    uint32_t count() const { return uint32_t(parents.size()); }

    // One at a time is in memory.
    static const Work &of(int64_t count) {
        static std::unique_ptr<Work> kept;
        if (!kept || kept->count() != count) {
            kept.reset();
            kept = std::make_unique<Work>(uint32_t(count));
        }
        return *kept;
    }
};

using Store = std::unique_ptr<ctree_store, void (*)(ctree_store *)>;

Store empty_store(ctree_id_kind kind) {
    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    options.id_kind = kind;
    ctree_store *store = nullptr;
    ctree_store_create(&options, &store);
    return Store(store, ctree_store_destroy);
}

template <class Keys> Store built(const Work<Keys> &work, const uint64_t *words = nullptr) {
    Store store = empty_store(Keys::kKind);
    ctree_forest forest = CTREE_FOREST_INIT;
    forest.count = work.count();
    forest.parents = work.parents.data();
    work.all.lend(&forest);
    forest.values = forest.revisions = words;
    ctree_store_build(store.get(), CTREE_NONE, CTREE_END, &forest, nullptr, nullptr, nullptr);
    return store;
}

template <class Keys> using Map = absl::flat_hash_map<typename Keys::Key, uint32_t>;

template <class Keys> Map<Keys> mapped(const Work<Keys> &work) {
    Map<Keys> map;
    for (uint32_t i = 0; i < work.count(); i++) map.try_emplace(work.all.key(i), i);
    return map;
}

// ---- Filling ------------------------------------------------------------------------------------------------------

// Bulk build of the whole tree, beside a map filled with its identifiers.
template <class Keys> void Build(benchmark::State &state) {
    const Work<Keys> &work = Work<Keys>::of(state.range(0));
    std::vector<double> times, peers;
    for (auto _ : state) {
        Store store(nullptr, ctree_store_destroy);
        times.push_back(bench::timed([&] { store = built(work); }));
        if (ctree_store_count(store.get()) != work.count()) state.SkipWithError("the build failed");
        store.reset();
        peers.push_back(bench::timed([&] { benchmark::DoNotOptimize(mapped(work).size()); }));
        state.SetIterationTime(times.back() * 1e-9);
    }
    double time = bench::median(times), peer = bench::median(peers);
    state.counters["ns_node"] = time / work.count();
    state.counters["absl_ns_node"] = peer / work.count();
    state.counters["to_absl"] = time / peer;
}

// Inserts one by one, in preorder at the end of each list. `tell` is handed each insert's number and time.
template <class Keys, class Tell> void insert_each(const Work<Keys> &work, ctree_store *store, Tell tell) {
    std::vector<ctree_node> nodes(work.count());
    for (uint32_t i = 0; i < work.count(); i++) {
        ctree_node parent = work.parents[i] == CTREE_END ? CTREE_NONE : nodes[work.parents[i]];
        tell(i, [&] { ctree_store_insert(store, parent, CTREE_END, work.all.id(i), nullptr, &nodes[i]); });
    }
}

template <class Keys> void Insert(benchmark::State &state) {
    const Work<Keys> &work = Work<Keys>::of(state.range(0));
    std::vector<double> times;
    for (auto _ : state) {
        Store store = empty_store(Keys::kKind);
        times.push_back(
            bench::timed([&] { insert_each(work, store.get(), [](uint32_t, const auto &insert) { insert(); }); }));
        if (ctree_store_count(store.get()) != work.count()) state.SkipWithError("an insert failed");
        state.SetIterationTime(times.back() * 1e-9);
    }
    state.counters["ns_node"] = bench::median(times) / work.count();
}

// The same inserts five times; of each the least time, and of these the largest: what other load cannot explain.
template <class Keys> void WorstInsert(benchmark::State &state) {
    const Work<Keys> &work = Work<Keys>::of(state.range(0));
    std::vector<uint32_t> least(work.count(), UINT32_MAX);
    for (auto _ : state) {
        double start = bench::thread_time();
        for (int run = 0; run < 5; run++) {
            Store store = empty_store(Keys::kKind);
            insert_each(work, store.get(), [&least](uint32_t i, const auto &insert) {
                uint64_t begun = bench::wall_time();
                insert();
                least[i] = uint32_t(std::min<uint64_t>(least[i], bench::wall_time() - begun));
            });
        }
        state.SetIterationTime((bench::thread_time() - start) * 1e-9);
    }
    auto worst = std::max_element(least.begin(), least.end());
    state.counters["worst_us"] = double(*worst) / 1000;
    state.counters["at"] = double(worst - least.begin());
}

// Bytes a node, by the store's own account and by what the process holds; then with a value and a revision for each.
template <class Keys> void Bytes(benchmark::State &state) {
    const Work<Keys> &work = Work<Keys>::of(state.range(0));
    std::vector<uint64_t> words(work.count());
    for (uint32_t i = 0; i < work.count(); i++) words[i] = i + 1;
    for (auto _ : state) {
        for (bool with_words : {false, true}) {
            double before = bench::resident_bytes();
            Store store(nullptr, ctree_store_destroy);
            double time = bench::timed([&] { store = built(work, with_words ? words.data() : nullptr); });
            ctree_memory memory = {};
            memory.size = sizeof memory;
            ctree_store_memory(store.get(), &memory);
            const char *name = with_words ? "bytes_all" : "bytes";
            state.counters[name] = double(memory.total) / work.count();
            state.counters[std::string(name) + "_rss"] = (bench::resident_bytes() - before) / work.count();
            state.SetIterationTime(time * 1e-9);
        }
    }
}

// ---- Finding ------------------------------------------------------------------------------------------------------

template <class Keys> struct Filled {
    uint32_t count;
    Store store;
    Map<Keys> map;

    static const Filled &of(const Work<Keys> &work) {
        static std::unique_ptr<Filled> kept;
        if (!kept || kept->count != work.count()) {
            kept.reset();
            kept.reset(new Filled{work.count(), built(work), mapped(work)});
        }
        return *kept;
    }
};

enum class Asked { kHit, kMiss, kMany };

// Look-ups in blocks, ours and the map's in turns. Of batched ones the peer are the map's single ones.
template <class Keys> void Find(benchmark::State &state, Asked asked) {
    const Work<Keys> &work = Work<Keys>::of(state.range(0));
    const Filled<Keys> &filled = Filled<Keys>::of(work);
    const Keys &keys = asked == Asked::kMiss ? work.misses : work.hits;
    const size_t block = std::min(kBlock, keys.size()) / kBatch * kBatch;
    const size_t expected = asked == Asked::kMiss ? 0 : block;
    std::vector<double> times, peers;
    std::vector<ctree_node> out(kBatch);
    size_t at = 0;
    for (auto _ : state) {
        size_t found = 0, found_by_peer = 0;
        times.push_back(bench::timed([&] {
            if (asked == Asked::kMany) {
                for (size_t i = at; i < at + block; i += kBatch) {
                    keys.find_many(filled.store.get(), i, kBatch, out.data());
                    for (ctree_node node : out) found += node != CTREE_NONE;
                }
            } else {
                for (size_t i = at; i < at + block; i++) {
                    found += ctree_store_find(filled.store.get(), keys.id(i)) != CTREE_NONE;
                }
            }
        }));
        peers.push_back(bench::timed([&] {
            for (size_t i = at; i < at + block; i++)
                found_by_peer += filled.map.find(keys.key(i)) != filled.map.end();
        }));
        if (found != expected || found_by_peer != expected) state.SkipWithError("a look-up was wrong");
        at = at + 2 * block <= keys.size() ? at + block : 0;
        state.SetIterationTime(times.back() * 1e-9);
    }
    double time = bench::median(times) / double(block), peer = bench::median(peers) / double(block);
    state.counters["ns"] = time;
    state.counters["absl_ns"] = peer;
    state.counters["to_absl"] = time / peer;
}

// ---- All of them --------------------------------------------------------------------------------------------------

template <class Keys> void Register(const std::string &kind) {
    struct Entry {
        const char *name;
        void (*run)(benchmark::State &);
        int iterations_at_most; // at ten million
    };
    const Entry entries[] = {
        {"build", Build<Keys>, 5},
        {"insert", Insert<Keys>, 1},
        {"worst_insert", WorstInsert<Keys>, 1},
        {"bytes", Bytes<Keys>, 1},
        {"find_hit", [](benchmark::State &state) { Find<Keys>(state, Asked::kHit); }, 0},
        {"find_miss", [](benchmark::State &state) { Find<Keys>(state, Asked::kMiss); }, 0},
        {"find_many", [](benchmark::State &state) { Find<Keys>(state, Asked::kMany); }, 0},
    };
    for (int64_t count : {10000, 1000000, 10000000}) {
        for (const Entry &entry : entries) {
            auto *made = benchmark::RegisterBenchmark(("store/" + kind + "/" + entry.name).c_str(), entry.run);
            made->Arg(count)->UseManualTime();
            if (count == 10000000 && entry.iterations_at_most != 0) {
                made->Iterations(entry.iterations_at_most)->Unit(benchmark::kMillisecond);
            }
        }
    }
}

const bool registered = [] {
    Register<Numbers>("u64");
    Register<Texts>("bytes24");
    return true;
}();

} // namespace
