//! Rows of one moment.

use crate::error::check;
use crate::{sys, Error, IndexPath, Node, Result, Row, View};
use std::ptr::NonNull;

/// The rows of a view at one moment: a value that later edits do not touch, and that outlives view and store.
pub struct Rows(pub(crate) NonNull<sys::ctree_rows>);

// SAFETY: it is never written after it was made, and its memory is that of the process.
unsafe impl Send for Rows {}
unsafe impl Sync for Rows {}

impl Drop for Rows {
    fn drop(&mut self) {
        // SAFETY: it is ours.
        unsafe { sys::ctree_rows_destroy(self.0.as_ptr()) }
    }
}

// SAFETY of the calls below: the rows live, and C checks numbers and handles.
impl Rows {
    fn raw(&self) -> *const sys::ctree_rows {
        self.0.as_ptr()
    }

    /// How many rows there are.
    pub fn len(&self) -> u32 {
        unsafe { sys::ctree_rows_count(self.raw()) }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn lent<T>(&self, first: *const T) -> &[T] {
        match self.len() as usize {
            0 => &[],
            // SAFETY: C lends as many as there are rows, while the rows live.
            count => unsafe { std::slice::from_raw_parts(first, count) },
        }
    }

    /// Their nodes.
    pub fn nodes(&self) -> &[Node] {
        self.lent(unsafe { sys::ctree_rows_nodes(self.raw()) })
    }

    /// Their levels.
    pub fn depths(&self) -> &[u32] {
        self.lent(unsafe { sys::ctree_rows_depths(self.raw()) })
    }

    /// How many sections there are; 1 without sections.
    pub fn section_count(&self) -> u32 {
        unsafe { sys::ctree_rows_section_count(self.raw()) }
    }

    /// The node of a section, or [`Node::NONE`].
    pub fn section_node(&self, section: u32) -> Node {
        unsafe { sys::ctree_rows_section_node(self.raw(), section) }
    }

    /// The first row of a section.
    pub fn section_start(&self, section: u32) -> u32 {
        unsafe { sys::ctree_rows_section_start(self.raw(), section) }
    }

    /// Where a row is.
    pub fn index_path(&self, row: u32) -> Result<IndexPath> {
        let mut out = IndexPath::default();
        check(unsafe { sys::ctree_rows_index_path(self.raw(), row, &mut out) }).map(|()| out)
    }

    /// The row at an index path.
    pub fn row_at(&self, path: IndexPath) -> Option<u32> {
        row(unsafe { sys::ctree_rows_at_index_path(self.raw(), path) })
    }

    /// The node of a row, or [`Node::NONE`].
    pub fn node_at(&self, row: u32) -> Node {
        unsafe { sys::ctree_rows_node(self.raw(), row) }
    }

    /// The row of a node, where the rows were made with the way back.
    pub fn row_of(&self, node: Node) -> Option<u32> {
        row(unsafe { sys::ctree_rows_row(self.raw(), node) })
    }

    /// Up to `count` rows from `first` on, as the view that they are of says them now.
    pub fn window(&self, view: &View<'_>, first: u32, count: u32) -> Result<Vec<Row>> {
        let mut count = count.min(self.len().saturating_sub(first));
        let mut out = vec![Row::default(); count as usize];
        check(unsafe { sys::ctree_rows_window(self.raw(), view.raw(), first, &mut count, out.as_mut_ptr()) })?;
        out.truncate(count as usize);
        Ok(out)
    }

    pub(crate) fn made(raw: *mut sys::ctree_rows) -> Result<Rows> {
        NonNull::new(raw).map(Rows).ok_or(Error::NoMemory)
    }
}

pub(crate) fn row(number: u32) -> Option<u32> {
    (number != sys::NO_ROW).then_some(number)
}
