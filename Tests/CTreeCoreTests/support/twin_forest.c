/*
 * Bulk build and reconcile, written down as what they shall come to: every item is matched with its node or is new;
 * a node is removed when it stood in a list that is replaced, or below a node that is removed, and no item names it.
 */
#include "support/assertions.h"
#include "support/twin.h"

ctree_id twin_item_id(const ctree_forest *forest, uint64_t item) {
    if (forest->ids != NULL) return forest->ids[item];
    if (forest->numbers != NULL) return ctree_id_u64(forest->numbers[item]);
    uint64_t start = forest->offsets[item];
    return ctree_id_bytes((const unsigned char *)forest->bytes + start, (size_t)(forest->offsets[item + 1] - start));
}

static uint32_t item_parent(const ctree_forest *forest, uint64_t item) {
    return forest->parents == NULL ? CTREE_END : forest->parents[item];
}

static bool has_children(const ctree_forest *forest, uint64_t item) {
    for (uint64_t i = 0; i < forest->count; i++) {
        if (item_parent(forest, i) == item) return true;
    }
    return false;
}

static uint32_t item_state(const ctree_forest *forest, uint64_t item) {
    if (forest->states != NULL) return forest->states[item];
    return has_children(forest, item) ? CTREE_STATE_LOADED : CTREE_STATE_LEAF;
}

/* Whether the parents lead to the top. */
static bool is_rooted(const ctree_forest *forest, uint64_t item) {
    for (uint64_t steps = 0; steps <= forest->count; steps++) {
        uint32_t parent = item_parent(forest, item);
        if (parent == CTREE_END || parent >= forest->count) return true;
        item = parent;
    }
    return false;
}

static bool same_scope(const twin *t, const ctree_forest *forest, uint64_t a, uint64_t b) {
    return t->scope == CTREE_SCOPE_STORE || item_parent(forest, a) == item_parent(forest, b);
}

/* ---- Faults of an input -------------------------------------------------------------------------------------- */

static ctree_status arrays_fit(const twin *t, const ctree_forest *forest) {
    bool packed = forest->bytes != NULL || forest->offsets != NULL;
    int kinds = (forest->ids != NULL) + (forest->numbers != NULL) + packed;
    if (forest->count == 0) return kinds <= 1 ? CTREE_OK : CTREE_INVALID;
    if (kinds != 1 || (forest->numbers != NULL && t->kind != CTREE_ID_U64)) return CTREE_INVALID;
    if (!packed) return CTREE_OK;
    if (t->kind != CTREE_ID_BYTES || forest->offsets == NULL) return CTREE_INVALID;
    for (uint64_t i = 0; i < forest->count; i++) {
        if (forest->offsets[i + 1] < forest->offsets[i]) return CTREE_INVALID;
    }
    return CTREE_OK;
}

/* What is wrong with one item, as a set of statuses: of the forest alone. */
static uint32_t faults_of_item(const twin *t, const ctree_forest *forest, uint64_t item) {
    uint32_t faults = 0;
    uint32_t parent = item_parent(forest, item);
    if (parent != CTREE_END && parent >= forest->count) faults |= 1u << CTREE_INVALID;
    if (!twin_id_fits(t, twin_item_id(forest, item))) faults |= 1u << CTREE_INVALID;
    uint32_t state = item_state(forest, item);
    bool known = state == CTREE_STATE_LEAF || state == CTREE_STATE_UNLOADED || state == CTREE_STATE_LOADED
                 || state == CTREE_STATE_KEEP;
    if (!known || (state != CTREE_STATE_LOADED && has_children(forest, item))) faults |= 1u << CTREE_INVALID;
    if (!is_rooted(forest, item)) faults |= 1u << CTREE_CYCLE;
    return faults;
}

static bool is_repeated(const twin *t, const ctree_forest *forest, uint64_t earlier, uint64_t later) {
    return earlier < later && same_scope(t, forest, earlier, later)
           && twin_same_id(t, twin_item_id(forest, earlier), twin_item_id(forest, later));
}

