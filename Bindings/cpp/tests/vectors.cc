// Runs the scenarios of Tests/vectors, whose README is the format, through ctree.hpp.

#include "ctree.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <sstream>

namespace {

using Words = std::vector<std::string>;

struct Step {
    int number;
    Words words;
    std::vector<Words> given;
    std::vector<std::string> expected;
};

struct Scenario {
    std::string name;
    std::vector<Step> steps;
};

struct Unknown {};

Words split(const std::string &line, char between = ' ') {
    Words words;
    std::string word;
    std::istringstream in(line);
    while (std::getline(in, word, between)) words.push_back(word);
    return words;
}

std::vector<Scenario> read(const std::string &path) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error("cannot read " + path);
    std::vector<Scenario> scenarios;
    std::string line;
    for (int number = 1; std::getline(in, line); number++) {
        if (line.rfind("scenario ", 0) == 0) {
            scenarios.push_back({line.substr(9), {}});
        } else if (line.rfind("+ ", 0) == 0) {
            scenarios.back().steps.back().given.push_back(split(line.substr(2)));
        } else if (line.rfind("= ", 0) == 0) {
            scenarios.back().steps.back().expected.push_back(line.substr(2));
        } else if (!line.empty() && line[0] != '#') {
            scenarios.back().steps.push_back({number, split(line), {}, {}});
        }
    }
    return scenarios;
}

std::string unquoted(const std::string &word) {
    if (word.size() < 2 || word.front() != '"' || word.back() != '"') throw std::logic_error("no quoted id: " + word);
    std::string bytes;
    for (size_t i = 1; i + 1 < word.size(); i++) {
        if (word[i] != '\\') {
            bytes += word[i];
            continue;
        }
        bytes += char(std::stoi(word.substr(i + 2, 2), nullptr, 16));
        i += 3;
    }
    return bytes;
}

std::string quoted(std::string_view bytes) {
    static const char digits[] = "0123456789abcdef";
    std::string word = "\"";
    for (char c : bytes) {
        auto byte = static_cast<unsigned char>(c);
        if (byte > 0x20 && byte < 0x7f && byte != '"' && byte != '\\' && byte != '/') {
            word += char(byte);
        } else {
            word += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
        }
    }
    return word + '"';
}

uint64_t number(const std::string &word) { return std::stoull(word); }
uint32_t small(const std::string &word) { return uint32_t(number(word)); }
uint32_t place(const std::string &word) { return word == "end" ? CTREE_END : small(word); }
uint32_t levels(const std::string &word) { return word == "all" ? CTREE_ALL_LEVELS : small(word); }
std::string yes(bool flag) { return flag ? "yes" : "no"; }
bool has(const Words &words, const char *word) { return std::find(words.begin(), words.end(), word) != words.end(); }

uint64_t limit(const Words &words) {
    auto at = std::find(words.begin(), words.end(), "limit");
    return at == words.end() ? 0 : number(at[1]);
}

ctree::progress stopper(const Words &words) {
    if (words.empty() || words.back() != "stop") return nullptr;
    return [](uint64_t, uint64_t) { return false; };
}

const char *const kStates[] = {"leaf", "unloaded", "loading", "loaded", "failed", "keep"};

uint32_t state_of(const std::string &word) {
    auto at = std::find(std::begin(kStates), std::end(kStates), word);
    if (at == std::end(kStates)) throw std::logic_error("no such state: " + word);
    return uint32_t(at - std::begin(kStates));
}

std::string status_word(ctree_status status) {
    static const char *const words[] = {"ok",         "no-memory", "invalid", "stale",  "range",  "duplicate",
                                        "limit",      "leaf",      "cycle",   "busy",   "closed", "cancelled",
                                        "superseded", "not-found", "loading", "corrupt"};
    return words[status];
}

void require(bool holds, const char *what) {
    if (!holds) throw std::logic_error(what);
}

class Runner {
  public:
    /* The lines that a step prints. */
    std::vector<std::string> run(const Step &step) {
        out_.clear();
        verb_ = step.words[0];
        w_ = Words(step.words.begin() + 1, step.words.end());
        given_ = &step.given;
        try {
            auto verb = verbs().find(verb_);
            if (verb == verbs().end()) throw std::logic_error("no such verb: " + verb_);
            (this->*verb->second)();
        } catch (const Unknown &) {
            return {"unknown"};
        } catch (const ctree::error &error) {
            return {failure(error)};
        }
        return out_;
    }

  private:
    using Verb = void (Runner::*)();
    static const std::map<std::string, Verb> &verbs();

