#include "store/children.h"
#include "store/within.h"

uint64_t ctree_store_count(const ctree_store *store) { return store == NULL ? 0 : store->count; }

ctree_id_kind ctree_store_id_kind(const ctree_store *store) { return store == NULL ? CTREE_ID_U64 : store->id_kind; }

ctree_id_scope ctree_store_id_scope(const ctree_store *store) {
    return store == NULL ? CTREE_SCOPE_STORE : store->id_scope;
}

/* What every read of a node begins with. */
static ctree_status read_slot(const ctree_store *store, ctree_node node, const void *out, uint32_t *slot) {
    if (store == NULL || out == NULL) return CTREE_INVALID;
    if (store->closed) return CTREE_CLOSED;
    *slot = ct_slot_of(store, node);
    return *slot == CT_TOP ? CTREE_STALE : CTREE_OK;
}

bool ctree_store_contains(const ctree_store *store, ctree_node node) {
    return store != NULL && ct_slot_of(store, node) != CT_TOP;
}

ctree_status ctree_store_info(const ctree_store *store, ctree_node node, ctree_node_info *out) {
    uint32_t slot;
    ctree_status status = read_slot(store, node, out, &slot);
    if (status != CTREE_OK) return status;
    if (out->size < sizeof *out) return CTREE_INVALID;
    const ct_hot *hot = ct_hot_at(store, slot);
    out->parent = ct_node_at(store, hot->parent);
    out->value = ct_word(&store->values, slot);
    out->revision = ct_word(&store->revisions, slot);
    out->id = ct_ids_get(&store->ids, slot);
    out->child_count = hot->count;
    out->load_state = ct_state(hot);
    out->more = (hot->tag & CT_FLAG_MORE) != 0;
    return CTREE_OK;
}

ctree_status ctree_store_parent(const ctree_store *store, ctree_node node, ctree_node *out) {
    uint32_t slot;
    ctree_status status = read_slot(store, node, out, &slot);
    if (status == CTREE_OK) *out = ct_node_at(store, ct_hot_at(store, slot)->parent);
    return status;
}

ctree_status ctree_store_id(const ctree_store *store, ctree_node node, ctree_id *out) {
    uint32_t slot;
    ctree_status status = read_slot(store, node, out, &slot);
    if (status == CTREE_OK) *out = ct_ids_get(&store->ids, slot);
    return status;
}

uint64_t ctree_store_value(const ctree_store *store, ctree_node node) {
    uint32_t slot = store == NULL ? CT_TOP : ct_slot_of(store, node);
    return slot == CT_TOP ? 0 : ct_word(&store->values, slot);
}

uint64_t ctree_store_revision(const ctree_store *store, ctree_node node) {
    uint32_t slot = store == NULL ? CT_TOP : ct_slot_of(store, node);
    return slot == CT_TOP ? 0 : ct_word(&store->revisions, slot);
}

ctree_load_state ctree_store_load_state(const ctree_store *store, ctree_node node) {
    uint32_t slot = store == NULL ? CT_TOP : ct_slot_of(store, node);
    return slot == CT_TOP ? CTREE_STATE_LEAF : ct_state(ct_hot_at(store, slot));
}

/* The parent's record; NULL for a stale handle and a closed store. */
static const ct_hot *parent_record(const ctree_store *store, ctree_node parent, uint32_t *slot) {
    if (store == NULL || store->closed || !ct_parent_slot(store, parent, slot)) return NULL;
    return ct_hot_at(store, *slot);
}

uint32_t ctree_store_child_count(const ctree_store *store, ctree_node parent) {
    uint32_t slot;
    const ct_hot *hot = parent_record(store, parent, &slot);
    return hot == NULL ? 0 : hot->count;
}

ctree_node ctree_store_child_at(const ctree_store *store, ctree_node parent, uint32_t position) {
    uint32_t slot;
    const ct_hot *hot = parent_record(store, parent, &slot);
    if (hot == NULL || position >= hot->count) return CTREE_NONE;
    return ct_node_at(store, ct_children_at(store, slot, position));
}

ctree_status ctree_store_children(const ctree_store *store, ctree_node parent, uint32_t first, uint32_t *count,
                                  ctree_node *out) {
    if (store == NULL || count == NULL || (out == NULL && *count != 0)) return CTREE_INVALID;
    if (store->closed) return CTREE_CLOSED;
    uint32_t slot;
    const ct_hot *hot = parent_record(store, parent, &slot);
    if (hot == NULL) return CTREE_STALE;
    if (first > hot->count) return CTREE_RANGE;
    uint32_t wanted = *count < hot->count - first ? *count : hot->count - first;
    for (uint32_t done = 0; done < wanted;) {
        ct_span span = ct_children_span(store, hot, first + done);
        for (uint32_t i = 0; i < span.count && done < wanted; i++) out[done++] = ct_node_at(store, span.slots[i]);
    }
    *count = wanted;
    return CTREE_OK;
}

ctree_status ctree_store_ordinal(const ctree_store *store, ctree_node node, uint32_t *out) {
    uint32_t slot;
    ctree_status status = read_slot(store, node, out, &slot);
    if (status == CTREE_OK) *out = ct_children_ordinal(store, slot);
    return status;
}

static uint32_t depth_of(const ctree_store *store, uint32_t slot) {
    uint32_t depth = 0;
    while ((slot = ct_hot_at(store, slot)->parent) != CT_TOP) depth++;
    return depth;
}

ctree_status ctree_store_depth(const ctree_store *store, ctree_node node, uint32_t *out) {
    uint32_t slot;
    ctree_status status = read_slot(store, node, out, &slot);
    if (status == CTREE_OK) *out = depth_of(store, slot);
    return status;
}

bool ctree_store_is_below(const ctree_store *store, ctree_node node, ctree_node ancestor) {
    if (store == NULL) return false;
    uint32_t slot = ct_slot_of(store, node), above = ct_slot_of(store, ancestor);
    return slot != CT_TOP && above != CT_TOP && slot != above && ct_is_within(store, slot, above);
}

ctree_status ctree_store_path(const ctree_store *store, ctree_node node, uint32_t *room, uint32_t *out) {
    uint32_t slot;
    ctree_status status = read_slot(store, node, room, &slot);
    if (status != CTREE_OK) return status;
    if (out == NULL && *room != 0) return CTREE_INVALID;
    uint32_t length = depth_of(store, slot) + 1;
    bool fits = length <= *room;
    *room = length;
    if (!fits) return CTREE_RANGE;
    while (length != 0) {
        out[--length] = ct_children_ordinal(store, slot);
        slot = ct_hot_at(store, slot)->parent;
    }
    return CTREE_OK;
}

ctree_node ctree_store_node_at_path(const ctree_store *store, const uint32_t *path, uint32_t length) {
    if (store == NULL || store->closed || path == NULL || length == 0) return CTREE_NONE;
    uint32_t slot = CT_TOP;
    for (uint32_t i = 0; i < length; i++) {
        if (path[i] >= ct_hot_at(store, slot)->count) return CTREE_NONE;
        slot = ct_children_at(store, slot, path[i]);
    }
    return ct_node_at(store, slot);
}
