#include "support/simulator.h"

#include "support/assertions.h"

bool sim_broken(sim_breach *breach, int rule, const char *what, uint64_t a, uint64_t b) {
    breach->rule = rule;
    snprintf(breach->text, sizeof breach->text, "rule %d: %s (%" PRIu64 ", %" PRIu64 ")", rule, what, a, b);
    return false;
}

/* ---- Calls ----------------------------------------------------------------------------------------------------- */

static void add(sim_list_of *list, sim_path from, sim_path to) {
    list->items = grown(list->items, list->count, &list->room, sizeof *list->items);
    list->items[list->count++] = (sim_move){from, to};
}

static void list_free(sim_list_of *list) {
    free(list->items);
    *list = (sim_list_of){NULL, 0, 0};
}

void sim_update_free(sim_update *update) {
    list_free(&update->deletes);
    list_free(&update->inserts);
    list_free(&update->reloads);
    list_free(&update->moves);
    list_free(&update->section_deletes);
    list_free(&update->section_inserts);
    list_free(&update->section_reloads);
    list_free(&update->section_moves);
}

static const sim_path nowhere = {0, 0};

void sim_delete(sim_update *update, uint32_t section, uint32_t row) {
    add(&update->deletes, (sim_path){section, row}, nowhere);
}

void sim_insert(sim_update *update, uint32_t section, uint32_t row) {
    add(&update->inserts, (sim_path){section, row}, nowhere);
}

void sim_reload(sim_update *update, uint32_t section, uint32_t row) {
    add(&update->reloads, (sim_path){section, row}, nowhere);
}

void sim_move_row(sim_update *update, uint32_t section, uint32_t row, uint32_t to_section, uint32_t to_row) {
    add(&update->moves, (sim_path){section, row}, (sim_path){to_section, to_row});
}

void sim_delete_section(sim_update *update, uint32_t section) {
    add(&update->section_deletes, (sim_path){section, 0}, nowhere);
}

void sim_insert_section(sim_update *update, uint32_t section) {
    add(&update->section_inserts, (sim_path){section, 0}, nowhere);
}

void sim_reload_section(sim_update *update, uint32_t section) {
    add(&update->section_reloads, (sim_path){section, 0}, nowhere);
}

void sim_move_section(sim_update *update, uint32_t section, uint32_t to) {
    add(&update->section_moves, (sim_path){section, 0}, (sim_path){to, 0});
}

/* ---- Models ---------------------------------------------------------------------------------------------------- */

static const sim_model *current(void *context) { return *(const sim_model **)context; }

static uint32_t model_section_count(void *context) { return current(context)->section_count; }

static uint32_t model_row_count(void *context, uint32_t section) {
    const sim_model *model = current(context);
    return model->starts[section + 1] - model->starts[section];
}

static uint64_t model_section_key(void *context, uint32_t section) { return current(context)->section_keys[section]; }

static uint64_t model_section_look(void *context, uint32_t section) {
    const uint64_t *looks = current(context)->section_looks;
    return looks != NULL ? looks[section] : 0;
}

static uint64_t model_row_key(void *context, sim_path path) {
    const sim_model *model = current(context);
    return model->row_keys[model->starts[path.section] + path.row];
}

static uint64_t model_row_look(void *context, sim_path path) {
    const sim_model *model = current(context);
    return model->row_looks != NULL ? model->row_looks[model->starts[path.section] + path.row] : 0;
}

sim_source sim_source_of(const sim_model **model) {
    return (sim_source){(void *)model,      model_section_count, model_row_count, model_section_key,
                        model_section_look, model_row_key,       model_row_look,  NULL};
}