    std::string failure(const ctree::error &error) {
        std::string word = status_word(error.status);
        if (error.twice) {
            return word + (error.twice->in_new ? " new" : " old") + (error.twice->in_sections ? " section " : " row ")
                   + std::to_string(error.twice->first) + " " + std::to_string(error.twice->second);
        }
        if (!error.fault) return word;
        if (verb_ == "insert") return word + " " + name(error.fault->node);
        auto item = [](uint64_t at) { return at == CTREE_NO_ITEM ? "-" : std::to_string(at); };
        return word + " item " + item(error.fault->item) + " other " + item(error.fault->other_item) + " node "
               + name(error.fault->node);
    }

    // ---- Words

    template <class... Parts> void say(const Parts &...parts) {
        std::ostringstream line;
        const char *between = "";
        ((line << between << parts, between = " "), ...);
        out_.push_back(line.str());
    }
    template <class List, class Show> void say_list(const List &list, Show show) {
        std::string line = std::to_string(list.size());
        for (const auto &item : list) line += " " + show(item);
        out_.push_back(line);
    }
    void list(const std::vector<ctree::node> &nodes) {
        say_list(nodes, [&](ctree::node node) { return name(node); });
    }

    bool bytes() const { return store_->id_kind() == CTREE_ID_BYTES; }
    bool siblings() const { return store_->id_scope() == CTREE_SCOPE_SIBLINGS; }

    /* The bytes live as long as the step. */
    ctree_id id(const std::string &word) {
        if (!bytes()) return ctree_id_u64(number(word));
        return held(unquoted(word));
    }
    ctree_id held(std::string bytes) {
        kept_.push_back(std::make_unique<std::string>(std::move(bytes)));
        return ctree_id_bytes(kept_.back()->data(), kept_.back()->size());
    }
    std::string id_word(ctree_id id) const {
        return bytes() ? quoted(ctree::id(id).bytes()) : std::to_string(id.word);
    }
    std::vector<ctree_id> path(const std::string &word) {
        std::vector<ctree_id> ids;
        for (const std::string &part : split(word, '/')) ids.push_back(id(part));
        return ids;
    }

    ctree::node node(const std::string &word) {
        if (word == "-") return ctree::none;
        if (word[0] == '$') return handles_.at(word);
        ctree::node found = ctree::none;
        if (!siblings()) {
            found = store_->find(id(word));
        } else {
            for (const std::string &part : split(word, '/')) {
                found = store_->find_child(found, id(part));
                if (found == ctree::none) break;
            }
        }
        if (found == ctree::none) throw Unknown();
        return found;
    }
    ctree::node node(size_t at) { return node(w_.at(at)); }

    std::string name(ctree::node node) const {
        if (node == ctree::none) return "-";
        if (!store_->contains(node)) return "gone";
        std::string word = id_word(store_->name(node));
        while (siblings() && (node = store_->parent(node)) != ctree::none)
            word = id_word(store_->name(node)) + "/" + word;
        return word;
    }

    void window(const std::vector<ctree_row> &rows) {
        for (const ctree_row &row : rows) {
            say(row.depth, name(row.node), row.position, row.sibling_count, kStates[row.load_state],
                row.expandable ? "expandable" : "-", row.expanded ? "expanded" : "-", row.more ? "more" : "-");
        }
    }

    ctree::forest forest() {
        ctree::forest items;
        std::set<std::string> parents;
        bool all_auto = true;
        for (const Words &line : *given_) parents.insert(line[0]);
        for (size_t i = 0; i < given_->size(); i++) {
            Words line = (*given_)[i];
            static const char *const missing[] = {"0", "0", "auto"};
            while (line.size() < 5) line.push_back(missing[line.size() - 2]);
            if (bytes()) items.ids.push_back(id(line[1]));
            else items.numbers.push_back(number(line[1]));
            items.parents.push_back(line[0] == "-" ? CTREE_END : small(line[0]));
            items.values.push_back(number(line[2]));
            items.revisions.push_back(number(line[3]));
            if (line[4] != "auto") all_auto = false;
            bool above = parents.count(std::to_string(i)) != 0;
            uint32_t by_itself = above ? CTREE_STATE_LOADED : CTREE_STATE_LEAF;
            items.states.push_back(uint8_t(line[4] != "auto" ? state_of(line[4]) : by_itself));
        }
        if (all_auto) items.states.clear();
        return items;
    }

    ctree::view &view(size_t at = 0) {
        auto found = views_.find(w_.at(at));
        require(found != views_.end() && found->second, "no such view");
        return *found->second;
    }
    const ctree::rows &rows_at(size_t at = 0) { return rows_.at(w_.at(at)); }
    std::string row_word(std::optional<uint32_t> row) { return row ? std::to_string(*row) : "-"; }

    // ---- The store

