#include "diff/rows.h"

#include "diff/keep.h"

/* Work on one region after the other. */
typedef struct pass {
    ct_work *work;
    const ct_match *match;
    ct_sections *sections; /* NULL without. */
    ct_told *told;
    ct_list inside;   /* ctree_row_run: runs that remain in the region, in old order. */
    ct_list crossing; /* ctree_row_run: runs that go from this section to another one that stays, in old order. */
    bool in_order;    /* Whether those that remain have kept their order... */
    bool in_reverse;  /* ...or all turned it round. */
    uint32_t since_tick;
} pass;

static inline ctree_row_run *last_run(const ct_list *list) {
    return list->count > 0 ? (ctree_row_run *)list->items + list->count - 1 : NULL;
}

/* Takes a row to the last run of a list, or begins another; `joins` is false where a section begins at `to`. */
static inline bool extend(pass *p, ct_list *list, uint32_t from, uint32_t to, bool joins) {
    ctree_row_run *last = last_run(list);
    if (joins && last != NULL && last->from + last->count == from && last->to + last->count == to) {
        last->count++;
        return true;
    }
    ctree_row_run *run = ct_list_add(p->work, list, sizeof *run);
    if (run != NULL) *run = (ctree_row_run){from, to, 1};
    return run != NULL;
}

/* Whether a row that leaves its section is told as a move: if it comes into one that stays. */
static bool crosses(pass *p, uint32_t to, bool *first_of_section) {
    ct_section_side *side = &p->sections->new_side;
    uint32_t section = ct_section_of(side, to);
    *first_of_section = side->starts[section] == to;
    return side->fates[section] == CT_STAYS;
}

/* ---- The old side --------------------------------------------------------------------------------------------- */

/* How many rows of the region go on behind these two, at most a chunk. */
static uint32_t together(const ct_match *match, uint32_t from, uint32_t to, const ct_region *region) {
    uint32_t most = region->old_end - from < region->new_end - to ? region->old_end - from : region->new_end - to;
    uint32_t count = 1;
    if (most > CT_CHUNK) most = CT_CHUNK;
    while (count < most && ct_match_new(match, from + count) == to + count) count++;
    return count - 1;
}

/* Tells the deletes and gathers the runs. */
static ctree_status scan_old(pass *p, const ct_region *region) {
    uint32_t gone = region->old_first; /* Rows from here to before the current one are gone. */
    uint32_t inside_count = region->new_end - region->new_first;
    p->inside.count = 0;
    p->crossing.count = 0;
    p->in_order = true;
    p->in_reverse = true;
    uint32_t next = region->new_first;
    for (uint32_t i = region->old_first; i < region->old_end; i++) {
        if (++p->since_tick >= CT_CHUNK) {
            if (!ct_work_tick(p->work, p->since_tick)) return CTREE_CANCELLED;
            p->since_tick = 0;
        }
        uint32_t j = ct_match_new(p->match, i), first = i;
        if (j == CT_NO_ROW) continue;
        if (j - region->new_first < inside_count) {
            if (!extend(p, &p->inside, i, j, true)) return CTREE_NO_MEMORY;
            if (j < next) p->in_order = false;
            else if (p->inside.count > 1) p->in_reverse = false;
            uint32_t more = together(p->match, i, j, region);
            last_run(&p->inside)->count += more;
            p->since_tick += more;
            i += more;
            next = j + more + 1;
        } else {
            bool first_of_section;
            if (!crosses(p, j, &first_of_section)) continue;
            if (!extend(p, &p->crossing, i, j, !first_of_section)) return CTREE_NO_MEMORY;
        }
        if (first > gone
            && !ct_told_range(p->work, p->told, &p->told->deletes, gone, first - gone, region->old_place)) {
            return CTREE_NO_MEMORY;
        }
        gone = i + 1;
    }
    uint32_t rest = region->old_end - gone;
    if (rest > 0 && !ct_told_range(p->work, p->told, &p->told->deletes, gone, rest, region->old_place)) {
        return CTREE_NO_MEMORY;
    }
    return CTREE_OK;
}

/* ---- The new side --------------------------------------------------------------------------------------------- */

