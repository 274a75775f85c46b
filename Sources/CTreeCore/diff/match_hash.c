/*
 * Matching numbers and bytes. The old rows go into a table of open addressing; new rows first look where the last one
 * was found, and only then in the table. Every old row has to go in, also those that the ends have in common: a key
 * that stands twice shows nowhere else.
 *
 * An entry is 32 bits of hash above the row's number plus 1; 0 is free. Keys are compared only where the bits agree.
 */
#include "diff/match.h"

#include "base/bits.h"

#include <string.h>

/* Rows hashed ahead, so that their places in the table are on the way while the first is still being looked at. */
enum { AHEAD = 16 };

typedef struct table {
    uint64_t *entries;
    uint64_t capacity; /* A power of two. */
    uint64_t budget;   /* Probes left before the hash is taken for broken... */
    uint64_t allowed;  /* ...of so many. */
    uint64_t steps;    /* Probes in what was in the table before. */
    const void *keys;  /* What the row numbers in the entries are rows of. */
} table;

typedef enum answer { FOUND_NONE, FOUND_ROW, FOUND_TOO_MANY } answer;

CT_INLINE uint64_t hash_of(const ct_hash_key *key, uint32_t kind, const void *keys, uint32_t row) {
    if (kind == CTREE_DIFF_IDS) {
        const ctree_id *id = (const ctree_id *)keys + row;
        return ct_hash_bytes(key, id->bytes, (size_t)id->word);
    }
    return ct_hash_u64(key, ((const uint64_t *)keys)[row]);
}

/* Few enough for a good hash to stay far below, and twice as many at each attempt, so that there is a last one. */
static uint64_t budget_for(uint64_t rows, unsigned attempt) { return (16 * rows + 1024) << attempt; }

static uint64_t capacity_for(uint64_t rows) {
    uint64_t capacity = 16;
    while (capacity < rows + rows / 2) capacity *= 2;
    return capacity;
}

/* Empties the table for so many rows of keys, which it was made for; `looked_up` rows will be looked up in it. */
static void clear(table *t, const void *keys, uint64_t rows, uint64_t looked_up, unsigned attempt) {
    t->capacity = capacity_for(rows);
    memset(t->entries, 0, (size_t)t->capacity * sizeof(uint64_t));
    t->keys = keys;
    t->steps += t->allowed - t->budget;
    t->allowed = t->budget = budget_for(rows + looked_up, attempt);
}

/* Looks for a key. Without one, *place is where it would go. */
CT_INLINE answer look(table *t, uint32_t kind, uint64_t hash, const void *keys, uint32_t row, uint32_t *found_row,
                      uint64_t *place) {
    uint64_t mask = t->capacity - 1;
    for (uint64_t i = hash & mask;; i = (i + 1) & mask) {
        uint64_t entry = t->entries[i];
        if (entry == 0) {
            *place = i;
            return FOUND_NONE;
        }
        if ((entry ^ hash) >> 32 == 0) {
            uint32_t other = (uint32_t)entry - 1;
            if (ct_same_key(kind, t->keys, other, keys, row)) {
                *found_row = other;
                return FOUND_ROW;
            }
        }
        if (t->budget-- == 0) return FOUND_TOO_MANY;
    }
}

/* How a pass over rows ended. */
typedef struct outcome {
    ctree_status status; /* CTREE_OK, CTREE_CANCELLED or CTREE_DUPLICATE. */
    bool too_many;       /* Too many probes: the pass has to be done again under another key. */
    uint32_t first;      /* With CTREE_DUPLICATE from fill: the row that `second` repeats. */
    uint32_t second;
    uint32_t unmatched; /* From find_new_rows: new rows that are not in the table. */
} outcome;

/* Puts rows of t->keys in, from `first` to before `end`; with `matched`, only those that it says have no match. */
CT_INLINE outcome fill(ct_work *work, table *t, uint32_t kind, uint32_t first, uint32_t end,
                       const uint32_t *matched) {
    const ct_hash_key *key = ct_work_key(work);
    uint64_t mask = t->capacity - 1, hashes[AHEAD];
    uint32_t rows[AHEAD], since_tick = 0;
    outcome out = {CTREE_OK, false, 0, 0, 0};
    for (uint32_t next = first; next < end;) {
        uint32_t some = 0, from = next;
        for (; next < end && some < AHEAD && next - from < CT_CHUNK; next++) {
            if (matched != NULL && matched[next - first] != CT_NO_ROW) continue;
            hashes[some] = hash_of(key, kind, t->keys, next);
            ct_prefetch(&t->entries[hashes[some] & mask]);
            rows[some++] = next;
        }
        for (uint32_t k = 0; k < some; k++) {
            uint64_t place = 0;
            answer what = look(t, kind, hashes[k], t->keys, rows[k], &out.first, &place);
            if (what == FOUND_NONE) {
                t->entries[place] = (hashes[k] >> 32 << 32) | ((uint64_t)rows[k] + 1);
                continue;
            }
            out.second = rows[k];
            if (what == FOUND_ROW) out.status = CTREE_DUPLICATE;
            else out.too_many = true;
            return out;
        }
        since_tick += next - from;
        if (since_tick >= CT_CHUNK) {
            if (!ct_work_tick(work, since_tick)) {
                out.status = CTREE_CANCELLED;
                return out;
            }
            since_tick = 0;
        }
    }
    return out;
}

