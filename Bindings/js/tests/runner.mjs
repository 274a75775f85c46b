// Runs the scenarios of Tests/vectors; their README is the format.

import assert from "node:assert/strict";
import {
  ALL_LEVELS, CTreeError, END, Forest, Load, NONE, NO_ROW, Saved, State, Status, Tree, diff,
} from "../../../build/js/ctreecore/ctreecore.mjs";

const STATUS_WORDS = Object.keys(Status).map((name) => name.toLowerCase().replaceAll("_", "-"));
const STATE_WORDS = Object.keys(State).map((name) => name.toLowerCase());
const EDITS = ["", "insert", "remove", "move", "change"];

class Unknown extends Error {}

export function* scenarios(text) {
  let scenario = null;
  let number = 0;
  for (const line of text.split("\n")) {
    number++;
    if (line.startsWith("scenario ")) {
      if (scenario) yield scenario;
      scenario = { name: line.slice(9), steps: [] };
    } else if (line.startsWith("+ ")) {
      scenario.steps.at(-1).given.push(line.slice(2).split(" "));
    } else if (line.startsWith("= ")) {
      scenario.steps.at(-1).expected.push(line.slice(2));
    } else if (line && !line.startsWith("#")) {
      scenario.steps.push({ number, words: line.split(" "), given: [], expected: [] });
    }
  }
  if (scenario) yield scenario;
}

function unquoted(word) {
  assert.match(word, /^".*"$/);
  const bytes = [];
  const inner = word.slice(1, -1);
  for (let i = 0; i < inner.length; i++) {
    if (inner[i] === "\\") {
      bytes.push(parseInt(inner.slice(i + 2, i + 4), 16));
      i += 3;
    } else {
      bytes.push(inner.charCodeAt(i));
    }
  }
  return Uint8Array.from(bytes);
}

function quoted(bytes) {
  const plain = (b) => b > 0x20 && b < 0x7f && !'"\\/'.includes(String.fromCharCode(b));
  const shown = Array.from(bytes, (b) => (plain(b) ? String.fromCharCode(b) : `\\x${b.toString(16).padStart(2, "0")}`));
  return `"${shown.join("")}"`;
}

const yes = (flag) => (flag ? "yes" : "no");
const place = (word) => (word === "end" ? END : Number(word));
const levels = (word) => (word === "all" ? ALL_LEVELS : Number(word));
const stopper = (words) => (words.at(-1) === "stop" ? () => false : null);
const limit = (words) => (words.includes("limit") ? Number(words[words.indexOf("limit") + 1]) : 0);
const byBytes = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** One scenario. */
export class Runner {
  constructor(core) {
    this.core = core;
    this.named = new Map();
    this.values = [];
    this.told = [];
    this.splices = new Map();
  }

  /** The lines that a step prints. */
  run(words, given) {
    this.out = [];
    const verb = this[`do_${words[0].replaceAll("-", "_")}`];
    assert.ok(verb, `no such verb: ${words[0]}`);
    try {
      verb.call(this, words.slice(1), given);
    } catch (error) {
      if (error instanceof Unknown) return ["unknown"];
      if (!(error instanceof CTreeError)) throw error;
      return [this.failure(error, words[0] === "insert")];
    }
    return this.out;
  }

  close() {
    for (const held of this.named.values()) held?.close?.();
    this.tree?.close();
  }

  failure(error, single) {
    const word = STATUS_WORDS[error.status];
    if (error.twice) {
      const { inNew, inSections, first, second } = error.twice;
      return `${word} ${inNew ? "new" : "old"} ${inSections ? "section" : "row"} ${first} ${second}`;
    }
    if (error.fault === null) return word;
    if (single) return `${word} ${this.name(error.fault.node)}`;
    return `${word} item ${error.fault.item ?? "-"} other ${error.fault.other ?? "-"} node ${this.name(error.fault.node)}`;
  }

  // ---- Words ----

