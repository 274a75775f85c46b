#include "support/sketch.h"

#include <ctype.h>

#include "support/assertions.h"
#include "support/forest_box.h"

enum { ROOM = 4096 };

/* Reads a sketch into a forest, and notes which characters carry a plus. */
static forest_box *read_sketch(const char *text, char *expanded) {
    forest_box *box = forest_box_new(strlen(text));
    uint32_t open[256], depth = 0, count = 0;
    for (const char *c = text; *c != '\0'; c++) {
        if (isalnum((unsigned char)*c)) {
            box->ids[count] = ctree_id_u64((uint64_t)*c);
            box->parents[count] = depth > 0 ? open[depth - 1] : CTREE_END;
            box->states[count++] = CTREE_STATE_LEAF;
        } else if (*c == '[') {
            CHECK(count > 0 && depth < 255);
            box->states[count - 1] = CTREE_STATE_LOADED;
            open[depth++] = count - 1;
        } else if (*c == ']') {
            CHECK(depth > 0);
            depth--;
        } else if (*c == '?') {
            box->states[count - 1] = CTREE_STATE_UNLOADED;
        } else if (*c == '=') {
            box->states[count - 1] = CTREE_STATE_KEEP;
        } else if (*c == '+') {
            *expanded++ = (char)box->ids[count - 1].word;
        } else {
            CHECK_EQUAL(*c, ' ');
        }
    }
    CHECK_EQUAL(depth, 0);
    *expanded = '\0';
    box->forest.count = count;
    box->forest.values = NULL;
    box->forest.revisions = NULL;
    return box;
}

static ctree_status do_sketch(world *w, op *call, const char *text) {
    char expanded[64];
    forest_box *box = read_sketch(text, expanded);
    call->forest = &box->forest;
    call->outs = box->outs;
    ctree_status status = world_do(w, call);
    forest_box_free(box);
    for (const char *c = expanded; status == CTREE_OK && *c != '\0'; c++) {
        CHECK_EQUAL(world_on(w, OP_EXPAND, at(w, *c)), CTREE_OK);
    }
    return status;
}

void sketch_below(world *w, ctree_node parent, const char *text) {
    op call = {.kind = OP_BUILD, .parent = parent, .at = CTREE_END};
    CHECK_EQUAL(do_sketch(w, &call, text), CTREE_OK);
}

void sketch(world *w, const char *text) { sketch_below(w, CTREE_NONE, text); }

ctree_status sketch_reconcile(world *w, ctree_node parent, const char *text, uint32_t elsewhere) {
    op call = {.kind = OP_RECONCILE, .parent = parent, .elsewhere = elsewhere};
    return do_sketch(w, &call, text);
}

ctree_status sketch_finish(world *w, ctree_node node, ctree_ticket ticket, const char *text) {
    op call = {.kind = OP_FINISH, .node = node, .ticket = ticket, .elsewhere = CTREE_ELSEWHERE_MOVES};
    return do_sketch(w, &call, text);
}

ctree_status sketch_append(world *w, ctree_node node, ctree_ticket ticket, const char *text, bool more) {
    op call = {.kind = OP_APPEND, .node = node, .ticket = ticket, .flag = more};
    return do_sketch(w, &call, text);
}

ctree_node at(const world *w, char name) { return ctree_store_find(w->store, ctree_id_u64((uint64_t)name)); }

static char name_of(const world *w, ctree_node node) {
    ctree_id id = {NULL, '?'};
    ctree_store_id(w->store, node, &id);
    return (char)id.word;
}

static bool is_same(const char *found, const char *expected) {
    if (strcmp(found, expected) == 0) return true;
    printf("found    \"%s\"\nexpected \"%s\"\n", found, expected);
    return false;
}

bool shows(const world *w, uint32_t view, const char *expected) {
    char text[ROOM];
    size_t length = 0;
    ctree_rows *rows = NULL;
    CHECK_EQUAL(ctree_rows_flatten(w->views[view], 0, NULL, &rows), CTREE_OK);
    for (uint32_t section = 0; section < ctree_rows_section_count(rows); section++) {
        ctree_node header = ctree_rows_section_node(rows, section);
        if (header != CTREE_NONE) {
            text[length++] = name_of(w, header);
            text[length++] = ':';
            text[length++] = ' ';
        }
        uint32_t end = ctree_rows_section_start(rows, section + 1);
        for (uint32_t row = ctree_rows_section_start(rows, section); row < end; row++) {
            CHECK(length + ctree_rows_depths(rows)[row] + 8 < ROOM);
            for (uint32_t i = 0; i < ctree_rows_depths(rows)[row]; i++) text[length++] = '.';
            text[length++] = name_of(w, ctree_rows_node(rows, row));
            text[length++] = ' ';
        }
    }
    text[length > 0 ? length - 1 : 0] = '\0';
    ctree_rows_destroy(rows);
    return is_same(text, expected);
}

bool holds(const world *w, const char *expected) {
    char text[ROOM];
    size_t length = 0;
    uint32_t depth = 0;
    ctree_node node = CTREE_NONE;
    while ((node = ctree_store_next(w->store, node, CTREE_NONE, false)) != CTREE_NONE) {
        uint32_t level = 0;
        CHECK_EQUAL(ctree_store_depth(w->store, node, &level), CTREE_OK);
        CHECK(length + depth + 8 < ROOM);
        if (level > depth) text[length++] = '[';
        for (uint32_t i = level; i < depth; i++) text[length++] = ']';
        if (level <= depth && length > 0) text[length++] = ' ';
        text[length++] = name_of(w, node);
        depth = level;
    }
    for (; depth > 0; depth--) text[length++] = ']';
    text[length] = '\0';
    return is_same(text, expected);
}
