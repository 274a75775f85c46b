/*
 * An outline that takes tree edits one at a time, as NSOutlineView and Qt's tree views do: positions are ordinals
 * among the children of a parent, counted as they are at that moment. It shows the children of expanded items only,
 * and is told of no others.
 */
#ifndef TEST_SIMULATOR_OUTLINE_H
#define TEST_SIMULATOR_OUTLINE_H

#include "support/simulator.h"

typedef struct sim_item {
    uint64_t key, parent; /* Parent 0: the top level. */
    bool expanded, selected;
} sim_item;

/* All shown items, siblings in their order; where they stand among others means nothing. */
typedef struct sim_outline {
    sim_item *items;
    uint32_t count, room;
} sim_outline;

void sim_outline_free(sim_outline *outline);

/* Rule 2: no such ordinal, or the parent is collapsed or not shown; rule 15: the key is shown already. */
bool sim_outline_insert(sim_outline *outline, uint64_t parent, uint32_t ordinal, uint64_t key, sim_breach *breach);

/* Takes the visible descendants along (rule 3). */
bool sim_outline_remove(sim_outline *outline, uint64_t parent, uint32_t ordinal, sim_breach *breach);

/*
 * Takes an item with its visible descendants to another place; under the same parent `to` counts after the removal.
 * Rule 4: never below itself, nor to where it is.
 */
bool sim_outline_move(sim_outline *outline, uint64_t parent, uint32_t ordinal, uint64_t to_parent, uint32_t to,
                      sim_breach *breach);

/* An item opens with these children, or closes; a collapse lets go of what was selected below only where `deselects`.
 */
bool sim_outline_expand(sim_outline *outline, uint64_t key, const uint64_t *children, uint32_t count,
                        sim_breach *breach);
bool sim_outline_collapse(sim_outline *outline, uint64_t key, bool deselects, uint32_t *deselected,
                          sim_breach *breach);

void sim_outline_select(sim_outline *outline, uint64_t key);

/* Rule 6: an item is deselected once; removing it has done so already. */
bool sim_outline_deselect(sim_outline *outline, uint64_t key, sim_breach *breach);

/* The visible items in preorder. `keys` has room for `room`; returns how many there are. */
uint32_t sim_outline_rows(const sim_outline *outline, uint64_t *keys, uint32_t room);

#endif