  say(...parts) { this.out.push(parts.join(" ")); }
  id(word) { return this.tree.numbered ? BigInt(word) : unquoted(word); }
  idWord(id) { return typeof id === "bigint" ? String(id) : quoted(id); }

  node(word) {
    if (word === "-") return NONE;
    if (word[0] === "$") return this.named.get(word);
    let found = NONE;
    if (!this.tree.siblings) {
      found = this.tree.find(this.id(word));
    } else {
      for (const part of word.split("/")) {
        found = this.tree.findChild(found, this.id(part));
        if (found === NONE) break;
      }
    }
    if (found === NONE) throw new Unknown();
    return found;
  }

  name(node) {
    if (node === NONE) return "-";
    if (!this.tree.contains(node)) return "gone";
    const parts = [];
    while (node !== NONE) {
      parts.unshift(this.idWord(this.tree.id(node)));
      node = this.tree.siblings ? this.tree.parent(node) : NONE;
    }
    return parts.join("/");
  }

  list(nodes) { this.say(nodes.length, ...Array.from(nodes, (node) => this.name(node))); }
  rows({ nodes, depths }) { nodes.forEach((node, i) => this.say(depths[i], this.name(node))); }

  window(rows) {
    for (const row of rows) {
      const flags = ["expandable", "expanded", "more"].map((flag) => (row[flag] ? flag : "-"));
      this.say(row.depth, this.name(row.node), row.position, row.siblingCount, STATE_WORDS[row.state], ...flags);
    }
  }

  forest(given) {
    const filled = given.map((line) => [...line, ...["0", "0", "auto"].slice(line.length - 2)]);
    const parents = filled.map((line) => (line[0] === "-" ? null : Number(line[0])));
    const states = filled.map((line, i) =>
      line[4] !== "auto" ? STATE_WORDS.indexOf(line[4]) : parents.includes(i) ? State.LOADED : State.LEAF);
    return new Forest({
      ids: filled.map((line) => this.id(line[1])), parents, values: filled.map((line) => BigInt(line[2])),
      revisions: filled.map((line) => BigInt(line[3])), states: filled.every((line) => line[4] === "auto") ? null : states,
    });
  }

  // ---- The store ----

  do_store([kind, scope, ...rest]) {
    this.tree = new Tree(this.core, {
      ids: kind, siblings: scope === "siblings", limit: limit(rest),
      released: (_, values) => this.values.push(...values),
    });
  }

  do_close() { this.tree.close(); }

  do_kinds() {
    const { ids, scope } = this.tree.kinds();
    this.say(ids === 0 ? "u64" : "bytes", scope === 0 ? "store" : "siblings");
  }

  do_count() { this.say(this.tree.count); }
  do_memory() { assert.ok(this.tree.memory().total > 0); }
  do_validate() { this.tree.validate(); }
  do_find([id]) { this.say(this.name(this.tree.find(this.id(id)))); }
  do_find_child([parent, id]) { this.say(this.name(this.tree.findChild(this.node(parent), this.id(id)))); }

  do_find_many([parent, ...ids]) {
    const above = this.node(parent);
    this.list(this.tree.findMany(ids.map((id) => this.id(id)), this.tree.siblings ? ids.map(() => above) : null));
  }

  do_find_many_u64(words) { this.do_find_many(words); }
  do_name([handle, node]) { this.named.set(handle, this.node(node)); }
  do_contains([node]) { this.say(yes(this.tree.contains(this.node(node)))); }

  do_node([node]) {
    const i = this.tree.info(this.node(node));
    this.say("parent", this.name(i.parent), "value", i.value, "revision", i.revision, "state", STATE_WORDS[i.state],
      "children", i.childCount, "more", yes(i.more));
  }

