//! What Rust alone has: panics that go on, closures that end when they should, stores that move between threads.

use ctreecore::*;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Arc;

#[test]
fn a_panic_in_a_listener_goes_on_in_the_call_and_the_edit_has_happened() {
    let store = Store::new().unwrap();
    let token = store
        .listen(|_, event| {
            if matches!(event, Event::After(_)) {
                panic!("heard")
            }
        })
        .unwrap();
    let caught = catch_unwind(AssertUnwindSafe(|| store.insert(Node::NONE, END, 1)));
    assert_eq!(caught.unwrap_err().downcast_ref::<&str>(), Some(&"heard"));
    assert_eq!(store.count(), 1);
    store.unlisten(token).unwrap();
    store.insert(Node::NONE, END, 2).unwrap();
    store.validate().unwrap();
}

#[test]
fn values_are_released_also_after_a_panic() {
    let released = Arc::new(AtomicU64::new(0));
    let told = released.clone();
    let store =
        StoreOptions::new().release(move |_, values| told.store(values[0], Ordering::Relaxed)).create().unwrap();
    let node = store.insert_with(Node::NONE, END, 1, 7, 0, State::Leaf).unwrap();
    store
        .listen(|_, event| {
            if matches!(event, Event::After(_)) {
                panic!("heard")
            }
        })
        .unwrap();
    assert!(catch_unwind(AssertUnwindSafe(|| store.remove(node))).is_err());
    assert_eq!(released.load(Ordering::Relaxed), 7);
}

#[test]
fn a_panic_in_a_progress_callback_leaves_no_change() {
    let store = Store::new().unwrap();
    let numbers: Vec<u64> = (0..200_000).collect();
    let caught = catch_unwind(AssertUnwindSafe(|| {
        store.build(Node::NONE, END, &Forest::numbers(&numbers), Some(&mut |_, _| panic!("asked")))
    }));
    assert_eq!(caught.unwrap_err().downcast_ref::<&str>(), Some(&"asked"));
    assert_eq!(store.count(), 0);
}

#[test]
fn a_panic_in_release_goes_on_when_the_store_is_dropped() {
    let store = StoreOptions::new().release(|_, _| panic!("released")).create().unwrap();
    store.insert_with(Node::NONE, END, 1, 7, 0, State::Leaf).unwrap();
    assert!(catch_unwind(AssertUnwindSafe(|| drop(store))).is_err());
}

#[test]
fn closures_are_freed_with_what_they_were_given_to() {
    let held = Arc::new(());
    let store = Store::new().unwrap();
    let view = store.view(ViewOptions::default()).unwrap();
    for _ in 0..3 {
        let kept = held.clone();
        view.watch(move |_| drop(kept.clone())).unwrap();
    }
    let kept = held.clone();
    let token = store.listen(move |_, _| drop(kept.clone())).unwrap();
    store.insert(Node::NONE, END, 1).unwrap();
    assert_eq!(Arc::strong_count(&held), 3);
    store.unlisten(token).unwrap();
    assert_eq!(Arc::strong_count(&held), 2);
    drop(view);
    assert_eq!(Arc::strong_count(&held), 1);
}

struct Flag(Arc<AtomicBool>);

impl Drop for Flag {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_listener_that_removes_itself_lives_until_it_is_back_and_may_edit_when_settled() {
    let store = Store::new().unwrap();
    let (token, gone) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let (own, flag) = (token.clone(), Flag(gone.clone()));
    let added = store.listen(move |store, event| {
        if event == Event::Settled {
            let gone = flag.0.clone();
            store.unlisten(own.load(Ordering::Relaxed)).unwrap();
            assert!(!gone.load(Ordering::Relaxed));
            store.insert(Node::NONE, END, 2).unwrap();
        }
    });
    token.store(added.unwrap(), Ordering::Relaxed);
    store.insert(Node::NONE, END, 1).unwrap();
    assert_eq!(store.count(), 2);
    assert!(gone.load(Ordering::Relaxed));
}

#[test]
fn a_store_and_a_load_go_to_another_thread() {
    let store = Store::new().unwrap();
    let node = store.insert_with(Node::NONE, END, 1, 0, 0, State::Unloaded).unwrap();
    let load = store.begin_load(node, false).unwrap().load();
    let store = std::thread::spawn(move || {
        store.finish_load(load, &Forest::numbers(&[2, 3]), true).unwrap();
        store
    });
    assert_eq!(store.join().unwrap().count(), 3);
}

#[test]
fn a_closed_store_says_so() {
    let store = Store::new().unwrap();
    store.close().unwrap();
    assert_eq!(store.insert(Node::NONE, END, 1).unwrap_err().error, Error::Closed);
    assert_eq!(store.close(), Err(Error::Closed));
    assert!(matches!(store.view(ViewOptions::default()), Err(Error::Closed)));
}

#[test]
fn identifiers_of_the_other_kind_and_uneven_arrays_are_invalid() {
    let store = Store::new().unwrap();
    assert_eq!(store.insert(Node::NONE, END, "a").unwrap_err().error, Error::Invalid);
    assert_eq!(store.find("a"), Node::NONE);
    let uneven = Forest::numbers(&[1, 2]).values(&[1]);
    assert_eq!(store.build(Node::NONE, END, &uneven, None).unwrap_err().error, Error::Invalid);
    assert_eq!(store.remove(Node(12345)), Err(Error::Stale));
}
