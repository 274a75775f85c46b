// Finding by identifier: a store of TreeKit beside hash tables that do nothing else. Each owns its keys. Numbers are
// 64 bits in no order, texts are of 24 bytes.
//
//   index [--keys N] [--ms N]      prints a line of JSON for each figure; with --peer NAME and --kind u64 or text,
//   for a
//                                  profile, of these alone
//   index --info                   says what the peers are
#include <absl/base/config.h>
#include <absl/container/flat_hash_map.h>

#ifdef PEER_GLIB
#include <glib.h>
#endif

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "../../C/measure.h"
#include "ctree/ctree.h"
#include "peer.h"

namespace {

const size_t kLength = 24, kMost = 1 << 20, kBatch = 256;
const uint32_t kMissing = UINT32_MAX;

// ---- Keys: number i of a run that is all different ----------------------------------------------------------------

struct Numbers {
    static constexpr const char *name = "u64";
    using Key = uint64_t;
    std::vector<uint64_t> words;
    explicit Numbers(size_t count) : words(count) {}
    size_t size() const { return words.size(); }
    void put(size_t at, uint64_t i) { words[at] = peer_number(i); }
    Key operator[](size_t at) const { return words[at]; }
    static ctree_id id(Key key) { return ctree_id_u64(key); }
};

struct Texts {
    static constexpr const char *name = "text";
    using Key = std::string_view;
    std::vector<char> bytes; // each with a NUL behind it, which GLib wants
    explicit Texts(size_t count) : bytes(count * (kLength + 1)) {}
    size_t size() const { return bytes.size() / (kLength + 1); }
    void put(size_t at, uint64_t i) {
        std::snprintf(&bytes[at * (kLength + 1)], kLength + 1, "item-%02x/%016llx", unsigned(i & 255),
                      static_cast<unsigned long long>(peer_number(i)));
    }
    Key operator[](size_t at) const { return Key(&bytes[at * (kLength + 1)], kLength); }
    static ctree_id id(Key key) { return ctree_id_bytes(key.data(), key.size()); }
};

// ---- The peers ----------------------------------------------------------------------------------------------------

template <class Keys> class TreeKit {
  public:
    static constexpr const char *name = "treekit";
    explicit TreeKit(const Keys &keys) {
        ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
        options.id_kind = std::is_same_v<Keys, Numbers> ? CTREE_ID_U64 : CTREE_ID_BYTES;
        if (ctree_store_create(&options, &store_) != CTREE_OK) std::abort();
        std::vector<ctree_id> ids(keys.size());
        for (size_t i = 0; i < keys.size(); i++) ids[i] = Keys::id(keys[i]);
        ctree_forest forest = CTREE_FOREST_INIT;
        forest.count = keys.size();
        forest.ids = ids.data();
        if (ctree_store_build(store_, CTREE_NONE, CTREE_END, &forest, nullptr, nullptr, nullptr) != CTREE_OK)
            std::abort();
    }
    ~TreeKit() { ctree_store_destroy(store_); }
    TreeKit(const TreeKit &) = delete;
    TreeKit &operator=(const TreeKit &) = delete;
    bool has(typename Keys::Key key) const { return ctree_store_find(store_, Keys::id(key)) != CTREE_NONE; }
    size_t has_many(const Keys &keys, size_t at, size_t count) const {
        ctree_id ids[kBatch] = {};
        ctree_node nodes[kBatch];
        for (size_t i = 0; i < count; i++) ids[i] = Keys::id(keys[at + i]);
        ctree_store_find_many(store_, nullptr, ids, count, nodes);
        return size_t(std::count_if(nodes, nodes + count, [](ctree_node node) { return node != CTREE_NONE; }));
    }

  private:
    ctree_store *store_ = nullptr;
};

template <class Keys, template <class...> class Table> class Standard {
  public:
    using Owned = std::conditional_t<std::is_same_v<Keys, Numbers>, uint64_t, std::string>;
    explicit Standard(const Keys &keys) {
        table_.reserve(keys.size());
        for (size_t i = 0; i < keys.size(); i++) table_.try_emplace(Owned(keys[i]), uint32_t(i));
    }
    // abseil finds a text without making a string of it; C++17's table cannot.
    bool has(typename Keys::Key key) const {
        if constexpr (std::is_same_v<Keys, Texts> && std::is_same_v<Table<int, int>, absl::flat_hash_map<int, int>>) {
            return table_.find(absl::string_view(key.data(), key.size())) != table_.end();
        } else {
            return table_.find(Owned(key)) != table_.end();
        }
    }

  private:
    Table<Owned, uint32_t> table_;
};

template <class Keys> struct Absl : Standard<Keys, absl::flat_hash_map> {
    static constexpr const char *name = "absl";
    using Standard<Keys, absl::flat_hash_map>::Standard;
};
template <class Keys> struct Std : Standard<Keys, std::unordered_map> {
    static constexpr const char *name = "std";
    using Standard<Keys, std::unordered_map>::Standard;
};

#ifdef PEER_GLIB
template <class Keys> class GLib {
    static constexpr bool kNumbers = std::is_same_v<Keys, Numbers>;

  public:
    static constexpr const char *name = "glib";
    // A number in a pointer of its own size is its quickest way.
    explicit GLib(const Keys &keys)
        : table_(kNumbers ? g_hash_table_new(g_direct_hash, g_direct_equal)
                          : g_hash_table_new_full(g_str_hash, g_str_equal, g_free, nullptr)) {
        for (size_t i = 0; i < keys.size(); i++) {
            gpointer key;
            if constexpr (kNumbers) key = reinterpret_cast<gpointer>(keys[i]);
            else key = g_strdup(keys[i].data());
            g_hash_table_insert(table_, key, GUINT_TO_POINTER(guint(i)));
        }
    }
    ~GLib() { g_hash_table_unref(table_); }
    GLib(const GLib &) = delete;
    GLib &operator=(const GLib &) = delete;
    bool has(typename Keys::Key key) const {
        gconstpointer pointer;
        if constexpr (kNumbers) pointer = reinterpret_cast<gconstpointer>(key);
        else pointer = key.data();
        return g_hash_table_contains(table_, pointer);
    }

  private:
    GHashTable *table_;
};
#endif

// ---- Timing -------------------------------------------------------------------------------------------------------

struct Case {
    uint32_t count;
    double budget;
    std::string peer, kind; // empty: all

