// Times of one peer on one tree, printed as they are known, so that a peer that is stopped for being slow has told
// what it has done until then.
#ifndef PEER_MEASURE_H
#define PEER_MEASURE_H

#include <string>
#include <vector>

#include "peer.h"
#include "tree.h"

namespace peers {

class Times {
  public:
    // An operation that began then and has just ended.
    void add(double begin);
    void put(double time) { times_.push_back(time); }
    size_t size() const { return times_.size(); }
    const std::vector<double> &all() const { return times_; }

  private:
    static double clock();
    std::vector<double> times_;
};

struct Bench {
    const peer &p;
    std::string tree_name;
    Tree &tree;
    double budget;    // nanoseconds for one operation, where a single one does not take longer
    std::string only; // operations, with commas in between; empty: all
    peer_tree lent = tree.lend();
    uint32_t rows = lent.count;
    void *self = nullptr;

    void run();
    void session(const std::string &file, bool all_open, const std::string &without);
    ~Bench() {
        if (self != nullptr) p.destroy(self);
    }
    Bench(const peer &one, const std::string &name, Tree &on, double nanoseconds, const std::string &ops)
        : p(one), tree_name(name), tree(on), budget(nanoseconds), only(ops) {}
    Bench(const Bench &) = delete;
    Bench &operator=(const Bench &) = delete;

  private:
    void build();
    void look_ups();
    void toggles(uint32_t size);
    void edits();
    template <class Call> void many(const std::string &op, Call call);
    std::vector<uint32_t> items_of_size(uint32_t size) const;
    bool wants(const std::string &op) const;
    std::string title(const std::string &op, uint32_t size) const;
    void print(const std::string &op, uint32_t size, Times &times) const;
    void print(const std::string &op, uint32_t size, double value, const char *unit) const;
    void check_rows(const char *what) const;
    [[noreturn]] void fail(const char *what) const;
};

} // namespace peers

#endif
