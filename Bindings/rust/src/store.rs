//! The store.

use crate::callbacks::{self, Asking, Guard, Listening, Releasing};
use crate::error::check;
use crate::{sys, BulkError, Error, Event, Forest, Id, Node, Progress, Result, State};
use std::cell::{Cell, RefCell};
use std::ffi::{c_void, CStr};
use std::mem::size_of;
use std::ops::Deref;
use std::ptr::{null, null_mut};
use std::rc::Rc;

/// What names nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IdKind {
    /// 64-bit numbers.
    #[default]
    Numbers,
    /// Bytes.
    Bytes,
}

/// Where an identifier is unique.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// In the store.
    #[default]
    Store,
    /// Among siblings.
    Siblings,
}

/// How a store is made.
#[derive(Default)]
pub struct StoreOptions {
    kind: IdKind,
    scope: Scope,
    limit: u64,
    release: Option<callbacks::Release>,
}

impl StoreOptions {
    /// Numbers, unique in the store, without a limit.
    pub fn new() -> Self {
        Self::default()
    }

    /// What names nodes.
    pub fn kind(self, kind: IdKind) -> Self {
        Self { kind, ..self }
    }

    /// Where identifiers are unique.
    pub fn scope(self, scope: Scope) -> Self {
        Self { scope, ..self }
    }

    /// The most nodes; 0 is as many as there can be.
    pub fn limit(self, limit: u64) -> Self {
        Self { limit, ..self }
    }

    /// Told once of each value that was replaced or removed.
    pub fn release(self, tell: impl Fn(&[Node], &[u64]) + Send + 'static) -> Self {
        Self { release: Some(Box::new(tell)), ..self }
    }

    /// Makes the store.
    pub fn create(self) -> Result<Store> {
        let guard = Rc::new(Guard::default());
        let releasing = self.release.map(|tell| Box::new(Releasing { guard: guard.clone(), tell }));
        let options = sys::ctree_store_options {
            size: size_of::<sys::ctree_store_options>(),
            allocator: null(),
            id_kind: self.kind as u32,
            id_scope: self.scope as u32,
            node_limit: self.limit,
            secret: null(),
            secret_size: 0,
            release: releasing.is_some().then_some(callbacks::release),
            release_context: releasing.as_deref().map_or(null_mut(), |r| (r as *const Releasing).cast_mut().cast()),
        };
        let mut raw = null_mut();
        // SAFETY: the options live for the call, and what release needs as long as the store.
        check(unsafe { sys::ctree_store_create(&options, &mut raw) })?;
        Ok(Store(Box::new(StoreRef {
            raw,
            keeper: Cell::new(null_mut()),
            kind: self.kind,
            scope: self.scope,
            listeners: RefCell::default(),
            guard,
            _releasing: releasing,
        })))
    }
}

/// A forest of nodes. What it can do is at [`StoreRef`].
pub struct Store(Box<StoreRef>);

// SAFETY: no view borrows a store that is moved; the Rc in it, and in views that were leaked, are reached through it
// alone; all closures that it holds are Send.
unsafe impl Send for Store {}

impl Store {
    /// An empty store of numbers.
    pub fn new() -> Result<Store> {
        StoreOptions::new().create()
    }
}

impl Deref for Store {
    type Target = StoreRef;

    fn deref(&self) -> &StoreRef {
        &self.0
    }
}

/// A store, owned or lent to a listener.
pub struct StoreRef {
    raw: *mut sys::ctree_store,
    /// After `close`: a view that keeps the closed store in memory.
    keeper: Cell<*mut sys::ctree_view>,
    kind: IdKind,
    scope: Scope,
    listeners: RefCell<Vec<(u64, Rc<Listening>)>>,
    pub(crate) guard: Rc<Guard>,
    _releasing: Option<Box<Releasing>>,
}

impl Drop for StoreRef {
    fn drop(&mut self) {
        // SAFETY: no view is left that could be used, and no call is under way.
        unsafe {
            match self.keeper.get() {
                keeper if keeper.is_null() => sys::ctree_store_destroy(self.raw),
                keeper => sys::ctree_view_destroy(keeper),
            }
        }
        self.guard.settle();
    }
}

