//! The diff of two lists of rows; it needs no store.

use crate::callbacks::{Asking, Guard};
use crate::error::check;
use crate::{sys, Batch, Error, Id, Node, Progress, Result, SectionBatch, Splices, Steps};
use std::ffi::c_void;
use std::mem::size_of;
use std::ptr::{null, null_mut};

/// What names rows and sections.
#[derive(Clone, Copy)]
pub enum Keys<'a> {
    /// Nodes of one store.
    Nodes(&'a [Node]),
    /// Numbers.
    Numbers(&'a [u64]),
    /// Bytes.
    Ids(&'a [Id<'a>]),
}

/// One of the two lists. Arrays beside keys are as long as these.
#[derive(Clone, Copy)]
pub struct List<'a> {
    /// The rows of all sections, one after the other.
    pub rows: Keys<'a>,
    /// A revision of each.
    pub revisions: Option<&'a [u64]>,
    /// The sections, if any, of the same kind of key.
    pub sections: Option<(Keys<'a>, &'a [u32])>,
    /// A revision of each section.
    pub section_revisions: Option<&'a [u64]>,
}

impl<'a> List<'a> {
    /// Rows without revisions or sections.
    pub fn new(rows: Keys<'a>) -> Self {
        List { rows, revisions: None, sections: None, section_revisions: None }
    }
}

/// How the change is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// [`Diff::Batch`]; sections are not looked at.
    Batch = 1,
    /// [`Diff::Sections`].
    Sections = 2,
    /// [`Diff::Splices`].
    Splices = 4,
    /// [`Diff::Steps`].
    Steps = 8,
}

/// The change, in the form that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Diff {
    /// As one batch.
    Batch(Batch),
    /// As one batch with sections.
    Sections(SectionBatch),
    /// As splices.
    Splices(Splices),
    /// As steps.
    Steps(Steps),
}

/// Why there is no diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiffError {
    /// A key stands twice.
    Duplicate {
        /// In the new list.
        in_new: bool,
        /// Among its sections.
        in_sections: bool,
        /// First here.
        first: u32,
        /// Again here.
        second: u32,
    },
    /// Anything else.
    Other(Error),
}

impl std::fmt::Display for DiffError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DiffError::Duplicate { first, second, .. } => write!(f, "duplicate ({first} and {second})"),
            DiffError::Other(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for DiffError {}

impl From<Error> for DiffError {
    fn from(error: Error) -> Self {
        DiffError::Other(error)
    }
}

/// Keys as C takes them.
struct Lent {
    kind: u32,
    count: usize,
    first: *const c_void,
    _ids: Vec<sys::ctree_id>,
}

fn lent(keys: Keys<'_>) -> Result<Lent> {
    let mut ids = Vec::new();
    let (kind, count, first) = match keys {
        Keys::Nodes(nodes) => (0, nodes.len(), nodes.as_ptr().cast()),
        Keys::Numbers(numbers) => (1, numbers.len(), numbers.as_ptr().cast()),
        Keys::Ids(all) => {
            ids = all.iter().map(|id| id.lent_to(true)).collect::<Option<Vec<_>>>().ok_or(Error::Invalid)?;
            (2, ids.len(), ids.as_ptr().cast())
        }
    };
    let first = if count == 0 { null() } else { first };
    Ok(Lent { kind, count, first, _ids: ids })
}

struct LentList {
    list: sys::ctree_diff_list,
    rows: Lent,
    _sections: Option<Lent>,
}

fn lent_list(list: &List<'_>) -> Result<LentList> {
    let rows = lent(list.rows)?;
    let sections = list.sections.map(|(keys, _)| lent(keys)).transpose()?;
    let section_count = sections.as_ref().map_or(0, |lent| lent.count);
    let section_rows = list.sections.map(|(_, rows)| rows);
    let total = section_rows.map(|rows| rows.iter().map(|rows| *rows as usize).sum::<usize>());
    if list.revisions.is_some_and(|r| r.len() != rows.count)
        || list.section_revisions.is_some_and(|r| r.len() != section_count)
        || section_rows.is_some_and(|r| r.len() != section_count)
        || section_count > 0 && total != Some(rows.count)
        || section_count > 0 && sections.as_ref().map(|lent| lent.kind) != Some(rows.kind)
    {
        return Err(Error::Invalid);
    }
    let list = sys::ctree_diff_list {
        rows: rows.first,
        revisions: list.revisions.map_or(null(), <[_]>::as_ptr),
        sections: sections.as_ref().map_or(null(), |lent| lent.first),
        section_rows: section_rows.map_or(null(), <[_]>::as_ptr),
        section_revisions: list.section_revisions.map_or(null(), <[_]>::as_ptr),
        row_count: u32::try_from(rows.count).map_err(|_| Error::Limit)?,
        section_count: u32::try_from(section_count).map_err(|_| Error::Limit)?,
    };
    Ok(LentList { list, rows, _sections: sections })
}

/// The change from `old`, or from nothing shown yet, to `new`. `limit`: as in [`View::commit`](crate::View::commit).
pub fn diff(
    old: Option<&List<'_>>,
    new: &List<'_>,
    form: Form,
    limit: u64,
    progress: Option<Progress<'_>>,
) -> Result<Diff, DiffError> {
    let old = old.map(lent_list).transpose()?;
    let new = lent_list(new)?;
    if old.as_ref().is_some_and(|old| old.rows.kind != new.rows.kind) {
        return Err(Error::Invalid.into());
    }
    let guard = Guard::default();
    let mut made = null_mut();
    let mut twice = sys::ctree_diff_duplicate::default();
    // SAFETY: the lists live for the call, and their arrays are as long as they say.
    let status = Asking::with(&guard, progress, |progress| unsafe {
        let options = sys::ctree_diff_options {
            size: size_of::<sys::ctree_diff_options>(),
            keys: new.rows.kind,
            forms: form as u32,
            limit,
            progress,
            allocator: null(),
            seed: null(),
            seed_size: 0,
        };
        let old = old.as_ref().map_or(null(), |old| &raw const old.list);
        sys::ctree_diff_create(old, &new.list, &options, &mut twice, &mut made)
    });
    guard.settle();
    check(status).map_err(|error| match error {
        Error::Duplicate => DiffError::Duplicate {
            in_new: twice.in_new != 0,
            in_sections: twice.in_sections != 0,
            first: twice.first,
            second: twice.second,
        },
        error => DiffError::Other(error),
    })?;
    // SAFETY: the diff has the form that was asked for, and is copied before it ends.
    unsafe {
        let told = match form {
            Form::Batch => Diff::Batch(Batch::copied(&*sys::ctree_diff_batch(made))),
            Form::Sections => Diff::Sections(SectionBatch::copied(&*sys::ctree_diff_section_batch(made))),
            Form::Splices => Diff::Splices(Splices::copied(&*sys::ctree_diff_splices(made))),
            Form::Steps => Diff::Steps(Steps::copied(&*sys::ctree_diff_steps(made))),
        };
        sys::ctree_diff_destroy(made);
        Ok(told)
    }
}
