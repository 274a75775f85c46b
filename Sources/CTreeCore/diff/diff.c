#include "diff/result.h"

#include "base/options.h"
#include "diff/rows.h"
#include "diff/stepwise.h"

enum { ALL_FORMS = CTREE_DIFF_BATCH | CTREE_DIFF_SECTIONS | CTREE_DIFF_SPLICES | CTREE_DIFF_STEPS };
enum { FLAT_FORMS = CTREE_DIFF_BATCH | CTREE_DIFF_SPLICES | CTREE_DIFF_STEPS };

/* ---- What goes in --------------------------------------------------------------------------------------------- */

static ctree_status read_options(const ctree_diff_options *given, ctree_diff_options *options) {
    *options = (ctree_diff_options)CTREE_DIFF_OPTIONS_INIT;
    if (given == NULL) return CTREE_OK;
    if (!ct_read_options(options, sizeof *options, sizeof given->size, given)) return CTREE_INVALID;
    if (options->keys > CTREE_DIFF_IDS || (options->forms & ~(uint32_t)ALL_FORMS) != 0) return CTREE_INVALID;
    if (options->progress != NULL && options->progress->keep_going == NULL) return CTREE_INVALID;
    if (options->seed == NULL && options->seed_size != 0) return CTREE_INVALID;
    return CTREE_OK;
}

static bool ids_are_valid(const void *keys, uint32_t count) {
    const ctree_id *ids = keys;
    for (uint32_t i = 0; i < count; i++) {
        if ((ids[i].bytes == NULL && ids[i].word != 0) || ids[i].word > SIZE_MAX) return false;
    }
    return true;
}

static ctree_status check_list(const ctree_diff_list *list, const ctree_diff_options *options, bool sections) {
    if (list->row_count > 0 && list->rows == NULL) return CTREE_INVALID;
    if (options->keys == CTREE_DIFF_IDS && !ids_are_valid(list->rows, list->row_count)) return CTREE_INVALID;
    if (!sections) return CTREE_OK;
    if (list->section_count > 0 && (list->sections == NULL || list->section_rows == NULL)) return CTREE_INVALID;
    if (options->keys == CTREE_DIFF_IDS && !ids_are_valid(list->sections, list->section_count)) return CTREE_INVALID;
    uint64_t rows = 0;
    for (uint32_t s = 0; s < list->section_count; s++) rows += list->section_rows[s];
    return rows == list->row_count ? CTREE_OK : CTREE_INVALID;
}

static ctree_status check(const ctree_diff_list *old_list, const ctree_diff_list *new_list,
                          const ctree_diff_options *options) {
    bool sections = (options->forms & CTREE_DIFF_SECTIONS) != 0;
    if ((uint64_t)old_list->row_count + new_list->row_count >= CT_NO_ROW - 1) return CTREE_LIMIT;
    if (sections && (uint64_t)old_list->section_count + new_list->section_count >= CT_NO_ROW - 1) return CTREE_LIMIT;
    ctree_status status = check_list(old_list, options, sections);
    return status == CTREE_OK ? check_list(new_list, options, sections) : status;
}

/* ---- What comes out ------------------------------------------------------------------------------------------- */

static void fill_batch(ctree_batch *batch, const ct_told *told) {
    batch->delete_count = (uint32_t)told->deletes.count;
    batch->insert_count = (uint32_t)told->inserts.count;
    batch->move_count = (uint32_t)told->moves.count;
    batch->change_count = (uint32_t)told->changes.count;
    batch->deletes = told->deletes.items;
    batch->inserts = told->inserts.items;
    batch->moves = told->moves.items;
    batch->changes = told->changes.items;
}

static void fill_section_batch(ctree_section_batch *batch, const ct_told *told) {
    batch->section_delete_count = (uint32_t)told->section_deletes.count;
    batch->section_insert_count = (uint32_t)told->section_inserts.count;
    batch->section_move_count = (uint32_t)told->section_moves.count;
    batch->section_change_count = (uint32_t)told->section_changes.count;
    batch->delete_count = (uint32_t)told->deletes.count;
    batch->insert_count = (uint32_t)told->inserts.count;
    batch->move_count = (uint32_t)told->moves.count;
    batch->change_count = (uint32_t)told->changes.count;
    batch->section_deletes = told->section_deletes.items;
    batch->section_inserts = told->section_inserts.items;
    batch->section_moves = told->section_moves.items;
    batch->section_changes = told->section_changes.items;
    batch->deletes = told->deletes.items;
    batch->inserts = told->inserts.items;
    batch->moves = told->moves.items;
    batch->changes = told->changes.items;
}

