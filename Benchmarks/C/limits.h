/* Two measures of the machine, taken in the same run as what is judged by them: L, a dependent random read over 4
 * bytes a row, and S, a flat scan of as many bytes. */
#ifndef BENCH_LIMITS_H
#define BENCH_LIMITS_H

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <numeric>
#include <random>
#include <vector>

#include "measure.h"

namespace bench {

/* So that the compiler does not leave out what made it. */
inline void keep(uint64_t result) {
    volatile uint64_t kept = result;
    (void)kept;
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
    keep(at);
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
        keep(sum);
        best = std::min(best, double(nanoseconds() - begin) / count);
    }
    return known[count] = best;
}

} // namespace bench

#endif
