// A view: which nodes are expanded, and so which rows there are.

import { readBatch, readSectionBatch } from "./batches.mjs";
import { ROW_SIZE } from "./core.mjs";
import { longs, words } from "./memory.mjs";
import { Rows, readRows, rowOrNull } from "./rows.mjs";
import { ALL_LEVELS, NONE, Saved, Status } from "./types.mjs";

const lost = new FinalizationRegistry(({ core, view }) => core.c.ctree_view_destroy(view));

const FLAGS = { sections: 1, forgets: 2, emptyCanOpen: 4, records: 8 };

/** One way of looking at a tree. Rows are numbered from 0 in preorder. */
export class View {
  constructor(tree, { openLevels = 0, ...flags } = {}) {
    this.tree = tree;
    this.core = tree.core;
    const { core } = this;
    let bits = 0;
    for (const [name, wanted] of Object.entries({ records: true, ...flags })) {
      if (!(name in FLAGS)) throw new TypeError(`a view has no option ${name}`);
      if (wanted) bits |= FLAGS[name];
    }
    core.memory.frame(() => {
      const options = core.memory.take(12);
      const out = core.memory.take(4);
      core.memory.setU32(options, 12);
      core.memory.setU32(options + 4, bits);
      core.memory.setU32(options + 8, openLevels ?? ALL_LEVELS);
      core.check(core.c.ctree_view_create(tree.handle, options, out));
      this.pointer = core.memory.u32(out);
    });
    this.watcher = 0;
    lost.register(this, { core, view: this.pointer }, this);
  }

  close() {
    if (this.pointer === 0) return;
    lost.unregister(this);
    this.core.c.ctree_view_destroy(this.pointer);
    this.core.remove(this.watcher);
    this.pointer = 0;
  }

  get handle() {
    if (this.pointer === 0) this.core.check(Status.CLOSED);
    return this.pointer;
  }

  isOf(tree) { return this.core.c.ctree_view_store(this.handle) >>> 0 === tree.handle; }

  // ---- Opening and closing ----

  expand(node) { this.core.check(this.core.c.ctree_view_expand(this.handle, node)); }
  collapse(node) { this.core.check(this.core.c.ctree_view_collapse(this.handle, node)); }
  toggle(node) { this.core.check(this.core.c.ctree_view_toggle(this.handle, node)); }
  reveal(node) { this.core.check(this.core.c.ctree_view_reveal(this.handle, node)); }

  expandAll(node = NONE, { levels = ALL_LEVELS, progress = null } = {}) {
    const { core } = this;
    core.memory.frame(() => core.withProgress(progress, (asked) =>
      core.check(core.c.ctree_view_expand_all(this.handle, node, levels, asked))));
  }

  collapseAll(node = NONE) { this.core.check(this.core.c.ctree_view_collapse_all(this.handle, node)); }
  isExpanded(node) { return this.core.c.ctree_view_is_expanded(this.handle, node) !== 0; }
  isVisible(node) { return this.core.c.ctree_view_is_visible(this.handle, node) !== 0; }
  isExpandable(node) { return this.core.c.ctree_view_is_expandable(this.handle, node) !== 0; }

  // ---- Rows ----

  get rowCount() { return this.core.c.ctree_view_row_count(this.handle) >>> 0; }
  nodeAt(row) { return BigInt.asUintN(64, this.core.c.ctree_view_node_at(this.handle, row)); }
  rowOf(node) { return rowOrNull(this.core.c.ctree_view_row_of(this.handle, node)); }

  /** Nodes of many rows, and rows of many nodes (0xffffffff for none), as typed arrays. */
  nodesAt(rows) {
    const { core } = this;
    return core.memory.frame(() => {
      const out = core.memory.room(8 * rows.length);
      const asked = core.memory.copy(words(rows));
      core.check(core.c.ctree_view_nodes_at(this.handle, asked, rows.length, out));
      return core.memory.u64s(out, rows.length);
    });
  }

  rowsOf(nodes) {
    const { core } = this;
    return core.memory.frame(() => {
      const out = core.memory.room(4 * nodes.length);
      const asked = core.memory.copy(longs(nodes));
      core.check(core.c.ctree_view_rows_of(this.handle, asked, nodes.length, out));
      return core.memory.u32s(out, nodes.length);
    });
  }

  /** Nodes and depths of `count` rows from `first` on, as typed arrays. */
  nodesFrom(first, count) {
    const { core } = this;
    const room = Math.min(count, Math.max(0, this.rowCount - first));
    return core.memory.frame(() => {
      const length = core.memory.take(4);
      const nodes = core.memory.room(8 * room);
      const depths = core.memory.room(4 * room);
      core.memory.setU32(length, room);
      core.check(core.c.ctree_view_nodes_from(this.handle, first, length, nodes, depths));
      const got = core.memory.u32(length);
      return { nodes: core.memory.u64s(nodes, got), depths: core.memory.u32s(depths, got) };
    });
  }

  /** What a table draws of `count` rows from `first` on. */
  window(first, count) {
    const { core } = this;
    const room = Math.min(count, Math.max(0, this.rowCount - first));
    return core.memory.frame(() => {
      const length = core.memory.take(4);
      const out = core.memory.room(ROW_SIZE * room);
      core.memory.setU32(length, room);
      core.check(core.c.ctree_view_window(this.handle, first, length, out));
      return readRows(core.memory, out, core.memory.u32(length));
    });
  }

  ancestors(node) {
    const { core } = this;
    const room = this.tree.depth(node);
    return core.memory.frame(() => {
      const length = core.memory.take(4);
      const out = core.memory.room(8 * room);
      core.memory.setU32(length, room);
      core.check(core.c.ctree_view_ancestors(this.handle, node, length, out));
      return core.memory.u64s(out, core.memory.u32(length));
    });
  }

