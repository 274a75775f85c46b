#include "support/simulator_outline.h"

#include "support/assertions.h"

#define NOWHERE UINT32_MAX

void sim_outline_free(sim_outline *outline) {
    free(outline->items);
    *outline = (sim_outline){NULL, 0, 0};
}

static uint32_t find(const sim_outline *outline, uint64_t key) {
    for (uint32_t i = 0; i < outline->count; i++) {
        if (outline->items[i].key == key) return i;
    }
    return NOWHERE;
}

/* Where the child with an ordinal stands, or NOWHERE. */
static uint32_t child(const sim_outline *outline, uint64_t parent, uint32_t ordinal) {
    for (uint32_t i = 0; i < outline->count; i++) {
        if (outline->items[i].parent != parent) continue;
        if (ordinal-- == 0) return i;
    }
    return NOWHERE;
}

static uint32_t child_count(const sim_outline *outline, uint64_t parent) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < outline->count; i++) count += outline->items[i].parent == parent;
    return count;
}

static bool shows_children(const sim_outline *outline, uint64_t parent) {
    if (parent == 0) return true;
    uint32_t at = find(outline, parent);
    return at != NOWHERE && outline->items[at].expanded;
}

static bool is_below(const sim_outline *outline, uint64_t key, uint64_t ancestor) {
    while (key != 0) {
        if (key == ancestor) return true;
        key = outline->items[find(outline, key)].parent;
    }
    return false;
}

static void put(sim_outline *outline, uint32_t ordinal, sim_item item) {
    uint32_t at = child(outline, item.parent, ordinal);
    if (at == NOWHERE) at = outline->count;
    outline->items = grown(outline->items, outline->count, &outline->room, sizeof *outline->items);
    memmove(outline->items + at + 1, outline->items + at, (outline->count - at) * sizeof *outline->items);
    outline->items[at] = item;
    outline->count++;
}

static void take(sim_outline *outline, uint32_t at) {
    outline->count--;
    memmove(outline->items + at, outline->items + at + 1, (outline->count - at) * sizeof *outline->items);
}

bool sim_outline_insert(sim_outline *outline, uint64_t parent, uint32_t ordinal, uint64_t key, sim_breach *breach) {
    if (!shows_children(outline, parent))
        return sim_broken(breach, 2, "an insert that is not shown", parent, ordinal);
    if (ordinal > child_count(outline, parent)) return sim_broken(breach, 2, "no such place", parent, ordinal);
    if (find(outline, key) != NOWHERE) return sim_broken(breach, 15, "a key twice", key, parent);
    put(outline, ordinal, (sim_item){key, parent, false, false});
    return true;
}

/* Drops what is below an item. Returns how many of it were selected. */
static uint32_t drop_below(sim_outline *outline, uint64_t key) {
    uint32_t selected = 0;
    for (bool dropped = true; dropped;) {
        dropped = false;
        for (uint32_t i = outline->count; i-- > 0 && !dropped;) {
            if (outline->items[i].key == key || !is_below(outline, outline->items[i].key, key)) continue;
            if (child_count(outline, outline->items[i].key) > 0) continue;
            selected += outline->items[i].selected;
            take(outline, i);
            dropped = true;
        }
    }
    return selected;
}

bool sim_outline_remove(sim_outline *outline, uint64_t parent, uint32_t ordinal, sim_breach *breach) {
    uint32_t at = shows_children(outline, parent) ? child(outline, parent, ordinal) : NOWHERE;
    if (at == NOWHERE) return sim_broken(breach, 2, "no such child", parent, ordinal);
    uint64_t key = outline->items[at].key;
    drop_below(outline, key);
    take(outline, find(outline, key));
    return true;
}

bool sim_outline_move(sim_outline *outline, uint64_t parent, uint32_t ordinal, uint64_t to_parent, uint32_t to,
                      sim_breach *breach) {
    uint32_t at = shows_children(outline, parent) ? child(outline, parent, ordinal) : NOWHERE;
    if (at == NOWHERE) return sim_broken(breach, 2, "no such child", parent, ordinal);
    if (!shows_children(outline, to_parent))
        return sim_broken(breach, 2, "a move to where nothing is shown", to_parent, to);
    sim_item item = outline->items[at];
    if (is_below(outline, to_parent, item.key))
        return sim_broken(breach, 4, "a move below itself", item.key, to_parent);
    if (to > child_count(outline, to_parent) - (parent == to_parent)) {
        return sim_broken(breach, 2, "no such place", to_parent, to);
    }
    if (parent == to_parent && ordinal == to) return sim_broken(breach, 4, "a move to where it is", parent, to);
    take(outline, at);
    item.parent = to_parent;
    put(outline, to, item);
    return true;
}

bool sim_outline_expand(sim_outline *outline, uint64_t key, const uint64_t *children, uint32_t count,
                        sim_breach *breach) {
    uint32_t at = find(outline, key);
    if (at == NOWHERE || outline->items[at].expanded) return sim_broken(breach, 2, "nothing to expand", key, count);
    outline->items[at].expanded = true;
    for (uint32_t i = 0; i < count; i++) {
        if (!sim_outline_insert(outline, key, i, children[i], breach)) return false;
    }
    return true;
}

bool sim_outline_collapse(sim_outline *outline, uint64_t key, bool deselects, uint32_t *deselected,
                          sim_breach *breach) {
    uint32_t at = find(outline, key);
    if (at == NOWHERE || !outline->items[at].expanded) return sim_broken(breach, 2, "nothing to collapse", key, 0);
    uint32_t selected = drop_below(outline, key);
    outline->items[find(outline, key)].expanded = false;
    *deselected = deselects ? selected : 0;
    return true;
}

void sim_outline_select(sim_outline *outline, uint64_t key) { outline->items[find(outline, key)].selected = true; }

bool sim_outline_deselect(sim_outline *outline, uint64_t key, sim_breach *breach) {
    uint32_t at = find(outline, key);
    if (at == NOWHERE || !outline->items[at].selected) return sim_broken(breach, 6, "not selected any more", key, 0);
    outline->items[at].selected = false;
    return true;
}

uint32_t sim_outline_rows(const sim_outline *outline, uint64_t *keys, uint32_t room) {
    uint32_t count = 0;
    uint64_t parent = 0;
    uint32_t ordinal = 0;
    for (;;) {
        uint32_t at = child(outline, parent, ordinal);
        if (at != NOWHERE) {
            if (count < room) keys[count] = outline->items[at].key;
            count++;
            parent = outline->items[at].key;
            ordinal = 0;
            continue;
        }
        if (parent == 0) return count;
        /* All below `parent` is there: on behind it. */
        uint32_t here = find(outline, parent);
        uint64_t above = outline->items[here].parent;
        ordinal = 1;
        for (uint32_t i = 0; i < here; i++) ordinal += outline->items[i].parent == above;
        parent = above;
    }
}
