//! Views.

use crate::callbacks::{self, Asking, Watching};
use crate::error::check;
use crate::rows::row;
use crate::store::text;
use crate::{sys, Batch, Error, Id, IndexPath, Node, Progress, Result, Row, Rows, SectionBatch, Splice, StoreRef};
use std::cell::RefCell;
use std::ffi::c_void;
use std::mem::size_of;
use std::ptr::{null_mut, NonNull};
use std::rc::Rc;

/// How a view is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ViewOptions {
    /// Top-level nodes are sections.
    pub sections: bool,
    /// A collapse forgets what was open below.
    pub forgets: bool,
    /// Loaded nodes without children can open.
    pub empty_can_open: bool,
    /// Changes are kept for [`View::commit`].
    pub records: bool,
    /// How many levels are open where nothing else was said.
    pub default_depth: u32,
}

/// What a view holds of a node: bits, joined with `|`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct What(pub u32);

impl What {
    /// It is expanded.
    pub const EXPANDED: What = What(1);
    /// It is collapsed.
    pub const COLLAPSED: What = What(2);
    /// It is selected.
    pub const SELECTED: What = What(4);
    /// All of them.
    pub const ALL: What = What(7);

    /// Whether it has all bits of another.
    pub fn has(self, other: What) -> bool {
        self.0 & other.0 == other.0
    }
}

impl std::ops::BitOr for What {
    type Output = What;

    fn bitor(self, other: What) -> What {
        What(self.0 | other.0)
    }
}

/// An entry of a saved state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// Identifiers from the top down; in store scope one.
    pub path: Vec<Id<'static>>,
    /// What is held of that node.
    pub what: What,
}

/// One way of looking at a store: which nodes are expanded and selected.
pub struct View<'s> {
    raw: NonNull<sys::ctree_view>,
    store: &'s StoreRef,
    watching: RefCell<Option<Rc<Watching>>>,
}

impl Drop for View<'_> {
    fn drop(&mut self) {
        // SAFETY: it is ours.
        unsafe { sys::ctree_view_destroy(self.raw.as_ptr()) };
        if let Some(watching) = self.watching.take() {
            self.store.guard.retire(watching);
        }
    }
}

impl StoreRef {
    /// Make a view.
    pub fn view(&self, options: ViewOptions) -> Result<View<'_>> {
        let flags = u32::from(options.sections)
            | u32::from(options.forgets) << 1
            | u32::from(options.empty_can_open) << 2
            | u32::from(options.records) << 3;
        let size = size_of::<sys::ctree_view_options>();
        let given = sys::ctree_view_options { size, flags, default_depth: options.default_depth };
        let mut raw = null_mut();
        // SAFETY: the store lives.
        self.done(unsafe { sys::ctree_view_create(self.raw(), &given, &mut raw) })?;
        let raw = NonNull::new(raw).ok_or(Error::NoMemory)?;
        Ok(View { raw, store: self, watching: RefCell::new(None) })
    }
}

// SAFETY of the calls below: the view lives and its store with it, C checks handles, numbers and identifiers, and
// arrays are as long as C is told.

impl<'s> View<'s> {
    pub(crate) fn raw(&self) -> *mut sys::ctree_view {
        self.raw.as_ptr()
    }

    fn done(&self, status: sys::ctree_status) -> Result<()> {
        self.store.done(status)
    }

