// A store: the forest, its identifiers and load states.

import { Forest } from "./forest.mjs";
import { Load } from "./load.mjs";
import { longs, words } from "./memory.mjs";
import { END, NONE, State, Status } from "./types.mjs";
import { View } from "./view.mjs";

// A tree that nobody holds any more gives its memory back; `close` does so at once.
const lost = new FinalizationRegistry(({ core, store }) => core.c.ctree_store_destroy(store));

/** A forest of nodes named by 64-bit handles (BigInt); NONE, which is 0n, names none, and as a parent the top level. */
export class Tree {
  /**
   * @param ids "u64": BigInts or integers; "text": strings; "bytes": Uint8Arrays.
   * @param siblings Whether an identifier is unique among siblings only.
   * @param limit The most nodes; 0: as many as there can be.
   * @param released Told of values, as (nodes, values), that a call replaced or removed.
   */
  constructor(core, { ids = "u64", siblings = false, limit = 0, released = null } = {}) {
    if (!["u64", "text", "bytes"].includes(ids)) throw new TypeError(`no such kind of identifiers: ${ids}`);
    this.core = core;
    this.ids = ids;
    this.numbered = ids === "u64";
    this.siblings = siblings;
    const memory = core.memory;
    this.who = released === null ? 0 : core.add((nodes, values, count) =>
      released(memory.u64s(nodes, count), memory.u64s(values, count)));
    memory.frame(() => {
      const out = memory.take(4);
      core.check(core.c.host_store_create(this.numbered ? 0 : 1, siblings ? 1 : 0, BigInt(limit), this.who, out));
      this.store = memory.u32(out);
    });
    lost.register(this, { core, store: this.store }, this);
  }

  /** Ends the tree. Its views are closed; using either is an error from then on. */
  close() {
    if (this.store === 0) return;
    lost.unregister(this);
    this.core.c.ctree_store_destroy(this.store);
    this.core.remove(this.who);
    this.store = 0;
    this.core.check(Status.OK);
  }

  get handle() {
    if (this.store === 0) this.core.check(Status.CLOSED);
    return this.store;
  }

  // ---- Identifiers ----

  encode(id) {
    if (typeof id === "string") return new TextEncoder().encode(id);
    if (id instanceof Uint8Array) return id;
    throw new TypeError("an identifier of this tree is a string or a Uint8Array");
  }

  decode(at) {
    const memory = this.core.memory;
    const word = memory.u64(at + 8);
    if (this.numbered) return word;
    const bytes = memory.slice(memory.u32(at), Number(word));
    return this.ids === "text" ? new TextDecoder().decode(bytes) : bytes;
  }

  /** Writes a ctree_id. */
  writeId(at, id) {
    const memory = this.core.memory;
    if (this.numbered) {
      memory.setU64(at + 8, id);
    } else {
      const bytes = this.encode(id);
      memory.setU32(at, memory.copy(bytes));
      memory.setU64(at + 8, bytes.length);
    }
    return at;
  }

  writeIds(ids) {
    const at = this.core.memory.take(16 * ids.length);
    ids.forEach((id, i) => this.writeId(at + 16 * i, id));
    return at;
  }

  withId(id, body) {
    return this.core.memory.frame(() => body(this.writeId(this.core.memory.take(16), id)));
  }

  // ---- Reading ----

  get count() { return Number(this.core.c.ctree_store_count(this.handle)); }

  kinds() {
    const { c } = this.core;
    return { ids: c.ctree_store_id_kind(this.handle), scope: c.ctree_store_id_scope(this.handle) };
  }

  memory() {
    const { core } = this;
    const memory = core.memory;
    return memory.frame(() => {
      const at = memory.take(56);
      memory.setU32(at, 56);
      core.check(core.c.ctree_store_memory(this.handle, at));
      const names = ["total", "nodes", "children", "identifiers", "index", "dead"];
      return Object.fromEntries(names.map((name, i) => [name, Number(memory.u64(at + 8 + 8 * i))]));
    });
  }

  validate() { this.reasoned((out) => this.core.c.ctree_validate(this.handle, out)); }

  reasoned(body) {
    const memory = this.core.memory;
    memory.frame(() => {
      const out = memory.take(4);
      const status = body(out);
      if (status === Status.CORRUPT) throw new Error(memory.text(memory.u32(out)));
      this.core.check(status);
    });
  }

  find(id) { return BigInt.asUintN(64, this.withId(id, (at) => this.core.c.ctree_store_find(this.handle, at))); }

  findChild(parent, id) {
    return BigInt.asUintN(64, this.withId(id, (at) => this.core.c.ctree_store_find_child(this.handle, parent, at)));
  }

