//! Closures that C calls. No panic crosses C: it is kept, and goes on when the outermost call is back.

use crate::{sys, Node, Splice, StoreRef};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::rc::Rc;

/// Asked now and then by long calls with what is done and what there is to do; `false` ends the call with
/// [`Error::Cancelled`](crate::Error::Cancelled). It must not use the store, which `Send` sees to.
pub type Progress<'a> = &'a mut (dyn FnMut(u64, u64) -> bool + Send);

/// What a listener is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// This edit is about to happen; the store may be read.
    Before(Edit),
    /// This edit has happened; the store may be read.
    After(Edit),
    /// The outermost call is over; the store may be edited.
    Settled,
}

/// An edit of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Children come.
    Insert {
        /// Of this node.
        parent: Node,
        /// The first one's place.
        first: u32,
        /// How many.
        count: u32,
    },
    /// Children go.
    Remove {
        /// Of this node.
        parent: Node,
        /// The first one's place.
        first: u32,
        /// How many.
        count: u32,
    },
    /// Children move.
    Move {
        /// From this node.
        parent: Node,
        /// The first one's place.
        first: u32,
        /// How many.
        count: u32,
        /// To this node.
        to_parent: Node,
        /// The first one's place there.
        to_first: u32,
    },
    /// A node changes.
    Change {
        /// This node.
        node: Node,
        /// What of it.
        what: Change,
    },
}

/// What of a node changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its value.
    pub value: bool,
    /// Its revision.
    pub revision: bool,
    /// Its load state.
    pub load_state: bool,
}

impl Edit {
    fn of(e: &sys::ctree_edit) -> Edit {
        let (parent, first, count) = (e.parent, e.first, e.count);
        match e.kind {
            1 => Edit::Insert { parent, first, count },
            2 => Edit::Remove { parent, first, count },
            3 => Edit::Move { parent, first, count, to_parent: e.to_parent, to_first: e.to_first },
            _ => Edit::Change {
                node: e.node,
                what: Change {
                    value: e.changed & 1 != 0,
                    revision: e.changed & 2 != 0,
                    load_state: e.changed & 4 != 0,
                },
            },
        }
    }
}

/// The callbacks of one store.
#[derive(Default)]
pub(crate) struct Guard {
    panic: RefCell<Option<Box<dyn Any + Send>>>,
    depth: Cell<u32>,
    /// What was removed from within a callback: it may be running, or be told once more.
    retired: RefCell<Vec<Rc<dyn Any>>>,
}

impl Guard {
    /// Runs a closure that C has called. Others are told after a panic too, or values would never be released; of several
    /// panics the first goes on.
    pub fn call<T>(&self, fallback: T, body: impl FnOnce() -> T) -> T {
        self.depth.set(self.depth.get() + 1);
        let result = catch_unwind(AssertUnwindSafe(body));
        self.depth.set(self.depth.get() - 1);
        result.unwrap_or_else(|payload| {
            self.panic.borrow_mut().get_or_insert(payload);
            fallback
        })
    }

    /// After each call that may have called back: lets a panic go on.
    pub fn settle(&self) {
        if self.depth.get() > 0 {
            return;
        }
        let retired = self.retired.take();
        if let Some(payload) = self.panic.take() {
            if !std::thread::panicking() {
                resume_unwind(payload);
            }
        }
        drop(retired);
    }

    /// Keeps what is no longer needed until no callback runs.
    pub fn retire(&self, what: Rc<dyn Any>) {
        if self.depth.get() > 0 {
            self.retired.borrow_mut().push(what);
        }
    }
}

/// A progress callback for the length of one call.
pub(crate) struct Asking<'g, 'a> {
    guard: &'g Guard,
    ask: Progress<'a>,
}

impl<'g, 'a> Asking<'g, 'a> {
    pub fn with<T>(
        guard: &'g Guard,
        ask: Option<Progress<'a>>,
        call: impl FnOnce(*const sys::ctree_progress) -> T,
    ) -> T {
        let Some(ask) = ask else { return call(std::ptr::null()) };
        let mut asking = Asking { guard, ask };
        let context = (&mut asking as *mut Asking<'_, '_>).cast::<c_void>();
        call(&sys::ctree_progress { context, keep_going: Some(keep_going) })
    }
}

unsafe extern "C" fn keep_going(context: *mut c_void, done: u64, total: u64) -> bool {
    let asking = &mut *context.cast::<Asking<'_, '_>>();
    let ask = &mut asking.ask;
    asking.guard.call(false, || ask(done, total))
}

pub(crate) type Release = Box<dyn Fn(&[Node], &[u64]) + Send>;

pub(crate) struct Releasing {
    pub guard: Rc<Guard>,
    pub tell: Release,
}

pub(crate) unsafe extern "C" fn release(context: *mut c_void, nodes: *const Node, values: *const u64, count: usize) {
    if count == 0 {
        return;
    }
    let releasing = &*context.cast::<Releasing>();
    let nodes = std::slice::from_raw_parts(nodes, count);
    let values = std::slice::from_raw_parts(values, count);
    releasing.guard.call((), || (releasing.tell)(nodes, values));
}

pub(crate) type Tell = Box<dyn Fn(&StoreRef, Event) + Send>;

pub(crate) struct Listening {
    /// The store outlives its listeners, and does not move.
    pub store: *const StoreRef,
    pub tell: Tell,
}

impl Listening {
    unsafe fn tell(context: *mut c_void, event: impl FnOnce() -> Event) {
        let listening = &*context.cast::<Listening>();
        let store = &*listening.store;
        store.guard.call((), || (listening.tell)(store, event()));
    }
}

pub(crate) unsafe extern "C" fn before(c: *mut c_void, _: *const sys::ctree_store, edit: *const sys::ctree_edit) {
    Listening::tell(c, || Event::Before(Edit::of(&*edit)));
}

pub(crate) unsafe extern "C" fn after(c: *mut c_void, _: *const sys::ctree_store, edit: *const sys::ctree_edit) {
    Listening::tell(c, || Event::After(Edit::of(&*edit)));
}

pub(crate) unsafe extern "C" fn settled(context: *mut c_void, _: *mut sys::ctree_store) {
    Listening::tell(context, || Event::Settled);
}

pub(crate) struct Watching {
    pub guard: Rc<Guard>,
    pub tell: Box<dyn Fn(Splice) + Send>,
}

pub(crate) unsafe extern "C" fn splice(context: *mut c_void, _: *const sys::ctree_view, splice: *const Splice) {
    let watching = &*context.cast::<Watching>();
    watching.guard.call((), || (watching.tell)(*splice));
}
