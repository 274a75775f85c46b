/*
 * Matching handles without hashing: a mark at each slot. Where little lies between what the lists have in common, the
 * marks are bytes that only show a key standing twice, and the middle is matched by hash; else they are row numbers.
 *
 * A list can name one slot in two generations, though never two that live. Marks cannot tell these apart: whatever
 * looks like it, or like a key that stands twice, is left to the hash to sort out.
 */
#include "diff/match.h"

/* More slots than this many times the rows cost more to clear than hashing the rows does. */
enum { SPARSE = 4, SPARSE_FREE = 1024 };

/* A middle of less than this part of all rows is matched by hash. */
enum { SMALL_PART = 64 };

static inline uint32_t slot_of(uint64_t node) { return (uint32_t)node; }

/* The slots of rows or-ed together: less than twice the greatest, and cheaper to find. */
static uint32_t or_slots(const uint64_t *nodes, uint32_t count) {
    uint64_t all = 0;
    for (uint32_t i = 0; i < count; i++) all |= nodes[i];
    return (uint32_t)all;
}

/* What two lists have in common at the beginning, at most so many rows. Their slots are or-ed into *slots, since they
   are at hand. */
static uint32_t common_prefix(const uint64_t *a, const uint64_t *b, uint32_t most, uint64_t *slots) {
    uint64_t all = *slots;
    uint32_t i = 0;
    for (; most - i >= 16; i += 16) {
        uint64_t differs = 0;
        for (uint32_t k = 0; k < 16; k++) {
            differs |= a[i + k] ^ b[i + k];
            all |= a[i + k];
        }
        if (differs != 0) break;
    }
    for (; i < most && a[i] == b[i]; i++) all |= a[i];
    *slots = all;
    return i;
}

/* The same at the end; `a_end` and `b_end` point behind the last row. */
static uint32_t common_suffix(const uint64_t *a_end, const uint64_t *b_end, uint32_t most, uint64_t *slots) {
    uint64_t all = *slots;
    uint32_t i = 0;
    for (; most - i >= 16; i += 16) {
        const uint64_t *a = a_end - i - 16, *b = b_end - i - 16;
        uint64_t differs = 0;
        for (uint32_t k = 0; k < 16; k++) {
            differs |= a[k] ^ b[k];
            all |= a[k];
        }
        if (differs != 0) break;
    }
    for (; i < most && *(a_end - 1 - i) == *(b_end - 1 - i); i++) all |= *(a_end - 1 - i);
    *slots = all;
    return i;
}

/* Finds the ends in common, a chunk at a time, and a bound on the slots. */
static bool trim(ct_work *work, const uint64_t *a, const uint64_t *b, ct_match *match, uint64_t *slots) {
    uint32_t n = match->old_count, m = match->new_count, most = n < m ? n : m;
    uint64_t all = 0;
    for (;;) {
        uint32_t chunk = most - match->prefix < CT_CHUNK ? most - match->prefix : CT_CHUNK;
        uint32_t same = common_prefix(a + match->prefix, b + match->prefix, chunk, &all);
        match->prefix += same;
        if (same < CT_CHUNK) break;
        if (!ct_work_tick(work, CT_CHUNK)) return false;
    }
    most -= match->prefix;
    for (;;) {
        uint32_t chunk = most - match->suffix < CT_CHUNK ? most - match->suffix : CT_CHUNK;
        uint32_t same = common_suffix(a + (n - match->suffix), b + (m - match->suffix), chunk, &all);
        match->suffix += same;
        if (same < CT_CHUNK) break;
        if (!ct_work_tick(work, CT_CHUNK)) return false;
    }
    uint32_t middle = or_slots(a + match->prefix, ct_match_old_middle(match))
                      | or_slots(b + match->prefix, ct_match_new_middle(match));
    *slots = (uint64_t)((uint32_t)all | middle) + 1;
    return true;
}

/* ---- A small middle: bytes ------------------------------------------------------------------------------------ */

enum { MARK_END = 1, MARK_MIDDLE = 2 };

/* Marks rows at their slots; false where one is marked already. */
static bool mark(ct_work *work, uint8_t *marks, const uint64_t *nodes, uint32_t count, uint8_t with,
                 bool *cancelled) {
    for (uint32_t from = 0; from < count;) {
        uint32_t end = count - from < CT_CHUNK ? count : from + CT_CHUNK;
        uint8_t twice = 0;
        for (uint32_t i = from; i < end; i++) {
            uint8_t *here = &marks[slot_of(nodes[i])];
            twice |= *here;
            *here = with;
        }
        if (twice != 0) return false;
        if (!ct_work_tick(work, end - from)) {
            *cancelled = true;
            return true;
        }
        from = end;
    }
    return true;
}

