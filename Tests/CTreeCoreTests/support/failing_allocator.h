/*
 * An allocator for tests: it fails when told to, counts, and checks what it is told.
 *
 * Every block is kept apart from the others and is moved by each reallocate, new bytes are filled with rubbish, freed
 * ones too, and a size that does not repeat what was asked for, a block freed twice or a write behind a block's end
 * stops the test with a message.
 *
 * Every allocation of an operation, failing one after the other:
 *
 *     for (uint64_t n = 1;; n++) {
 *         failing_allocator_arm(&memory, n, false);
 *         ctree_status status = operation();
 *         if (!failing_allocator_disarm(&memory)) break;  // it needed fewer than n: it succeeded
 *         assert_int_equal(status, CTREE_NO_MEMORY);
 *         ... compare with the state before ...
 *     }
 */
#ifndef TEST_FAILING_ALLOCATOR_H
#define TEST_FAILING_ALLOCATOR_H

#include "ctree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct failing_allocator {
    uint64_t calls;    /* allocate and reallocate, those that failed too */
    uint64_t fail_at;  /* the number of the call that fails, counted by `calls`; 0: none */
    bool fail_onwards; /* and all that follow it */
    uint64_t failures; /* calls that failed since it was armed */
    size_t bytes;      /* held now, as asked for */
    size_t blocks;     /* held now */
    size_t peak_bytes; /* the most held at once; may be set back by the test */
    size_t limit;      /* calls that would bring `bytes` beyond this fail; 0: no limit */
} failing_allocator;

/* Fails nothing yet. It must stay where it is while the allocator is in use. */
void failing_allocator_init(failing_allocator *memory);

/* To be handed to a store. */
ctree_allocator failing_allocator_use(failing_allocator *memory);

/* The n-th call from now on fails (1: the next one), and with `onwards` every one after it. */
void failing_allocator_arm(failing_allocator *memory, uint64_t n, bool onwards);

/* Fails nothing from now on. Whether something had failed since it was armed. */
bool failing_allocator_disarm(failing_allocator *memory);

#ifdef __cplusplus
}
#endif

#endif
