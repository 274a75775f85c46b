/* The pages in which short identifiers lie: handing out units, letting them die, using empty pages again. */
#ifndef CT_ID_PAGES_H
#define CT_ID_PAGES_H

#include "ids/ids.h"

/* What is known of a page. A free page has 0 in both counts, and its first word links to the next free one. */
typedef struct ct_ids_page_info {
    uint16_t live;  /* units of living identifiers */
    uint16_t marks; /* units handed out, and the two bits below */
} ct_ids_page_info;

enum {
    CT_IDS_USED = 0x0FFF,    /* the units handed out */
    CT_IDS_TURN = 0x4000,    /* the turn of the sweep that last judged the page */
    CT_IDS_EMPTYING = 0x8000 /* that sweep copies everything out of it */
};

static inline ct_ids_page_info *ct_ids_page_at(const ct_ids *ids, uint32_t page) {
    return (ct_ids_page_info *)ct_array_at(&ids->page_info, page, sizeof(ct_ids_page_info));
}

static inline uint32_t ct_ids_page_used(const ct_ids_page_info *info) { return info->marks & CT_IDS_USED; }

static inline uint32_t ct_ids_page_dead(const ct_ids_page_info *info) { return ct_ids_page_used(info) - info->live; }

/* The units that an identifier of this length takes. At most CT_IDS_INLINE_MOST bytes. */
static inline uint32_t ct_ids_units(size_t length) {
    size_t bytes = length + (length < 128 ? 1 : 2);
    return (uint32_t)((bytes + CT_IDS_UNIT - 1) / CT_IDS_UNIT);
}

/* The units of the identifier that begins at `at`. */
static inline uint32_t ct_ids_units_at(const unsigned char *at) {
    return ct_ids_units(at[0] < 128 ? at[0] : (at[0] & 127) | (size_t)at[1] << 7);
}

/* Units for an identifier, counted as living. CTREE_NO_MEMORY, CTREE_LIMIT: nothing changed. */
ctree_status ct_ids_take(ct_ids *ids, const ct_mem *mem, uint32_t units, uint32_t *reference);

/* Lets an identifier in a page die. */
void ct_ids_drop(ct_ids *ids, uint32_t reference);

#endif
