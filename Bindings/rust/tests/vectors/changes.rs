//! Batches, and the diff.

use super::*;

impl Runner<'_> {
    pub(crate) fn say_batch(&mut self, b: &Batch) {
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

    pub(crate) fn say_sections(&mut self, b: &SectionBatch) {
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

    pub(crate) fn diff_step(&mut self, line: &Line<'_>) -> Step {
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

    pub(crate) fn say_head(&mut self, reload: bool, old: u32, new: u32) {
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
    pub(crate) fn with<T>(&self, keys: &str, body: &mut dyn FnMut(&List<'_>) -> T) -> T {
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
