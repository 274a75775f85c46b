// node vectors.mjs FILE...: every scenario of the files, and how many there were.

import { readFileSync } from "node:fs";
import { Core } from "../../../build/js/ctreecore/ctreecore.mjs";
import { runAll } from "./runner.mjs";

const wasm = new WebAssembly.Module(
  readFileSync(new URL("../../../build/js/ctreecore/ctreecore.wasm", import.meta.url)));
const core = await Core.load(wasm);
console.log(runAll(core, process.argv.slice(2).map((file) => [file, readFileSync(file, "utf8")])));
