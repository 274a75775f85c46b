#include "view/strip.h"

#include <string.h>

#include "arena/pages.h"

enum {
    FIRST = 32 << 10,       /* bytes of the first block */
    AT_ONCE = 128 << 10,    /* the most bytes that are taken at once, should they be needed */
    RANGE_FROM = 512 << 10, /* bytes from which address space pays */
    HUGE_FROM = 512 << 10   /* and huge pages under it */
};

static bool move_to_range(ct_strip *strip, const ct_mem *mem, uint64_t most) {
    if (mem->custom || most > SIZE_MAX / 2) return false;
    size_t size = ((size_t)most + CT_PAGES_ALIGN - 1) / CT_PAGES_ALIGN * CT_PAGES_ALIGN;
    void *range = ct_pages_reserve(size);
    if (range == NULL) return false;
    if (size >= HUGE_FROM) ct_pages_want_huge(range, size);
    if (strip->bytes != 0) memcpy(range, strip->items, strip->bytes);
    ct_free(mem, strip->items, strip->bytes);
    *strip = (ct_strip){range, size, true};
    return true;
}

bool ct_strip_grow(ct_strip *strip, const ct_mem *mem, uint64_t need, uint64_t most) {
    if (need <= strip->bytes) return true;
    if (need >= RANGE_FROM && move_to_range(strip, mem, most)) return true;
    uint64_t wanted = (uint64_t)strip->bytes * 2;
    if (wanted < FIRST) wanted = FIRST;
    if (wanted > most || most <= AT_ONCE) wanted = most;
    if (wanted < need) wanted = need;
    if (wanted > SIZE_MAX) return false;
    void *items = ct_realloc(mem, strip->items, strip->bytes, (size_t)wanted);
    if (items == NULL) return false;
    strip->items = items;
    strip->bytes = (size_t)wanted;
    return true;
}

void ct_strip_free(ct_strip *strip, const ct_mem *mem) {
    if (strip->is_range) {
        ct_pages_release(strip->items, strip->bytes);
    } else {
        ct_free(mem, strip->items, strip->bytes);
    }
    *strip = (ct_strip){NULL, 0, false};
}
