/*
 * What a store is made of, and the few inline reads that everything above stands on.
 *
 * A node is a slot: an index into flat arrays. What a walk touches is in one record of 16 bytes; values, revisions,
 * identifiers and loads lie apart. Slot 0 is the top level: the parent of the top-level nodes, live for ever, named
 * by CTREE_NONE, so that no call needs a case of its own for it.
 */
#ifndef CT_STORE_H
#define CT_STORE_H

#include "arena/array.h"
#include "base/mem.h"
#include "ctree/edit.h"
#include "ctree/load.h"
#include "ctree/store.h"
#include "ids/hash.h"
#include "ids/ids.h"
#include "index/index.h"
#include "sequence/seq.h"

/* ---- One slot ------------------------------------------------------------------------------------------------ */

typedef struct ct_hot {
    uint32_t kids;   /* Narrow: the pool word of the first child, 0 without a block. Wide: root of a sequence. */
    uint32_t count;  /* Children. */
    uint32_t parent; /* Slot of the parent. Of a free slot: the next free one. */
    uint32_t tag;    /* Generation in the high 24 bits, CT_FLAG_ bits below. */
} ct_hot;

enum {
    CT_FLAG_LIVE = 1,
    CT_STATE_SHIFT = 1, /* three bits of ctree_load_state */
    CT_STATE_MASK = 7 << CT_STATE_SHIFT,
    CT_FLAG_MORE = 16,
    CT_FLAG_WIDE = 32,      /* The children are a sequence. */
    CT_FLAG_REQUESTED = 64, /* Stands in the queue of load requests. */
    CT_FLAG_LOAD = 128,     /* Has a load record. */
    CT_FLAG_BITS = 8,
    CT_GENERATION_MASK = 0xFFFFFF
};

enum { CT_TOP = 0 }; /* The slot of the top level. */

/* ---- Child lists: children.c ---------------------------------------------------------------------------------- */

enum {
    CT_NARROW_MOST = 256, /* A list longer than this is a sequence. */
    CT_BLOCK_CLASSES = 40
};

/* Blocks of children in one pool of words; before each block stands a word with its size class. */
typedef struct ct_children {
    ct_array words;
    uint64_t used;                         /* Words ever handed out. */
    uint32_t free_heads[CT_BLOCK_CLASSES]; /* By class; a free block's first word links to the next. 0 ends. */
} ct_children;

/* ---- Loads: loads.c, requests.c -------------------------------------------------------------------------------- */

/* What is known of a node's load beyond its state. */
typedef struct ct_load {
    ctree_ticket ticket;    /* Of the load under way, else of the last one. */
    ctree_ticket cancelled; /* The newest cancelled ticket; older ones were superseded. 0: none. */
    uint64_t error;
    uint8_t under_way;
    uint8_t state_before; /* What a cancel restores. */
    uint8_t more_before;
    uint8_t replaces; /* The first page of a reload is still to come, and replaces what is there. */
    uint8_t replaces_before;
} ct_load;

typedef struct ct_loads {
    ct_array of;      /* By slot: number of its record. Only valid where CT_FLAG_LOAD is set. */
    ct_load *records; /* Free records are linked through `ticket`. */
    size_t room, used;
    uint32_t free_head; /* Number + 1, 0: none. */
    ctree_ticket last_ticket;
} ct_loads;

/* A ring of nodes. Entries of nodes that went, or were loaded meanwhile, are passed over when pulled. */
typedef struct ct_requests {
    ctree_node *ring;
    size_t room, head, count;
    ct_array places; /* By slot: place in the ring. Only valid where CT_FLAG_REQUESTED is set. */
} ct_requests;

/* ---- Observers: edits.c ---------------------------------------------------------------------------------------- */

/* What an edit will need of every view, told before it begins. */
typedef struct ct_plan {
    uint64_t steps;        /* Runs that will be inserted, moved or removed. */
    uint64_t tops;         /* New nodes that come below a parent which is there already. */
    uint64_t nodes;        /* New nodes in all. */
    uint64_t unloaded;     /* Those of them that are unloaded: a view that opens them asks for their loads. */
    const uint32_t *moved; /* Slots of nodes that will move. */
    uint32_t moved_count;
    uint32_t root; /* All of it happens below this node; CT_TOP: anywhere. */
} ct_plan;

/* With NULL: the edit that was planned is over. Only told where a view asked for it by ct_edits.tell_over. */
typedef ctree_status ct_plan_fn(void *context, const ct_plan *plan);

/*
 * Whether `*slot` is `ancestor` or stands below it, as far as it can be told without a walk over all that is above
 * it. CT_MAYBE: not by this observer, who may have raised `*slot` meanwhile to a node above it that is not above the
 * ancestor, and not the ancestor.
 */
typedef enum ct_answer { CT_NO, CT_YES, CT_MAYBE } ct_answer;
typedef ct_answer ct_within_fn(const void *context, uint32_t *slot, uint32_t ancestor);

typedef struct ct_observer {
    uint64_t token; /* 0: gone, swept when the outermost call has settled. */
    uint64_t since; /* Hears edits whose number is above this. */
    ctree_listener listener;
    ct_plan_fn *plan;     /* Of a view, which stands next to the edit; NULL for listeners. */
    ct_within_fn *within; /* Of a view too, or NULL. */
} ct_observer;

