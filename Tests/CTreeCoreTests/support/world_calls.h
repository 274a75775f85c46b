/* One call on the engine, and the same on the twin. */
#ifndef TEST_WORLD_CALLS_H
#define TEST_WORLD_CALLS_H

#include "support/world.h"

ctree_status call_engine(world *w, op *call, const ctree_progress *progress);
ctree_status call_twin(world *w, const op *call, ctree_status told, twin_node **nodes, ctree_ticket *ticket);

/* Whether the call takes a forest, and so fills `outs` and tells faults. */
bool op_takes_forest(op_kind kind);

#endif
