/*
 * The frame of an edit: may it run, who is told, and what waits until the outermost call is over.
 *
 *     ctree_status status = ct_edit_enter(store);     closed, busy
 *     ... check, reserve, ct_edit_plan; leave with a failure through ct_edit_leave ...
 *     ct_edit_before(store, &edit);
 *     ... apply ...
 *     ct_edit_after(store, &edit);
 *     return ct_edit_leave(store, status);
 */
#ifndef CT_EDITS_H
#define CT_EDITS_H

#include "store/store.h"

ctree_status ct_edit_enter(ctree_store *store);

/* Has every view reserve what the edit will need. Afterwards the edit, as far as it was planned, cannot fail there; a
   later plan takes the place of an earlier one. On failure nothing has changed that can be seen. */
ctree_status ct_edit_plan(ctree_store *store, const ct_plan *plan);
void ct_edit_before(ctree_store *store, const ctree_edit *edit);
void ct_edit_after(ctree_store *store, const ctree_edit *edit);

/* Leaves the frame and returns `status`. Where it was the outermost: upkeep, "settled", and a destroy that waited;
   the store may be gone afterwards. "Settled" is told only where something was told before it. */
ctree_status ct_edit_leave(ctree_store *store, ctree_status status);

/* Adds a view as an observer: told "before" after all listeners, and "after" before them, so that to a listener the
   view is always at one with the store. `plan` is asked before each edit, and `within` where one node is looked for
   above another. Ends with ct_edits_remove_follower. CTREE_NO_MEMORY. */
ctree_status ct_edits_add_follower(ctree_store *store, const ctree_listener *follower, ct_plan_fn *plan,
                                   ct_within_fn *within, uint64_t *token);

/* Finds nothing in a store that is closed. */
void ct_edits_remove_follower(ctree_store *store, uint64_t token);

/* Values let go, in blocks, to the release callback of the store. Nothing is done where there is none. */
void ct_edit_release(ctree_store *store, const ctree_node *nodes, const uint64_t *values, size_t count);

/* One more holder of the store's object, and one less: the last frees it. */
void ct_store_retain(ctree_store *store);
void ct_store_release(ctree_store *store);

/* Make a change of one node and tell it, before and after. Nothing is told where nothing changes. For values, room
   must have been reserved, and `changed` says which of CTREE_CHANGED_VALUE and _REVISION differ; the old value is
   released. */
void ct_edit_tell_value(ctree_store *store, uint32_t slot, uint32_t changed, uint64_t value, uint64_t revision);
void ct_edit_tell_state(ctree_store *store, uint32_t slot, ctree_load_state state, bool more);

/* A parent that is about to get children: a leaf or an unloaded node is loaded from then on, which is told. */
void ct_edit_gains_children(ctree_store *store, uint32_t parent);

#endif
