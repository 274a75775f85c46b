// CTreeCore for C++: handles that end what they own, exceptions for statuses, and ranges for lists. One header over
// ctree/ctree.h, for C++17 and later; link with CTreeCore::CTreeCore.
//
// A call that fails throws ctree::error and has changed nothing. What a callback throws must not leave it: the
// callbacks here catch it, and the call that led to them throws it once it is over.
#ifndef CTREE_HPP
#define CTREE_HPP

#include <ctree/ctree.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ctree {

using node = ctree_node;
inline constexpr node none = 0;

/// What a failed call came to. Of bulk calls `fault` says which item was at fault and which node stands in its way.
class error : public std::runtime_error {
  public:
    explicit error(ctree_status what) : std::runtime_error(ctree_status_name(what)), status(what) {}
    error(ctree_status what, const ctree_fault &where) : error(what) { fault = where; }

    ctree_status status;
    std::optional<ctree_fault> fault;
    std::optional<ctree_diff_duplicate> twice; ///< Of a diff of lists in which a key stands twice.
};

inline void check(ctree_status status) {
    if (status != CTREE_OK) throw error(status);
}

/// An identifier: a number, or bytes that the caller keeps for the length of the call.
class id {
  public:
    template <class Number, std::enable_if_t<std::is_integral_v<Number>, int> = 0>
    id(Number number) : id_(ctree_id_u64(static_cast<std::uint64_t>(number))) {}
    id(std::string_view bytes) : id_(ctree_id_bytes(bytes.data(), bytes.size())) {}
    id(const std::string &bytes) : id(std::string_view(bytes)) {}
    id(const char *text) : id(std::string_view(text)) {}
    id(ctree_id lent) : id_(lent) {}

    operator ctree_id() const { return id_; }
    std::uint64_t number() const { return id_.word; }
    /// Of a store of bytes; lent until its next edit.
    std::string_view bytes() const {
        return {static_cast<const char *>(id_.bytes), static_cast<std::size_t>(id_.word)};
    }

  private:
    ctree_id id_;
};

/// Numbers or records that the core lends, for a range-based for.
template <class T> class span {
  public:
    span(const T *first, std::size_t count) : first_(first), count_(count) {}
    const T *begin() const { return first_; }
    const T *end() const { return first_ + count_; }
    std::size_t size() const { return count_; }
    bool empty() const { return count_ == 0; }
    const T &operator[](std::size_t at) const { return first_[at]; }

  private:
    const T *first_;
    std::size_t count_;
};

/// Asked now and then by long calls: (done, total); false ends the call with nothing changed.
using progress = std::function<bool(std::uint64_t, std::uint64_t)>;

namespace detail {

/// Callbacks run while C stands between them and the caller: what they throw waits here.
class boundary {
  public:
    template <class Body> void run(Body body) noexcept {
        try {
            body();
        } catch (...) {
            if (!thrown_) thrown_ = std::current_exception();
        }
    }
    void rethrow() {
        if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    }

  private:
    std::exception_ptr thrown_;
};

struct asked {
    asked(const progress &whom, boundary &at) : ask(whom), edge(at), c{this, keep_going} {}
    const ctree_progress *get() const { return ask ? &c : nullptr; }

    static bool keep_going(void *context, std::uint64_t done, std::uint64_t total) {
        auto &self = *static_cast<asked *>(context);
        bool on = false;
        self.edge.run([&] { on = self.ask(done, total); });
        return on;
    }

    const progress &ask;
    boundary &edge;
    ctree_progress c;
};

struct store_end {
    void operator()(ctree_store *store) const { ctree_store_destroy(store); }
};
struct view_end {
    void operator()(ctree_view *view) const { ctree_view_destroy(view); }
};
struct rows_end {
    void operator()(ctree_rows *rows) const { ctree_rows_destroy(rows); }
};
struct diff_end {
    void operator()(ctree_diff *diff) const { ctree_diff_destroy(diff); }
};

} // namespace detail

/// Items for a bulk call, as columns. A column that is left empty is as ctree_forest has it.
struct forest {
    std::vector<ctree_id> ids;          ///< Or numbers.
    std::vector<std::uint64_t> numbers; ///< 64-bit identifiers.
    std::vector<std::uint32_t> parents;
    std::vector<std::uint64_t> values, revisions;
    std::vector<std::uint8_t> states;