    void do_store() {
        ctree::store::options options;
        options.ids = w_[0] == "u64" ? CTREE_ID_U64 : CTREE_ID_BYTES;
        options.scope = w_[1] == "store" ? CTREE_SCOPE_STORE : CTREE_SCOPE_SIBLINGS;
        options.node_limit = limit(w_);
        options.released = [this](auto, auto values) { values_.insert(values_.end(), values.begin(), values.end()); };
        store_ = std::make_unique<ctree::store>(std::move(options));
    }
    void do_close() { store_.reset(); }
    void do_kinds() { say(bytes() ? "bytes" : "u64", siblings() ? "siblings" : "store"); }
    void do_count() { say(store_->count()); }
    void do_memory() { require(store_->memory().total > 0, "no memory is held"); }
    void do_validate() { store_->validate(); }
    void do_find() { say(name(store_->find(id(w_[0])))); }
    void do_find_child() { say(name(store_->find_child(node(0), id(w_[1])))); }
    void do_find_many() {
        std::vector<ctree_id> ids;
        for (size_t i = 1; i < w_.size(); i++) ids.push_back(id(w_[i]));
        std::vector<ctree::node> parents;
        if (siblings()) parents.assign(ids.size(), node(0));
        list(store_->find_many(ids, parents));
    }
    void do_find_many_u64() {
        std::vector<uint64_t> numbers;
        for (size_t i = 1; i < w_.size(); i++) numbers.push_back(number(w_[i]));
        std::vector<ctree::node> parents;
        if (siblings()) parents.assign(numbers.size(), node(0));
        list(store_->find_many(numbers, parents));
    }
    void do_name() { handles_[w_[0]] = node(1); }
    void do_contains() { say(yes(store_->contains(node(0)))); }
    void do_node() {
        ctree_node_info info = store_->info(node(0));
        say("parent", name(info.parent), "value", info.value, "revision", info.revision, "state",
            kStates[info.load_state], "children", info.child_count, "more", yes(info.more));
    }
    void do_parent() { say(name(store_->parent(node(0)))); }
    void do_id() { say(id_word(store_->name(node(0)))); }
    void do_value() { say(store_->value(node(0))); }
    void do_revision() { say(store_->revision(node(0))); }
    void do_state() { say(kStates[store_->state(node(0))]); }
    void do_child_count() { say(store_->child_count(node(0))); }
    void do_child_at() { say(name(store_->child_at(node(0), small(w_[1])))); }
    void do_children() { list(store_->children(node(0), small(w_[1]), small(w_[2]))); }
    void do_ordinal() { say(store_->ordinal(node(0))); }
    void do_depth() { say(store_->depth(node(0))); }
    void do_below() { say(yes(store_->is_below(node(0), node(1)))); }
    void do_path() {
        say_list(store_->path(node(0)), [](uint32_t ordinal) { return std::to_string(ordinal); });
    }
    void do_at_path() {
        std::vector<uint32_t> path;
        for (const std::string &word : w_) path.push_back(small(word));
        say(name(store_->node_at_path(path)));
    }
    void do_next() { say(name(store_->next(node(0), node(1), w_[2] == "yes"))); }
    void do_walk() {
        std::vector<ctree::node> nodes;
        ctree::node root = node(0);
        if (root != ctree::none) nodes.push_back(root);
        for (ctree::node below : store_->below(root)) nodes.push_back(below);
        list(nodes);
    }
    void do_subtree_count() { say(store_->subtree_count(node(0))); }
    void do_version() {
        require(ctree_version() == CTREE_VERSION_MAJOR * 1000000 + CTREE_VERSION_MINOR * 1000 + CTREE_VERSION_PATCH,
                "version");
        require(std::string(ctree_version_string()) == CTREE_VERSION_STRING, "version string");
        require(ctree_abi_version() == CTREE_ABI_VERSION, "ABI version");
    }
    void do_status_name() { say(ctree_status_name(ctree_status(small(w_[0])))); }

    // ---- Edits

