/* Random programs over a store with several views: everything that moves rows. */
#ifndef TEST_LIVE_PROGRAM_H
#define TEST_LIVE_PROGRAM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ctree/ctree.h"
#include "support/random.h"
#include "view/view.h"

enum { VIEWS = 5, MOST = 4096 };

typedef struct program {
    ctree_store *store;
    ctree_view *views[VIEWS];
    random_source random;
    uint64_t next_id;
    uint32_t most;         /* nodes */
    ctree_node folders[3]; /* With many children, where the program has such; they may be gone. */
} program;

static uint32_t below(program *p, uint32_t bound) { return random_below(&p->random, bound); }

static ctree_node any_node(program *p) {
    uint32_t used = p->store->used;
    for (int tries = 0; tries < 20 && used > 1; tries++) {
        uint32_t slot = 1 + below(p, used - 1);
        if (ct_is_live(p->store, slot)) return ct_node_at(p->store, slot);
    }
    return CTREE_NONE;
}

/* ---- One step ---------------------------------------------------------------------------------------------------
 */

static void build(program *p, uint32_t count) {
    uint64_t ids[512];
    uint32_t parents[512];
    if (count > 512) count = 512;
    uint32_t shape = below(p, 4);
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = p->next_id++;
        parents[i] = i == 0 || below(p, 20) == 0 ? CTREE_END : shape == 0 ? i - 1 : shape == 1 ? 0 : below(p, i);
    }
    ctree_forest forest = CTREE_FOREST_INIT;
    forest.count = count;
    forest.numbers = ids;
    forest.parents = parents;
    ctree_node parent = below(p, 4) == 0 ? CTREE_NONE : any_node(p);
    assert_int_equal(ctree_store_build(p->store, parent, CTREE_END, &forest, NULL, NULL, NULL), CTREE_OK);
}

/* A list of nodes from all over, and of new ones, some below others. */
static void reconcile(program *p) {
    uint64_t ids[64];
    uint32_t parents[64];
    uint8_t states[64];
    ctree_node parent = below(p, 4) == 0 ? CTREE_NONE : any_node(p);
    uint32_t count = 0, present = ctree_store_child_count(p->store, parent), wanted = below(p, 64);
    uint32_t keep = below(p, 4);
    for (uint32_t i = 0; i < wanted; i++) {
        ctree_node node = CTREE_NONE;
        if (keep != 0 && i < present)
            node = ctree_store_child_at(p->store, parent, below(p, 10) != 0 ? i : below(p, present));
        if (below(p, 8) == 0) node = any_node(p);
        uint64_t id = p->next_id;
        ctree_id found;
        if (node != CTREE_NONE && below(p, 10) != 0 && ctree_store_id(p->store, node, &found) == CTREE_OK) {
            id = found.word;
        } else {
            p->next_id++;
        }
        uint32_t known = 0;
        while (known < count && ids[known] != id) known++;
        if (known != count) continue;
        ids[count] = id;
        parents[count] = count != 0 && below(p, 3) == 0 ? below(p, count) : CTREE_END;
        states[count] = below(p, 3) == 0 ? CTREE_STATE_KEEP : CTREE_STATE_LOADED;
        if (parents[count] != CTREE_END) states[parents[count]] = CTREE_STATE_LOADED;
        count++;
    }
    ctree_forest forest = CTREE_FOREST_INIT;
    forest.count = count;
    forest.numbers = ids;
    forest.parents = parents;
    forest.states = states;
    ctree_store_reconcile(p->store, parent, &forest, CTREE_ELSEWHERE_MOVES, NULL, NULL, NULL);
}

typedef struct sheet {
    uint64_t ids[1024];
    uint32_t parents[1024];
    uint8_t states[1024];
    uint32_t count;
} sheet;

static void write_item(program *p, sheet *s, ctree_node node, uint32_t parent) {
    ctree_id id = {0};
    if (s->count == 1024) return;
    if (node == CTREE_NONE) {
        id.word = p->next_id++;
    } else {
        assert_int_equal(ctree_store_id(p->store, node, &id), CTREE_OK);
    }
    s->ids[s->count] = id.word;
    s->parents[s->count] = parent;
    s->states[s->count++] = CTREE_STATE_KEEP;
    if (parent != CTREE_END) s->states[parent] = CTREE_STATE_LOADED;
}

/* The children of one node that has many, and theirs: most stay, some go, come, change places or move to a sibling.
 */