    ctree_forest get() const {
        ctree_forest c = CTREE_FOREST_INIT;
        c.count = numbers.empty() ? ids.size() : numbers.size();
        for (std::size_t size : {parents.size(), values.size(), revisions.size(), states.size()}) {
            if (size != 0 && size != c.count) throw std::invalid_argument("columns of a forest differ in length");
        }
        static const ctree_id nobody = {nullptr, 0};
        if (numbers.empty()) c.ids = ids.empty() ? &nobody : ids.data();
        if (!numbers.empty()) c.numbers = numbers.data();
        if (!parents.empty()) c.parents = parents.data();
        if (!values.empty()) c.values = values.data();
        if (!revisions.empty()) c.revisions = revisions.data();
        if (!states.empty()) c.states = states.data();
        return c;
    }
};

/// The rows of a view at one moment.
class rows {
  public:
    explicit rows(ctree_rows *owned) : rows_(owned) {}

    std::uint32_t count() const { return ctree_rows_count(get()); }
    span<node> nodes() const { return {ctree_rows_nodes(get()), count()}; }
    span<std::uint32_t> depths() const { return {ctree_rows_depths(get()), count()}; }
    node node_at(std::uint32_t row) const { return ctree_rows_node(get(), row); }
    std::optional<std::uint32_t> row_of(node n) const { return some(ctree_rows_row(get(), n)); }
    std::uint32_t section_count() const { return ctree_rows_section_count(get()); }
    node section_node(std::uint32_t section) const { return ctree_rows_section_node(get(), section); }
    std::uint32_t section_start(std::uint32_t section) const { return ctree_rows_section_start(get(), section); }
    ctree_index_path index_path(std::uint32_t row) const {
        ctree_index_path path;
        check(ctree_rows_index_path(get(), row, &path));
        return path;
    }
    std::optional<std::uint32_t> row_at(ctree_index_path path) const {
        return some(ctree_rows_at_index_path(get(), path));
    }
    ctree_rows *get() const { return rows_.get(); }

    static std::optional<std::uint32_t> some(std::uint32_t row) {
        return row == CTREE_NO_ROW ? std::nullopt : std::optional(row);
    }

  private:
    std::unique_ptr<ctree_rows, detail::rows_end> rows_;
};

class view;

/// A store. It can be moved, not copied; its views keep what they need of it when it ends.
class store {
  public:
    struct options {
        ctree_id_kind ids = CTREE_ID_U64;
        ctree_id_scope scope = CTREE_SCOPE_STORE;
        std::uint64_t node_limit = 0;
        /// Told of each value that a call replaced or removed.
        std::function<void(span<node>, span<std::uint64_t>)> released;
    };

    store() : store(options()) {}
    explicit store(options with) : shared_(std::make_unique<shared>()) {
        shared_->released = std::move(with.released);
        ctree_store_options c = CTREE_STORE_OPTIONS_INIT;
        c.id_kind = static_cast<std::uint32_t>(with.ids);
        c.id_scope = static_cast<std::uint32_t>(with.scope);
        c.node_limit = with.node_limit;
        if (shared_->released) {
            c.release = [](void *context, const ctree_node *nodes, const std::uint64_t *values, std::size_t count) {
                auto &self = *static_cast<shared *>(context);
                self.edge.run([&] { self.released({nodes, count}, {values, count}); });
            };
            c.release_context = shared_.get();
        }
        ctree_store *made;
        check(ctree_store_create(&c, &made));
        store_.reset(made);
    }

    ctree_store *get() const { return store_.get(); }
    ctree_id_kind id_kind() const { return ctree_store_id_kind(get()); }
    ctree_id_scope id_scope() const { return ctree_store_id_scope(get()); }

    // ---- Reading