    void do_insert() {
        ctree_node_init init = {0, 0, CTREE_STATE_LEAF};
        if (w_.size() > 3) init.value = number(w_[3]);
        if (w_.size() > 4) init.revision = number(w_[4]);
        if (w_.size() > 5) init.load_state = state_of(w_[5]);
        store_->insert(node(0), id(w_[2]), init, place(w_[1]));
    }
    void do_remove() { store_->remove(node(0)); }
    void do_remove_children() { store_->remove_children(node(0), small(w_[1]), small(w_[2])); }
    void do_move() { store_->move(node(0), node(1), place(w_[2])); }
    void do_set() { store_->set(node(0), number(w_[1]), number(w_[2])); }
    void do_set_leaf() { store_->set_leaf(node(0), w_[1] == "yes"); }
    void do_build() { store_->build(forest(), node(0), place(w_[1]), stopper(w_)); }
    void do_graft() {
        ctree::store::options options;
        options.ids = store_->id_kind();
        options.scope = store_->id_scope();
        ctree::store other(options);
        other.build(forest());
        try {
            store_->graft(other, node(0), place(w_[1]), stopper(w_));
        } catch (const ctree::error &) {
            require(other.count() == given_->size(), "a graft that failed took nodes");
            throw;
        }
        require(other.count() == 0, "a graft left nodes behind");
    }
    void do_reconcile() {
        store_->reconcile(forest(), node(0), w_[1] == "moves" ? CTREE_ELSEWHERE_MOVES : CTREE_ELSEWHERE_FAILS,
                          stopper(w_));
    }
    void do_begin() { store_->begin(); }
    void do_end() { store_->end(); }

    void hear(const char *when, const ctree_edit &edit) {
        static const char *const kinds[] = {"", "insert", "remove", "move", "change"};
        std::ostringstream line;
        line << when << " " << kinds[edit.kind];
        if (edit.kind == CTREE_EDIT_CHANGE) {
            line << " " << name(edit.node);
            if ((edit.changed & CTREE_CHANGED_VALUE) != 0) line << " value";
            if ((edit.changed & CTREE_CHANGED_REVISION) != 0) line << " revision";
            if ((edit.changed & CTREE_CHANGED_LOAD_STATE) != 0) line << " load-state";
        } else {
            line << " " << name(edit.parent) << " " << edit.first << " " << edit.count;
        }
        if (edit.kind == CTREE_EDIT_MOVE) line << " " << name(edit.to_parent) << " " << edit.to_first;
        heard_.push_back(line.str());
    }
    void do_listen() {
        ctree::store::listener told;
        told.before = [this](const ctree_edit &edit) { hear("before", edit); };
        told.after = [this](const ctree_edit &edit) {
            hear("after", edit);
            if (ctree_store_begin(store_->get()) != CTREE_BUSY) heard_.push_back("not busy");
        };
        told.settled = [this] { heard_.push_back("settled"); };
        listening_ = std::make_unique<ctree::store::listening>(store_->listen(std::move(told)));
    }
    void do_unlisten() { listening_.reset(); }
    void do_heard() { out_.swap(heard_), heard_.clear(); }
    void do_released() {
        std::sort(values_.begin(), values_.end());
        say_list(values_, [](uint64_t value) { return std::to_string(value); });
        values_.clear();
    }

    // ---- Loading

    void do_request() { store_->request(node(0)); }
    void do_next_request() { say(name(store_->next_request())); }
    void do_requests() {
        std::vector<ctree::node> nodes;
        while (ctree::node next = store_->next_request()) nodes.push_back(next);
        list(nodes);
    }
    void do_load() {
        auto load = store_->begin_load(node(0), has(w_, "reload"));
        tickets_[w_[1]] = load.ticket;
        if (!load.begun) say("loading");
    }
    ctree_ticket ticket() { return tickets_.at(w_[1]); }
    void do_check() { say(status_word(store_->check_load(node(0), ticket()))); }
    void do_finish() {
        store_->finish_load(node(0), ticket(), forest(),
                            w_[2] == "moves" ? CTREE_ELSEWHERE_MOVES : CTREE_ELSEWHERE_FAILS);
    }
    void do_append() { store_->append_load(node(0), ticket(), forest(), w_[2] == "more"); }
    void do_fail() { store_->fail_load(node(0), ticket(), number(w_[2])); }
    void do_cancel() { store_->cancel_load(node(0), ticket()); }
    void do_error() { say(store_->load_error(node(0))); }
    void do_drop() { store_->drop(node(0)); }

    // ---- Views

