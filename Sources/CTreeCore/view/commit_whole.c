/* A batch by comparing all rows: where they were built anew, and for sections. */
#include "store/children.h"
#include "view/commit.h"
#include "view/fold.h"
#include "view/view.h"

/* Rows and headers apart, as the diff wants them. */
typedef struct side {
    ctree_node *rows, *headers;
    uint32_t *section_rows;
    uint64_t *revisions, *section_revisions;
    uint32_t row_count, header_count;
} side;

typedef struct comparison {
    ctree_view *view;
    side old_side, new_side;
} comparison;

static bool take(const ct_mem *mem, side *s, uint32_t all, uint32_t headers, bool revisions) {
    s->header_count = headers;
    s->row_count = all - headers;
    s->rows = ct_alloc(mem, ((size_t)s->row_count + 1) * sizeof *s->rows);
    s->headers = ct_alloc(mem, ((size_t)headers + 1) * sizeof *s->headers);
    s->section_rows = ct_alloc(mem, ((size_t)headers + 1) * sizeof *s->section_rows);
    if (s->rows == NULL || s->headers == NULL || s->section_rows == NULL) return false;
    if (!revisions) return true;
    s->revisions = ct_alloc(mem, ((size_t)s->row_count + 1) * sizeof *s->revisions);
    s->section_revisions = ct_alloc(mem, ((size_t)headers + 1) * sizeof *s->section_revisions);
    if (s->revisions == NULL || s->section_revisions == NULL) return false;
    memset(s->revisions, 0, ((size_t)s->row_count + 1) * sizeof *s->revisions);
    memset(s->section_revisions, 0, ((size_t)headers + 1) * sizeof *s->section_revisions);
    return true;
}

static void give_back(const ct_mem *mem, side *s) {
    ct_free(mem, s->rows, ((size_t)s->row_count + 1) * sizeof *s->rows);
    ct_free(mem, s->headers, ((size_t)s->header_count + 1) * sizeof *s->headers);
    ct_free(mem, s->section_rows, ((size_t)s->header_count + 1) * sizeof *s->section_rows);
    ct_free(mem, s->revisions, ((size_t)s->row_count + 1) * sizeof *s->revisions);
    ct_free(mem, s->section_revisions, ((size_t)s->header_count + 1) * sizeof *s->section_revisions);
}

static void divide(side *s, const ctree_node *nodes, const uint32_t *positions) {
    uint32_t row = 0;
    for (uint32_t at = 0, header = 0; at < s->row_count + s->header_count; at++) {
        if (header < s->header_count && positions[header] == at) {
            s->headers[header] = nodes[at];
            s->section_rows[header++] = 0;
        } else {
            s->rows[row++] = nodes[at];
            if (header != 0) s->section_rows[header - 1]++;
        }
    }
}

static ctree_node *new_nodes(const ctree_view *view) {
    const ct_live *live = &view->live;
    uint32_t count = live->shown.count;
    ctree_node *nodes = ct_alloc(&view->store->mem, (size_t)count * sizeof *nodes);
    enum { BLOCK = 256 };
    uint32_t slots[BLOCK];
    for (uint32_t done = 0; nodes != NULL && done < count; done += BLOCK) {
        uint32_t here = count - done < BLOCK ? count - done : BLOCK;
        ct_seq_copy_rows(&live->pool, &live->shown, done, here, slots, NULL, NULL);
        for (uint32_t i = 0; i < here; i++) nodes[done + i] = ct_node_named(view->store, slots[i]);
    }
    return nodes;
}

