/* What figures of rows are judged by: the thread's time, percentiles, and two measures of the machine taken in the
 * same run: L, a dependent random read over 4 bytes a row, and S, a flat scan of as many bytes. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <benchmark/benchmark.h>

#include <sys/mman.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace bench {

/* Time that this thread ran, in nanoseconds: what else runs on the machine counts less. */
inline uint64_t nanoseconds() {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return uint64_t(now.tv_sec) * 1000000000u + uint64_t(now.tv_nsec);
}

/* What reading the clock costs by itself, to be taken off each time. */
inline double clock_cost() {
    double best = 1e9;
    for (int i = 0; i < 1000; i++) {
        uint64_t begin = nanoseconds();
        best = std::min(best, double(nanoseconds() - begin));
    }
    return best;
}

inline std::vector<uint32_t> random_numbers(uint32_t bound, size_t count, uint64_t seed = 7) {
    std::mt19937_64 random(seed);
    std::vector<uint32_t> numbers(count);
    for (uint32_t &number : numbers) number = uint32_t(random() % bound);
    return numbers;
}

/* A cycle through all of an array, in huge pages where the system gives them, as the rows have them. */
inline double dependent_read(uint32_t count) {
    static std::map<uint32_t, double> known;
    if (known.count(count)) return known[count];
    const size_t page = size_t(1) << 21, bytes = (size_t(count) * 4 + page - 1) / page * page;
    auto *next = static_cast<uint32_t *>(std::aligned_alloc(page, bytes));
    if (next == nullptr) std::abort();
    madvise(next, bytes, MADV_HUGEPAGE);
    std::vector<uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), std::mt19937_64(1));
    for (uint32_t i = 0; i < count; i++) next[order[i]] = order[(i + 1) % count];
    double best = 1e9;
    uint32_t at = 0;
    for (int run = 0; run < 5; run++) {
        uint32_t reads = 200000;
        uint64_t begin = nanoseconds();
        for (uint32_t i = 0; i < reads; i++) at = next[at];
        best = std::min(best, double(nanoseconds() - begin) / reads);
    }
    benchmark::DoNotOptimize(at);
    std::free(next);
    return known[count] = best;
}

inline double flat_scan(uint32_t count) {
    static std::map<uint32_t, double> known;
    if (known.count(count)) return known[count];
    std::vector<uint32_t> numbers = random_numbers(1u << 30, count);
    double best = 1e9;
    for (int run = 0; run < 5; run++) {
        uint64_t begin = nanoseconds();
        uint64_t sum = 0;
        for (uint32_t number : numbers) sum += number;
        benchmark::DoNotOptimize(sum);
        best = std::min(best, double(nanoseconds() - begin) / count);
    }
    return known[count] = best;
}

/* Times of single operations; of five runs the best of each percentile counts. */
class Percentiles {
  public:
    /* An operation that began then and has just ended. */
    void add(uint64_t begin) { times_.push_back(double(nanoseconds() - begin) - clock_); }
    size_t size() const { return times_.size(); }

    void end_run() {
        if (times_.empty()) return;
        p50_ = std::min(p50_, percentile(0.5));
        p99_ = std::min(p99_, percentile(0.99));
        times_.clear();
    }

    double p50() const { return p50_; }

    void report(benchmark::State &state, const std::string &name) const {
        state.counters[name + "_us"] = p50_ / 1000;
        state.counters[name + "_p99"] = p99_ / 1000;
    }

  private:
    double percentile(double part) {
        size_t at = std::min(times_.size() - 1, size_t(part * double(times_.size())));
        std::nth_element(times_.begin(), times_.begin() + ptrdiff_t(at), times_.end());
        return times_[at];
    }

    std::vector<double> times_;
    double p50_ = 1e18, p99_ = 1e18, clock_ = clock_cost();
};

} // namespace bench

#endif
