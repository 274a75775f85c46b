/*
 * Calls of the public interface with arguments that nobody chose: handles that live, are stale, forged or of another
 * store, NULL where it may stand and where not, positions and counts of any size, closed stores, calls from within
 * callbacks. Nothing is expected of a call but that it returns and leaves everything whole.
 */
#ifndef TEST_RAW_CALLS_H
#define TEST_RAW_CALLS_H

#include "support/random.h"

/* Makes so many calls, or as many as the source has choices for, and validates now and then. */
void raw_calls_run(random_source source, uint32_t calls);

#endif
