/* What every part of a diff shares: memory, progress, the key of the hash, and a count of steps. */
#ifndef CT_DIFF_WORK_H
#define CT_DIFF_WORK_H

#include "base/mem.h"
#include "ids/hash.h"

/* Where a constant argument must become a loop of its own. */
#if defined(__GNUC__)
#define CT_INLINE static inline __attribute__((always_inline))
#else
#define CT_INLINE static inline
#endif

/* No row, no section. */
#define CT_NO_ROW UINT32_MAX

/* Rows between two calls of the progress callback; the contract says 65,536 at most. */
enum { CT_CHUNK = 32768 };

typedef struct ct_work {
    ct_mem mem;
    const ctree_progress *progress;
    uint64_t done;      /* Units of work behind. */
    uint64_t phase_end; /* Where `done` stands at the end of this phase, however much of it there was to do. */
    uint64_t total;
    uint64_t
        steps; /* Steps whose number is not plain from a loop: probes, climbs. Tests look for more than linear. */
    const void *seed;
    size_t seed_size;
    ct_hash_key key;
    bool keyed;
} ct_work;

/* Begins a phase of so many units. */
void ct_work_phase(ct_work *work, uint64_t units);

/* Some units are done; false where the caller wants to stop. */
bool ct_work_tick(ct_work *work, uint64_t units);

/* An array, of one item at least; NULL also where its size would not fit a size_t. */
void *ct_work_array(ct_work *work, uint64_t count, size_t item_size);
void ct_work_free(ct_work *work, void *array, uint64_t count, size_t item_size);

/* The key of the hash: the caller's, or else a fixed one, since drawing one costs more than a small diff. */
const ct_hash_key *ct_work_key(ct_work *work);

/* The hash collides more than chance allows: another key, from the system unless the caller gave one. */
void ct_work_rekey(ct_work *work);

#endif