  /** Many at once; in a tree of siblings below a parent each. A BigUint64Array of numbers is handed over as it is. */
  findMany(ids, parents = null) {
    const { core } = this;
    const memory = core.memory;
    return memory.frame(() => {
      const above = parents === null ? 0 : memory.copy(longs(parents));
      const out = memory.room(8 * ids.length);
      if (this.numbered) {
        core.check(core.c.ctree_store_find_many_u64(this.handle, above, memory.copy(longs(ids)), ids.length, out));
      } else {
        core.check(core.c.ctree_store_find_many(this.handle, above, this.writeIds(ids), ids.length, out));
      }
      return memory.u64s(out, ids.length);
    });
  }

  contains(node) { return this.core.c.ctree_store_contains(this.handle, node) !== 0; }

  info(node) {
    const { core } = this;
    const memory = core.memory;
    return memory.frame(() => {
      const at = memory.take(64);
      memory.setU32(at, 64);
      core.check(core.c.ctree_store_info(this.handle, node, at));
      return {
        parent: memory.u64(at + 8), value: memory.u64(at + 16), revision: memory.u64(at + 24), id: this.decode(at + 32),
        childCount: memory.u32(at + 48), state: memory.u32(at + 52), more: memory.u8(at + 56) !== 0,
      };
    });
  }

  out(size, body, read) {
    const memory = this.core.memory;
    return memory.frame(() => {
      const at = memory.take(size);
      this.core.check(body(at));
      return read(at);
    });
  }

  parent(node) {
    return this.out(8, (at) => this.core.c.ctree_store_parent(this.handle, node, at), (at) => this.core.memory.u64(at));
  }

  id(node) { return this.out(16, (at) => this.core.c.ctree_store_id(this.handle, node, at), (at) => this.decode(at)); }
  value(node) { return BigInt.asUintN(64, this.core.c.ctree_store_value(this.handle, node)); }
  revision(node) { return BigInt.asUintN(64, this.core.c.ctree_store_revision(this.handle, node)); }
  state(node) { return this.core.c.ctree_store_load_state(this.handle, node); }
  childCount(parent = NONE) { return this.core.c.ctree_store_child_count(this.handle, parent) >>> 0; }
  childAt(parent, position) { return BigInt.asUintN(64, this.core.c.ctree_store_child_at(this.handle, parent, position)); }

  children(parent = NONE, first = 0, count = END) {
    const memory = this.core.memory;
    const room = Math.min(count, Math.max(0, this.childCount(parent) - first));
    return memory.frame(() => {
      const length = memory.take(4);
      const out = memory.room(8 * room);
      memory.setU32(length, room);
      this.core.check(this.core.c.ctree_store_children(this.handle, parent, first, length, out));
      return memory.u64s(out, memory.u32(length));
    });
  }

  ordinal(node) {
    return this.out(4, (at) => this.core.c.ctree_store_ordinal(this.handle, node, at), (at) => this.core.memory.u32(at));
  }

  depth(node) {
    return this.out(4, (at) => this.core.c.ctree_store_depth(this.handle, node, at), (at) => this.core.memory.u32(at));
  }

  isBelow(node, ancestor) { return this.core.c.ctree_store_is_below(this.handle, node, ancestor) !== 0; }

  path(node) {
    const memory = this.core.memory;
    const room = this.depth(node) + 1;
    return memory.frame(() => {
      const length = memory.take(4);
      const out = memory.room(4 * room);
      memory.setU32(length, room);
      this.core.check(this.core.c.ctree_store_path(this.handle, node, length, out));
      return memory.u32s(out, memory.u32(length));
    });
  }

  nodeAtPath(path) {
    const memory = this.core.memory;
    return memory.frame(() => {
      const at = memory.copy(words(path));
      return BigInt.asUintN(64, this.core.c.ctree_store_node_at_path(this.handle, at, path.length));
    });
  }

  next(node, root = NONE, skipChildren = false) {
    return BigInt.asUintN(64, this.core.c.ctree_store_next(this.handle, node, root, skipChildren ? 1 : 0));
  }

  /** The nodes of a subtree in preorder, its root first; of the whole tree for NONE. */
  *walk(root = NONE) {
    if (root !== NONE) yield root;
    for (let node = this.next(root, root); node !== NONE; node = this.next(node, root)) yield node;
  }

  subtreeCount(node) { return Number(this.core.c.ctree_store_subtree_count(this.handle, node)); }

  // ---- Edits ----

  /** Throws an error whose `fault.node` has the identifier, where one has. */
  insert(parent, id, { at = END, value = 0n, revision = 0n, state = State.LEAF } = {}) {
    const { core } = this;
    const memory = core.memory;
    return memory.frame(() => {
      const init = memory.take(24);
      const out = memory.take(8);
      memory.setU64(init, value);
      memory.setU64(init + 8, revision);
      memory.setU32(init + 16, state);
      const named = this.writeId(memory.take(16), id);
      const status = core.c.ctree_store_insert(this.handle, parent, at, named, init, out);
      core.check(status, status === Status.DUPLICATE ? { item: null, other: null, node: memory.u64(out) } : undefined);
      return memory.u64(out);
    });
  }

