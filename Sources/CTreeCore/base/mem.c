#include "base/mem.h"

#include <stdlib.h>

static void *libc_allocate(void *context, size_t size) {
    (void)context;
    return malloc(size);
}

static void *libc_reallocate(void *context, void *block, size_t old_size, size_t new_size) {
    (void)context;
    (void)old_size;
    return realloc(block, new_size);
}

static void libc_release(void *context, void *block, size_t size) {
    (void)context;
    (void)size;
    free(block);
}

ctree_status ct_mem_init(ct_mem *mem, const ctree_allocator *allocator) {
    if (allocator == NULL) {
        mem->allocator = (ctree_allocator){NULL, libc_allocate, libc_reallocate, libc_release};
        mem->custom = false;
        return CTREE_OK;
    }
    if (allocator->allocate == NULL || allocator->reallocate == NULL || allocator->release == NULL) {
        return CTREE_INVALID;
    }
    mem->allocator = *allocator;
    mem->custom = true;
    return CTREE_OK;
}

void *ct_alloc(const ct_mem *mem, size_t size) { return mem->allocator.allocate(mem->allocator.context, size); }

void *ct_realloc(const ct_mem *mem, void *block, size_t old_size, size_t new_size) {
    if (block == NULL) return ct_alloc(mem, new_size);
    return mem->allocator.reallocate(mem->allocator.context, block, old_size, new_size);
}

void ct_free(const ct_mem *mem, void *block, size_t size) {
    if (block != NULL) mem->allocator.release(mem->allocator.context, block, size);
}

bool ct_grow(const ct_mem *mem, void **block, size_t *capacity, size_t need, size_t item_size) {
    if (need <= *capacity) return true;
    size_t most = SIZE_MAX / item_size;
    if (need > most) return false;
    size_t wanted = *capacity < most - *capacity / 2 ? *capacity + *capacity / 2 : most;
    if (wanted < need) wanted = need;
    if (wanted < 8 && most >= 8) wanted = 8;
    void *grown = ct_realloc(mem, *block, *capacity * item_size, wanted * item_size);
    if (grown == NULL) return false;
    *block = grown;
    *capacity = wanted;
    return true;
}