    /// Its store.
    pub fn store(&self) -> &'s StoreRef {
        debug_assert!(unsafe { sys::ctree_view_store(self.raw()) } == self.store.raw());
        self.store
    }

    /// Show a node's children.
    pub fn expand(&self, node: Node) -> Result<()> {
        self.done(unsafe { sys::ctree_view_expand(self.raw(), node) })
    }

    /// Hide them.
    pub fn collapse(&self, node: Node) -> Result<()> {
        self.done(unsafe { sys::ctree_view_collapse(self.raw(), node) })
    }

    /// One or the other.
    pub fn toggle(&self, node: Node) -> Result<()> {
        self.done(unsafe { sys::ctree_view_toggle(self.raw(), node) })
    }

    /// Expand all above a node.
    pub fn reveal(&self, node: Node) -> Result<()> {
        self.done(unsafe { sys::ctree_view_reveal(self.raw(), node) })
    }

    /// Expand a node and so many levels below it; [`Node::NONE`]: the whole store.
    pub fn expand_all(&self, node: Node, levels: u32, progress: Option<Progress<'_>>) -> Result<()> {
        let status = Asking::with(&self.store.guard, progress, |progress| unsafe {
            sys::ctree_view_expand_all(self.raw(), node, levels, progress)
        });
        self.done(status)
    }

    /// Collapse a node and all below it; [`Node::NONE`]: the whole store.
    pub fn collapse_all(&self, node: Node) -> Result<()> {
        self.done(unsafe { sys::ctree_view_collapse_all(self.raw(), node) })
    }

    /// Whether it is expanded.
    pub fn is_expanded(&self, node: Node) -> bool {
        unsafe { sys::ctree_view_is_expanded(self.raw(), node) }
    }

    /// Whether it is a row.
    pub fn is_visible(&self, node: Node) -> bool {
        unsafe { sys::ctree_view_is_visible(self.raw(), node) }
    }

    /// Whether it can open.
    pub fn is_expandable(&self, node: Node) -> bool {
        unsafe { sys::ctree_view_is_expandable(self.raw(), node) }
    }
}

/// Rows.
impl View<'_> {
    /// How many rows there are.
    pub fn row_count(&self) -> u32 {
        unsafe { sys::ctree_view_row_count(self.raw()) }
    }

    /// The node of a row, or [`Node::NONE`].
    pub fn node_at(&self, row: u32) -> Node {
        unsafe { sys::ctree_view_node_at(self.raw(), row) }
    }

    /// The row of a node.
    pub fn row_of(&self, node: Node) -> Option<u32> {
        row(unsafe { sys::ctree_view_row_of(self.raw(), node) })
    }

    /// The nodes of many rows.
    pub fn nodes_at(&self, rows: &[u32]) -> Result<Vec<Node>> {
        let mut out = vec![Node::NONE; rows.len()];
        check(unsafe { sys::ctree_view_nodes_at(self.raw(), rows.as_ptr(), rows.len(), out.as_mut_ptr()) })?;
        Ok(out)
    }

    /// The rows of many nodes.
    pub fn rows_of(&self, nodes: &[Node]) -> Result<Vec<Option<u32>>> {
        let mut out = vec![0; nodes.len()];
        check(unsafe { sys::ctree_view_rows_of(self.raw(), nodes.as_ptr(), nodes.len(), out.as_mut_ptr()) })?;
        Ok(out.into_iter().map(row).collect())
    }

    fn room(&self, first: u32, count: u32) -> u32 {
        count.min(self.row_count().saturating_sub(first))
    }

    /// Up to `count` rows from `first` on.
    pub fn window(&self, first: u32, count: u32) -> Result<Vec<Row>> {
        let mut out = vec![Row::default(); self.room(first, count) as usize];
        let count = self.window_into(first, &mut out)?;
        out.truncate(count);
        Ok(out)
    }

    /// Rows from `first` on into an array; how many there were.
    pub fn window_into(&self, first: u32, out: &mut [Row]) -> Result<usize> {
        let mut count = u32::try_from(out.len()).unwrap_or(u32::MAX);
        check(unsafe { sys::ctree_view_window(self.raw(), first, &mut count, out.as_mut_ptr()) })?;
        Ok(count as usize)
    }

    /// Nodes and levels of up to `count` rows from `first` on.
    pub fn nodes_from(&self, first: u32, count: u32) -> Result<(Vec<Node>, Vec<u32>)> {
        let room = self.room(first, count) as usize;
        let (mut nodes, mut depths) = (vec![Node::NONE; room], vec![0; room]);
        let count = self.nodes_into(first, &mut nodes, &mut depths)?;
        nodes.truncate(count);
        depths.truncate(count);
        Ok((nodes, depths))
    }

    /// The same into arrays, as many as the shorter one takes; how many there were.
    pub fn nodes_into(&self, first: u32, nodes: &mut [Node], depths: &mut [u32]) -> Result<usize> {
        let mut count = u32::try_from(nodes.len().min(depths.len())).unwrap_or(u32::MAX);
        let (nodes, depths) = (nodes.as_mut_ptr(), depths.as_mut_ptr());
        check(unsafe { sys::ctree_view_nodes_from(self.raw(), first, &mut count, nodes, depths) })?;
        Ok(count as usize)
    }

    /// The nodes above a row's node, from the top.
    pub fn ancestors(&self, node: Node) -> Result<Vec<Node>> {
        let mut out = vec![Node::NONE; 16];
        loop {
            let mut room = out.len() as u32;
            let status = unsafe { sys::ctree_view_ancestors(self.raw(), node, &mut room, out.as_mut_ptr()) };
            let fitted = room as usize <= out.len();
            out.resize(room as usize, Node::NONE);
            match check(status) {
                Err(Error::Range) if !fitted => {}
                other => return other.map(|()| out),
            }
        }
    }

    /// How many sections there are; 1 without sections.
    pub fn section_count(&self) -> u32 {
        unsafe { sys::ctree_view_section_count(self.raw()) }
    }

    /// The node of a section, or [`Node::NONE`].
    pub fn section_node(&self, section: u32) -> Node {
        unsafe { sys::ctree_view_section_node(self.raw(), section) }
    }

    /// How many rows a section has.
    pub fn section_rows(&self, section: u32) -> u32 {
        unsafe { sys::ctree_view_section_rows(self.raw(), section) }
    }

    /// Where a row is.
    pub fn index_path(&self, row: u32) -> Result<IndexPath> {
        let mut out = IndexPath::default();
        check(unsafe { sys::ctree_view_index_path(self.raw(), row, &mut out) }).map(|()| out)
    }

    /// The row at an index path.
    pub fn row_at(&self, path: IndexPath) -> Option<u32> {
        row(unsafe { sys::ctree_view_row_at_index_path(self.raw(), path) })
    }

    /// The rows of this moment as a value; with `lookup` also the way back from nodes to rows.
    pub fn flatten(&self, lookup: bool, progress: Option<Progress<'_>>) -> Result<Rows> {
        let mut out = null_mut();
        let status = Asking::with(&self.store.guard, progress, |progress| unsafe {
            sys::ctree_rows_flatten(self.raw(), u32::from(lookup), progress, &mut out)
        });
        self.done(status)?;
        Rows::made(out)
    }

    /// The memory it takes, in bytes.
    pub fn memory(&self) -> u64 {
        unsafe { sys::ctree_view_memory(self.raw()) }
    }

    /// Give back what rows that are hidden keep.
    pub fn trim(&self) -> Result<()> {
        self.done(unsafe { sys::ctree_view_trim(self.raw()) })
    }

    /// Pack the rows.
    pub fn compact(&self) -> Result<()> {
        self.done(unsafe { sys::ctree_view_compact(self.raw()) })
    }

    /// Checks every invariant; the error is with a reason.
    pub fn validate(&self) -> Result<(), (Error, &'static str)> {
        let mut reason = std::ptr::null();
        let status = unsafe { sys::ctree_view_validate(self.raw(), &mut reason) };
        check(status).map_err(|error| (error, text(reason)))
    }
}