  remove(node) { this.core.check(this.core.c.ctree_store_remove(this.handle, node)); }

  removeChildren(parent, first, count) {
    this.core.check(this.core.c.ctree_store_remove_children(this.handle, parent, first, count));
  }

  move(node, parent, at = END) { this.core.check(this.core.c.ctree_store_move(this.handle, node, parent, at)); }

  set(node, value, revision = 0n) {
    this.core.check(this.core.c.ctree_store_set_value(this.handle, node, BigInt(value), BigInt(revision)));
  }

  setLeaf(node, leaf) { this.core.check(this.core.c.ctree_store_set_leaf(this.handle, node, leaf ? 1 : 0)); }

  /** All items of a forest at once, below a parent; their nodes come back. */
  build(forest, { parent = NONE, at = END, progress = null } = {}) {
    const { core } = this;
    const memory = core.memory;
    const items = forest instanceof Forest ? forest : new Forest(forest);
    return memory.frame(() => core.withProgress(progress, (asked) => {
      const out = memory.room(8 * items.ids.length);
      const written = items.write(this);
      core.faulty((fault) => core.c.ctree_store_build(this.handle, parent, at, written, asked, out, fault));
      return memory.u64s(out, items.ids.length);
    }));
  }

  /** All nodes of another tree of the same core, which is empty afterwards. */
  graft(other, { parent = NONE, at = END, progress = null } = {}) {
    const { core } = this;
    core.memory.frame(() => core.withProgress(progress, (asked) =>
      core.faulty((fault) => core.c.ctree_store_graft(this.handle, parent, at, other.handle, asked, fault))));
  }

  /** Makes what is below a parent a forest; what is found again by identifier is the same node. */
  reconcile(forest, { parent = NONE, movesFromElsewhere = false, progress = null } = {}) {
    const { core } = this;
    const memory = core.memory;
    const items = forest instanceof Forest ? forest : new Forest(forest);
    return memory.frame(() => core.withProgress(progress, (asked) => {
      const out = memory.room(8 * items.ids.length);
      const written = items.write(this);
      core.faulty((fault) =>
        core.c.ctree_store_reconcile(this.handle, parent, written, movesFromElsewhere ? 1 : 0, asked, out, fault));
      return memory.u64s(out, items.ids.length);
    }));
  }

  begin() { this.core.check(this.core.c.ctree_store_begin(this.handle)); }
  end() { this.core.check(this.core.c.ctree_store_end(this.handle)); }

  /** Several edits as one: listeners hear "settled" once, at the end. */
  transaction(body) {
    this.begin();
    try {
      return body(this);
    } finally {
      this.end();
    }
  }

  /** Told of edits: `before` and `after` with what is edited, `settled` when all is over. What comes back ends it. */
  listen({ before = null, after = null, settled = null }) {
    const { core } = this;
    const memory = core.memory;
    const who = core.add((when, at) => {
      if (when === 2) return settled?.();
      const told = when === 0 ? before : after;
      return told?.({
        kind: memory.u32(at), changed: memory.u32(at + 4), node: memory.u64(at + 8), parent: memory.u64(at + 16),
        toParent: memory.u64(at + 24), first: memory.u32(at + 32), count: memory.u32(at + 36), toFirst: memory.u32(at + 40),
      });
    });
    const token = this.out(8, (at) => core.c.host_listen(this.handle, who, at), (at) => memory.u64(at));
    return () => {
      core.remove(who);
      core.check(core.c.ctree_store_remove_listener(this.handle, token));
    };
  }

  // ---- Loading ----

  request(node) { this.core.check(this.core.c.ctree_load_request(this.handle, node)); }
  nextRequest() { return BigInt.asUintN(64, this.core.c.ctree_load_next_request(this.handle)); }

  *requests() {
    for (let node = this.nextRequest(); node !== NONE; node = this.nextRequest()) yield node;
  }

  /** Begins a load of a node's children. Where one is under way the error has it as `load`. */
  load(node, { reload = false } = {}) {
    const { core } = this;
    const memory = core.memory;
    return memory.frame(() => {
      const at = memory.take(8);
      const status = core.c.ctree_load_begin(this.handle, node, reload ? 1 : 0, at);
      const load = new Load(this, node, memory.u64(at));
      try {
        core.check(status);
      } catch (error) {
        if (status === Status.LOADING) error.load = load;
        throw error;
      }
      return load;
    });
  }

  loadError(node) { return BigInt.asUintN(64, this.core.c.ctree_load_error(this.handle, node)); }
  drop(node) { this.core.check(this.core.c.ctree_load_drop(this.handle, node)); }

  /** A view of this tree. */
  view(options) { return new View(this, options); }
}
