#include "sequence/block.h"

void ct_seq_build_begin(ct_seq_builder *builder, ct_seq_pool *pool, bool reserved) {
    *builder = (ct_seq_builder){.pool = pool, .reserved = reserved};
}

/* Adds a full block to the open one above it; where that is full too, it goes up itself. */
static void add_entry(ct_seq_builder *builder, ct_entry entry) {
    ct_seq_pool *pool = builder->pool;
    for (uint32_t level = 1;; level++) {
        uint32_t open = builder->open[level];
        if (open == 0) open = builder->open[level] = ct_inner_take(pool, level);
        uint32_t count = ct_inner_head(pool, open)->count;
        if (count < CT_FAN_FILL) {
            ct_inner_insert(pool, open, count, &entry);
            return;
        }
        ct_entry above = ct_sum_up(pool, open, 0);
        builder->open[level] = ct_inner_take(pool, level);
        ct_inner_insert(pool, builder->open[level], 0, &entry);
        entry = above;
    }
}

static void close_leaf(ct_seq_builder *builder) {
    if (builder->leaf == 0) return;
    add_entry(builder, ct_sum_up(builder->pool, builder->leaf, builder->offset));
    builder->leaf = 0;
}

/* The leaf that takes the next rows. */
static ctree_status open_leaf(ct_seq_builder *builder) {
    ct_seq_pool *pool = builder->pool;
    if (!builder->reserved) {
        uint32_t levels = 2;
        while (levels < CT_LEVELS && builder->open[levels - 1] != 0) levels++;
        ctree_status status = ct_seq_reserve_blocks(pool, (ct_seq_room){1, levels, 1});
        if (status != CTREE_OK) return status;
    }
    close_leaf(builder);
    builder->leaf = ct_leaf_take(pool);
    builder->offset = 0;
    return CTREE_OK;
}

ctree_status ct_seq_build_add(ct_seq_builder *builder, ct_seq_rows rows) {
    ct_seq_pool *pool = builder->pool;
    while (rows.count != 0) {
        uint32_t held = builder->leaf == 0 ? CT_LEAF_FILL : ct_leaf_head(pool, builder->leaf)->count;
        if (held == CT_LEAF_FILL) {
            ctree_status status = open_leaf(builder);
            if (status != CTREE_OK) return status;
            held = 0;
        }
        ct_seq_rows part = rows;
        part.count = rows.count < CT_LEAF_FILL - held ? rows.count : CT_LEAF_FILL - held;
        builder->offset += ct_leaf_put(pool, builder->leaf, held, part, 0 - builder->offset);
        builder->count += part.count;
        rows.slots += part.count;
        if (rows.depths != NULL) rows.depths += part.count;
        if (rows.heights != NULL) rows.heights += part.count;
        rows.count -= part.count;
    }
    return CTREE_OK;
}

void ct_seq_build_end(ct_seq_builder *builder, ct_seq *out) {
    ct_seq_pool *pool = builder->pool;
    *out = CT_SEQ_EMPTY;
    out->count = builder->count;
    if (builder->leaf == 0) return;
    if (builder->open[1] == 0) {
        ct_set_root(pool, out, builder->leaf, builder->offset);
        return;
    }
    /* Open blocks are filled to 7/8 at most: each has room for the one below, and nothing more is taken. */
    ct_entry entry = ct_sum_up(pool, builder->leaf, builder->offset);
    for (uint32_t level = 1; builder->open[level] != 0; level++) {
        uint32_t open = builder->open[level];
        ct_inner_insert(pool, open, ct_inner_head(pool, open)->count, &entry);
        entry = ct_sum_up(pool, open, 0);
    }
    ct_set_root(pool, out, entry.child, 0);
    ct_tree_trim(pool, out, true);
}

ctree_status ct_seq_build(ct_seq_pool *pool, ct_seq_rows rows, ct_seq *out) {
    ct_seq_builder builder;
    ct_seq built;
    ct_seq_build_begin(&builder, pool, false);
    ctree_status status = ct_seq_build_add(&builder, rows);
    ct_seq_build_end(&builder, &built);
    if (status != CTREE_OK) {
        ct_seq_destroy(pool, &built);
        return status;
    }
    *out = built;
    return CTREE_OK;
}

ctree_status ct_seq_copy(ct_seq_pool *pool, const ct_seq_pool *from, const ct_seq *source, ct_seq *out) {
    ct_seq_builder builder;
    ct_seq built;
    ctree_status status = CTREE_OK;
    bool heights = ct_has_heights(pool);
    uint32_t depth[CT_LEAF], height[CT_LEAF];
    ct_seq_build_begin(&builder, pool, false);
    ct_seq_walk walk = ct_seq_walk_from(from, source, 0);
    while (walk.leaf != 0 && status == CTREE_OK) {
        ct_seq_rows rows = {NULL, depth, heights ? height : NULL, 0};
        ct_seq_walk here = walk;
        rows.count = ct_seq_walk_span(from, &walk, &rows.slots);
        if (ct_has_depths(pool)) {
            ct_leaf_words_out(from, here.leaf, 0, rows.count, depth);
            for (uint32_t i = 0; i < rows.count; i++) depth[i] += here.frame;
        }
        if (heights) memcpy(height, ct_leaf_heights(from, here.leaf), rows.count * sizeof *height);
        status = ct_seq_build_add(&builder, rows);
    }
    ct_seq_build_end(&builder, &built);
    if (status != CTREE_OK) {
        ct_seq_destroy(pool, &built);
        return status;
    }
    ct_seq_set_owner(pool, &built, source->owner);
    *out = built;
    return CTREE_OK;
}
