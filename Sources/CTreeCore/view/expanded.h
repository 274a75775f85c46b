/*
 * What calls have settled for each slot of a view: nothing, expanded or collapsed; two bits each. The list ends
 * behind the last slot that was ever set, so a view nobody touched has none. A slot whose node goes must be cleared
 * before it serves another node.
 */
#ifndef CT_EXPANDED_H
#define CT_EXPANDED_H

#include "arena/array.h"
#include "base/bits.h"

typedef enum ct_setting { CT_BY_DEFAULT = 0, CT_COLLAPSED = 1, CT_EXPANDED = 3 } ct_setting;

enum { CT_SETTINGS_BITS = 5, CT_SETTINGS_MASK = 31 }; /* 32 slots a word */

typedef struct ct_expanded {
    ct_array words;
    uint64_t count; /* Slots that are set. */
} ct_expanded;

void ct_expanded_init(ct_expanded *expanded);
void ct_expanded_destroy(ct_expanded *expanded, const ct_mem *mem);

/* Slots below `slots` may be set from now on. */
ctree_status ct_expanded_reserve(ct_expanded *expanded, const ct_mem *mem, uint64_t slots);

/* Room for the slot must be there, but to set it back to CT_BY_DEFAULT. */
void ct_expanded_set(ct_expanded *expanded, uint32_t slot, ct_setting setting);

/* Asks the memory for the setting of a slot and of those next to it. */
static inline void ct_expanded_ahead(const ct_expanded *expanded, uint32_t slot) {
    if (slot >> CT_SETTINGS_BITS >= expanded->words.capacity) return;
    ct_prefetch(ct_array_at(&expanded->words, slot >> CT_SETTINGS_BITS, sizeof(uint64_t)));
}

static inline ct_setting ct_setting_in(const ct_array *words, uint32_t slot) {
    if (slot >> CT_SETTINGS_BITS >= words->capacity) return CT_BY_DEFAULT;
    uint64_t word = ct_array_get_u64(words, slot >> CT_SETTINGS_BITS);
    return (ct_setting)(word >> 2 * (slot & CT_SETTINGS_MASK) & 3);
}

static inline ct_setting ct_expanded_get(const ct_expanded *expanded, uint32_t slot) {
    return ct_setting_in(&expanded->words, slot);
}

#endif
