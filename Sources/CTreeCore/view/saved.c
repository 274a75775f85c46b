/* The state of a view by identifiers: told, given back, and a node revealed by its way from the top. */
#include "ctree/saved.h"

#include "store/edits.h"
#include "store/identity.h"
#include "store/walk.h"
#include "view/view.h"

static bool by_paths(const ctree_view *view) { return view->store->id_scope == CTREE_SCOPE_SIBLINGS; }

/* ---- Saving -------------------------------------------------------------------------------------------------------
 */

typedef struct teller {
    const ctree_view *view;
    ctree_saved_fn tell;
    void *context;
    ctree_id *path;
    size_t room;
} teller;

/* Room for a path of `length`. */
static bool make_path(teller *t, uint32_t length) {
    void *path = t->path;
    if (!ct_grow(&t->view->store->mem, &path, &t->room, length, sizeof *t->path)) return false;
    t->path = path;
    return true;
}

static ctree_status tell_entry(teller *t, uint32_t length, uint32_t what) {
    ctree_saved entry = {t->path, length, what};
    return t->tell(t->context, &entry) ? CTREE_OK : CTREE_CANCELLED;
}

static uint32_t what_of(const ctree_view *view, uint32_t slot) {
    uint32_t what = ct_selection_has(&view->selection, slot) ? CTREE_SAVED_SELECTED : 0;
    ct_setting setting = ct_expanded_get(&view->expanded, slot);
    if (setting == CT_BY_DEFAULT || ct_state(ct_hot_at(view->store, slot)) == CTREE_STATE_LEAF) return what;
    if (setting == CT_EXPANDED) return what | CTREE_SAVED_EXPANDED;
    return ct_depth_is_below(view->store, slot, view->open_levels) ? what | CTREE_SAVED_COLLAPSED : what;
}

static ctree_status tell_node(teller *t, uint32_t slot, uint32_t what) {
    const ctree_store *store = t->view->store;
    uint32_t length = 1;
    if (by_paths(t->view)) {
        for (uint32_t above = slot; (above = ct_hot_at(store, above)->parent) != CT_TOP;) length++;
    }
    if (!make_path(t, length)) return CTREE_NO_MEMORY;
    for (uint32_t i = length; i-- != 0; slot = ct_hot_at(store, slot)->parent) {
        ctree_status status = ctree_store_id(store, ct_node_at(store, slot), &t->path[i]);
        if (status != CTREE_OK) return status;
    }
    return tell_entry(t, length, what);
}

static ctree_status tell_waiting(teller *t, uint32_t at, uint32_t what) {
    const ct_waiting_entry *entries = t->view->waiting.entries;
    uint32_t length = 1;
    if (by_paths(t->view)) {
        for (uint32_t above = at; (above = entries[above].parent) != CT_WAITING_TOP;) length++;
    }
    if (!make_path(t, length)) return CTREE_NO_MEMORY;
    for (uint32_t i = length; i-- != 0; at = entries[at].parent) t->path[i] = entries[at].id;
    return tell_entry(t, length, what);
}

ctree_status ctree_view_save(const ctree_view *view, uint32_t what, ctree_saved_fn told, void *context) {
    if (view == NULL || told == NULL || (what & ~(uint32_t)CTREE_SAVED_ALL) != 0) return CTREE_INVALID;
    const ctree_store *store = view->store;
    if (store->closed) return CTREE_CLOSED;
    teller t = {view, told, context, NULL, 0};
    ctree_status status = CTREE_OK;
    if (view->expanded.count != 0 || view->selection.count != 0) {
        uint32_t slot = CT_TOP;
        while (status == CTREE_OK && (slot = ct_walk_next(store, slot, CT_TOP, false)) != CT_TOP) {
            uint32_t own = what_of(view, slot) & what;
            if (own != 0) status = tell_node(&t, slot, own);
        }
    }
    for (uint32_t i = 0; status == CTREE_OK && i < view->waiting.used; i++) {
        const ct_waiting_entry *entry = &view->waiting.entries[i];
        uint32_t own = entry->used ? entry->what & what : 0;
        if (own != 0) status = tell_waiting(&t, i, own);
    }
    ct_free(&store->mem, t.path, t.room * sizeof *t.path);
    return status;
}

/* ---- Restoring ----------------------------------------------------------------------------------------------------
 */