  do_parent([node]) { this.say(this.name(this.tree.parent(this.node(node)))); }
  do_id([node]) { this.say(this.idWord(this.tree.id(this.node(node)))); }
  do_value([node]) { this.say(this.tree.value(this.node(node))); }
  do_revision([node]) { this.say(this.tree.revision(this.node(node))); }
  do_state([node]) { this.say(STATE_WORDS[this.tree.state(this.node(node))]); }
  do_child_count([node]) { this.say(this.tree.childCount(this.node(node))); }
  do_child_at([node, position]) { this.say(this.name(this.tree.childAt(this.node(node), Number(position)))); }
  do_children([node, first, count]) { this.list(this.tree.children(this.node(node), Number(first), Number(count))); }
  do_ordinal([node]) { this.say(this.tree.ordinal(this.node(node))); }
  do_depth([node]) { this.say(this.tree.depth(this.node(node))); }
  do_below([node, ancestor]) { this.say(yes(this.tree.isBelow(this.node(node), this.node(ancestor)))); }

  do_path([node]) {
    const path = this.tree.path(this.node(node));
    this.say(path.length, ...path);
  }

  do_at_path(words) { this.say(this.name(this.tree.nodeAtPath(words.map(Number)))); }
  do_next([node, root, skip]) { this.say(this.name(this.tree.next(this.node(node), this.node(root), skip === "yes"))); }
  do_walk([root]) { this.list([...this.tree.walk(this.node(root))]); }
  do_subtree_count([node]) { this.say(this.tree.subtreeCount(this.node(node))); }

  do_version() {
    const [major, minor, patch] = this.core.version().split(".").map(Number);
    assert.equal(this.core.c.ctree_version(), major * 1000000 + minor * 1000 + patch);
    assert.equal(this.core.c.ctree_abi_version(), 0);
  }

  do_status_name([status]) { this.say(this.core.statusName(Number(status))); }

  // ---- Edits ----

  do_insert([parent, at, id, value = "0", revision = "0", state = "leaf"]) {
    this.tree.insert(this.node(parent), this.id(id), {
      at: place(at), value: BigInt(value), revision: BigInt(revision), state: STATE_WORDS.indexOf(state),
    });
  }

  do_remove([node]) { this.tree.remove(this.node(node)); }
  do_remove_children([node, first, count]) { this.tree.removeChildren(this.node(node), Number(first), Number(count)); }
  do_move([node, parent, at]) { this.tree.move(this.node(node), this.node(parent), place(at)); }
  do_set([node, value, revision]) { this.tree.set(this.node(node), BigInt(value), BigInt(revision)); }
  do_set_leaf([node, leaf]) { this.tree.setLeaf(this.node(node), leaf === "yes"); }

  do_build(words, given) {
    this.tree.build(this.forest(given), { parent: this.node(words[0]), at: place(words[1]), progress: stopper(words) });
  }

  do_graft(words, given) {
    const other = new Tree(this.core, { ids: this.tree.ids, siblings: this.tree.siblings });
    try {
      other.build(this.forest(given));
      try {
        this.tree.graft(other, { parent: this.node(words[0]), at: place(words[1]), progress: stopper(words) });
      } catch (error) {
        assert.equal(other.count, given.length);
        throw error;
      }
      assert.equal(other.count, 0);
    } finally {
      other.close();
    }
  }

  do_reconcile(words, given) {
    this.tree.reconcile(this.forest(given), {
      parent: this.node(words[0]), movesFromElsewhere: words[1] === "moves", progress: stopper(words),
    });
  }

  do_begin() { this.tree.begin(); }
  do_end() { this.tree.end(); }

  do_listen() {
    const hear = (when, edit) => {
      let words;
      if (edit.kind === 4) {
        words = [this.name(edit.node), ...["value", "revision", "load-state"].filter((_, bit) => edit.changed >> bit & 1)];
      } else {
        words = [this.name(edit.parent), edit.first, edit.count];
      }
      if (edit.kind === 3) words.push(this.name(edit.toParent), edit.toFirst);
      this.told.push([when, EDITS[edit.kind], ...words].join(" "));
    };
    this.unlisten = this.tree.listen({
      before: (edit) => hear("before", edit),
      after: (edit) => {
        hear("after", edit);
        if (this.core.c.ctree_store_begin(this.tree.handle) !== Status.BUSY) this.told.push("not busy");
      },
      settled: () => this.told.push("settled"),
    });
  }

