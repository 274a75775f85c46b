/*
 * What every outline that is compared here offers to the harness, so that all do the same work on the same trees and
 * are timed by the same code. In C, so that programs in C, C++ and Swift can fill it in.
 *
 * A tree comes as items in preorder, numbered from 0. Rows are numbered from 0. With everything open the row of an
 * item is its number, which is how the harness names rows without asking.
 */
#ifndef PEER_H
#define PEER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As a parent: the top level. As a row: none. */
#define PEER_NONE UINT32_MAX

typedef struct peer_tree {
    uint32_t count;
    uint32_t capacity; /* Items that are inserted later are numbered from count on, and stay below this. */
    const uint32_t *parents;
    const uint32_t *sizes;    /* Items of each subtree, its root included. */
    const uint32_t *ordinals; /* Position among siblings. */
    /* For the peer to write: how it names each item, as its user would keep it. The memory is the harness's, so that
     * it does not count as the peer's; a peer that names items by their numbers leaves it alone. */
    uint64_t *handles;
} peer_tree;

typedef struct peer_row {
    uint64_t handle;
    uint32_t depth;
    uint8_t expandable;
    uint8_t expanded;
} peer_row;

/*
 * A call that changes rows ends when whoever shows them has been told which ones: signals were emitted, or the batch
 * was committed and accepted. What may be NULL is not measured.
 */
typedef struct peer {
    const char *name;
    const char *what;                /* A line for people, with the version. */
    uint32_t deepest;                /* Levels beyond which it is known to overflow the stack; 0: none. */
    void *(*build)(peer_tree *tree); /* The source and its rows, all closed. */
    void (*destroy)(void *self);
    void (*expand_all)(void *self); /* Its fastest way. */
    uint32_t (*row_count)(void *self);
    uint64_t (*node_at)(void *self, uint32_t row);
    /* Makes ready what its user would keep to ask for the rows of these items; may be NULL. */
    void (*hold)(void *self, const uint32_t *items, uint32_t count);
    uint32_t (*row_of)(void *self, uint32_t item);
    uint64_t (*find)(void *self,
                     uint32_t item); /* By identifier, which is the item's number scrambled. May be NULL. */
    void (*set_expanded)(void *self, uint32_t row, int expanded);
    void (*window)(void *self, uint32_t first, uint32_t count, peer_row *out);
    void (*insert)(void *self, uint32_t parent, uint32_t ordinal, uint32_t item); /* A leaf. */
    void (*remove)(void *self, uint32_t parent, uint32_t ordinal);                /* A leaf. */
    /* The children of a node are here anew. NULL: one removal and one insertion, which the caller knows. */
    void (*reload)(void *self, uint32_t parent, const uint32_t *children, uint32_t count);
} peer;

/* Runs what the arguments name and prints a line of JSON for each figure; see arguments.cc. */
int peer_main(const peer *peers, int count, int argc, char **argv);

/* One figure, as a line of JSON. `size` 0: none. */
void peer_print(const char *who, const char *tree, uint32_t rows, const char *op, uint32_t size, double value,
                const char *unit);

/* Time that this thread ran, in nanoseconds. */
double peer_time(void);

/* A number that identifies an item, in no order. */
static inline uint64_t peer_number(uint64_t item) {
    uint64_t word = item + 0x9E3779B97F4A7C15u;
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    return word ^ (word >> 31);
}

#ifdef __cplusplus
}
#endif

#endif