    void do_view() {
        uint32_t flags = 0;
        if (has(w_, "sections")) flags |= CTREE_VIEW_SECTIONS;
        if (has(w_, "forgets")) flags |= CTREE_VIEW_FORGETS;
        if (has(w_, "empty-can-open")) flags |= CTREE_VIEW_EMPTY_CAN_OPEN;
        if (has(w_, "records")) flags |= CTREE_VIEW_RECORDS;
        views_[w_[0]] = std::make_unique<ctree::view>(*store_, flags, levels(w_[1]));
    }
    void do_close_view() { views_.erase(w_[0]); }
    void do_view_store() { say(yes(view().is_of(*store_))); }
    void do_expand() { view().expand(node(1)); }
    void do_collapse() { view().collapse(node(1)); }
    void do_toggle() { view().toggle(node(1)); }
    void do_reveal() { view().reveal(node(1)); }
    void do_expand_all() { view().expand_all(node(1), levels(w_[2]), stopper(w_)); }
    void do_collapse_all() { view().collapse_all(node(1)); }
    void do_expanded() { say(yes(view().is_expanded(node(1)))); }
    void do_visible() { say(yes(view().is_visible(node(1)))); }
    void do_expandable() { say(yes(view().is_expandable(node(1)))); }
    void say_rows(const std::vector<ctree::node> &nodes, const std::vector<uint32_t> &depths) {
        for (size_t i = 0; i < nodes.size(); i++) say(depths[i], name(nodes[i]));
    }
    void do_rows() {
        auto [nodes, depths] = view().nodes_from(0, view().row_count());
        say_rows(nodes, depths);
    }
    void do_nodes_from() {
        auto [nodes, depths] = view().nodes_from(small(w_[1]), small(w_[2]));
        say_rows(nodes, depths);
    }
    void do_window() { window(view().window(small(w_[1]), small(w_[2]))); }
    void do_row_count() { say(view().row_count()); }
    void do_node_at() { say(name(view().node_at(small(w_[1])))); }
    void do_row_of() { say(row_word(view().row_of(node(1)))); }
    void do_nodes_at() {
        std::vector<uint32_t> asked;
        for (size_t i = 1; i < w_.size(); i++) asked.push_back(small(w_[i]));
        list(view().nodes_at(asked));
    }
    void do_rows_of() {
        std::vector<ctree::node> nodes;
        for (size_t i = 1; i < w_.size(); i++) nodes.push_back(node(i));
        say_list(view().rows_of(nodes), [&](uint32_t row) { return row_word(ctree::rows::some(row)); });
    }
    void do_ancestors() { list(view().ancestors(node(1))); }
    void do_section_count() { say(view().section_count()); }
    void do_section() { say(name(view().section_node(small(w_[1]))), view().section_rows(small(w_[1]))); }
    void do_index_path() {
        ctree_index_path path = view().index_path(small(w_[1]));
        say(path.section, path.row);
    }
    void do_row_at() { say(row_word(view().row_at({small(w_[1]), small(w_[2])}))); }
    void do_view_memory() { require(view().memory() > 0, "a view holds no memory"); }
    void do_trim() { view().trim(); }
    void do_compact() { view().compact(); }
    void do_validate_view() { view().validate(); }
    void do_select() { view().select(node(1), w_[2] == "yes"); }
    void do_select_rows() { view().select_rows(small(w_[1]), small(w_[2]), w_[3] == "yes"); }
    void do_deselect_all() { view().deselect_all(); }
    void do_selected() { say(yes(view().is_selected(node(1)))); }
    void do_selected_count() { say(view().selected_count()); }
    void do_selection() {
        std::string shown;
        std::vector<std::string> hidden;
        auto nodes = view().selected();
        for (ctree::node node : nodes) {
            if (view().row_of(node)) shown += " " + name(node);
            else hidden.push_back(name(node));
        }
        std::sort(hidden.begin(), hidden.end());
        std::string line = std::to_string(nodes.size()) + shown;
        for (const std::string &word : hidden) line += " " + word;
        out_.push_back(line);
    }
    void do_watch() {
        auto &told = splices_[w_[0]];
        view().watch([&told](const ctree_splice &splice) {
            told.push_back(std::to_string(splice.row) + " " + std::to_string(splice.removed) + " "
                           + std::to_string(splice.inserted));
        });
    }
    void do_unwatch() { view().watch(nullptr); }
    void do_splices() {
        out_ = splices_[w_[0]];
        splices_[w_[0]].clear();
    }

    // ---- Saved states

    uint32_t what(const Words &words, size_t from) {
        uint32_t bits = 0;
        for (size_t i = from; i < words.size(); i++) {
            if (words[i] == "expanded") bits |= CTREE_SAVED_EXPANDED;
            else if (words[i] == "collapsed") bits |= CTREE_SAVED_COLLAPSED;
            else if (words[i] == "selected") bits |= CTREE_SAVED_SELECTED;
            else throw std::logic_error("nothing that is saved: " + words[i]);
        }
        return bits;
    }
    void do_save() {
        view().save(what(w_, 1), [&](const ctree_saved &entry) {
            std::string line;
            for (uint32_t i = 0; i < entry.length; i++) line += (i != 0 ? "/" : "") + id_word(entry.path[i]);
            if ((entry.what & CTREE_SAVED_EXPANDED) != 0) line += " expanded";
            if ((entry.what & CTREE_SAVED_COLLAPSED) != 0) line += " collapsed";
            if ((entry.what & CTREE_SAVED_SELECTED) != 0) line += " selected";
            out_.push_back(line);
        });
        std::sort(out_.begin(), out_.end());
    }
    void do_restore() {
        std::vector<std::vector<ctree_id>> paths;
        for (const Words &line : *given_) paths.push_back(path(line[0]));
        std::vector<ctree_saved> entries;
        for (size_t i = 0; i < paths.size(); i++)
            entries.push_back({paths[i].data(), uint32_t(paths[i].size()), what((*given_)[i], 1)});
        view().restore(entries);
    }
    void do_waiting() { say(view().waiting_count()); }
    void do_forget_waiting() { view().forget_waiting(); }
    void do_reveal_path() {
        auto [visible, nearest] = view().reveal_path(path(w_[1]));
        say(visible ? "ok" : "loading", name(nearest));
    }

