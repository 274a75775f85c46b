/*
 * A growing array of fixed-size items, indexed by 32-bit numbers, that neither copies nor pauses once it is large.
 *
 * Three forms, one after the other as it grows:
 *   small     one block from the allocator, doubled by copying, up to CT_ARRAY_SMALL bytes.
 *   reserved  one range of address space for the whole limit, backed by the system as it is touched. Only where no
 *             allocator was given and the system grants the range. Huge pages back what is added in steps of
 *             CT_ARRAY_HUGE bytes or more; of an array that grows item by item they may take the place of small pages
 *             that are full, but do not come first: the first touch of one takes up to several milliseconds where the
 *             system has to find the memory for it, and no insert should wait for that.
 *   chunked   blocks of CT_ARRAY_SMALL bytes from the allocator under a directory: everywhere else (an allocator was
 *             given, iOS, `ulimit -v`, WebAssembly).
 * Small and reserved arrays have a base; reading an item there is one multiplication and one addition.
 * Items are zero until first written.
 */
#ifndef CT_ARRAY_H
#define CT_ARRAY_H

#include <string.h>

#include "base/mem.h"

enum {
    /* Bytes in the small form, and in a chunk. At four times that, several arrays that leave the small form at one
       insert take more than a millisecond: it is the first touch of pages that costs. */
    CT_ARRAY_SMALL_BITS = 18,
    CT_ARRAY_SMALL = 1 << CT_ARRAY_SMALL_BITS,
    CT_ARRAY_HUGE = 8 << 20 /* bytes from which huge pages pay */
};

typedef struct ct_array {
    unsigned char *base;    /* The items, or NULL when chunked. */
    unsigned char **chunks; /* The directory when chunked. */
    size_t chunk_count, chunk_room;
    size_t reserved;    /* Bytes of address space held, 0 unless reserved. */
    uint64_t capacity;  /* Items that may be touched. */
    uint64_t limit;     /* Items it may ever hold. */
    uint32_t item_size; /* A power of two at most 4,096. */
    uint32_t shift;     /* Item number to chunk number. */
    size_t huge;        /* Bytes from the base on for which huge pages were asked for. */
} ct_array;

/* No memory is taken before the first item. */
void ct_array_init(ct_array *array, uint32_t item_size, uint64_t limit);
void ct_array_destroy(ct_array *array, const ct_mem *mem);

/* Makes items [0, count) touchable. CTREE_NO_MEMORY or CTREE_LIMIT leaves it as it was. Old pointers into a small
   array end here; those into the other forms stay. */
ctree_status ct_array_reserve(ct_array *array, const ct_mem *mem, uint64_t count);

/* Bytes held: of a reserved array those up to its capacity, touched or not. */
size_t ct_array_bytes(const ct_array *array);

/* The item. `size` repeats the item size as a constant, so that the compiler multiplies by a shift. */
static inline void *ct_array_at(const ct_array *array, uint64_t index, size_t size) {
    if (array->base != NULL) return array->base + (size_t)index * size;
    size_t mask = ((size_t)1 << array->shift) - 1;
    return array->chunks[(size_t)index >> array->shift] + ((size_t)index & mask) * size;
}

/* How many items from `index` on lie next to each other in memory. */
static inline uint64_t ct_array_run(const ct_array *array, uint64_t index) {
    if (array->base != NULL) return array->capacity - index;
    uint64_t size = (uint64_t)1 << array->shift;
    return size - (index & (size - 1));
}

static inline uint32_t ct_array_get_u32(const ct_array *array, uint64_t index) {
    uint32_t value;
    memcpy(&value, ct_array_at(array, index, sizeof value), sizeof value);
    return value;
}

static inline void ct_array_set_u32(ct_array *array, uint64_t index, uint32_t value) {
    memcpy(ct_array_at(array, index, sizeof value), &value, sizeof value);
}

static inline uint64_t ct_array_get_u64(const ct_array *array, uint64_t index) {
    uint64_t value;
    memcpy(&value, ct_array_at(array, index, sizeof value), sizeof value);
    return value;
}

static inline void ct_array_set_u64(ct_array *array, uint64_t index, uint64_t value) {
    memcpy(ct_array_at(array, index, sizeof value), &value, sizeof value);
}

#endif
