/* Forests for tests, with the memory that they stand on, and a supply of identifiers of every shape. */
#ifndef TEST_FOREST_BOX_H
#define TEST_FOREST_BOX_H

#include "support/random.h"
#include "support/world.h"

/* The identifier of a number: different numbers, different identifiers. Bytes among them: none, NULs, thousands. The
   bytes last until the program ends. Numbers are below ID_SUPPLY. */
enum { ID_SUPPLY = 4096 };
ctree_id id_supply(ctree_id_kind kind, uint32_t number);

/* The identifier of a node that has one of these, in the same lasting bytes. */
ctree_id id_lasting(const twin *t, const twin_node *node);

/* All arrays have room for `room` items; each may be taken out of `forest` by a test. */
typedef struct forest_box {
    ctree_forest forest;
    ctree_id *ids;
    uint32_t *parents;
    uint64_t *values, *revisions, *numbers, *offsets;
    uint8_t *states, *bytes;
    ctree_node *outs;
} forest_box;

forest_box *forest_box_new(uint64_t count);
void forest_box_free(forest_box *box);

/* Lets numbers or packed bytes stand for the ids. */
void forest_box_pack(forest_box *box, ctree_id_kind kind);

/* How a random forest shall be. */
typedef struct forest_taste {
    const world *w;
    const twin_node *target; /* Identifiers are drawn from its children first; NULL: mostly fresh ones. */
    uint32_t most;           /* items */
    uint32_t ids;            /* numbers of identifiers are below this */
    uint32_t faulty_in;      /* One in so many has something wrong with it. 0: none on purpose. */
    uint64_t *next_value;    /* Values are drawn from here, so that each is seen once. */
} forest_taste;

forest_box *forest_box_random(random_source *source, const forest_taste *taste);

#endif
