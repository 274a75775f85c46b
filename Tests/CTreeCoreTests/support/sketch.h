/*
 * Small trees written as text, for tests that a reader shall see at a glance. Every letter or digit is a node whose
 * identifier is that character (of a store with 64-bit identifiers that are unique in it):
 *
 *     A[x y?] B[] c      A has the children x, a leaf, and y, not loaded yet; B is loaded and empty; c is a leaf
 *     A+[x y]            A is expanded in view 0
 *
 * Rows are written as their characters in order, each with a dot for every level: "A .x .y B c". A section is
 * written as its character and a colon: "A: x y B: c".
 */
#ifndef TEST_SKETCH_H
#define TEST_SKETCH_H

#include "support/world.h"

/* Puts the sketch at the end of the top level, below a parent, or in place of all that is there. */
void sketch(world *w, const char *text);
void sketch_below(world *w, ctree_node parent, const char *text);
ctree_status sketch_reconcile(world *w, ctree_node parent, const char *text, uint32_t elsewhere);
ctree_status sketch_finish(world *w, ctree_node node, ctree_ticket ticket, const char *text);
ctree_status sketch_append(world *w, ctree_node node, ctree_ticket ticket, const char *text, bool more);

/* The node of a character; CTREE_NONE where there is none. */
ctree_node at(const world *w, char name);

/* Whether the rows of the view are these; prints them where they are not. */
bool shows(const world *w, uint32_t view, const char *rows);

/* Whether the whole store is this, written without marks for load states: "A[x y] B c". */
bool holds(const world *w, const char *text);

#define assert_shows(w, view, rows) assert_true(shows(w, view, rows))
#define assert_holds(w, text) assert_true(holds(w, text))

#endif
