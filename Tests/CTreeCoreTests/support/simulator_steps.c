#include "support/simulator_steps.h"

#include "support/assertions.h"

static void make_room(sim_list *list, uint32_t count) {
    if (count <= list->room) return;
    list->room = count + count / 2 + 8;
    list->keys = must(realloc(list->keys, list->room * sizeof *list->keys));
}

void sim_list_set(sim_list *list, const uint64_t *keys, uint32_t count) {
    make_room(list, count + 1);
    for (uint32_t i = 0; i < count; i++) list->keys[i] = keys[i];
    list->count = count;
}

void sim_list_free(sim_list *list) {
    free(list->keys);
    *list = (sim_list){NULL, 0, 0};
}

bool sim_list_delete(sim_list *list, uint32_t row, uint32_t count, sim_breach *breach) {
    if (count == 0 || (uint64_t)row + count > list->count) return sim_broken(breach, 1, "no such rows", row, count);
    memmove(list->keys + row, list->keys + row + count, (list->count - row - count) * sizeof *list->keys);
    list->count -= count;
    return true;
}

bool sim_list_insert(sim_list *list, uint32_t row, uint32_t count, const uint64_t *keys, sim_breach *breach) {
    if (count == 0 || row > list->count) return sim_broken(breach, 1, "no such place", row, count);
    make_room(list, list->count + count);
    memmove(list->keys + row + count, list->keys + row, (list->count - row) * sizeof *list->keys);
    memcpy(list->keys + row, keys, count * sizeof *keys);
    list->count += count;
    return true;
}

bool sim_list_move(sim_list *list, uint32_t from, uint32_t count, uint32_t to, sim_breach *breach) {
    if (count == 0 || (uint64_t)from + count > list->count) return sim_broken(breach, 1, "no such rows", from, count);
    if ((uint64_t)to + count > list->count) return sim_broken(breach, 1, "no such place", to, count);
    if (from == to) return sim_broken(breach, 5, "a move to where it is", from, to);
    uint64_t *moving = must(malloc(count * sizeof *moving));
    memcpy(moving, list->keys + from, count * sizeof *moving);
    bool done = sim_list_delete(list, from, count, breach) && sim_list_insert(list, to, count, moving, breach);
    free(moving);
    return done;
}

bool sim_list_move_qt(sim_list *list, uint32_t first, uint32_t last, uint32_t destination, sim_breach *breach) {
    if (first > last || last >= list->count) return sim_broken(breach, 1, "no such rows", first, last);
    if (destination > list->count) return sim_broken(breach, 1, "no such place", destination, list->count);
    if (destination >= first && destination <= last + 1) {
        return sim_broken(breach, 5, "a move to where it is", first, destination);
    }
    uint32_t count = last - first + 1;
    return sim_list_move(list, first, count, destination > last ? destination - count : destination, breach);
}

bool sim_list_items_changed(sim_list *list, uint32_t row, uint32_t removed, uint32_t added, const uint64_t *model,
                            uint32_t model_count, sim_breach *breach) {
    if (removed == 0 && added == 0) return sim_broken(breach, 5, "nothing changed", row, 0);
    if ((uint64_t)row + removed > list->count) return sim_broken(breach, 1, "no such rows", row, removed);
    if ((uint64_t)list->count - removed + added != model_count) {
        return sim_broken(breach, 5, "the lists do not agree", list->count - removed + added, model_count);
    }
    return (removed == 0 || sim_list_delete(list, row, removed, breach))
           && (added == 0 || sim_list_insert(list, row, added, model + row, breach))
           && sim_list_is(list, model, model_count, breach);
}

bool sim_list_is(const sim_list *list, const uint64_t *keys, uint32_t count, sim_breach *breach) {
    if (list->count != count) return sim_broken(breach, 1, "number of rows", list->count, count);
    for (uint32_t i = 0; i < count; i++) {
        if (list->keys[i] != keys[i]) return sim_broken(breach, 1, "another row", i, list->keys[i]);
    }
    return true;
}

/* ---- Replaying ------------------------------------------------------------------------------------------------- */

bool sim_list_replay_splices(sim_list *list, const ctree_splices *splices, const uint64_t *new_keys,
                             sim_breach *breach) {
    if (splices->old_count != list->count) return sim_broken(breach, 1, "old count", splices->old_count, list->count);
    uint32_t next = 0; /* No splice adjoins the one before. */
    uint64_t *model = must(malloc(((size_t)splices->old_count + splices->new_count + 1) * sizeof *model));
    bool done = true;
    for (uint32_t k = 0; k < splices->splice_count && done; k++) {
        ctree_splice s = splices->splices[k];
        done = (k == 0 || s.row > next) && (uint64_t)s.row + s.removed <= list->count
               && s.row + s.inserted <= splices->new_count;
        if (!done) {
            sim_broken(breach, 1, "splices out of order", s.row, next);
            break;
        }
        uint32_t rest = list->count - s.row - s.removed, there = s.row + s.inserted;
        memcpy(model, new_keys, there * sizeof *model);
        memcpy(model + there, list->keys + s.row + s.removed, rest * sizeof *model);
        done = sim_list_items_changed(list, s.row, s.removed, s.inserted, model, there + rest, breach);
        next = there;
    }
    free(model);
    return done && sim_list_is(list, new_keys, splices->new_count, breach);
}

bool sim_list_replay_steps(sim_list *list, const ctree_steps *steps, const uint64_t *new_keys, sim_breach *breach) {
    if (steps->old_count != list->count) return sim_broken(breach, 1, "old count", steps->old_count, list->count);
    uint32_t before = UINT32_MAX;
    for (uint32_t k = 0; k < steps->step_count; k++) {
        ctree_step s = steps->steps[k];
        uint32_t last_kind = k > 0 ? steps->steps[k - 1].kind : CTREE_STEP_DELETE;
        if (s.kind < last_kind) return sim_broken(breach, 1, "kinds out of order", k, s.kind);
        if (s.kind != last_kind) before = 0;
        bool done = false;
        switch (s.kind) {
            case CTREE_STEP_DELETE:
                if ((uint64_t)s.from + s.count > before) return sim_broken(breach, 1, "not from the end", k, s.from);
                before = s.from;
                done = sim_list_delete(list, s.from, s.count, breach);
                break;
            case CTREE_STEP_MOVE: done = sim_list_move(list, s.from, s.count, s.to, breach); break;
            case CTREE_STEP_INSERT:
                if (s.to < before) return sim_broken(breach, 1, "not from the start", k, s.to);
                before = s.to + s.count;
                if (before > steps->new_count) return sim_broken(breach, 1, "beyond the end", k, s.to);
                done = sim_list_insert(list, s.to, s.count, new_keys + s.to, breach);
                break;
            default: sim_broken(breach, 1, "no such step", k, s.kind);
        }
        if (!done) return false;
    }
    return sim_list_is(list, new_keys, steps->new_count, breach);
}
