/* A view that records, a table that shows it by its batches alone, and what the table has to show. */
#ifndef TEST_VIEW_SCREEN_H
#define TEST_VIEW_SCREEN_H

#include "ctree/ctree.h"
#include "support/failing_allocator.h"
#include "support/random.h"
#include "support/simulator.h"

/* What a view shows at one moment, for the table and for the diff. */
typedef struct view_moment {
    uint64_t *rows, *looks, *sections, *section_looks;
    uint32_t *starts;
    uint32_t row_count, section_count;
    sim_model model;
} view_moment;

typedef struct view_screen {
    ctree_store *store;
    ctree_view *view;
    bool sections;       /* Told as sections and the rows in them. */
    bool loaded;         /* Something was accepted that the next batch can start from. */
    bool may_reload;     /* Memory was short, or a reload came with further edits: a reload is an answer. */
    uint64_t last_limit; /* Of the commit that is shown. */
    bool reloaded;       /* By that commit. */
    view_moment shown, next;
    const sim_model *current;
    sim_table table;
} view_screen;

void view_screen_free(view_screen *s);

/* Commits, with memory failing at the n-th allocation (0: none) and again without. A batch that must not be a reload,
   or that a strict table refuses, or that moves more than a diff of all rows would, ends the test. */
void view_screen_commit(view_screen *s, failing_allocator *memory, uint64_t fail_at, uint64_t limit);

/* Lets the table show what was committed last. */
void view_screen_show(view_screen *s);

/* `edited`: the store was edited after the commit. */
void view_screen_accept(view_screen *s, failing_allocator *memory, uint64_t fail_at, bool edited);

#endif