    std::uint64_t count() const { return ctree_store_count(get()); }
    node find(id name) const { return ctree_store_find(get(), name); }
    node find_child(node parent, id name) const { return ctree_store_find_child(get(), parent, name); }
    std::vector<node> find_many(const std::vector<ctree_id> &ids, const std::vector<node> &parents = {}) const {
        std::vector<node> found(ids.size());
        check(ctree_store_find_many(get(), parents.empty() ? nullptr : parents.data(), ids.data(), ids.size(),
                                    found.data()));
        return found;
    }
    std::vector<node> find_many(const std::vector<std::uint64_t> &numbers,
                                const std::vector<node> &parents = {}) const {
        std::vector<node> found(numbers.size());
        check(ctree_store_find_many_u64(get(), parents.empty() ? nullptr : parents.data(), numbers.data(),
                                        numbers.size(), found.data()));
        return found;
    }
    bool contains(node n) const { return ctree_store_contains(get(), n); }
    ctree_node_info info(node n) const {
        ctree_node_info info = {};
        info.size = sizeof info;
        check(ctree_store_info(get(), n, &info));
        return info;
    }
    node parent(node n) const { return out<node>(ctree_store_parent, n); }
    id name(node n) const { return out<ctree_id>(ctree_store_id, n); }
    std::uint64_t value(node n) const { return ctree_store_value(get(), n); }
    std::uint64_t revision(node n) const { return ctree_store_revision(get(), n); }
    ctree_load_state state(node n) const { return ctree_store_load_state(get(), n); }
    std::uint32_t child_count(node parent) const { return ctree_store_child_count(get(), parent); }
    node child_at(node parent, std::uint32_t at) const { return ctree_store_child_at(get(), parent, at); }
    std::vector<node> children(node parent = none, std::uint32_t first = 0, std::uint32_t count = CTREE_END) const {
        std::uint32_t all = child_count(parent), room = first < all ? all - first : 0;
        if (count < room) room = count;
        std::vector<node> found(room + 1);
        check(ctree_store_children(get(), parent, first, &room, found.data()));
        found.resize(room);
        return found;
    }
    std::uint32_t ordinal(node n) const { return out<std::uint32_t>(ctree_store_ordinal, n); }
    std::uint32_t depth(node n) const { return out<std::uint32_t>(ctree_store_depth, n); }
    bool is_below(node n, node ancestor) const { return ctree_store_is_below(get(), n, ancestor); }
    std::vector<std::uint32_t> path(node n) const {
        std::uint32_t room = depth(n) + 1;
        std::vector<std::uint32_t> path(room);
        check(ctree_store_path(get(), n, &room, path.data()));
        path.resize(room);
        return path;
    }
    node node_at_path(const std::vector<std::uint32_t> &path) const {
        return ctree_store_node_at_path(get(), path.data(), static_cast<std::uint32_t>(path.size()));
    }
    node next(node n, node root = none, bool skip_children = false) const {
        return ctree_store_next(get(), n, root, skip_children);
    }
    std::uint64_t subtree_count(node n) const { return ctree_store_subtree_count(get(), n); }
    ctree_memory memory() const {
        ctree_memory memory = {};
        memory.size = sizeof memory;
        check(ctree_store_memory(get(), &memory));
        return memory;
    }
    /// Throws std::logic_error with the reason where an invariant is broken.
    void validate() const {
        const char *reason = nullptr;
        ctree_status status = ctree_validate(get(), &reason);
        if (status == CTREE_CORRUPT) throw std::logic_error(reason);
        check(status);
    }

    /// Nodes in preorder below a root, for a range-based for; the root itself is not among them.
    class walk {
      public:
        class iterator {
          public:
            using iterator_category = std::input_iterator_tag;
            using value_type = node;
            using difference_type = std::ptrdiff_t;
            using pointer = const node *;
            using reference = node;
            iterator(const store *s, node root, node at) : store_(s), root_(root), at_(at) {}
            node operator*() const { return at_; }
            iterator &operator++() {
                at_ = store_->next(at_, root_);
                return *this;
            }
            void operator++(int) { ++*this; }
            bool operator==(const iterator &other) const { return at_ == other.at_; }
            bool operator!=(const iterator &other) const { return at_ != other.at_; }

          private:
            const store *store_;
            node root_, at_;
        };
        walk(const store &s, node root) : store_(&s), root_(root) {}
        iterator begin() const { return {store_, root_, store_->next(root_, root_)}; }
        iterator end() const { return {store_, root_, none}; }

      private:
        const store *store_;
        node root_;
    };
    walk below(node root = none) const { return {*this, root}; }

    // ---- Edits

