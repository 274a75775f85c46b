import { readBatch, readSectionBatch, readSplices, readSteps } from "./batches.mjs";
import { longs, words } from "./memory.mjs";
import { CTreeError, Status } from "./types.mjs";

const KEYS = { nodes: 0, u64: 1, ids: 2 };
const FORMS = {
  batch: [1, "ctree_diff_batch", readBatch], sections: [2, "ctree_diff_section_batch", readSectionBatch],
  splices: [4, "ctree_diff_splices", readSplices], steps: [8, "ctree_diff_steps", readSteps],
};

function writeKeys(memory, keys, kind) {
  if (keys.length === 0) return 0;
  if (kind !== "ids") return memory.copy(longs(keys));
  const at = memory.take(16 * keys.length);
  Array.from(keys, (key) => (typeof key === "string" ? new TextEncoder().encode(key) : key)).forEach((bytes, i) => {
    memory.setU32(at + 16 * i, memory.copy(bytes));
    memory.setU64(at + 16 * i + 8, bytes.length);
  });
  return at;
}

function writeList(memory, list, kind) {
  if (list === null) return 0;
  const numbers = (list) => (list ? memory.copy(longs(list)) : 0);
  const at = memory.take(28);
  const { rows = [], revisions = null, sections = [], sectionRows = [], sectionRevisions = null } = list;
  memory.setU32(at, writeKeys(memory, rows, kind));
  memory.setU32(at + 4, numbers(revisions));
  memory.setU32(at + 8, writeKeys(memory, sections, kind));
  memory.setU32(at + 12, sections.length === 0 ? 0 : memory.copy(words(sectionRows)));
  memory.setU32(at + 16, numbers(sectionRevisions));
  memory.setU32(at + 20, rows.length);
  memory.setU32(at + 24, sections.length);
  return at;
}

/**
 * The change between two lists { rows, revisions, sections, sectionRows, sectionRevisions }, of which all but rows may be
 * missing; null as the old one: nothing was shown. `keys` is "nodes", "u64" or "ids" (strings or Uint8Arrays), `form` is
 * "batch", "sections", "splices" or "steps".
 */
export function diff(core, oldList, newList, { keys = "u64", form = "batch", limit = 0, progress = null } = {}) {
  const { c, memory } = core;
  const [bit, getter, read] = FORMS[form];
  return memory.frame(() => core.withProgress(progress, (asked) => {
    const options = memory.take(40);
    const twice = memory.take(16);
    const out = memory.take(4);
    memory.setU32(options, 40);
    memory.setU32(options + 4, KEYS[keys]);
    memory.setU32(options + 8, bit);
    memory.setU64(options + 16, limit);
    memory.setU32(options + 24, asked);
    const status = c.ctree_diff_create(
      writeList(memory, oldList, keys), writeList(memory, newList, keys), options, twice, out);
    if (status === Status.DUPLICATE) {
      const error = new CTreeError(status, core.statusName(status));
      error.twice = {
        inNew: memory.u32(twice) !== 0, inSections: memory.u32(twice + 4) !== 0, first: memory.u32(twice + 8),
        second: memory.u32(twice + 12),
      };
      throw error;
    }
    core.check(status);
    const made = memory.u32(out);
    try {
      return read(memory, c[getter](made) >>> 0);
    } finally {
      c.ctree_diff_destroy(made);
    }
  }));
}
