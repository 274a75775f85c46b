//! Loading children.

use crate::error::check;
use crate::{sys, BulkError, Forest, Node, Result, StoreRef};

/// One load of one node: plain data, that may go to another thread and come back. Its result is handed in with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Load {
    /// The node.
    pub node: Node,
    /// The ticket.
    pub ticket: u64,
}

/// How a load began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begun {
    /// It is a new one.
    New(Load),
    /// One is under way already: this one.
    Already(Load),
}

impl Begun {
    /// The load, new or not.
    pub fn load(self) -> Load {
        match self {
            Begun::New(load) | Begun::Already(load) => load,
        }
    }
}

/// Loads.
impl StoreRef {
    /// Ask for a node's children.
    pub fn request(&self, node: Node) -> Result<()> {
        // SAFETY, here and below: the store lives, and C checks handles and tickets.
        self.done(unsafe { sys::ctree_load_request(self.raw(), node) })
    }

    /// Take the oldest request that still stands.
    pub fn next_request(&self) -> Option<Node> {
        let node = unsafe { sys::ctree_load_next_request(self.raw()) };
        (!node.is_none()).then_some(node)
    }

    /// Begin a load; with `reload` also where the node is loaded, or loading.
    pub fn begin_load(&self, node: Node, reload: bool) -> Result<Begun> {
        let mut ticket = 0;
        let status = unsafe { sys::ctree_load_begin(self.raw(), node, u32::from(reload), &mut ticket) };
        self.guard.settle();
        let load = Load { node, ticket };
        match check(status) {
            Err(crate::Error::Loading) => Ok(Begun::Already(load)),
            other => other.map(|()| Begun::New(load)),
        }
    }

    /// Whether a load's result would be taken now.
    pub fn check_load(&self, load: Load) -> Result<()> {
        check(unsafe { sys::ctree_load_check(self.raw(), load.node, load.ticket) })
    }

    /// Hand in all children. An identifier that stands elsewhere is moved here with `moves`, else an error.
    pub fn finish_load(&self, load: Load, forest: &Forest<'_>, moves: bool) -> Result<Vec<Node>, BulkError> {
        self.bulk(forest, |forest, out, fault| unsafe {
            sys::ctree_load_finish(self.raw(), load.node, load.ticket, forest, u32::from(moves), out, fault)
        })
    }

    /// Hand in one page of children.
    pub fn append_load(&self, load: Load, page: &Forest<'_>, more: bool) -> Result<Vec<Node>, BulkError> {
        self.bulk(page, |page, out, fault| unsafe {
            sys::ctree_load_append(self.raw(), load.node, load.ticket, page, more, out, fault)
        })
    }

    /// The load failed.
    pub fn fail_load(&self, load: Load, error: u64) -> Result<()> {
        self.done(unsafe { sys::ctree_load_fail(self.raw(), load.node, load.ticket, error) })
    }

    /// Give the load up: the node is as it was before.
    pub fn cancel_load(&self, load: Load) -> Result<()> {
        self.done(unsafe { sys::ctree_load_cancel(self.raw(), load.node, load.ticket) })
    }

    /// The error of the last load, 0 without one.
    pub fn load_error(&self, node: Node) -> u64 {
        unsafe { sys::ctree_load_error(self.raw(), node) }
    }

    /// Drop a node's children; it is unloaded again.
    pub fn drop_children(&self, node: Node) -> Result<()> {
        self.done(unsafe { sys::ctree_load_drop(self.raw(), node) })
    }
}
