/*
 * The flattener: the visible nodes of a view in preorder, in one pass over the lists of children. What is left of the
 * lists above stands on a stack of its own.
 */
#include "base/bits.h"
#include "store/children.h"
#include "view/rows.h"

/* What is left of a list of siblings. */
typedef struct list {
    const uint32_t *next, *end; /* Those that lie next to each other. */
    uint32_t depth;             /* In the store. */
    bool wide;                  /* More may follow elsewhere. */
    bool far;                   /* Its nodes lie all over the store: to be looked ahead to. */
} list;

typedef struct flattener {
    const ctree_view *view;
    const ctree_store *store;
    const ctree_progress *progress;
    ctree_rows *rows;
    uint32_t headers; /* Levels above the topmost rows: 1 with sections. */
    uint32_t ask_at;  /* The row count at which to ask for progress again. */
    list *stack;
    size_t height, room;
} flattener;

enum {
    ASK_EVERY = 1 << 15, /* rows */
    CHUNK = 16,          /* Siblings that are looked ahead to at a time. */
    PAST = 16            /* Siblings among which the next that opens is looked for. */
};

static ctree_status ask(flattener *f, uint32_t row) {
    const ctree_progress *progress = f->progress;
    f->ask_at = row + ASK_EVERY < row ? UINT32_MAX : row + ASK_EVERY;
    if (progress == NULL || progress->keep_going == NULL) return CTREE_OK;
    return progress->keep_going(progress->context, row, f->store->count) ? CTREE_OK : CTREE_CANCELLED;
}

/* Room for `count` more rows, which stand in one run of siblings. */
static ctree_status make_room(flattener *f, uint32_t row, uint32_t count) {
    ctree_rows *rows = f->rows;
    uint64_t need = (uint64_t)row + count, most = f->store->count;
    if (!ct_strip_grow(&rows->nodes, &rows->mem, need * sizeof(ctree_node), most * sizeof(ctree_node))) {
        return CTREE_NO_MEMORY;
    }
    if (!ct_strip_grow(&rows->depths, &rows->mem, need * sizeof(uint32_t), most * sizeof(uint32_t))) {
        return CTREE_NO_MEMORY;
    }
    return row >= f->ask_at ? ask(f, row) : CTREE_OK;
}

static bool push(flattener *f, list rest) {
    if (f->height == f->room) {
        void *stack = f->stack;
        if (!ct_grow(&f->rows->mem, &stack, &f->room, f->height + 1, sizeof rest)) return false;
        f->stack = stack;
    }
    f->stack[f->height++] = rest;
    return true;
}

static list list_from(const ctree_store *store, uint32_t parent, uint32_t position, uint32_t depth) {
    const ct_hot *hot = ct_hot_at(store, parent);
    ct_span span = ct_children_span(store, hot, position);
    list run = {span.slots, span.slots + span.count, depth, (hot->tag & CT_FLAG_WIDE) != 0, false};
    /* Where nodes lie in preorder, a node's last child is mostly close behind it; elsewhere it may be anywhere. */
    if (span.count != 0) run.far = run.end[-1] - parent > 64 + 8 * span.count;
    return run;
}

/* Reads on in a wide list, behind the last run; an empty run at its end. */
static list list_after(const ctree_store *store, list run) {
    uint32_t last = run.end[-1];
    return list_from(store, ct_hot_at(store, last)->parent, ct_children_ordinal(store, last) + 1, run.depth);
}

/* ---- Looking ahead ---------------------------------------------------------------------------------------------- */

/*
 * Where neighbours in the tree lie anywhere in the store, each record and each block of children is a cache line that
 * has to be waited for. So they are asked for while there are other rows to write: the records of a chunk of siblings
 * one chunk ahead, then their blocks of children, and, when a node's children are begun, the records of the children
 * of the sibling that opens after it, which come next.
 */
static void look_at(const ctree_store *store, const uint32_t *slots, const uint32_t *end) {
    for (uint32_t i = 0; i < CHUNK && slots < end; i++) ct_prefetch(ct_hot_at(store, *slots++));
}

/* Before the chunk at the start of a run. What a leaf or a wide node names as its block does no harm. */
static void look_ahead(const ctree_store *store, const list *run, bool begins) {
    const uint32_t *slots = run->next;
    if (begins) look_at(store, slots, run->end);
    if (run->end - slots > CHUNK) look_at(store, slots + CHUNK, run->end);
    const ct_array *words = &store->children.words;
    for (uint32_t i = 0; i < CHUNK && slots < run->end; i++) {
        uint32_t kids = ct_hot_at(store, *slots++)->kids;
        if (kids < words->capacity) ct_prefetch(ct_array_at(words, kids, sizeof(uint32_t)));
    }
}

