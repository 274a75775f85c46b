// A tree whose folders are loaded as they are opened, and the batches that a table would take.

#include <iostream>

#include "ctree.hpp"

namespace {

/* What a database would answer. */
std::vector<std::string> names_below(const std::string &folder) {
    if (folder == "library") return {"novels", "essays"};
    if (folder == "novels") return {"Middlemarch", "Emma"};
    return {};
}

void load_what_was_opened(ctree::store &store) {
    while (ctree::node folder = store.next_request()) {
        auto load = store.begin_load(folder);
        std::vector<std::string> names = names_below(std::string(store.name(folder).bytes()));
        ctree::forest items;
        for (const std::string &name : names) {
            items.ids.push_back(ctree::id(name));
            items.states.push_back(name == "novels" || name == "essays" ? CTREE_STATE_UNLOADED : CTREE_STATE_LEAF);
        }
        store.finish_load(folder, load.ticket, items);
    }
}

void show(const ctree::store &store, ctree::view &view) {
    const ctree_batch &batch = view.commit();
    for (const auto &range : ctree::span(batch.inserts, batch.insert_count))
        std::cout << "rows " << range.first << " to " << range.first + range.count - 1 << " came\n";
    view.accept();
    for (const ctree_row &row : view.window(0, 20)) {
        std::cout << std::string(2 * row.depth, ' ')
                  << (row.expanded     ? "- "
                      : row.expandable ? "+ "
                                       : "  ")
                  << store.name(row.node).bytes() << "\n";
    }
}

} // namespace

int main() {
    try {
        ctree::store::options options;
        options.ids = CTREE_ID_BYTES;
        ctree::store store(options);
        ctree::node library = store.insert(ctree::none, "library", {0, 0, CTREE_STATE_UNLOADED});
        ctree::view view(store);
        view.accept();
        view.expand(library);
        load_what_was_opened(store);
        show(store, view);
        view.expand(store.find("novels"));
        load_what_was_opened(store);
        show(store, view);
    } catch (const ctree::error &error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
    return 0;
}
