#include "support/brute.h"

#include "support/assertions.h"

#define NOWHERE UINT32_MAX

static uint32_t find(const uint64_t *keys, uint32_t count, uint64_t key) {
    for (uint32_t i = 0; i < count; i++) {
        if (keys[i] == key) return i;
    }
    return NOWHERE;
}

/* The kept things in old order: where they were and where they are. */
typedef struct kept {
    uint32_t count;
    uint32_t from[BRUTE_MOST], to[BRUTE_MOST];
} kept;

static kept kept_of(const uint64_t *olds, uint32_t old_count, const uint64_t *news, uint32_t new_count) {
    kept k = {0, {0}, {0}};
    for (uint32_t i = 0; i < old_count; i++) {
        uint32_t j = find(news, new_count, olds[i]);
        if (j == NOWHERE) continue;
        CHECK(k.count < BRUTE_MOST);
        k.from[k.count] = i;
        k.to[k.count++] = j;
    }
    return k;
}

uint32_t brute_kept(const uint64_t *olds, uint32_t old_count, const uint64_t *news, uint32_t new_count) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < old_count; i++) count += find(news, new_count, olds[i]) != NOWHERE;
    return count;
}

/* Whether those with a bit in `staying` keep their order. */
static bool in_order(const kept *k, uint32_t staying) {
    uint32_t next = 0;
    for (uint32_t i = 0; i < k->count; i++) {
        if ((staying >> i & 1) == 0) continue;
        if (k->to[i] < next) return false;
        next = k->to[i] + 1;
    }
    return true;
}

brute_moves brute_least_moves(const uint64_t *olds, uint32_t old_count, const uint64_t *news, uint32_t new_count) {
    kept k = kept_of(olds, old_count, news, new_count);
    brute_moves least = {NOWHERE, NOWHERE};
    for (uint32_t staying = 0; staying < UINT32_C(1) << k.count; staying++) {
        if (!in_order(&k, staying)) continue;
        brute_moves moves = {0, 0};
        for (uint32_t i = 0; i < k.count; i++) {
            if ((staying >> i & 1) != 0) continue;
            moves.rows++;
            bool joins = i > 0 && (staying >> (i - 1) & 1) == 0 && k.from[i] == k.from[i - 1] + 1
                         && k.to[i] == k.to[i - 1] + 1;
            moves.runs += !joins;
        }
        if (moves.rows < least.rows || (moves.rows == least.rows && moves.runs < least.runs)) least = moves;
    }
    return least;
}

static bool is_better(brute_moves a, brute_moves b) { return a.rows != b.rows ? a.rows < b.rows : a.runs < b.runs; }

brute_moves brute_least_moves_of_many(const uint64_t *olds, uint32_t old_count, const uint64_t *news,
                                      uint32_t new_count) {
    uint32_t *from = must(malloc((old_count + 2) * sizeof *from)), *to = must(malloc((old_count + 2) * sizeof *to));
    uint32_t *joins = must(malloc((old_count + 3) * sizeof *joins)); /* Of those before it, how many join the last. */
    brute_moves *best = must(malloc((old_count + 2) * sizeof *best));
    uint32_t count = 1;
    from[0] = to[0] = NOWHERE; /* A row before all that stays. */
    for (uint32_t i = 0; i < old_count; i++) {
        uint32_t j = find(news, new_count, olds[i]);
        if (j == NOWHERE) continue;
        from[count] = i;
        to[count++] = j;
    }
    joins[0] = joins[1] = 0;
    for (uint32_t i = 1; i < count; i++) {
        bool joined = i > 1 && from[i] == from[i - 1] + 1 && to[i] == to[i - 1] + 1;
        joins[i + 1] = joins[i] + joined;
    }
    best[0] = (brute_moves){0, 0};
    for (uint32_t i = 1; i <= count; i++) { /* The last is a row behind all. */
        best[i] = (brute_moves){NOWHERE, NOWHERE};
        for (uint32_t before = 0; before < i; before++) {
            if (i < count && before > 0 && to[before] > to[i]) continue;
            uint32_t between = i - before - 1, joined = between > 1 ? joins[i] - joins[before + 2] : 0;
            brute_moves way = {best[before].rows + between, best[before].runs + between - joined};
            if (is_better(way, best[i])) best[i] = way;
        }
    }
    brute_moves least = best[count];
    free(from);
    free(to);
    free(joins);
    free(best);
    return least;
}

/* ---- Sections -------------------------------------------------------------------------------------------------- */

static bool same_rows(const sim_model *before, uint32_t s, const sim_model *after, uint32_t t) {
    uint32_t count = before->starts[s + 1] - before->starts[s];
    if (after->starts[t + 1] - after->starts[t] != count) return false;
    for (uint32_t i = 0; i < count; i++) {
        if (before->row_keys[before->starts[s] + i] != after->row_keys[after->starts[t] + i]) return false;
    }
    return true;
}

static brute_sections cost(const sim_model *before, const sim_model *after, const kept *k, uint32_t staying) {
    brute_sections c = {0, 0, 0};
    for (uint32_t i = 0; i < k->count; i++) {
        if ((staying >> i & 1) != 0) continue;
        uint32_t s = k->from[i], t = k->to[i];
        c.not_staying++;
        if (same_rows(before, s, after, t)) continue;
        c.renewed++;
        c.rows += before->starts[s + 1] - before->starts[s] + after->starts[t + 1] - after->starts[t];
    }
    return c;
}

static bool is_less(brute_sections a, brute_sections b) {
    if (a.not_staying != b.not_staying) return a.not_staying < b.not_staying;
    if (a.renewed != b.renewed) return a.renewed < b.renewed;
    return a.rows < b.rows;
}

static kept kept_sections(const sim_model *before, const sim_model *after) {
    return kept_of(before->section_keys, before->section_count, after->section_keys, after->section_count);
}

brute_sections brute_least_sections(const sim_model *before, const sim_model *after) {
    kept k = kept_sections(before, after);
    brute_sections least = {NOWHERE, NOWHERE, NOWHERE};
    for (uint32_t staying = 0; staying < UINT32_C(1) << k.count; staying++) {
        if (!in_order(&k, staying)) continue;
        brute_sections c = cost(before, after, &k, staying);
        if (is_less(c, least)) least = c;
    }
    return least;
}

brute_sections brute_sections_cost(const sim_model *before, const sim_model *after, const bool *stays) {
    kept k = kept_sections(before, after);
    uint32_t staying = 0;
    for (uint32_t i = 0; i < k.count; i++) staying |= (uint32_t)stays[k.from[i]] << i;
    return cost(before, after, &k, staying);
}
