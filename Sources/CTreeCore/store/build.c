#include "store/children.h"
#include "store/edits.h"
#include "store/forest.h"
#include "store/identity.h"
#include "store/reconciling.h"
#include "store/slots.h"

/* Hashes are worked out this many items ahead, so that the lines of the index come in meanwhile. */
enum { AHEAD = 16 };

/*
 * Nodes are made in preorder, so that a walk reads memory forwards, and linked among each other, all out of sight:
 * the last step, which cannot fail, links the topmost ones below the parent. Until then all can be taken back.
 */
typedef struct build {
    ctree_store *store;
    const ctree_forest *forest;
    const uint8_t *more;
    const ctree_progress *progress;
    ctree_fault *fault;
    ct_forest_shape shape;
    uint32_t *slots;        /* by item; CT_TOP until it is entered */
    uint32_t hashes[AHEAD]; /* of the items to come, by their place in the order */
    bool hashed[AHEAD];     /* whether it is known: not where that of the parent was still missing */
    uint32_t entered;       /* items of the order that have slot and identity */
    uint32_t parent;
} build;

/* Bytes of the identifiers that lie in pages. */
static uint64_t bytes_in_pages(const ctree_forest *forest) {
    uint64_t bytes = 0;
    for (uint64_t i = 0; i < forest->count; i++) {
        uint64_t length = ct_forest_id(forest, i).word;
        if (length <= CT_IDS_INLINE_MOST) bytes += length;
    }
    return bytes;
}

static ctree_status reserve(build *b) {
    ctree_store *store = b->store;
    uint64_t count = b->shape.count;
    ctree_status status = ct_slots_reserve(store, count);
    uint64_t last = store->hot.capacity < (uint64_t)store->used + count ? store->hot.capacity : store->used + count;
    if (status == CTREE_OK && b->forest->values != NULL) status = ct_array_reserve(&store->values, &store->mem, last);
    if (status == CTREE_OK && b->forest->revisions != NULL) {
        status = ct_array_reserve(&store->revisions, &store->mem, last);
    }
    if (status == CTREE_OK) status = ct_ids_reserve(&store->ids, &store->mem, last);
    if (status == CTREE_OK && store->id_kind == CTREE_ID_BYTES) {
        status = ct_ids_reserve_bytes(&store->ids, &store->mem, count, bytes_in_pages(b->forest));
    }
    if (status == CTREE_OK) status = ct_index_reserve(&store->index, &store->mem, store->count + count);
    return status;
}

static uint32_t parent_slot(const build *b, uint32_t item) {
    uint32_t parent = ct_forest_parent(b->forest, item);
    return parent == CTREE_END ? b->parent : b->slots[parent];
}

/* Which item of this build has the slot, if any does: asked once, when the build has failed. */
static uint64_t item_of(const build *b, uint32_t slot) {
    for (uint32_t i = 0; i < b->entered; i++) {
        if (b->slots[b->shape.order[i]] == slot) return b->shape.order[i];
    }
    return CTREE_NO_ITEM;
}

static void look_ahead(build *b, uint32_t place) {
    ctree_store *store = b->store;
    uint32_t item = b->shape.order[place], parent = parent_slot(b, item);
    ctree_id id = ct_forest_id(b->forest, item);
    bool known =
        store->id_scope == CTREE_SCOPE_STORE || ct_forest_parent(b->forest, item) == CTREE_END || parent != CT_TOP;
    b->hashed[place % AHEAD] = known && ct_identity_check(store, id) == CTREE_OK;
    if (!b->hashed[place % AHEAD]) return;
    uint32_t hash = ct_identity_hash(store, id, parent);
    b->hashes[place % AHEAD] = hash;
    ct_index_prefetch(&store->index, hash);
}

static ctree_status enter(build *b, uint32_t place) {
    ctree_store *store = b->store;
    uint32_t item = b->shape.order[place];
    ctree_id id = ct_forest_id(b->forest, item);
    ctree_status status = ct_identity_check(store, id);
    uint32_t parent = parent_slot(b, item), hash = 0;
    if (status == CTREE_OK) {
        hash = b->hashed[place % AHEAD] ? b->hashes[place % AHEAD] : ct_identity_hash(store, id, parent);
        uint32_t present = ct_identity_find(store, id, parent, hash);
        if (present != CT_TOP) {
            uint64_t other = item_of(b, present);
            ctree_node node = other == CTREE_NO_ITEM ? ct_node_at(store, present) : CTREE_NONE;
            bool later = other != CTREE_NO_ITEM && other > item; /* preorder may meet the later item first */
            ct_fault_set(b->fault, later ? other : item, later ? item : other, node);
            return CTREE_DUPLICATE;
        }
        status = ct_identity_prepare(store, ct_slots_peek(store), id, hash);
    }
    if (status != CTREE_OK) {
        ct_fault_set(b->fault, item, CTREE_NO_ITEM, CTREE_NONE);
        return status;
    }
    uint32_t slot = ct_slots_take(store);
    ct_hot *hot = ct_hot_at(store, slot);
    hot->parent = parent; /* an identity in sibling scope is made of it */
    ct_identity_enter(store, slot, hash);
    ctree_load_state state = ct_forest_state(b->forest, &b->shape, item);
    ct_set_state(hot, state == CTREE_STATE_KEEP ? CTREE_STATE_UNLOADED : state);
    if (b->more != NULL && b->more[item] != 0) hot->tag |= CT_FLAG_MORE;
    if (b->forest->values != NULL) ct_set_word(&store->values, slot, b->forest->values[item]);
    if (b->forest->revisions != NULL) ct_set_word(&store->revisions, slot, b->forest->revisions[item]);
    b->slots[item] = slot;
    b->entered++;
    return CTREE_OK;
}

