/*
 * Moves one after the other, in the numbers of their moment. They are made in the order of their targets; each run
 * goes right behind the row that is before it in the end, so that what is settled, rows that stay and runs already
 * moved, is in its final order at all times, and a run not yet moved is still behind the rows that stayed before it.
 * Hence its place: the rows that stay before it, the settled runs up to there, and the runs before it that are not
 * settled.
 */
#include "diff/stepwise.h"

#include "diff/keep.h"

#include <string.h>

/* What is known of the moves, in a list of the kept rows only: deletes are done, inserts are not. */
typedef struct moving {
    ct_work *work;
    uint32_t count;
    const ctree_row_run *runs; /* By old place. */
    uint32_t *order;           /* The runs by new place. */
    uint32_t *stay_old;        /* Of each run, by old place: rows that stay before it in the old order... */
    uint32_t *stay_new;        /* ...and by new place: those before it in the new order. */
    uint32_t *settled;         /* Rows in the runs before each place in the new order. */
    uint32_t *unsettled;       /* A tree of sums over the runs by old place: rows not moved yet. */
} moving;

static void tree_add(uint32_t *tree, uint32_t count, uint32_t index, uint32_t amount) {
    for (uint32_t i = index + 1; i <= count; i += i & (0 - i)) tree[i] += amount; /* Wraps to subtract. */
}

/* The sum over the first `index` runs. */
static uint32_t tree_sum(const uint32_t *tree, uint32_t index) {
    uint32_t sum = 0;
    for (uint32_t i = index; i > 0; i -= i & (0 - i)) sum += tree[i];
    return sum;
}

/* How many of the first `count` of ascending values are less than `value`. */
static uint32_t count_below(const uint32_t *values, uint32_t count, uint64_t value) {
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (values[middle] < value) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Works out the rows that stay before each run, on both sides. */
static void survey(moving *m, const ctree_batch *batch) {
    uint32_t gone = 0, moved = 0, range = 0;
    for (uint32_t k = 0; k < m->count; k++) {
        while (range < batch->delete_count && batch->deletes[range].first < m->runs[k].from) {
            gone += batch->deletes[range++].count;
        }
        m->stay_old[k] = m->runs[k].from - gone - moved;
        moved += m->runs[k].count;
        tree_add(m->unsettled, m->count, k, m->runs[k].count);
    }
    uint32_t came = 0;
    moved = 0;
    range = 0;
    for (uint32_t k = 0; k < m->count; k++) {
        const ctree_row_run *run = &m->runs[m->order[k]];
        while (range < batch->insert_count && batch->inserts[range].first < run->to) {
            came += batch->inserts[range++].count;
        }
        m->stay_new[k] = run->to - came - moved;
        m->settled[k] = moved;
        moved += run->count;
    }
    m->settled[m->count] = moved;
}

static ctree_status move_all(moving *m, ct_list *steps) {
    for (uint32_t k = 0; k < m->count; k++) {
        if (k % CT_CHUNK == CT_CHUNK - 1 && !ct_work_tick(m->work, 0)) return CTREE_CANCELLED;
        uint32_t run = m->order[k], rows = m->runs[run].count;
        uint32_t before = m->stay_old[run];
        uint32_t from =
            before + m->settled[count_below(m->stay_new, k, (uint64_t)before + 1)] + tree_sum(m->unsettled, run);
        tree_add(m->unsettled, m->count, run, 0 - rows);
        uint32_t to = m->stay_new[k] + m->settled[k]
                      + tree_sum(m->unsettled, count_below(m->stay_old, m->count, m->stay_new[k]));
        ctree_step *step = ct_list_add(m->work, steps, sizeof *step);
        if (step == NULL) return CTREE_NO_MEMORY;
        *step = (ctree_step){CTREE_STEP_MOVE, from, to, rows};
    }
    return CTREE_OK;
}

static ctree_status moves_of(ct_work *work, const ctree_batch *batch, ct_list *steps) {
    uint64_t count = batch->move_count;
    uint32_t *arrays = ct_work_array(work, 5 * count + 2, sizeof(uint32_t));
    if (arrays == NULL) return CTREE_NO_MEMORY;
    moving m = {work,           batch->move_count,  batch->moves,       arrays,
                arrays + count, arrays + 2 * count, arrays + 3 * count, arrays + 4 * count + 1};
    memset(m.unsettled, 0, (size_t)(count + 1) * sizeof(uint32_t));
    ctree_status status = ct_order_by_target(work, batch->moves, m.count, batch->new_count, m.order);
    if (status == CTREE_OK) {
        survey(&m, batch);
        status = move_all(&m, steps);
    }
    ct_work_free(work, arrays, 5 * count + 2, sizeof(uint32_t));
    return status;
}

ctree_status ct_steps_of(ct_work *work, const ctree_batch *batch, ct_list *steps) {
    for (uint32_t k = batch->delete_count; k-- > 0;) {
        ctree_step *step = ct_list_add(work, steps, sizeof *step);
        if (step == NULL) return CTREE_NO_MEMORY;
        *step = (ctree_step){CTREE_STEP_DELETE, batch->deletes[k].first, 0, batch->deletes[k].count};
    }
    if (batch->move_count > 0) {
        ctree_status status = moves_of(work, batch, steps);
        if (status != CTREE_OK) return status;
    }
    for (uint32_t k = 0; k < batch->insert_count; k++) {
        ctree_step *step = ct_list_add(work, steps, sizeof *step);
        if (step == NULL) return CTREE_NO_MEMORY;
        *step = (ctree_step){CTREE_STEP_INSERT, 0, batch->inserts[k].first, batch->inserts[k].count};
    }
    return CTREE_OK;
}
