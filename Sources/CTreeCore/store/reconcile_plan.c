#include "store/children.h"
#include "store/edits.h"
#include "store/reconcile.h"

/* Whether the children of a node are those listed, in that order. */
static bool is_in_order(const ct_reconciling *r, uint32_t list, uint32_t owner) {
    const ct_hot *hot = ct_hot_at(r->store, owner);
    const uint32_t *rows = r->rows + r->shape.starts[list];
    if (hot->count != ct_forest_child_count(&r->shape, list)) return false;
    for (uint32_t at = 0; at < hot->count;) {
        ct_span span = ct_children_span(r->store, hot, at);
        if (memcmp(span.slots, rows + at, span.count * sizeof *rows) != 0) return false;
        at += span.count;
    }
    return true;
}

static ctree_status add_late(ct_reconciling *r, uint32_t slot) {
    void *late = r->late;
    if (!ct_grow(&r->store->mem, &late, &r->late_room, r->late_count + 1, sizeof *r->late)) return CTREE_NO_MEMORY;
    r->late = late;
    r->late[r->late_count++] = slot;
    return CTREE_OK;
}

static ctree_status add_going(ct_reconciling *r, uint32_t slot) {
    void *going = r->going;
    if (!ct_grow(&r->store->mem, &going, &r->going_room, r->going_count + 1, sizeof *r->going)) {
        return CTREE_NO_MEMORY;
    }
    r->going = going;
    r->going[r->going_count++] = (ct_going){slot, 1};
    return CTREE_OK;
}

/* What becomes of the children that a node has. */
typedef struct prospect {
    uint32_t kept;    /* Listed here; their items are at the start of the scratch. */
    uint32_t removed; /* Gone before others come. */
    bool ascending;   /* Those kept stand in their new order. */
    bool open;        /* The last child is at the end of the last run that goes. */
} prospect;

static ctree_status look_at(ct_reconciling *r, uint32_t list, uint32_t slot, prospect *p) {
    uint32_t mark = ct_marks_get(&r->marks, slot);
    bool open = p->open;
    p->open = false;
    if (mark == CT_MARK_HOLDS) return add_late(r, slot);
    if (mark != CT_NO_MARK) {
        if (ct_reconcile_list(r, mark) != list) return CTREE_OK; /* leaves when the list it belongs to is worked on */
        if (p->kept != 0 && r->scratch[p->kept - 1] > mark) p->ascending = false;
        r->scratch[p->kept++] = mark;
        return CTREE_OK;
    }
    p->removed++;
    p->open = true;
    if (!open) return add_going(r, slot);
    r->going[r->going_count - 1].count++;
    return CTREE_OK;
}

static ctree_status look_at_all(ct_reconciling *r, uint32_t list, uint32_t owner, prospect *p) {
    const ct_hot *hot = ct_hot_at(r->store, owner);
    for (uint32_t at = 0; at < hot->count;) {
        ct_span span = ct_children_span(r->store, hot, at);
        for (uint32_t i = 0; i < span.count; i++) {
            ctree_status status = look_at(r, list, span.slots[i], p);
            if (status != CTREE_OK) return status;
        }
        at += span.count;
    }
    return CTREE_OK;
}

/* What comes into a wide list, or changes its place there. Runs of new nodes are known now, those of moves are not.
 */
static void count_wide(ct_reconciling *r, uint32_t list) {
    uint32_t end = r->shape.starts[list + 1], fresh = 0;
    for (uint32_t i = r->shape.starts[list]; i < end; i++) {
        uint8_t flags = r->flags[r->shape.children[i]] & (CT_ITEM_STAYS | CT_ITEM_NEW);
        if (flags == CT_ITEM_NEW) fresh++;
        if (flags == 0) r->wide_rows++;
        if (flags == CT_ITEM_NEW && i + 1 != end) continue;
        if (fresh >= CT_SEQ_RUN_LEAST) {
            r->wide_runs++;
            r->wide_run_rows += fresh;
        } else {
            r->wide_rows += fresh;
        }
        fresh = 0;
    }
}

