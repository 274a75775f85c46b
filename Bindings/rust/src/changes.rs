//! Changes of rows, as tables take them.

use crate::sys;

macro_rules! record {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident),* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[repr(C)]
        pub struct $name { $($(#[$field_doc])* pub $field: u32,)* }
    };
}

record!(/** Rows, or sections, side by side. */ RowRange { /** The first. */ first, /** How many. */ count });
record!(/** Rows, or sections, that have an old and a new number. */ RowRun {
    /** The first one's old number. */ from, /** The first one's new number. */ to, /** How many. */ count });
record!(/** Rows of one section. */ PathRange {
    /** The section. */ section, /** The first row. */ first, /** How many. */ count });
record!(/** Rows that have an old and a new place. */ PathRun {
    /** The old section. */ from_section, /** The old row. */ from, /** The new section. */ to_section,
    /** The new row. */ to, /** How many. */ count });
record!(/** At a row, so many went and so many came. */ Splice {
    /** The row. */ row, /** How many went. */ removed, /** How many came. */ inserted });
record!(/** A step as C writes it. */ StepRecord { /** What. */ kind, /** From. */ from, /** To. */ to,
    /** How many. */ count });

/// All change between two states of the rows. Deletes and where moves begin count in old numbers, the rest in new ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// Read everything again; nothing else is said then.
    pub reload: bool,
    /// Rows before.
    pub old_count: u32,
    /// Rows after.
    pub new_count: u32,
    /// Rows that went.
    pub deletes: Vec<RowRange>,
    /// Rows that came.
    pub inserts: Vec<RowRange>,
    /// Rows that moved.
    pub moves: Vec<RowRun>,
    /// Rows that look different.
    pub changes: Vec<RowRun>,
}

/// The same with sections.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SectionBatch {
    /// Read everything again; nothing else is said then.
    pub reload: bool,
    /// Sections before.
    pub old_section_count: u32,
    /// Sections after.
    pub new_section_count: u32,
    /// Rows before.
    pub old_count: u32,
    /// Rows after.
    pub new_count: u32,
    /// Sections that went.
    pub section_deletes: Vec<RowRange>,
    /// Sections that came.
    pub section_inserts: Vec<RowRange>,
    /// Sections that moved.
    pub section_moves: Vec<RowRun>,
    /// Sections whose headers look different.
    pub section_changes: Vec<RowRun>,
    /// Rows that went.
    pub deletes: Vec<PathRange>,
    /// Rows that came.
    pub inserts: Vec<PathRange>,
    /// Rows that moved.
    pub moves: Vec<PathRun>,
    /// Rows that look different.
    pub changes: Vec<PathRun>,
}

/// Change as splices, each in the row numbers of its moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Splices {
    /// Read everything again.
    pub reload: bool,
    /// Rows before.
    pub old_count: u32,
    /// Rows after.
    pub new_count: u32,
    /// In order.
    pub splices: Vec<Splice>,
}

/// One step of change, in the row numbers of its moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Rows go.
    Delete {
        /// The first.
        from: u32,
        /// How many.
        count: u32,
    },
    /// Rows move.
    Move {
        /// The first, before.
        from: u32,
        /// The first, after.
        to: u32,
        /// How many.
        count: u32,
    },
    /// Rows come.
    Insert {
        /// The first.
        to: u32,
        /// How many.
        count: u32,
    },
}

/// Change as steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// Read everything again.
    pub reload: bool,
    /// Rows before.
    pub old_count: u32,
    /// Rows after.
    pub new_count: u32,
    /// In order.
    pub steps: Vec<Step>,
}

/// # Safety
/// `first` must point to `count` of them, or `count` be 0.
unsafe fn copied<T: Copy>(first: *const T, count: u32) -> Vec<T> {
    if count == 0 {
        return Vec::new();
    }
    std::slice::from_raw_parts(first, count as usize).to_vec()
}

// SAFETY of all below: what C gives out is whole.
impl Batch {
    pub(crate) unsafe fn copied(b: &sys::ctree_batch) -> Batch {
        Batch {
            reload: b.reload != 0,
            old_count: b.old_count,
            new_count: b.new_count,
            deletes: copied(b.deletes, b.delete_count),
            inserts: copied(b.inserts, b.insert_count),
            moves: copied(b.moves, b.move_count),
            changes: copied(b.changes, b.change_count),
        }
    }
}

impl SectionBatch {
    pub(crate) unsafe fn copied(b: &sys::ctree_section_batch) -> SectionBatch {
        SectionBatch {
            reload: b.reload != 0,
            old_section_count: b.old_section_count,
            new_section_count: b.new_section_count,
            old_count: b.old_count,
            new_count: b.new_count,
            section_deletes: copied(b.section_deletes, b.section_delete_count),
            section_inserts: copied(b.section_inserts, b.section_insert_count),
            section_moves: copied(b.section_moves, b.section_move_count),
            section_changes: copied(b.section_changes, b.section_change_count),
            deletes: copied(b.deletes, b.delete_count),
            inserts: copied(b.inserts, b.insert_count),
            moves: copied(b.moves, b.move_count),
            changes: copied(b.changes, b.change_count),
        }
    }
}

impl Splices {
    pub(crate) unsafe fn copied(s: &sys::ctree_splices) -> Splices {
        let splices = copied(s.splices, s.splice_count);
        Splices { reload: s.reload != 0, old_count: s.old_count, new_count: s.new_count, splices }
    }
}

impl Steps {
    pub(crate) unsafe fn copied(s: &sys::ctree_steps) -> Steps {
        let step = |s: StepRecord| match s.kind {
            0 => Step::Delete { from: s.from, count: s.count },
            1 => Step::Move { from: s.from, to: s.to, count: s.count },
            _ => Step::Insert { to: s.to, count: s.count },
        };
        let steps = copied(s.steps, s.step_count).into_iter().map(step).collect();
        Steps { reload: s.reload != 0, old_count: s.old_count, new_count: s.new_count, steps }
    }
}