static ctree_status match_small(ct_work *work, const uint64_t *a, const uint64_t *b, ct_match *match, uint8_t *marks,
                                bool *again) {
    uint32_t middle = ct_match_old_middle(match), end = match->old_count - match->suffix;
    bool cancelled = false;
    *again = !mark(work, marks, a, match->prefix, MARK_END, &cancelled)
             || (!cancelled && !mark(work, marks, a + match->prefix, middle, MARK_MIDDLE, &cancelled))
             || (!cancelled && !mark(work, marks, a + end, match->suffix, MARK_END, &cancelled));
    if (cancelled) return CTREE_CANCELLED;
    if (*again) return CTREE_OK;
    if (middle == 0 && ct_match_new_middle(match) == 0) return CTREE_OK;
    ctree_status status = ct_match_by_hash(work, CTREE_DIFF_NODES, a, b, match->prefix, end, match);
    if (status != CTREE_OK) return status;
    for (uint32_t j = 0; j < ct_match_new_middle(match); j++) {
        if (marks[slot_of(b[match->prefix + j])] == MARK_END) *again = true;
    }
    return CTREE_OK;
}

/* ---- Row numbers ---------------------------------------------------------------------------------------------- */

/* Puts the number of each old row, plus 1, at its slot; false where one is there already. */
static bool number(ct_work *work, uint32_t *at, const uint64_t *nodes, uint32_t count, bool *cancelled) {
    for (uint32_t from = 0; from < count;) {
        uint32_t end = count - from < CT_CHUNK ? count : from + CT_CHUNK;
        uint32_t twice = 0;
        for (uint32_t i = from; i < end; i++) {
            uint32_t *here = &at[slot_of(nodes[i])];
            twice |= *here;
            *here = i + 1;
        }
        if (twice != 0) return false;
        if (!ct_work_tick(work, end - from)) {
            *cancelled = true;
            return true;
        }
        from = end;
    }
    return true;
}

/* Matches rows that follow each other on both sides: `count` of them, counted from the beginning of the middle. False
   where one has its match already. */
static bool join(ct_match *match, uint32_t old_row, uint32_t new_row, uint32_t count) {
    uint32_t *to_new = match->to_new + old_row, *to_old = match->to_old + new_row, unmatched = CT_NO_ROW;
    for (uint32_t k = 0; k < count; k++) {
        unmatched &= to_new[k];
        to_new[k] = match->prefix + new_row + k;
        to_old[k] = match->prefix + old_row + k;
    }
    return unmatched == CT_NO_ROW;
}

/* Looks each new row of the middle up. Those without a match put numbers beyond all old ones at their slots. */
static bool match_numbers(ct_work *work, uint32_t *at, const uint64_t *a, const uint64_t *b, ct_match *match,
                          bool *cancelled) {
    uint32_t prefix = match->prefix, middle = ct_match_old_middle(match), count = ct_match_new_middle(match);
    uint32_t old_count = match->old_count, since_tick = 0;
    const uint64_t *olds = a + prefix, *news = b + prefix;
    for (uint32_t j = 0; j < count;) {
        if (since_tick >= CT_CHUNK) {
            *cancelled = !ct_work_tick(work, since_tick);
            if (*cancelled) return true;
            since_tick = 0;
        }
        uint32_t *here = &at[slot_of(news[j])], rows = 1;
        if (*here > old_count) return false;
        if (*here == 0 || a[*here - 1] != news[j]) {
            *here = old_count + 1 + j;
            match->to_old[j] = CT_NO_ROW;
        } else {
            uint32_t i = *here - 1 - prefix;
            if (i >= middle) return false;
            uint32_t most = middle - i < count - j ? middle - i : count - j;
            uint64_t unused = 0;
            if (most > CT_CHUNK) most = CT_CHUNK;
            if (most > 1 && olds[i + 1] == news[j + 1])
                rows += common_prefix(olds + i + 1, news + j + 1, most - 1, &unused);
            if (!join(match, i, j, rows)) return false;
        }
        j += rows;
        since_tick += rows;
    }
    return true;
}

ctree_status ct_match_by_slot(ct_work *work, const uint64_t *old_nodes, const uint64_t *new_nodes, ct_match *match,
                              bool *again) {
    uint64_t slots, rows = (uint64_t)match->old_count + match->new_count;
    if (!trim(work, old_nodes, new_nodes, match, &slots)) return CTREE_CANCELLED;
    if (slots > SPARSE * rows + SPARSE_FREE) {
        *again = true;
        return CTREE_OK;
    }
    if (!ct_match_make(work, match)) return CTREE_NO_MEMORY;
    uint64_t between = (uint64_t)ct_match_old_middle(match) + ct_match_new_middle(match);
    bool small = between < rows / SMALL_PART || between == 0;
    size_t mark_size = small ? sizeof(uint8_t) : sizeof(uint32_t);
    void *marks = ct_work_array(work, slots, mark_size);
    if (marks == NULL) return CTREE_NO_MEMORY;
    memset(marks, 0, (size_t)slots * mark_size);
    ctree_status status = CTREE_OK;
    if (small) {
        status = match_small(work, old_nodes, new_nodes, match, marks, again);
    } else {
        bool cancelled = false;
        *again = !number(work, marks, old_nodes, match->old_count, &cancelled)
                 || (!cancelled && !match_numbers(work, marks, old_nodes, new_nodes, match, &cancelled));
        if (cancelled) status = CTREE_CANCELLED;
    }
    ct_work_free(work, marks, slots, mark_size);
    return status;
}