/// The memory of a store, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// All of it.
    pub total: u64,
    /// Nodes.
    pub nodes: u64,
    /// Lists of children.
    pub children: u64,
    /// Bytes of identifiers.
    pub identifiers: u64,
    /// The index.
    pub index: u64,
    /// Of the bytes of identifiers, those of removed nodes.
    pub dead: u64,
}

/// What a store knows of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// Its parent.
    pub parent: Node,
    /// Its value.
    pub value: u64,
    /// Its revision.
    pub revision: u64,
    /// Its identifier.
    pub id: Id<'static>,
    /// How many children are here.
    pub child_count: u32,
    /// What is known of its children.
    pub state: State,
    /// More are to come.
    pub more: bool,
}

// SAFETY of the calls below: the store lives (closed, it is kept by a view), C checks handles, positions and
// identifiers, and arrays are as long as C is told.

/// Reading.
impl StoreRef {
    pub(crate) fn raw(&self) -> *mut sys::ctree_store {
        self.raw
    }

    pub(crate) fn done(&self, status: sys::ctree_status) -> Result<()> {
        self.guard.settle();
        check(status)
    }

    pub(crate) fn bytes(&self) -> bool {
        self.kind == IdKind::Bytes
    }

    /// What names nodes, as the library says.
    pub fn kind(&self) -> IdKind {
        if unsafe { sys::ctree_store_id_kind(self.raw) } == 0 {
            IdKind::Numbers
        } else {
            IdKind::Bytes
        }
    }

    /// Where identifiers are unique, as the library says.
    pub fn scope(&self) -> Scope {
        if unsafe { sys::ctree_store_id_scope(self.raw) } == 0 {
            Scope::Store
        } else {
            Scope::Siblings
        }
    }

    /// How many nodes there are.
    pub fn count(&self) -> u64 {
        unsafe { sys::ctree_store_count(self.raw) }
    }

    /// The memory it takes.
    pub fn memory(&self) -> Result<Memory> {
        let size = size_of::<sys::ctree_memory>();
        let mut m = sys::ctree_memory { size, total: 0, nodes: 0, children: 0, identifiers: 0, index: 0, dead: 0 };
        check(unsafe { sys::ctree_store_memory(self.raw, &mut m) })?;
        let (identifiers, dead) = (m.identifiers, m.dead);
        Ok(Memory { total: m.total, nodes: m.nodes, children: m.children, identifiers, index: m.index, dead })
    }

    /// Checks every invariant; the error is with a reason.
    pub fn validate(&self) -> Result<(), (Error, &'static str)> {
        let mut reason = null();
        let status = unsafe { sys::ctree_validate(self.raw, &mut reason) };
        check(status).map_err(|error| (error, text(reason)))
    }

