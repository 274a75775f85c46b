// The measures of ../README.md from JavaScript.

import { readFileSync } from "node:fs";
import { Core, END, Tree } from "../../../build/js/ctreecore/ctreecore.mjs";

const ITEMS = 1_000_000;
const TOPS = 1_000;
const core = await Core.load(
  readFileSync(new URL("../../../build/js/ctreecore/ctreecore.wasm", import.meta.url)));

const ids = BigUint64Array.from({ length: ITEMS }, (_, i) => BigInt(i + 1));
const parents = Uint32Array.from({ length: ITEMS }, (_, i) => (i < TOPS ? END : Math.floor((i - TOPS) / 999)));
const scattered = (k, n) => (k * 7919) % n;

/** The median of five rounds, of `calls` calls each. */
function measure(name, calls, round, before = () => {}) {
  const times = [];
  for (let i = 0; i < 5; i++) {
    const made = before();
    const begin = process.hrtime.bigint();
    round(made);
    times.push(Number(process.hrtime.bigint() - begin) / calls);
    made?.close?.();
  }
  times.sort((a, b) => a - b);
  console.log(`${name} ${times[2].toFixed(1)}`);
}

measure("build", 1, (tree) => tree.build({ ids, parents }), () => new Tree(core));

const tree = new Tree(core);
tree.build({ ids, parents });
const view = tree.view({ records: false });
const tops = Array.from(tree.children());
for (const top of tops) view.expand(top);
for (const top of tops) view.collapse(top);
measure("expand", TOPS, () => { for (const top of tops) view.expand(top); }, () => {
  for (const top of tops) view.collapse(top);
});
measure("collapse", TOPS, () => { for (const top of tops) view.collapse(top); }, () => {
  for (const top of tops) view.expand(top);
});

const wanted = Array.from({ length: 100_000 }, (_, k) => BigInt(scattered(k, ITEMS) + 1));
const many = BigUint64Array.from(wanted);
measure("find", wanted.length, () => { for (const id of wanted) tree.find(id); });
measure("find-many", 1, () => tree.findMany(many));

view.expandAll();
const firsts = Array.from({ length: 10_000 }, (_, k) => scattered(k, view.rowCount - 100));
measure("window", firsts.length, () => { for (const first of firsts) view.window(first, 100); });
measure("nodes-array", firsts.length, () => { for (const first of firsts) view.nodesFrom(first, 100); });
const nodes = wanted.map((id) => tree.find(id));
measure("row-of", nodes.length, () => { for (const node of nodes) view.rowOf(node); });
tree.close();