/// Selection and saved states.
impl View<'_> {
    /// Select a node, or deselect it.
    pub fn select(&self, node: Node, selected: bool) -> Result<()> {
        self.done(unsafe { sys::ctree_view_select(self.raw(), node, selected) })
    }

    /// Select rows, or deselect them.
    pub fn select_rows(&self, first: u32, count: u32, selected: bool) -> Result<()> {
        self.done(unsafe { sys::ctree_view_select_rows(self.raw(), first, count, selected) })
    }

    /// Deselect all.
    pub fn deselect_all(&self) -> Result<()> {
        self.done(unsafe { sys::ctree_view_deselect_all(self.raw()) })
    }

    /// Whether it is selected.
    pub fn is_selected(&self, node: Node) -> bool {
        unsafe { sys::ctree_view_is_selected(self.raw(), node) }
    }

    /// How many are selected, hidden ones included.
    pub fn selected_count(&self) -> u64 {
        unsafe { sys::ctree_view_selected_count(self.raw()) }
    }

    /// All selected nodes: first those that are rows, in their order, then the others.
    pub fn selected(&self) -> Result<Vec<Node>> {
        let mut room = self.selected_count();
        let mut out = vec![Node::NONE; room as usize];
        check(unsafe { sys::ctree_view_selected(self.raw(), &mut room, out.as_mut_ptr()) }).map(|()| out)
    }

    /// What the view holds, by identifiers.
    pub fn save(&self, what: What) -> Result<Vec<Saved>> {
        let mut out: Vec<Saved> = Vec::new();
        let context = (&mut out as *mut Vec<Saved>).cast::<c_void>();
        check(unsafe { sys::ctree_view_save(self.raw(), what.0, keep, context) }).map(|()| out)
    }

    /// Give entries back; those of nodes that are not here wait for them.
    pub fn restore(&self, entries: &[Saved]) -> Result<()> {
        let bytes = self.store.bytes();
        let mut paths = Vec::with_capacity(entries.len());
        for entry in entries {
            paths.push(lent_path(&entry.path, bytes)?);
        }
        let entry = |(entry, path): (&Saved, &Vec<sys::ctree_id>)| sys::ctree_saved {
            path: path.as_ptr(),
            length: path.len() as u32,
            what: entry.what.0,
        };
        let lent: Vec<_> = entries.iter().zip(&paths).map(entry).collect();
        self.done(unsafe { sys::ctree_view_restore(self.raw(), lent.as_ptr(), lent.len()) })
    }

    /// How many entries wait.
    pub fn waiting_count(&self) -> u64 {
        unsafe { sys::ctree_view_waiting_count(self.raw()) }
    }

    /// Let none wait.
    pub fn forget_waiting(&self) -> Result<()> {
        self.done(unsafe { sys::ctree_view_forget_waiting(self.raw()) })
    }

    /// Reveal a node through levels that may have to load. The node, and whether it is the last of the path: else it is
    /// the one that is loading.
    pub fn reveal_path(&self, path: &[Id<'_>]) -> Result<(Node, bool)> {
        let path = lent_path(path, self.store.bytes())?;
        let mut node = Node::NONE;
        let status = unsafe { sys::ctree_view_reveal_path(self.raw(), path.as_ptr(), path.len() as u32, &mut node) };
        match self.done(status) {
            Err(Error::Loading) => Ok((node, false)),
            other => other.map(|()| (node, true)),
        }
    }
}

