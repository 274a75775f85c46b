#include "store/children.h"
#include "store/edits.h"
#include "store/load_records.h"
#include "store/reconcile.h"
#include "store/removal.h"
#include "store/slots.h"
#include "store/walk.h"

/* A few nodes go into a wide list one by one, as ct_children_reserve_rows wants it. */
static void put(ctree_store *store, uint32_t parent, uint32_t at, const uint32_t *slots, uint32_t count) {
    if ((ct_hot_at(store, parent)->tag & CT_FLAG_WIDE) == 0 || count >= CT_SEQ_RUN_LEAST) {
        ct_children_insert(store, parent, at, slots, count);
        return;
    }
    for (uint32_t i = 0; i < count; i++) ct_children_insert(store, parent, at + i, slots + i, 1);
}

/* ---- What goes ------------------------------------------------------------------------------------------------- */

static void remove_going(ct_reconciling *r, uint32_t owner) {
    ctree_store *store = r->store;
    while (r->going_next < r->going_count) {
        ct_going run = r->going[r->going_next];
        if (ct_hot_at(store, run.slot)->parent != owner) return;
        r->going_next++;
        uint32_t first = ct_children_ordinal(store, run.slot);
        /* What stood between two runs may have left meanwhile. */
        while (r->going_next < r->going_count && first + run.count < ct_hot_at(store, owner)->count) {
            ct_going next = r->going[r->going_next];
            if (ct_children_at(store, owner, first + run.count) != next.slot) break;
            run.count += next.count;
            r->going_next++;
        }
        ct_remove_run_for_others(store, owner, first, run.count);
    }
}

static void remove_late(ct_reconciling *r) {
    ctree_store *store = r->store;
    for (size_t i = 0; i < r->late_count;) {
        uint32_t parent = ct_hot_at(store, r->late[i])->parent, first = ct_children_ordinal(store, r->late[i]);
        uint32_t count = ct_hot_at(store, parent)->count, run = 1;
        while (i + run < r->late_count && first + run < count
               && ct_children_at(store, parent, first + run) == r->late[i + run]) {
            run++;
        }
        ct_remove_run(store, parent, first, run);
        i += run;
    }
}

/* ---- What comes ------------------------------------------------------------------------------------------------ */

static void show_subtree(ctree_store *store, uint32_t root) {
    uint32_t slot = root;
    do {
        ct_slots_show(store, slot);
        slot = ct_walk_next(store, slot, root, false);
    } while (slot != CT_TOP);
}

/* New nodes among the rows from `rows[0]` on. Returns their number. */
static uint32_t insert_run(ct_reconciling *r, uint32_t owner, uint32_t at, uint32_t row, uint32_t end) {
    ctree_store *store = r->store;
    uint32_t count = 1;
    while (row + count < end && (r->flags[r->shape.children[row + count]] & CT_ITEM_NEW) != 0) count++;
    ctree_edit edit = {.kind = CTREE_EDIT_INSERT, .parent = ct_node_at(store, owner), .first = at, .count = count};
    ct_edit_before(store, &edit);
    put(store, owner, at, r->rows + row, count);
    for (uint32_t i = 0; i < count; i++) show_subtree(store, r->rows[row + i]);
    ct_edit_after(store, &edit);
    return count;
}

/* How many rows from `row` on have to move and stand next to each other already, from `first` on below `source`. */
static uint32_t run_length(const ct_reconciling *r, uint32_t source, uint32_t first, uint32_t row, uint32_t end) {
    const ct_hot *hot = ct_hot_at(r->store, source);
    uint32_t count = 0;
    for (;;) {
        ct_span span = ct_children_span(r->store, hot, first + count);
        if (span.count == 0) return count;
        for (uint32_t i = 0; i < span.count; i++, count++) {
            if (row + count == end || r->rows[row + count] != span.slots[i]) return count;
            if ((r->flags[r->shape.children[row + count]] & CT_ITEM_STAYS) != 0) return count;
        }
    }
}

/* Moves the rows from `row` on that can move together to behind `at` children of the owner. Returns their number and
   sets `at` to how many children stand before and among them then. */
