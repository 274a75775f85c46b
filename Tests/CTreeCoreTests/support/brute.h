/*
 * The least that a diff can tell, found by trying everything: what ctree/diff.h defines, word for word, for lists so
 * short that this can be done. It shares nothing with the diff.
 */
#ifndef TEST_BRUTE_H
#define TEST_BRUTE_H

#include "support/simulator.h"

/* As many kept rows, or sections, can be tried. */
enum { BRUTE_MOST = 14 };

/* The fewest rows that move, and then the fewest runs that tell them. */
typedef struct brute_moves {
    uint32_t rows, runs;
} brute_moves;

uint32_t brute_kept(const uint64_t *olds, uint32_t old_count, const uint64_t *news, uint32_t new_count);
brute_moves brute_least_moves(const uint64_t *olds, uint32_t old_count, const uint64_t *news, uint32_t new_count);

/* The same for longer lists, in quadratic time: for each row that stays the best way to stay before it. */
brute_moves brute_least_moves_of_many(const uint64_t *olds, uint32_t old_count, const uint64_t *news,
                                      uint32_t new_count);

/* What a choice of sections that stay costs, in the order in which it counts. */
typedef struct brute_sections {
    uint32_t not_staying; /* Kept sections that do not stay... */
    uint32_t renewed;     /* ...of these, those whose list of rows changed... */
    uint32_t rows;        /* ...and the rows of these, old and new. */
} brute_sections;

brute_sections brute_least_sections(const sim_model *before, const sim_model *after);

/* The cost of one choice: stays[s] says of each old section whether it is kept and stays. */
brute_sections brute_sections_cost(const sim_model *before, const sim_model *after, const bool *stays);

#endif
