//! Steps of views.

use super::*;

impl Runner<'_> {
    pub(crate) fn view_step(&mut self, line: &Line<'_>) -> Step<bool> {
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

    pub(crate) fn state_step(&mut self, line: &Line<'_>) -> Step<bool> {
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

    pub(crate) fn rows_step(&mut self, line: &Line<'_>) -> Step<bool> {
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