static uint32_t move_run(ct_reconciling *r, uint32_t owner, uint32_t *at, uint32_t row, uint32_t end) {
    ctree_store *store = r->store;
    uint32_t source = ct_hot_at(store, r->rows[row])->parent, first = ct_children_ordinal(store, r->rows[row]);
    uint32_t count = run_length(r, source, first, row, end);
    if (source == owner && first < *at) *at -= count;
    ctree_edit edit = {.kind = CTREE_EDIT_MOVE,
                       .parent = ct_node_at(store, source),
                       .first = first,
                       .count = count,
                       .to_parent = ct_node_at(store, owner),
                       .to_first = *at};
    ct_edit_before(store, &edit);
    ct_children_take_out(store, source, first, count);
    /* The list of a node of the forest may yet need its room. */
    if (ct_marks_get(&r->marks, source) > r->shape.count) ct_children_trim(store, source);
    put(store, owner, *at, r->rows + row, count);
    ct_edit_after(store, &edit);
    *at += count;
    return count;
}

/* Brings the rows of a list to their places, one run after another. Where one comes to stand is asked for only behind
   a row that stays: the others' places are known. */
static void bring(ct_reconciling *r, uint32_t list, uint32_t owner) {
    uint32_t row = r->shape.starts[list], end = r->shape.starts[list + 1], at = 0;
    bool known = true;
    while (row < end) {
        uint8_t flags = r->flags[r->shape.children[row]];
        if ((flags & CT_ITEM_STAYS) != 0) {
            row++;
            known = false;
            continue;
        }
        if (!known) at = ct_children_ordinal(r->store, r->rows[row - 1]) + 1;
        known = true;
        if ((flags & CT_ITEM_NEW) != 0) {
            uint32_t count = insert_run(r, owner, at, row, end);
            at += count;
            row += count;
        } else {
            row += move_run(r, owner, &at, row, end);
        }
    }
}

/* ---- All of it ------------------------------------------------------------------------------------------------- */

static void work_on(ct_reconciling *r, uint32_t list) {
    uint32_t owner = ct_reconcile_owner(r, list);
    bool fresh = (r->flags[list] & CT_ITEM_NEW) != 0;
    if (!fresh && ct_reconcile_replaces(r, list)) ct_load_is_complete(r->store, owner);
    if ((r->flags[list] & CT_ITEM_LIST) == 0) return;
    remove_going(r, owner);
    bring(r, list, owner);
}

static void change_values(ct_reconciling *r, uint32_t item) {
    ctree_store *store = r->store;
    uint32_t slot = r->slots[item], changed = 0;
    uint64_t value = r->forest->values != NULL ? r->forest->values[item] : 0;
    uint64_t revision = r->forest->revisions != NULL ? r->forest->revisions[item] : 0;
    if (ct_word(&store->values, slot) != value) changed |= CTREE_CHANGED_VALUE;
    if (ct_word(&store->revisions, slot) != revision) changed |= CTREE_CHANGED_REVISION;
    if (changed != 0) ct_edit_tell_value(store, slot, changed, value, revision);
}

static void change_state(ct_reconciling *r, uint32_t item) {
    ctree_store *store = r->store;
    uint32_t slot = r->slots[item];
    ctree_load_state state = ct_forest_state(r->forest, &r->shape, item);
    if (state == CTREE_STATE_LEAF) {
        ct_make_leaf(store, slot);
    } else if (state == CTREE_STATE_UNLOADED && ct_state(ct_hot_at(store, slot)) == CTREE_STATE_LEAF) {
        ct_edit_tell_state(store, slot, CTREE_STATE_UNLOADED, false);
    }
}

void ct_reconcile_apply(ct_reconciling *r) {
    ctree_store *store = r->store;
    uint32_t count = r->shape.count;
    for (uint32_t item = 0; item < count; item++) {
        if ((r->flags[item] & CT_ITEM_NEW) != 0) ct_slots_hide(store, r->slots[item]);
    }
    work_on(r, count);
    for (uint32_t i = 0; i < count; i++) work_on(r, r->shape.order[i]);
    remove_late(r);
    ct_children_trim(store, r->parent);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t item = r->shape.order[i];
        if ((r->flags[item] & CT_ITEM_NEW) != 0) continue;
        change_values(r, item);
        change_state(r, item);
        ct_children_trim(store, r->slots[item]);
    }
}