    /// On CTREE_DUPLICATE the error's fault names the node that has the identifier.
    node insert(node parent, id name, ctree_node_init init = {0, 0, CTREE_STATE_LEAF}, std::uint32_t at = CTREE_END) {
        node made = none;
        ctree_status status = ctree_store_insert(get(), parent, at, name, &init, &made);
        shared_->edge.rethrow();
        if (status == CTREE_DUPLICATE)
            throw error(status, ctree_fault{sizeof(ctree_fault), CTREE_NO_ITEM, CTREE_NO_ITEM, made});
        check(status);
        return made;
    }
    void remove(node n) { done(ctree_store_remove(get(), n)); }
    void remove_children(node parent, std::uint32_t first, std::uint32_t count) {
        done(ctree_store_remove_children(get(), parent, first, count));
    }
    void move(node n, node parent, std::uint32_t at = CTREE_END) { done(ctree_store_move(get(), n, parent, at)); }
    void set(node n, std::uint64_t value, std::uint64_t revision = 0) {
        done(ctree_store_set_value(get(), n, value, revision));
    }
    void set_leaf(node n, bool leaf) { done(ctree_store_set_leaf(get(), n, leaf)); }
    std::vector<node> build(const forest &items, node parent = none, std::uint32_t at = CTREE_END,
                            const progress &ask = nullptr) {
        ctree_forest c = items.get();
        std::vector<node> made(static_cast<std::size_t>(c.count) + 1);
        bulk(ask, [&](const ctree_progress *asked, ctree_fault *fault) {
            return ctree_store_build(get(), parent, at, &c, asked, made.data(), fault);
        });
        made.pop_back();
        return made;
    }
    /// All nodes of another store, which is empty afterwards.
    void graft(store &other, node parent = none, std::uint32_t at = CTREE_END, const progress &ask = nullptr) {
        bulk(ask, [&](const ctree_progress *asked, ctree_fault *fault) {
            return ctree_store_graft(get(), parent, at, other.get(), asked, fault);
        });
    }
    std::vector<node> reconcile(const forest &items, node parent = none,
                                ctree_elsewhere elsewhere = CTREE_ELSEWHERE_FAILS, const progress &ask = nullptr) {
        ctree_forest c = items.get();
        std::vector<node> made(static_cast<std::size_t>(c.count) + 1);
        bulk(ask, [&](const ctree_progress *asked, ctree_fault *fault) {
            return ctree_store_reconcile(get(), parent, &c, static_cast<std::uint32_t>(elsewhere), asked, made.data(),
                                         fault);
        });
        made.pop_back();
        return made;
    }
    void begin() { done(ctree_store_begin(get())); }
    void end() { done(ctree_store_end(get())); }

    /// Told of edits; ends with the object that listen gives.
    struct listener {
        std::function<void(const ctree_edit &)> before, after;
        std::function<void()> settled;
    };
    class listening {
      public:
        listening(listening &&other) noexcept : store_(other.store_), held_(std::move(other.held_)) {}
        listening &operator=(listening &&) = delete;
        ~listening() {
            if (held_) (void)ctree_store_remove_listener(store_, held_->token);
        }

      private:
        friend class store;
        struct held {
            listener told;
            detail::boundary *edge;
            std::uint64_t token;
        };
        listening(ctree_store *s, std::unique_ptr<held> h) : store_(s), held_(std::move(h)) {}
        ctree_store *store_;
        std::unique_ptr<held> held_;
    };
    /// The store must outlive what this gives.
    [[nodiscard]] listening listen(listener told) {
        auto held = std::make_unique<listening::held>();
        held->told = std::move(told);
        held->edge = &shared_->edge;
        ctree_listener c = {};
        c.context = held.get();
        c.before = [](void *context, const ctree_store *, const ctree_edit *edit) {
            auto &h = *static_cast<listening::held *>(context);
            h.edge->run([&] {
                if (h.told.before) h.told.before(*edit);
            });
        };
        c.after = [](void *context, const ctree_store *, const ctree_edit *edit) {
            auto &h = *static_cast<listening::held *>(context);
            h.edge->run([&] {
                if (h.told.after) h.told.after(*edit);
            });
        };
        c.settled = [](void *context, ctree_store *) {
            auto &h = *static_cast<listening::held *>(context);
            h.edge->run([&] {
                if (h.told.settled) h.told.settled();
            });
        };
        check(ctree_store_add_listener(get(), &c, &held->token));
        return listening(get(), std::move(held));
    }

    // ---- Loading

