/*
 * Random programs over a store with several views: edits, loads, opening and closing, commits. After each few calls
 * rows and store are validated; batches are replayed by a strict table, splices and edits on plain arrays. Memory may
 * fail in any call: then nothing has changed, and the call is made again.
 */
#ifndef TEST_VIEW_PROGRAM_H
#define TEST_VIEW_PROGRAM_H

#include "support/random.h"
#include "support/world.h"

typedef struct view_program_options {
    ctree_id_kind kind;
    ctree_id_scope scope;
    uint32_t most;        /* Nodes beyond which nothing more is inserted. */
    uint32_t fails_in;    /* In one of so many calls memory fails. 0: never. */
    uint32_t check_every; /* Calls. */
    bool mirrored;        /* Edits are replayed, at a cost that grows with the nodes. */
} view_program_options;

/* Runs until `steps` calls were made or the source is over; how many that were. */
uint64_t view_program_run(random_source random, view_program_options options, uint64_t steps);

#endif