static ctree_status check_path(const ctree_view *view, const ctree_id *path, uint32_t length) {
    if (path == NULL || length == 0) return CTREE_INVALID;
    for (uint32_t i = 0; i < length; i++) {
        ctree_status status = ct_identity_check(view->store, path[i]);
        if (status != CTREE_OK) return status;
    }
    return CTREE_OK;
}

static ctree_status check_entry(const ctree_view *view, const ctree_saved *entry) {
    const uint32_t settings = CTREE_SAVED_EXPANDED | CTREE_SAVED_COLLAPSED;
    if (entry->what == 0 || (entry->what & ~(uint32_t)CTREE_SAVED_ALL) != 0) return CTREE_INVALID;
    if ((entry->what & settings) == settings) return CTREE_INVALID;
    if (!by_paths(view) && entry->length != 1) return CTREE_INVALID;
    return check_path(view, entry->path, entry->length);
}

/* The child of that name, or in store scope the node wherever it stands; CT_TOP: it is not there. */
static uint32_t slot_named(const ctree_view *view, uint32_t parent, ctree_id id) {
    uint32_t hash = ct_identity_hash(view->store, id, parent);
    return ct_identity_find(view->store, id, parent, hash);
}

/* Entries for a path, and which are there. The last one comes back; where memory runs out none is left that was not
   there before. */
static ctree_status take_path(ctree_view *view, const ctree_id *path, uint32_t length, uint32_t *out) {
    uint32_t at = CT_WAITING_TOP;
    for (uint32_t i = 0; i < length; i++) {
        uint32_t below;
        ctree_status status = ct_waiting_take(view, at, path[i], &below);
        if (status != CTREE_OK) {
            if (at != CT_WAITING_TOP) ct_waiting_drop(view, at);
            return status;
        }
        at = below;
    }
    *out = at;
    return CTREE_OK;
}

/* Meets what is there of a path whose entries were taken. */
static void meet_path(ctree_view *view, const ctree_id *path, uint32_t length) {
    uint32_t at = CT_WAITING_TOP, slot = CT_TOP;
    for (uint32_t i = 0; i < length; i++) {
        slot = slot_named(view, slot, path[i]);
        at = ct_waiting_find(view, at, path[i]);
        if (slot != CT_TOP) ct_waiting_meet(view, at, slot);
        if (slot == CT_TOP && by_paths(view)) return;
    }
}

/* All checked, and room made for the entries. */
static ctree_status restore(ctree_view *view, const ctree_saved *entries, size_t count, uint32_t *taken) {
    for (size_t i = 0; i < count; i++) {
        ctree_status status = take_path(view, entries[i].path, entries[i].length, &taken[i]);
        if (status == CTREE_OK) continue;
        while (i-- != 0) {
            /* An entry may have been taken for two paths of this call, and have been dropped already. */
            if (view->waiting.entries[taken[i]].used) ct_waiting_drop(view, taken[i]);
        }
        return status;
    }
    for (size_t i = 0; i < count; i++) {
        ct_waiting_ask(view, taken[i], entries[i].what);
        meet_path(view, entries[i].path, entries[i].length);
    }
    return CTREE_OK;
}

ctree_status ctree_view_restore(ctree_view *view, const ctree_saved *entries, size_t count) {
    if (view == NULL || (entries == NULL && count != 0)) return CTREE_INVALID;
    ctree_store *store = view->store;
    ctree_status status = ct_edit_enter(store);
    if (status != CTREE_OK) return status;
    uint64_t identifiers = 0;
    for (size_t i = 0; i < count && status == CTREE_OK; i++) {
        status = check_entry(view, &entries[i]);
        identifiers += entries[i].length;
    }
    uint32_t *taken = NULL;
    if (status == CTREE_OK && count > SIZE_MAX / sizeof *taken) status = CTREE_NO_MEMORY;
    if (status == CTREE_OK) status = ct_waiting_reserve(view, identifiers);
    if (status == CTREE_OK && count != 0) {
        taken = ct_alloc(&store->mem, count * sizeof *taken);
        status = taken == NULL ? CTREE_NO_MEMORY : restore(view, entries, count, taken);
        ct_free(&store->mem, taken, count * sizeof *taken);
    }
    return ct_edit_leave(store, status);
}