  do_unlisten() { this.unlisten(); }

  do_heard() {
    this.out = this.told;
    this.told = [];
  }

  do_released() {
    const sorted = this.values.sort(byBytes);
    this.say(sorted.length, ...sorted);
    this.values = [];
  }

  // ---- Loading ----

  do_request([node]) { this.tree.request(this.node(node)); }
  do_next_request() { this.say(this.name(this.tree.nextRequest())); }
  do_requests() { this.list([...this.tree.requests()]); }

  do_load([node, ticket, ...rest]) {
    try {
      this.named.set(ticket, this.tree.load(this.node(node), { reload: rest.includes("reload") }));
    } catch (error) {
      if (error.load) this.named.set(ticket, error.load);
      throw error;
    }
  }

  /** The ticket, of the node that the step names. */
  load([node, ticket]) { return new Load(this.tree, this.node(node), this.named.get(ticket).ticket); }

  do_check(words) { this.say(STATUS_WORDS[this.load(words).status()]); }

  do_finish(words, given) {
    this.load(words).finish(this.forest(given), { movesFromElsewhere: words[2] === "moves" });
  }

  do_append(words, given) { this.load(words).append(this.forest(given), words[2] === "more"); }
  do_fail(words) { this.load(words).fail(BigInt(words[2])); }
  do_cancel(words) { this.load(words).cancel(); }
  do_error([node]) { this.say(this.tree.loadError(this.node(node))); }
  do_drop([node]) { this.tree.drop(this.node(node)); }

  // ---- Views ----

  do_view([name, depth, ...flags]) {
    const has = (flag) => flags.includes(flag);
    this.named.set(name, this.tree.view({
      openLevels: levels(depth), sections: has("sections"), forgets: has("forgets"), emptyCanOpen: has("empty-can-open"),
      records: has("records"),
    }));
  }

  view(name) { return this.named.get(name); }
  do_close_view([view]) { this.view(view).close(); }
  do_view_store([view]) { this.say(yes(this.view(view).isOf(this.tree))); }
  do_expand([view, node]) { this.view(view).expand(this.node(node)); }
  do_collapse([view, node]) { this.view(view).collapse(this.node(node)); }
  do_toggle([view, node]) { this.view(view).toggle(this.node(node)); }
  do_reveal([view, node]) { this.view(view).reveal(this.node(node)); }

  do_expand_all(words) {
    this.view(words[0]).expandAll(this.node(words[1]), { levels: levels(words[2]), progress: stopper(words) });
  }

  do_collapse_all([view, node]) { this.view(view).collapseAll(this.node(node)); }
  do_expanded([view, node]) { this.say(yes(this.view(view).isExpanded(this.node(node)))); }
  do_visible([view, node]) { this.say(yes(this.view(view).isVisible(this.node(node)))); }
  do_expandable([view, node]) { this.say(yes(this.view(view).isExpandable(this.node(node)))); }
  do_rows([view]) { this.rows(this.view(view).nodesFrom(0, this.view(view).rowCount)); }
  do_nodes_from([view, first, count]) { this.rows(this.view(view).nodesFrom(Number(first), Number(count))); }
  do_window([view, first, count]) { this.window(this.view(view).window(Number(first), Number(count))); }
  do_row_count([view]) { this.say(this.view(view).rowCount); }
  do_node_at([view, row]) { this.say(this.name(this.view(view).nodeAt(Number(row)))); }
  do_row_of([view, node]) { this.say(this.view(view).rowOf(this.node(node)) ?? "-"); }
  do_nodes_at([view, ...rows]) { this.list(this.view(view).nodesAt(rows.map(Number))); }

  do_rows_of([view, ...nodes]) {
    const rows = this.view(view).rowsOf(nodes.map((node) => this.node(node)));
    this.say(rows.length, ...Array.from(rows, (row) => (row === NO_ROW ? "-" : row)));
  }

