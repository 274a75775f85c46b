/*
 * The flattener: the visible nodes of a view in preorder, in one pass over the lists of children. What is left of the
 * lists above stands on a stack of its own.
 */
#include "store/children.h"
#include "view/rows.h"

/* What is left of a list of siblings. */
typedef struct list {
    const uint32_t *next, *end; /* Those that lie next to each other. */
    uint32_t depth;             /* In the store. */
    bool wide;                  /* More may follow elsewhere. */
    bool far;                   /* Its nodes lie all over the store: to be looked ahead to. */
} list;

/* Records that lie next to each other in memory: of slots from `first` on. All of them, or one chunk. */
typedef struct stretch {
    const ct_hot *records;
    uint32_t first, count;
} stretch;

typedef struct flattener {
    const ctree_view *view;
    const ctree_store *store;
    const ctree_progress *progress;
    ctree_rows *rows;
    stretch here;     /* The one that was read from last. */
    uint32_t headers; /* Levels above the topmost rows: 1 with sections. */
    uint64_t ask_at;  /* Rows after which to ask for progress again. */
    uint64_t limit;   /* Rows up to which there is room and nothing to ask. */
    list *stack;
    size_t height, room;
} flattener;

enum {
    ASK_EVERY = 1 << 15, /* rows */
    NEAR = 16,           /* Slots that lie no further apart are in cache already, or asked for by the machine. */
    CHUNK = 16,          /* Siblings that are looked ahead to at a time. */
    PAST = 16            /* Siblings among which the next that opens is looked for. */
};

static ctree_status ask(flattener *f, uint64_t row) {
    const ctree_progress *progress = f->progress;
    f->ask_at = row + ASK_EVERY;
    if (progress == NULL || progress->keep_going == NULL) return CTREE_OK;
    return progress->keep_going(progress->context, row, f->store->count) ? CTREE_OK : CTREE_CANCELLED;
}

/* Room for rows up to `need`; `row` are written. */
static ctree_status make_room(flattener *f, uint64_t row, uint64_t need) {
    ctree_rows *rows = f->rows;
    uint64_t most = f->store->count;
    if (!ct_strip_grow(&rows->nodes, &rows->mem, need * sizeof(ctree_node), most * sizeof(ctree_node))
        || !ct_strip_grow(&rows->depths, &rows->mem, need * sizeof(uint32_t), most * sizeof(uint32_t))) {
        return CTREE_NO_MEMORY;
    }
    ctree_status status = row >= f->ask_at ? ask(f, row) : CTREE_OK;
    f->limit = rows->nodes.bytes / sizeof(ctree_node);
    if (f->limit > rows->depths.bytes / sizeof(uint32_t)) f->limit = rows->depths.bytes / sizeof(uint32_t);
    if (f->limit > f->ask_at) f->limit = f->ask_at > need ? f->ask_at : need;
    return status;
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
    if (span.count != 0) run.far = (position == 0 && span.slots[0] - parent > NEAR) || ct_children_lie_far(span);
    return run;
}

/* Reads on in a wide list, behind the last run; an empty run at its end. */
static list list_after(const ctree_store *store, list run) {
    uint32_t last = run.end[-1];
    return list_from(store, ct_hot_at(store, last)->parent, ct_children_ordinal(store, last) + 1, run.depth);
}

/* ---- Looking ahead ----------------------------------------------------------------------------------------------
 */

/*
 * Where neighbours in the tree lie anywhere in the store, each record and each block of children is a cache line that
 * has to be waited for. So they are asked for while there are other rows to write: the records of a chunk of siblings
 * one chunk ahead, then their blocks of children, and, when a node's children are begun, the records of the children
 * of the sibling that opens after it, which come next.
 */
static void look_at(const ctree_store *store, const uint32_t *slots, const uint32_t *end) {
    for (uint32_t i = 0; i < CHUNK && slots < end; i++) ct_prefetch(ct_hot_at(store, *slots++));
}

/* Before the chunk at the start of a run */
static void look_ahead(const ctree_store *store, const list *run, bool begins) {
    const uint32_t *slots = run->next;
    if (begins) look_at(store, slots, run->end);
    if (run->end - slots > CHUNK) look_at(store, slots + CHUNK, run->end);
    for (uint32_t i = 0; i < CHUNK && slots < run->end; i++) {
        ct_children_block_ahead(store, ct_hot_at(store, *slots++));
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

/* ---- Rows -------------------------------------------------------------------------------------------------------
 */

static stretch stretch_with(const ctree_store *store, uint32_t slot) {
    const ct_array *hot = &store->hot;
    uint32_t first = hot->base != NULL ? 0 : slot >> hot->shift << hot->shift;
    uint64_t count = ct_array_run(hot, first);
    return (stretch){ct_hot_at(store, first), first, count < UINT32_MAX ? (uint32_t)count : UINT32_MAX};
}

/* Writes the rows of a run from `next` up to `stop`, or up to the first that is open: its slot, else CT_TOP. */
static inline uint32_t write_rows(flattener *f, list *run, const uint32_t *stop, uint32_t *row) {
    ctree_rows *rows = f->rows;
    stretch here = f->here;
    ctree_node *nodes = rows->nodes.items;
    uint32_t *depths = rows->depths.items;
    const uint32_t *next = run->next;
    const uint32_t depth = run->depth - f->headers;
    const bool look_up = rows->row_of.capacity != 0;
    uint32_t at = *row, opened = CT_TOP;
    while (next != stop) {
        uint32_t slot = *next++;
        if (slot - here.first >= here.count) here = stretch_with(f->store, slot);
        const ct_hot *hot = here.records + (slot - here.first);
        nodes[at] = ct_handle(slot, hot);
        depths[at] = depth;
        at++;
        if (look_up) ct_array_set_u32(&rows->row_of, slot, at);
        if (hot->count != 0 && ct_view_opens_at(f->view, slot, run->depth)) {
            opened = slot;
            break;
        }
    }
    f->here = here;
    run->next = next;
    *row = at;
    return opened;
}

/* All rows below a node that is shown open and has children. */
static ctree_status flatten_below(flattener *f, uint32_t parent, uint32_t depth) {
    const ctree_store *store = f->store;
    uint32_t row = f->rows->count;
    list run = list_from(store, parent, 0, depth);
    bool begins = true; /* the run, else it goes on */
    for (;;) {
        if (run.next == run.end && run.wide) {
            run = list_after(store, run);
            begins = true;
        }
        if (run.next == run.end) {
            if (f->height == 0) break;
            run = f->stack[--f->height];
            begins = false;
            continue;
        }
        uint64_t need = (uint64_t)row + (uint64_t)(run.end - run.next);
        if (need > f->limit) {
            ctree_status status = make_room(f, row, need);
            if (status != CTREE_OK) return status;
        }
        const uint32_t *stop = run.end;
        if (run.far) {
            bool long_one = stop - run.next > CHUNK;
            if (begins || long_one) look_ahead(store, &run, begins);
            if (long_one) stop = run.next + CHUNK;
            begins = false;
        }
        uint32_t opened = write_rows(f, &run, stop, &row);
        if (opened == CT_TOP) continue;
        if (run.next != run.end || run.wide) {
            if (run.far) look_past(store, &run);
            if (!push(f, run)) return CTREE_NO_MEMORY;
        }
        run = list_from(store, opened, 0, run.depth + 1);
        begins = true;
    }
    f->rows->count = row;
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
