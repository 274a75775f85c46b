/* Random programs: calls with random arguments on a world, good and bad ones, compared after each. */
#ifndef TEST_PROGRAM_H
#define TEST_PROGRAM_H

#include "support/random.h"
#include "support/world.h"

typedef struct program_options {
    uint32_t steps;
    bool disturbs; /* Allocations fail and progress is cancelled at random. */
} program_options;

/* Runs one program; kinds, scopes, sizes and views are drawn from the source too. Returns the number of calls
   made. */
uint64_t program_run(random_source *source, program_options options);

#endif