static uint32_t faults_of_forest(const twin *t, const ctree_forest *forest) {
    uint32_t faults = 0;
    for (uint64_t i = 0; i < forest->count; i++) {
        faults |= faults_of_item(t, forest, i);
        for (uint64_t k = 0; k < i; k++) {
            if (is_repeated(t, forest, k, i)) faults |= 1u << CTREE_DUPLICATE;
        }
    }
    return faults;
}

bool twin_forest_is_sound(const twin *t, const ctree_forest *forest) {
    return arrays_fit(t, forest) == CTREE_OK && faults_of_forest(t, forest) == 0;
}

static ctree_status one_of(twin *t, uint32_t faults) {
    t->also |= faults;
    for (uint32_t status = 1; status < 16; status++) {
        if ((faults >> status & 1) != 0) return (ctree_status)status;
    }
    return CTREE_OK;
}

/* ---- Build --------------------------------------------------------------------------------------------------- */

static uint32_t new_state(uint32_t state) { return state == CTREE_STATE_KEEP ? CTREE_STATE_UNLOADED : state; }

static twin_node *new_item(twin *t, const ctree_forest *forest, uint64_t item) {
    return twin_new_node(t, twin_item_id(forest, item), forest->values != NULL ? forest->values[item] : 0,
                         forest->revisions != NULL ? forest->revisions[item] : 0,
                         new_state(item_state(forest, item)));
}

ctree_status twin_build(twin *t, ctree_node parent, uint32_t at, const ctree_forest *forest, twin_node **out) {
    if (arrays_fit(t, forest) != CTREE_OK) return CTREE_INVALID;
    twin_node *above = twin_parent_of(t, parent);
    if (above == NULL) return CTREE_STALE;
    if (at != CTREE_END && at > above->count) return CTREE_RANGE;
    uint32_t faults = faults_of_forest(t, forest);
    for (uint64_t i = 0; i < forest->count; i++) {
        bool outside = t->scope == CTREE_SCOPE_STORE || item_parent(forest, i) == CTREE_END;
        if (outside && twin_id_fits(t, twin_item_id(forest, i))
            && twin_holder(t, above, twin_item_id(forest, i)) != NULL) {
            faults |= 1u << CTREE_DUPLICATE;
        }
    }
    if (t->count + forest->count > t->limit) faults |= 1u << CTREE_LIMIT;
    if (faults != 0) return one_of(t, faults);
    if (forest->count == 0) return CTREE_OK;

    if (at == CTREE_END) at = above->count;
    uint32_t placed = 0;
    for (uint64_t i = 0; i < forest->count; i++) out[i] = new_item(t, forest, i);
    for (uint64_t i = 0; i < forest->count; i++) {
        uint32_t over = item_parent(forest, i);
        if (over == CTREE_END) {
            twin_link(above, at + placed++, out[i]);
        } else {
            twin_link(out[over], CTREE_END, out[i]);
        }
    }
    twin_gets_children(above);
    for (uint64_t i = 0; i < forest->count; i++) twin_came(t, out[i]);
    return CTREE_OK;
}

/* ---- Reconcile ----------------------------------------------------------------------------------------------- */

/* The node each item is found again as, NULL for a new one. */
void twin_match(const twin *t, const twin_node *parent, const ctree_forest *forest, twin_node **matched) {
    for (uint64_t i = 0; i < forest->count; i++) {
        matched[i] = t->scope == CTREE_SCOPE_STORE ? twin_find(t, twin_item_id(forest, i)) : NULL;
    }
    if (t->scope == CTREE_SCOPE_STORE) return;
    /* An item's parent may follow it in the arrays: once more for each level that does. */
    for (bool again = true; again;) {
        again = false;
        for (uint64_t i = 0; i < forest->count; i++) {
            uint32_t over = item_parent(forest, i);
            const twin_node *above = over == CTREE_END ? parent : matched[over];
            if (matched[i] != NULL || above == NULL) continue;
            matched[i] = twin_find_child(t, above, twin_item_id(forest, i));
            if (matched[i] != NULL) again = true;
        }
    }
}

