//! Steps of the store.

use super::*;

impl Runner<'_> {
    pub(crate) fn store_step(&mut self, line: &Line<'_>) -> Step<bool> {
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

    pub(crate) fn edit_step(&mut self, line: &Line<'_>) -> Step<bool> {
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

    pub(crate) fn load_step(&mut self, line: &Line<'_>) -> Step<bool> {
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
