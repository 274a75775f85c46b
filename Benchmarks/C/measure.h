/* What benchmarks here measure with: time of this thread, memory of this process, and two sides in turns. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <malloc.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace bench {

/* Time that this thread ran, in nanoseconds: what else runs on the machine counts less. */
inline uint64_t nanoseconds() {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return uint64_t(now.tv_sec) * 1000000000u + uint64_t(now.tv_nsec);
}
inline double thread_time() { return double(nanoseconds()); }

/* What reading that clock costs by itself, to be taken off each time. */
inline double clock_cost() {
    double best = 1e9;
    for (int i = 0; i < 1000; i++) {
        uint64_t begin = nanoseconds();
        best = std::min(best, double(nanoseconds() - begin));
    }
    return best;
}

/* Fit for timing single calls: reading it costs some 20 ns, where the thread's time costs ten times that. */
inline uint64_t wall_time() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return uint64_t(now.tv_sec) * 1000000000u + uint64_t(now.tv_nsec);
}

/* Bytes of this process that are in memory, after the C library has given back what it can. */
inline double resident_bytes() {
    malloc_trim(0);
    long pages = 0;
    FILE *file = std::fopen("/proc/self/statm", "r");
    if (file != nullptr) {
        if (std::fscanf(file, "%*s %ld", &pages) != 1) pages = 0;
        std::fclose(file);
    }
    return double(pages) * double(sysconf(_SC_PAGESIZE));
}

inline double median(std::vector<double> times) {
    if (times.empty()) return 0;
    auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

template <class Call> double timed(Call call) {
    double start = thread_time();
    call();
    return thread_time() - start;
}

} // namespace bench

#endif
