#include "store/marks.h"

#include <string.h>

/* No store has a slot of this number. */
#define NO_ENTRY UINT64_MAX

static size_t home_of(const ct_marks *marks, uint32_t slot) {
    return (size_t)(slot * UINT64_C(0x9E3779B97F4A7C15) >> marks->shift);
}

static bool make_table(ct_marks *marks, const ct_mem *mem, size_t count) {
    if (count > SIZE_MAX / sizeof *marks->entries / 4) return false;
    *marks = (ct_marks){.room = 16, .shift = 60};
    while (marks->room - marks->room / 4 < count) { /* three quarters full at most */
        marks->room *= 2;
        marks->shift--;
    }
    marks->entries = ct_alloc(mem, marks->room * sizeof *marks->entries);
    if (marks->entries == NULL) return false;
    memset(marks->entries, 0xff, marks->room * sizeof *marks->entries);
    return true;
}

ctree_status ct_marks_init(ct_marks *marks, const ct_mem *mem, size_t count) {
    return make_table(marks, mem, count) ? CTREE_OK : CTREE_NO_MEMORY;
}

void ct_marks_destroy(ct_marks *marks, const ct_mem *mem) {
    ct_free(mem, marks->entries, marks->room * sizeof *marks->entries);
    *marks = (ct_marks){0};
}

static void enter(ct_marks *marks, uint64_t entry) {
    size_t at = home_of(marks, (uint32_t)(entry >> 32));
    while (marks->entries[at] != NO_ENTRY) at = (at + 1) & (marks->room - 1);
    marks->entries[at] = entry;
    marks->count++;
}

ctree_status ct_marks_put(ct_marks *marks, const ct_mem *mem, uint32_t slot, uint32_t mark) {
    if (marks->count >= marks->room - marks->room / 4) {
        ct_marks grown;
        if (!make_table(&grown, mem, marks->count + 1)) return CTREE_NO_MEMORY;
        for (size_t i = 0; i < marks->room; i++) {
            if (marks->entries[i] != NO_ENTRY) enter(&grown, marks->entries[i]);
        }
        ct_marks_destroy(marks, mem);
        *marks = grown;
    }
    enter(marks, (uint64_t)slot << 32 | mark);
    return CTREE_OK;
}

uint32_t ct_marks_get(const ct_marks *marks, uint32_t slot) {
    size_t at = home_of(marks, slot);
    while (marks->entries[at] != NO_ENTRY) {
        if (marks->entries[at] >> 32 == slot) return (uint32_t)marks->entries[at];
        at = (at + 1) & (marks->room - 1);
    }
    return CT_NO_MARK;
}
