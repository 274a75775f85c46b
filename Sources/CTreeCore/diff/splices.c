#include "diff/stepwise.h"

#include "diff/keep.h"

/* Rows that go or come, from the first to the last: ranges and one side of moves, merged. */
typedef struct stream {
    const ctree_row_range *ranges;
    uint32_t range_count, range;
    const ctree_row_run *runs;
    const uint32_t *order; /* Of the runs, where it is not their own. */
    uint32_t run_count, run;
    bool targets; /* It is the targets of the runs that count. */
} stream;

/* The next rows; count 0 when there are none, and `first` beyond all then. */
static ctree_row_range peek(const stream *s, bool *is_run) {
    ctree_row_range next = {UINT32_MAX, 0};
    *is_run = false;
    if (s->range < s->range_count) next = s->ranges[s->range];
    if (s->run < s->run_count) {
        const ctree_row_run *run = &s->runs[s->order != NULL ? s->order[s->run] : s->run];
        uint32_t first = s->targets ? run->to : run->from;
        if (first < next.first) {
            next = (ctree_row_range){first, run->count};
            *is_run = true;
        }
    }
    return next;
}

/* How many rows go or come at `row`, all that adjoin; they are left behind. */
static uint32_t take(stream *s, uint32_t row) {
    uint32_t count = 0;
    for (;;) {
        bool is_run;
        ctree_row_range next = peek(s, &is_run);
        if (next.count == 0 || next.first != row + count) return count;
        count += next.count;
        if (is_run) s->run++;
        else s->range++;
    }
}

static ctree_status merge(ct_work *work, stream *went, stream *came, ct_list *splices) {
    uint32_t old_row = 0, new_row = 0;
    for (uint32_t k = 1;; k++) {
        if (k % CT_CHUNK == 0 && !ct_work_tick(work, 0)) return CTREE_CANCELLED;
        bool is_run;
        ctree_row_range goes = peek(went, &is_run), comes = peek(came, &is_run);
        if (goes.count == 0 && comes.count == 0) return CTREE_OK;
        /* Rows that stay lie before either. */
        uint32_t stay = UINT32_MAX;
        if (goes.count > 0) stay = goes.first - old_row;
        if (comes.count > 0 && comes.first - new_row < stay) stay = comes.first - new_row;
        old_row += stay;
        new_row += stay;
        ctree_splice *splice = ct_list_add(work, splices, sizeof *splice);
        if (splice == NULL) return CTREE_NO_MEMORY;
        *splice = (ctree_splice){new_row, take(went, old_row), take(came, new_row)};
        old_row += splice->removed;
        new_row += splice->inserted;
    }
}

ctree_status ct_splices_of(ct_work *work, const ctree_batch *batch, ct_list *splices) {
    uint32_t *order = ct_work_array(work, batch->move_count, sizeof(uint32_t));
    if (order == NULL) return CTREE_NO_MEMORY;
    ctree_status status = ct_order_by_target(work, batch->moves, batch->move_count, batch->new_count, order);
    if (status == CTREE_OK) {
        stream went = {batch->deletes, batch->delete_count, 0, batch->moves, NULL, batch->move_count, 0, false};
        stream came = {batch->inserts, batch->insert_count, 0, batch->moves, order, batch->move_count, 0, true};
        status = merge(work, &went, &came, splices);
    }
    ct_work_free(work, order, batch->move_count, sizeof(uint32_t));
    return status;
}
