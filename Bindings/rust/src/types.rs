//! Nodes, identifiers and rows.

use crate::sys;
use std::{borrow::Cow, ffi::c_void};

/// A node of a store. A handle to a removed node is stale for ever; using it is an error, never undefined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Node(pub u64);

impl Node {
    /// Names no node; as a parent, the top level.
    pub const NONE: Node = Node(0);

    /// Whether it names none.
    pub fn is_none(self) -> bool {
        self == Node::NONE
    }
}

/// The caller's name of a node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Id<'a> {
    /// In a store of numbers.
    Number(u64),
    /// In a store of bytes.
    Bytes(Cow<'a, [u8]>),
}

impl Id<'_> {
    /// As C takes it, lent for as long as `self` is.
    pub(crate) fn lent(&self) -> sys::ctree_id {
        match self {
            Id::Number(number) => sys::ctree_id { bytes: std::ptr::null(), word: *number },
            Id::Bytes(bytes) => sys::ctree_id { bytes: bytes.as_ptr().cast::<c_void>(), word: bytes.len() as u64 },
        }
    }

    /// As C takes it in a store of that kind, or nothing, where it is of the other kind.
    pub(crate) fn lent_to(&self, bytes: bool) -> Option<sys::ctree_id> {
        (bytes == matches!(self, Id::Bytes(_))).then(|| self.lent())
    }

    /// # Safety
    /// What C lent must still live, and be of the store's kind.
    pub(crate) unsafe fn copied(id: sys::ctree_id) -> Id<'static> {
        if id.bytes.is_null() {
            return Id::Number(id.word);
        }
        let bytes = std::slice::from_raw_parts(id.bytes.cast::<u8>(), id.word as usize);
        Id::Bytes(Cow::Owned(bytes.to_vec()))
    }
}

impl From<u64> for Id<'_> {
    fn from(number: u64) -> Self {
        Id::Number(number)
    }
}

impl<'a> From<&'a [u8]> for Id<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Id::Bytes(Cow::Borrowed(bytes))
    }
}

impl<'a> From<&'a str> for Id<'a> {
    fn from(text: &'a str) -> Self {
        Id::Bytes(Cow::Borrowed(text.as_bytes()))
    }
}

/// What is known of a node's children.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum State {
    /// It cannot open.
    #[default]
    Leaf = 0,
    /// It may open; nothing is here yet.
    Unloaded = 1,
    /// A load is under way.
    Loading = 2,
    /// They are here.
    Loaded = 3,
    /// The last load failed.
    Failed = 4,
    /// In a forest: leave a node that is found again as it is.
    Keep = 5,
}

impl State {
    pub(crate) fn of(number: u32) -> State {
        [State::Leaf, State::Unloaded, State::Loading, State::Loaded, State::Failed]
            .get(number as usize)
            .copied()
            .unwrap_or(State::Keep)
    }
}

/// Where a row is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct IndexPath {
    /// The section, 0 without sections.
    pub section: u32,
    /// The row in it.
    pub row: u32,
}

/// A row, as a table shows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Row {
    /// Its node.
    pub node: Node,
    /// Its level, from 0.
    pub depth: u32,
    /// Its place among its siblings.
    pub position: u32,
    /// How many siblings there are, itself included.
    pub sibling_count: u32,
    /// What is known of its children.
    pub state: State,
    /// It can be opened.
    pub expandable: bool,
    /// It is open.
    pub expanded: bool,
    /// More children are to come.
    pub more: bool,
}
