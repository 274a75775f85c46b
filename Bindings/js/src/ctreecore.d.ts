/** A node of a tree: a handle that is stale for ever once the node is gone. 0n names none. */
export type Node = bigint;
/** A 64-bit number in a tree of "u64", a string in one of "text", bytes in one of "bytes". */
export type Id = bigint | number | string | Uint8Array;
/** Asked now and then; false ends the call with nothing changed. */
export type Progress = (done: number, total: number) => boolean;

export const NONE: Node;
export const END: number;
export const ALL_LEVELS: number;
export const NO_ROW: number;

export const Status: Readonly<Record<
  | "OK" | "NO_MEMORY" | "INVALID" | "STALE" | "RANGE" | "DUPLICATE" | "LIMIT" | "LEAF" | "CYCLE" | "BUSY" | "CLOSED"
  | "CANCELLED" | "SUPERSEDED" | "NOT_FOUND" | "LOADING" | "CORRUPT", number>>;
export const State: Readonly<Record<"LEAF" | "UNLOADED" | "LOADING" | "LOADED" | "FAILED" | "KEEP", number>>;
export const EditKind: Readonly<Record<"INSERT" | "REMOVE" | "MOVE" | "CHANGE", number>>;
export const Changed: Readonly<Record<"VALUE" | "REVISION" | "LOAD_STATE", number>>;
export const Saved: Readonly<Record<"EXPANDED" | "COLLAPSED" | "SELECTED" | "ALL", number>>;

export interface Fault {
  /** The item at fault, and the earlier one of the same identifier. */
  item: number | null;
  other: number | null;
  /** The node that stands in the way. */
  node: Node;
}

export interface Twice { inNew: boolean; inSections: boolean; first: number; second: number }

/** A call failed and has changed nothing. */
export class CTreeError extends Error {
  status: number;
  fault: Fault | null;
  /** Of a load that is under way already. */
  load?: Load;
  /** Of a diff of lists in which a key stands twice. */
  twice?: Twice;
}

/** One instance of the WebAssembly module. */
export class Core {
  /** From a compiled module, or from its bytes. */
  static load(source: WebAssembly.Module | BufferSource): Promise<Core>;
  version(): string;
  statusName(status: number): string;
}

export interface ForestParts {
  ids: BigUint64Array | readonly Id[];
  parents?: ArrayLike<number | null> | null;
  values?: ArrayLike<bigint | number> | null;
  revisions?: ArrayLike<bigint | number> | null;
  states?: ArrayLike<number> | null;
}

export class Forest {
  constructor(parts: ForestParts);
}

export interface NodeInfo {
  parent: Node; value: bigint; revision: bigint; id: Id; childCount: number; state: number; more: boolean;
}

export interface Edit {
  kind: number; changed: number; node: Node; parent: Node; toParent: Node; first: number; count: number; toFirst: number;
}

export interface TreeOptions {
  ids?: "u64" | "text" | "bytes";
  siblings?: boolean;
  limit?: number | bigint;
  released?: ((nodes: BigUint64Array, values: BigUint64Array) => void) | null;
}

export class Tree {
  constructor(core: Core, options?: TreeOptions);
  close(): void;
  readonly count: number;
  memory(): Record<"total" | "nodes" | "children" | "identifiers" | "index" | "dead", number>;
  validate(): void;
  find(id: Id): Node;
  findChild(parent: Node, id: Id): Node;
  findMany(ids: BigUint64Array | readonly Id[], parents?: ArrayLike<Node> | null): BigUint64Array;
  contains(node: Node): boolean;
  info(node: Node): NodeInfo;
  parent(node: Node): Node;
  id(node: Node): Id;
  value(node: Node): bigint;
  revision(node: Node): bigint;
  state(node: Node): number;
  childCount(parent?: Node): number;
  childAt(parent: Node, position: number): Node;
  children(parent?: Node, first?: number, count?: number): BigUint64Array;
  ordinal(node: Node): number;
  depth(node: Node): number;
  isBelow(node: Node, ancestor: Node): boolean;
  path(node: Node): Uint32Array;
  nodeAtPath(path: ArrayLike<number>): Node;
  next(node: Node, root?: Node, skipChildren?: boolean): Node;
  walk(root?: Node): Generator<Node>;
  subtreeCount(node: Node): number;
  insert(parent: Node, id: Id, options?: { at?: number; value?: bigint; revision?: bigint; state?: number }): Node;
  remove(node: Node): void;
  removeChildren(parent: Node, first: number, count: number): void;
  move(node: Node, parent: Node, at?: number): void;
  set(node: Node, value: bigint | number, revision?: bigint | number): void;
  setLeaf(node: Node, leaf: boolean): void;
  build(forest: Forest | ForestParts, options?: { parent?: Node; at?: number; progress?: Progress | null }): BigUint64Array;
  graft(other: Tree, options?: { parent?: Node; at?: number; progress?: Progress | null }): void;
  reconcile(forest: Forest | ForestParts,
    options?: { parent?: Node; movesFromElsewhere?: boolean; progress?: Progress | null }): BigUint64Array;
  begin(): void;
  end(): void;
  transaction<T>(body: (tree: Tree) => T): T;
  listen(listener: { before?: (edit: Edit) => void; after?: (edit: Edit) => void; settled?: () => void }): () => void;
  request(node: Node): void;
  nextRequest(): Node;
  requests(): Generator<Node>;
  load(node: Node, options?: { reload?: boolean }): Load;
  loadError(node: Node): bigint;
  drop(node: Node): void;
  view(options?: ViewOptions): View;
}

