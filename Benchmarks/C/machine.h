/* What figures of rows are judged by: percentiles, and the limits of the machine. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "limits.h"
#include "measure.h"

namespace bench {

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