/* A list that is not in order yet. */
static ctree_status plan(ct_reconciling *r, uint32_t list, uint32_t owner) {
    ctree_store *store = r->store;
    r->flags[list] |= CT_ITEM_LIST;
    size_t present = ct_hot_at(store, owner)->count;
    void *scratch = r->scratch;
    if (present > SIZE_MAX / 3) return CTREE_NO_MEMORY;
    if (!ct_grow(&store->mem, &scratch, &r->scratch_room, present * 3, sizeof *r->scratch)) return CTREE_NO_MEMORY;
    r->scratch = scratch;
    prospect p = {.ascending = true};
    ctree_status status = look_at_all(r, list, owner, &p);
    if (status != CTREE_OK) return status;
    if (p.ascending) {
        for (uint32_t i = 0; i < p.kept; i++) r->flags[r->scratch[i]] |= CT_ITEM_STAYS;
    } else {
        ct_reconcile_choose(r->scratch, p.kept, r->scratch + p.kept, r->flags);
    }
    uint32_t listed = ct_forest_child_count(&r->shape, list), added = listed - p.kept;
    if (added > p.removed) {
        status = ct_children_reserve(store, owner, added - p.removed);
        if (status != CTREE_OK) return status;
    }
    if ((ct_hot_at(store, owner)->tag & CT_FLAG_WIDE) != 0) count_wide(r, list);
    return CTREE_OK;
}

static ctree_status consider(ct_reconciling *r, uint32_t list) {
    bool fresh = (r->flags[list] & CT_ITEM_NEW) != 0;
    if (!fresh && !ct_reconcile_replaces(r, list)) return CTREE_OK;
    uint32_t owner = ct_reconcile_owner(r, list);
    return is_in_order(r, list, owner) ? CTREE_OK : plan(r, list, owner);
}

/* What the views have to be ready for. A slot for each item, for those that move, is taken from the scratch. */
static ctree_status plan_views(ct_reconciling *r) {
    ctree_store *store = r->store;
    void *scratch = r->scratch;
    if (!ct_grow(&store->mem, &scratch, &r->scratch_room, (size_t)r->shape.count + 1, sizeof *r->scratch)) {
        return CTREE_NO_MEMORY;
    }
    r->scratch = scratch;
    ct_plan plan = {
        .steps = r->going_count + r->late_count, .moved = r->scratch, .root = r->from_elsewhere ? CT_TOP : r->parent};
    uint32_t run = CTREE_END; /* the list in which the last item was new and comes by itself */
    for (uint32_t i = 0; i < r->shape.count; i++) {
        uint32_t item = r->shape.children[i], slot = r->slots[item], list = ct_reconcile_list(r, item);
        const ct_hot *hot = ct_hot_at(store, slot);
        ctree_load_state state = ct_forest_state(r->forest, &r->shape, item);
        bool fresh = (r->flags[item] & CT_ITEM_NEW) != 0;
        bool comes = (r->flags[item] & CT_ITEM_STAYS) == 0 && (r->flags[list] & CT_ITEM_LIST) != 0;
        plan.nodes += fresh;
        plan.tops += fresh && comes;
        /* A node found that was a leaf and may open now is as good as new to a view that would open it. */
        plan.unloaded += fresh ? ct_state(hot) == CTREE_STATE_UNLOADED
                               : state == CTREE_STATE_UNLOADED && ct_state(hot) == CTREE_STATE_LEAF;
        plan.steps += !fresh && state == CTREE_STATE_LEAF && hot->count != 0;
        if (comes && !(fresh && run == list)) plan.steps++;
        run = comes && fresh ? list : CTREE_END;
        if (comes && !fresh) r->scratch[plan.moved_count++] = slot;
    }
    return ct_edit_plan(store, &plan);
}

ctree_status ct_reconcile_plan(ct_reconciling *r) {
    uint32_t count = r->shape.count;
    ctree_status status = consider(r, count);
    for (uint32_t i = 0; i < count && status == CTREE_OK; i++) {
        if (!ct_reconcile_may_go_on(r, (uint64_t)count + i)) return CTREE_CANCELLED;
        status = consider(r, r->shape.order[i]);
    }
    if (status == CTREE_OK && r->wide_runs + r->wide_rows != 0) {
        status = ct_children_reserve_rows(r->store, r->wide_runs, r->wide_run_rows, r->wide_rows);
    }
    return status == CTREE_OK ? plan_views(r) : status;
}