static void reconcile_many(program *p) {
    static sheet s;
    static ctree_node children[400];
    ctree_node parent = p->folders[below(p, 3)];
    bool planted = parent != CTREE_NONE && ct_slot_of(p->store, parent) != CT_TOP;
    if (!planted) parent = any_node(p);
    for (int tries = 0; tries < 30 && !planted; tries++) {
        ctree_node other = tries == 0 && below(p, 4) == 0 ? CTREE_NONE : any_node(p);
        if (ctree_store_child_count(p->store, other) > ctree_store_child_count(p->store, parent)) parent = other;
    }
    uint32_t count = ctree_store_child_count(p->store, parent), swaps = below(p, 3) * below(p, 100);
    if (count > 400) count = 400;
    uint32_t loss = 2 + below(p, 40);
    for (uint32_t i = 0; i < count; i++) children[i] = ctree_store_child_at(p->store, parent, i);
    for (; swaps > 0 && count > 1; swaps--) {
        uint32_t a = below(p, count), b = below(p, count);
        ctree_node swapped = children[a];
        children[a] = children[b];
        children[b] = swapped;
    }
    s.count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (below(p, loss) == 0) write_item(p, &s, CTREE_NONE, CTREE_END);
        if (below(p, loss) == 0) children[i] = CTREE_NONE; /* goes */
        if (children[i] != CTREE_NONE) write_item(p, &s, children[i], CTREE_END);
    }
    uint32_t tops = s.count;
    for (uint32_t i = 0; i < tops; i++) {
        ctree_node node = ctree_store_find(p->store, ctree_id_u64(s.ids[i]));
        uint32_t below_it = node == CTREE_NONE ? 0 : ctree_store_child_count(p->store, node);
        if (below(p, 3) == 0) continue; /* keeps its children */
        for (uint32_t k = 0; k < below_it; k++) {
            if (below(p, loss) == 0) continue;
            uint32_t item = below(p, loss) == 0 ? below(p, tops) : i;
            write_item(p, &s, ctree_store_child_at(p->store, node, k), item);
        }
    }
    ctree_forest forest = CTREE_FOREST_INIT;
    forest.count = s.count;
    forest.numbers = s.ids;
    forest.parents = s.parents;
    forest.states = s.states;
    ctree_store_reconcile(p->store, parent, &forest, CTREE_ELSEWHERE_MOVES, NULL, NULL, NULL);
}

/* Three folders of many children, each of which may have some; two at the top, one below a child of the first. */
static inline void plant_folders(program *p) {
    for (uint32_t f = 0; f < 3; f++) {
        uint64_t ids[360];
        uint32_t parents[360];
        ctree_node nodes[360];
        for (uint32_t i = 0; i < 360; i++) {
            ids[i] = p->next_id++;
            parents[i] = i == 0 ? CTREE_END : i < 250 ? 0 : below(p, i);
        }
        ctree_forest forest = CTREE_FOREST_INIT;
        forest.count = 360;
        forest.numbers = ids;
        forest.parents = parents;
        ctree_node parent = f < 2 ? CTREE_NONE : ctree_store_child_at(p->store, p->folders[0], 100);
        assert_int_equal(ctree_store_build(p->store, parent, CTREE_END, &forest, NULL, nodes, NULL), CTREE_OK);
        p->folders[f] = nodes[0];
    }
}

static inline void step(program *p) {
    ctree_view *view = p->views[below(p, VIEWS)];
    ctree_node node = any_node(p), other = below(p, 8) == 0 ? CTREE_NONE : any_node(p);
    uint32_t count = ctree_store_child_count(p->store, other);
    switch (below(p, 19)) {
        case 0:
        case 1:
        case 2: ctree_view_expand(view, node); break;
        case 3:
        case 4: ctree_view_collapse(view, node); break;
        case 5: ctree_view_reveal(view, node); break;
        case 6:
            if (below(p, 6) == 0)
                ctree_view_expand_all(view, other, below(p, 2) ? CTREE_ALL_LEVELS : 1 + below(p, 3), NULL);
            break;
        case 7:
            if (below(p, 6) == 0) ctree_view_collapse_all(view, other);
            break;
        case 8:
        case 9:
        case 10:
            if (p->store->count < p->most) {
                ctree_status status =
                    ctree_store_insert(p->store, other, below(p, count + 1), ctree_id_u64(p->next_id++), NULL, NULL);
                assert_int_equal(status, CTREE_OK);
            }
            break;
        case 11:
            if (p->store->count < p->most && below(p, 4) == 0) build(p, 1 + below(p, p->most / 4));
            break;
        case 12:
        case 13: ctree_store_move(p->store, node, other, below(p, 2) ? CTREE_END : below(p, count + 1)); break;
        case 14:
            if (below(p, 8) == 0) {
                ctree_store_remove(p->store, node);
            } else if (ctree_store_child_count(p->store, node) == 0) {
                ctree_store_remove(p->store, node);
            }
            break;
        case 15:
            if (below(p, 2) == 0 && p->store->count < p->most) reconcile(p);
            break;
        case 16:
            if (p->store->count < p->most) reconcile_many(p);
            break;
        default:
            if (count > 1) ctree_store_remove_children(p->store, other, below(p, count), below(p, 10) == 0 ? 1 : 0);
            if (below(p, 40) == 0) assert_int_equal(ctree_view_trim(view), CTREE_OK);
            if (below(p, 40) == 0) assert_int_equal(ctree_view_compact(view), CTREE_OK);
            break;
    }
}

#endif