  do_ancestors([view, node]) { this.list(this.view(view).ancestors(this.node(node))); }
  do_section_count([view]) { this.say(this.view(view).sectionCount); }

  do_section([view, section]) {
    this.say(this.name(this.view(view).sectionNode(Number(section))), this.view(view).sectionRows(Number(section)));
  }

  do_index_path([view, row]) { this.say(...this.view(view).indexPath(Number(row))); }
  do_row_at([view, section, row]) { this.say(this.view(view).rowAt(Number(section), Number(row)) ?? "-"); }
  do_view_memory([view]) { assert.ok(this.view(view).memory() > 0); }
  do_trim([view]) { this.view(view).trim(); }
  do_compact([view]) { this.view(view).compact(); }
  do_validate_view([view]) { this.view(view).validate(); }
  do_select([view, node, on]) { this.view(view).select(this.node(node), on === "yes"); }
  do_select_rows([view, first, count, on]) { this.view(view).selectRows(Number(first), Number(count), on === "yes"); }
  do_deselect_all([view]) { this.view(view).deselectAll(); }
  do_selected([view, node]) { this.say(yes(this.view(view).isSelected(this.node(node)))); }
  do_selected_count([view]) { this.say(this.view(view).selectedCount); }

  do_selection([name]) {
    const view = this.view(name);
    const nodes = [...view.selected()];
    const shown = nodes.filter((node) => view.rowOf(node) !== null);
    const hidden = nodes.filter((node) => view.rowOf(node) === null).map((node) => this.name(node));
    this.say(nodes.length, ...shown.map((node) => this.name(node)), ...hidden.sort(byBytes));
  }

  do_watch([name]) {
    if (!this.splices.has(name)) this.splices.set(name, []);
    this.view(name).watch((row, removed, inserted) => this.splices.get(name).push(`${row} ${removed} ${inserted}`));
  }

  do_unwatch([name]) { this.view(name).watch(null); }

  do_splices([name]) {
    this.out = this.splices.get(name) ?? [];
    this.splices.set(name, []);
  }

  // ---- Saved states ----

  path(word) { return word.split("/").map((part) => this.id(part)); }
  bits(words) { return words.reduce((what, word) => what | Saved[word.toUpperCase()], 0); }

  do_save([view, ...words]) {
    for (const { path, what } of this.view(view).save(this.bits(words))) {
      const held = ["EXPANDED", "COLLAPSED", "SELECTED"].filter((bit) => what & Saved[bit]);
      this.say(path.map((id) => this.idWord(id)).join("/"), ...held.map((bit) => bit.toLowerCase()));
    }
    this.out.sort(byBytes);
  }

  do_restore([view], given) {
    this.view(view).restore(given.map(([path, ...words]) => ({ path: this.path(path), what: this.bits(words) })));
  }

  do_waiting([view]) { this.say(this.view(view).waitingCount); }
  do_forget_waiting([view]) { this.view(view).forgetWaiting(); }

  do_reveal_path([view, path]) {
    const { visible, node } = this.view(view).revealPath(this.path(path));
    this.say(visible ? "ok" : "loading", this.name(node));
  }

  // ---- Changes ----

  batch(b) {
    if (b.reload) {
      this.say("reload");
      return;
    }
    if ("oldSectionCount" in b) {
      this.say("sections", b.oldSectionCount, b.newSectionCount, "rows", b.oldCount, b.newCount);
      for (const kind of ["Delete", "Insert", "Move", "Change"]) {
        for (const part of b[`section${kind}s`]) this.say(`section-${kind.toLowerCase()}`, ...part);
      }
    } else {
      this.say("rows", b.oldCount, b.newCount);
    }
    for (const kind of ["delete", "insert", "move", "change"]) {
      for (const part of b[`${kind}s`]) this.say(kind, ...part);
    }
  }

