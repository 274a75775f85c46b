#include "diff/numbers.h"

#include <string.h>

bool ct_numbers_make(ct_work *work, ct_numbers *set, uint32_t bound) {
    size_t words = bound, total = 0;
    set->levels = 0;
    do {
        words = words / 64 + (words % 64 != 0 || words == 0);
        set->level[set->levels++] = total;
        total += words;
    } while (words > 1);
    set->word_count = total;
    set->words = ct_work_array(work, total, sizeof(uint64_t));
    if (set->words == NULL) return false;
    ct_numbers_clear(set);
    return true;
}

void ct_numbers_free(ct_work *work, ct_numbers *set) {
    ct_work_free(work, set->words, set->word_count, sizeof(uint64_t));
    set->words = NULL;
}

void ct_numbers_clear(ct_numbers *set) { memset(set->words, 0, set->word_count * sizeof(uint64_t)); }
