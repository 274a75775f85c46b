//! Runs the scenarios of Tests/vectors; their README is the format.

mod changes;
mod store;
mod views;

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
