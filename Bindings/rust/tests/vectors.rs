//! Runs the scenarios of Tests/vectors; their README is the format.

use ctreecore::*;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

const STATES: [(&str, State); 6] = [
    ("leaf", State::Leaf),
    ("unloaded", State::Unloaded),
    ("loading", State::Loading),
    ("loaded", State::Loaded),
    ("failed", State::Failed),
    ("keep", State::Keep),
];
const WHATS: [(&str, What); 3] =
    [("expanded", What::EXPANDED), ("collapsed", What::COLLAPSED), ("selected", What::SELECTED)];

/// Why a step prints something else than its result.
struct Other(String);
type Step<T = ()> = std::result::Result<T, Other>;

fn word_of(error: Error) -> &'static str {
    match error {
        Error::NoMemory => "no-memory",
        Error::Invalid => "invalid",
        Error::Stale => "stale",
        Error::Range => "range",
        Error::Duplicate => "duplicate",
        Error::Limit => "limit",
        Error::Leaf => "leaf",
        Error::Cycle => "cycle",
        Error::Busy => "busy",
        Error::Closed => "closed",
        Error::Cancelled => "cancelled",
        Error::Superseded => "superseded",
        Error::NotFound => "not-found",
        Error::Loading => "loading",
        _ => "corrupt",
    }
}

impl From<Error> for Other {
    fn from(error: Error) -> Self {
        Other(word_of(error).into())
    }
}

impl From<(Error, &'static str)> for Other {
    fn from((error, reason): (Error, &'static str)) -> Self {
        let text = [word_of(error), reason];
        Other(text[..1 + usize::from(!reason.is_empty())].join(": "))
    }
}

struct Line<'a> {
    number: usize,
    words: Vec<&'a str>,
    input: Vec<Vec<&'a str>>,
    expected: Vec<&'a str>,
}

fn number(word: &str) -> u64 {
    word.parse().unwrap_or_else(|_| panic!("not a number: {word}"))
}

fn small(word: &str) -> u32 {
    word.parse().unwrap_or_else(|_| panic!("not a small number: {word}"))
}

fn place(word: &str) -> u32 {
    if word == "end" {
        END
    } else {
        small(word)
    }
}

fn levels(word: &str) -> u32 {
    if word == "all" {
        ALL_LEVELS
    } else {
        small(word)
    }
}

fn is_yes(word: &str) -> bool {
    assert!(word == "yes" || word == "no", "{word}");
    word == "yes"
}

fn yes(flag: bool) -> &'static str {
    if flag {
        "yes"
    } else {
        "no"
    }
}

fn state(word: &str) -> State {
    STATES.iter().find(|(name, _)| *name == word).expect("a load state").1
}

fn state_word(state: State) -> &'static str {
    STATES.iter().find(|(_, known)| *known == state).expect("a load state").0
}

fn limit(words: &[&str]) -> u64 {
    words.iter().position(|word| *word == "limit").map_or(0, |at| number(words[at + 1]))
}

fn unquoted(word: &str) -> Id<'static> {
    let inner = word.strip_prefix('"').and_then(|word| word.strip_suffix('"')).expect("a quoted identifier");
    let mut bytes = Vec::new();
    let mut rest = inner.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first == b'\\' {
            let digits = std::str::from_utf8(&tail[1..3]).unwrap();
            bytes.push(u8::from_str_radix(digits, 16).unwrap());
            rest = &tail[3..];
        } else {
            bytes.push(*first);
        }
    }
    Id::Bytes(bytes.into())
}

fn id_word(id: &Id<'_>) -> String {
    let bytes = match id {
        Id::Number(number) => return number.to_string(),
        Id::Bytes(bytes) => bytes,
    };
    let mut out = String::from('"');
    for byte in bytes.iter() {
        if (0x21..0x7f).contains(byte) && !b"\"\\/".contains(byte) {
            out.push(char::from(*byte));
        } else {
            out += &format!("\\x{byte:02x}");
        }
    }
    out + "\""
}

fn name(store: &StoreRef, node: Node) -> String {
    if node.is_none() || !store.contains(node) {
        return if node.is_none() { "-" } else { "gone" }.into();
    }
    let mut parts = Vec::new();
    let mut at = node;
    while !at.is_none() {
        parts.push(id_word(&store.id(at).unwrap()));
        at = if store.is_sibling_scoped() { store.parent(at).unwrap() } else { Node::NONE };
    }
    parts.reverse();
    parts.join("/")
}

#[derive(Default)]
struct Items<'a> {
    ids: Vec<Id<'a>>,
    parents: Vec<u32>,
    values: Vec<u64>,
    revisions: Vec<u64>,
    states: Option<Vec<State>>,
}

