// node vectors.mjs FILE...: every scenario of the files, and how many there were.

import { readFileSync } from "node:fs";
import { Core, Tree } from "../../../build/js/ctreecore/ctreecore.mjs";
import { Runner, scenarios } from "./runner.mjs";

const wasm = new WebAssembly.Module(
  readFileSync(new URL("../../../build/js/ctreecore/ctreecore.wasm", import.meta.url)));
const core = await Core.load(wasm);
let count = 0;
let failed = 0;
for (const file of process.argv.slice(2)) {
  for (const { name, steps } of scenarios(readFileSync(file, "utf8"))) {
    const runner = new Runner(core, Tree);
    count++;
    for (const { number, words, given, expected } of steps) {
      let printed;
      try {
        printed = runner.run(words, given);
      } catch (error) {
        printed = [`${error.stack}`];
      }
      if (JSON.stringify(printed) === JSON.stringify(expected)) continue;
      failed++;
      console.error(`${file}:${number}: ${name}: ${words.join(" ")}`);
      console.error(`  expected ${JSON.stringify(expected)}\n  printed  ${JSON.stringify(printed)}`);
      break;
    }
    runner.close();
  }
}
if (count === 0) throw new Error("no scenario was run");
if (failed > 0) throw new Error(`${failed} of ${count} scenarios failed`);
console.log(`${count} scenarios, all as they should be`);
