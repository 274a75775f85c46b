/* Random pairs of lists, and everything that a diff of them must fulfil. */
#ifndef TEST_DIFF_PAIR_H
#define TEST_DIFF_PAIR_H

#include "ctree/diff.h"
#include "support/random.h"
#include "support/simulator.h"

/* One side. Keys are small numbers from 1 on; what they stand for depends on the kind of keys. */
typedef struct pair_side {
    uint64_t *section_keys, *section_looks, *row_keys, *row_looks;
    uint32_t *starts, *section_rows;
    uint32_t section_count, row_count;
} pair_side;

typedef struct diff_pair {
    pair_side before, after;
    bool sections;    /* Else all rows are in one section with key 1. */
    uint32_t kind;    /* A ctree_diff_keys. */
    uint64_t variety; /* From this the keys of the kind are made. */
} diff_pair;

/* How a random pair shall be. */
typedef struct pair_taste {
    bool sections;
    bool edited; /* A few local edits of the old side, not a side of its own. */
    uint32_t most_rows, most_sections;
} pair_taste;

diff_pair diff_pair_random(random_source *source, pair_taste taste);
void diff_pair_free(diff_pair *pair);

/* A side as the diff takes it. The arrays that it points to are freed by pair_list_free. */
ctree_diff_list pair_list(const diff_pair *pair, const pair_side *side);
void pair_list_free(ctree_diff_list *list);

sim_model pair_model(const pair_side *side);

/* The first key that stands twice, by the number of its second place. */
bool pair_find_twice(const uint64_t *keys, uint32_t count, uint32_t *first, uint32_t *second);

/* What the diff has to say of a pair in which a key stands twice; false where none does. */
bool diff_pair_duplicate(const diff_pair *pair, ctree_diff_duplicate *duplicate);

/* Runs the diff in all its forms and checks them by replaying, by the rules and by trying everything; ends the test
   when one fails. */
void diff_pair_check(const diff_pair *pair, random_source *source);

/* The same of a result that is there. */
void diff_pair_check_flat(const diff_pair *pair, const ctree_diff *diff);
void diff_pair_check_sections(const diff_pair *pair, const ctree_diff *diff, bool together);

#endif