/* The next of the siblings that has children: the records of those. */
static void look_past(const ctree_store *store, const list *rest) {
    const uint32_t *slots = rest->next;
    for (uint32_t i = 0; i < PAST && slots < rest->end; i++) {
        const ct_hot *hot = ct_hot_at(store, *slots++);
        if (hot->count == 0) continue;
        if ((hot->tag & CT_FLAG_WIDE) != 0) return;
        ct_span children = ct_children_span(store, hot, 0);
        look_at(store, children.slots, children.slots + children.count);
        return;
    }
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

/* All rows below a node that is shown open and has children. */
static ctree_status flatten_below(flattener *f, uint32_t parent, uint32_t depth) {
    const ctree_store *store = f->store;
    ctree_rows *rows = f->rows;
    bool look_up = rows->row_of.capacity != 0;
    uint32_t row = rows->count;
    list run = list_from(store, parent, 0, depth);
    bool begins = true; /* the run, else it goes on */
    for (;;) {
        if (run.next == run.end) {
            if (run.wide) {
                run = list_after(store, run);
                begins = true;
            }
            if (run.next == run.end) {
                if (f->height == 0) break;
                run = f->stack[--f->height];
                begins = false;
                continue;
            }
        }
        ctree_status status = make_room(f, row, (uint32_t)(run.end - run.next));
        if (status != CTREE_OK) return status;
        ctree_node *nodes = rows->nodes.items;
        uint32_t *depths = rows->depths.items;
        const uint32_t *stop = run.end;
        if (run.far) {
            bool long_one = stop - run.next > CHUNK;
            if (begins || long_one) look_ahead(store, &run, begins);
            if (long_one) stop = run.next + CHUNK;
        }
        begins = false;
        while (run.next != stop) {
            uint32_t slot = *run.next++;
            const ct_hot *hot = ct_hot_at(store, slot);
            nodes[row] = ct_handle(slot, hot);
            depths[row] = run.depth - f->headers;
            row++;
            if (look_up) ct_array_set_u32(&rows->row_of, slot, row);
            if (hot->count == 0 || !ct_view_opens_at(f->view, slot, run.depth)) continue;
            list below = list_from(store, slot, 0, run.depth + 1);
            if (run.next != run.end || run.wide) {
                if (run.far) look_past(store, &run);
                if (!push(f, run)) return CTREE_NO_MEMORY;
            }
            run = below;
            begins = true;
            break;
        }
    }
    rows->count = row;
    return CTREE_OK;
}

static ctree_status flatten_sections(flattener *f) {
    const ctree_store *store = f->store;
    ctree_rows *rows = f->rows;
    const ct_hot *top = ct_hot_at(store, CT_TOP);
    uint32_t section = 0;
    while (section < rows->section_count) {
        ct_span span = ct_children_span(store, top, section);
        for (uint32_t i = 0; i < span.count; i++, section++) {
            const ct_hot *hot = ct_hot_at(store, span.slots[i]);
            rows->section_nodes[section] = ct_handle(span.slots[i], hot);
            rows->section_starts[section] = rows->count;
            if (hot->count == 0 || !ct_view_opens_at(f->view, span.slots[i], 0)) continue;
            ctree_status status = flatten_below(f, span.slots[i], 1);
            if (status != CTREE_OK) return status;
        }
    }
    return CTREE_OK;
}

ctree_status ct_flatten(const ctree_view *view, const ctree_progress *progress, ctree_rows *rows) {
    bool sections = (view->flags & CTREE_VIEW_SECTIONS) != 0;
    flattener f = {.view = view, .store = view->store, .progress = progress, .rows = rows, .headers = sections};
    ctree_status status = ask(&f, 0);
    if (status == CTREE_OK && sections) {
        status = flatten_sections(&f);
    } else if (status == CTREE_OK) {
        rows->section_starts[0] = 0;
        if (ct_hot_at(f.store, CT_TOP)->count != 0) status = flatten_below(&f, CT_TOP, 0);
    }
    if (status == CTREE_OK) rows->section_starts[rows->section_count] = rows->count;
    ct_free(&rows->mem, f.stack, f.room * sizeof *f.stack);
    return status;
}
