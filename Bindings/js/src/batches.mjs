// Changes, read out of memory: lists of numbers, in the coordinates that table views take.

function lists(memory, at, names, widths, counts, arrays) {
  const read = {};
  names.forEach((name, i) => {
    const count = memory.u32(at + counts + 4 * i);
    const width = widths[i];
    const flat = count === 0 ? [] : memory.u32s(memory.u32(at + arrays + 4 * i), count * width);
    read[name] = Array.from({ length: count }, (_, k) => Array.from(flat.slice(k * width, (k + 1) * width)));
  });
  return read;
}

/** Ranges as [first, count], runs as [from, to, count]. */
export function readBatch(memory, at) {
  return {
    reload: memory.u32(at) !== 0,
    oldCount: memory.u32(at + 4),
    newCount: memory.u32(at + 8),
    ...lists(memory, at, ["deletes", "inserts", "moves", "changes"], [2, 2, 3, 3], 12, 28),
  };
}

/** Rows are said with their section: ranges as [section, first, count], runs as [section, from, section, to, count]. */
export function readSectionBatch(memory, at) {
  const names = [
    "sectionDeletes", "sectionInserts", "sectionMoves", "sectionChanges", "deletes", "inserts", "moves", "changes",
  ];
  return {
    reload: memory.u32(at) !== 0,
    oldSectionCount: memory.u32(at + 4),
    newSectionCount: memory.u32(at + 8),
    oldCount: memory.u32(at + 12),
    newCount: memory.u32(at + 16),
    ...lists(memory, at, names, [2, 2, 3, 3, 3, 3, 5, 5], 20, 52),
  };
}

function listOf(memory, at, name, width) {
  const count = memory.u32(at + 12);
  const flat = count === 0 ? [] : memory.u32s(memory.u32(at + 16), count * width);
  return {
    reload: memory.u32(at) !== 0,
    oldCount: memory.u32(at + 4),
    newCount: memory.u32(at + 8),
    [name]: Array.from({ length: count }, (_, k) => Array.from(flat.slice(k * width, (k + 1) * width))),
  };
}

/** Splices as [row, removed, inserted]. */
export function readSplices(memory, at) { return listOf(memory, at, "splices", 3); }

/** Steps as [kind, from, to, count]; kinds are 0 delete, 1 move, 2 insert. */
export function readSteps(memory, at) { return listOf(memory, at, "steps", 4); }