impl Items<'_> {
    fn forest(&self) -> Forest<'_> {
        let forest = Forest::ids(&self.ids).parents(&self.parents).values(&self.values).revisions(&self.revisions);
        match &self.states {
            Some(states) => forest.states(states),
            None => forest,
        }
    }
}

type Shared<T> = Arc<Mutex<Vec<T>>>;

struct Runner<'s> {
    store: &'s StoreRef,
    bytes: bool,
    released: Shared<u64>,
    heard: Shared<String>,
    token: u64,
    views: HashMap<String, View<'s>>,
    splices: HashMap<String, Shared<String>>,
    rows: HashMap<String, Rows>,
    handles: HashMap<String, Node>,
    tickets: HashMap<String, u64>,
    out: Vec<String>,
}

impl<'s> Runner<'s> {
    fn say(&mut self, text: impl ToString) {
        self.out.push(text.to_string());
    }

    fn id(&self, word: &str) -> Id<'static> {
        if self.bytes {
            unquoted(word)
        } else {
            Id::Number(number(word))
        }
    }

    fn node(&self, word: &str) -> Step<Node> {
        if word == "-" {
            return Ok(Node::NONE);
        }
        if word.starts_with('$') {
            return Ok(self.handles[word]);
        }
        let mut node = Node::NONE;
        if !self.store.is_sibling_scoped() {
            node = self.store.find(self.id(word));
        } else {
            for part in word.split('/') {
                node = self.store.find_child(node, self.id(part));
                if node.is_none() {
                    break;
                }
            }
        }
        if node.is_none() {
            Err(Other("unknown".into()))
        } else {
            Ok(node)
        }
    }

    fn name(&self, node: Node) -> String {
        name(self.store, node)
    }

    fn say_node(&mut self, node: Node) {
        self.say(self.name(node));
    }

    fn say_list(&mut self, nodes: &[Node]) {
        let names = nodes.iter().map(|node| self.name(*node));
        let words: Vec<String> = std::iter::once(nodes.len().to_string()).chain(names).collect();
        self.say(words.join(" "));
    }

    fn say_rows(&mut self, nodes: &[Node], depths: &[u32]) {
        for (node, depth) in nodes.iter().zip(depths) {
            self.say(format!("{depth} {}", self.name(*node)));
        }
    }

    fn say_row(&mut self, row: Option<u32>) {
        self.say(row.map_or("-".into(), |row| row.to_string()));
    }

    fn say_window(&mut self, rows: &[Row]) {
        for row in rows {
            let flag = |set, word| if set { word } else { "-" };
            self.say(format!(
                "{} {} {} {} {} {} {} {}",
                row.depth,
                self.name(row.node),
                row.position,
                row.sibling_count,
                state_word(row.state),
                flag(row.expandable, "expandable"),
                flag(row.expanded, "expanded"),
                flag(row.more, "more")
            ));
        }
    }

    fn fault<T>(&self, result: Result<T, BulkError>) -> Step {
        let Err(e) = result else { return Ok(()) };
        let item = |item: Option<u64>| item.map_or("-".into(), |item| item.to_string());
        let (word, item, other) = (word_of(e.error), item(e.item), item(e.other_item));
        Err(Other(format!("{word} item {item} other {other} node {}", self.name(e.node))))
    }

    fn items(&self, line: &Line<'_>) -> Items<'static> {
        let mut items = Items::default();
        let mut states = Vec::new();
        let mut said = false;
        for (i, words) in line.input.iter().enumerate() {
            items.parents.push(if words[0] == "-" { END } else { small(words[0]) });
            items.ids.push(self.id(words[1]));
            items.values.push(words.get(2).map_or(0, |word| number(word)));
            items.revisions.push(words.get(3).map_or(0, |word| number(word)));
            let given = words.get(4).filter(|word| **word != "auto");
            said |= given.is_some();
            let has_children = line.input.iter().any(|other| other[0] == i.to_string());
            let auto = if has_children { State::Loaded } else { State::Leaf };
            states.push(given.map_or(auto, |word| state(word)));
        }
        items.states = said.then_some(states);
        items
    }

    fn path(&self, word: &str) -> Vec<Id<'static>> {
        word.split('/').map(|part| self.id(part)).collect()
    }

    fn view(&self, word: &str) -> &View<'s> {
        &self.views[word]
    }

    fn load(&self, words: &[&str]) -> Step<Load> {
        Ok(Load { node: self.node(words[1])?, ticket: self.tickets[words[2]] })
    }
}