static void set_counts(ctree_diff *diff, const ctree_diff_list *old_list, const ctree_diff_list *new_list) {
    uint32_t old_count = old_list->row_count, new_count = new_list->row_count;
    diff->batch.old_count = diff->section_batch.old_count = old_count;
    diff->batch.new_count = diff->section_batch.new_count = new_count;
    diff->splices.old_count = diff->steps.old_count = old_count;
    diff->splices.new_count = diff->steps.new_count = new_count;
    diff->section_batch.old_section_count = old_list->section_count;
    diff->section_batch.new_section_count = new_list->section_count;
}

/* ---- The diff ------------------------------------------------------------------------------------------------- */

/* The forms that do not look at sections. */
static ctree_status make_flat(ct_work *work, const ct_match *rows, const ctree_diff_list *old_list,
                              const ctree_diff_list *new_list, ctree_diff *diff) {
    ct_work_phase(work, (uint64_t)rows->old_count + rows->new_count);
    ctree_status status = ct_rows_tell(work, rows, &diff->flat);
    if (status == CTREE_OK) {
        status = ct_rows_tell_changes(work, rows, NULL, old_list->revisions, new_list->revisions, &diff->flat);
    }
    if (status != CTREE_OK) return status;
    fill_batch(&diff->batch, &diff->flat);
    if ((diff->forms & CTREE_DIFF_SPLICES) != 0) {
        status = ct_splices_of(work, &diff->batch, &diff->splice_list);
        diff->splices.splices = diff->splice_list.items;
        diff->splices.splice_count = (uint32_t)diff->splice_list.count;
    }
    if (status == CTREE_OK && (diff->forms & CTREE_DIFF_STEPS) != 0) {
        status = ct_steps_of(work, &diff->batch, &diff->step_list);
        diff->steps.steps = diff->step_list.items;
        diff->steps.step_count = (uint32_t)diff->step_list.count;
    }
    return status;
}

static ctree_status make_sections(ct_work *work, const ct_match *rows, ct_sections *sections,
                                  const ctree_diff_list *old_list, const ctree_diff_list *new_list,
                                  ctree_diff *diff) {
    ct_told *told = &diff->paths;
    ct_work_phase(work, (uint64_t)rows->old_count + rows->new_count);
    ctree_status status = ct_sections_decide(work, sections, rows);
    if (status == CTREE_OK) {
        status = ct_sections_tell(work, sections, old_list->section_revisions, new_list->section_revisions, told);
    }
    if (status == CTREE_OK) status = ct_rows_tell_in_sections(work, rows, sections, told);
    if (status == CTREE_OK) {
        status = ct_rows_tell_changes(work, rows, sections, old_list->revisions, new_list->revisions, told);
    }
    if (status == CTREE_OK) fill_section_batch(&diff->section_batch, told);
    return status;
}

/* Past the limit: this form says reload, which is no failure. */
static ctree_status reload_beyond(ct_work *work, ctree_status status, ct_told *told, uint32_t *reload) {
    if (status != CTREE_LIMIT) return status;
    ct_told_free(work, told);
    *reload = 1;
    return CTREE_OK;
}

static ctree_status make(ct_work *work, const ctree_diff_list *old_list, const ctree_diff_list *new_list,
                         uint32_t kind, ct_match *rows, ct_sections *sections, ctree_diff *diff,
                         ctree_diff_duplicate *duplicate) {
    ctree_status status = CTREE_OK;
    if ((diff->forms & CTREE_DIFF_SECTIONS) != 0) {
        duplicate->in_sections = 1;
        status = ct_sections_match(work, kind, old_list, new_list, sections, duplicate);
        if (status != CTREE_OK) return status;
    }
    duplicate->in_sections = 0;
    status = ct_match_keys(work, kind, old_list->rows, old_list->row_count, new_list->rows, new_list->row_count, rows,
                           duplicate);
    if (status != CTREE_OK || diff->batch.reload != 0) return status;
    if ((diff->forms & FLAT_FORMS) != 0) {
        status = make_flat(work, rows, old_list, new_list, diff);
        status = reload_beyond(work, status, &diff->flat, &diff->batch.reload);
        if (status != CTREE_OK) return status;
    }
    if ((diff->forms & CTREE_DIFF_SECTIONS) != 0) {
        status = make_sections(work, rows, sections, old_list, new_list, diff);
        status = reload_beyond(work, status, &diff->paths, &diff->section_batch.reload);
    }
    return status;
}

