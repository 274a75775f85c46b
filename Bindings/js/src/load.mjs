import { Forest } from "./forest.mjs";

/** One load of one node's children. A result that comes too late is an error that says why. */
export class Load {
  constructor(tree, node, ticket) {
    this.tree = tree;
    this.node = node;
    this.ticket = ticket;
  }

  /** Whether it is under way: a Status, OK or why it is not. */
  status() { return this.tree.core.c.ctree_load_check(this.tree.handle, this.node, this.ticket); }

  /** Ends it with all children. */
  finish(forest, { movesFromElsewhere = true } = {}) {
    const { core } = this.tree;
    const items = forest instanceof Forest ? forest : new Forest(forest);
    core.memory.frame(() => {
      const written = items.write(this.tree);
      core.faulty((fault) => core.c.ctree_load_finish(
        this.tree.handle, this.node, this.ticket, written, movesFromElsewhere ? 1 : 0, 0, fault));
    });
  }

  /** Hands in a page; without `more` it was the last. */
  append(forest, more) {
    const { core } = this.tree;
    const items = forest instanceof Forest ? forest : new Forest(forest);
    core.memory.frame(() => {
      const written = items.write(this.tree);
      core.faulty((fault) =>
        core.c.ctree_load_append(this.tree.handle, this.node, this.ticket, written, more ? 1 : 0, 0, fault));
    });
  }

  fail(error = 0n) {
    const { core } = this.tree;
    core.check(core.c.ctree_load_fail(this.tree.handle, this.node, this.ticket, BigInt(error)));
  }

  cancel() {
    const { core } = this.tree;
    core.check(core.c.ctree_load_cancel(this.tree.handle, this.node, this.ticket));
  }
}
