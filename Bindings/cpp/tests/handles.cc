// What C++ alone has: who ends what, what callbacks throw, ranges.

#include "ctree.hpp"

#include <cstdio>
#include <cstdlib>

namespace {

int checks = 0;

void require(bool holds, const char *what) {
    checks++;
    if (holds) return;
    std::fprintf(stderr, "not so: %s\n", what);
    std::exit(1);
}

template <class Call> ctree_status status_of(Call call) {
    try {
        call();
    } catch (const ctree::error &error) {
        return error.status;
    }
    return CTREE_OK;
}

void a_store_that_is_moved_keeps_its_views() {
    ctree::store first;
    ctree::node top = first.insert(ctree::none, 1);
    ctree::view view(first);
    ctree::store second = std::move(first);
    second.insert(ctree::none, 2);
    require(view.row_count() == 2 && second.contains(top), "a view of a moved store follows it");
}

void a_view_outlives_its_store_and_says_so() {
    auto store = std::make_unique<ctree::store>();
    ctree::node top = store->insert(ctree::none, 1, {0, 0, CTREE_STATE_UNLOADED});
    ctree::view view(*store);
    store.reset();
    require(status_of([&] { view.expand(top); }) == CTREE_CLOSED, "a view of an ended store is closed");
}

void what_a_callback_throws_comes_out_of_the_call() {
    ctree::store store;
    bool thrown = false;
    {
        ctree::store::listener told;
        told.after = [](const ctree_edit &) { throw std::range_error("of the listener"); };
        auto listening = store.listen(told);
        try {
            store.insert(ctree::none, 1);
        } catch (const std::range_error &) {
            thrown = true;
        }
    }
    store.insert(ctree::none, 2);
    require(thrown && store.count() == 2, "the insert took place, the error came out, and listening has ended");
    ctree::view view(store);
    view.watch([](const ctree_splice &) { throw std::range_error("of the watcher"); });
    require(store.count() == 2, "watching changes nothing");
}

void values_are_told_when_the_store_ends() {
    std::vector<std::uint64_t> released;
    {
        ctree::store::options options;
        options.released = [&](auto, auto values) { released.assign(values.begin(), values.end()); };
        ctree::store store(options);
        store.insert(ctree::none, 1, {42, 0, CTREE_STATE_LEAF});
    }
    require(released.size() == 1 && released[0] == 42, "the last value was released");
}

void progress_stops_a_build() {
    ctree::store store;
    ctree::forest items;
    for (std::uint64_t i = 0; i < 200000; i++) items.numbers.push_back(i);
    auto stop = [](std::uint64_t, std::uint64_t) { return false; };
    require(status_of([&] { store.build(items, ctree::none, CTREE_END, stop); }) == CTREE_CANCELLED,
            "it is cancelled");
    require(store.count() == 0, "and nothing is left of it");
    auto fail = [](std::uint64_t, std::uint64_t) -> bool { throw std::range_error("of the progress"); };
    bool thrown = false;
    try {
        store.build(items, ctree::none, CTREE_END, fail);
    } catch (const std::range_error &) {
        thrown = true;
    }
    require(thrown && store.count() == 0, "what it throws comes out");
}

void ranges_tell_each_node_once() {
    ctree::store store;
    ctree::forest items;
    items.numbers = {1, 2, 3, 4};
    items.parents = {CTREE_END, 0, 1, CTREE_END};
    store.build(items);
    std::uint64_t sum = 0, count = 0;
    for (ctree::node node : store.below()) {
        sum += store.name(node).number();
        count++;
    }
    require(sum == 10 && count == 4, "a walk is a range");
    items.values = {1};
    bool thrown = false;
    try {
        store.build(items);
    } catch (const std::invalid_argument &) {
        thrown = true;
    }
    require(thrown, "columns of other lengths are refused");
}

void windows_say_what_is_beyond_the_end() {
    ctree::store store;
    store.insert(ctree::none, 1);
    ctree::view view(store);
    require(view.window(0, 100).size() == 1 && view.window(1, 5).empty(), "a window ends with the rows");
    require(status_of([&] { view.window(2, 5); }) == CTREE_RANGE, "and does not begin behind them");
}

} // namespace

int main() {
    a_store_that_is_moved_keeps_its_views();
    a_view_outlives_its_store_and_says_so();
    what_a_callback_throws_comes_out_of_the_call();
    values_are_told_when_the_store_ends();
    progress_stops_a_build();
    ranges_tell_each_node_once();
    windows_say_what_is_beyond_the_end();
    std::printf("%d checks\n", checks);
    return 0;
}
