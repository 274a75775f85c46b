#include "sequence/block.h"

/* The slots of rows that leave stand nowhere. */
static void forget(ct_seq_pool *pool, uint32_t leaf, uint32_t from, uint32_t count) {
    const uint32_t *slots = ct_leaf_slots(pool, leaf) + from;
    for (uint32_t i = 0; i < count; i++) ct_array_set_u32(&pool->leaf_of, slots[i], 0);
}

void ct_seq_set_owner(ct_seq_pool *pool, ct_seq *seq, uint32_t owner) {
    seq->owner = owner;
    ct_set_root(pool, seq, seq->root, seq->base);
}

void ct_seq_destroy(ct_seq_pool *pool, ct_seq *seq) {
    /* Down along first children; a block that is done is left by its parent's next entry. No stack, any depth. */
    uint32_t block = seq->root;
    while (block != 0) {
        while (ct_is_inner(block)) block = ct_inner_at(pool, block)->child[0];
        ct_head head = *ct_leaf_head(pool, block);
        forget(pool, block, 0, head.count);
        ct_leaf_give(pool, block);
        block = 0;
        while (head.index != CT_ROOT) {
            uint32_t parent = head.parent, next = head.index + 1u;
            head = *ct_inner_head(pool, parent);
            if (next < head.count) {
                block = ct_inner_at(pool, parent)->child[next];
                break;
            }
            ct_inner_give(pool, parent);
        }
    }
    seq->count = 0;
    ct_set_root(pool, seq, 0, 0);
}

/* ---- Rows ---------------------------------------------------------------------------------------------------- */

/* Puts rows into the leaf of a place, which has room for them. */
static void put_rows(ct_seq_pool *pool, ct_seq *seq, ct_seq_walk place, ct_seq_rows rows) {
    uint32_t lowered = ct_leaf_put(pool, place.leaf, place.at, rows, 0 - place.frame);
    *ct_offset_of(pool, seq, place.leaf) += lowered;
    ct_climb_add(pool, place.leaf, rows.count, ct_leaf_height(pool, place.leaf, place.at, rows.count));
    ct_climb_least(pool, place.leaf);
    seq->count += rows.count;
}

/* Where rows for a position go: before the row that stands there, or behind the last. */
static ct_seq_walk place_for(const ct_seq_pool *pool, const ct_seq *seq, uint32_t position) {
    if (position < seq->count) return ct_seq_walk_from(pool, seq, position);
    ct_seq_walk place = ct_seq_walk_from(pool, seq, position - 1);
    place.at++;
    return place;
}

void ct_seq_insert(ct_seq_pool *pool, ct_seq *seq, uint32_t position, uint32_t slot, uint32_t depth) {
    ct_seq_insert_run(pool, seq, position, (ct_seq_rows){&slot, &depth, NULL, 1});
}

void ct_seq_insert_run(ct_seq_pool *pool, ct_seq *seq, uint32_t position, ct_seq_rows run) {
    ct_seq_place nowhere = {.leaf = 0};
    ct_seq_insert_at(pool, seq, position, &nowhere, run);
}

void ct_seq_insert_at(ct_seq_pool *pool, ct_seq *seq, uint32_t position, const ct_seq_place *known, ct_seq_rows run) {
    if (run.count == 0) return;
    if (seq->count != 0) {
        ct_seq_walk place = {known->leaf, known->at, known->frame + seq->base};
        if (known->leaf == 0) place = place_for(pool, seq, position);
        if (run.count == 1 && ct_leaf_head(pool, place.leaf)->count == CT_LEAF) {
            uint32_t keep = position == seq->count ? CT_LEAF_FILL : CT_LEAF / 2;
            uint32_t right = ct_tree_divide(pool, seq, place.leaf, keep);
            if (place.at > keep) {
                place.leaf = right;
                place.at -= keep;
            }
            place.frame = ct_frame_of(pool, seq, place.leaf);
        }
        if (ct_leaf_head(pool, place.leaf)->count + run.count <= CT_LEAF) {
            put_rows(pool, seq, place, run);
            return;
        }
    }
    ct_seq_builder builder;
    ct_seq built;
    ct_seq_build_begin(&builder, pool, true);
    ct_seq_build_add(&builder, run);
    ct_seq_build_end(&builder, &built);
    ct_seq_insert_seq(pool, seq, position, &built);
}