    // ---- Changes

    void batch(const ctree_batch &b) {
        if (b.reload != 0) return say("reload");
        say("rows", b.old_count, b.new_count);
        for (uint32_t i = 0; i < b.delete_count; i++) say("delete", b.deletes[i].first, b.deletes[i].count);
        for (uint32_t i = 0; i < b.insert_count; i++) say("insert", b.inserts[i].first, b.inserts[i].count);
        for (uint32_t i = 0; i < b.move_count; i++) say("move", b.moves[i].from, b.moves[i].to, b.moves[i].count);
        for (uint32_t i = 0; i < b.change_count; i++)
            say("change", b.changes[i].from, b.changes[i].to, b.changes[i].count);
    }
    void say_runs(const char *verb, const ctree_path_run *runs, uint32_t count) {
        for (uint32_t i = 0; i < count; i++)
            say(verb, runs[i].from_section, runs[i].from, runs[i].to_section, runs[i].to, runs[i].count);
    }
    void batch(const ctree_section_batch &b) {
        if (b.reload != 0) return say("reload");
        say("sections", b.old_section_count, b.new_section_count, "rows", b.old_count, b.new_count);
        for (uint32_t i = 0; i < b.section_delete_count; i++)
            say("section-delete", b.section_deletes[i].first, b.section_deletes[i].count);
        for (uint32_t i = 0; i < b.section_insert_count; i++)
            say("section-insert", b.section_inserts[i].first, b.section_inserts[i].count);
        for (uint32_t i = 0; i < b.section_move_count; i++)
            say("section-move", b.section_moves[i].from, b.section_moves[i].to, b.section_moves[i].count);
        for (uint32_t i = 0; i < b.section_change_count; i++)
            say("section-change", b.section_changes[i].from, b.section_changes[i].to, b.section_changes[i].count);
        for (uint32_t i = 0; i < b.delete_count; i++)
            say("delete", b.deletes[i].section, b.deletes[i].first, b.deletes[i].count);
        for (uint32_t i = 0; i < b.insert_count; i++)
            say("insert", b.inserts[i].section, b.inserts[i].first, b.inserts[i].count);
        say_runs("move", b.moves, b.move_count);
        say_runs("change", b.changes, b.change_count);
    }
    void do_commit() { batch(view().commit(limit(w_))); }
    void do_commit_sections() { batch(view().commit_sections(limit(w_))); }
    void do_accept() { view().accept(); }

    // ---- Plain rows

    void do_flatten() { rows_.insert_or_assign(w_[1], view().flatten(has(w_, "lookup"), stopper(w_))); }
    void do_rows_list() {
        auto nodes = rows_at().nodes();
        auto depths = rows_at().depths();
        for (size_t i = 0; i < nodes.size(); i++) say(depths[i], name(nodes[i]));
    }
    void do_rows_section_count() { say(rows_at().section_count()); }
    void do_rows_section() { say(name(rows_at().section_node(small(w_[1]))), rows_at().section_start(small(w_[1]))); }
    void do_rows_index_path() {
        ctree_index_path path = rows_at().index_path(small(w_[1]));
        say(path.section, path.row);
    }
    void do_rows_at() { say(row_word(rows_at().row_at({small(w_[1]), small(w_[2])}))); }
    void do_rows_node() { say(name(rows_at().node_at(small(w_[1])))); }
    void do_rows_row() { say(row_word(rows_at().row_of(node(1)))); }
    void do_rows_window() { window(view(1).window(rows_at(), small(w_[2]), small(w_[3]))); }
    void do_rows_free() { rows_.erase(w_[0]); }

    // ---- Diff

