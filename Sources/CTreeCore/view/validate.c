/* The rows that are kept up to date, held against rows flattened anew. */
#include "ctree/view_rows.h"
#include "view/view.h"

static ctree_status broken(const char **reason, const char *text) {
    *reason = text;
    return CTREE_CORRUPT;
}

/* `shown` has headers among the rows, at depth 0; flattened rows have neither them nor that level. */
static ctree_status compare(const ctree_view *view, const ctree_rows *rows, const char **reason) {
    enum { BATCH = 256 };
    const ct_live *live = &view->live;
    bool sections = (view->flags & CTREE_VIEW_SECTIONS) != 0;
    uint32_t headers = sections ? ctree_rows_section_count(rows) : 0;
    uint32_t count = ctree_rows_count(rows), row = 0, section = 0;
    if (live->shown.count != (uint64_t)count + headers) return broken(reason, "the number of rows is wrong");
    const ctree_node *nodes = ctree_rows_nodes(rows);
    const uint32_t *depths = ctree_rows_depths(rows);
    for (uint32_t position = 0; position < live->shown.count;) {
        uint32_t slots[BATCH], levels[BATCH], left = live->shown.count - position;
        uint32_t here = left < BATCH ? left : BATCH;
        ct_seq_copy_rows(&live->pool, &live->shown, position, here, slots, levels, NULL);
        for (uint32_t i = 0; i < here; i++) {
            ctree_node node = ct_node_at(view->store, slots[i]);
            if (sections && levels[i] == 0) {
                bool right =
                    ctree_rows_section_node(rows, section) == node && ctree_rows_section_start(rows, section) == row;
                if (!right) return broken(reason, "a section is not where it belongs");
                section++;
                continue;
            }
            if (row == count || nodes[row] != node) return broken(reason, "a row is another node's");
            if (depths[row] + sections != levels[i]) return broken(reason, "the depth of a row is wrong");
            row++;
        }
        position += here;
    }
    return CTREE_OK;
}

ctree_status ctree_view_validate(const ctree_view *view, const char **reason) {
    const char *nobody;
    if (reason == NULL) reason = &nobody;
    *reason = NULL;
    if (view == NULL) return CTREE_INVALID;
    if (view->store->closed) return CTREE_CLOSED;
    if (!ct_waiting_check(view)) return broken(reason, "what waits for nodes to come is not in order");
    ctree_status status = ct_live_check(view, reason);
    if (status != CTREE_OK) return status;
    ctree_rows *rows;
    status = ctree_rows_flatten(view, 0, NULL, &rows);
    if (status != CTREE_OK) return status;
    status = compare(view, rows, reason);
    ctree_rows_destroy(rows);
    return status;
}