enum { MATCHED = 1, REPLACED = 2, INSIDE = 4, REMOVED = 8 };

/* Marks who is matched, whose list is replaced, who stands where nodes move freely, and who is removed. */
static void mark(const twin *t, twin_node *parent, const ctree_forest *forest, twin_node **matched) {
    t->top->mark = 0;
    for (uint32_t i = 0; i < t->count; i++) t->nodes[i]->mark = 0;
    for (uint64_t i = 0; i < forest->count; i++) {
        if (matched[i] == NULL) continue;
        uint32_t state = item_state(forest, i);
        matched[i]->mark |= MATCHED;
        if (state == CTREE_STATE_LOADED || state == CTREE_STATE_LEAF) matched[i]->mark |= REPLACED;
    }
    parent->mark |= REPLACED;
    for (twin_node *node = twin_next(t->top, NULL, false); node != NULL; node = twin_next(node, NULL, false)) {
        if ((node->parent->mark & (REPLACED | REMOVED)) == 0) continue;
        node->mark |= INSIDE;
        if ((node->mark & MATCHED) == 0) node->mark |= REMOVED;
    }
}

static uint32_t faults_of_places(const twin *t, const twin_node *parent, const ctree_forest *forest,
                                 twin_node **matched, uint32_t elsewhere) {
    uint32_t faults = 0;
    uint64_t remaining = forest->count;
    for (uint64_t i = 0; i < forest->count; i++) {
        if (matched[i] == NULL) continue;
        remaining--;
        if (twin_is_within(parent, matched[i])) {
            faults |= 1u << CTREE_CYCLE;
        } else if (elsewhere == CTREE_ELSEWHERE_FAILS && (matched[i]->mark & INSIDE) == 0) {
            faults |= 1u << CTREE_DUPLICATE;
        }
    }
    /* What is new comes to be before the old goes. */
    if (t->count + remaining > t->limit) faults |= 1u << CTREE_LIMIT;
    return faults;
}

/* What else may be said of a forest that has faults of its own, so that its items cannot be matched. */
static uint32_t faults_of_known(const twin *t, const twin_node *parent, const ctree_forest *forest,
                                uint32_t elsewhere) {
    uint32_t faults = t->count + forest->count > t->limit ? 1u << CTREE_LIMIT : 0;
    for (uint64_t i = 0; i < forest->count && t->scope == CTREE_SCOPE_STORE; i++) {
        const twin_node *known =
            twin_id_fits(t, twin_item_id(forest, i)) ? twin_find(t, twin_item_id(forest, i)) : NULL;
        if (known == NULL) continue;
        if (twin_is_within(parent, known)) {
            faults |= 1u << CTREE_CYCLE;
        } else if (elsewhere == CTREE_ELSEWHERE_FAILS) {
            faults |= 1u << CTREE_DUPLICATE;
        }
    }
    return faults;
}

static void take_state(twin *t, twin_node *node, uint32_t state) {
    if (state == CTREE_STATE_LEAF && node->state != CTREE_STATE_LEAF) {
        twin_make_leaf(t, node);
    } else if (state == CTREE_STATE_UNLOADED && node->state == CTREE_STATE_LEAF) {
        node->state = CTREE_STATE_UNLOADED;
        twin_may_open(t, node);
    } else if (state == CTREE_STATE_LOADED) {
        twin_gets_whole_list(node);
    }
}