/// Steps of the store.
impl Runner<'_> {
    fn store_step(&mut self, line: &Line<'_>) -> Step<bool> {
        let w = &line.words;
        let store = self.store;
        match w[0] {
            "close" => store.close()?,
            "kinds" => {
                let kind = if store.kind() == IdKind::Bytes { "bytes" } else { "u64" };
                self.say(format!("{kind} {}", if store.scope() == Scope::Store { "store" } else { "siblings" }));
            }
            "count" => self.say(store.count()),
            "memory" => assert!(store.memory()?.total > 0),
            "validate" => store.validate()?,
            "find" => self.say_node(store.find(self.id(w[1]))),
            "find-child" => self.say_node(store.find_child(self.node(w[1])?, self.id(w[2]))),
            "find-many" | "find-many-u64" => {
                let parents = vec![self.node(w[1])?; w.len() - 2];
                let parents = store.is_sibling_scoped().then_some(&parents[..]);
                let ids: Vec<Id> = w[2..].iter().map(|word| self.id(word)).collect();
                let mut found = vec![Node::NONE; ids.len()];
                if w[0] == "find-many" {
                    found = store.find_many(parents, &ids)?;
                } else {
                    let numbers: Vec<u64> = w[2..].iter().map(|word| number(word)).collect();
                    store.find_many_numbers(parents, &numbers, &mut found)?;
                }
                self.say_list(&found);
            }
            "name" => {
                let node = self.node(w[2])?;
                self.handles.insert(w[1].into(), node);
            }
            "contains" => self.say(yes(store.contains(self.node(w[1])?))),
            "node" => {
                let i = store.info(self.node(w[1])?)?;
                let (parent, state) = (self.name(i.parent), state_word(i.state));
                let (value, revision, children, more) = (i.value, i.revision, i.child_count, yes(i.more));
                self.say(format!(
                    "parent {parent} value {value} revision {revision} state {state} children {children} more {more}"
                ));
            }
            "parent" => self.say_node(store.parent(self.node(w[1])?)?),
            "id" => self.say(id_word(&store.id(self.node(w[1])?)?)),
            "value" => self.say(store.value(self.node(w[1])?)),
            "revision" => self.say(store.revision(self.node(w[1])?)),
            "state" => self.say(state_word(store.state(self.node(w[1])?))),
            "child-count" => self.say(store.child_count(self.node(w[1])?)),
            "child-at" => self.say_node(store.child_at(self.node(w[1])?, small(w[2]))),
            "children" => self.say_list(&store.children(self.node(w[1])?, small(w[2]), small(w[3]))?),
            "ordinal" => self.say(store.ordinal(self.node(w[1])?)?),
            "depth" => self.say(store.depth(self.node(w[1])?)?),
            "below" => self.say(yes(store.is_below(self.node(w[1])?, self.node(w[2])?))),
            "path" => {
                let path = store.path(self.node(w[1])?)?;
                let words: Vec<String> =
                    std::iter::once(path.len() as u32).chain(path).map(|n| n.to_string()).collect();
                self.say(words.join(" "));
            }
            "at-path" => {
                let path: Vec<u32> = w[1..].iter().map(|word| small(word)).collect();
                self.say_node(store.node_at_path(&path));
            }
            "next" => self.say_node(store.next(self.node(w[1])?, self.node(w[2])?, is_yes(w[3]))),
            "walk" => {
                let root = self.node(w[1])?;
                let mut nodes = Vec::new();
                let mut node = if root.is_none() { store.next(root, root, false) } else { root };
                while !node.is_none() {
                    nodes.push(node);
                    node = store.next(node, root, false);
                }
                self.say_list(&nodes);
            }
            "subtree-count" => self.say(store.subtree_count(self.node(w[1])?)),
            "version" => {
                let (text, number, _) = version();
                let parts: Vec<u32> = text.split('.').map(small).collect();
                assert_eq!(number, parts[0] * 1_000_000 + parts[1] * 1_000 + parts[2]);
                assert_eq!(text, env!("CARGO_PKG_VERSION"));
            }
            "status-name" => self.say(status_name(small(w[1]))),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn edit_step(&mut self, line: &Line<'_>) -> Step<bool> {
        let w = &line.words;
        let store = self.store;
        let mut stops = |_, _| false;
        let progress: Option<Progress> = if w.last() == Some(&"stop") { Some(&mut stops) } else { None };
        match w[0] {
            "insert" => {
                let value = w.get(4).map_or(0, |word| number(word));
                let revision = w.get(5).map_or(0, |word| number(word));
                let state = w.get(6).map_or(State::Leaf, |word| state(word));
                let parent = self.node(w[1])?;
                if let Err(e) = store.insert_with(parent, place(w[2]), self.id(w[3]), value, revision, state) {
                    let other =
                        if e.error == Error::Duplicate { format!(" {}", self.name(e.node)) } else { String::new() };
                    self.say(format!("{}{other}", word_of(e.error)));
                }
            }
            "remove" => store.remove(self.node(w[1])?)?,
            "remove-children" => store.remove_children(self.node(w[1])?, small(w[2]), small(w[3]))?,
            "move" => store.move_to(self.node(w[1])?, self.node(w[2])?, place(w[3]))?,
            "set" => store.set(self.node(w[1])?, number(w[2]), number(w[3]))?,
            "set-leaf" => store.set_leaf(self.node(w[1])?, is_yes(w[2]))?,
            "build" => {
                let items = self.items(line);
                self.fault(store.build(self.node(w[1])?, place(w[2]), &items.forest(), progress))?;
            }
            "graft" => {
                let parent = self.node(w[1])?;
                let items = self.items(line);
                let other = StoreOptions::new().kind(store.kind()).scope(store.scope()).create()?;
                self.fault(other.build(Node::NONE, END, &items.forest(), None))?;
                let result = store.graft(parent, place(w[2]), &other, progress);
                assert_eq!(other.count(), if result.is_ok() { 0 } else { items.ids.len() as u64 });
                self.fault(result)?;
            }
            "reconcile" => {
                let items = self.items(line);
                self.fault(store.reconcile(self.node(w[1])?, &items.forest(), w[2] == "moves", progress))?;
            }
            "begin" => store.begin()?,
            "end" => store.end()?,
            "listen" => {
                let heard = self.heard.clone();
                self.token = store.listen(move |store, event| hear(&mut heard.lock().unwrap(), store, event))?;
            }
            "unlisten" => store.unlisten(self.token)?,
            "heard" => self.out = std::mem::take(&mut *self.heard.lock().unwrap()),
            "released" => {
                let mut values = std::mem::take(&mut *self.released.lock().unwrap());
                values.sort_unstable();
                let count = std::iter::once(values.len() as u64);
                let words: Vec<String> = count.chain(values).map(|value| value.to_string()).collect();
                self.say(words.join(" "));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn load_step(&mut self, line: &Line<'_>) -> Step<bool> {
        let w = &line.words;
        let store = self.store;
        match w[0] {
            "request" => store.request(self.node(w[1])?)?,
            "next-request" => self.say_node(store.next_request().unwrap_or_default()),
            "requests" => self.say_list(&std::iter::from_fn(|| store.next_request()).collect::<Vec<_>>()),
            "load" => {
                let begun = store.begin_load(self.node(w[1])?, w.get(3) == Some(&"reload"))?;
                self.tickets.insert(w[2].into(), begun.load().ticket);
                if matches!(begun, Begun::Already(_)) {
                    self.say("loading");
                }
            }
            "check" => {
                store.check_load(self.load(w)?)?;
                self.say("ok");
            }
            "finish" => {
                let items = self.items(line);
                self.fault(store.finish_load(self.load(w)?, &items.forest(), w[3] == "moves"))?;
            }
            "append" => {
                let items = self.items(line);
                self.fault(store.append_load(self.load(w)?, &items.forest(), w[3] == "more"))?;
            }
            "fail" => store.fail_load(self.load(w)?, number(w[3]))?,
            "cancel" => store.cancel_load(self.load(w)?)?,
            "error" => self.say(store.load_error(self.node(w[1])?)),
            "drop" => store.drop_children(self.node(w[1])?)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn hear(heard: &mut Vec<String>, store: &StoreRef, event: Event) {
    let (when, edit) = match event {
        Event::Before(edit) => ("before", edit),
        Event::After(edit) => ("after", edit),
        Event::Settled => return heard.push("settled".into()),
    };
    heard.push(match edit {
        Edit::Insert { parent, first, count } => format!("{when} insert {} {first} {count}", name(store, parent)),
        Edit::Remove { parent, first, count } => format!("{when} remove {} {first} {count}", name(store, parent)),
        Edit::Move { parent, first, count, to_parent, to_first } => {
            let (from, to) = (name(store, parent), name(store, to_parent));
            format!("{when} move {from} {first} {count} {to} {to_first}")
        }
        Edit::Change { node, what } => {
            let mut text = format!("{when} change {}", name(store, node));
            for (set, word) in [(what.value, "value"), (what.revision, "revision"), (what.load_state, "load-state")] {
                if set {
                    text += &format!(" {word}");
                }
            }
            text
        }
    });
    if when == "after" && store.begin() != Err(Error::Busy) {
        heard.push("not busy".into());
    }
}

/// Steps of views.
impl Runner<'_> {
    fn view_step(&mut self, line: &Line<'_>) -> Step<bool> {
        let w = &line.words;
        let mut stops = |_, _| false;
        let progress: Option<Progress> = if w.last() == Some(&"stop") { Some(&mut stops) } else { None };
        match w[0] {
            "view" => {
                let has = |flag| w[3..].contains(&flag);
                let view = self.store.view(ViewOptions {
                    sections: has("sections"),
                    forgets: has("forgets"),
                    empty_can_open: has("empty-can-open"),
                    records: has("records"),
                    default_depth: levels(w[2]),
                })?;
                self.views.insert(w[1].into(), view);
            }
            "close-view" => drop(self.views.remove(w[1])),
            "view-store" => self.say(yes(std::ptr::eq(self.view(w[1]).store(), self.store))),
            "expand" => self.view(w[1]).expand(self.node(w[2])?)?,
            "collapse" => self.view(w[1]).collapse(self.node(w[2])?)?,
            "toggle" => self.view(w[1]).toggle(self.node(w[2])?)?,
            "reveal" => self.view(w[1]).reveal(self.node(w[2])?)?,
            "expand-all" => self.view(w[1]).expand_all(self.node(w[2])?, levels(w[3]), progress)?,
            "collapse-all" => self.view(w[1]).collapse_all(self.node(w[2])?)?,
            "expanded" => self.say(yes(self.view(w[1]).is_expanded(self.node(w[2])?))),
            "visible" => self.say(yes(self.view(w[1]).is_visible(self.node(w[2])?))),
            "expandable" => self.say(yes(self.view(w[1]).is_expandable(self.node(w[2])?))),
            "rows" | "nodes-from" => {
                let view = self.view(w[1]);
                let whole = w[0] == "rows";
                let first = if whole { 0 } else { small(w[2]) };
                let count = if whole { view.row_count() } else { small(w[3]) };
                let (nodes, depths) = view.nodes_from(first, count)?;
                self.say_rows(&nodes, &depths);
            }
            "window" => {
                let rows = self.view(w[1]).window(small(w[2]), small(w[3]))?;
                self.say_window(&rows);
            }
            "row-count" => self.say(self.view(w[1]).row_count()),
            "node-at" => self.say_node(self.view(w[1]).node_at(small(w[2]))),
            "row-of" => self.say_row(self.view(w[1]).row_of(self.node(w[2])?)),
            "nodes-at" => {
                let rows: Vec<u32> = w[2..].iter().map(|word| small(word)).collect();
                let nodes = self.view(w[1]).nodes_at(&rows)?;
                self.say_list(&nodes);
            }
            "rows-of" => {
                let nodes = w[2..].iter().map(|word| self.node(word)).collect::<Step<Vec<_>>>()?;
                let rows = self.view(w[1]).rows_of(&nodes)?;
                let row = |row: Option<u32>| row.map_or("-".into(), |row| row.to_string());
                let words: Vec<String> =
                    std::iter::once(rows.len().to_string()).chain(rows.into_iter().map(row)).collect();
                self.say(words.join(" "));
            }
            "ancestors" => {
                let nodes = self.view(w[1]).ancestors(self.node(w[2])?)?;
                self.say_list(&nodes);
            }
            "section-count" => self.say(self.view(w[1]).section_count()),
            "section" => {
                let (view, section) = (self.view(w[1]), small(w[2]));
                self.say(format!("{} {}", self.name(view.section_node(section)), view.section_rows(section)));
            }
            "index-path" => {
                let path = self.view(w[1]).index_path(small(w[2]))?;
                self.say(format!("{} {}", path.section, path.row));
            }
            "row-at" => {
                let path = IndexPath { section: small(w[2]), row: small(w[3]) };
                self.say_row(self.view(w[1]).row_at(path));
            }
            "view-memory" => assert!(self.view(w[1]).memory() > 0),
            "trim" => self.view(w[1]).trim()?,
            "compact" => self.view(w[1]).compact()?,
            "validate-view" => self.view(w[1]).validate()?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn state_step(&mut self, line: &Line<'_>) -> Step<bool> {
        let w = &line.words;
        match w[0] {
            "select" => self.view(w[1]).select(self.node(w[2])?, is_yes(w[3]))?,
            "select-rows" => self.view(w[1]).select_rows(small(w[2]), small(w[3]), is_yes(w[4]))?,
            "deselect-all" => self.view(w[1]).deselect_all()?,
            "selected" => self.say(yes(self.view(w[1]).is_selected(self.node(w[2])?))),
            "selected-count" => self.say(self.view(w[1]).selected_count()),
            "selection" => {
                let view = self.view(w[1]);
                let nodes = view.selected()?;
                let shown = nodes.iter().take_while(|node| view.row_of(**node).is_some()).count();
                let mut names: Vec<String> = nodes.iter().map(|node| self.name(*node)).collect();
                names[shown..].sort_unstable();
                names.insert(0, nodes.len().to_string());
                self.say(names.join(" "));
            }
            "watch" => {
                let told = self.splices.entry(w[1].into()).or_default().clone();
                self.view(w[1]).watch(move |s| {
                    told.lock().unwrap().push(format!("{} {} {}", s.row, s.removed, s.inserted));
                })?;
            }
            "unwatch" => self.view(w[1]).unwatch()?,
            "splices" => {
                if let Some(told) = self.splices.get(w[1]) {
                    self.out = std::mem::take(&mut *told.lock().unwrap());
                }
            }
            "save" => {
                let what = |word: &&str| WHATS.iter().find(|(name, _)| name == word).expect("what to save").1;
                let asked = w[2..].iter().map(what).fold(What(0), |all, one| all | one);
                for entry in self.view(w[1]).save(asked)? {
                    let mut text = entry.path.iter().map(id_word).collect::<Vec<_>>().join("/");
                    for (word, _) in WHATS.iter().filter(|(_, what)| entry.what.has(*what)) {
                        text += &format!(" {word}");
                    }
                    self.say(text);
                }
                self.out.sort_unstable();
            }
            "restore" => {
                let what = |word: &&str| WHATS.iter().find(|(name, _)| name == word).expect("what was saved").1;
                let entry = |words: &Vec<&str>| Saved {
                    path: self.path(words[0]),
                    what: words[1..].iter().map(what).fold(What(0), |all, one| all | one),
                };
                let entries: Vec<Saved> = line.input.iter().map(entry).collect();
                self.view(w[1]).restore(&entries)?;
            }
            "waiting" => self.say(self.view(w[1]).waiting_count()),
            "forget-waiting" => self.view(w[1]).forget_waiting()?,
            "reveal-path" => {
                let (node, there) = self.view(w[1]).reveal_path(&self.path(w[2]))?;
                self.say(format!("{} {}", if there { "ok" } else { "loading" }, self.name(node)));
            }
            "commit" => {
                let batch = self.view(w[1]).commit(limit(w))?;
                self.say_batch(&batch);
            }
            "commit-sections" => {
                let batch = self.view(w[1]).commit_sections(limit(w))?;
                self.say_sections(&batch);
            }
            "accept" => self.view(w[1]).accept()?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn rows_step(&mut self, line: &Line<'_>) -> Step<bool> {
        let w = &line.words;
        let mut stops = |_, _| false;
        let progress: Option<Progress> = if w.last() == Some(&"stop") { Some(&mut stops) } else { None };
        if w[0] == "flatten" {
            let rows = self.view(w[1]).flatten(w[3..].contains(&"lookup"), progress)?;
            self.rows.insert(w[2].into(), rows);
            return Ok(true);
        }
        if !w[0].starts_with("rows-") || w[0] == "rows-of" {
            return Ok(false);
        }
        let rows = self.rows.remove(w[1]).expect("such rows");
        let done = match w[0] {
            "rows-list" => {
                self.say_rows(rows.nodes(), rows.depths());
                Ok(true)
            }
            "rows-section-count" => {
                self.say(rows.section_count());
                Ok(true)
            }
            "rows-section" => {
                let section = small(w[2]);
                self.say(format!("{} {}", self.name(rows.section_node(section)), rows.section_start(section)));
                Ok(true)
            }
            "rows-index-path" => rows.index_path(small(w[2])).map_err(Other::from).map(|path| {
                self.say(format!("{} {}", path.section, path.row));
                true
            }),
            "rows-at" => {
                self.say_row(rows.row_at(IndexPath { section: small(w[2]), row: small(w[3]) }));
                Ok(true)
            }
            "rows-node" => {
                self.say_node(rows.node_at(small(w[2])));
                Ok(true)
            }
            "rows-row" => self.node(w[2]).map(|node| {
                self.say_row(rows.row_of(node));
                true
            }),
            "rows-window" => {
                let window = rows.window(self.view(w[2]), small(w[3]), small(w[4]));
                window.map_err(Other::from).map(|window| {
                    self.say_window(&window);
                    true
                })
            }
            "rows-free" => return Ok(true),
            _ => Ok(false),
        };
        self.rows.insert(w[1].into(), rows);
        done
    }
}

/// Batches, and the diff.
impl Runner<'_> {
    fn say_batch(&mut self, b: &Batch) {
        if b.reload {
            return self.say("reload");
        }
        self.say(format!("rows {} {}", b.old_count, b.new_count));
        for (kind, ranges) in [("delete", &b.deletes), ("insert", &b.inserts)] {
            ranges.iter().for_each(|r| self.say(format!("{kind} {} {}", r.first, r.count)));
        }
        for (kind, runs) in [("move", &b.moves), ("change", &b.changes)] {
            runs.iter().for_each(|r| self.say(format!("{kind} {} {} {}", r.from, r.to, r.count)));
        }
    }

    fn say_sections(&mut self, b: &SectionBatch) {
        if b.reload {
            return self.say("reload");
        }
        let (old, new) = (b.old_section_count, b.new_section_count);
        self.say(format!("sections {old} {new} rows {} {}", b.old_count, b.new_count));
        for (kind, ranges) in [("delete", &b.section_deletes), ("insert", &b.section_inserts)] {
            ranges.iter().for_each(|r| self.say(format!("section-{kind} {} {}", r.first, r.count)));
        }
        for (kind, runs) in [("move", &b.section_moves), ("change", &b.section_changes)] {
            runs.iter().for_each(|r| self.say(format!("section-{kind} {} {} {}", r.from, r.to, r.count)));
        }
        for (kind, ranges) in [("delete", &b.deletes), ("insert", &b.inserts)] {
            ranges.iter().for_each(|r| self.say(format!("{kind} {} {} {}", r.section, r.first, r.count)));
        }
        for (kind, runs) in [("move", &b.moves), ("change", &b.changes)] {
            for r in runs {
                self.say(format!("{kind} {} {} {} {} {}", r.from_section, r.from, r.to_section, r.to, r.count));
            }
        }
    }

    fn diff_step(&mut self, line: &Line<'_>) -> Step {
        let w = &line.words;
        let mut sides = [Side::default(), Side::default()];
        for words in &line.input {
            let side = &mut sides[usize::from(words[0].starts_with("new"))];
            let key = match w[1] {
                "ids" => Key::Id(unquoted(words[1])),
                "u64" => Key::Number(number(words[1])),
                _ => Key::Number(self.node(words[1])?.0),
            };
            let revision = words.get(2).map(|word| number(word));
            if words[0].ends_with("-section") {
                side.section_rows.push(0);
                side.section_revisions.extend(revision);
                side.sections.push(key);
            } else {
                if let Some(rows) = side.section_rows.last_mut() {
                    *rows += 1;
                }
                side.revisions.extend(revision);
                side.rows.push(key);
            }
        }
        let form = match w[2] {
            "batch" => Form::Batch,
            "sections" => Form::Sections,
            "splices" => Form::Splices,
            _ => Form::Steps,
        };
        let (stop, from_nothing) = (w.last() == Some(&"stop"), w.contains(&"from-nothing"));
        let told = sides[0].with(w[1], &mut |old| {
            sides[1].with(w[1], &mut |new| {
                let mut stops = |_, _| false;
                let progress: Option<Progress> = if stop { Some(&mut stops) } else { None };
                diff((!from_nothing).then_some(old), new, form, limit(w), progress)
            })
        });
        match told {
            Ok(Diff::Batch(batch)) => self.say_batch(&batch),
            Ok(Diff::Sections(batch)) => self.say_sections(&batch),
            Ok(Diff::Splices(s)) => {
                self.say_head(s.reload, s.old_count, s.new_count);
                s.splices.iter().for_each(|s| self.say(format!("splice {} {} {}", s.row, s.removed, s.inserted)));
            }
            Ok(Diff::Steps(s)) => {
                self.say_head(s.reload, s.old_count, s.new_count);
                for step in s.steps {
                    self.say(match step {
                        ctreecore::Step::Delete { from, count } => format!("step-delete {from} {count}"),
                        ctreecore::Step::Move { from, to, count } => format!("step-move {from} {to} {count}"),
                        ctreecore::Step::Insert { to, count } => format!("step-insert {to} {count}"),
                    });
                }
            }
            Err(DiffError::Duplicate { in_new, in_sections, first, second }) => {
                let (list, kind) = (if in_new { "new" } else { "old" }, if in_sections { "section" } else { "row" });
                self.say(format!("duplicate {list} {kind} {first} {second}"));
            }
            Err(DiffError::Other(error)) => return Err(error.into()),
        }
        Ok(())
    }

    fn say_head(&mut self, reload: bool, old: u32, new: u32) {
        self.say(if reload { "reload".into() } else { format!("rows {old} {new}") });
    }
}

enum Key {
    Number(u64),
    Id(Id<'static>),
}

/// One list of a diff as the input lines give it.
#[derive(Default)]
struct Side {
    rows: Vec<Key>,
    revisions: Vec<u64>,
    sections: Vec<Key>,
    section_rows: Vec<u32>,
    section_revisions: Vec<u64>,
}

impl Side {
    fn with<T>(&self, keys: &str, body: &mut dyn FnMut(&List<'_>) -> T) -> T {
        let numbers =
            |keys: &[Key]| keys.iter().map(|k| if let Key::Number(n) = k { *n } else { 0 }).collect::<Vec<_>>();
        let ids = |keys: &[Key]| {
            keys.iter().filter_map(|k| if let Key::Id(id) = k { Some(id.clone()) } else { None }).collect::<Vec<_>>()
        };
        let all = [numbers(&self.rows), numbers(&self.sections)];
        let nodes = all.clone().map(|numbers| numbers.into_iter().map(Node).collect::<Vec<_>>());
        let names = [ids(&self.rows), ids(&self.sections)];
        let [rows, sections] = match keys {
            "u64" => [Keys::Numbers(&all[0]), Keys::Numbers(&all[1])],
            "ids" => [Keys::Ids(&names[0]), Keys::Ids(&names[1])],
            _ => [Keys::Nodes(&nodes[0]), Keys::Nodes(&nodes[1])],
        };
        body(&List {
            rows,
            revisions: (!self.revisions.is_empty()).then_some(&self.revisions),
            sections: (!self.sections.is_empty()).then_some((sections, &self.section_rows)),
            section_revisions: (!self.section_revisions.is_empty()).then_some(&self.section_revisions),
        })
    }
}

impl Runner<'_> {
    fn step(&mut self, line: &Line<'_>) -> Step {
        if line.words[0] == "diff" {
            return self.diff_step(line);
        }
        let known = self.store_step(line)?
            || self.edit_step(line)?
            || self.load_step(line)?
            || self.view_step(line)?
            || self.state_step(line)?
            || self.rows_step(line)?;
        assert!(known, "no such verb: {}", line.words[0]);
        Ok(())
    }
}

fn run(file: &str, lines: &[Line<'_>]) {
    let first = &lines[0];
    assert_eq!(first.words[0], "store", "{file}:{}", first.number);
    let released = Shared::<u64>::default();
    let told = released.clone();
    let store = StoreOptions::new()
        .kind(if first.words[1] == "bytes" { IdKind::Bytes } else { IdKind::Numbers })
        .scope(if first.words[2] == "siblings" { Scope::Siblings } else { Scope::Store })
        .limit(limit(&first.words))
        .release(move |_, values| told.lock().unwrap().extend(values))
        .create()
        .unwrap();
    let mut runner = Runner {
        store: &store,
        bytes: first.words[1] == "bytes",
        released,
        heard: Shared::default(),
        token: 0,
        views: HashMap::new(),
        splices: HashMap::new(),
        rows: HashMap::new(),
        handles: HashMap::new(),
        tickets: HashMap::new(),
        out: Vec::new(),
    };
    for line in &lines[1..] {
        runner.out.clear();
        if let Err(Other(text)) = runner.step(line) {
            runner.out = vec![text];
        }
        assert_eq!(runner.out, line.expected, "{file}:{}: {}", line.number, line.words.join(" "));
    }
}

#[test]
fn every_scenario_prints_what_it_must() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Tests/vectors");
    let mut count = 0;
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for path in files.iter().filter(|path| path.extension().is_some_and(|ext| ext == "steps")) {
        let file = path.file_name().unwrap().to_string_lossy();
        let text = std::fs::read_to_string(path).unwrap();
        let mut scenarios: Vec<Vec<Line<'_>>> = Vec::new();
        for (index, line) in text.lines().enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if line.starts_with("scenario ") {
                scenarios.push(Vec::new());
                continue;
            }
            let steps = scenarios.last_mut().expect("a scenario");
            if let Some(input) = line.strip_prefix("+ ") {
                steps.last_mut().unwrap().input.push(input.split(' ').collect());
            } else if let Some(expected) = line.strip_prefix("= ") {
                steps.last_mut().unwrap().expected.push(expected);
            } else {
                let words = line.split(' ').collect();
                steps.push(Line { number: index + 1, words, input: Vec::new(), expected: Vec::new() });
            }
        }
        scenarios.iter().for_each(|lines| run(&file, lines));
        count += scenarios.len();
    }
    assert!(count >= 101, "{count} scenarios");
    println!("{count} scenarios");
}