    void request(node n) { done(ctree_load_request(get(), n)); }
    node next_request() { return ctree_load_next_request(get()); }
    /// The ticket of a load that begins, or of the one under way: then `begun` is false.
    struct load {
        ctree_ticket ticket;
        bool begun;
    };
    load begin_load(node n, bool reload = false) {
        load result = {0, true};
        ctree_status status = ctree_load_begin(get(), n, reload ? CTREE_LOAD_RELOAD : 0, &result.ticket);
        if (status == CTREE_LOADING) return {result.ticket, false};
        done(status);
        return result;
    }
    ctree_status check_load(node n, ctree_ticket ticket) const { return ctree_load_check(get(), n, ticket); }
    void finish_load(node n, ctree_ticket ticket, const forest &items,
                     ctree_elsewhere elsewhere = CTREE_ELSEWHERE_MOVES) {
        ctree_forest c = items.get();
        bulk(nullptr, [&](const ctree_progress *, ctree_fault *fault) {
            return ctree_load_finish(get(), n, ticket, &c, static_cast<std::uint32_t>(elsewhere), nullptr, fault);
        });
    }
    void append_load(node n, ctree_ticket ticket, const forest &page, bool more) {
        ctree_forest c = page.get();
        bulk(nullptr, [&](const ctree_progress *, ctree_fault *fault) {
            return ctree_load_append(get(), n, ticket, &c, more, nullptr, fault);
        });
    }
    void fail_load(node n, ctree_ticket ticket, std::uint64_t why) { done(ctree_load_fail(get(), n, ticket, why)); }
    void cancel_load(node n, ctree_ticket ticket) { done(ctree_load_cancel(get(), n, ticket)); }
    std::uint64_t load_error(node n) const { return ctree_load_error(get(), n); }
    void drop(node n) { done(ctree_load_drop(get(), n)); }

    /// Whatever callbacks threw within the last call.
    void done(ctree_status status) {
        shared_->edge.rethrow();
        check(status);
    }

  private:
    friend class view;
    struct shared {
        std::function<void(span<node>, span<std::uint64_t>)> released;
        detail::boundary edge;
    };

    template <class T> T out(ctree_status (*call)(const ctree_store *, ctree_node, T *), node n) const {
        T result;
        check(call(get(), n, &result));
        return result;
    }

    template <class Call> void bulk(const progress &ask, Call call) {
        ctree_fault fault = {sizeof fault, CTREE_NO_ITEM, CTREE_NO_ITEM, none};
        detail::asked asked(ask, shared_->edge);
        ctree_status status = call(asked.get(), &fault);
        shared_->edge.rethrow();
        if (status != CTREE_OK) throw error(status, fault);
    }

    // In this order: the store is ended before that which its callbacks use.
    std::unique_ptr<shared> shared_;
    std::unique_ptr<ctree_store, detail::store_end> store_;
};

/// A view of a store, which must outlive it or be ended first: then each call throws CTREE_CLOSED.
class view {
  public:
    explicit view(store &of, std::uint32_t flags = CTREE_VIEW_RECORDS, std::uint32_t default_depth = 0)
        : edge_(std::make_unique<detail::boundary>()) {
        ctree_view_options options = CTREE_VIEW_OPTIONS_INIT;
        options.flags = flags;
        options.default_depth = default_depth;
        ctree_view *made;
        check(ctree_view_create(of.get(), &options, &made));
        view_.reset(made);
    }

    ctree_view *get() const { return view_.get(); }
    bool is_of(const store &s) const { return ctree_view_store(get()) == s.get(); }

    void expand(node n) { done(ctree_view_expand(get(), n)); }
    void collapse(node n) { done(ctree_view_collapse(get(), n)); }
    void toggle(node n) { done(ctree_view_toggle(get(), n)); }
    void reveal(node n) { done(ctree_view_reveal(get(), n)); }
    void expand_all(node n = none, std::uint32_t levels = CTREE_ALL_LEVELS, const progress &ask = nullptr) {
        detail::asked asked(ask, *edge_);
        done(ctree_view_expand_all(get(), n, levels, asked.get()));
    }
    void collapse_all(node n = none) { done(ctree_view_collapse_all(get(), n)); }
    bool is_expanded(node n) const { return ctree_view_is_expanded(get(), n); }
    bool is_visible(node n) const { return ctree_view_is_visible(get(), n); }
    bool is_expandable(node n) const { return ctree_view_is_expandable(get(), n); }