static void place(twin *t, twin_node *parent, const ctree_forest *forest, twin_node **matched, twin_node **out) {
    for (uint64_t i = 0; i < forest->count; i++) {
        if (matched[i] != NULL) twin_unlink(matched[i]);
    }
    for (bool again = true; again;) { /* what is left below a removed node is removed with it */
        again = false;
        for (uint32_t i = 0; i < t->count && !again; i++) {
            if ((t->nodes[i]->mark & REMOVED) == 0) continue;
            twin_kill(t, t->nodes[i], true);
            again = true;
        }
    }
    for (uint64_t i = 0; i < forest->count; i++) out[i] = matched[i] != NULL ? matched[i] : new_item(t, forest, i);
    for (uint64_t i = 0; i < forest->count; i++) {
        uint32_t over = item_parent(forest, i);
        twin_link(over == CTREE_END ? parent : out[over], CTREE_END, out[i]);
        if (matched[i] == NULL) continue;
        twin_set_words(t, out[i], forest->values != NULL ? forest->values[i] : 0,
                       forest->revisions != NULL ? forest->revisions[i] : 0);
    }
    for (uint64_t i = 0; i < forest->count; i++) {
        if (matched[i] == NULL) {
            twin_came(t, out[i]);
        } else {
            /* Whether it was moved to get here, or something above it, and how, is left to the engine. */
            twin_passed(t, out[i]);
            take_state(t, out[i], item_state(forest, i));
        }
    }
}

ctree_status twin_replace(twin *t, twin_node *parent, const ctree_forest *forest, uint32_t elsewhere,
                          twin_node **out) {
    uint32_t faults = faults_of_forest(t, forest);
    if (faults != 0) return one_of(t, faults | faults_of_known(t, parent, forest, elsewhere));
    size_t room = forest->count > 0 ? (size_t)forest->count : 1;
    twin_node **matched = must(calloc(room, sizeof(twin_node *)));
    twin_match(t, parent, forest, matched);
    mark(t, parent, forest, matched);
    faults = faults_of_places(t, parent, forest, matched, elsewhere);
    if (faults == 0) place(t, parent, forest, matched, out);
    free(matched);
    return one_of(t, faults);
}

ctree_status twin_reconcile(twin *t, ctree_node parent, const ctree_forest *forest, uint32_t elsewhere,
                            twin_node **out) {
    if (elsewhere > CTREE_ELSEWHERE_MOVES || arrays_fit(t, forest) != CTREE_OK) return CTREE_INVALID;
    twin_node *above = twin_parent_of(t, parent);
    if (above == NULL) return CTREE_STALE;
    ctree_status status = twin_replace(t, above, forest, elsewhere, out);
    if (status != CTREE_OK) return status;
    twin_gets_whole_list(above);
    return CTREE_OK;
}

/* ---- What the engine said of a fault ------------------------------------------------------------------------- */

bool twin_fault_is_true(const twin *t, const twin_node *parent, ctree_status status, const ctree_fault *fault,
                        const ctree_forest *forest) {
    if (fault->item == CTREE_NO_ITEM) return fault->other_item == CTREE_NO_ITEM && fault->node == CTREE_NONE;
    if (fault->item >= forest->count) return false;
    if (status == CTREE_DUPLICATE && fault->other_item != CTREE_NO_ITEM) {
        return fault->node == CTREE_NONE && is_repeated(t, forest, fault->other_item, fault->item);
    }
    if (fault->other_item != CTREE_NO_ITEM) return false;
    if (fault->node != CTREE_NONE) {
        const twin_node *node = twin_node_of(t, fault->node);
        if (node == NULL || !twin_same_id(t, twin_id(t, node), twin_item_id(forest, fault->item))) return false;
        if (status == CTREE_CYCLE) return twin_is_within(parent, node);
        return status == CTREE_DUPLICATE && (t->scope == CTREE_SCOPE_STORE || node->parent == parent);
    }
    if (status == CTREE_LIMIT) return true; /* the first item that there was no room for */
    return (faults_of_item(t, forest, fault->item) >> status & 1) != 0;
}
