#include "store/children.h"

/*
 * Sizes of blocks, in children: exact up to 8, then four steps to each doubling. Room that lies idle in a block is
 * at most a quarter of it, and blocks of one class serve any list that needs that class.
 */
static const uint16_t class_rooms[] = {1,  2,  3,  4,  5,  6,  7,  8,  10,  12,  14,  16,  20,  24,
                                       28, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256};

enum { CLASS_COUNT = sizeof class_rooms / sizeof class_rooms[0] };

_Static_assert((int)CLASS_COUNT <= (int)CT_BLOCK_CLASSES, "a free list for each class");

static uint32_t class_of(uint32_t room) {
    uint32_t low = 0, high = CLASS_COUNT - 1;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (class_rooms[middle] < room) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void ct_children_init(ct_children *children) {
    memset(children, 0, sizeof *children);
    ct_array_init(&children->words, sizeof(uint32_t), UINT32_MAX);
    children->used = 1; /* word 0 would be taken for "no block" */
}

void ct_children_destroy(ctree_store *store) {
    ct_array_destroy(&store->children.words, &store->mem);
    ct_seq_pool_destroy(&store->wide);
}

static uint32_t *words_at(const ctree_store *store, uint32_t index) {
    return ct_array_at(&store->children.words, index, sizeof(uint32_t));
}

/* The class of the block whose first child stands at `kids`, kept in the word before it. */
static uint32_t block_class(const ctree_store *store, uint32_t kids) {
    return ct_array_get_u32(&store->children.words, kids - 1);
}

static uint32_t block_room(const ctree_store *store, const ct_hot *parent) {
    return parent->kids == 0 ? 0 : class_rooms[block_class(store, parent->kids)];
}

static void give_block(ctree_store *store, uint32_t kids) {
    uint32_t class = block_class(store, kids);
    ct_array_set_u32(&store->children.words, kids, store->children.free_heads[class]);
    store->children.free_heads[class] = kids;
}

static ctree_status take_block(ctree_store *store, uint32_t room, uint32_t *kids) {
    ct_children *children = &store->children;
    uint32_t class = class_of(room);
    if (children->free_heads[class] != 0) {
        *kids = children->free_heads[class];
        children->free_heads[class] = ct_array_get_u32(&children->words, *kids);
        return CTREE_OK;
    }
    uint64_t words = (uint64_t)class_rooms[class] + 1;
    uint64_t start = children->used;
    /* A block must lie in one piece: where the array is in chunks, what is left of one may be too short. */
    ctree_status status = ct_array_reserve(&children->words, &store->mem, start + words);
    if (status != CTREE_OK) return status;
    uint64_t run = ct_array_run(&children->words, start);
    if (run < words) {
        status = ct_array_reserve(&children->words, &store->mem, start + run + words);
        if (status != CTREE_OK) return status;
        start += run;
    }
    children->used = start + words;
    ct_array_set_u32(&children->words, start, class);
    *kids = (uint32_t)start + 1;
    return CTREE_OK;
}

/* The handle of a wide list; what changes in it is written back with keep_wide. */
static ct_seq wide_list(uint32_t parent, const ct_hot *hot) { return (ct_seq){hot->kids, hot->count, 0, parent}; }

static void keep_wide(ct_hot *hot, const ct_seq *list) {
    hot->kids = list->root;
    hot->count = list->count;
}

ct_span ct_children_span(const ctree_store *store, const ct_hot *parent, uint32_t position) {
    if (position >= parent->count) return (ct_span){NULL, 0};
    if ((parent->tag & CT_FLAG_WIDE) == 0) {
        return (ct_span){words_at(store, parent->kids) + position, parent->count - position};
    }
    ct_seq list = wide_list(0, parent);
    ct_seq_walk walk = ct_seq_walk_from(&store->wide, &list, position);
    ct_span span;
    span.count = ct_seq_walk_span(&store->wide, &walk, &span.slots);
    return span;
}

uint32_t ct_children_at(const ctree_store *store, uint32_t parent, uint32_t position) {
    const ct_hot *hot = ct_hot_at(store, parent);
    if ((hot->tag & CT_FLAG_WIDE) == 0) return words_at(store, hot->kids)[position];
    ct_seq list = wide_list(parent, hot);
    return ct_seq_at(&store->wide, &list, position);
}

uint32_t ct_children_ordinal(const ctree_store *store, uint32_t slot) {
    const ct_hot *parent = ct_hot_at(store, ct_hot_at(store, slot)->parent);
    if ((parent->tag & CT_FLAG_WIDE) != 0) return ct_seq_rank(&store->wide, slot);
    const uint32_t *slots = words_at(store, parent->kids);
    uint32_t position = 0;
    while (slots[position] != slot) position++;
    return position;
}

void ct_children_ahead(const ctree_store *store, uint32_t slot) {
    const ct_hot *parent = ct_hot_at(store, ct_hot_at(store, slot)->parent);
    if ((parent->tag & CT_FLAG_WIDE) != 0) {
        ct_prefetch(ct_array_at(&store->wide.leaf_of, slot, sizeof(uint32_t)));
        return;
    }
    enum { LINE = 64 / sizeof(uint32_t) };
    const uint32_t *slots = words_at(store, parent->kids);
    for (uint32_t i = 0; i < parent->count; i += LINE) ct_prefetch(slots + i);
}

/* Turns a block into a sequence of the same children. */
static ctree_status widen(ctree_store *store, uint32_t parent) {
    ct_hot *hot = ct_hot_at(store, parent);
    ctree_status status = ct_seq_reserve_slots(&store->wide, store->hot.capacity);
    if (status != CTREE_OK) return status;
    ct_seq list = CT_SEQ_EMPTY;
    if (hot->count != 0) {
        ct_seq_rows rows = {words_at(store, hot->kids), NULL, NULL, hot->count};
        status = ct_seq_build(&store->wide, rows, &list);
        if (status != CTREE_OK) return status;
    }
    ct_seq_set_owner(&store->wide, &list, parent);
    if (hot->kids != 0) give_block(store, hot->kids);
    keep_wide(hot, &list);
    hot->tag |= CT_FLAG_WIDE;
    return CTREE_OK;
}

ctree_status ct_children_reserve_wide(ctree_store *store, uint32_t more) {
    ctree_status status = ct_seq_reserve_slots(&store->wide, store->hot.capacity);
    ct_seq_work work = {0};
    if (more == 1) {
        work.inserts = 1;
    } else {
        work.runs = 1;
        work.run_rows = more;
    }
    return status == CTREE_OK ? ct_seq_reserve(&store->wide, &work) : status;
}

ctree_status ct_children_reserve_rows(ctree_store *store, uint64_t runs, uint64_t run_rows, uint64_t rows) {
    ctree_status status = ct_seq_reserve_slots(&store->wide, store->hot.capacity);
    return status == CTREE_OK ? ct_seq_reserve_rows(&store->wide, runs, run_rows, rows) : status;
}

ctree_status ct_children_reserve(ctree_store *store, uint32_t parent, uint32_t more) {
    ct_hot *hot = ct_hot_at(store, parent);
    if (more > UINT32_MAX - 1 - hot->count) return CTREE_LIMIT;
    uint32_t need = hot->count + more;
    ctree_status status = CTREE_OK;
    if ((hot->tag & CT_FLAG_WIDE) == 0) {
        if (need <= block_room(store, hot)) return CTREE_OK;
        if (need <= CT_NARROW_MOST) {
            uint32_t kids;
            status = take_block(store, need, &kids);
            if (status != CTREE_OK) return status;
            if (hot->kids != 0) {
                memcpy(words_at(store, kids), words_at(store, hot->kids), hot->count * sizeof(uint32_t));
                give_block(store, hot->kids);
            }
            hot->kids = kids;
            return CTREE_OK;
        }
        status = widen(store, parent);
        if (status != CTREE_OK) return status;
    }
    return ct_children_reserve_wide(store, more);
}

void ct_children_insert(ctree_store *store, uint32_t parent, uint32_t at, const uint32_t *slots, uint32_t count) {
    ct_hot *hot = ct_hot_at(store, parent);
    for (uint32_t i = 0; i < count; i++) ct_hot_at(store, slots[i])->parent = parent;
    if ((hot->tag & CT_FLAG_WIDE) == 0) {
        uint32_t *list = words_at(store, hot->kids);
        memmove(list + at + count, list + at, (hot->count - at) * sizeof(uint32_t));
        memcpy(list + at, slots, count * sizeof(uint32_t));
        hot->count += count;
        return;
    }
    ct_seq list = wide_list(parent, hot);
    if (count == 1) {
        ct_seq_insert(&store->wide, &list, at, slots[0], 0);
    } else {
        ct_seq_insert_run(&store->wide, &list, at, (ct_seq_rows){slots, NULL, NULL, count});
    }
    keep_wide(hot, &list);
}

void ct_children_take_out(ctree_store *store, uint32_t parent, uint32_t first, uint32_t count) {
    ct_hot *hot = ct_hot_at(store, parent);
    if (count == 0) return;
    if ((hot->tag & CT_FLAG_WIDE) == 0) {
        uint32_t *list = words_at(store, hot->kids);
        memmove(list + first, list + first + count, (hot->count - first - count) * sizeof(uint32_t));
        hot->count -= count;
    } else {
        ct_seq list = wide_list(parent, hot);
        if (count == 1) {
            ct_seq_remove(&store->wide, &list, first);
        } else {
            ct_seq_remove_range(&store->wide, &list, first, count);
        }
        keep_wide(hot, &list);
    }
}

void ct_children_trim(ctree_store *store, uint32_t parent) {
    if (ct_hot_at(store, parent)->count == 0) ct_children_clear(store, parent);
}

void ct_children_remove(ctree_store *store, uint32_t parent, uint32_t first, uint32_t count) {
    ct_children_take_out(store, parent, first, count);
    ct_children_trim(store, parent);
}

void ct_children_clear(ctree_store *store, uint32_t parent) {
    ct_hot *hot = ct_hot_at(store, parent);
    if ((hot->tag & CT_FLAG_WIDE) != 0) {
        ct_seq list = wide_list(parent, hot);
        ct_seq_destroy(&store->wide, &list);
        hot->tag &= ~(uint32_t)CT_FLAG_WIDE;
    } else if (hot->kids != 0) {
        give_block(store, hot->kids);
    }
    hot->kids = 0;
    hot->count = 0;
}
