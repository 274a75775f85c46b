/*
 * Lists that take one step at a time, as NSTableView, GTK, Qt and a DOM list do, each in its own terms. Rows are
 * keys; those that come are read from the model as it is at that moment.
 */
#ifndef TEST_SIMULATOR_STEPS_H
#define TEST_SIMULATOR_STEPS_H

#include "support/simulator.h"

typedef struct sim_list {
    uint64_t *keys;
    uint32_t count, room;
} sim_list;

void sim_list_set(sim_list *list, const uint64_t *keys, uint32_t count);
void sim_list_free(sim_list *list);

/* Rule 1 of step by step numbers: positions are those of the moment. False, and nothing changed, beyond the end. */
bool sim_list_delete(sim_list *list, uint32_t row, uint32_t count, sim_breach *breach);
bool sim_list_insert(sim_list *list, uint32_t row, uint32_t count, const uint64_t *keys, sim_breach *breach);

/* Takes rows out and puts them in so that the first stands at `to`; refuses a move to where they are (rule 5, Qt). */
bool sim_list_move(sim_list *list, uint32_t from, uint32_t count, uint32_t to, sim_breach *breach);

/* Qt's beginMoveRows within one parent: `destination` counts before the removal. Rule 5: not within or right behind.
 */
bool sim_list_move_qt(sim_list *list, uint32_t first, uint32_t last, uint32_t destination, sim_breach *breach);

/* GTK's items-changed: afterwards both lists have the same number of rows (rule 5). `model` has the rows at this
   moment. */
bool sim_list_items_changed(sim_list *list, uint32_t row, uint32_t removed, uint32_t added, const uint64_t *model,
                            uint32_t model_count, sim_breach *breach);

bool sim_list_is(const sim_list *list, const uint64_t *keys, uint32_t count, sim_breach *breach);

/*
 * Replay what the diff tells on the old keys. Splices run from the first row to the last, and at each the model is
 * the new list up to there and the rest of the old one. Steps come as deletes from the end, moves, inserts from the
 * start.
 */
bool sim_list_replay_splices(sim_list *list, const ctree_splices *splices, const uint64_t *new_keys,
                             sim_breach *breach);
bool sim_list_replay_steps(sim_list *list, const ctree_steps *steps, const uint64_t *new_keys, sim_breach *breach);

#endif