export class Load {
  readonly node: Node;
  readonly ticket: bigint;
  status(): number;
  finish(forest: Forest | ForestParts, options?: { movesFromElsewhere?: boolean }): void;
  append(forest: Forest | ForestParts, more: boolean): void;
  fail(error?: bigint | number): void;
  cancel(): void;
}

export interface ViewOptions {
  /** Levels that are open by default. */
  openLevels?: number;
  sections?: boolean;
  forgets?: boolean;
  emptyCanOpen?: boolean;
  /** Whether changes are noted for commit; true unless said otherwise. */
  records?: boolean;
}

export interface Row {
  node: Node; depth: number; position: number; siblingCount: number; state: number;
  expandable: boolean; expanded: boolean; more: boolean;
}

export interface SavedEntry { path: readonly Id[]; what: number }

/** Ranges are [first, count], runs [from, to, count]. */
export interface Batch {
  reload: boolean; oldCount: number; newCount: number;
  deletes: number[][]; inserts: number[][]; moves: number[][]; changes: number[][];
}

/** Of rows, ranges are [section, first, count], runs [section, from, section, to, count]. */
export interface SectionBatch extends Batch {
  oldSectionCount: number; newSectionCount: number;
  sectionDeletes: number[][]; sectionInserts: number[][]; sectionMoves: number[][]; sectionChanges: number[][];
}

export class View {
  readonly tree: Tree;
  close(): void;
  isOf(tree: Tree): boolean;
  expand(node: Node): void;
  collapse(node: Node): void;
  toggle(node: Node): void;
  reveal(node: Node): void;
  expandAll(node?: Node, options?: { levels?: number; progress?: Progress | null }): void;
  collapseAll(node?: Node): void;
  isExpanded(node: Node): boolean;
  isVisible(node: Node): boolean;
  isExpandable(node: Node): boolean;
  readonly rowCount: number;
  nodeAt(row: number): Node;
  rowOf(node: Node): number | null;
  nodesAt(rows: ArrayLike<number>): BigUint64Array;
  rowsOf(nodes: ArrayLike<Node>): Uint32Array;
  nodesFrom(first: number, count: number): { nodes: BigUint64Array; depths: Uint32Array };
  window(first: number, count: number): Row[];
  ancestors(node: Node): BigUint64Array;
  readonly sectionCount: number;
  sectionNode(section: number): Node;
  sectionRows(section: number): number;
  indexPath(row: number): number[];
  rowAt(section: number, row: number): number | null;
  flatten(options?: { lookup?: boolean; progress?: Progress | null }): Rows;
  memory(): number;
  trim(): void;
  compact(): void;
  validate(): void;
  select(node: Node, selected?: boolean): void;
  selectRows(first: number, count: number, selected?: boolean): void;
  deselectAll(): void;
  isSelected(node: Node): boolean;
  readonly selectedCount: number;
  selected(): BigUint64Array;
  save(what?: number): SavedEntry[];
  restore(entries: readonly SavedEntry[]): void;
  readonly waitingCount: number;
  forgetWaiting(): void;
  revealPath(path: readonly Id[]): { visible: boolean; node: Node };
  commit(limit?: number): Batch;
  commitSections(limit?: number): SectionBatch;
  accept(): void;
  watch(told: ((row: number, removed: number, inserted: number) => void) | null): void;
}

export class Rows {
  close(): void;
  readonly count: number;
  nodes(): BigUint64Array;
  depths(): Uint32Array;
  readonly sectionCount: number;
  sectionNode(section: number): Node;
  sectionStart(section: number): number;
  nodeAt(row: number): Node;
  rowOf(node: Node): number | null;
  indexPath(row: number): number[];
  rowAt(section: number, row: number): number | null;
  window(view: View, first: number, count: number): Row[];
}

export interface DiffList {
  rows?: ArrayLike<Id>;
  revisions?: ArrayLike<bigint | number> | null;
  sections?: ArrayLike<Id>;
  sectionRows?: ArrayLike<number>;
  sectionRevisions?: ArrayLike<bigint | number> | null;
}

export interface Splices { reload: boolean; oldCount: number; newCount: number; splices: number[][] }
export interface Steps { reload: boolean; oldCount: number; newCount: number; steps: number[][] }

export function diff(core: Core, oldList: DiffList | null, newList: DiffList,
  options?: {
    keys?: "nodes" | "u64" | "ids"; form?: "batch" | "sections" | "splices" | "steps"; limit?: number;
    progress?: Progress | null;
  }): Batch | SectionBatch | Splices | Steps;
