//! The C interface as it stands in `include/ctree`. Written by hand; the sizes that C would give are asserted below.

#![allow(non_camel_case_types)]

use std::ffi::{c_char, c_void};

use crate::changes::{PathRange, PathRun, RowRange, RowRun, Splice, StepRecord};

#[repr(C)]
pub struct ctree_store {
    _opaque: [u8; 0],
}
#[repr(C)]
pub struct ctree_view {
    _opaque: [u8; 0],
}
#[repr(C)]
pub struct ctree_rows {
    _opaque: [u8; 0],
}
#[repr(C)]
pub struct ctree_diff {
    _opaque: [u8; 0],
}

pub type ctree_status = u32;
pub type ctree_node = crate::Node;
pub type ctree_row = crate::Row;
pub type ctree_index_path = crate::IndexPath;

pub const END: u32 = u32::MAX;
pub const NO_ROW: u32 = u32::MAX;
pub const NO_ITEM: u64 = u64::MAX;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ctree_id {
    pub bytes: *const c_void,
    pub word: u64,
}

#[repr(C)]
pub struct ctree_progress {
    pub context: *mut c_void,
    pub keep_going: Option<unsafe extern "C" fn(*mut c_void, u64, u64) -> bool>,
}

pub type ctree_release_fn = unsafe extern "C" fn(*mut c_void, *const ctree_node, *const u64, usize);

#[repr(C)]
pub struct ctree_store_options {
    pub size: usize,
    pub allocator: *const c_void,
    pub id_kind: u32,
    pub id_scope: u32,
    pub node_limit: u64,
    pub secret: *const c_void,
    pub secret_size: usize,
    pub release: Option<ctree_release_fn>,
    pub release_context: *mut c_void,
}

#[repr(C)]
pub struct ctree_memory {
    pub size: usize,
    pub total: u64,
    pub nodes: u64,
    pub children: u64,
    pub identifiers: u64,
    pub index: u64,
    pub dead: u64,
}

#[repr(C)]
pub struct ctree_node_info {
    pub size: usize,
    pub parent: ctree_node,
    pub value: u64,
    pub revision: u64,
    pub id: ctree_id,
    pub child_count: u32,
    pub load_state: u32,
    pub more: bool,
}

#[repr(C)]
pub struct ctree_node_init {
    pub value: u64,
    pub revision: u64,
    pub load_state: u32,
}

#[repr(C)]
pub struct ctree_forest {
    pub size: usize,
    pub count: u64,
    pub ids: *const ctree_id,
    pub numbers: *const u64,
    pub bytes: *const c_void,
    pub offsets: *const u64,
    pub parents: *const u32,
    pub values: *const u64,
    pub revisions: *const u64,
    pub states: *const u8,
}

#[repr(C)]
pub struct ctree_fault {
    pub size: usize,
    pub item: u64,
    pub other_item: u64,
    pub node: ctree_node,
}

#[repr(C)]
pub struct ctree_edit {
    pub kind: u32,
    pub changed: u32,
    pub node: ctree_node,
    pub parent: ctree_node,
    pub to_parent: ctree_node,
    pub first: u32,
    pub count: u32,
    pub to_first: u32,
}

pub type edit_fn = unsafe extern "C" fn(*mut c_void, *const ctree_store, *const ctree_edit);

#[repr(C)]
pub struct ctree_listener {
    pub context: *mut c_void,
    pub before: Option<edit_fn>,
    pub after: Option<edit_fn>,
    pub settled: Option<unsafe extern "C" fn(*mut c_void, *mut ctree_store)>,
}

#[repr(C)]
pub struct ctree_view_options {
    pub size: usize,
    pub flags: u32,
    pub default_depth: u32,
}

#[repr(C)]
pub struct ctree_saved {
    pub path: *const ctree_id,
    pub length: u32,
    pub what: u32,
}

#[repr(C)]
pub struct ctree_batch {
    pub reload: u32,
    pub old_count: u32,
    pub new_count: u32,
    pub delete_count: u32,
    pub insert_count: u32,
    pub move_count: u32,
    pub change_count: u32,
    pub deletes: *const RowRange,
    pub inserts: *const RowRange,
    pub moves: *const RowRun,
    pub changes: *const RowRun,
}

#[repr(C)]
pub struct ctree_section_batch {
    pub reload: u32,
    pub old_section_count: u32,
    pub new_section_count: u32,
    pub old_count: u32,
    pub new_count: u32,
    pub section_delete_count: u32,
    pub section_insert_count: u32,
    pub section_move_count: u32,
    pub section_change_count: u32,
    pub delete_count: u32,
    pub insert_count: u32,
    pub move_count: u32,
    pub change_count: u32,
    pub section_deletes: *const RowRange,
    pub section_inserts: *const RowRange,
    pub section_moves: *const RowRun,
    pub section_changes: *const RowRun,
    pub deletes: *const PathRange,
    pub inserts: *const PathRange,
    pub moves: *const PathRun,
    pub changes: *const PathRun,
}