static ctree_status enter_all(build *b) {
    enum { STRIDE = 1 << 15 };
    uint32_t count = b->shape.count;
    for (uint32_t i = 0; i < AHEAD && i < count; i++) look_ahead(b, i);
    for (uint32_t i = 0; i < count; i++) {
        const ctree_progress *progress = b->progress;
        bool asks = progress != NULL && progress->keep_going != NULL && i % STRIDE == 0;
        if (asks && !progress->keep_going(progress->context, i, count)) return CTREE_CANCELLED;
        ctree_status status = enter(b, i);
        if (status != CTREE_OK) return status;
        if (count - i > AHEAD) look_ahead(b, i + AHEAD);
    }
    return CTREE_OK;
}

/* Turns the lists of items into lists of slots, in place: from here on shape.children names slots. */
static void translate(build *b) {
    for (uint32_t i = 0; i < b->shape.count; i++) b->shape.children[i] = b->slots[b->shape.children[i]];
}

static ctree_status link_inside(build *b) {
    for (uint32_t i = 0; i < b->shape.count; i++) {
        uint32_t item = b->shape.order[i], count = ct_forest_child_count(&b->shape, item);
        if (count == 0) continue;
        ctree_status status = ct_children_reserve(b->store, b->slots[item], count);
        if (status != CTREE_OK) return status;
        ct_children_insert(b->store, b->slots[item], 0, b->shape.children + b->shape.starts[item], count);
    }
    return ct_children_reserve(b->store, b->parent, ct_forest_child_count(&b->shape, b->shape.count));
}

static ctree_status plan_views(const build *b) {
    ct_plan plan = {.steps = 1, .tops = ct_forest_child_count(&b->shape, b->shape.count), .nodes = b->shape.count};
    for (uint32_t i = 0; i < b->shape.count; i++) {
        plan.unloaded += ct_state(ct_hot_at(b->store, b->slots[i])) == CTREE_STATE_UNLOADED;
    }
    return ct_edit_plan(b->store, &plan);
}

static void take_back(build *b) {
    while (b->entered != 0) {
        uint32_t slot = b->slots[b->shape.order[--b->entered]];
        ct_identity_leave(b->store, slot);
        ct_children_clear(b->store, slot);
        ct_slots_kill(b->store, slot);
        ct_slots_give_back(b->store, slot);
    }
}

static void finish(build *b, uint32_t at, ctree_node *out) {
    ctree_store *store = b->store;
    const uint32_t *tops = b->shape.children + b->shape.starts[b->shape.count];
    uint32_t count = ct_forest_child_count(&b->shape, b->shape.count);
    for (uint32_t i = 0; i < b->shape.count; i++) ct_slots_hide(store, b->slots[i]);
    ct_edit_gains_children(store, b->parent);
    ctree_edit edit = {
        .kind = CTREE_EDIT_INSERT, .parent = ct_node_at(store, b->parent), .first = at, .count = count};
    ct_edit_before(store, &edit);
    ct_children_insert(store, b->parent, at, tops, count);
    for (uint32_t i = 0; i < b->shape.count; i++) {
        ct_slots_show(store, b->slots[i]);
        if (out != NULL) out[i] = ct_node_at(store, b->slots[i]);
    }
    ct_edit_after(store, &edit);
}

ctree_status ct_build(ctree_store *store, uint32_t parent, uint32_t at, const ctree_forest *forest,
                      const uint8_t *more, const ctree_progress *progress, ctree_node *out, ctree_fault *fault) {
    if (forest->count == 0) return CTREE_OK;
    build b = {
        .store = store, .forest = forest, .more = more, .progress = progress, .fault = fault, .parent = parent};
    ctree_status status = ct_forest_shape_make(&b.shape, &store->mem, forest, fault);
    if (status != CTREE_OK) return status;
    size_t bytes = (size_t)b.shape.count * sizeof *b.slots;
    b.slots = ct_alloc(&store->mem, bytes);
    if (b.slots != NULL) memset(b.slots, 0, bytes);
    status = b.slots != NULL ? reserve(&b) : CTREE_NO_MEMORY;
    if (status == CTREE_OK) status = enter_all(&b);
    if (status == CTREE_OK) {
        translate(&b);
        status = link_inside(&b);
    }
    if (status == CTREE_OK) {
        status = plan_views(&b);
    }
    if (status == CTREE_OK) {
        finish(&b, at, out);
    } else {
        take_back(&b);
    }
    ct_free(&store->mem, b.slots, bytes);
    ct_forest_shape_free(&b.shape, &store->mem);
    return status;
}

ctree_status ctree_store_build(ctree_store *store, ctree_node parent, uint32_t at, const ctree_forest *forest,
                               const ctree_progress *progress, ctree_node *out, ctree_fault *fault) {
    if (store == NULL) return CTREE_INVALID;
    ctree_status status = ct_edit_enter(store);
    if (status != CTREE_OK) return status;
    uint32_t slot;
    status = ct_forest_check(store, forest);
    if (status == CTREE_OK && !ct_parent_slot(store, parent, &slot)) status = CTREE_STALE;
    if (status == CTREE_OK) {
        uint32_t count = ct_hot_at(store, slot)->count;
        if (at == CTREE_END) at = count;
        status = at > count ? CTREE_RANGE : ct_build(store, slot, at, forest, NULL, progress, out, fault);
    }
    return ct_edit_leave(store, status);
}
