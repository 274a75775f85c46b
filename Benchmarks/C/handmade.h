/* What a user would otherwise write: "flat", an array of rows with the row of each item, moved and renumbered at each
 * change; and "counts", the number of visible rows kept with each item and walked through siblings. Both over items
 * that hold their children in a vector; both know where items are by their numbers, so that neither needs an index.
 */
#ifndef BENCH_HANDMADE_H
#define BENCH_HANDMADE_H

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "ctree/ctree.h"

namespace bench {

/* A row as a table draws it. */
struct HandmadeRow {
    uint32_t item, depth;
    bool expandable, expanded;
};

struct HandmadeItem {
    uint32_t parent, rows; /* how many rows it and what is shown below it are; flat leaves that alone */
    bool expanded = false;
    std::vector<uint32_t> children;
};

class Handmade {
  public:
    uint32_t count() const { return uint32_t(items_.size()); }
    const HandmadeItem &item(uint32_t number) const { return items_[number]; }

  protected:
    explicit Handmade(const std::vector<uint32_t> &parents, size_t capacity) {
        items_.reserve(capacity > parents.size() ? capacity : parents.size());
        for (uint32_t parent : parents) items_.push_back({parent, 1, false, {}});
        for (uint32_t i = 0; i < parents.size(); i++) below(parents[i]).push_back(i);
        for (HandmadeItem &item : items_) item.children.shrink_to_fit();
    }
    std::vector<uint32_t> &below(uint32_t parent) { return parent == CTREE_END ? tops_ : items_[parent].children; }
    const std::vector<uint32_t> &below(uint32_t parent) const {
        return parent == CTREE_END ? tops_ : items_[parent].children;
    }
    uint32_t depth(uint32_t item) const {
        uint32_t depth = 0;
        while ((item = items_[item].parent) != CTREE_END) depth++;
        return depth;
    }
    void put(uint32_t parent, uint32_t ordinal, uint32_t item) {
        if (item >= items_.size()) items_.resize(size_t(item) + 1);
        items_[item] = {parent, 1, false, {}};
        std::vector<uint32_t> &children = below(parent);
        children.insert(children.begin() + ptrdiff_t(ordinal), item);
    }
    uint32_t take(uint32_t parent, uint32_t ordinal) {
        std::vector<uint32_t> &children = below(parent);
        uint32_t item = children[ordinal];
        children.erase(children.begin() + ptrdiff_t(ordinal));
        return item;
    }

    std::vector<HandmadeItem> items_;
    std::vector<uint32_t> tops_;
};

class Flat : public Handmade {
  public:
    explicit Flat(const std::vector<uint32_t> &parents, size_t capacity = 0) : Handmade(parents, capacity) {
        row_of_.resize(items_.capacity(), CTREE_NO_ROW);
        rows_ = tops_;
        renumber(0);
    }
    uint32_t row_count() const { return uint32_t(rows_.size()); }
    uint32_t node_at(uint32_t row) const { return rows_[row]; }
    uint32_t row_of(uint32_t item) const { return row_of_[item]; }

    void expand_all() {
        for (HandmadeItem &item : items_) item.expanded = !item.children.empty();
        rows_.clear();
        list(tops_, rows_);
        renumber(0);
    }
    void open(uint32_t item) {
        items_[item].expanded = true;
        uint32_t row = row_of_[item];
        if (row == CTREE_NO_ROW) return;
        std::vector<uint32_t> come;
        list(items_[item].children, come);
        rows_.insert(rows_.begin() + row + 1, come.begin(), come.end());
        renumber(row + 1);
    }
    void close(uint32_t item) {
        items_[item].expanded = false;
        uint32_t row = row_of_[item];
        if (row == CTREE_NO_ROW) return;
        cut(row + 1, end_of(item));
    }
    void insert(uint32_t parent, uint32_t ordinal, uint32_t item) {
        const std::vector<uint32_t> &children = below(parent);
        bool shown = parent == CTREE_END || (items_[parent].expanded && row_of_[parent] != CTREE_NO_ROW);
        uint32_t row = 0;
        if (shown && ordinal < children.size()) row = row_of_[children[ordinal]];
        else if (shown) row = parent == CTREE_END ? row_count() : end_of(parent);
        put(parent, ordinal, item);
        if (item >= row_of_.size()) row_of_.resize(size_t(item) + 1);
        row_of_[item] = CTREE_NO_ROW;
        if (!shown) return;
        rows_.insert(rows_.begin() + row, item);
        renumber(row);
    }
    /* A leaf. */
    void remove(uint32_t parent, uint32_t ordinal) {
        uint32_t row = row_of_[take(parent, ordinal)];
        if (row != CTREE_NO_ROW) cut(row, row + 1);
    }
    void window(uint32_t first, uint32_t count, HandmadeRow *out) const {
        for (uint32_t i = 0; i < count; i++) {
            uint32_t number = rows_[first + i];
            const HandmadeItem &item = items_[number];
            out[i] = {number, depth(number), !item.children.empty(), item.expanded};
        }
    }