/* Tells the inserts among new rows from `first` to before `end`: those that came from no section that stays. */
static ctree_status tell_inserts(pass *p, uint32_t first, uint32_t end, ct_place place) {
    uint32_t came = first; /* Rows from here to before the current one came. */
    for (uint32_t j = first; j < end; j++) {
        if (++p->since_tick >= CT_CHUNK) {
            if (!ct_work_tick(p->work, p->since_tick)) return CTREE_CANCELLED;
            p->since_tick = 0;
        }
        uint32_t i = ct_match_old(p->match, j);
        if (i == CT_NO_ROW) continue;
        if (p->sections != NULL) {
            ct_section_side *side = &p->sections->old_side;
            if (side->fates[ct_section_of(side, i)] != CT_STAYS) continue;
        }
        if (j > came && !ct_told_range(p->work, p->told, &p->told->inserts, came, j - came, place)) {
            return CTREE_NO_MEMORY;
        }
        came = j + 1;
    }
    if (came >= end) return CTREE_OK;
    bool told = ct_told_range(p->work, p->told, &p->told->inserts, came, end - came, place);
    return told ? CTREE_OK : CTREE_NO_MEMORY;
}

/* Tells the inserts of a region. Where the runs that remain are in order, only between them can there be any. */
static ctree_status scan_new(pass *p, const ct_region *region) {
    const ctree_row_run *runs = p->inside.items;
    uint32_t next = region->new_first;
    for (size_t k = 0; k < p->inside.count && p->in_order; k++) {
        ctree_status status = tell_inserts(p, next, runs[k].to, region->new_place);
        if (status != CTREE_OK) return status;
        next = runs[k].to + runs[k].count;
    }
    return tell_inserts(p, next, region->new_end, region->new_place);
}

/* ---- Moves ---------------------------------------------------------------------------------------------------- */

static bool tell_crossing(pass *p, const ct_region *region, const ctree_row_run *run) {
    ct_section_side *side = &p->sections->new_side;
    uint32_t section = ct_section_of(side, run->to);
    ct_place to = {section, side->starts[section]};
    return ct_told_run(p->work, p->told, &p->told->moves, run, region->old_place, to);
}

/* Which of the runs that remain stay. */
typedef struct choice {
    const uint32_t *ranks;
    const uint64_t *staying; /* A bit for each rank; NULL where only one stays. */
    size_t only;
} choice;

static inline bool stays(const choice *chosen, size_t run) {
    return chosen->staying != NULL ? ct_is_staying(chosen->staying, chosen->ranks[run]) : run == chosen->only;
}

/* Tells the moves in old order: runs that remain and do not stay, and runs that cross. NULL: all that remain stay. */
static ctree_status tell_moves(pass *p, const ct_region *region, const choice *chosen) {
    const ctree_row_run *inside = p->inside.items, *crossing = p->crossing.items;
    size_t c = 0;
    for (size_t k = 0; k < p->inside.count && chosen != NULL; k++) {
        if (k % CT_CHUNK == 0 && !ct_work_tick(p->work, 0)) return CTREE_CANCELLED;
        if (stays(chosen, k)) continue;
        for (; c < p->crossing.count && crossing[c].from < inside[k].from; c++) {
            if (!tell_crossing(p, region, &crossing[c])) return CTREE_NO_MEMORY;
        }
        if (!ct_told_run(p->work, p->told, &p->told->moves, &inside[k], region->old_place, region->new_place)) {
            return CTREE_NO_MEMORY;
        }
    }
    for (; c < p->crossing.count; c++) {
        if (!tell_crossing(p, region, &crossing[c])) return CTREE_NO_MEMORY;
    }
    return CTREE_OK;
}

/* The same without sections, when the runs that move are what is left of the array of runs: it becomes that of the
   moves, since touching as much memory again would take longer than all else. */
static ctree_status leave_moves(pass *p, const choice *chosen) {
    ctree_row_run *runs = p->inside.items;
    size_t left = 0;
    for (size_t k = 0; k < p->inside.count; k++) {
        if (k % CT_CHUNK == 0 && !ct_work_tick(p->work, 0)) return CTREE_CANCELLED;
        if (stays(chosen, k)) continue;
        p->told->told += runs[k].count;
        runs[left++] = runs[k];
    }
    p->told->moves = p->inside;
    p->told->moves.count = left;
    p->inside = (ct_list){NULL, 0, 0};
    return CTREE_OK;
}

static ctree_status tell_chosen(pass *p, const ct_region *region, const choice *chosen) {
    return p->sections != NULL ? tell_moves(p, region, chosen) : leave_moves(p, chosen);
}

