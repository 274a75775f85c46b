// The WebAssembly module, and what every class stands on.

import { Memory } from "./memory.mjs";
import { CTreeError, Status, readFault } from "./types.mjs";

// Sizes of structs in 32-bit memory, in the order of host_sizes.
const SIZES = [16, 48, 32, 48, 32, 64, 44, 84, 12, 28, 40, 56, 12, 24, 8];
export const ROW_SIZE = 32;

/** One instance of the core. Trees of one core may be grafted into each other; cores share nothing. */
export class Core {
  static async load(source) {
    const core = new Core();
    const imports = {
      wasi_snapshot_preview1: { random_get: (at, size) => core.random(at, size) },
      ctree: {
        edit: (who, when, edit) => core.call(who, when, edit >>> 0),
        released: (who, nodes, values, count) => core.call(who, nodes >>> 0, values >>> 0, count >>> 0),
        splice: (who, row, removed, inserted) => core.call(who, row >>> 0, removed >>> 0, inserted >>> 0),
        saved: (who, entry) => (core.call(who, entry >>> 0) === false ? 0 : 1),
        progress: (who, done, total) => (core.call(who, done, total) === false ? 0 : 1),
      },
    };
    const { instance } =
      source instanceof WebAssembly.Module
        ? { instance: await WebAssembly.instantiate(source, imports) }
        : await WebAssembly.instantiate(source, imports);
    core.c = instance.exports;
    core.c._initialize?.();
    core.memory = new Memory(core.c);
    const sizes = core.c.host_sizes() >>> 0;
    SIZES.forEach((size, i) => {
      if (core.memory.u32(sizes + 4 * i) !== size) throw new Error(`struct ${i} of the module has another size`);
    });
    return core;
  }

  constructor() {
    this.callbacks = new Map();
    this.lastCallback = 0;
    this.failure = null;
  }

  random(at, size) {
    crypto.getRandomValues(this.memory.bytes.subarray(at, at + size));
    return 0;
  }

  // ---- Callbacks: an error that one throws comes out of the call that it was told in, once that is over.

  add(callback) {
    this.callbacks.set(++this.lastCallback, callback);
    return this.lastCallback;
  }

  remove(who) { this.callbacks.delete(who); }

  call(who, ...told) {
    try {
      return this.callbacks.get(who)?.(...told);
    } catch (error) {
      this.failure ??= error;
      return false;
    }
  }

  /** What a call came to: nothing, or an error. */
  check(status, fault) {
    if (this.failure !== null) {
      const failure = this.failure;
      this.failure = null;
      throw failure;
    }
    if (status === Status.OK) return;
    throw new CTreeError(status, this.memory.text(this.c.ctree_status_name(status) >>> 0), fault);
  }

  /** A call that may say which item was at fault. */
  faulty(body) {
    const memory = this.memory;
    const at = memory.take(32);
    memory.setU32(at, 32);
    memory.setU64(at + 8, 0xffffffffffffffffn);
    memory.setU64(at + 16, 0xffffffffffffffffn);
    const status = body(at);
    this.check(status, status === Status.OK ? undefined : readFault(memory, at));
  }

  /** Asked for as a progress; 0 where nobody asks. */
  withProgress(progress, body) {
    if (!progress) return body(0);
    const who = this.add((done, total) => progress(Number(done), Number(total)));
    try {
      const at = this.memory.take(8);
      this.c.host_progress(who, at);
      return body(at);
    } finally {
      this.remove(who);
    }
  }

  version() { return this.memory.text(this.c.ctree_version_string() >>> 0); }
  statusName(status) { return this.memory.text(this.c.ctree_status_name(status) >>> 0); }
}