typedef struct ct_edits {
    ct_observer *observers;
    size_t room, count;
    uint64_t last_token;
    uint64_t number;      /* Of the edit being told; counts up. */
    bool busy;            /* Within "before", "after" or a release. */
    bool settling;        /* Within "settled". */
    bool settle_again;    /* An edit was made within "settled". */
    bool tell_over;       /* A view waits for the end of the edit. */
    bool destroy_pending; /* ctree_store_destroy was called from within a callback. */
    uint32_t open;        /* Edits and transactions entered and not left. */
    uint32_t begun;       /* Transactions among them. */
} ct_edits;

/* ---- The store ------------------------------------------------------------------------------------------------- */

struct ctree_store {
    ct_mem mem;
    ctree_id_kind id_kind;
    ctree_id_scope id_scope;
    ctree_release_fn release;
    void *release_context;

    ct_array hot;       /* ct_hot by slot */
    ct_array values;    /* 64-bit words by slot; no longer than the last slot with one that is not 0 */
    ct_array revisions; /* the same */
    ct_array aged;      /* A bit a slot, in 64-bit words: its generation is not the first one any more. */
    uint32_t used;      /* Slots ever taken, the top level included. */
    uint32_t free_head; /* Slots to use again, linked through `parent`; 0: none. */
    uint32_t free_count;
    uint32_t first_generation; /* Where generations start, and where one must not come round to again. */
    uint64_t count;            /* Living nodes. */
    uint64_t hidden; /* Nodes that an edit under way has made and not linked yet: not live, but in the index. */
    uint64_t node_limit;

    ct_children children;
    ct_seq_pool wide; /* Sequences of the children of wide nodes. */
    ct_hash_key key;
    ct_ids ids;
    ct_index index;
    ct_loads loads;
    ct_requests requests;
    ct_edits edits;

    uint32_t references; /* The owner, and each view. */
    bool closed;
};

static inline ct_hot *ct_hot_at(const ctree_store *store, uint32_t slot) {
    return ct_array_at(&store->hot, slot, sizeof(ct_hot));
}

static inline bool ct_is_live(const ctree_store *store, uint32_t slot) {
    return (ct_hot_at(store, slot)->tag & CT_FLAG_LIVE) != 0;
}

static inline ctree_load_state ct_state(const ct_hot *hot) {
    return (ctree_load_state)((hot->tag & CT_STATE_MASK) >> CT_STATE_SHIFT);
}

static inline void ct_set_state(ct_hot *hot, ctree_load_state state) {
    hot->tag = (hot->tag & ~(uint32_t)CT_STATE_MASK) | (uint32_t)state << CT_STATE_SHIFT;
}

static inline ctree_node ct_handle(uint32_t slot, const ct_hot *hot) {
    return (ctree_node)(hot->tag >> CT_FLAG_BITS) << 32 | slot;
}

/* The handle of a slot; CTREE_NONE for the top level, whose generation is 0. */
static inline ctree_node ct_node_at(const ctree_store *store, uint32_t slot) {
    return ct_handle(slot, ct_hot_at(store, slot));
}

static inline uint64_t ct_aged_word(const ctree_store *store, uint32_t slot) {
    return ct_array_get_u64(&store->aged, slot >> 6);
}

/*
 * The same where the record is not read for anything else. Most slots serve their first node: then a bit of what fits
 * the cache at ten million nodes tells the handle, and not one of the records, which do not.
 */
static inline ctree_node ct_node_named(const ctree_store *store, uint32_t slot) {
    if ((ct_aged_word(store, slot) >> (slot & 63) & 1) != 0) return ct_node_at(store, slot);
    return (ctree_node)store->first_generation << 32 | slot;
}

/* The slot of a living node, or CT_TOP for a handle that names none. */
static inline uint32_t ct_slot_of(const ctree_store *store, ctree_node node) {
    uint32_t slot = (uint32_t)node;
    if (slot >= store->used || slot == CT_TOP) return CT_TOP;
    uint32_t tag = ct_hot_at(store, slot)->tag;
    return tag >> CT_FLAG_BITS == (uint32_t)(node >> 32) && (tag & CT_FLAG_LIVE) != 0 ? slot : CT_TOP;
}

/* The same where CTREE_NONE means the top level: false for a stale handle. */
static inline bool ct_parent_slot(const ctree_store *store, ctree_node node, uint32_t *slot) {
    *slot = ct_slot_of(store, node);
    return *slot != CT_TOP || node == CTREE_NONE;
}

static inline uint64_t ct_word(const ct_array *words, uint32_t slot) {
    return slot < words->capacity ? ct_array_get_u64(words, slot) : 0;
}

/* Room for the word must be there where it is not 0: ct_array_reserve. */
static inline void ct_set_word(ct_array *words, uint32_t slot, uint64_t word) {
    if (slot < words->capacity) ct_array_set_u64(words, slot, word);
}

static inline ctree_status ct_reserve_word(ctree_store *store, ct_array *words, uint32_t slot, uint64_t word) {
    return word == 0 ? CTREE_OK : ct_array_reserve(words, &store->mem, (uint64_t)slot + 1);
}

#endif
