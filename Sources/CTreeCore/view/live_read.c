/* Reading the rows that are kept up to date. */
#include "ctree/view_rows.h"

#include "store/children.h"
#include "view/describe.h"
#include "view/view.h"

static bool has_sections(const ctree_view *view) { return (view->flags & CTREE_VIEW_SECTIONS) != 0; }

/* Where headers are away, rows have no numbers. */
static bool is_blind(const ctree_view *view) {
    const ct_live *live = &view->live;
    return live->headers_away || (has_sections(view) && live->bulk.stage == CT_BULK_UNDER_WAY);
}

static bool is_open(const ctree_view *view) { return view != NULL && !view->store->closed && !is_blind(view); }

static ctree_status readable(const ctree_view *view) {
    return view->store->closed ? CTREE_CLOSED : is_blind(view) ? CTREE_BUSY : CTREE_OK;
}

static uint32_t section_count(const ctree_view *view) {
    return has_sections(view) ? ct_hot_at(view->store, CT_TOP)->count : 1;
}

/* ---- Rows are positions without the headers -------------------------------------------------------------------- */

static uint32_t header_position(const ctree_view *view, uint32_t section) {
    if (section == section_count(view)) return view->live.shown.count;
    return ct_seq_rank(&view->live.pool, ct_children_at(view->store, CT_TOP, section));
}

/* The last section whose header stands at `position` or before it; where headers do not count, `skip` takes them
   off. */
