// The memory of the core: what is written there for a call, and what is read back.

/** Memory of the module, good for one call: what is taken in `frame` is given back at its end. */
export class Memory {
  constructor(exports) {
    this.exports = exports;
    this.taken = [];
  }

  // The buffer is another one after it grew, so it is asked for each time.
  get view() { return new DataView(this.exports.memory.buffer); }
  get bytes() { return new Uint8Array(this.exports.memory.buffer); }

  frame(body) {
    const before = this.taken.length;
    try {
      return body();
    } finally {
      while (this.taken.length > before) this.exports.free(this.taken.pop());
    }
  }

  take(size) {
    const at = this.exports.malloc(Math.max(size, 8)) >>> 0;
    if (at === 0) throw new RangeError(`no memory for ${size} bytes`);
    this.taken.push(at);
    this.bytes.fill(0, at, at + size);
    return at;
  }

  /** A copy of a typed array; 0 for none. */
  copy(array) {
    if (array === null || array === undefined) return 0;
    const at = this.take(array.byteLength);
    this.bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    return at;
  }

  u32(at) { return this.view.getUint32(at, true); }
  u64(at) { return this.view.getBigUint64(at, true); }
  u8(at) { return this.bytes[at]; }
  setU32(at, value) { this.view.setUint32(at, value, true); }
  setU64(at, value) { this.view.setBigUint64(at, BigInt(value), true); }

  u32s(at, count) { return new Uint32Array(this.exports.memory.buffer, at, count).slice(); }
  u64s(at, count) { return new BigUint64Array(this.exports.memory.buffer, at, count).slice(); }
  slice(at, count) { return this.bytes.slice(at, at + count); }

  text(at) {
    const bytes = this.bytes;
    let end = at;
    while (bytes[end] !== 0) end++;
    return new TextDecoder().decode(bytes.subarray(at, end));
  }
}