    std::uint32_t row_count() const { return ctree_view_row_count(get()); }
    node node_at(std::uint32_t row) const { return ctree_view_node_at(get(), row); }
    std::optional<std::uint32_t> row_of(node n) const { return rows::some(ctree_view_row_of(get(), n)); }
    std::vector<node> nodes_at(const std::vector<std::uint32_t> &asked) const {
        std::vector<node> found(asked.size());
        check(ctree_view_nodes_at(get(), asked.data(), asked.size(), found.data()));
        return found;
    }
    std::vector<std::uint32_t> rows_of(const std::vector<node> &nodes) const {
        std::vector<std::uint32_t> found(nodes.size());
        check(ctree_view_rows_of(get(), nodes.data(), nodes.size(), found.data()));
        return found;
    }
    std::vector<ctree_row> window(std::uint32_t first, std::uint32_t count) const {
        count = room(first, count);
        std::vector<ctree_row> found(count + 1);
        check(ctree_view_window(get(), first, &count, found.data()));
        found.resize(count);
        return found;
    }
    /// Nodes and depths of a window, without the rest.
    std::pair<std::vector<node>, std::vector<std::uint32_t>> nodes_from(std::uint32_t first,
                                                                        std::uint32_t count) const {
        count = room(first, count);
        std::vector<node> nodes(count + 1);
        std::vector<std::uint32_t> depths(count + 1);
        check(ctree_view_nodes_from(get(), first, &count, nodes.data(), depths.data()));
        nodes.resize(count);
        depths.resize(count);
        return {std::move(nodes), std::move(depths)};
    }
    std::vector<node> ancestors(node n) const {
        std::uint32_t count = 0;
        ctree_status status = ctree_view_ancestors(get(), n, &count, nullptr);
        if (status != CTREE_OK && status != CTREE_RANGE) throw error(status);
        std::vector<node> found(count + 1);
        check(ctree_view_ancestors(get(), n, &count, found.data()));
        found.resize(count);
        return found;
    }

    std::uint32_t section_count() const { return ctree_view_section_count(get()); }
    node section_node(std::uint32_t section) const { return ctree_view_section_node(get(), section); }
    std::uint32_t section_rows(std::uint32_t section) const { return ctree_view_section_rows(get(), section); }
    ctree_index_path index_path(std::uint32_t row) const {
        ctree_index_path path;
        check(ctree_view_index_path(get(), row, &path));
        return path;
    }
    std::optional<std::uint32_t> row_at(ctree_index_path path) const {
        return rows::some(ctree_view_row_at_index_path(get(), path));
    }
    rows flatten(bool lookup = false, const progress &ask = nullptr) const {
        detail::asked asked(ask, *edge_);
        ctree_rows *made;
        ctree_status status = ctree_rows_flatten(get(), lookup ? CTREE_ROWS_LOOKUP : 0, asked.get(), &made);
        edge_->rethrow();
        check(status);
        return rows(made);
    }
    /// Rows of a moment, described as their nodes are now.
    std::vector<ctree_row> window(const rows &of, std::uint32_t first, std::uint32_t count) const {
        std::uint32_t all = of.count(), fits = first < all ? all - first : 0;
        if (count > fits) count = first > all ? 1 : fits;
        std::vector<ctree_row> found(count + 1);
        check(ctree_rows_window(of.get(), get(), first, &count, found.data()));
        found.resize(count);
        return found;
    }

    std::uint64_t memory() const { return ctree_view_memory(get()); }
    void trim() { done(ctree_view_trim(get())); }
    void compact() { done(ctree_view_compact(get())); }
    void validate() const {
        const char *reason = nullptr;
        ctree_status status = ctree_view_validate(get(), &reason);
        if (status == CTREE_CORRUPT) throw std::logic_error(reason);
        check(status);
    }

    void select(node n, bool selected = true) { done(ctree_view_select(get(), n, selected)); }
    void select_rows(std::uint32_t first, std::uint32_t count, bool selected = true) {
        done(ctree_view_select_rows(get(), first, count, selected));
    }
    void deselect_all() { done(ctree_view_deselect_all(get())); }
    bool is_selected(node n) const { return ctree_view_is_selected(get(), n); }
    std::uint64_t selected_count() const { return ctree_view_selected_count(get()); }
    std::vector<node> selected() const {
        std::uint64_t count = selected_count();
        std::vector<node> found(static_cast<std::size_t>(count) + 1);
        check(ctree_view_selected(get(), &count, found.data()));
        found.resize(static_cast<std::size_t>(count));
        return found;
    }