#[repr(C)]
pub struct ctree_splices {
    pub reload: u32,
    pub old_count: u32,
    pub new_count: u32,
    pub splice_count: u32,
    pub splices: *const Splice,
}

#[repr(C)]
pub struct ctree_steps {
    pub reload: u32,
    pub old_count: u32,
    pub new_count: u32,
    pub step_count: u32,
    pub steps: *const StepRecord,
}

#[repr(C)]
pub struct ctree_diff_list {
    pub rows: *const c_void,
    pub revisions: *const u64,
    pub sections: *const c_void,
    pub section_rows: *const u32,
    pub section_revisions: *const u64,
    pub row_count: u32,
    pub section_count: u32,
}

#[repr(C)]
pub struct ctree_diff_options {
    pub size: usize,
    pub keys: u32,
    pub forms: u32,
    pub limit: u64,
    pub progress: *const ctree_progress,
    pub allocator: *const c_void,
    pub seed: *const c_void,
    pub seed_size: usize,
}

#[repr(C)]
#[derive(Default)]
pub struct ctree_diff_duplicate {
    pub in_new: u32,
    pub in_sections: u32,
    pub first: u32,
    pub second: u32,
}

#[cfg(target_pointer_width = "64")]
const _: () = {
    use std::mem::size_of;
    assert!(size_of::<ctree_id>() == 16);
    assert!(size_of::<ctree_store_options>() == 64);
    assert!(size_of::<ctree_node_info>() == 64);
    assert!(size_of::<ctree_forest>() == 80);
    assert!(size_of::<ctree_edit>() == 48);
    assert!(size_of::<ctree_row>() == 32);
    assert!(size_of::<ctree_batch>() == 64);
    assert!(size_of::<ctree_section_batch>() == 120);
    assert!(size_of::<ctree_diff_list>() == 48);
};

type S = ctree_store;
type V = ctree_view;
type R = ctree_rows;
type N = ctree_node;
type P = *const ctree_progress;
type F = *const ctree_forest;
type St = ctree_status;