uint64_t ctree_view_waiting_count(const ctree_view *view) { return view == NULL ? 0 : view->waiting.asked; }

ctree_status ctree_view_forget_waiting(ctree_view *view) {
    if (view == NULL) return CTREE_INVALID;
    ctree_status status = ct_edit_enter(view->store);
    if (status != CTREE_OK) return status;
    ct_waiting_destroy(view);
    return ct_edit_leave(view->store, CTREE_OK);
}

/* ---- Revealing ----------------------------------------------------------------------------------------------------
 */

/* How many nodes of the path are there, and the last of them. In store scope it is the last that is there which
   counts, wherever it stands. */
static uint32_t present_part(const ctree_view *view, const ctree_id *path, uint32_t length, uint32_t *last) {
    *last = CT_TOP;
    if (!by_paths(view)) {
        for (; length != 0; length--) {
            *last = slot_named(view, CT_TOP, path[length - 1]);
            if (*last != CT_TOP) return length;
        }
        return 0;
    }
    for (uint32_t i = 0; i < length; i++) {
        uint32_t slot = slot_named(view, *last, path[i]);
        if (slot == CT_TOP) return i;
        *last = slot;
    }
    return length;
}

static bool may_get_children(const ctree_view *view, uint32_t slot) {
    const ct_hot *hot = ct_hot_at(view->store, slot);
    ctree_load_state state = ct_state(hot);
    if (state == CTREE_STATE_LOADED) return (hot->tag & CT_FLAG_MORE) != 0;
    return state != CTREE_STATE_LEAF;
}

/* Frees the entries of a path for which nothing waits. In store scope one may have been there already, with another
   parent than the one before it in this path, which then has nothing below it. */
static void drop_path(ctree_view *view, const ctree_id *path, uint32_t length) {
    uint32_t at = CT_WAITING_TOP;
    for (uint32_t i = 0; i < length; i++) {
        uint32_t above = at;
        at = ct_waiting_find(view, above, path[i]);
        if (by_paths(view)) continue;
        if (at != CT_WAITING_NONE) ct_waiting_drop(view, at);
        at = CT_WAITING_TOP;
    }
    if (by_paths(view) && length != 0 && at != CT_WAITING_NONE) ct_waiting_drop(view, at);
}

/* Of a path the first `present` nodes are there, not all: its ancestors are to open as they come. */
static ctree_status wait_for(ctree_view *view, const ctree_id *path, uint32_t length, uint32_t present) {
    uint32_t last;
    ctree_status status = ct_waiting_reserve(view, length);
    if (status != CTREE_OK) return status;
    status = take_path(view, path, length - 1, &last);
    if (status != CTREE_OK) drop_path(view, path, length - 1);
    if (status != CTREE_OK || length == 1) return status;
    if (present != 0) {
        uint32_t slot;
        (void)present_part(view, path, present, &slot);
        status = ctree_view_reveal(view, ct_node_at(view->store, slot));
        if (status != CTREE_OK) {
            drop_path(view, path, length - 1);
            return status;
        }
    }
    for (uint32_t i = 0, at = CT_WAITING_TOP; i + 1 < length; i++) {
        at = ct_waiting_find(view, at, path[i]);
        if (i + 1 >= present) ct_waiting_ask(view, at, CTREE_SAVED_EXPANDED);
    }
    meet_path(view, path, length - 1);
    drop_path(view, path, length - 1);
    return CTREE_OK;
}

ctree_status ctree_view_reveal_path(ctree_view *view, const ctree_id *path, uint32_t length, ctree_node *out) {
    if (view == NULL) return CTREE_INVALID;
    ctree_store *store = view->store;
    ctree_status status = ct_edit_enter(store);
    if (status != CTREE_OK) return status;
    status = check_path(view, path, length);
    if (status != CTREE_OK) return ct_edit_leave(store, status);
    uint32_t last, present = present_part(view, path, length, &last);
    if (present == length) {
        status = ctree_view_reveal(view, ct_node_at(store, last));
    } else if (!may_get_children(view, last)) {
        status = CTREE_NOT_FOUND;
    } else {
        status = wait_for(view, path, length, present);
        if (status == CTREE_OK) status = CTREE_LOADING;
    }
    if ((status == CTREE_OK || status == CTREE_LOADING) && out != NULL) *out = ct_node_at(store, last);
    return ct_edit_leave(store, status);
}
