/*
 * The identifier of each slot: 64-bit numbers in an array, or bytes in 4 KiB pages named by a 32-bit reference.
 *
 * A slot of the second kind holds its reference beside 32 bits of hash, so that a look-up that misses reads no bytes.
 * In a page an identifier stands as its length (one byte below 128, else two) and its bytes, padded to 4. Identifiers
 * over 1,024 bytes have blocks of their own, told apart by the top bit of the reference.
 *
 * Bytes of removed nodes are reclaimed little by little. A page that holds nothing alive is used again at once. For
 * the rest sweeps over the slots copy living identifiers out of the pages that have most dead bytes: the bytes do not
 * say whose they are, and a sweep makes that needless. A sweep starts once an eighth is dead. Until it ends, what it
 * copied is there twice, so it copies no more than fits below a quarter, and it goes as fast as bytes die, so that
 * what it gives back outweighs what died meanwhile: over the long run at most a quarter is dead. Two floors keep the
 * work for each removal bounded: nothing is swept below 16 KiB of dead bytes, nor below one dead byte for each 32
 * slots, however few identifiers are left; at most thrice that is dead then.
 */
#ifndef CT_IDS_H
#define CT_IDS_H

#include "arena/array.h"
#include "base/bits.h"

typedef enum ct_ids_kind { CT_IDS_U64, CT_IDS_BYTES } ct_ids_kind;

enum {
    CT_IDS_PAGE = 4096,
    CT_IDS_UNIT = 4, /* bytes that an identifier is padded to, and a reference counts */
    CT_IDS_PAGE_UNITS = CT_IDS_PAGE / CT_IDS_UNIT,
    CT_IDS_DEAD_STEP = 32, /* units */
    CT_IDS_DEAD_CLASSES = CT_IDS_PAGE_UNITS / CT_IDS_DEAD_STEP + 1,
    CT_IDS_INLINE_MOST = 1024 /* bytes of the longest identifier that lies in a page */
};

#define CT_IDS_OWN_BLOCK 0x80000000u /* In a reference: the rest is the number of a block. */

/* A slot of a CT_IDS_BYTES store. */
typedef struct ct_ids_entry {
    uint32_t
        reference; /* 0: none. Else 1 + the number of its first unit, or a block's number and CT_IDS_OWN_BLOCK. */
    uint32_t hash;
} ct_ids_entry;

/* An identifier over CT_IDS_INLINE_MOST bytes. Of a free one: bytes is NULL, length the next free one + 1. */
typedef struct ct_ids_block {
    unsigned char *bytes;
    uint32_t length;
} ct_ids_block;

typedef struct ct_ids {
    ct_ids_kind kind;
    ct_array slots;                            /* uint64_t or ct_ids_entry by slot */
    ct_array pages;                            /* CT_IDS_PAGE bytes each */
    ct_array page_info;                        /* ct_ids_page_info by page, see pages.h */
    ct_array blocks;                           /* ct_ids_block by number */
    uint32_t slot_end;                         /* Slots from here on never held bytes. */
    uint32_t page_count, free_page, open_page; /* free_page and open_page: number + 1, 0 for none */
    uint32_t block_count, free_block;          /* free_block: number + 1, 0 for none */
    uint64_t used_units, live_units;           /* in pages that hold anything; the difference is dead */
    uint64_t block_bytes;                      /* of living blocks */

    /* The sweep: reclaim.c. */
    uint64_t died;       /* Units that died since the last step. */
    uint64_t allowance;  /* Units that may die while this sweep runs; 0: none is running. */
    uint64_t debt;       /* What is owed to the sweep, in slots times allowance. */
    uint64_t may_copy;   /* Units that it may still undertake to copy. */
    uint32_t cursor;     /* The next slot. */
    uint32_t least_dead; /* It empties pages with at least this many dead units. */
    uint32_t turn;       /* Alternates from sweep to sweep: pages already judged in this one carry it. */
    uint32_t pages_by_dead[CT_IDS_DEAD_CLASSES]; /* Pages in use, by dead units / CT_IDS_DEAD_STEP. */
} ct_ids;

typedef struct ct_ids_figures {
    uint64_t live; /* Bytes of living identifiers with their lengths and padding, the slots not counted. */
    uint64_t dead; /* Bytes that a later sweep will give back. */
    uint64_t held; /* All memory, slots included. */
} ct_ids_figures;

/* Takes no memory. `slot_limit` is the number of slots there may ever be. */
void ct_ids_init(ct_ids *ids, ct_ids_kind kind, uint64_t slot_limit);
void ct_ids_destroy(ct_ids *ids, const ct_mem *mem);

/* Makes slots [0, slots) usable; new ones have no identifier. CTREE_NO_MEMORY, CTREE_LIMIT: nothing changed. */
ctree_status ct_ids_reserve(ct_ids *ids, const ct_mem *mem, uint64_t slots);

