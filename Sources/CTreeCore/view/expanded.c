#include "view/expanded.h"

void ct_expanded_init(ct_expanded *expanded) {
    ct_array_init(&expanded->words, sizeof(uint64_t), ((uint64_t)UINT32_MAX >> CT_SETTINGS_BITS) + 1);
    expanded->count = 0;
}

void ct_expanded_destroy(ct_expanded *expanded, const ct_mem *mem) { ct_array_destroy(&expanded->words, mem); }

ctree_status ct_expanded_reserve(ct_expanded *expanded, const ct_mem *mem, uint64_t slots) {
    return ct_array_reserve(&expanded->words, mem, (slots + CT_SETTINGS_MASK) >> CT_SETTINGS_BITS);
}

void ct_expanded_set(ct_expanded *expanded, uint32_t slot, ct_setting setting) {
    ct_setting old = ct_expanded_get(expanded, slot);
    if (old == setting) return;
    if (old == CT_BY_DEFAULT) expanded->count++;
    if (setting == CT_BY_DEFAULT) expanded->count--;
    uint32_t shift = 2 * (slot & CT_SETTINGS_MASK);
    uint64_t word = ct_array_get_u64(&expanded->words, slot >> CT_SETTINGS_BITS);
    word = (word & ~((uint64_t)3 << shift)) | (uint64_t)setting << shift;
    ct_array_set_u64(&expanded->words, slot >> CT_SETTINGS_BITS, word);
}
