// CTreeCore for JavaScript, in Node and in browsers.

export { Core } from "./core.mjs";
export { diff } from "./diff.mjs";
export { Forest } from "./forest.mjs";
export { Load } from "./load.mjs";
export { NO_ROW, Rows } from "./rows.mjs";
export { Tree } from "./tree.mjs";
export { ALL_LEVELS, CTreeError, Changed, EditKind, END, NONE, Saved, State, Status } from "./types.mjs";
export { View } from "./view.mjs";
