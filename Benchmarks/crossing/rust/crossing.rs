//! What the calls cost from Rust: the measures of ../README.md.

use ctreecore::{Forest, Node, Result, Row, Store, View, ViewOptions, ALL_LEVELS, END};
use std::hint::black_box;
use std::time::Instant;

const NODES: u32 = 1_000_000;
const TOPS: u32 = 1_000;
const ROUNDS: usize = 5;
const WINDOW: u32 = 100;
const FINDS: u32 = 100_000;
const WINDOWS: u32 = 10_000;

fn scattered(k: u32, n: u32) -> u32 {
    (u64::from(k) * 7919 % u64::from(n)) as u32
}

fn time(body: impl FnOnce() -> Result<()>) -> f64 {
    let from = Instant::now();
    body().expect("a call failed");
    from.elapsed().as_nanos() as f64
}

fn tell(name: &str, mut rounds: [f64; ROUNDS], calls: u32) {
    rounds.sort_by(f64::total_cmp);
    println!("{name} {:.1}", rounds[ROUNDS / 2] / f64::from(calls));
}

fn measure(name: &str, calls: u32, mut body: impl FnMut() -> Result<()>) {
    tell(name, [(); ROUNDS].map(|()| time(&mut body)), calls);
}

fn measure_rows(view: &View<'_>, picked: &[Node]) {
    let n = view.row_count() - WINDOW;
    let mut rows = vec![Row::default(); WINDOW as usize];
    let (mut nodes, mut depths) = (vec![Node::NONE; WINDOW as usize], vec![0; WINDOW as usize]);
    measure("window", WINDOWS, || {
        (0..WINDOWS).try_for_each(|k| view.window(scattered(k, n), WINDOW).map(|rows| drop(black_box(rows))))
    });
    measure("window-array", WINDOWS, || {
        (0..WINDOWS).try_for_each(|k| view.window_into(scattered(k, n), &mut rows).map(|_| ()))
    });
    measure("nodes-array", WINDOWS, || {
        (0..WINDOWS).try_for_each(|k| view.nodes_into(scattered(k, n), &mut nodes, &mut depths).map(|_| ()))
    });
    measure("row-of", FINDS, || {
        picked.iter().for_each(|node| {
            black_box(view.row_of(*node));
        });
        Ok(())
    });
}

fn main() -> Result<()> {
    let ids: Vec<u64> = (1..=u64::from(NODES)).collect();
    let parents: Vec<u32> = (0..NODES).map(|i| if i < TOPS { END } else { (i - TOPS) / 999 }).collect();
    let forest = Forest::numbers(&ids).parents(&parents);
    let mut store = Store::new()?;
    let mut nodes = Vec::new();
    let builds = [(); ROUNDS].map(|()| {
        store = Store::new().expect("a store");
        time(|| {
            nodes = store.build(Node::NONE, END, &forest, None)?;
            Ok(())
        })
    });
    tell("build", builds, 1);

    let view = store.view(ViewOptions::default())?;
    let tops = &nodes[..TOPS as usize];
    let open = || tops.iter().try_for_each(|node| view.expand(*node));
    let close = || tops.iter().try_for_each(|node| view.collapse(*node));
    open()?;
    close()?;
    let (mut opened, mut closed) = ([0.0; ROUNDS], [0.0; ROUNDS]);
    for round in 0..ROUNDS {
        opened[round] = time(open);
        closed[round] = time(close);
    }
    tell("expand", opened, TOPS);
    tell("collapse", closed, TOPS);

    let wanted: Vec<u64> = (0..FINDS).map(|k| ids[scattered(k, NODES) as usize]).collect();
    let mut found = vec![Node::NONE; FINDS as usize];
    measure("find", FINDS, || {
        wanted.iter().for_each(|number| {
            black_box(store.find(*number));
        });
        Ok(())
    });
    measure("find-many", 1, || store.find_many_numbers(None, &wanted, &mut found));

    let picked: Vec<Node> = (0..FINDS).map(|k| nodes[scattered(k, NODES) as usize]).collect();
    view.expand_all(Node::NONE, ALL_LEVELS, None)?;
    measure_rows(&view, &picked);
    Ok(())
}
