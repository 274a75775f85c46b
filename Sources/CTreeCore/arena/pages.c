#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE and madvise stand outside strict C11 */
#endif

#include "arena/pages.h"

#include <stdint.h>

/* iOS and its relatives cap address space; there the chunked form is the right one from the start. */
#if (defined(__linux__) || defined(__APPLE__)) && SIZE_MAX > UINT32_MAX && !defined(__wasm__)
#if defined(__APPLE__)
#include <TargetConditionals.h>
#endif
#if !defined(__APPLE__) || (TARGET_OS_OSX && !TARGET_OS_MACCATALYST)
#define CT_PAGES_SYSTEM 1
#endif
#endif

#if CT_PAGES_SYSTEM
#include <sys/mman.h>

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif
#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON
#endif

void *ct_pages_reserve(size_t size) {
    size_t asked = size + CT_PAGES_ALIGN;
    if (asked < size) return NULL;
    unsigned char *range =
        mmap(NULL, asked, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) return NULL;
    size_t skip = (CT_PAGES_ALIGN - (uintptr_t)range % CT_PAGES_ALIGN) % CT_PAGES_ALIGN;
    if (skip != 0) munmap(range, skip);
    munmap(range + skip + size, CT_PAGES_ALIGN - skip);
    return range + skip;
}

void ct_pages_release(void *range, size_t size) { munmap(range, size); }

void ct_pages_want_huge(void *range, size_t size) {
#ifdef MADV_HUGEPAGE
    madvise(range, size, MADV_HUGEPAGE);
#else
    (void)range;
    (void)size;
#endif
}

#else

void *ct_pages_reserve(size_t size) {
    (void)size;
    return NULL;
}

void ct_pages_release(void *range, size_t size) {
    (void)range;
    (void)size;
}

void ct_pages_want_huge(void *range, size_t size) {
    (void)range;
    (void)size;
}

#endif