/* Makes room for `count` identifiers of `bytes` bytes in all, so that setting them allocates little: for bulk
   builds. */
ctree_status ct_ids_reserve_bytes(ct_ids *ids, const ct_mem *mem, uint64_t count, uint64_t bytes);

/*
 * Gives a slot its identifier, in place of the one it had. The bytes must not lie in this ct_ids. `hash` is only kept
 * for bytes. CTREE_LIMIT for more than 2^32 - 1 bytes, or more than 8 GiB of short identifiers; CTREE_NO_MEMORY. On
 * failure the slot is as it was. Ends pointers that ct_ids_get gave.
 */
ctree_status ct_ids_set(ct_ids *ids, const ct_mem *mem, uint32_t slot, ctree_id id, uint32_t hash);

/* Leaves the slot without an identifier (a number becomes 0). Allocates nothing. */
void ct_ids_clear(ct_ids *ids, const ct_mem *mem, uint32_t slot);

/* One step of upkeep, after each edit: work in proportion to the bytes that died since the last one. Without memory
   it stops, and goes on at the next step. Ends pointers that ct_ids_get gave. */
void ct_ids_reclaim(ct_ids *ids, const ct_mem *mem);

/* The identifier, lent until the next set, clear or reclaim. Of a slot without one: 0, or no bytes. */
ctree_id ct_ids_get(const ct_ids *ids, uint32_t slot);

/* O(1). */
ct_ids_figures ct_ids_measure(const ct_ids *ids);

/* Checks every invariant. CTREE_OK; CTREE_CORRUPT and a static English reason; CTREE_NO_MEMORY. */
ctree_status ct_ids_check(const ct_ids *ids, const ct_mem *mem, const char **reason);

/* ---- Reads on the path of a look-up --------------------------------------------------------------------------- */

static inline const ct_ids_entry *ct_ids_entry_at(const ct_ids *ids, uint32_t slot) {
    return (const ct_ids_entry *)ct_array_at(&ids->slots, slot, sizeof(ct_ids_entry));
}

/* The stored hash, which only bytes have. */
static inline uint32_t ct_ids_hash(const ct_ids *ids, uint32_t slot) { return ct_ids_entry_at(ids, slot)->hash; }

static inline void ct_ids_set_hash(ct_ids *ids, uint32_t slot, uint32_t hash) {
    ((ct_ids_entry *)ct_array_at(&ids->slots, slot, sizeof(ct_ids_entry)))->hash = hash;
}

/* Where an identifier that lies in a page begins. */
static inline const unsigned char *ct_ids_inline_at(const ct_ids *ids, uint32_t reference) {
    uint32_t unit = reference - 1;
    const unsigned char *page =
        (const unsigned char *)ct_array_at(&ids->pages, unit / CT_IDS_PAGE_UNITS, CT_IDS_PAGE);
    return page + unit % CT_IDS_PAGE_UNITS * CT_IDS_UNIT;
}

bool ct_ids_equal_block(const ct_ids *ids, uint32_t reference, ctree_id id);

/* Whether the slot has this identifier. */
static inline bool ct_ids_equal(const ct_ids *ids, uint32_t slot, ctree_id id) {
    if (ids->kind == CT_IDS_U64) return ct_array_get_u64(&ids->slots, slot) == id.word;
    uint32_t reference = ct_ids_entry_at(ids, slot)->reference;
    if (reference == 0 || (reference & CT_IDS_OWN_BLOCK) != 0) return ct_ids_equal_block(ids, reference, id);
    const unsigned char *at = ct_ids_inline_at(ids, reference);
    size_t length = *at++;
    if (length >= 128) length = (length & 127) | (size_t)*at++ << 7;
    return length == id.word && (length == 0 || memcmp(at, id.bytes, length) == 0);
}

/* The same, looking first at the stored hash where there is one: for candidates that the index gave. */
static inline bool ct_ids_match(const ct_ids *ids, uint32_t slot, ctree_id id, uint32_t hash) {
    if (ids->kind == CT_IDS_BYTES && ct_ids_hash(ids, slot) != hash) return false;
    return ct_ids_equal(ids, slot, id);
}

/* Begins to read what stands at the slot; and, once that has come in, the bytes it refers to. For batched
   look-ups. */
static inline void ct_ids_prefetch(const ct_ids *ids, uint32_t slot) {
    ct_prefetch(ct_array_at(&ids->slots, slot, 8));
}

static inline void ct_ids_prefetch_bytes(const ct_ids *ids, uint32_t slot) {
    if (ids->kind == CT_IDS_U64) return;
    uint32_t reference = ct_ids_entry_at(ids, slot)->reference;
    if (reference != 0 && (reference & CT_IDS_OWN_BLOCK) == 0) ct_prefetch(ct_ids_inline_at(ids, reference));
}

#endif
