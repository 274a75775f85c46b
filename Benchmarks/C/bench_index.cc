// Identifiers and their index alone, as a store uses them, beside abseil's flat_hash_map in the same run. The map
// gets views of bytes that lie elsewhere already; the set copies them. Look-ups are of a shuffled million (or all),
// whose bytes lie one after another, so that reading the question costs the same and little everywhere.
#include <benchmark/benchmark.h>

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "measure.h"

extern "C" {
#include "ids/hash.h"
#include "ids/ids.h"
#include "index/index.h"
}

namespace {

constexpr size_t kLength = 24;
constexpr uint32_t kMissing = UINT32_MAX;
constexpr size_t kBatch = 32;

using bench::nanoseconds;

uint64_t mixed(uint64_t word) {
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    return word ^ (word >> 31);
}

// ---- Keys ---------------------------------------------------------------------------------------------------------

// Number i of a run of keys, all different; those from the count on are not in it.
uint64_t number(uint64_t i) { return mixed(i + 0x9E3779B97F4A7C15u); }

void text(uint64_t i, char *bytes) {
    char buffer[kLength + 1];
    std::snprintf(buffer, sizeof buffer, "item-%02x/%016llx", unsigned(i & 255), (unsigned long long)number(i));
    std::memcpy(bytes, buffer, kLength);
}

struct Numbers {
    using Key = uint64_t;
    static constexpr ct_ids_kind kKind = CT_IDS_U64;
    std::vector<uint64_t> words;
    explicit Numbers(size_t count, bool) : words(count) {}
    void put(size_t at, uint64_t i) { words[at] = number(i); }
    Key key(size_t at) const { return words[at]; }
    static ctree_id id(Key key) { return ctree_id_u64(key); }
    static uint64_t hash(const ct_hash_key *secret, Key key) { return ct_hash_u64(secret, key); }
};

struct Texts {
    using Key = std::string_view;
    static constexpr ct_ids_kind kKind = CT_IDS_BYTES;
    std::vector<char> bytes;
    explicit Texts(size_t count, bool) : bytes(count * kLength) {}
    void put(size_t at, uint64_t i) { text(i, &bytes[at * kLength]); }
    Key key(size_t at) const { return Key(&bytes[at * kLength], kLength); }
    static ctree_id id(Key key) { return ctree_id_bytes(key.data(), key.size()); }
    static uint64_t hash(const ct_hash_key *secret, Key key) { return ct_hash_bytes(secret, key.data(), key.size()); }
};

template <class Keys> struct Workload {
    size_t count;
    Keys all, hits, misses;
    explicit Workload(size_t size)
        : count(size), all(size, true), hits(questions(), true), misses(questions(), true) {
        for (size_t i = 0; i < count; i++) all.put(i, i);
        std::mt19937_64 random(7);
        for (size_t i = 0; i < questions(); i++) {
            hits.put(i, random() % count);
            misses.put(i, count + random() % count);
        }
    }
    size_t questions() const { return std::min<size_t>(count, 1 << 20); }

    // One at a time is in memory: ten million texts with their questions are 300 MB.
    static const Workload &of(size_t count) {
        static std::unique_ptr<Workload> kept;
        if (!kept || kept->count != count) {
            kept.reset();
            kept.reset(new Workload(count));
        }
        return *kept;
    }
};

// ---- The two peers ------------------------------------------------------------------------------------------------

template <class Keys> class Ours {
  public:
    Ours() {
        ct_mem_init(&mem, nullptr);
        ct_hash_key_init(&secret, "bench", 5);
        ct_ids_init(&ids, Keys::kKind, UINT32_MAX);
        ct_index_init(&index, hashes, this);
    }
    ~Ours() {
        ct_index_destroy(&index, &mem);
        ct_ids_destroy(&ids, &mem);
    }
    Ours(const Ours &) = delete;
    Ours &operator=(const Ours &) = delete;

    void reserve(size_t count) {
        ct_ids_reserve(&ids, &mem, count);
        ct_ids_reserve_bytes(&ids, &mem, count, count * kLength);
        ct_index_reserve(&index, &mem, count);
    }

    uint32_t hash(typename Keys::Key key) const { return uint32_t(Keys::hash(&secret, key) >> 32); }

    uint32_t find(typename Keys::Key key) const { return find(key, hash(key)); }

    bool insert(typename Keys::Key key) { return insert(key, hash(key)); }

    void insert_all(const Keys &keys, size_t count) {
        uint32_t batch[kBatch];
        for (size_t at = 0; at < count; at += kBatch) {
            size_t size = std::min(kBatch, count - at);
            for (size_t i = 0; i < size; i++) {
                batch[i] = hash(keys.key(at + i));
                ct_index_prefetch(&index, batch[i]);
            }
            for (size_t i = 0; i < size; i++) insert(keys.key(at + i), batch[i]);
        }
    }

    // Three passes over a batch, each waiting for what the one before asked for: lines, slots, bytes.
    void find_many(const Keys &keys, size_t at, size_t count, uint32_t *found) const {
        ct_index_probe probes[kBatch];
        uint32_t batch[kBatch];
        for (size_t i = 0; i < count; i++) {
            batch[i] = hash(keys.key(at + i));
            ct_index_prefetch(&index, batch[i]);
        }
        for (size_t i = 0; i < count; i++) {
            probes[i] = ct_index_find(&index, batch[i]);
            if (!ct_index_next(&probes[i], &found[i])) {
                found[i] = kMissing;
            } else {
                ct_ids_prefetch(&ids, found[i]);
            }
        }
        if (Keys::kKind == CT_IDS_BYTES) {
            for (size_t i = 0; i < count; i++) {
                if (found[i] != kMissing) ct_ids_prefetch_bytes(&ids, found[i]);
            }
        }
        for (size_t i = 0; i < count; i++) {
            while (found[i] != kMissing && !ct_ids_match(&ids, found[i], Keys::id(keys.key(at + i)), batch[i])) {
                if (!ct_index_next(&probes[i], &found[i])) found[i] = kMissing;
            }
        }
    }

    void erase(uint32_t slot, typename Keys::Key key) {
        ct_index_erase(&index, hash(key), slot);
        ct_ids_clear(&ids, &mem, slot);
        ct_ids_reclaim(&ids, &mem);
    }
    void put(uint32_t slot, typename Keys::Key key) {
        uint32_t hash = this->hash(key);
        ct_ids_set(&ids, &mem, slot, Keys::id(key), hash);
        ct_index_prepare(&index, &mem, hash);
        ct_index_insert(&index, hash, slot);
    }

    double bytes_of_index() const { return double(ct_index_bytes(&index)); }
    double bytes() const { return double(ct_index_bytes(&index)) + double(ct_ids_measure(&ids).held); }

  private:
    static void hashes(const void *context, const uint32_t *slots, size_t count, uint32_t *out) {
        const Ours *set = static_cast<const Ours *>(context);
        constexpr size_t ahead = 16;
        for (size_t i = 0; i < std::min(count, ahead); i++) ct_ids_prefetch(&set->ids, slots[i]);
        for (size_t i = 0; i < count; i++) {
            if (i + ahead < count) ct_ids_prefetch(&set->ids, slots[i + ahead]);
            out[i] = Keys::kKind == CT_IDS_BYTES
                         ? ct_ids_hash(&set->ids, slots[i])
                         : uint32_t(ct_hash_u64(&set->secret, ct_array_get_u64(&set->ids.slots, slots[i])) >> 32);
        }
    }

    uint32_t find(typename Keys::Key key, uint32_t hash) const {
        ct_index_probe probe = ct_index_find(&index, hash);
        uint32_t slot;
        while (ct_index_next(&probe, &slot)) {
            if (ct_ids_match(&ids, slot, Keys::id(key), hash)) return slot;
        }
        return kMissing;
    }

    bool insert(typename Keys::Key key, uint32_t hash) {
        if (find(key, hash) != kMissing) return false;
        uint32_t slot = used;
        if (ct_ids_reserve(&ids, &mem, uint64_t(slot) + 1) != CTREE_OK) return false;
        if (ct_ids_set(&ids, &mem, slot, Keys::id(key), hash) != CTREE_OK) return false;
        if (ct_index_prepare(&index, &mem, hash) != CTREE_OK) return false;
        ct_index_insert(&index, hash, slot);
        used++;
        return true;
    }

    ct_mem mem;
    ct_hash_key secret;
    ct_ids ids;
    ct_index index;
    uint32_t used = 0;
};

template <class Keys> class Absl {
  public:
    bool insert(typename Keys::Key key) { return map.try_emplace(key, uint32_t(map.size())).second; }
    void insert_all(const Keys &keys, size_t count) {
        for (size_t i = 0; i < count; i++) insert(keys.key(i));
    }
    void reserve(size_t count) { map.reserve(count); }
    uint32_t find(typename Keys::Key key) const {
        auto found = map.find(key);
        return found == map.end() ? kMissing : found->second;
    }
    void erase(uint32_t, typename Keys::Key key) { map.erase(key); }
    void put(uint32_t slot, typename Keys::Key key) { map.try_emplace(key, slot); }
    double bytes() const { return double(map.capacity()) * (sizeof(std::pair<typename Keys::Key, uint32_t>) + 1); }
    double bytes_of_index() const { return bytes(); }

  private:
    absl::flat_hash_map<typename Keys::Key, uint32_t> map;
};

// ---- Benchmarks ---------------------------------------------------------------------------------------------------

template <class Keys, class Set> void Build(benchmark::State &state, bool at_once) {
    const Workload<Keys> &work = Workload<Keys>::of(size_t(state.range(0)));
    double bytes = 0, index_bytes = 0;
    for (auto _ : state) {
        auto set = std::make_unique<Set>();
        if (at_once) {
            set->reserve(work.count);
            set->insert_all(work.all, work.count);
        } else {
            for (size_t i = 0; i < work.count; i++) set->insert(work.all.key(i));
        }
        bytes = set->bytes();
        index_bytes = set->bytes_of_index();
        state.PauseTiming();
        set.reset();
        state.ResumeTiming();
    }
    state.counters["each"] = benchmark::Counter(double(work.count) * double(state.iterations()),
                                                benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    state.counters["bytes"] = bytes / double(work.count);
    state.counters["index_bytes"] = index_bytes / double(work.count);
}

template <class Keys, class Set> const Set &Filled(size_t count) {
    static std::unique_ptr<Set> kept;
    static size_t kept_count = 0;
    if (!kept || kept_count != count) {
        kept.reset();
        kept = std::make_unique<Set>();
        const Workload<Keys> &work = Workload<Keys>::of(count);
        kept->reserve(count);
        kept->insert_all(work.all, count);
        kept_count = count;
    }
    return *kept;
}

template <class Keys, class Set> void Find(benchmark::State &state, bool hit) {
    const Workload<Keys> &work = Workload<Keys>::of(size_t(state.range(0)));
    const Set &set = Filled<Keys, Set>(work.count);
    const Keys &keys = hit ? work.hits : work.misses;
    size_t at = 0, mask = work.questions() - 1, wrong = 0;
    bool whole = (work.questions() & mask) == 0;
    for (auto _ : state) {
        wrong += (set.find(keys.key(at)) != kMissing) != hit;
        at = whole ? (at + 1) & mask : at + 1 == work.questions() ? 0 : at + 1;
    }
    if (wrong != 0) state.SkipWithError("a look-up was wrong");
}

template <class Keys> void FindMany(benchmark::State &state) {
    const Workload<Keys> &work = Workload<Keys>::of(size_t(state.range(0)));
    const Ours<Keys> &set = Filled<Keys, Ours<Keys>>(work.count);
    uint32_t found[kBatch];
    size_t at = 0, wrong = 0;
    for (auto _ : state) {
        set.find_many(work.hits, at, kBatch, found);
        for (size_t i = 0; i < kBatch; i++) wrong += found[i] == kMissing;
        at += kBatch;
        if (at + kBatch > work.questions()) at = 0;
    }
    if (wrong != 0) state.SkipWithError("a look-up was wrong");
    state.counters["each"] = benchmark::Counter(double(kBatch) * double(state.iterations()),
                                                benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// Remove one, insert another, at random places: what reclaiming and drawing back cost is in it.
template <class Keys, class Set> void Churn(benchmark::State &state) {
    const Workload<Keys> &work = Workload<Keys>::of(size_t(state.range(0)));
    Set set;
    std::vector<uint32_t> keys_of(work.count);
    size_t half = work.count / 2;
    std::vector<uint32_t> unused;
    for (size_t i = 0; i < work.count; i++) {
        if (i < half) {
            set.insert(work.all.key(i));
            keys_of[i] = uint32_t(i);
        } else {
            unused.push_back(uint32_t(i));
        }
    }
    std::mt19937_64 random(11);
    for (auto _ : state) {
        uint32_t slot = uint32_t(random() % half);
        size_t next = random() % unused.size();
        set.erase(slot, work.all.key(keys_of[slot]));
        std::swap(unused[next], keys_of[slot]);
        set.put(slot, work.all.key(keys_of[slot]));
    }
}

// The same inserts five times; of each the least time, and of these the largest: what other load cannot explain.
template <class Keys, class Set> void WorstInsert(benchmark::State &state) {
    const Workload<Keys> &work = Workload<Keys>::of(size_t(state.range(0)));
    std::vector<uint32_t> least(work.count, UINT32_MAX);
    for (auto _ : state) {
        for (int run = 0; run < 5; run++) {
            auto set = std::make_unique<Set>();
            for (size_t i = 0; i < work.count; i++) {
                uint64_t start = nanoseconds();
                set->insert(work.all.key(i));
                uint64_t took = nanoseconds() - start;
                least[i] = uint32_t(std::min<uint64_t>(least[i], took));
            }
        }
    }
    state.counters["worst_us"] = double(*std::max_element(least.begin(), least.end())) / 1000;
}

template <class Keys> void Register(const std::string &kind) {
    using Mine = Ours<Keys>;
    using Peer = Absl<Keys>;
    struct Entry {
        const char *name;
        void (*run)(benchmark::State &);
        bool once;
    };
    const Entry entries[] = {
        {"build/tree", [](benchmark::State &s) { Build<Keys, Mine>(s, false); }, true},
        {"build/absl", [](benchmark::State &s) { Build<Keys, Peer>(s, false); }, true},
        {"build_at_once/tree", [](benchmark::State &s) { Build<Keys, Mine>(s, true); }, true},
        {"build_at_once/absl", [](benchmark::State &s) { Build<Keys, Peer>(s, true); }, true},
        {"hit/tree", [](benchmark::State &s) { Find<Keys, Mine>(s, true); }, false},
        {"hit/absl", [](benchmark::State &s) { Find<Keys, Peer>(s, true); }, false},
        {"hit_many/tree", [](benchmark::State &s) { FindMany<Keys>(s); }, false},
        {"miss/tree", [](benchmark::State &s) { Find<Keys, Mine>(s, false); }, false},
        {"miss/absl", [](benchmark::State &s) { Find<Keys, Peer>(s, false); }, false},
        {"churn/tree", [](benchmark::State &s) { Churn<Keys, Mine>(s); }, false},
        {"churn/absl", [](benchmark::State &s) { Churn<Keys, Peer>(s); }, false},
        {"worst_insert/tree", [](benchmark::State &s) { WorstInsert<Keys, Mine>(s); }, true},
        {"worst_insert/absl", [](benchmark::State &s) { WorstInsert<Keys, Peer>(s); }, true},
    };
    for (int64_t count : {10000, 1000000, 10000000}) {
        for (const Entry &entry : entries) {
            auto *made = benchmark::RegisterBenchmark(("index/" + kind + "/" + entry.name).c_str(), entry.run);
            made->Arg(count);
            if (entry.once && count == 10000000) made->Iterations(1)->Unit(benchmark::kMillisecond);
        }
    }
}

const bool registered = [] {
    Register<Numbers>("u64");
    Register<Texts>("bytes24");
    return true;
}();

} // namespace
