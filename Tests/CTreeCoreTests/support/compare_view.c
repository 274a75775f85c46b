#include "support/assertions.h"
#include "support/compare.h"

static void compare_settings(const ctree_view *view, const twin *t, uint32_t number) {
    for (uint32_t i = 0; i < t->count; i++) {
        const twin_node *node = t->nodes[i];
        CHECK_EQUAL(ctree_view_is_expanded(view, node->handle), twin_is_expanded(t, number, node));
        CHECK_EQUAL(ctree_view_is_visible(view, node->handle), twin_is_visible(t, number, node));
        CHECK_EQUAL(ctree_view_is_expandable(view, node->handle), twin_is_expandable(t, number, node));
    }
    CHECK(!ctree_view_is_expanded(view, CTREE_NONE));
    CHECK(!ctree_view_is_visible(view, CTREE_NONE));
    CHECK(!ctree_view_is_expandable(view, CTREE_NONE));
}

static void compare_sections(const ctree_rows *rows, const twin_rows *expected) {
    CHECK_EQUAL(ctree_rows_section_count(rows), expected->section_count);
    for (uint32_t i = 0; i < expected->section_count; i++) {
        const twin_node *node = expected->sections[i];
        CHECK_EQUAL(ctree_rows_section_node(rows, i), node == NULL ? CTREE_NONE : node->handle);
        CHECK_EQUAL(ctree_rows_section_start(rows, i), expected->starts[i]);
        if (node != NULL) CHECK_EQUAL(ctree_rows_row(rows, node->handle), CTREE_NO_ROW);
        uint32_t length = expected->starts[i + 1] - expected->starts[i];
        ctree_index_path beyond = {i, length};
        CHECK_EQUAL(ctree_rows_at_index_path(rows, beyond), CTREE_NO_ROW);
    }
    CHECK_EQUAL(ctree_rows_section_start(rows, expected->section_count), expected->count);
    CHECK_EQUAL(ctree_rows_section_node(rows, expected->section_count), CTREE_NONE);
    CHECK_EQUAL(ctree_rows_section_node(rows, CTREE_END), CTREE_NONE);
    ctree_index_path none = {expected->section_count, 0};
    CHECK_EQUAL(ctree_rows_at_index_path(rows, none), CTREE_NO_ROW);
    none = (ctree_index_path){CTREE_END, CTREE_END};
    CHECK_EQUAL(ctree_rows_at_index_path(rows, none), CTREE_NO_ROW);
}

static void compare_places(const ctree_rows *rows, const twin_rows *expected) {
    uint32_t section = 0;
    for (uint32_t i = 0; i < expected->count; i++) {
        while (expected->starts[section + 1] <= i) section++;
        CHECK_EQUAL(ctree_rows_node(rows, i), expected->nodes[i]->handle);
        CHECK_EQUAL(ctree_rows_row(rows, expected->nodes[i]->handle), i);
        ctree_index_path path = {7, 7};
        CHECK_EQUAL(ctree_rows_index_path(rows, i, &path), CTREE_OK);
        CHECK_EQUAL(path.section, section);
        CHECK_EQUAL(path.row, i - expected->starts[section]);
        CHECK_EQUAL(ctree_rows_at_index_path(rows, path), i);
    }
    ctree_index_path path = {7, 7};
    CHECK_EQUAL(ctree_rows_index_path(rows, expected->count, &path), CTREE_RANGE);
    CHECK_EQUAL(path.section, 7);
    CHECK_EQUAL(ctree_rows_node(rows, expected->count), CTREE_NONE);
    CHECK_EQUAL(ctree_rows_node(rows, CTREE_END), CTREE_NONE);
    CHECK_EQUAL(ctree_rows_row(rows, CTREE_NONE), CTREE_NO_ROW);
}

