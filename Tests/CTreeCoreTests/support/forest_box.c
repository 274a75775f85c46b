#include "support/forest_box.h"

#include "support/assertions.h"

/* ---- Identifiers --------------------------------------------------------------------------------------------- */

static size_t length_of(uint32_t number) {
    if (number < 4) return number;              /* the empty one, and NULs */
    if (number % 61 == 7) return 1000 + number; /* beyond what lies inline */
    if (number % 17 == 3) return 100 + number % 250;
    return 8 + number % 24;
}

ctree_id id_supply(ctree_id_kind kind, uint32_t number) {
    static unsigned char *supply[ID_SUPPLY]; /* kept for the length of the program, as identifiers are lent */
    CHECK(number < ID_SUPPLY);
    if (kind == CTREE_ID_U64) return ctree_id_u64(number < 3 ? number - (uint64_t)1 : number * UINT64_C(0x9E3779B9));
    size_t length = length_of(number);
    if (supply[number] == NULL) {
        unsigned char *bytes = must(calloc(1, length + 1));
        if (number >= 4) {
            for (size_t i = 0; i < length; i++) bytes[i] = (unsigned char)(number * 7 + i);
            memcpy(bytes + length - 4, &number, 4);
        }
        supply[number] = bytes;
    }
    return ctree_id_bytes(supply[number], length);
}

ctree_id id_lasting(const twin *t, const twin_node *node) {
    uint32_t number = (uint32_t)node->word;
    if (t->kind == CTREE_ID_U64) return ctree_id_u64(node->word);
    if (node->word >= 4) memcpy(&number, node->bytes + node->word - 4, 4);
    return id_supply(t->kind, number);
}

/* ---- Boxes --------------------------------------------------------------------------------------------------- */

forest_box *forest_box_new(uint64_t count) {
    forest_box *box = must(calloc(1, sizeof *box));
    size_t room = (size_t)count + 1;
    box->ids = must(calloc(room, sizeof *box->ids));
    box->parents = must(calloc(room, sizeof *box->parents));
    box->values = must(calloc(room, sizeof *box->values));
    box->revisions = must(calloc(room, sizeof *box->revisions));
    box->numbers = must(calloc(room, sizeof *box->numbers));
    box->offsets = must(calloc(room + 1, sizeof *box->offsets));
    box->states = must(calloc(room, sizeof *box->states));
    box->outs = must(calloc(room, sizeof *box->outs));
    for (uint64_t i = 0; i < count; i++) box->parents[i] = CTREE_END;
    box->forest = (ctree_forest){.size = sizeof box->forest,
                                 .count = count,
                                 .ids = box->ids,
                                 .parents = box->parents,
                                 .values = box->values,
                                 .revisions = box->revisions,
                                 .states = box->states};
    return box;
}

void forest_box_free(forest_box *box) {
    free(box->ids);
    free(box->parents);
    free(box->values);
    free(box->revisions);
    free(box->numbers);
    free(box->offsets);
    free(box->states);
    free(box->bytes);
    free(box->outs);
    free(box);
}

void forest_box_pack(forest_box *box, ctree_id_kind kind) {
    box->forest.ids = NULL;
    if (kind == CTREE_ID_U64) {
        for (uint64_t i = 0; i < box->forest.count; i++) box->numbers[i] = box->ids[i].word;
        box->forest.numbers = box->numbers;
        return;
    }
    for (uint64_t i = 0; i < box->forest.count; i++) box->offsets[i + 1] = box->offsets[i] + box->ids[i].word;
    box->bytes = must(malloc((size_t)box->offsets[box->forest.count] + 1));
    for (uint64_t i = 0; i < box->forest.count; i++) {
        if (box->ids[i].word == 0) continue;
        memcpy(box->bytes + box->offsets[i], box->ids[i].bytes, (size_t)box->ids[i].word);
    }
    box->forest.bytes = box->bytes;
    box->forest.offsets = box->offsets;
}

/* ---- Random ones --------------------------------------------------------------------------------------------- */

static ctree_id fresh_id(random_source *source, const forest_taste *taste) {
    return id_supply(taste->w->twin->kind, random_below(source, taste->ids));
}

/* Mostly of a child of the target, else of anywhere, else one that may not be there. */
static ctree_id some_id(random_source *source, const forest_taste *taste) {
    const twin *t = taste->w->twin;
    uint32_t roll = random_below(source, 16);
    if (taste->target != NULL && roll < 10 && taste->target->count > 0) {
        return id_lasting(t, taste->target->children[random_below(source, taste->target->count)]);
    }
    if (taste->target != NULL && roll < 13 && t->count > 0) {
        return id_lasting(t, t->nodes[random_below(source, t->count)]);
    }
    return fresh_id(source, taste);
}