extern "C" {
    pub fn ctree_version() -> u32;
    pub fn ctree_version_string() -> *const c_char;
    pub fn ctree_abi_version() -> u32;
    pub fn ctree_status_name(status: St) -> *const c_char;

    pub fn ctree_store_create(options: *const ctree_store_options, out: *mut *mut S) -> St;
    pub fn ctree_store_destroy(store: *mut S);
    pub fn ctree_store_count(store: *const S) -> u64;
    pub fn ctree_store_id_kind(store: *const S) -> u32;
    pub fn ctree_store_id_scope(store: *const S) -> u32;
    pub fn ctree_store_memory(store: *const S, out: *mut ctree_memory) -> St;
    pub fn ctree_validate(store: *const S, reason: *mut *const c_char) -> St;
    pub fn ctree_store_find(store: *const S, id: ctree_id) -> N;
    pub fn ctree_store_find_child(store: *const S, parent: N, id: ctree_id) -> N;
    pub fn ctree_store_find_many(s: *const S, parents: *const N, ids: *const ctree_id, count: usize, o: *mut N)
        -> St;
    pub fn ctree_store_find_many_u64(s: *const S, parents: *const N, ids: *const u64, count: usize, o: *mut N) -> St;
    pub fn ctree_store_contains(store: *const S, node: N) -> bool;
    pub fn ctree_store_info(store: *const S, node: N, out: *mut ctree_node_info) -> St;
    pub fn ctree_store_parent(store: *const S, node: N, out: *mut N) -> St;
    pub fn ctree_store_id(store: *const S, node: N, out: *mut ctree_id) -> St;
    pub fn ctree_store_value(store: *const S, node: N) -> u64;
    pub fn ctree_store_revision(store: *const S, node: N) -> u64;
    pub fn ctree_store_load_state(store: *const S, node: N) -> u32;
    pub fn ctree_store_child_count(store: *const S, parent: N) -> u32;
    pub fn ctree_store_child_at(store: *const S, parent: N, position: u32) -> N;
    pub fn ctree_store_children(store: *const S, parent: N, first: u32, count: *mut u32, out: *mut N) -> St;
    pub fn ctree_store_ordinal(store: *const S, node: N, out: *mut u32) -> St;
    pub fn ctree_store_depth(store: *const S, node: N, out: *mut u32) -> St;
    pub fn ctree_store_is_below(store: *const S, node: N, ancestor: N) -> bool;
    pub fn ctree_store_path(store: *const S, node: N, room: *mut u32, out: *mut u32) -> St;
    pub fn ctree_store_node_at_path(store: *const S, path: *const u32, length: u32) -> N;
    pub fn ctree_store_next(store: *const S, node: N, root: N, skip_children: bool) -> N;
    pub fn ctree_store_subtree_count(store: *const S, node: N) -> u64;

    pub fn ctree_store_insert(
        store: *mut S,
        parent: N,
        at: u32,
        id: ctree_id,
        init: *const ctree_node_init,
        out: *mut N,
    ) -> St;
    pub fn ctree_store_remove(store: *mut S, node: N) -> St;
    pub fn ctree_store_remove_children(store: *mut S, parent: N, first: u32, count: u32) -> St;
    pub fn ctree_store_move(store: *mut S, node: N, parent: N, at: u32) -> St;
    pub fn ctree_store_set_value(store: *mut S, node: N, value: u64, revision: u64) -> St;
    pub fn ctree_store_set_leaf(store: *mut S, node: N, leaf: bool) -> St;
    pub fn ctree_store_build(
        store: *mut S,
        parent: N,
        at: u32,
        forest: F,
        progress: P,
        out: *mut N,
        fault: *mut ctree_fault,
    ) -> St;
    pub fn ctree_store_graft(
        store: *mut S,
        parent: N,
        at: u32,
        other: *mut S,
        progress: P,
        fault: *mut ctree_fault,
    ) -> St;
    pub fn ctree_store_reconcile(
        store: *mut S,
        parent: N,
        forest: F,
        elsewhere: u32,
        progress: P,
        out: *mut N,
        fault: *mut ctree_fault,
    ) -> St;
    pub fn ctree_store_begin(store: *mut S) -> St;
    pub fn ctree_store_end(store: *mut S) -> St;
    pub fn ctree_store_add_listener(store: *mut S, listener: *const ctree_listener, token: *mut u64) -> St;
    pub fn ctree_store_remove_listener(store: *mut S, token: u64) -> St;

    pub fn ctree_load_request(store: *mut S, node: N) -> St;
    pub fn ctree_load_next_request(store: *mut S) -> N;
    pub fn ctree_load_begin(store: *mut S, node: N, flags: u32, ticket: *mut u64) -> St;
    pub fn ctree_load_check(store: *const S, node: N, ticket: u64) -> St;
    pub fn ctree_load_finish(
        store: *mut S,
        node: N,
        ticket: u64,
        forest: F,
        elsewhere: u32,
        out: *mut N,
        fault: *mut ctree_fault,
    ) -> St;
    pub fn ctree_load_append(
        store: *mut S,
        node: N,
        ticket: u64,
        page: F,
        more: bool,
        out: *mut N,
        fault: *mut ctree_fault,
    ) -> St;
    pub fn ctree_load_fail(store: *mut S, node: N, ticket: u64, error: u64) -> St;
    pub fn ctree_load_cancel(store: *mut S, node: N, ticket: u64) -> St;
    pub fn ctree_load_error(store: *const S, node: N) -> u64;
    pub fn ctree_load_drop(store: *mut S, node: N) -> St;

    pub fn ctree_view_create(store: *mut S, options: *const ctree_view_options, out: *mut *mut V) -> St;
    pub fn ctree_view_destroy(view: *mut V);
    pub fn ctree_view_store(view: *const V) -> *mut S;
    pub fn ctree_view_expand(view: *mut V, node: N) -> St;
    pub fn ctree_view_collapse(view: *mut V, node: N) -> St;
    pub fn ctree_view_toggle(view: *mut V, node: N) -> St;
    pub fn ctree_view_is_expanded(view: *const V, node: N) -> bool;
    pub fn ctree_view_is_visible(view: *const V, node: N) -> bool;
    pub fn ctree_view_is_expandable(view: *const V, node: N) -> bool;
    pub fn ctree_view_expand_all(view: *mut V, node: N, levels: u32, progress: P) -> St;
    pub fn ctree_view_collapse_all(view: *mut V, node: N) -> St;
    pub fn ctree_view_reveal(view: *mut V, node: N) -> St;
    pub fn ctree_view_row_count(view: *const V) -> u32;
    pub fn ctree_view_node_at(view: *const V, row: u32) -> N;
    pub fn ctree_view_row_of(view: *const V, node: N) -> u32;
    pub fn ctree_view_nodes_at(view: *const V, rows: *const u32, count: usize, out: *mut N) -> St;
    pub fn ctree_view_rows_of(view: *const V, nodes: *const N, count: usize, out: *mut u32) -> St;
    pub fn ctree_view_window(view: *const V, first: u32, count: *mut u32, out: *mut ctree_row) -> St;
    pub fn ctree_view_nodes_from(v: *const V, first: u32, count: *mut u32, nodes: *mut N, depths: *mut u32) -> St;
    pub fn ctree_view_ancestors(view: *const V, node: N, room: *mut u32, out: *mut N) -> St;
    pub fn ctree_view_section_count(view: *const V) -> u32;
    pub fn ctree_view_section_node(view: *const V, section: u32) -> N;
    pub fn ctree_view_section_rows(view: *const V, section: u32) -> u32;
    pub fn ctree_view_index_path(view: *const V, row: u32, out: *mut ctree_index_path) -> St;
    pub fn ctree_view_row_at_index_path(view: *const V, path: ctree_index_path) -> u32;
    pub fn ctree_view_memory(view: *const V) -> u64;
    pub fn ctree_view_trim(view: *mut V) -> St;
    pub fn ctree_view_compact(view: *mut V) -> St;
    pub fn ctree_view_validate(view: *const V, reason: *mut *const c_char) -> St;
    pub fn ctree_view_select(view: *mut V, node: N, selected: bool) -> St;
    pub fn ctree_view_select_rows(view: *mut V, first: u32, count: u32, selected: bool) -> St;
    pub fn ctree_view_deselect_all(view: *mut V) -> St;
    pub fn ctree_view_is_selected(view: *const V, node: N) -> bool;
    pub fn ctree_view_selected_count(view: *const V) -> u64;
    pub fn ctree_view_selected(view: *const V, room: *mut u64, out: *mut N) -> St;
    pub fn ctree_view_save(
        view: *const V,
        what: u32,
        tell: unsafe extern "C" fn(*mut c_void, *const ctree_saved) -> bool,
        context: *mut c_void,
    ) -> St;
    pub fn ctree_view_restore(view: *mut V, entries: *const ctree_saved, count: usize) -> St;
    pub fn ctree_view_waiting_count(view: *const V) -> u64;
    pub fn ctree_view_forget_waiting(view: *mut V) -> St;
    pub fn ctree_view_reveal_path(view: *mut V, path: *const ctree_id, length: u32, out: *mut N) -> St;
    pub fn ctree_view_watch(
        view: *mut V,
        watcher: Option<unsafe extern "C" fn(*mut c_void, *const V, *const Splice)>,
        context: *mut c_void,
    ) -> St;
    pub fn ctree_view_commit(view: *mut V, limit: u64, out: *mut *const ctree_batch) -> St;
    pub fn ctree_view_commit_sections(view: *mut V, limit: u64, out: *mut *const ctree_section_batch) -> St;
    pub fn ctree_view_accept(view: *mut V) -> St;

    pub fn ctree_rows_flatten(view: *const V, flags: u32, progress: P, out: *mut *mut R) -> St;
    pub fn ctree_rows_destroy(rows: *mut R);
    pub fn ctree_rows_count(rows: *const R) -> u32;
    pub fn ctree_rows_nodes(rows: *const R) -> *const N;
    pub fn ctree_rows_depths(rows: *const R) -> *const u32;
    pub fn ctree_rows_section_count(rows: *const R) -> u32;
    pub fn ctree_rows_section_node(rows: *const R, section: u32) -> N;
    pub fn ctree_rows_section_start(rows: *const R, section: u32) -> u32;
    pub fn ctree_rows_index_path(rows: *const R, row: u32, out: *mut ctree_index_path) -> St;
    pub fn ctree_rows_at_index_path(rows: *const R, path: ctree_index_path) -> u32;
    pub fn ctree_rows_node(rows: *const R, row: u32) -> N;
    pub fn ctree_rows_row(rows: *const R, node: N) -> u32;
    pub fn ctree_rows_window(rows: *const R, view: *const V, first: u32, count: *mut u32, out: *mut ctree_row) -> St;

    pub fn ctree_diff_create(
        before: *const ctree_diff_list,
        after: *const ctree_diff_list,
        options: *const ctree_diff_options,
        duplicate: *mut ctree_diff_duplicate,
        out: *mut *mut ctree_diff,
    ) -> St;
    pub fn ctree_diff_destroy(diff: *mut ctree_diff);
    pub fn ctree_diff_batch(diff: *const ctree_diff) -> *const ctree_batch;
    pub fn ctree_diff_section_batch(diff: *const ctree_diff) -> *const ctree_section_batch;
    pub fn ctree_diff_splices(diff: *const ctree_diff) -> *const ctree_splices;
    pub fn ctree_diff_steps(diff: *const ctree_diff) -> *const ctree_steps;
}