  do_commit([view, ...rest]) { this.batch(this.view(view).commit(limit(rest))); }
  do_commit_sections([view, ...rest]) { this.batch(this.view(view).commitSections(limit(rest))); }
  do_accept([view]) { this.view(view).accept(); }

  // ---- Plain rows ----

  do_flatten(words) {
    this.named.set(words[1], this.view(words[0]).flatten({ lookup: words.includes("lookup"), progress: stopper(words) }));
  }

  do_rows_list([rows]) { this.rows({ nodes: this.view(rows).nodes(), depths: this.view(rows).depths() }); }
  do_rows_section_count([rows]) { this.say(this.view(rows).sectionCount); }

  do_rows_section([rows, section]) {
    this.say(this.name(this.view(rows).sectionNode(Number(section))), this.view(rows).sectionStart(Number(section)));
  }

  do_rows_index_path(words) { this.do_index_path(words); }
  do_rows_at(words) { this.do_row_at(words); }
  do_rows_node(words) { this.do_node_at(words); }
  do_rows_row(words) { this.do_row_of(words); }

  do_rows_window([rows, view, first, count]) {
    this.window(this.view(rows).window(this.view(view), Number(first), Number(count)));
  }

  do_rows_free([rows]) { this.view(rows).close(); }

  // ---- Diff ----

  do_diff(words, given) {
    const keyOf = { u64: BigInt, ids: unquoted, nodes: (word) => this.node(word) }[words[0]];
    const empty = () => ({ rows: [], revisions: [], sections: [], sectionRows: [], sectionRevisions: [] });
    const lists = { old: empty(), new: empty() };
    for (const [where, key, ...revision] of given) {
      const list = lists[where.slice(0, 3)];
      const isSection = where.endsWith("-section");
      list[isSection ? "sections" : "rows"].push(keyOf(key));
      list[isSection ? "sectionRevisions" : "revisions"].push(...revision.map(BigInt));
      if (isSection) list.sectionRows.push(0);
      else if (list.sections.length) list.sectionRows[list.sectionRows.length - 1]++;
    }
    for (const list of Object.values(lists)) {
      if (list.revisions.length === 0) list.revisions = null;
      if (list.sectionRevisions.length === 0) list.sectionRevisions = null;
    }
    const old = words.includes("from-nothing") ? null : lists.old;
    const told = diff(this.core, old, lists.new, {
      keys: words[0], form: words[1], limit: limit(words), progress: stopper(words),
    });
    if ("deletes" in told) {
      this.batch(told);
      return;
    }
    this.say(...(told.reload ? ["reload"] : ["rows", told.oldCount, told.newCount]));
    for (const splice of told.splices ?? []) this.say("splice", ...splice);
    for (const [kind, from, to, count] of told.steps ?? []) {
      if (kind === 0) this.say("step-delete", from, count);
      if (kind === 1) this.say("step-move", from, to, count);
      if (kind === 2) this.say("step-insert", to, count);
    }
  }
}

// Runs every scenario of files, given as pairs of a name and a text, and says how many there were.
export function runAll(core, files) {
  let count = 0;
  const faults = [];
  for (const [file, text] of files) {
    for (const { name, steps } of scenarios(text)) {
      const runner = new Runner(core);
      count++;
      for (const { number, words, given, expected } of steps) {
        let printed;
        try {
          printed = runner.run(words, given);
        } catch (error) {
          printed = [`${error.stack}`];
        }
        if (JSON.stringify(printed) === JSON.stringify(expected)) continue;
        faults.push(`${file}:${number}: ${name}: ${words.join(" ")}
  expected ${JSON.stringify(expected)}
  printed  ${JSON.stringify(printed)}`);
        break;
      }
      runner.close();
    }
  }
  if (count === 0) throw new Error("no scenario was run");
  if (faults.length > 0) throw new Error(`${faults.length} of ${count} scenarios failed\n${faults.join("\n")}`);
  return `${count} scenarios, all as they should be`;
}