/* A changed look is another revision than before. */
static void mark_changed(comparison *c) {
    ctree_view *view = c->view;
    ct_notes *notes = &view->notes;
    const ct_live *live = &view->live;
    const uint32_t *positions = view->commit.headers;
    ct_notes_sort_changed(notes);
    for (size_t i = 0; i < notes->changed_count; i++) {
        uint32_t slot = ct_slot_of(view->store, notes->changed[i]);
        uint32_t at = slot == CT_TOP ? CTREE_END : ct_seq_rank_in(&live->pool, &live->shown, slot);
        if (at == CTREE_END) continue;
        uint32_t low = 0, high = c->new_side.header_count; /* headers up to `at` */
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (positions[middle] <= at) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low != 0 && positions[low - 1] == at) {
            c->new_side.section_revisions[low - 1] = 1;
        } else {
            c->new_side.revisions[at - low] = 1;
        }
    }
}

static ctree_diff_list list_of(const side *s, bool sections, bool has_sections, const uint32_t *all,
                               const ctree_node *one) {
    ctree_diff_list list = {.rows = s->rows, .revisions = s->revisions, .row_count = s->row_count};
    if (!sections) return list;
    list.sections = has_sections ? s->headers : one;
    list.section_rows = has_sections ? s->section_rows : all;
    list.section_revisions = has_sections ? s->section_revisions : NULL;
    list.section_count = has_sections ? s->header_count : 1;
    return list;
}

static ctree_status compare(comparison *c, bool sections) {
    static const ctree_node one = 1; /* The section of a view without sections, on both sides. */
    ctree_view *view = c->view;
    ct_commit *commit = &view->commit;
    bool has_sections = (view->flags & CTREE_VIEW_SECTIONS) != 0;
    ctree_diff_options options = CTREE_DIFF_OPTIONS_INIT;
    options.forms = sections ? CTREE_DIFF_SECTIONS : CTREE_DIFF_BATCH;
    options.limit = commit->limit;
    options.allocator = view->store->mem.custom ? &view->store->mem.allocator : NULL;
    ctree_diff_list old_list = list_of(&c->old_side, sections, has_sections, &c->old_side.row_count, &one);
    ctree_diff_list new_list = list_of(&c->new_side, sections, has_sections, &c->new_side.row_count, &one);
    ctree_status status = ctree_diff_create(&old_list, &new_list, &options, NULL, &commit->diff);
    if (status != CTREE_OK) return status;
    if (sections) {
        commit->section_batch = *ctree_diff_section_batch(commit->diff);
        commit->reload = commit->section_batch.reload != 0;
    } else {
        commit->batch = *ctree_diff_batch(commit->diff);
        commit->reload = commit->batch.reload != 0;
    }
    return CTREE_OK;
}

ctree_status ct_commit_whole(ctree_view *view, bool sections) {
    const ct_mem *mem = &view->store->mem;
    ct_notes *notes = &view->notes;
    ct_commit *commit = &view->commit;
    comparison c = {.view = view};
    uint32_t new_count = view->live.shown.count;
    ctree_node *old_nodes = notes->whole ? notes->old_nodes : ct_fold_nodes(view, CT_FOLD_ACCEPTED, NULL),
               *nodes = NULL;
    ctree_status status = CTREE_NO_MEMORY;
    bool revisions = notes->changed_count != 0;
    if ((old_nodes != NULL || notes->old_count == 0)
        && take(mem, &c.old_side, notes->old_count, (uint32_t)notes->old_header_count, revisions)
        && take(mem, &c.new_side, new_count, (uint32_t)commit->header_count, revisions)) {
        nodes = new_count != 0 ? new_nodes(view) : NULL;
        if (nodes != NULL || new_count == 0) {
            divide(&c.old_side, old_nodes, notes->old_headers);
            divide(&c.new_side, nodes, commit->headers);
            if (revisions) mark_changed(&c);
            status = compare(&c, sections);
        }
    }
    if (!notes->whole) ct_free(mem, old_nodes, (size_t)notes->old_count * sizeof *old_nodes);
    give_back(mem, &c.old_side);
    give_back(mem, &c.new_side);
    if (status == CTREE_OK) {
        commit->nodes = nodes;
        commit->node_count = new_count;
    } else {
        ct_free(mem, nodes, (size_t)new_count * sizeof *nodes);
    }
    return status;
}
