/* Address space from the system, where there is one that gives it. */
#ifndef CT_PAGES_H
#define CT_PAGES_H

#include <stdbool.h>
#include <stddef.h>

/* A range of `size` bytes, aligned for huge pages, zero, taking memory only as it is touched; NULL where the system
   does not do so. The size must be a multiple of CT_PAGES_ALIGN. */
void *ct_pages_reserve(size_t size);
void ct_pages_release(void *range, size_t size);

/* Asks for huge pages; a hint that may do nothing. */
void ct_pages_want_huge(void *range, size_t size);

enum { CT_PAGES_ALIGN = 2 << 20 };

#endif
