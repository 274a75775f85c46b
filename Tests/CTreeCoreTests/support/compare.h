/* Every read of the public interface, on the engine and on its twin. Ends the test at the first difference. */
#ifndef TEST_COMPARE_H
#define TEST_COMPARE_H

#include "support/random.h"
#include "support/twin.h"

/* Each node with all that is said of it, finding, paths, walks. */
void compare_store(const ctree_store *store, const twin *t);

/* Settings, rows, index paths both ways, windows. */
void compare_view(const ctree_view *view, const twin *t, uint32_t number);

/* A few reads with arguments that name nothing: stale handles, positions beyond the end, unknown identifiers. */
void compare_misses(const ctree_store *store, const twin *t, const ctree_node *stale, uint32_t count);

#endif