    void print(const char *who, const std::string &op, const char *of, double value, const char *unit) const {
        peer_print(who, "keys", count, (op + "_" + of).c_str(), 0, value, unit);
    }

    // Nanoseconds each, the best of passes.
    template <class Pass> double best(size_t each, Pass pass) const {
        double best = 1e18, spent = 0;
        for (int passes = 0; spent < budget || passes < 5; passes++) {
            double begin = peer_time();
            pass();
            double time = peer_time() - begin;
            best = std::min(best, time / double(each));
            spent += time;
        }
        return best;
    }

    template <class Peer, class Keys> void run(const Keys &keys, const Keys &hits, const Keys &misses) const {
        if (!peer.empty() && peer != Peer::name) return;
        double before = bench::resident_bytes(), begin = peer_time();
        Peer table(keys);
        print(Peer::name, "build", Keys::name, (peer_time() - begin) / count, "ns");
        print(Peer::name, "memory", Keys::name, (bench::resident_bytes() - before) / count, "bytes");
        size_t asked = hits.size(), found = 0, passes = 0;
        print(Peer::name, "hit", Keys::name,
              best(asked,
                   [&] {
                       passes++;
                       for (size_t i = 0; i < asked; i++) found += table.has(hits[i]);
                   }),
              "ns");
        print(Peer::name, "miss", Keys::name,
              best(asked,
                   [&] {
                       for (size_t i = 0; i < asked; i++) found += table.has(misses[i]);
                   }),
              "ns");
        if constexpr (std::is_same_v<Peer, TreeKit<Keys>>) {
            print(Peer::name, "many", Keys::name,
                  best(asked,
                       [&] {
                           passes++;
                           for (size_t i = 0; i < asked; i += kBatch)
                               found += table.has_many(hits, i, std::min(kBatch, asked - i));
                       }),
                  "ns");
        }
        if (found != passes * asked) {
            std::fprintf(stderr, "%s: a look-up was wrong\n", Peer::name);
            std::exit(3);
        }
    }

    template <class Keys> void all() const {
        if (!kind.empty() && kind != Keys::name) return;
        Keys keys(count), hits(std::min<size_t>(count, kMost)), misses(hits.size());
        std::mt19937_64 random(7);
        for (uint32_t i = 0; i < count; i++) keys.put(i, i);
        for (size_t i = 0; i < hits.size(); i++) {
            hits.put(i, random() % count);
            misses.put(i, count + random() % count);
        }
        run<TreeKit<Keys>>(keys, hits, misses);
        run<Absl<Keys>>(keys, hits, misses);
        run<Std<Keys>>(keys, hits, misses);
#ifdef PEER_GLIB
        run<GLib<Keys>>(keys, hits, misses);
#endif
    }
};

} // namespace

int main(int argc, char **argv) {
    Case c = {10000, 20e6, "", ""};
    for (int i = 1; i < argc; i++) {
        if (std::strcmp(argv[i], "--info") == 0) {
            std::printf("treekit\tTreeKit %s, a store and its index\n", ctree_version_string());
            std::printf("absl\tabseil %d, flat_hash_map\n", ABSL_LTS_RELEASE_VERSION);
            std::printf("std\tlibstdc++ %d, std::unordered_map\n", int(_GLIBCXX_RELEASE));
#ifdef PEER_GLIB
            std::printf("glib\tGLib %u.%u.%u, GHashTable\n", glib_major_version, glib_minor_version,
                        glib_micro_version);
#endif
            return 0;
        }
        std::string word = argv[i];
        const char *value = i + 1 < argc ? argv[++i] : "";
        if (word == "--keys") c.count = uint32_t(std::strtoul(value, nullptr, 10));
        else if (word == "--ms") c.budget = std::strtod(value, nullptr) * 1e6;
        else if (word == "--peer") c.peer = value;
        else if (word == "--kind") c.kind = value;
        else {
            std::fprintf(stderr, "unknown: %s\n", word.c_str());
            return 2;
        }
    }
    c.all<Numbers>();
    c.all<Texts>();
}