/* Finds each new row of the middle in the table of old rows. */
CT_INLINE outcome find_new_rows(ct_work *work, table *t, uint32_t kind, const void *new_keys, ct_match *match) {
    const ct_hash_key *key = ct_work_key(work);
    uint32_t prefix = match->prefix, middle = ct_match_old_middle(match), count = ct_match_new_middle(match);
    uint64_t mask = t->capacity - 1, hashes[AHEAD];
    uint32_t hashed_from = 0, hashed_end = 0; /* Whose hashes are there. */
    uint32_t looked_at = 0;                   /* The last row that was not where it was expected. */
    uint32_t expected = 0;                    /* Counted from the beginning of the middle, as all rows here. */
    outcome out = {CTREE_OK, false, 0, 0, 0};
    for (uint32_t j = 0; j < count; j++) {
        if (j % CT_CHUNK == 0 && !ct_work_tick(work, j == 0 ? 0 : CT_CHUNK)) {
            out.status = CTREE_CANCELLED;
            return out;
        }
        uint32_t i = expected;
        if (i >= middle || !ct_same_key(kind, t->keys, prefix + i, new_keys, prefix + j)) {
            if (j >= hashed_end) {
                /* Several ahead where rows are out of order, one where this is the exception. */
                uint32_t some = j - looked_at > 2 ? 1 : count - j < AHEAD ? count - j : AHEAD;
                for (uint32_t k = 0; k < some; k++) {
                    hashes[k] = hash_of(key, kind, new_keys, prefix + j + k);
                    ct_prefetch(&t->entries[hashes[k] & mask]);
                }
                hashed_from = j;
                hashed_end = j + some;
            }
            looked_at = j;
            uint64_t place = 0;
            answer what = look(t, kind, hashes[j - hashed_from], new_keys, prefix + j, &i, &place);
            if (what == FOUND_TOO_MANY) {
                out.too_many = true;
                return out;
            }
            if (what == FOUND_NONE) {
                match->to_old[j] = CT_NO_ROW;
                out.unmatched++;
                continue;
            }
            i -= prefix;
        }
        /* Outside the middle the row has its match already, and so it may have inside. */
        if (i >= middle || match->to_new[i] != CT_NO_ROW) {
            out.status = CTREE_DUPLICATE;
            return out;
        }
        match->to_new[i] = prefix + j;
        match->to_old[j] = prefix + i;
        expected = i + 1;
    }
    return out;
}

CT_INLINE outcome match_once(ct_work *work, table *t, uint32_t kind, const void *old_keys, const void *new_keys,
                             uint32_t first, uint32_t end, ct_match *match, unsigned attempt) {
    uint32_t new_middle = ct_match_new_middle(match);
    clear(t, old_keys, end - first, new_middle, attempt);
    outcome out = fill(work, t, kind, first, end, NULL);
    if (out.status != CTREE_OK || out.too_many) return out;
    if (attempt > 0) memset(match->to_new, 0xFF, (size_t)ct_match_old_middle(match) * sizeof(uint32_t));
    out = find_new_rows(work, t, kind, new_keys, match);
    if (out.status != CTREE_OK || out.too_many || out.unmatched < 2) return out;
    /* New rows without a match can still be the same as each other. */
    clear(t, new_keys, out.unmatched, 0, attempt);
    return fill(work, t, kind, match->prefix, match->prefix + new_middle, match->to_old);
}

static bool make(ct_work *work, table *t, uint64_t rows) {
    *t = (table){NULL, capacity_for(rows), 0, 0, 0, NULL};
    t->entries = ct_work_array(work, t->capacity, sizeof(uint64_t));
    return t->entries != NULL;
}

static void end(ct_work *work, table *t, uint64_t rows) {
    work->steps += t->steps + t->allowed - t->budget;
    ct_work_free(work, t->entries, capacity_for(rows), sizeof(uint64_t));
}

ctree_status ct_match_by_hash(ct_work *work, uint32_t kind, const void *old_keys, const void *new_keys,
                              uint32_t first_row, uint32_t end_row, ct_match *match) {
    table t;
    uint32_t old_rows = end_row - first_row, new_rows = ct_match_new_middle(match);
    uint32_t most = old_rows > new_rows ? old_rows : new_rows;
    if (!make(work, &t, most)) return CTREE_NO_MEMORY;
    outcome out;
    for (unsigned attempt = 0;; attempt++) {
        /* Two calls, so that the compiler makes a loop of its own for each kind of key. */
        if (kind == CTREE_DIFF_IDS) {
            out = match_once(work, &t, CTREE_DIFF_IDS, old_keys, new_keys, first_row, end_row, match, attempt);
        } else {
            out = match_once(work, &t, CTREE_DIFF_U64, old_keys, new_keys, first_row, end_row, match, attempt);
        }
        if (!out.too_many) break;
        ct_work_rekey(work);
    }
    end(work, &t, most);
    return out.status;
}

ctree_status ct_find_duplicate(ct_work *work, uint32_t kind, const void *keys, uint32_t count, bool *found,
                               uint32_t *first, uint32_t *second) {
    table t;
    if (!make(work, &t, count)) return CTREE_NO_MEMORY;
    outcome out;
    for (unsigned attempt = 0;; attempt++) {
        clear(&t, keys, count, 0, attempt);
        if (kind == CTREE_DIFF_IDS) out = fill(work, &t, CTREE_DIFF_IDS, 0, count, NULL);
        else out = fill(work, &t, CTREE_DIFF_U64, 0, count, NULL);
        if (!out.too_many) break;
        ct_work_rekey(work);
    }
    end(work, &t, count);
    *found = out.status == CTREE_DUPLICATE;
    *first = out.first;
    *second = out.second;
    return out.status == CTREE_CANCELLED ? CTREE_CANCELLED : CTREE_OK;
}