/// Changes.
impl View<'_> {
    /// Be told each change of the rows at once. In place of whoever was told before.
    pub fn watch(&self, tell: impl Fn(Splice) + Send + 'static) -> Result<()> {
        let watching = Rc::new(Watching { guard: self.store.guard.clone(), tell: Box::new(tell) });
        let context = Rc::as_ptr(&watching).cast_mut().cast::<c_void>();
        self.done(unsafe { sys::ctree_view_watch(self.raw(), Some(callbacks::splice), context) })?;
        self.watched(Some(watching));
        Ok(())
    }

    /// Be told no more.
    pub fn unwatch(&self) -> Result<()> {
        self.done(unsafe { sys::ctree_view_watch(self.raw(), None, null_mut()) })?;
        self.watched(None);
        Ok(())
    }

    fn watched(&self, watching: Option<Rc<Watching>>) {
        let before = self.watching.replace(watching);
        if let Some(before) = before {
            self.store.guard.retire(before);
        }
    }

    /// All change since the last accepted batch. `limit`: beyond so many ranges it says reload; 0: no limit.
    pub fn commit(&self, limit: u64) -> Result<Batch> {
        let mut out = std::ptr::null();
        self.done(unsafe { sys::ctree_view_commit(self.raw(), limit, &mut out) })?;
        Ok(unsafe { Batch::copied(&*out) })
    }

    /// The same with sections.
    pub fn commit_sections(&self, limit: u64) -> Result<SectionBatch> {
        let mut out = std::ptr::null();
        self.done(unsafe { sys::ctree_view_commit_sections(self.raw(), limit, &mut out) })?;
        Ok(unsafe { SectionBatch::copied(&*out) })
    }

    /// The last batch has been shown.
    pub fn accept(&self) -> Result<()> {
        self.done(unsafe { sys::ctree_view_accept(self.raw()) })
    }
}

fn lent_path(path: &[Id<'_>], bytes: bool) -> Result<Vec<sys::ctree_id>> {
    path.iter().map(|id| id.lent_to(bytes)).collect::<Option<Vec<_>>>().ok_or(Error::Invalid)
}

unsafe extern "C" fn keep(context: *mut c_void, entry: *const sys::ctree_saved) -> bool {
    let out = &mut *context.cast::<Vec<Saved>>();
    let path = std::slice::from_raw_parts((*entry).path, (*entry).length as usize);
    out.push(Saved { path: path.iter().map(|id| Id::copied(*id)).collect(), what: What((*entry).what) });
    true
}
