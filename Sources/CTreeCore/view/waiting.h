/*
 * What a view keeps for nodes that have yet to come: a tree of identifiers, found by parent and identifier. An entry
 * whose node is there stays while others wait below it, and is also found by that node's slot.
 *
 * With identifiers unique in the store every entry is found by its identifier alone; parents only say what ends with
 * what.
 */
#ifndef CT_WAITING_H
#define CT_WAITING_H

#include "ctree/saved.h"
#include "store/store.h"

typedef struct ct_waiting_entry {
    ctree_id id; /* Bytes are a copy of the entry's own. */
    uint64_t hash;
    ctree_node node;    /* CTREE_NONE until it is there. */
    uint32_t parent;    /* An entry; CT_WAITING_TOP: the top level. */
    uint32_t below;     /* Entries whose parent it is. */
    uint32_t next_same; /* In a chain of the index by identifier; of a free entry, the next free one. */
    uint32_t next_node; /* In a chain of the index by slot. */
    uint32_t next_due;
    uint8_t what; /* CTREE_SAVED_ bits that wait. */
    bool used, due;
} ct_waiting_entry;

#define CT_WAITING_TOP UINT32_MAX
#define CT_WAITING_NONE (UINT32_MAX - 1)

typedef struct ct_waiting {
    ct_waiting_entry *entries;
    size_t room;
    uint32_t used;  /* Entries ever taken. */
    uint32_t count; /* In use. */
    uint32_t asked; /* In use and with something to give. */
    uint32_t free_head;
    uint32_t due_head, due_tail; /* Their node is there, and has not got yet what waits. */
    uint32_t *by_id, *by_slot;   /* Chains, as many as `chains`: a power of two. */
    size_t chains;
    size_t id_bytes; /* Of the copies of identifiers. */
} ct_waiting;

void ct_waiting_init(ct_waiting *waiting);
void ct_waiting_destroy(ctree_view *view);

/* Bytes that it takes. */
size_t ct_waiting_bytes(const ct_waiting *waiting);

/* Whether all entries are counted, linked and found. */
bool ct_waiting_check(const ctree_view *view);

/* Room for so many entries more, and for what their arrival will need of the view. */
ctree_status ct_waiting_reserve(ctree_view *view, uint64_t more);

/* The entry of an identifier below an entry, or CT_WAITING_NONE. */
uint32_t ct_waiting_find(const ctree_view *view, uint32_t parent, ctree_id id);

/* The same, made where it is not there. Room must have been reserved; the bytes of the identifier may want memory. */
ctree_status ct_waiting_take(ctree_view *view, uint32_t parent, ctree_id id, uint32_t *out);

/* Bits that wait are added; EXPANDED and COLLAPSED replace each other. */
void ct_waiting_ask(ctree_view *view, uint32_t entry, uint32_t what);

/* Frees an entry that has nothing to give and nothing below it, and so on upwards. */
void ct_waiting_drop(ctree_view *view, uint32_t entry);

/* The node is there: what waits for it falls due. */
void ct_waiting_meet(ctree_view *view, uint32_t entry, uint32_t slot);

/* Of a node that has come, whose row is not there yet: collapses it, and notes what falls due with the edit's end. */
void ct_waiting_arrived(ctree_view *view, uint32_t slot);

/* The node of a slot goes. */
void ct_waiting_gone(ctree_view *view, uint32_t slot);

/* Gives what is due, as far as memory reaches. Within an edit's frame, while nothing is told. */
void ct_waiting_give(ctree_view *view);

/* A caller has collapsed the node: what waits below it to be expanded ends. CT_TOP: all of it. */
void ct_waiting_end_below(ctree_view *view, uint32_t slot);

#endif
