import { ROW_SIZE } from "./core.mjs";

export const NO_ROW = 0xffffffff;

/** A row number, or null for none. */
export function rowOrNull(row) { return row >>> 0 === NO_ROW ? null : row >>> 0; }

export function readRows(memory, at, count) {
  const { words, longs, bytes } = memory;
  const rows = new Array(count);
  for (let i = 0; i < count; i++) {
    const byte = at + ROW_SIZE * i;
    const word = byte / 4;
    rows[i] = {
      node: longs[byte / 8], depth: words[word + 2], position: words[word + 3], siblingCount: words[word + 4],
      state: words[word + 5], expandable: bytes[byte + 24] !== 0, expanded: bytes[byte + 25] !== 0,
      more: bytes[byte + 26] !== 0,
    };
  }
  return rows;
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
      const out = memory.room(ROW_SIZE * room);
      memory.setU32(length, room);
      this.core.check(this.core.c.ctree_rows_window(this.handle, view.handle, first, length, out));
      return readRows(memory, out, memory.u32(length));
    });
  }
}