static bool is_taken(const forest_taste *taste, const forest_box *box, uint32_t item, ctree_id id) {
    for (uint32_t i = 0; i < item; i++) {
        if (twin_same_id(taste->w->twin, box->ids[i], id)) return true;
    }
    return false;
}

/* A new node needs an identifier that the store does not have, where a test wants the call to succeed. */
static bool is_free(const forest_taste *taste, const forest_box *box, uint32_t item, ctree_id id) {
    if (is_taken(taste, box, item, id)) return false;
    return taste->target != NULL || twin_find(taste->w->twin, id) == NULL;
}

static void draw_ids(random_source *source, const forest_taste *taste, forest_box *box) {
    for (uint32_t i = 0; i < box->forest.count; i++) {
        for (uint32_t tries = 0; tries < 8; tries++) {
            box->ids[i] = some_id(source, taste);
            if (is_free(taste, box, i, box->ids[i])) break;
        }
    }
}

/* Items in random order, each below one that comes before it in that order, or below none. */
static void draw_parents(random_source *source, forest_box *box) {
    uint32_t count = (uint32_t)box->forest.count;
    uint32_t *order = must(malloc(((size_t)count + 1) * sizeof *order));
    for (uint32_t i = 0; i < count; i++) order[i] = i;
    bool shuffled = random_chance(source, 1, 2);
    for (uint32_t i = count; shuffled && i > 1; i--) {
        uint32_t k = random_below(source, i), held = order[i - 1];
        order[i - 1] = order[k];
        order[k] = held;
    }
    uint32_t tops_in = 2 + random_below(source, 6);
    for (uint32_t i = 1; i < count; i++) {
        if (!random_chance(source, 1, tops_in)) box->parents[order[i]] = order[random_below(source, i)];
    }
    free(order);
}

static bool is_parent(const forest_box *box, uint32_t item) {
    for (uint64_t i = 0; i < box->forest.count; i++) {
        if (box->parents[i] == item) return true;
    }
    return false;
}

static void draw_states(random_source *source, forest_box *box) {
    static const uint8_t states[] = {CTREE_STATE_KEEP,     CTREE_STATE_KEEP, CTREE_STATE_LEAF,
                                     CTREE_STATE_UNLOADED, CTREE_STATE_KEEP, CTREE_STATE_LOADED};
    for (uint32_t i = 0; i < box->forest.count; i++) {
        box->states[i] = is_parent(box, i) ? CTREE_STATE_LOADED : states[random_below(source, sizeof states)];
    }
}

static void draw_values(random_source *source, const forest_taste *taste, forest_box *box) {
    for (uint32_t i = 0; i < box->forest.count; i++) {
        const twin_node *known = taste->target == NULL ? NULL : twin_find(taste->w->twin, box->ids[i]);
        bool keeps = known != NULL && random_chance(source, 3, 4);
        box->values[i] = keeps ? known->value : ++*taste->next_value;
        box->revisions[i] = keeps ? known->revision : random_below(source, 3);
    }
}

static void spoil(random_source *source, forest_box *box) {
    uint32_t count = (uint32_t)box->forest.count, item = random_below(source, count);
    switch (random_below(source, 6)) {
        case 0: box->parents[item] = count + random_below(source, 2); break;
        case 1: box->parents[item] = random_below(source, count); break; /* a cycle, maybe */
        case 2: box->ids[item] = box->ids[random_below(source, count)]; break;
        case 3: box->states[item] = (uint8_t)random_below(source, 8); break;
        case 4: box->ids[item].bytes = box->ids[item].bytes == NULL ? "other" : NULL; break;
        default: box->forest.ids = NULL; break;
    }
}

forest_box *forest_box_random(random_source *source, const forest_taste *taste) {
    uint32_t count = random_below(source, taste->most + 1);
    forest_box *box = forest_box_new(count);
    draw_ids(source, taste, box);
    if (random_chance(source, 1, 2)) {
        draw_parents(source, box);
    } else if (random_chance(source, 1, 2)) {
        box->forest.parents = NULL;
    }
    draw_states(source, box);
    draw_values(source, taste, box);
    if (random_chance(source, 1, 4)) box->forest.states = NULL;
    if (random_chance(source, 1, 8)) box->forest.values = NULL;
    if (random_chance(source, 1, 8)) box->forest.revisions = NULL;
    bool spoilt = taste->faulty_in > 0 && count > 0 && random_chance(source, 1, taste->faulty_in);
    if (spoilt) {
        spoil(source, box);
    } else if (random_chance(source, 1, 2)) {
        forest_box_pack(box, taste->w->twin->kind);
    }
    return box;
}
