//! The engine behind expandable trees: which rows are visible, where each node is, what changed, and what still has to
//! be loaded. It draws nothing. The work is done by the C library `CTreeCore`; its headers say what each call costs.
//!
//! A [`Store`] holds the nodes, a [`View`] is one way of looking at them. Calls take `&self`: the store and its views
//! are one domain, used by one thread at a time, and the library itself refuses ([`Error::Busy`]) an edit from within
//! a callback that may not edit. A store may be sent to another thread while it has no view; nothing here is `Sync`.
//!
//! A panic in a callback goes on in the call that led to it, once that is over; the edit itself has happened.
#![warn(missing_docs)]

mod callbacks;
mod changes;
mod diff;
mod error;
mod forest;
mod load;
mod rows;
mod store;
mod sys;
mod types;
mod view;

pub use callbacks::{Change, Edit, Event, Progress};
pub use changes::{Batch, PathRange, PathRun, RowRange, RowRun, SectionBatch, Splice, Splices, Step, Steps};
pub use diff::{diff, Diff, DiffError, Form, Keys, List};
pub use error::{status_name, BulkError, Error, Result};
pub use forest::Forest;
pub use load::{Begun, Load};
pub use rows::Rows;
pub use store::{IdKind, Info, Memory, Scope, Store, StoreOptions, StoreRef};
pub use types::{Id, IndexPath, Node, Row, State};
pub use view::{Saved, View, ViewOptions, What};

/// As a position: behind the last.
pub const END: u32 = sys::END;
/// As a depth or number of levels: all of them.
pub const ALL_LEVELS: u32 = u32::MAX;

/// The version of the library: its text, the number, and the number of its binary interface.
pub fn version() -> (&'static str, u32, u32) {
    // SAFETY: the text is static and ASCII.
    unsafe {
        let text = std::ffi::CStr::from_ptr(sys::ctree_version_string());
        (text.to_str().unwrap_or(""), sys::ctree_version(), sys::ctree_abi_version())
    }
}
