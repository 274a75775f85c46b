#include "sequence/block.h"

ct_seq_place ct_seq_place_of(const ct_seq_pool *pool, uint32_t slot) {
    uint32_t back = ct_array_get_u32(&pool->leaf_of, slot), leaf = back >> 8;
    uint32_t at = ct_leaf_find(pool, slot, back);
    ct_seq_place place = {.position = at, .leaf = leaf, .at = at};
    bool depths = ct_has_depths(pool);
    const ct_head *head = ct_leaf_head(pool, leaf);
    while (head->index != CT_ROOT) {
        place.position += ct_rows_before(ct_inner_at(pool, head->parent), head->index);
        if (depths) place.frame += ct_inner_depths_at(pool, head->parent)->offset[head->index];
        head = ct_inner_head(pool, head->parent);
    }
    place.owner = head->parent;
    if (depths) place.depth = place.frame + ct_leaf_depth(pool, leaf, at);
    return place;
}

bool ct_seq_reaches(const ct_seq_pool *pool, const ct_seq_place *place) {
    return place->at <= ct_leaf_head(pool, place->leaf)->count;
}
