//! Items handed in at once.

use crate::{sys, Error, Id, Result, State};

#[derive(Clone, Copy)]
enum Names<'a> {
    Numbers(&'a [u64]),
    Ids(&'a [Id<'a>]),
}

/// Items handed in at once, as arrays of the caller's. All arrays have the same length.
#[derive(Clone, Copy)]
pub struct Forest<'a> {
    names: Names<'a>,
    parents: Option<&'a [u32]>,
    values: Option<&'a [u64]>,
    revisions: Option<&'a [u64]>,
    states: Option<&'a [State]>,
}

impl<'a> Forest<'a> {
    fn of(names: Names<'a>) -> Self {
        Forest { names, parents: None, values: None, revisions: None, states: None }
    }

    /// Items named by numbers, all at the top.
    pub fn numbers(numbers: &'a [u64]) -> Self {
        Self::of(Names::Numbers(numbers))
    }

    /// Items named by identifiers, all at the top.
    pub fn ids(ids: &'a [Id<'a>]) -> Self {
        Self::of(Names::Ids(ids))
    }

    /// Each item's parent: its place among the items, or [`END`](crate::END).
    pub fn parents(self, parents: &'a [u32]) -> Self {
        Forest { parents: Some(parents), ..self }
    }

    /// Each item's value; 0 where none is given.
    pub fn values(self, values: &'a [u64]) -> Self {
        Forest { values: Some(values), ..self }
    }

    /// Each item's revision; 0 where none is given.
    pub fn revisions(self, revisions: &'a [u64]) -> Self {
        Forest { revisions: Some(revisions), ..self }
    }

    /// Each item's load state; where none is given, loaded with children in the forest, else leaf.
    pub fn states(self, states: &'a [State]) -> Self {
        Forest { states: Some(states), ..self }
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        match self.names {
            Names::Numbers(numbers) => numbers.len(),
            Names::Ids(ids) => ids.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Lends it to C for one call.
    pub(crate) fn lend<T>(&self, bytes: bool, call: impl FnOnce(*const sys::ctree_forest) -> T) -> Result<T> {
        let count = self.len();
        let fits = |length: Option<usize>| length.is_none_or(|length| length == count);
        if !fits(self.parents.map(<[_]>::len))
            || !fits(self.values.map(<[_]>::len))
            || !fits(self.revisions.map(<[_]>::len))
            || !fits(self.states.map(<[_]>::len))
        {
            return Err(Error::Invalid);
        }
        let mut ids = Vec::new();
        let mut numbers = std::ptr::null();
        match self.names {
            Names::Numbers(_) if bytes => return Err(Error::Invalid),
            Names::Numbers(all) => numbers = all.as_ptr(),
            Names::Ids(all) => {
                for id in all {
                    ids.push(id.lent_to(bytes).ok_or(Error::Invalid)?);
                }
            }
        }
        let states: Option<Vec<u8>> = self.states.map(|states| states.iter().map(|state| *state as u8).collect());
        let none: *const sys::ctree_id = std::ptr::null();
        Ok(call(&sys::ctree_forest {
            size: std::mem::size_of::<sys::ctree_forest>(),
            count: count as u64,
            ids: if numbers.is_null() { ids.as_ptr() } else { none },
            numbers,
            bytes: none.cast(),
            offsets: std::ptr::null(),
            parents: self.parents.map_or(std::ptr::null(), <[_]>::as_ptr),
            values: self.values.map_or(std::ptr::null(), <[_]>::as_ptr),
            revisions: self.revisions.map_or(std::ptr::null(), <[_]>::as_ptr),
            states: states.as_ref().map_or(std::ptr::null(), Vec::as_ptr),
        }))
    }
}
