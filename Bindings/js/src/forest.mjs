// Many items for one call, as typed arrays.

import { longs, words } from "./memory.mjs";
import { END } from "./types.mjs";

/**
 * Items of a bulk build, a load's result or a reconcile. `ids` is a BigUint64Array for numbers, or an array of strings or
 * Uint8Arrays; `parents` says the position of each item's parent among them, in any order, END or null for none. What is
 * missing is as the C interface has it.
 */
export class Forest {
  constructor({ ids, parents = null, values = null, revisions = null, states = null }) {
    this.ids = ids;
    this.parents = parents === null ? null : words(parents, (parent) => parent ?? END);
    this.values = values === null ? null : longs(values);
    this.revisions = revisions === null ? null : longs(revisions);
    this.states = states === null ? null : Uint8Array.from(states);
    for (const [name, list] of Object.entries({ parents, values, revisions, states })) {
      if (list !== null && list.length !== ids.length) throw new RangeError(`${name} has another length than ids`);
    }
  }

  /** The struct in memory. */
  write(tree) {
    const memory = tree.core.memory;
    const at = memory.take(48);
    memory.setU32(at, 48);
    memory.setU64(at + 8, this.ids.length);
    if (tree.numbered) {
      // Also of no items there is an address: it says what identifiers are.
      memory.setU32(at + 20, memory.copy(longs(this.ids)));
    } else {
      const parts = Array.from(this.ids, (id) => tree.encode(id));
      const offsets = new BigUint64Array(parts.length + 1);
      parts.forEach((part, i) => { offsets[i + 1] = offsets[i] + BigInt(part.length); });
      const bytes = new Uint8Array(Number(offsets[parts.length]));
      parts.forEach((part, i) => bytes.set(part, Number(offsets[i])));
      memory.setU32(at + 24, memory.copy(bytes));
      memory.setU32(at + 28, memory.copy(offsets));
    }
    memory.setU32(at + 32, memory.copy(this.parents));
    memory.setU32(at + 36, memory.copy(this.values));
    memory.setU32(at + 40, memory.copy(this.revisions));
    memory.setU32(at + 44, memory.copy(this.states));
    return at;
  }
}
