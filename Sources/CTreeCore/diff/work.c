#include "diff/work.h"

void ct_work_phase(ct_work *work, uint64_t units) {
    work->done = work->phase_end;
    work->phase_end += units;
}

bool ct_work_tick(ct_work *work, uint64_t units) {
    uint64_t left = work->phase_end - work->done;
    work->done += units < left ? units : left;
    if (work->progress == NULL) return true;
    return work->progress->keep_going(work->progress->context, work->done, work->total);
}

void *ct_work_array(ct_work *work, uint64_t count, size_t item_size) {
    if (count == 0) count = 1;
    if (count > SIZE_MAX / item_size) return NULL;
    return ct_alloc(&work->mem, (size_t)count * item_size);
}

void ct_work_free(ct_work *work, void *array, uint64_t count, size_t item_size) {
    if (count == 0) count = 1;
    ct_free(&work->mem, array, (size_t)count * item_size);
}

static const char fixed_seed[] = "ctree diff";

const ct_hash_key *ct_work_key(ct_work *work) {
    if (!work->keyed) {
        const void *seed = work->seed != NULL ? work->seed : fixed_seed;
        (void)ct_hash_key_init(&work->key, seed, work->seed != NULL ? work->seed_size : sizeof fixed_seed);
        work->keyed = true;
    }
    return &work->key;
}

void ct_work_rekey(ct_work *work) {
    if (work->seed != NULL || !ct_hash_key_init(&work->key, NULL, 0)) ct_hash_key_next(&work->key);
}
