// Names for the numbers of the C interface, and errors.

export const Status = Object.freeze({
  OK: 0, NO_MEMORY: 1, INVALID: 2, STALE: 3, RANGE: 4, DUPLICATE: 5, LIMIT: 6, LEAF: 7, CYCLE: 8, BUSY: 9, CLOSED: 10,
  CANCELLED: 11, SUPERSEDED: 12, NOT_FOUND: 13, LOADING: 14, CORRUPT: 15,
});

export const State = Object.freeze({ LEAF: 0, UNLOADED: 1, LOADING: 2, LOADED: 3, FAILED: 4, KEEP: 5 });
export const EditKind = Object.freeze({ INSERT: 1, REMOVE: 2, MOVE: 3, CHANGE: 4 });
export const Changed = Object.freeze({ VALUE: 1, REVISION: 2, LOAD_STATE: 4 });
export const Saved = Object.freeze({ EXPANDED: 1, COLLAPSED: 2, SELECTED: 4, ALL: 7 });

/** No node, and as a parent the top level. */
export const NONE = 0n;
/** As a position: behind the last. As levels: all of them. */
export const END = 0xffffffff;
export const ALL_LEVELS = 0xffffffff;

const NO_ITEM = 0xffffffffffffffffn;

/** What a call that failed came to; nothing has changed then. */
export class CTreeError extends Error {
  constructor(status, text, fault) {
    super(text);
    this.name = "CTreeError";
    this.status = status;
    /** Of a bulk call: which item was at fault, and what stands in its way. */
    this.fault = fault ?? null;
  }
}

export function readFault(memory, at) {
  const number = (item) => (item === NO_ITEM ? null : Number(item));
  return { item: number(memory.u64(at + 8)), other: number(memory.u64(at + 16)), node: memory.u64(at + 24) };
}
