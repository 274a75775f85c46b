/* Identifiers and the index together: which node has which name, in the scope of the store. */
#ifndef CT_IDENTITY_H
#define CT_IDENTITY_H

#include "store/store.h"

/* Sets up identifiers and index of a store whose kind, scope, key and limit are set. Takes no memory. */
void ct_identity_init(ctree_store *store);

/* Whether the identifier is one that this store can take: CTREE_OK, CTREE_INVALID, CTREE_LIMIT (too long). */
ctree_status ct_identity_check(const ctree_store *store, ctree_id id);

/* The hash under which a child of `parent` with this identifier is kept. In store scope `parent` does not matter. */
uint32_t ct_identity_hash(const ctree_store *store, ctree_id id, uint32_t parent);

/* The slot that has the identifier (in sibling scope: below `parent`), or CT_TOP. */
uint32_t ct_identity_find(const ctree_store *store, ctree_id id, uint32_t parent, uint32_t hash);

/* Keeps the identifier of a slot and makes room in the index. On failure nothing is kept. Not to be found yet. */
ctree_status ct_identity_prepare(ctree_store *store, uint32_t slot, ctree_id id, uint32_t hash);

/* Undoes ct_identity_prepare. */
void ct_identity_abandon(ctree_store *store, uint32_t slot);

/* From here on it is found. Cannot fail after ct_identity_prepare, as long as nothing else was entered between. */
void ct_identity_enter(ctree_store *store, uint32_t slot, uint32_t hash);

/* Takes a node out of the index, while its parent link still stands, and lets its identifier go. */
void ct_identity_leave(ctree_store *store, uint32_t slot);

/* In sibling scope a move changes the hash: makes room for it under the new parent, and, once the node has moved,
   switches. */
ctree_status ct_identity_prepare_move(ctree_store *store, uint32_t hash);
void ct_identity_move(ctree_store *store, uint32_t slot, uint32_t old_parent, uint32_t new_hash);

/* The upkeep after an edit: reclaims dead bytes a little, keys the index anew where its probes grew too long. */
void ct_identity_upkeep(ctree_store *store);

#endif
