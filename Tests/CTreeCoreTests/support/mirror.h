/*
 * A listener that believes nothing but what it is told: it replays the edits of a store on plain arrays of node
 * names, and checks at each step that "before" and "after" come in pairs, that the store is at the step that they
 * speak of, and that a change told is a change made.
 */
#ifndef TEST_MIRROR_H
#define TEST_MIRROR_H

#include "ctree/ctree.h"

typedef struct mirror_node {
    ctree_node node, parent;
    ctree_node *children;
    uint32_t count, room;
    uint64_t value, revision;
    uint32_t load_state;
    bool more;
} mirror_node;

typedef struct mirror {
    mirror_node *nodes; /* the top level first; the rest in no order */
    uint32_t count, room;
    bool open;                      /* "before" has come, "after" not yet */
    ctree_edit edit;                /* of that "before" */
    uint64_t settled, edits, moved; /* since mirror_count_from_here: calls, edits, nodes moved */
    uint64_t told[5];               /* edits by kind */
    uint64_t token;
} mirror;

/* Reads the store as it is and listens from then on. */
void mirror_attach(mirror *m, ctree_store *store);
void mirror_detach(mirror *m, ctree_store *store);
void mirror_free(mirror *m); /* where the store is gone */

void mirror_count_from_here(mirror *m);

/* Everything that the edits built up is what the store holds. */
void mirror_compare(const mirror *m, const ctree_store *store);

#endif