  private:
    /* The first row behind an item and all below it: where the last of its last child ends. */
    uint32_t end_of(uint32_t item) const {
        uint32_t row = row_of_[item] + 1;
        while (!items_[item].children.empty()) {
            item = items_[item].children.back();
            if (row_of_[item] == CTREE_NO_ROW) break;
            row = row_of_[item] + 1;
            if (!items_[item].expanded) break;
        }
        return row;
    }
    void list(const std::vector<uint32_t> &top, std::vector<uint32_t> &out) const {
        std::vector<std::pair<const std::vector<uint32_t> *, size_t>> open = {{&top, 0}};
        while (!open.empty()) {
            auto &[children, at] = open.back();
            if (at == children->size()) {
                open.pop_back();
                continue;
            }
            uint32_t item = (*children)[at++];
            out.push_back(item);
            if (items_[item].expanded) open.push_back({&items_[item].children, 0});
        }
    }
    void cut(uint32_t from, uint32_t to) {
        for (uint32_t row = from; row < to; row++) row_of_[rows_[row]] = CTREE_NO_ROW;
        rows_.erase(rows_.begin() + from, rows_.begin() + to);
        renumber(from);
    }
    void renumber(uint32_t row) {
        for (; row < rows_.size(); row++) row_of_[rows_[row]] = row;
    }

    std::vector<uint32_t> rows_, row_of_;
};

class Counts : public Handmade {
  public:
    explicit Counts(const std::vector<uint32_t> &parents, size_t capacity = 0)
        : Handmade(parents, capacity), count_(uint32_t(tops_.size())) {}
    uint32_t row_count() const { return count_; }

    uint32_t node_at(uint32_t row) const { return locate(row, nullptr); }
    uint32_t row_of(uint32_t item) const {
        uint32_t row = 0;
        for (;;) {
            uint32_t parent = items_[item].parent;
            for (uint32_t sibling : below(parent)) {
                if (sibling == item) break;
                row += items_[sibling].rows;
            }
            if (parent == CTREE_END) return row;
            row++;
            item = parent;
        }
    }
    void expand_all() {
        count_ = 0;
        for (uint32_t i = count(); i-- > 0;) { /* children come after their parents */
            HandmadeItem &item = items_[i];
            item.expanded = !item.children.empty();
            item.rows = 1;
            for (uint32_t child : item.children) item.rows += items_[child].rows;
        }
        for (uint32_t top : tops_) count_ += items_[top].rows;
    }
    void open(uint32_t item) {
        uint32_t come = 0;
        for (uint32_t child : items_[item].children) come += items_[child].rows;
        items_[item].expanded = true;
        add(item, come);
    }
    void close(uint32_t item) {
        uint32_t go = items_[item].rows - 1;
        add(item, 0 - go);
        items_[item].expanded = false;
    }
    void insert(uint32_t parent, uint32_t ordinal, uint32_t item) {
        put(parent, ordinal, item);
        below_changed(parent, 1);
    }
    /* A leaf. */
    void remove(uint32_t parent, uint32_t ordinal) {
        take(parent, ordinal);
        below_changed(parent, 0 - 1u);
    }
    void window(uint32_t first, uint32_t count, HandmadeRow *out) const {
        std::vector<std::pair<const std::vector<uint32_t> *, size_t>> path;
        locate(first, &path);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t number = (*path.back().first)[path.back().second];
            const HandmadeItem &item = items_[number];
            out[i] = {number, uint32_t(path.size()) - 1, !item.children.empty(), item.expanded};
            if (item.expanded && !item.children.empty()) {
                path.push_back({&item.children, 0});
                continue;
            }
            while (!path.empty() && ++path.back().second == path.back().first->size()) path.pop_back();
        }
    }

  private:
    uint32_t locate(uint32_t row, std::vector<std::pair<const std::vector<uint32_t> *, size_t>> *path) const {
        const std::vector<uint32_t> *children = &tops_;
        for (size_t at = 0;;) {
            uint32_t item = (*children)[at];
            if (row >= items_[item].rows) {
                row -= items_[item].rows;
                at++;
                continue;
            }
            if (path != nullptr) path->push_back({children, at});
            if (row == 0) return item;
            row--;
            children = &items_[item].children;
            at = 0;
        }
    }
    void below_changed(uint32_t parent, uint32_t rows) {
        if (parent == CTREE_END) count_ += rows;
        else if (items_[parent].expanded) add(parent, rows);
    }
    /* An ancestor that is closed keeps 1: what is below it counts when it is opened. */
    void add(uint32_t item, uint32_t rows) {
        for (; item != CTREE_END; item = items_[item].parent) {
            if (!items_[item].expanded) return;
            items_[item].rows += rows;
        }
        count_ += rows;
    }

    uint32_t count_;
};

} // namespace bench

#endif
