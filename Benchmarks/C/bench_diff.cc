// The diff of two lists that differ in a certain way, on handles, 64-bit keys and 24-byte strings. "row" is the CPU
// time for each row of the old list.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "ctree/diff.h"

namespace {

enum Change { kIdentical, kOneInserted, kEdits, kEditsScattered, kBlockMoved, kMoved, kReversed, kShuffled };
const char *const kChangeNames[] = {"identical",     "one-inserted", "1%-edits", "1%-edits-scattered",
                                    "a-tenth-moved", "1%-moved",     "reversed", "shuffled"};
const char *const kKindNames[] = {"handles", "u64", "strings"};

// Rows as numbers; what they stand for comes later.
struct Lists {
    std::vector<uint32_t> olds, news;
};

// In order of the old list, each row in so many is taken out, and `in_its_place` says what comes there.
Lists make_lists(Change change, uint32_t count) {
    std::mt19937_64 random(7);
    Lists lists;
    lists.olds.resize(count);
    std::iota(lists.olds.begin(), lists.olds.end(), 0u);
    if (change == kEditsScattered) std::shuffle(lists.olds.begin(), lists.olds.end(), random);
    std::vector<uint32_t> &olds = lists.olds, &news = lists.news;
    uint32_t next = count;
    switch (change) {
        case kIdentical: news = olds; break;
        case kOneInserted:
            news = olds;
            news.insert(news.begin() + count / 2, next);
            break;
        case kEdits:
        case kEditsScattered:
            for (uint32_t row : olds) {
                uint64_t die = random() % 200;
                if (die == 0) continue;
                if (die == 1) news.push_back(next++);
                news.push_back(row);
            }
            break;
        case kBlockMoved:
            news = olds;
            std::rotate(news.begin() + count / 4, news.begin() + count / 4 + count / 10,
                        news.begin() + 3 * (count / 4));
            break;
        case kMoved: {
            std::vector<uint32_t> moved;
            for (uint32_t row : olds) {
                if (random() % 100 == 0) moved.push_back(row);
                else news.push_back(row);
            }
            std::vector<std::pair<uint64_t, uint32_t>> places;
            for (uint32_t row : moved) places.push_back({random() % (news.size() + 1), row});
            std::sort(places.begin(), places.end());
            std::vector<uint32_t> merged;
            size_t place = 0;
            for (size_t i = 0; i <= news.size(); i++) {
                for (; place < places.size() && places[place].first == i; place++)
                    merged.push_back(places[place].second);
                if (i < news.size()) merged.push_back(news[i]);
            }
            news = merged;
            break;
        }
        case kReversed: news.assign(olds.rbegin(), olds.rend()); break;
        case kShuffled:
            news = olds;
            std::shuffle(news.begin(), news.end(), random);
            break;
    }
    return lists;
}

uint64_t mix(uint64_t number) {
    number = (number + 0x9E3779B97F4A7C15u) * 0xBF58476D1CE4E5B9u;
    return (number ^ (number >> 29)) * 0x94D049BB133111EBu;
}

// The keys of one list, and the bytes that they may point to.
struct Keys {
    std::vector<uint64_t> numbers;
    std::vector<ctree_id> ids;
    std::vector<char> bytes;

    Keys(const std::vector<uint32_t> &rows, uint32_t kind) {
        if (kind == CTREE_DIFF_IDS) bytes.resize(rows.size() * 24 + 1);
        for (size_t i = 0; i < rows.size(); i++) {
            if (kind == CTREE_DIFF_NODES) numbers.push_back(uint64_t(1) << 32 | rows[i]);
            if (kind == CTREE_DIFF_U64) numbers.push_back(mix(rows[i]));
            if (kind != CTREE_DIFF_IDS) continue;
            char text[32];
            std::snprintf(text, sizeof text, "row-%020llu", static_cast<unsigned long long>(mix(rows[i])));
            std::memcpy(&bytes[i * 24], text, 24);
            ids.push_back(ctree_id_bytes(&bytes[i * 24], 24));
        }
    }

    const void *data() const { return ids.empty() ? static_cast<const void *>(numbers.data()) : ids.data(); }
};

void diff(benchmark::State &state, uint32_t kind, Change change, uint32_t count) {
    Lists lists = make_lists(change, count);
    Keys olds(lists.olds, kind), news(lists.news, kind);
    ctree_diff_list before = {}, after = {};
    before.rows = olds.data();
    before.row_count = uint32_t(lists.olds.size());
    after.rows = news.data();
    after.row_count = uint32_t(lists.news.size());
    ctree_diff_options options = CTREE_DIFF_OPTIONS_INIT;
    options.keys = kind;
    const ctree_batch *batch = nullptr;
    uint32_t ranges = 0;
    for (auto _ : state) {
        ctree_diff *result = nullptr;
        if (ctree_diff_create(&before, &after, &options, nullptr, &result) != CTREE_OK) std::abort();
        batch = ctree_diff_batch(result);
        ranges = batch->delete_count + batch->insert_count + batch->move_count;
        ctree_diff_destroy(result);
    }
    state.counters["ranges"] = ranges;
    state.counters["row"] =
        benchmark::Counter(count, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

const bool registered = [] {
    for (uint32_t kind = 0; kind < 3; kind++) {
        for (int change = kIdentical; change <= kShuffled; change++) {
            if (change == kEditsScattered && kind != CTREE_DIFF_NODES) continue;
            for (uint32_t count : {10000u, 1000000u, 10000000u}) {
                std::string name = std::string("diff/") + kKindNames[kind] + "/" + kChangeNames[change] + "/"
                                   + std::to_string(count);
                auto *bench = benchmark::RegisterBenchmark(
                    name.c_str(), [=](benchmark::State &state) { diff(state, kind, Change(change), count); });
                bench->Unit(benchmark::kMicrosecond);
            }
        }
    }
    return true;
}();

} // namespace
