//! Failures.

use crate::{sys, Node};
use std::{error, ffi::CStr, fmt};

/// Why a call failed. It has changed nothing then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u32)]
pub enum Error {
    /// Memory ran out.
    NoMemory = 1,
    /// An argument that can never be right.
    Invalid = 2,
    /// The node is gone.
    Stale = 3,
    /// A position beyond what is there.
    Range = 4,
    /// The identifier is taken.
    Duplicate = 5,
    /// A limit is reached.
    Limit = 6,
    /// The node is a leaf.
    Leaf = 7,
    /// A node would come to stand below itself.
    Cycle = 8,
    /// Within a callback that may not do this.
    Busy = 9,
    /// The store was closed.
    Closed = 10,
    /// Cancelled: by a progress callback, or a load.
    Cancelled = 11,
    /// A newer load has begun.
    Superseded = 12,
    /// Nothing of that name.
    NotFound = 13,
    /// It is being loaded.
    Loading = 14,
    /// An invariant is broken: a bug in the library.
    Corrupt = 15,
}

/// What a call gives that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A short English name of a status number of the C interface.
pub fn status_name(number: u32) -> &'static str {
    // SAFETY: any number is taken, and the text is static.
    unsafe { CStr::from_ptr(sys::ctree_status_name(number)) }.to_str().unwrap_or("")
}

pub(crate) fn check(status: sys::ctree_status) -> Result<()> {
    Err(match status {
        0 => return Ok(()),
        1 => Error::NoMemory,
        3 => Error::Stale,
        4 => Error::Range,
        5 => Error::Duplicate,
        6 => Error::Limit,
        7 => Error::Leaf,
        8 => Error::Cycle,
        9 => Error::Busy,
        10 => Error::Closed,
        11 => Error::Cancelled,
        12 => Error::Superseded,
        13 => Error::NotFound,
        14 => Error::Loading,
        15 => Error::Corrupt,
        _ => Error::Invalid,
    })
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(status_name(*self as u32))
    }
}

impl error::Error for Error {}

/// Why a call that takes identifiers failed, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BulkError {
    /// Why.
    pub error: Error,
    /// The item at fault.
    pub item: Option<u64>,
    /// The other item, where two are.
    pub other_item: Option<u64>,
    /// The node of the store that is in the way, or [`Node::NONE`].
    pub node: Node,
}

impl fmt::Display for BulkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.item {
            Some(item) => write!(f, "{} (item {item})", self.error),
            None => self.error.fmt(f),
        }
    }
}

impl error::Error for BulkError {}

impl From<BulkError> for Error {
    fn from(bulk: BulkError) -> Error {
        bulk.error
    }
}

impl From<Error> for BulkError {
    fn from(error: Error) -> BulkError {
        BulkError { error, item: None, other_item: None, node: Node::NONE }
    }
}

impl sys::ctree_fault {
    pub(crate) fn new() -> Self {
        Self { size: std::mem::size_of::<Self>(), item: sys::NO_ITEM, other_item: sys::NO_ITEM, node: Node::NONE }
    }

    pub(crate) fn check(&self, status: sys::ctree_status) -> Result<(), BulkError> {
        let item = |number| (number != sys::NO_ITEM).then_some(number);
        let (item, other_item, node) = (item(self.item), item(self.other_item), self.node);
        check(status).map_err(|error| BulkError { error, item, other_item, node })
    }
}
