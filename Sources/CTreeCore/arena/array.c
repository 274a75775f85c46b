#include "arena/array.h"

#include "arena/pages.h"

/* Backing grows in steps of this many bytes, so that `capacity` stays near what is in use. */
enum { CT_ARRAY_STEP = CT_ARRAY_SMALL };

void ct_array_init(ct_array *array, uint32_t item_size, uint64_t limit) {
    *array = (ct_array){.item_size = item_size, .limit = limit};
    array->shift = CT_ARRAY_SMALL_BITS;
    while (item_size > 1) {
        item_size >>= 1;
        array->shift--;
    }
}

void ct_array_destroy(ct_array *array, const ct_mem *mem) {
    if (array->reserved != 0) {
        ct_pages_release(array->base, array->reserved);
    } else if (array->base != NULL) {
        ct_free(mem, array->base, (size_t)array->capacity * array->item_size);
    }
    for (size_t i = 0; i < array->chunk_count; i++) ct_free(mem, array->chunks[i], CT_ARRAY_SMALL);
    ct_free(mem, array->chunks, array->chunk_room * sizeof *array->chunks);
    ct_array_init(array, array->item_size, array->limit);
}

static ctree_status grow_small(ct_array *array, const ct_mem *mem, uint64_t count) {
    uint64_t most = CT_ARRAY_SMALL / array->item_size;
    uint64_t wanted = array->capacity * 2;
    if (wanted * array->item_size < 64) wanted = (64 + array->item_size - 1) / array->item_size;
    if (wanted < count) wanted = count;
    if (wanted > most) wanted = most;
    size_t old_size = (size_t)array->capacity * array->item_size;
    size_t new_size = (size_t)wanted * array->item_size;
    unsigned char *block = ct_realloc(mem, array->base, old_size, new_size);
    if (block == NULL) return CTREE_NO_MEMORY;
    memset(block + old_size, 0, new_size - old_size);
    array->base = block;
    array->capacity = wanted;
    return CTREE_OK;
}

/* Leaves the small form for a range of address space: the only copy of its life, of CT_ARRAY_SMALL bytes at most. */
static bool move_to_range(ct_array *array, const ct_mem *mem) {
    if (mem->custom || array->limit > (SIZE_MAX / 2) / array->item_size) return false;
    size_t size = (size_t)array->limit * array->item_size;
    size = (size + CT_PAGES_ALIGN - 1) / CT_PAGES_ALIGN * CT_PAGES_ALIGN;
    unsigned char *range = ct_pages_reserve(size);
    if (range == NULL) return false;
    if (array->base != NULL) {
        size_t used = (size_t)array->capacity * array->item_size;
        memcpy(range, array->base, used);
        ct_free(mem, array->base, used);
    }
    array->base = range;
    array->reserved = size;
    return true;
}

/* Asks for huge pages: for all that is new where it is much, else for what is full. Not under arrays that stay small,
   where they would waste up to 2 MiB each. */
static void ask_for_huge(ct_array *array, size_t old_size, size_t new_size) {
    if (new_size < CT_ARRAY_HUGE) return;
    size_t from = array->huge, to = old_size / CT_PAGES_ALIGN * CT_PAGES_ALIGN;
    if (new_size - old_size >= CT_ARRAY_HUGE) {
        to = (new_size + CT_PAGES_ALIGN - 1) / CT_PAGES_ALIGN * CT_PAGES_ALIGN;
        if (to > array->reserved) to = array->reserved;
    }
    if (to <= from) return;
    ct_pages_want_huge(array->base + from, to - from);
    array->huge = to;
}

static void grow_range(ct_array *array, uint64_t count) {
    uint64_t step = CT_ARRAY_STEP / array->item_size;
    uint64_t wanted = (count + step - 1) / step * step;
    if (wanted > array->limit) wanted = array->limit;
    size_t old_size = (size_t)array->capacity * array->item_size, new_size = (size_t)wanted * array->item_size;
    array->capacity = wanted;
    ask_for_huge(array, old_size, new_size);
}

static ctree_status grow_chunks(ct_array *array, const ct_mem *mem, uint64_t count) {
    uint64_t per_chunk = (uint64_t)1 << array->shift;
    uint64_t chunks = (count + per_chunk - 1) >> array->shift;
    if (chunks > SIZE_MAX / sizeof *array->chunks) return CTREE_NO_MEMORY;
    void *directory = array->chunks;
    if (!ct_grow(mem, &directory, &array->chunk_room, (size_t)chunks, sizeof *array->chunks)) return CTREE_NO_MEMORY;
    array->chunks = directory;
    if (array->base != NULL) { /* The full small block becomes the first chunk. */
        array->chunks[0] = array->base;
        array->chunk_count = 1;
        array->base = NULL;
    }
    while (array->chunk_count < chunks) {
        void *chunk = ct_alloc(mem, CT_ARRAY_SMALL);
        if (chunk == NULL) return CTREE_NO_MEMORY; /* What was added stays, zero and counted: no harm is done. */
        memset(chunk, 0, CT_ARRAY_SMALL);
        array->chunks[array->chunk_count++] = chunk;
        array->capacity = (uint64_t)array->chunk_count << array->shift;
    }
    return CTREE_OK;
}

ctree_status ct_array_reserve(ct_array *array, const ct_mem *mem, uint64_t count) {
    if (count > array->limit) return CTREE_LIMIT; /* First: the capacity of a small array may lie beyond it. */
    if (count <= array->capacity) return CTREE_OK;
    uint64_t most_small = CT_ARRAY_SMALL / array->item_size;
    if (array->chunk_count == 0 && array->reserved == 0) {
        if (count <= most_small) return grow_small(array, mem, count);
        /* A short small block cannot serve as a chunk. */
        bool empty = array->base == NULL;
        if (!move_to_range(array, mem)) {
            if (!empty && array->capacity < most_small) {
                ctree_status status = grow_small(array, mem, most_small);
                if (status != CTREE_OK) return status;
            }
            return grow_chunks(array, mem, count);
        }
    }
    if (array->reserved != 0) {
        grow_range(array, count);
        return CTREE_OK;
    }
    return grow_chunks(array, mem, count);
}

size_t ct_array_bytes(const ct_array *array) {
    return (size_t)array->capacity * array->item_size + array->chunk_room * sizeof *array->chunks;
}
