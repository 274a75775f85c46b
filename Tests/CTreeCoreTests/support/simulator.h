/*
 * A table that tolerates nothing: it takes batch updates as UITableView and UICollectionView do, and refuses all that
 * any of them may refuse. It asks a data source for counts and cells at every stage, shows cells by key and look, and
 * says which rule an update broke.
 *
 * The rules. Old numbers count what is shown before the update, new ones what is shown after it.
 *   1 Deletes, reloads and sources of moves are old; inserts and targets of moves are new. The order of calls means
 *   nothing. 2 Every path exists in its own numbering. 3 Sections: new count = old count - deleted + inserted. 4 A
 *   section that survives: new rows = old rows - deleted - moved out + inserted + moved in. 5 Survivors fill the
 *   places that no insert and no move claims, in their old order. 6 Nothing twice in one kind. 7 Deletes and sources
 *   share nothing, nor inserts and targets, deletes and reloads, reloads and sources. 8 The same for sections. 9 No
 *   change of rows in a section that is deleted, inserted or reloaded. 10 No reload in an update that moves something
 *   at that level. 11 No change of rows in a section that moves. 12 No move to where the thing would come to stand
 *   anyway. 13 The model switches once, inside the update: counts before it are the old ones. 14 One update at a
 *   time, from the last state that was shown. 15 Keys are unique in the whole model; a parent is there before its
 *   child.
 */
#ifndef TEST_SIMULATOR_H
#define TEST_SIMULATOR_H

#include "ctree/batch.h"

/* ---- What an update says --------------------------------------------------------------------------------------- */

typedef struct sim_path {
    uint32_t section, row;
} sim_path;

typedef struct sim_move {
    sim_path from, to;
} sim_move;

/* A growing list of one kind of change; sections are paths with row 0. */
typedef struct sim_list_of {
    sim_move *items; /* `to` is of moves only. */
    uint32_t count, room;
} sim_list_of;

/* The calls made between the beginning and the end of an update. */
typedef struct sim_update {
    sim_list_of deletes, inserts, reloads, moves;
    sim_list_of section_deletes, section_inserts, section_reloads, section_moves;
} sim_update;

void sim_update_free(sim_update *update); /* Empty again, and to be used again. */

void sim_delete(sim_update *update, uint32_t section, uint32_t row);
void sim_insert(sim_update *update, uint32_t section, uint32_t row);
void sim_reload(sim_update *update, uint32_t section, uint32_t row);
void sim_move_row(sim_update *update, uint32_t section, uint32_t row, uint32_t to_section, uint32_t to_row);
void sim_delete_section(sim_update *update, uint32_t section);
void sim_insert_section(sim_update *update, uint32_t section);
void sim_reload_section(sim_update *update, uint32_t section);
void sim_move_section(sim_update *update, uint32_t section, uint32_t to);

/* ---- Where it gets what it shows ------------------------------------------------------------------------------- */

/* A data source. All keys are non-zero; rows and sections have keys of their own. */
typedef struct sim_source {
    void *context;
    uint32_t (*section_count)(void *context);
    uint32_t (*row_count)(void *context, uint32_t section);
    uint64_t (*section_key)(void *context, uint32_t section);
    uint64_t (*section_look)(void *context, uint32_t section); /* Changes when its header looks different. */
    uint64_t (*row_key)(void *context, sim_path path);
    uint64_t (*row_look)(void *context, sim_path path);
    uint64_t (*row_parent)(void *context, sim_path path); /* The parent's key, or 0. May be NULL: no parents. */
} sim_source;

/* A model in arrays of somebody else's, and a source that answers from whichever model is the current one. */
typedef struct sim_model {
    uint32_t section_count;
    const uint64_t *section_keys, *section_looks;
    const uint32_t *starts; /* The first row of each section, and the number of rows. */
    const uint64_t *row_keys, *row_looks;
} sim_model;

sim_source sim_source_of(const sim_model **current);

/* ---- The table ------------------------------------------------------------------------------------------------- */

/* Which rule was broken, 0 for none, and how. */
typedef struct sim_breach {
    int rule;
    char text[160];
} sim_breach;

typedef struct sim_cell {
    uint64_t key, look;
} sim_cell;

typedef struct sim_section {
    uint64_t key, look;
    sim_cell *cells;
    uint32_t count;
} sim_section;

typedef struct sim_table {
    sim_source source;
    sim_section *sections;
    uint32_t count;
    bool updating;
} sim_table;

/* Loads everything anew, as after a reload. A table is zeroed before its first load. */
void sim_table_load(sim_table *table, sim_source source);
void sim_table_free(sim_table *table);

/* What runs inside an update, where the model switches. */
typedef void sim_switch(void *context);

/* Makes an update. False, and what is shown is as before, when it breaks a rule. */
bool sim_table_update(sim_table *table, const sim_update *update, sim_switch *inside, void *context,
                      sim_breach *breach);

/* Whether what is shown is what the source has: keys and looks. Rule 5 where it is not. */
bool sim_table_is_true(const sim_table *table, sim_breach *breach);

/* ---- Batches --------------------------------------------------------------------------------------------------- */

/* Whether a batch is as the header says: ascending, ranges as long as can be and not empty, in range. Rule 0 if not.
 */
bool sim_batch_is_tidy(const ctree_batch *batch, sim_breach *breach);
bool sim_section_batch_is_tidy(const ctree_section_batch *batch, sim_breach *breach);

/* Applies a batch to a table of one section, in its two stages: structure with the switch inside, then content. */
bool sim_table_apply(sim_table *table, const ctree_batch *batch, sim_switch *inside, void *context,
                     sim_breach *breach);

/*
 * The same with sections. Headers change by reloading their sections: in an update of their own, or `together` with
 * the changed rows, of which those in reloaded sections are left out then.
 */
bool sim_table_apply_sections(sim_table *table, const ctree_section_batch *batch, bool together, sim_switch *inside,
                              void *context, sim_breach *breach);

/* A breach with a text, for those who check more. Always false. */
bool sim_broken(sim_breach *breach, int rule, const char *what, uint64_t a, uint64_t b);

#endif