  get sectionCount() { return this.core.c.ctree_view_section_count(this.handle) >>> 0; }
  sectionNode(section) { return BigInt.asUintN(64, this.core.c.ctree_view_section_node(this.handle, section)); }
  sectionRows(section) { return this.core.c.ctree_view_section_rows(this.handle, section) >>> 0; }

  indexPath(row) {
    const { core } = this;
    return core.memory.frame(() => {
      const at = core.memory.take(8);
      core.check(core.c.ctree_view_index_path(this.handle, row, at));
      return Array.from(core.memory.u32s(at, 2));
    });
  }

  rowAt(section, row) {
    const { core } = this;
    return core.memory.frame(() => rowOrNull(
      core.c.ctree_view_row_at_index_path(this.handle, core.memory.copy(Uint32Array.of(section, row)))));
  }

  /** The rows as they are now, as a value of its own. `lookup` keeps the way back from nodes. */
  flatten({ lookup = false, progress = null } = {}) {
    const { core } = this;
    return core.memory.frame(() => core.withProgress(progress, (asked) => {
      const out = core.memory.take(4);
      core.check(core.c.ctree_rows_flatten(this.handle, lookup ? 1 : 0, asked, out));
      return new Rows(core, core.memory.u32(out));
    }));
  }

  memory() { return Number(this.core.c.ctree_view_memory(this.handle)); }
  trim() { this.core.check(this.core.c.ctree_view_trim(this.handle)); }
  compact() { this.core.check(this.core.c.ctree_view_compact(this.handle)); }
  validate() { this.tree.reasoned((out) => this.core.c.ctree_view_validate(this.handle, out)); }

  // ---- Selection ----

  select(node, selected = true) { this.core.check(this.core.c.ctree_view_select(this.handle, node, selected ? 1 : 0)); }

  selectRows(first, count, selected = true) {
    this.core.check(this.core.c.ctree_view_select_rows(this.handle, first, count, selected ? 1 : 0));
  }

  deselectAll() { this.core.check(this.core.c.ctree_view_deselect_all(this.handle)); }
  isSelected(node) { return this.core.c.ctree_view_is_selected(this.handle, node) !== 0; }
  get selectedCount() { return Number(this.core.c.ctree_view_selected_count(this.handle)); }

  /** The selected nodes: those that are rows in their order, then the others. */
  selected() {
    const { core } = this;
    const room = this.selectedCount;
    return core.memory.frame(() => {
      const length = core.memory.take(8);
      const out = core.memory.room(8 * room);
      core.memory.setU64(length, room);
      core.check(core.c.ctree_view_selected(this.handle, length, out));
      return core.memory.u64s(out, room);
    });
  }

  // ---- Saved states ----

  /** Entries { path, what } of what is expanded, collapsed or selected, by identifiers. */
  save(what = Saved.ALL) {
    const { core } = this;
    const entries = [];
    const who = core.add((at) => {
      const path = core.memory.u32(at);
      const length = core.memory.u32(at + 4);
      entries.push({
        path: Array.from({ length }, (_, i) => this.tree.decode(path + 16 * i)), what: core.memory.u32(at + 8),
      });
      return true;
    });
    try {
      core.check(core.c.host_save(this.handle, what, who));
    } finally {
      core.remove(who);
    }
    return entries;
  }

  /** Gives entries back; those of nodes that are yet to come wait for them. */
  restore(entries) {
    const { core } = this;
    core.memory.frame(() => {
      const at = core.memory.take(12 * entries.length);
      entries.forEach(({ path, what }, i) => {
        const written = this.tree.writeIds(path);
        core.memory.setU32(at + 12 * i, written);
        core.memory.setU32(at + 12 * i + 4, path.length);
        core.memory.setU32(at + 12 * i + 8, what);
      });
      core.check(core.c.ctree_view_restore(this.handle, at, entries.length));
    });
  }

  get waitingCount() { return Number(this.core.c.ctree_view_waiting_count(this.handle)); }
  forgetWaiting() { this.core.check(this.core.c.ctree_view_forget_waiting(this.handle)); }

  /** Reveals a node by the identifiers from the top down to it. `visible` is false while loads are to bring it: then
   *  `node` is the nearest ancestor that is there. */
  revealPath(path) {
    const { core } = this;
    return core.memory.frame(() => {
      const out = core.memory.take(8);
      const status = core.c.ctree_view_reveal_path(this.handle, this.tree.writeIds(path), path.length, out);
      if (status !== Status.LOADING) core.check(status);
      return { visible: status === Status.OK, node: core.memory.u64(out) };
    });
  }

  // ---- Changes ----

  commit(limit = 0) {
    return this.tree.out(4, (at) => this.core.c.ctree_view_commit(this.handle, BigInt(limit), at),
      (at) => readBatch(this.core.memory, this.core.memory.u32(at)));
  }

  commitSections(limit = 0) {
    return this.tree.out(4, (at) => this.core.c.ctree_view_commit_sections(this.handle, BigInt(limit), at),
      (at) => readSectionBatch(this.core.memory, this.core.memory.u32(at)));
  }

  accept() { this.core.check(this.core.c.ctree_view_accept(this.handle)); }

  /** Told of each splice as it happens, as (row, removed, inserted); null ends it. */
  watch(told) {
    const { core } = this;
    const who = told === null ? 0 : core.add(told);
    const status = core.c.host_watch(this.handle, who);
    core.remove(status === Status.OK ? this.watcher : who);
    core.check(status);
    this.watcher = who;
  }
}