static void compare_window(const ctree_rows *rows, const ctree_view *view, const twin *t, uint32_t number,
                           const twin_rows *expected) {
    ctree_row *window = must(calloc((size_t)expected->count + 2, sizeof *window));
    uint32_t first = expected->count / 3, count = expected->count - first + 1;
    window[expected->count - first].depth = 77;
    CHECK_EQUAL(ctree_rows_window(rows, view, first, &count, window), CTREE_OK);
    CHECK_EQUAL(count, expected->count - first);
    CHECK_EQUAL(window[count].depth, 77);
    for (uint32_t i = 0; i < count; i++) {
        const twin_node *node = expected->nodes[first + i];
        CHECK_EQUAL(window[i].node, node->handle);
        CHECK_EQUAL(window[i].depth, expected->depths[first + i]);
        CHECK_EQUAL(window[i].position, twin_ordinal(node));
        CHECK_EQUAL(window[i].sibling_count, node->parent->count);
        CHECK_EQUAL(window[i].load_state, node->state);
        CHECK_EQUAL(window[i].expandable, twin_is_expandable(t, number, node));
        CHECK_EQUAL(window[i].expanded, twin_is_expanded(t, number, node));
        CHECK_EQUAL(window[i].more, node->more);
    }
    count = 1;
    CHECK_EQUAL(ctree_rows_window(rows, view, expected->count + 1, &count, window), CTREE_RANGE);
    CHECK_EQUAL(count, 1);
    free(window);
}

/* The rows that the view keeps up to date through every edit. */
static void compare_live(const ctree_view *view, const twin *t, uint32_t number, const twin_rows *expected) {
    const char *reason = "";
    ctree_status valid = ctree_view_validate(view, &reason);
    if (valid != CTREE_OK) printf("ctree_view_validate: %s\n", reason != NULL ? reason : "no reason");
    CHECK_EQUAL(valid, CTREE_OK);
    CHECK_EQUAL(ctree_view_row_count(view), expected->count);
    CHECK_EQUAL(ctree_view_section_count(view), expected->section_count);
    for (uint32_t i = 0; i < expected->section_count; i++) {
        const twin_node *node = expected->sections[i];
        CHECK_EQUAL(ctree_view_section_node(view, i), node == NULL ? CTREE_NONE : node->handle);
        CHECK_EQUAL(ctree_view_section_rows(view, i), expected->starts[i + 1] - expected->starts[i]);
    }
    uint32_t section = 0;
    for (uint32_t i = 0; i < expected->count; i++) {
        while (expected->starts[section + 1] <= i) section++;
        CHECK_EQUAL(ctree_view_node_at(view, i), expected->nodes[i]->handle);
        CHECK_EQUAL(ctree_view_row_of(view, expected->nodes[i]->handle), i);
        ctree_index_path path = {7, 7};
        CHECK_EQUAL(ctree_view_index_path(view, i, &path), CTREE_OK);
        CHECK_EQUAL(path.section, section);
        CHECK_EQUAL(path.row, i - expected->starts[section]);
        CHECK_EQUAL(ctree_view_row_at_index_path(view, path), i);
    }
    CHECK_EQUAL(ctree_view_node_at(view, expected->count), CTREE_NONE);
    for (uint32_t i = 0; i < t->count; i++) {
        if (twin_is_visible(t, number, t->nodes[i])) continue;
        CHECK_EQUAL(ctree_view_row_of(view, t->nodes[i]->handle), CTREE_NO_ROW);
    }
}

void compare_view(const ctree_view *view, const twin *t, uint32_t number) {
    compare_settings(view, t, number);
    twin_rows expected = twin_flatten(t, number);
    for (uint32_t flags = 0; flags <= CTREE_ROWS_LOOKUP; flags += CTREE_ROWS_LOOKUP) {
        ctree_rows *rows = NULL;
        CHECK_EQUAL(ctree_rows_flatten(view, flags, NULL, &rows), CTREE_OK);
        CHECK_EQUAL(ctree_rows_count(rows), expected.count);
        for (uint32_t i = 0; i < expected.count; i++) {
            CHECK_EQUAL(ctree_rows_nodes(rows)[i], expected.nodes[i]->handle);
            CHECK_EQUAL(ctree_rows_depths(rows)[i], expected.depths[i]);
        }
        compare_sections(rows, &expected);
        compare_places(rows, &expected);
        compare_window(rows, view, t, number, &expected);
        for (uint32_t i = 0; i < t->count; i++) {
            if (!twin_is_visible(t, number, t->nodes[i])) {
                CHECK_EQUAL(ctree_rows_row(rows, t->nodes[i]->handle), CTREE_NO_ROW);
            }
        }
        ctree_rows_destroy(rows);
    }
    compare_live(view, t, number, &expected);
    twin_rows_free(&expected);
}