    struct Keys {
        std::string kind;
        std::vector<uint64_t> numbers;
        std::vector<ctree_id> ids;
        const void *data() const { return kind == "ids" ? static_cast<const void *>(ids.data()) : numbers.data(); }
        size_t size() const { return kind == "ids" ? ids.size() : numbers.size(); }
    };
    struct Side {
        Keys rows, sections;
        std::vector<uint64_t> revisions, section_revisions;
        std::vector<uint32_t> section_rows;
        ctree_diff_list get() const {
            return {rows.data(),
                    revisions.empty() ? nullptr : revisions.data(),
                    sections.data(),
                    section_rows.data(),
                    section_revisions.empty() ? nullptr : section_revisions.data(),
                    uint32_t(rows.size()),
                    uint32_t(sections.size())};
        }
    };
    void do_diff() {
        Side sides[2];
        for (Side &side : sides) side.rows.kind = side.sections.kind = w_[0];
        for (const Words &line : *given_) {
            Side &side = sides[line[0].rfind("new", 0) == 0];
            bool section = line[0].size() > 3;
            Keys &keys = section ? side.sections : side.rows;
            if (w_[0] == "ids") keys.ids.push_back(held(unquoted(line[1])));
            else keys.numbers.push_back(w_[0] == "u64" ? number(line[1]) : node(line[1]));
            if (line.size() > 2) (section ? side.section_revisions : side.revisions).push_back(number(line[2]));
            if (section) side.section_rows.push_back(0);
            else if (!side.section_rows.empty()) side.section_rows.back()++;
        }
        static const std::map<std::string, uint32_t> keys = {
            {"nodes", CTREE_DIFF_NODES}, {"u64", CTREE_DIFF_U64}, {"ids", CTREE_DIFF_IDS}};
        static const std::map<std::string, uint32_t> forms = {{"batch", CTREE_DIFF_BATCH},
                                                              {"sections", CTREE_DIFF_SECTIONS},
                                                              {"splices", CTREE_DIFF_SPLICES},
                                                              {"steps", CTREE_DIFF_STEPS}};
        ctree_diff_list old_list = sides[0].get();
        ctree::diff diff(has(w_, "from-nothing") ? nullptr : &old_list, sides[1].get(), keys.at(w_[0]),
                         forms.at(w_[1]), limit(w_), stopper(w_));
        if (w_[1] == "batch") return batch(diff.batch());
        if (w_[1] == "sections") return batch(diff.section_batch());
        if (w_[1] == "splices") {
            const ctree_splices &s = diff.splices();
            if (s.reload != 0) return say("reload");
            say("rows", s.old_count, s.new_count);
            for (uint32_t i = 0; i < s.splice_count; i++)
                say("splice", s.splices[i].row, s.splices[i].removed, s.splices[i].inserted);
            return;
        }
        const ctree_steps &s = diff.steps();
        if (s.reload != 0) return say("reload");
        say("rows", s.old_count, s.new_count);
        for (uint32_t i = 0; i < s.step_count; i++) {
            const ctree_step &step = s.steps[i];
            if (step.kind == CTREE_STEP_DELETE) say("step-delete", step.from, step.count);
            if (step.kind == CTREE_STEP_MOVE) say("step-move", step.from, step.to, step.count);
            if (step.kind == CTREE_STEP_INSERT) say("step-insert", step.to, step.count);
        }
    }

    std::string verb_;
    Words w_;
    const std::vector<Words> *given_ = nullptr;
    std::vector<std::string> out_, heard_;
    std::vector<uint64_t> values_;
    std::vector<std::unique_ptr<std::string>> kept_;
    std::map<std::string, ctree::node> handles_;
    std::map<std::string, ctree_ticket> tickets_;
    std::map<std::string, std::vector<std::string>> splices_;
    std::unique_ptr<ctree::store> store_; // ended after what stands on it
    std::unique_ptr<ctree::store::listening> listening_;
    std::map<std::string, ctree::rows> rows_;
    std::map<std::string, std::unique_ptr<ctree::view>> views_;
};