    /// The node of an identifier, or [`Node::NONE`].
    pub fn find<'a>(&self, id: impl Into<Id<'a>>) -> Node {
        let id = id.into();
        id.lent_to(self.bytes()).map_or(Node::NONE, |id| unsafe { sys::ctree_store_find(self.raw, id) })
    }

    /// The child of that identifier, or [`Node::NONE`].
    pub fn find_child<'a>(&self, parent: Node, id: impl Into<Id<'a>>) -> Node {
        let id = id.into();
        let lent = id.lent_to(self.bytes());
        lent.map_or(Node::NONE, |id| unsafe { sys::ctree_store_find_child(self.raw, parent, id) })
    }

    /// The nodes of many identifiers; with `parents`, one for each, as children of these.
    pub fn find_many(&self, parents: Option<&[Node]>, ids: &[Id<'_>]) -> Result<Vec<Node>> {
        let lent: Option<Vec<_>> = ids.iter().map(|id| id.lent_to(self.bytes())).collect();
        let lent = lent.ok_or(Error::Invalid)?;
        let parents = parents_of(parents, ids.len())?;
        let mut out = vec![Node::NONE; ids.len()];
        check(unsafe { sys::ctree_store_find_many(self.raw, parents, lent.as_ptr(), lent.len(), out.as_mut_ptr()) })?;
        Ok(out)
    }

    /// The nodes of many numbers, written to `out`, which has as many places; `parents` likewise.
    pub fn find_many_numbers(&self, parents: Option<&[Node]>, numbers: &[u64], out: &mut [Node]) -> Result<()> {
        let parents = parents_of(parents, numbers.len())?;
        if numbers.len() != out.len() {
            return Err(Error::Invalid);
        }
        check(unsafe {
            sys::ctree_store_find_many_u64(self.raw, parents, numbers.as_ptr(), numbers.len(), out.as_mut_ptr())
        })
    }

    /// Whether the node lives here.
    pub fn contains(&self, node: Node) -> bool {
        unsafe { sys::ctree_store_contains(self.raw, node) }
    }

    /// What is known of a node.
    pub fn info(&self, node: Node) -> Result<Info> {
        let mut i = sys::ctree_node_info {
            size: size_of::<sys::ctree_node_info>(),
            parent: Node::NONE,
            value: 0,
            revision: 0,
            id: Id::Number(0).lent(),
            child_count: 0,
            load_state: 0,
            more: false,
        };
        check(unsafe { sys::ctree_store_info(self.raw, node, &mut i) })?;
        Ok(Info {
            parent: i.parent,
            value: i.value,
            revision: i.revision,
            id: unsafe { Id::copied(i.id) },
            child_count: i.child_count,
            state: State::of(i.load_state),
            more: i.more,
        })
    }

    /// The parent, [`Node::NONE`] at the top.
    pub fn parent(&self, node: Node) -> Result<Node> {
        let mut out = Node::NONE;
        check(unsafe { sys::ctree_store_parent(self.raw, node, &mut out) }).map(|()| out)
    }

    /// The identifier, copied.
    pub fn id(&self, node: Node) -> Result<Id<'static>> {
        let mut out = Id::Number(0).lent();
        check(unsafe { sys::ctree_store_id(self.raw, node, &mut out) })?;
        Ok(unsafe { Id::copied(out) })
    }

    /// The value, 0 of a stale node.
    pub fn value(&self, node: Node) -> u64 {
        unsafe { sys::ctree_store_value(self.raw, node) }
    }

    /// The revision, 0 of a stale node.
    pub fn revision(&self, node: Node) -> u64 {
        unsafe { sys::ctree_store_revision(self.raw, node) }
    }

    /// What is known of the children.
    pub fn state(&self, node: Node) -> State {
        State::of(unsafe { sys::ctree_store_load_state(self.raw, node) })
    }

    /// How many children are here.
    pub fn child_count(&self, parent: Node) -> u32 {
        unsafe { sys::ctree_store_child_count(self.raw, parent) }
    }

    /// The child at a position, or [`Node::NONE`].
    pub fn child_at(&self, parent: Node, position: u32) -> Node {
        unsafe { sys::ctree_store_child_at(self.raw, parent, position) }
    }

    /// Up to `count` children from `first` on.
    pub fn children(&self, parent: Node, first: u32, count: u32) -> Result<Vec<Node>> {
        let mut count = count.min(self.child_count(parent).saturating_sub(first));
        let mut out = vec![Node::NONE; count as usize];
        check(unsafe { sys::ctree_store_children(self.raw, parent, first, &mut count, out.as_mut_ptr()) })?;
        out.truncate(count as usize);
        Ok(out)
    }

    /// The place among the siblings.
    pub fn ordinal(&self, node: Node) -> Result<u32> {
        let mut out = 0;
        check(unsafe { sys::ctree_store_ordinal(self.raw, node, &mut out) }).map(|()| out)
    }

    /// The level, from 0.
    pub fn depth(&self, node: Node) -> Result<u32> {
        let mut out = 0;
        check(unsafe { sys::ctree_store_depth(self.raw, node, &mut out) }).map(|()| out)
    }

    /// Whether a node stands below another.
    pub fn is_below(&self, node: Node, ancestor: Node) -> bool {
        unsafe { sys::ctree_store_is_below(self.raw, node, ancestor) }
    }

    /// The ordinals from the top down to a node.
    pub fn path(&self, node: Node) -> Result<Vec<u32>> {
        let mut room = self.depth(node)? + 1;
        let mut out = vec![0; room as usize];
        check(unsafe { sys::ctree_store_path(self.raw, node, &mut room, out.as_mut_ptr()) }).map(|()| out)
    }

    /// The node at a path of ordinals, or [`Node::NONE`].
    pub fn node_at_path(&self, path: &[u32]) -> Node {
        unsafe { sys::ctree_store_node_at_path(self.raw, path.as_ptr(), path.len() as u32) }
    }

    /// The next node below `root` in preorder, or [`Node::NONE`].
    pub fn next(&self, node: Node, root: Node, skip_children: bool) -> Node {
        unsafe { sys::ctree_store_next(self.raw, node, root, skip_children) }
    }

    /// How many nodes a subtree has, its root included.
    pub fn subtree_count(&self, node: Node) -> u64 {
        unsafe { sys::ctree_store_subtree_count(self.raw, node) }
    }
}