/* Takes rows out of one leaf, whose slots are told or stand elsewhere already. */
static void take_rows(ct_seq_pool *pool, ct_seq *seq, uint32_t leaf, uint32_t from, uint32_t count) {
    uint64_t height = ct_leaf_height(pool, leaf, from, count);
    ct_leaf_erase(pool, leaf, from, count);
    ct_climb_add(pool, leaf, 0 - count, 0 - height);
    seq->count -= count;
    const ct_head *head = ct_leaf_head(pool, leaf);
    if (head->count == 0) {
        ct_tree_drop(pool, seq, leaf);
        return;
    }
    ct_climb_least(pool, leaf);
    if (head->index == CT_ROOT || head->count > CT_LEAF_MERGE) return;
    const ct_head *parent = ct_inner_head(pool, head->parent);
    const uint32_t *child = ct_inner_at(pool, head->parent)->child;
    uint32_t before = head->index > 0 ? child[head->index - 1] : 0;
    uint32_t behind = head->index + 1 < parent->count ? child[head->index + 1] : 0;
    if (before != 0 && ct_leaf_head(pool, before)->count + head->count <= CT_LEAF_MERGE) {
        ct_tree_merge(pool, seq, before, leaf);
    } else if (behind != 0) {
        ct_tree_merge(pool, seq, leaf, behind);
    }
}

void ct_seq_remove(ct_seq_pool *pool, ct_seq *seq, uint32_t position) { ct_seq_remove_range(pool, seq, position, 1); }

void ct_seq_remove_range(ct_seq_pool *pool, ct_seq *seq, uint32_t first, uint32_t count) {
    /* Leaf by leaf, not by a cut: that would take blocks, and a removal shall not need any. */
    while (count != 0) {
        ct_seq_walk place = ct_seq_walk_from(pool, seq, first);
        uint32_t some = ct_leaf_head(pool, place.leaf)->count - place.at;
        if (some > count) some = count;
        forget(pool, place.leaf, place.at, some);
        take_rows(pool, seq, place.leaf, place.at, some);
        count -= some;
    }
}

/* ---- Runs as sequences --------------------------------------------------------------------------------------- */

static void give_all(ct_seq_pool *pool, ct_seq *from, ct_seq *to) {
    to->count = from->count;
    ct_set_root(pool, to, from->root, from->base);
    from->count = 0;
    ct_set_root(pool, from, 0, 0);
}

void ct_seq_cut(ct_seq_pool *pool, ct_seq *seq, uint32_t first, uint32_t count, ct_seq *out) {
    if (count == 0) return;
    if (count == seq->count) {
        give_all(pool, seq, out);
        return;
    }
    ct_seq_walk place = ct_seq_walk_from(pool, seq, first);
    if (place.at + (uint64_t)count <= ct_leaf_head(pool, place.leaf)->count) {
        uint32_t leaf = ct_leaf_take(pool);
        uint32_t lowered = ct_leaf_copy(pool, leaf, 0, place.leaf, place.at, count, 0);
        out->count = count;
        ct_set_root(pool, out, leaf, place.frame + lowered);
        take_rows(pool, seq, place.leaf, place.at, count);
        return;
    }
    ct_seq rest = CT_SEQ_EMPTY;
    ct_seq_split(pool, seq, first, out);
    ct_seq_split(pool, out, count, &rest);
    ct_seq_join(pool, seq, &rest);
}

void ct_seq_insert_seq(ct_seq_pool *pool, ct_seq *seq, uint32_t position, ct_seq *source) {
    if (source->count == 0) return;
    if (seq->count == 0) {
        give_all(pool, source, seq);
        return;
    }
    if (!ct_is_inner(source->root)) {
        ct_seq_walk place = place_for(pool, seq, position);
        uint32_t leaf = source->root, rows = source->count;
        if (ct_leaf_head(pool, place.leaf)->count + rows <= CT_LEAF) {
            uint32_t lowered = ct_leaf_copy(pool, place.leaf, place.at, leaf, 0, rows, source->base - place.frame);
            *ct_offset_of(pool, seq, place.leaf) += lowered;
            ct_climb_add(pool, place.leaf, rows, ct_leaf_height(pool, leaf, 0, rows));
            ct_climb_least(pool, place.leaf);
            seq->count += rows;
            ct_leaf_give(pool, leaf);
            source->count = 0;
            ct_set_root(pool, source, 0, 0);
            return;
        }
    }
    ct_seq rest = CT_SEQ_EMPTY;
    ct_seq_split(pool, seq, position, &rest);
    ct_seq_join(pool, seq, source);
    ct_seq_join(pool, seq, &rest);
}
