/* An index beside plain arrays that say what is in it: for the tests of this folder. */
#ifndef TEST_INDEX_TWIN_H
#define TEST_INDEX_TWIN_H

#include "index/index.h"
#include "support/assertions.h"
#include "support/failing_allocator.h"
#include "support/random.h"

typedef struct index_twin {
    failing_allocator memory;
    ct_mem mem;
    ct_index index;
    uint32_t slots;   /* there are slots 0 … slots - 1 */
    uint32_t *hashes; /* by slot: under which it is, or would be, entered */
    bool *entered;    /* by slot */
    uint32_t count;   /* slots entered */
    uint64_t asked;   /* hashes that the index asked for */
} index_twin;

static inline void twin_hashes(const void *context, const uint32_t *slots, size_t count, uint32_t *hashes) {
    index_twin *twin = (index_twin *)(uintptr_t)context;
    twin->asked += count;
    for (size_t i = 0; i < count; i++) {
        CHECK(slots[i] < twin->slots && twin->entered[slots[i]]);
        hashes[i] = twin->hashes[slots[i]];
    }
}

/* `failing` puts the failing allocator below it; otherwise memory comes as without an allocator. */
static inline void twin_begin(index_twin *twin, uint32_t slots, bool failing) {
    *twin = (index_twin){.slots = slots};
    failing_allocator_init(&twin->memory);
    ctree_allocator allocator = failing_allocator_use(&twin->memory);
    CHECK_EQUAL(ct_mem_init(&twin->mem, failing ? &allocator : NULL), CTREE_OK);
    ct_index_init(&twin->index, twin_hashes, twin);
    twin->hashes = must(calloc(slots, sizeof *twin->hashes));
    twin->entered = must(calloc(slots, sizeof *twin->entered));
}

static inline void twin_end(index_twin *twin) {
    ct_index_destroy(&twin->index, &twin->mem);
    CHECK_EQUAL(twin->memory.blocks, 0);
    CHECK_EQUAL(ct_index_bytes(&twin->index), 0);
    free(twin->hashes);
    free(twin->entered);
}

/* How often the probe of a hash gives a slot, and how many candidates it gives in all. */
static inline uint32_t twin_probe(const index_twin *twin, uint32_t hash, uint32_t slot, uint32_t *candidates) {
    ct_index_probe probe = ct_index_find(&twin->index, hash);
    uint32_t given = 0, found, total = 0;
    while (ct_index_next(&probe, &found)) {
        CHECK(found < twin->slots && twin->entered[found]);
        given += found == slot;
        CHECK(++total <= twin->count);
    }
    CHECK(!ct_index_next(&probe, &found));
    if (candidates != NULL) *candidates = total;
    return given;
}

static inline void twin_insert(index_twin *twin, uint32_t slot) {
    CHECK_EQUAL(ct_index_prepare(&twin->index, &twin->mem, twin->hashes[slot]), CTREE_OK);
    uint64_t calls = twin->memory.calls;
    ct_index_insert(&twin->index, twin->hashes[slot], slot);
    CHECK_EQUAL(twin->memory.calls, calls);
    twin->entered[slot] = true;
    twin->count++;
}

static inline void twin_erase(index_twin *twin, uint32_t slot) {
    uint64_t calls = twin->memory.calls;
    CHECK_EQUAL(ct_index_erase(&twin->index, twin->hashes[slot], slot), twin->entered[slot]);
    CHECK_EQUAL(twin->memory.calls, calls);
    twin->count -= twin->entered[slot];
    twin->entered[slot] = false;
}

/* Every slot that was entered is found under its hash once, no other is, and the index finds itself in order. */
static inline void twin_compare(const index_twin *twin) {
    const char *reason = ct_index_check(&twin->index);
    if (reason != NULL) check_failed(__FILE__, __LINE__, reason, 0, 0);
    CHECK_EQUAL(twin->index.count, twin->count);
    for (uint32_t slot = 0; slot < twin->slots; slot++) {
        CHECK_EQUAL(twin_probe(twin, twin->hashes[slot], slot, NULL), twin->entered[slot]);
    }
}

#endif