/// Editing.
impl StoreRef {
    pub(crate) fn bulk(
        &self,
        forest: &Forest<'_>,
        call: impl FnOnce(*const sys::ctree_forest, *mut Node, *mut sys::ctree_fault) -> sys::ctree_status,
    ) -> Result<Vec<Node>, BulkError> {
        let mut nodes = vec![Node::NONE; forest.len()];
        let mut fault = sys::ctree_fault::new();
        let status = forest.lend(self.bytes(), |forest| call(forest, nodes.as_mut_ptr(), &mut fault))?;
        self.guard.settle();
        fault.check(status).map(|()| nodes)
    }

    /// Insert a leaf.
    pub fn insert<'a>(&self, parent: Node, at: u32, id: impl Into<Id<'a>>) -> Result<Node, BulkError> {
        self.insert_with(parent, at, id, 0, 0, State::Leaf)
    }

    /// Insert a node. Of a duplicate the error says which node has the identifier.
    pub fn insert_with<'a>(
        &self,
        parent: Node,
        at: u32,
        id: impl Into<Id<'a>>,
        value: u64,
        revision: u64,
        state: State,
    ) -> Result<Node, BulkError> {
        let id = id.into();
        let lent = id.lent_to(self.bytes()).ok_or(Error::Invalid)?;
        let init = sys::ctree_node_init { value, revision, load_state: state as u32 };
        let mut node = Node::NONE;
        let status = unsafe { sys::ctree_store_insert(self.raw, parent, at, lent, &init, &mut node) };
        self.done(status).map_err(|error| {
            let node = if error == Error::Duplicate { node } else { Node::NONE };
            BulkError { node, ..error.into() }
        })?;
        Ok(node)
    }

    /// Remove a node and all below it.
    pub fn remove(&self, node: Node) -> Result<()> {
        self.done(unsafe { sys::ctree_store_remove(self.raw, node) })
    }

    /// Remove children.
    pub fn remove_children(&self, parent: Node, first: u32, count: u32) -> Result<()> {
        self.done(unsafe { sys::ctree_store_remove_children(self.raw, parent, first, count) })
    }

    /// Move a node.
    pub fn move_to(&self, node: Node, parent: Node, at: u32) -> Result<()> {
        self.done(unsafe { sys::ctree_store_move(self.raw, node, parent, at) })
    }

    /// Set value and revision.
    pub fn set(&self, node: Node, value: u64, revision: u64) -> Result<()> {
        self.done(unsafe { sys::ctree_store_set_value(self.raw, node, value, revision) })
    }

    /// Make it a leaf, or no leaf.
    pub fn set_leaf(&self, node: Node, leaf: bool) -> Result<()> {
        self.done(unsafe { sys::ctree_store_set_leaf(self.raw, node, leaf) })
    }

    /// Insert a forest.
    pub fn build(
        &self,
        parent: Node,
        at: u32,
        forest: &Forest<'_>,
        progress: Option<Progress<'_>>,
    ) -> Result<Vec<Node>, BulkError> {
        self.bulk(forest, |forest, out, fault| {
            Asking::with(&self.guard, progress, |progress| unsafe {
                sys::ctree_store_build(self.raw, parent, at, forest, progress, out, fault)
            })
        })
    }

    /// Take all nodes of another store over; it is empty then.
    pub fn graft(
        &self,
        parent: Node,
        at: u32,
        other: &StoreRef,
        progress: Option<Progress<'_>>,
    ) -> Result<(), BulkError> {
        let mut fault = sys::ctree_fault::new();
        let status = Asking::with(&self.guard, progress, |progress| unsafe {
            sys::ctree_store_graft(self.raw, parent, at, other.raw, progress, &mut fault)
        });
        self.guard.settle();
        other.guard.settle();
        fault.check(status)
    }

    /// Make what is below a node like the forest: what is found by identifier stays the same node.
    pub fn reconcile(
        &self,
        parent: Node,
        forest: &Forest<'_>,
        moves: bool,
        progress: Option<Progress<'_>>,
    ) -> Result<Vec<Node>, BulkError> {
        self.bulk(forest, |forest, out, fault| {
            Asking::with(&self.guard, progress, |progress| unsafe {
                sys::ctree_store_reconcile(self.raw, parent, forest, u32::from(moves), progress, out, fault)
            })
        })
    }

    /// Begin a transaction: one `Settled` for all of it.
    pub fn begin(&self) -> Result<()> {
        self.done(unsafe { sys::ctree_store_begin(self.raw) })
    }

    /// End it.
    pub fn end(&self) -> Result<()> {
        self.done(unsafe { sys::ctree_store_end(self.raw) })
    }

    /// Add a listener. What it gives back is for [`unlisten`](Self::unlisten).
    pub fn listen(&self, tell: impl Fn(&StoreRef, Event) + Send + 'static) -> Result<u64> {
        let listening = Rc::new(Listening { store: self, tell: Box::new(tell) });
        let listener = sys::ctree_listener {
            context: Rc::as_ptr(&listening).cast_mut().cast::<c_void>(),
            before: Some(callbacks::before),
            after: Some(callbacks::after),
            settled: Some(callbacks::settled),
        };
        let mut token = 0;
        self.done(unsafe { sys::ctree_store_add_listener(self.raw, &listener, &mut token) })?;
        self.listeners.borrow_mut().push((token, listening));
        Ok(token)
    }

    /// Remove a listener.
    pub fn unlisten(&self, token: u64) -> Result<()> {
        self.done(unsafe { sys::ctree_store_remove_listener(self.raw, token) })?;
        let place = self.listeners.borrow().iter().position(|(known, _)| *known == token);
        if let Some(place) = place {
            let (_, listening) = self.listeners.borrow_mut().remove(place);
            self.guard.retire(listening);
        }
        Ok(())
    }

    /// Free all nodes now. Later calls on the store and its views are [`Error::Closed`].
    pub fn close(&self) -> Result<()> {
        if !self.keeper.get().is_null() {
            return Err(Error::Closed);
        }
        let mut keeper = null_mut();
        self.done(unsafe { sys::ctree_view_create(self.raw, null(), &mut keeper) })?;
        self.keeper.set(keeper);
        unsafe { sys::ctree_store_destroy(self.raw) };
        self.guard.settle();
        Ok(())
    }

    /// Whether identifiers are unique among siblings only.
    pub fn is_sibling_scoped(&self) -> bool {
        self.scope == Scope::Siblings
    }
}

fn parents_of(parents: Option<&[Node]>, count: usize) -> Result<*const Node> {
    match parents {
        Some(parents) if parents.len() != count => Err(Error::Invalid),
        Some(parents) => Ok(parents.as_ptr()),
        None => Ok(null()),
    }
}

pub(crate) fn text(reason: *const std::ffi::c_char) -> &'static str {
    if reason.is_null() {
        return "";
    }
    // SAFETY: reasons are static texts.
    unsafe { CStr::from_ptr(reason) }.to_str().unwrap_or("")
}
