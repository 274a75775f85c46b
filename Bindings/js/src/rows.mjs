import { ROW_SIZE } from "./core.mjs";

export const NO_ROW = 0xffffffff;

/** A row number, or null for none. */
export function rowOrNull(row) { return row >>> 0 === NO_ROW ? null : row >>> 0; }

export function readRows(memory, at, count) {
  return Array.from({ length: count }, (_, i) => {
    const row = at + ROW_SIZE * i;
    return {
      node: memory.u64(row), depth: memory.u32(row + 8), position: memory.u32(row + 12),
      siblingCount: memory.u32(row + 16), state: memory.u32(row + 20), expandable: memory.u8(row + 24) !== 0,
      expanded: memory.u8(row + 25) !== 0, more: memory.u8(row + 26) !== 0,
    };
  });
}

/** The rows of a view at one moment; later edits do not touch them. */
export class Rows {
  constructor(core, handle) {
    this.core = core;
    this.handle = handle;
  }

  close() {
    this.core.c.ctree_rows_destroy(this.handle);
    this.handle = 0;
  }

  get count() { return this.core.c.ctree_rows_count(this.handle) >>> 0; }
  nodes() { return this.core.memory.u64s(this.core.c.ctree_rows_nodes(this.handle) >>> 0, this.count); }
  depths() { return this.core.memory.u32s(this.core.c.ctree_rows_depths(this.handle) >>> 0, this.count); }
  get sectionCount() { return this.core.c.ctree_rows_section_count(this.handle) >>> 0; }
  sectionNode(section) { return BigInt.asUintN(64, this.core.c.ctree_rows_section_node(this.handle, section)); }
  sectionStart(section) { return this.core.c.ctree_rows_section_start(this.handle, section) >>> 0; }
  nodeAt(row) { return BigInt.asUintN(64, this.core.c.ctree_rows_node(this.handle, row)); }
  rowOf(node) { return rowOrNull(this.core.c.ctree_rows_row(this.handle, node)); }

  indexPath(row) {
    const memory = this.core.memory;
    return memory.frame(() => {
      const at = memory.take(8);
      this.core.check(this.core.c.ctree_rows_index_path(this.handle, row, at));
      return Array.from(memory.u32s(at, 2));
    });
  }

  rowAt(section, row) {
    const memory = this.core.memory;
    return memory.frame(() =>
      rowOrNull(this.core.c.ctree_rows_at_index_path(this.handle, memory.copy(Uint32Array.of(section, row)))));
  }

  window(view, first, count) {
    const memory = this.core.memory;
    const room = Math.min(count, Math.max(0, this.count - first));
    return memory.frame(() => {
      const length = memory.take(4);
      const out = memory.take(ROW_SIZE * room);
      memory.setU32(length, room);
      this.core.check(this.core.c.ctree_rows_window(this.handle, view.handle, first, length, out));
      return readRows(memory, out, memory.u32(length));
    });
  }
}
