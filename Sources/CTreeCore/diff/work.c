#include "diff/work.h"

#include "arena/pages.h"

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

/* From so many bytes on, taking memory a small page at a time costs more than what is done with it. */
enum { LARGE = 8 << 20 };

static void want_huge_pages(void *block, size_t size) {
    uintptr_t mask = CT_PAGES_ALIGN - 1, first = ((uintptr_t)block + mask) & ~mask;
    uintptr_t end = ((uintptr_t)block + size) & ~mask;
    if (end > first) ct_pages_want_huge((void *)first, end - first);
}

void *ct_work_array(ct_work *work, uint64_t count, size_t item_size) {
    if (count == 0) count = 1;
    if (count > SIZE_MAX / item_size) return NULL;
    size_t size = (size_t)count * item_size;
    void *array = ct_alloc(&work->mem, size);
    if (array != NULL && size >= LARGE && !work->mem.custom) want_huge_pages(array, size);
    return array;
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
