// The memory of the core: what is written there for a call, and what is read back.

const SCRATCH = 16384;

/** A list as the array that C takes; an array that is one already is handed over as it is. */
export function words(list, each) { return list instanceof Uint32Array ? list : Uint32Array.from(list, each); }
export function longs(list) { return list instanceof BigUint64Array ? list : BigUint64Array.from(list, BigInt); }

/** Memory of the module, good for one call: what is taken in `frame` is given back at its end. */
export class Memory {
  constructor(exports) {
    this.exports = exports;
    this.taken = [];
    // What a call takes mostly fits in here, so that few calls allocate.
    this.scratch = exports.malloc(SCRATCH) >>> 0;
    this.top = 0;
    this.buffer = null;
  }

  // The buffer is another one after it grew, so it is looked at each time.
  get view() { return this.current().cachedView; }
  get bytes() { return this.current().cachedBytes; }
  get words() { return this.current().cachedWords; }
  get longs() { return this.current().cachedLongs; }

  current() {
    const buffer = this.exports.memory.buffer;
    if (buffer !== this.buffer) {
      this.buffer = buffer;
      this.cachedView = new DataView(buffer);
      this.cachedBytes = new Uint8Array(buffer);
      this.cachedWords = new Uint32Array(buffer);
      this.cachedLongs = new BigUint64Array(buffer);
    }
    return this;
  }

  frame(body) {
    const before = this.taken.length;
    const top = this.top;
    try {
      return body();
    } finally {
      this.top = top;
      while (this.taken.length > before) this.exports.free(this.taken.pop());
    }
  }

  /** Zeroed memory, for a struct. */
  take(size) {
    const at = this.room(size);
    this.bytes.fill(0, at, at + size);
    return at;
  }

  /** Memory that the call or the caller fills, at an address that 16 divides. */
  room(size) {
    const taken = (size + 15) & ~15;
    if (size <= SCRATCH && taken <= SCRATCH - this.top) {
      this.top += taken;
      return this.scratch + this.top - taken;
    }
    const at = this.exports.malloc(size) >>> 0;
    if (at === 0) throw new RangeError(`no memory for ${size} bytes`);
    this.taken.push(at);
    return at;
  }

  /** A copy of a typed array; 0 for none. */
  copy(array) {
    if (array === null || array === undefined) return 0;
    const at = this.room(array.byteLength);
    this.bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    return at;
  }

  u32(at) { return this.view.getUint32(at, true); }
  u64(at) { return this.view.getBigUint64(at, true); }
  u8(at) { return this.bytes[at]; }
  setU32(at, value) { this.view.setUint32(at, value, true); }
  setU64(at, value) { this.view.setBigUint64(at, BigInt(value), true); }

  u32s(at, count) { return this.words.slice(at / 4, at / 4 + count); }
  u64s(at, count) { return this.longs.slice(at / 8, at / 8 + count); }
  slice(at, count) { return this.bytes.slice(at, at + count); }

  text(at) {
    const bytes = this.bytes;
    let end = at;
    while (bytes[end] !== 0) end++;
    return new TextDecoder().decode(bytes.subarray(at, end));
  }
}
