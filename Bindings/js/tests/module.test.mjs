// What is JavaScript's own: errors out of callbacks, ends, strings, and that the types say what there is.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as ct from "../../../build/js/ctreecore/ctreecore.mjs";

const folder = new URL("../../../build/js/ctreecore/", import.meta.url);
const core = await ct.Core.load(readFileSync(new URL("ctreecore.wasm", folder)));

function sample() {
  const tree = new ct.Tree(core, { ids: "text" });
  tree.build({ ids: ["docs", "a.txt", "ö", "src"], parents: [null, 0, 0, null], states: [3, 0, 0, 1] });
  return tree;
}

test("text goes in and comes out as strings", () => {
  const tree = sample();
  const view = tree.view();
  view.accept();
  view.expand(tree.find("docs"));
  assert.deepEqual(view.window(0, 9).map((row) => [row.depth, tree.id(row.node)]),
    [[0, "docs"], [1, "a.txt"], [1, "ö"], [0, "src"]]);
  assert.deepEqual(view.commit().inserts, [[1, 2]]);
  tree.close();
});

test("opened nodes are loaded", () => {
  const tree = sample();
  const view = tree.view();
  view.expand(tree.find("src"));
  for (const node of tree.requests()) tree.load(node).finish({ ids: ["main.c"] });
  assert.equal(view.rowCount, 3);
  tree.close();
});

test("an error in a callback comes out of the call that led to it, and the tree goes on", () => {
  const tree = sample();
  const end = tree.listen({ after() { throw new RangeError("of the callback"); } });
  assert.throws(() => tree.insert(ct.NONE, "new"), /of the callback/);
  end();
  assert.equal(tree.count, 5);
  tree.insert(ct.NONE, "newer");
  tree.validate();
  tree.close();
});

test("a closed tree says so, and so does a view of it", () => {
  const tree = sample();
  const view = tree.view();
  tree.close();
  tree.close();
  assert.throws(() => tree.count, { status: ct.Status.CLOSED });
  assert.throws(() => view.expand(ct.NONE), { status: ct.Status.CLOSED });
  view.close();
  assert.throws(() => view.rowCount, { status: ct.Status.CLOSED });
});

test("bad input is an error and changes nothing", () => {
  const tree = sample();
  assert.throws(() => tree.insert(ct.NONE, 7n), TypeError);
  assert.throws(() => new ct.Tree(core, { ids: "floats" }), TypeError);
  assert.throws(() => tree.view({ colour: true }), TypeError);
  assert.throws(() => tree.build({ ids: ["x"], parents: [] }), RangeError);
  assert.throws(() => tree.build({ ids: ["x", "x"] }), { status: ct.Status.DUPLICATE, fault: { item: 1, other: 0, node: 0n } });
  assert.throws(() => tree.remove(99n), { status: ct.Status.STALE });
  assert.equal(tree.count, 4);
  tree.close();
});

test("a million nodes are built from arrays in one call", () => {
  const tree = new ct.Tree(core);
  const count = 1_000_000;
  const ids = new BigUint64Array(count);
  const parents = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    ids[i] = BigInt(i + 1);
    parents[i] = i < 1000 ? ct.END : Math.floor((i - 1000) / 999);
  }
  const nodes = tree.build({ ids, parents });
  assert.equal(nodes.length, count);
  const view = tree.view();
  view.expandAll();
  assert.equal(view.rowCount, count);
  assert.equal(tree.id(view.nodeAt(0)), 1n);
  tree.close();
});

test("the types name everything that the module has, and nothing else", () => {
  const types = readFileSync(new URL("ctreecore.d.ts", folder), "utf8");
  for (const name of Object.keys(ct)) assert.match(types, new RegExp(`export (const|class|function) ${name}\\b`));
  for (const [, name] of types.matchAll(/export (?:const|class|function) (\w+)/g)) assert.ok(name in ct, name);
  const hidden = new Set(["constructor", "handle", "encode", "decode", "writeId", "writeIds", "withId", "reasoned", "out",
    "kinds", "random", "add", "remove", "call", "check", "faulty", "withProgress", "write"]);
  for (const [name, held] of Object.entries(ct)) {
    if (typeof held !== "function" || !held.prototype) continue;
    const body = types.match(new RegExp(`export class ${name}\\b[^{]*{([\\s\\S]*?)\n}`))?.[1] ?? "";
    for (const member of Object.getOwnPropertyNames(held.prototype)) {
      if (!hidden.has(member)) assert.match(body, new RegExp(`\\b${member}\\b`), `${name}.${member}`);
    }
  }
});