/* A list sorted the other way round is common, and needs no search: the longest run stays. */
static ctree_status tell_in_reverse(pass *p, const ct_region *region) {
    const ctree_row_run *runs = p->inside.items;
    choice chosen = {NULL, NULL, 0};
    for (size_t k = 1; k < p->inside.count; k++) {
        if (runs[k].count > runs[chosen.only].count) chosen.only = k;
    }
    return tell_chosen(p, region, &chosen);
}

/* As few rows as can be move, in as few runs as can be. */
static ctree_status choose(pass *p, const uint32_t *ranks, uint64_t *weights, uint64_t *staying) {
    const ctree_row_run *runs = p->inside.items;
    uint32_t count = (uint32_t)p->inside.count;
    for (uint32_t k = 0; k < count; k++) weights[ranks[k]] = runs[k].count * ((uint64_t)count + 1) + 1;
    return ct_keep_heaviest(p->work, ranks, count, weights, NULL, staying);
}

static ctree_status tell_out_of_order(pass *p, const ct_region *region) {
    ct_work *work = p->work;
    uint32_t count = (uint32_t)p->inside.count;
    uint32_t *ranks = ct_work_array(work, count, sizeof *ranks);
    uint64_t *weights = ct_work_array(work, count, sizeof *weights);
    uint64_t *staying = ct_work_array(work, ct_staying_words(count), sizeof *staying);
    ctree_status status = CTREE_NO_MEMORY;
    if (ranks != NULL && weights != NULL && staying != NULL) {
        status = ct_rank_targets(work, p->inside.items, count, region->new_first, region->new_end, ranks);
    }
    if (status == CTREE_OK) status = choose(p, ranks, weights, staying);
    if (status == CTREE_OK) {
        choice chosen = {ranks, staying, 0};
        status = tell_chosen(p, region, &chosen);
    }
    ct_work_free(work, ranks, count, sizeof *ranks);
    ct_work_free(work, weights, count, sizeof *weights);
    ct_work_free(work, staying, ct_staying_words(count), sizeof *staying);
    return status;
}

/* ---- Regions -------------------------------------------------------------------------------------------------- */

static ctree_status tell_region(pass *p, const ct_region *region) {
    ctree_status status = scan_old(p, region);
    if (status == CTREE_OK && !ct_told_beyond(p->told)) status = scan_new(p, region);
    if (status != CTREE_OK) return status;
    if (ct_told_beyond(p->told)) return CTREE_LIMIT;
    if (p->in_order) status = tell_moves(p, region, NULL);
    else if (p->in_reverse) status = tell_in_reverse(p, region);
    else status = tell_out_of_order(p, region);
    return status == CTREE_OK && ct_told_beyond(p->told) ? CTREE_LIMIT : status;
}

static void pass_free(pass *p) {
    ct_free(&p->work->mem, p->inside.items, p->inside.capacity * sizeof(ctree_row_run));
    ct_free(&p->work->mem, p->crossing.items, p->crossing.capacity * sizeof(ctree_row_run));
}

ctree_status ct_rows_tell(ct_work *work, const ct_match *match, ct_told *told) {
    pass p = {work, match, NULL, told, {NULL, 0, 0}, {NULL, 0, 0}, true, true, 0};
    ct_region region = {match->prefix, match->old_count - match->suffix,
                        match->prefix, match->new_count - match->suffix,
                        {0, 0},        {0, 0}};
    ctree_status status = tell_region(&p, &region);
    pass_free(&p);
    return status;
}

ctree_status ct_rows_tell_in_sections(ct_work *work, const ct_match *match, ct_sections *sections, ct_told *told) {
    pass p = {work, match, sections, told, {NULL, 0, 0}, {NULL, 0, 0}, true, true, 0};
    const ct_section_side *olds = &sections->old_side, *news = &sections->new_side;
    ctree_status status = CTREE_OK;
    for (uint32_t s = 0; s < olds->count && status == CTREE_OK; s++) {
        if (olds->fates[s] != CT_STAYS) continue;
        uint32_t t = ct_match_new(&sections->match, s);
        if (ct_sections_same(sections, match, s, t)) continue;
        ct_region region = {olds->starts[s],     olds->starts[s + 1],  news->starts[t],
                            news->starts[t + 1], {s, olds->starts[s]}, {t, news->starts[t]}};
        status = tell_region(&p, &region);
    }
    pass_free(&p);
    return status;
}
