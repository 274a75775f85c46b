//! A tree whose folders are loaded as they are opened, and the batches that a table would take.

use ctreecore::{BulkError, Forest, Id, IdKind, Node, State, StoreOptions, StoreRef, View, ViewOptions, END};

/// What a database would answer.
fn below(name: &Id<'_>) -> &'static [&'static str] {
    if *name == Id::from("library") {
        &["novels", "essays"]
    } else {
        &["Middlemarch", "Emma"]
    }
}

fn load_what_was_opened(store: &StoreRef) -> Result<(), BulkError> {
    while let Some(folder) = store.next_request() {
        let load = store.begin_load(folder, false)?.load();
        let names = below(&store.id(folder)?);
        let state = |name: &&str| if matches!(*name, "novels" | "essays") { State::Unloaded } else { State::Leaf };
        let states: Vec<State> = names.iter().map(state).collect();
        let ids: Vec<Id> = names.iter().map(|name| Id::from(*name)).collect();
        store.finish_load(load, &Forest::ids(&ids).states(&states), true)?;
    }
    Ok(())
}

fn show(view: &View<'_>) -> ctreecore::Result<()> {
    for range in view.commit(0)?.inserts {
        println!("rows {} to {} came", range.first, range.first + range.count - 1);
    }
    view.accept()?;
    for row in view.window(0, 20)? {
        let mark = if row.expanded { "- " } else { ["  ", "+ "][usize::from(row.expandable)] };
        if let Id::Bytes(name) = view.store().id(row.node)? {
            println!("{}{mark}{}", "  ".repeat(row.depth as usize), String::from_utf8_lossy(&name));
        }
    }
    Ok(())
}

fn main() -> Result<(), BulkError> {
    let store = StoreOptions::new().kind(IdKind::Bytes).create()?;
    let library = store.insert_with(Node::NONE, END, "library", 0, 0, State::Unloaded)?;
    let view = store.view(ViewOptions { records: true, ..ViewOptions::default() })?;
    view.commit(0)?;
    view.accept()?;
    view.expand(library)?;
    load_what_was_opened(&store)?;
    show(&view)?;
    view.expand(store.find("novels"))?;
    load_what_was_opened(&store)?;
    show(&view)?;
    Ok(())
}