ctree_status ctree_diff_create(const ctree_diff_list *old_list, const ctree_diff_list *new_list,
                               const ctree_diff_options *given, ctree_diff_duplicate *duplicate, ctree_diff **out) {
    static const ctree_diff_list nothing = {NULL, NULL, NULL, NULL, NULL, 0, 0};
    ctree_diff_options options;
    ct_work work = {0};
    ctree_status status = read_options(given, &options);
    if (status == CTREE_OK) status = ct_mem_init(&work.mem, options.allocator);
    if (status != CTREE_OK) return status;
    if (new_list == NULL || out == NULL) return CTREE_INVALID;
    const ctree_diff_list *olds = old_list != NULL ? old_list : &nothing;
    if (options.forms == 0) {
        bool sections = olds->section_count > 0 || new_list->section_count > 0;
        options.forms = sections ? CTREE_DIFF_SECTIONS : CTREE_DIFF_BATCH;
    }
    status = check(olds, new_list, &options);
    if (status != CTREE_OK) return status;

    ctree_diff *diff = ct_alloc(&work.mem, sizeof *diff);
    if (diff == NULL) return CTREE_NO_MEMORY;
    memset(diff, 0, sizeof *diff);
    diff->mem = work.mem;
    diff->forms = options.forms;
    diff->flat.limit = diff->paths.limit = options.limit != 0 ? options.limit : UINT64_MAX;
    diff->paths.paths = true;
    diff->batch.reload = diff->section_batch.reload = old_list == NULL;
    set_counts(diff, olds, new_list);

    work.progress = options.progress;
    work.seed = options.seed;
    work.seed_size = options.seed_size;
    uint64_t row_passes = 1u + ((options.forms & FLAT_FORMS) != 0) + ((options.forms & CTREE_DIFF_SECTIONS) != 0);
    work.total = ((uint64_t)olds->row_count + new_list->row_count) * row_passes;
    if ((options.forms & CTREE_DIFF_SECTIONS) != 0) {
        work.total += (uint64_t)olds->section_count + new_list->section_count;
    }
    ct_match rows = {0};
    ct_sections sections = {0};
    ctree_diff_duplicate twice = {0, 0, 0, 0};
    status = make(&work, olds, new_list, options.keys, &rows, &sections, diff, &twice);
    ct_match_free(&work, &rows);
    work.steps += sections.old_side.steps + sections.new_side.steps;
    ct_sections_free(&work, &sections);
    if (status != CTREE_OK) {
        if (status == CTREE_DUPLICATE && duplicate != NULL) *duplicate = twice;
        ctree_diff_destroy(diff);
        return status;
    }
    diff->splices.reload = diff->steps.reload = diff->batch.reload;
    diff->step_total = work.steps;
    *out = diff;
    return CTREE_OK;
}

void ctree_diff_destroy(ctree_diff *diff) {
    if (diff == NULL) return;
    ct_work work = {0};
    work.mem = diff->mem;
    ct_told_free(&work, &diff->flat);
    ct_told_free(&work, &diff->paths);
    ct_free(&work.mem, diff->splice_list.items, diff->splice_list.capacity * sizeof(ctree_splice));
    ct_free(&work.mem, diff->step_list.items, diff->step_list.capacity * sizeof(ctree_step));
    ct_free(&work.mem, diff, sizeof *diff);
}

const ctree_batch *ctree_diff_batch(const ctree_diff *diff) {
    return diff != NULL && (diff->forms & CTREE_DIFF_BATCH) != 0 ? &diff->batch : NULL;
}

const ctree_section_batch *ctree_diff_section_batch(const ctree_diff *diff) {
    return diff != NULL && (diff->forms & CTREE_DIFF_SECTIONS) != 0 ? &diff->section_batch : NULL;
}

const ctree_splices *ctree_diff_splices(const ctree_diff *diff) {
    return diff != NULL && (diff->forms & CTREE_DIFF_SPLICES) != 0 ? &diff->splices : NULL;
}

const ctree_steps *ctree_diff_steps(const ctree_diff *diff) {
    return diff != NULL && (diff->forms & CTREE_DIFF_STEPS) != 0 ? &diff->steps : NULL;
}