    /// Tells what is expanded, collapsed or selected, by identifiers that are lent for the call.
    void save(std::uint32_t what, const std::function<void(const ctree_saved &)> &tell) const {
        struct telling {
            const std::function<void(const ctree_saved &)> &tell;
            detail::boundary &edge;
        } context{tell, *edge_};
        ctree_status status = ctree_view_save(
            get(), what,
            [](void *given, const ctree_saved *entry) {
                auto &t = *static_cast<telling *>(given);
                t.edge.run([&] { t.tell(*entry); });
                return true;
            },
            &context);
        edge_->rethrow();
        check(status);
    }
    void restore(const std::vector<ctree_saved> &entries) {
        done(ctree_view_restore(get(), entries.data(), entries.size()));
    }
    std::uint64_t waiting_count() const { return ctree_view_waiting_count(get()); }
    void forget_waiting() { done(ctree_view_forget_waiting(get())); }
    /// Whether the node is visible, and it; else that loads are to bring it, and its nearest ancestor.
    std::pair<bool, node> reveal_path(const std::vector<ctree_id> &path) {
        node found = none;
        ctree_status status =
            ctree_view_reveal_path(get(), path.data(), static_cast<std::uint32_t>(path.size()), &found);
        edge_->rethrow();
        if (status != CTREE_LOADING) check(status);
        return {status == CTREE_OK, found};
    }

    /// Lent until the next call of the view that is not const.
    const ctree_batch &commit(std::uint64_t limit = 0) {
        const ctree_batch *batch;
        done(ctree_view_commit(get(), limit, &batch));
        return *batch;
    }
    const ctree_section_batch &commit_sections(std::uint64_t limit = 0) {
        const ctree_section_batch *batch;
        done(ctree_view_commit_sections(get(), limit, &batch));
        return *batch;
    }
    void accept() { done(ctree_view_accept(get())); }
    /// Told of each splice as it happens; an empty function ends it.
    void watch(std::function<void(const ctree_splice &)> told) {
        auto next = std::make_unique<watcher>(watcher{std::move(told), edge_.get()});
        ctree_splice_fn call = nullptr;
        if (next->told) {
            call = [](void *context, const ctree_view *, const ctree_splice *splice) {
                auto &w = *static_cast<watcher *>(context);
                w.edge->run([&] { w.told(*splice); });
            };
        }
        done(ctree_view_watch(get(), call, next.get()));
        watcher_ = std::move(next);
    }

  private:
    struct watcher {
        std::function<void(const ctree_splice &)> told;
        detail::boundary *edge;
    };

    std::uint32_t room(std::uint32_t first, std::uint32_t count) const {
        std::uint32_t all = row_count(), fits = first < all ? all - first : 0;
        return count < fits ? count : first > all ? 1 : fits;
    }
    void done(ctree_status status) {
        edge_->rethrow();
        check(status);
    }

    std::unique_ptr<detail::boundary> edge_;
    std::unique_ptr<watcher> watcher_;
    std::unique_ptr<ctree_view, detail::view_end> view_;
};

/// The change between two lists of rows.
class diff {
  public:
    diff(const ctree_diff_list *old_list, const ctree_diff_list &new_list, std::uint32_t keys = CTREE_DIFF_U64,
         std::uint32_t forms = CTREE_DIFF_BATCH, std::uint64_t limit = 0, const progress &ask = nullptr) {
        detail::boundary edge;
        detail::asked asked(ask, edge);
        ctree_diff_options options = CTREE_DIFF_OPTIONS_INIT;
        options.keys = keys;
        options.forms = forms;
        options.limit = limit;
        options.progress = asked.get();
        ctree_diff_duplicate twice;
        ctree_diff *made;
        ctree_status status = ctree_diff_create(old_list, &new_list, &options, &twice, &made);
        edge.rethrow();
        if (status == CTREE_DUPLICATE) {
            error failed(status);
            failed.twice = twice;
            throw failed;
        }
        check(status);
        diff_.reset(made);
    }

    const ctree_batch &batch() const { return *ctree_diff_batch(diff_.get()); }
    const ctree_section_batch &section_batch() const { return *ctree_diff_section_batch(diff_.get()); }
    const ctree_splices &splices() const { return *ctree_diff_splices(diff_.get()); }
    const ctree_steps &steps() const { return *ctree_diff_steps(diff_.get()); }

  private:
    std::unique_ptr<ctree_diff, detail::diff_end> diff_;
};

} // namespace ctree

#endif