const std::map<std::string, Runner::Verb> &Runner::verbs() {
#define VERB(word, name) \
    { word, &Runner::do_##name }
    static const std::map<std::string, Verb> all = {VERB("store", store),
                                                    VERB("close", close),
                                                    VERB("kinds", kinds),
                                                    VERB("count", count),
                                                    VERB("memory", memory),
                                                    VERB("validate", validate),
                                                    VERB("find", find),
                                                    VERB("find-child", find_child),
                                                    VERB("find-many", find_many),
                                                    VERB("find-many-u64", find_many_u64),
                                                    VERB("name", name),
                                                    VERB("contains", contains),
                                                    VERB("node", node),
                                                    VERB("parent", parent),
                                                    VERB("id", id),
                                                    VERB("value", value),
                                                    VERB("revision", revision),
                                                    VERB("state", state),
                                                    VERB("child-count", child_count),
                                                    VERB("child-at", child_at),
                                                    VERB("children", children),
                                                    VERB("ordinal", ordinal),
                                                    VERB("depth", depth),
                                                    VERB("below", below),
                                                    VERB("path", path),
                                                    VERB("at-path", at_path),
                                                    VERB("next", next),
                                                    VERB("walk", walk),
                                                    VERB("subtree-count", subtree_count),
                                                    VERB("version", version),
                                                    VERB("status-name", status_name),
                                                    VERB("insert", insert),
                                                    VERB("remove", remove),
                                                    VERB("remove-children", remove_children),
                                                    VERB("move", move),
                                                    VERB("set", set),
                                                    VERB("set-leaf", set_leaf),
                                                    VERB("build", build),
                                                    VERB("graft", graft),
                                                    VERB("reconcile", reconcile),
                                                    VERB("begin", begin),
                                                    VERB("end", end),
                                                    VERB("listen", listen),
                                                    VERB("unlisten", unlisten),
                                                    VERB("heard", heard),
                                                    VERB("released", released),
                                                    VERB("request", request),
                                                    VERB("next-request", next_request),
                                                    VERB("requests", requests),
                                                    VERB("load", load),
                                                    VERB("check", check),
                                                    VERB("finish", finish),
                                                    VERB("append", append),
                                                    VERB("fail", fail),
                                                    VERB("cancel", cancel),
                                                    VERB("error", error),
                                                    VERB("drop", drop),
                                                    VERB("view", view),
                                                    VERB("close-view", close_view),
                                                    VERB("view-store", view_store),
                                                    VERB("expand", expand),
                                                    VERB("collapse", collapse),
                                                    VERB("toggle", toggle),
                                                    VERB("reveal", reveal),
                                                    VERB("expand-all", expand_all),
                                                    VERB("collapse-all", collapse_all),
                                                    VERB("expanded", expanded),
                                                    VERB("visible", visible),
                                                    VERB("expandable", expandable),
                                                    VERB("rows", rows),
                                                    VERB("nodes-from", nodes_from),
                                                    VERB("window", window),
                                                    VERB("row-count", row_count),
                                                    VERB("node-at", node_at),
                                                    VERB("row-of", row_of),
                                                    VERB("nodes-at", nodes_at),
                                                    VERB("rows-of", rows_of),
                                                    VERB("ancestors", ancestors),
                                                    VERB("section-count", section_count),
                                                    VERB("section", section),
                                                    VERB("index-path", index_path),
                                                    VERB("row-at", row_at),
                                                    VERB("view-memory", view_memory),
                                                    VERB("trim", trim),
                                                    VERB("compact", compact),
                                                    VERB("validate-view", validate_view),
                                                    VERB("select", select),
                                                    VERB("select-rows", select_rows),
                                                    VERB("deselect-all", deselect_all),
                                                    VERB("selected", selected),
                                                    VERB("selected-count", selected_count),
                                                    VERB("selection", selection),
                                                    VERB("watch", watch),
                                                    VERB("unwatch", unwatch),
                                                    VERB("splices", splices),
                                                    VERB("save", save),
                                                    VERB("restore", restore),
                                                    VERB("waiting", waiting),
                                                    VERB("forget-waiting", forget_waiting),
                                                    VERB("reveal-path", reveal_path),
                                                    VERB("commit", commit),
                                                    VERB("commit-sections", commit_sections),
                                                    VERB("accept", accept),
                                                    VERB("flatten", flatten),
                                                    VERB("rows-list", rows_list),
                                                    VERB("rows-section-count", rows_section_count),
                                                    VERB("rows-section", rows_section),
                                                    VERB("rows-index-path", rows_index_path),
                                                    VERB("rows-at", rows_at),
                                                    VERB("rows-node", rows_node),
                                                    VERB("rows-row", rows_row),
                                                    VERB("rows-window", rows_window),
                                                    VERB("rows-free", rows_free),
                                                    VERB("diff", diff)};
#undef VERB
    return all;
}

} // namespace

int main(int count, char **files) {
    int ran = 0, failed = 0;
    for (int i = 1; i < count; i++) {
        for (const Scenario &scenario : read(files[i])) {
            Runner runner;
            ran++;
            for (const Step &step : scenario.steps) {
                std::vector<std::string> printed;
                try {
                    printed = runner.run(step);
                } catch (const std::exception &error) {
                    printed = {error.what()};
                }
                if (printed == step.expected) continue;
                std::cerr << files[i] << ":" << step.number << ": " << scenario.name << ": " << step.words[0] << "\n";
                for (const std::string &line : step.expected) std::cerr << "  expected " << line << "\n";
                for (const std::string &line : printed) std::cerr << "  printed  " << line << "\n";
                failed++;
                break;
            }
        }
    }
    std::cout << ran << " scenarios, " << failed << " failed\n";
    return ran == 0 || failed != 0;
}