static uint32_t last_section(const ctree_view *view, uint32_t number, bool rows) {
    uint32_t low = 0, high = section_count(view);
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        uint32_t start = header_position(view, middle) - (rows ? middle : 0);
        if (start <= number) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static uint32_t row_count(const ctree_view *view) {
    return view->live.shown.count - (has_sections(view) ? section_count(view) : 0);
}

uint32_t ct_live_position_of_row(const ctree_view *view, uint32_t row) {
    return has_sections(view) ? row + last_section(view, row, true) + 1 : row;
}

/* CTREE_NO_ROW for a header, and for CTREE_END: a slot that is not shown. */
static uint32_t row_at_position(const ctree_view *view, uint32_t position, uint32_t slot) {
    if (position == CTREE_END) return CTREE_NO_ROW;
    if (!has_sections(view)) return position;
    if (ct_view_is_section(view, slot)) return CTREE_NO_ROW;
    return position - last_section(view, position, false) - 1;
}

uint32_t ctree_view_row_count(const ctree_view *view) { return is_open(view) ? row_count(view) : 0; }

ctree_node ctree_view_node_at(const ctree_view *view, uint32_t row) {
    if (!is_open(view) || row >= row_count(view)) return CTREE_NONE;
    const ct_live *live = &view->live;
    return ct_node_named(view->store, ct_seq_at(&live->pool, &live->shown, ct_live_position_of_row(view, row)));
}

uint32_t ctree_view_row_of(const ctree_view *view, ctree_node node) {
    uint32_t slot = is_open(view) ? ct_slot_of(view->store, node) : CT_TOP;
    if (slot == CT_TOP) return CTREE_NO_ROW;
    return row_at_position(view, ct_seq_rank_in(&view->live.pool, &view->live.shown, slot), slot);
}

/* ---- Many at once ---------------------------------------------------------------------------------------------- */

enum { BATCH = 32 };

ctree_status ctree_view_nodes_at(const ctree_view *view, const uint32_t *rows, size_t count, ctree_node *out) {
    if (view == NULL || (count != 0 && (rows == NULL || out == NULL))) return CTREE_INVALID;
    if (readable(view) != CTREE_OK) return readable(view);
    const ct_live *live = &view->live;
    uint32_t all = row_count(view);
    for (size_t first = 0; first < count; first += BATCH) {
        size_t here = count - first < BATCH ? count - first : BATCH, asked = 0;
        uint32_t positions[BATCH], slots[BATCH];
        for (size_t i = 0; i < here; i++) {
            if (rows[first + i] < all) positions[asked++] = ct_live_position_of_row(view, rows[first + i]);
        }
        ct_seq_at_many(&live->pool, &live->shown, positions, asked, slots);
        for (size_t i = 0, k = 0; i < here; i++) {
            out[first + i] = rows[first + i] < all ? ct_node_named(view->store, slots[k++]) : CTREE_NONE;
        }
    }
    return CTREE_OK;
}

ctree_status ctree_view_rows_of(const ctree_view *view, const ctree_node *nodes, size_t count, uint32_t *out) {
    if (view == NULL || (count != 0 && (nodes == NULL || out == NULL))) return CTREE_INVALID;
    if (readable(view) != CTREE_OK) return readable(view);
    const ct_live *live = &view->live;
    for (size_t first = 0; first < count; first += BATCH) {
        size_t here = count - first < BATCH ? count - first : BATCH;
        uint32_t slots[BATCH], ranks[BATCH];
        for (size_t i = 0; i < here; i++) {
            uint32_t slot = (uint32_t)nodes[first + i];
            if (slot < view->store->used) ct_prefetch(ct_hot_at(view->store, slot));
        }
        for (size_t i = 0; i < here; i++) slots[i] = ct_slot_of(view->store, nodes[first + i]);
        ct_seq_rank_many(&live->pool, &live->shown, slots, here, ranks);
        for (size_t i = 0; i < here; i++) {
            bool none = slots[i] == CT_TOP;
            out[first + i] = none ? CTREE_NO_ROW : row_at_position(view, ranks[i], slots[i]);
        }
    }
    return CTREE_OK;
}

ctree_status ctree_view_nodes_from(const ctree_view *view, uint32_t first, uint32_t *count, ctree_node *nodes,
                                   uint32_t *depths) {
    if (view == NULL || count == NULL) return CTREE_INVALID;
    if (readable(view) != CTREE_OK) return readable(view);
    uint32_t all = row_count(view);
    if (first > all) return CTREE_RANGE;
    if (*count > all - first) *count = all - first;
    if (*count == 0) return CTREE_OK;
    const ct_seq_pool *pool = &view->live.pool;
    bool sections = has_sections(view);
    ct_seq_walk walk = ct_seq_walk_from(pool, &view->live.shown, ct_live_position_of_row(view, first));
    for (uint32_t done = 0; done < *count;) {
        enum { SPAN = 256 }; /* Rows of a leaf, the most that a step of a walk tells. */
        uint32_t levels[SPAN];
        ct_seq_walk here = walk;
        const uint32_t *slots = NULL;
        uint32_t span = ct_seq_walk_span(pool, &walk, &slots);
        if (!sections && span > *count - done) span = *count - done;
        if (sections || depths != NULL) ct_seq_span_depths(pool, &here, span, levels);
        for (uint32_t i = 0; i < span && done < *count; i++) {
            if (sections && levels[i] == 0) continue;
            if (nodes != NULL) nodes[done] = ct_node_named(view->store, slots[i]);
            if (depths != NULL) depths[done] = levels[i] - sections;
            done++;
        }
    }
    return CTREE_OK;
}

/* ---- What to draw ---------------------------------------------------------------------------------------------- */

ctree_status ctree_view_window(const ctree_view *view, uint32_t first, uint32_t *count, ctree_row *out) {
    if (view == NULL || count == NULL || (out == NULL && *count != 0)) return CTREE_INVALID;
    if (readable(view) != CTREE_OK) return readable(view);
    uint32_t all = row_count(view);
    if (first > all) return CTREE_RANGE;
    if (*count > all - first) *count = all - first;
    if (*count == 0) return CTREE_OK;
    const ct_live *live = &view->live;
    bool sections = has_sections(view);
    uint32_t position = ct_live_position_of_row(view, first);
    const ct_describer describer = ct_describer_of(view);
    ct_places places;
    ct_places_begin(&places);
    for (uint32_t done = 0; done < *count;) {
        enum { AHEAD = 128 }; /* A screen: all its records are asked for before the first is read. */
        uint32_t slots[AHEAD], depths[AHEAD];
        uint32_t left = sections ? live->shown.count - position : *count - done;
        uint32_t here = left < AHEAD ? left : AHEAD;
        ct_seq_copy_rows(&live->pool, &live->shown, position, here, slots, depths, NULL);
        ct_describe_ahead(view, slots, depths, here);
        for (uint32_t i = 0; i < here && done < *count; i++) {
            uint32_t slot = slots[i], depth = depths[i];
            if (sections && depth == 0) {
                places.last = 0;
                continue;
            }
            ctree_row *row = &out[done++];
            ct_describe(&describer, slot, depth, row);
            row->position = ct_places_next(&places, view->store, slot, depth);
            row->depth -= sections;
        }
        position += here;
    }
    return CTREE_OK;
}

ctree_status ctree_view_ancestors(const ctree_view *view, ctree_node node, uint32_t *room, ctree_node *out) {
    if (view == NULL || room == NULL || (out == NULL && *room != 0)) return CTREE_INVALID;
    const ctree_store *store = view->store;
    uint32_t depth;
    ctree_status status = ctree_store_depth(store, node, &depth);
    if (status != CTREE_OK) return status;
    bool fits = depth <= *room;
    *room = depth;
    if (!fits) return CTREE_RANGE;
    uint32_t slot = (uint32_t)node;
    while (depth != 0) {
        slot = ct_hot_at(store, slot)->parent;
        out[--depth] = ct_node_at(store, slot);
    }
    return CTREE_OK;
}

/* ---- Sections -------------------------------------------------------------------------------------------------- */

uint32_t ctree_view_section_count(const ctree_view *view) { return is_open(view) ? section_count(view) : 0; }

ctree_node ctree_view_section_node(const ctree_view *view, uint32_t section) {
    if (!is_open(view) || !has_sections(view)) return CTREE_NONE;
    return ctree_store_child_at(view->store, CTREE_NONE, section);
}

uint32_t ctree_view_section_rows(const ctree_view *view, uint32_t section) {
    if (!is_open(view) || section >= section_count(view)) return 0;
    if (!has_sections(view)) return row_count(view);
    return header_position(view, section + 1) - header_position(view, section) - 1;
}

ctree_status ctree_view_index_path(const ctree_view *view, uint32_t row, ctree_index_path *out) {
    if (view == NULL || out == NULL) return CTREE_INVALID;
    if (readable(view) != CTREE_OK) return readable(view);
    if (row >= row_count(view)) return CTREE_RANGE;
    uint32_t section = has_sections(view) ? last_section(view, row, true) : 0;
    uint32_t start = has_sections(view) ? header_position(view, section) - section : 0;
    *out = (ctree_index_path){section, row - start};
    return CTREE_OK;
}

uint32_t ctree_view_row_at_index_path(const ctree_view *view, ctree_index_path path) {
    if (!is_open(view) || path.row >= ctree_view_section_rows(view, path.section)) return CTREE_NO_ROW;
    return has_sections(view) ? header_position(view, path.section) - path.section + path.row : path.row;
}
