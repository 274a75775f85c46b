#include "view/waiting.h"

#include "view/view.h"

void ct_waiting_init(ct_waiting *waiting) {
    *waiting = (ct_waiting){.free_head = CT_WAITING_NONE, .due_head = CT_WAITING_NONE, .due_tail = CT_WAITING_NONE};
}

static bool has_bytes(const ctree_view *view) { return view->store->id_kind == CTREE_ID_BYTES; }

static void free_bytes(ctree_view *view, const ct_waiting_entry *entry) {
    union {
        const void *kept;
        void *block;
    } bytes = {entry->id.bytes};
    if (!has_bytes(view) || entry->id.word == 0) return;
    view->waiting.id_bytes -= (size_t)entry->id.word;
    ct_free(&view->store->mem, bytes.block, (size_t)entry->id.word);
}

void ct_waiting_destroy(ctree_view *view) {
    ct_waiting *waiting = &view->waiting;
    const ct_mem *mem = &view->store->mem;
    for (uint32_t i = 0; i < waiting->used; i++) {
        if (waiting->entries[i].used) free_bytes(view, &waiting->entries[i]);
    }
    ct_free(mem, waiting->entries, waiting->room * sizeof *waiting->entries);
    ct_free(mem, waiting->by_id, waiting->chains * sizeof *waiting->by_id);
    ct_free(mem, waiting->by_slot, waiting->chains * sizeof *waiting->by_slot);
    ct_waiting_init(waiting);
}

size_t ct_waiting_bytes(const ct_waiting *waiting) {
    return waiting->room * sizeof *waiting->entries + 2 * waiting->chains * sizeof *waiting->by_id
           + waiting->id_bytes;
}

/* ---- The two indexes ---------------------------------------------------------------------------------------------
 */

static uint64_t hash_of(const ctree_view *view, uint32_t parent, ctree_id id) {
    const ct_hash_key *key = &view->store->key;
    uint64_t hash = has_bytes(view) ? ct_hash_bytes(key, id.bytes, (size_t)id.word) : ct_hash_u64(key, id.word);
    return view->store->id_scope == CTREE_SCOPE_SIBLINGS ? ct_hash_under(hash, parent) : hash;
}

static uint32_t *chain_of_id(const ct_waiting *waiting, uint64_t hash) {
    return &waiting->by_id[hash & (waiting->chains - 1)];
}

static uint32_t *chain_of_slot(const ct_waiting *waiting, uint32_t slot) {
    return &waiting->by_slot[slot * UINT64_C(0x9E3779B97F4A7C15) >> 32 & (waiting->chains - 1)];
}

static void link_slot(ct_waiting *waiting, uint32_t entry) {
    uint32_t *chain = chain_of_slot(waiting, (uint32_t)waiting->entries[entry].node);
    waiting->entries[entry].next_node = *chain;
    *chain = entry;
}

static void unlink_slot(ct_waiting *waiting, uint32_t entry) {
    uint32_t *link = chain_of_slot(waiting, (uint32_t)waiting->entries[entry].node);
    while (*link != entry) link = &waiting->entries[*link].next_node;
    *link = waiting->entries[entry].next_node;
    waiting->entries[entry].node = CTREE_NONE;
}

/* The entry of a node that is there, or CT_WAITING_NONE. */
static uint32_t entry_at(const ct_waiting *waiting, uint32_t slot) {
    if (waiting->chains == 0) return CT_WAITING_NONE;
    uint32_t entry = *chain_of_slot(waiting, slot);
    while (entry != CT_WAITING_NONE && (uint32_t)waiting->entries[entry].node != slot)
        entry = waiting->entries[entry].next_node;
    return entry;
}

uint32_t ct_waiting_find(const ctree_view *view, uint32_t parent, ctree_id id) {
    const ct_waiting *waiting = &view->waiting;
    if (waiting->chains == 0) return CT_WAITING_NONE;
    bool scoped = view->store->id_scope == CTREE_SCOPE_SIBLINGS;
    uint64_t hash = hash_of(view, parent, id);
    uint32_t at = *chain_of_id(waiting, hash);
    for (; at != CT_WAITING_NONE; at = waiting->entries[at].next_same) {
        const ct_waiting_entry *entry = &waiting->entries[at];
        if (entry->hash != hash || entry->id.word != id.word || (scoped && entry->parent != parent)) continue;
        if (!has_bytes(view) || id.word == 0 || memcmp(entry->id.bytes, id.bytes, (size_t)id.word) == 0) break;
    }
    return at;
}

/* ---- Entries ------------------------------------------------------------------------------------------------------
 */

static ctree_status grow_chains(ctree_view *view, uint64_t need) {
    ct_waiting *waiting = &view->waiting;
    const ct_mem *mem = &view->store->mem;
    if (need <= waiting->chains) return CTREE_OK;
    size_t chains = waiting->chains == 0 ? 16 : waiting->chains;
    while (chains < need) {
        if (chains > SIZE_MAX / (2 * sizeof(uint32_t))) return CTREE_NO_MEMORY;
        chains *= 2;
    }
    uint32_t *by_id = ct_alloc(mem, chains * sizeof *by_id), *by_slot = ct_alloc(mem, chains * sizeof *by_slot);
    if (by_id == NULL || by_slot == NULL) {
        ct_free(mem, by_id, chains * sizeof *by_id);
        ct_free(mem, by_slot, chains * sizeof *by_slot);
        return CTREE_NO_MEMORY;
    }
    ct_free(mem, waiting->by_id, waiting->chains * sizeof *by_id);
    ct_free(mem, waiting->by_slot, waiting->chains * sizeof *by_slot);
    waiting->by_id = by_id;
    waiting->by_slot = by_slot;
    waiting->chains = chains;
    for (size_t i = 0; i < chains; i++) by_id[i] = by_slot[i] = CT_WAITING_NONE;
    for (uint32_t i = 0; i < waiting->used; i++) {
        if (!waiting->entries[i].used) continue;
        uint32_t *chain = chain_of_id(waiting, waiting->entries[i].hash);
        waiting->entries[i].next_same = *chain;
        *chain = i;
        if (waiting->entries[i].node != CTREE_NONE) link_slot(waiting, i);
    }
    return CTREE_OK;
}

ctree_status ct_waiting_reserve(ctree_view *view, uint64_t more) {
    ct_waiting *waiting = &view->waiting;
    if (more >= CT_WAITING_NONE - waiting->count) return CTREE_LIMIT;
    uint64_t need = waiting->count + more;
    void *entries = waiting->entries;
    if (need > SIZE_MAX
        || !ct_grow(&view->store->mem, &entries, &waiting->room, (size_t)need, sizeof *waiting->entries)) {
        return CTREE_NO_MEMORY;
    }
    waiting->entries = entries;
    return grow_chains(view, need);
}

ctree_status ct_waiting_take(ctree_view *view, uint32_t parent, ctree_id id, uint32_t *out) {
    ct_waiting *waiting = &view->waiting;
    *out = ct_waiting_find(view, parent, id);
    if (*out != CT_WAITING_NONE) return CTREE_OK;
    ctree_id own = {NULL, id.word};
    if (has_bytes(view)) {
        own.bytes = "";
        if (id.word != 0) {
            void *bytes = id.word > SIZE_MAX ? NULL : ct_alloc(&view->store->mem, (size_t)id.word);
            if (bytes == NULL) return CTREE_NO_MEMORY;
            view->waiting.id_bytes += (size_t)id.word;
            own.bytes = memcpy(bytes, id.bytes, (size_t)id.word);
        }
    }
    uint32_t at = waiting->free_head;
    if (at != CT_WAITING_NONE) {
        waiting->free_head = waiting->entries[at].next_same;
    } else {
        at = waiting->used++;
    }
    waiting->count++;
    uint64_t hash = hash_of(view, parent, id);
    uint32_t *chain = chain_of_id(waiting, hash);
    waiting->entries[at] = (ct_waiting_entry){
        .id = own, .hash = hash, .parent = parent, .next_same = *chain, .next_due = CT_WAITING_NONE, .used = true};
    *chain = at;
    if (parent != CT_WAITING_TOP) waiting->entries[parent].below++;
    *out = at;
    return CTREE_OK;
}

void ct_waiting_drop(ctree_view *view, uint32_t at) {
    ct_waiting *waiting = &view->waiting;
    while (at != CT_WAITING_TOP) {
        ct_waiting_entry *entry = &waiting->entries[at];
        /* One that stands among the due is freed when that list comes to it. */
        if (entry->what != 0 || entry->below != 0 || entry->due) return;
        if (entry->node != CTREE_NONE) unlink_slot(waiting, at);
        uint32_t *link = chain_of_id(waiting, entry->hash), parent = entry->parent;
        while (*link != at) link = &waiting->entries[*link].next_same;
        *link = entry->next_same;
        free_bytes(view, entry);
        entry->used = false;
        entry->next_same = waiting->free_head;
        waiting->free_head = at;
        waiting->count--;
        if (parent != CT_WAITING_TOP) waiting->entries[parent].below--;
        at = parent;
    }
}

/* ---- Asking and giving --------------------------------------------------------------------------------------------
 */

static void set_what(ct_waiting *waiting, ct_waiting_entry *entry, uint32_t what) {
    if (entry->what == 0 && what != 0) waiting->asked++;
    if (entry->what != 0 && what == 0) waiting->asked--;
    entry->what = (uint8_t)what;
}

void ct_waiting_ask(ctree_view *view, uint32_t at, uint32_t what) {
    const uint32_t settings = CTREE_SAVED_EXPANDED | CTREE_SAVED_COLLAPSED;
    ct_waiting_entry *entry = &view->waiting.entries[at];
    uint32_t old = (what & settings) != 0 ? entry->what & ~settings : entry->what;
    set_what(&view->waiting, entry, old | what);
}

static void fall_due(ctree_view *view, uint32_t at) {
    ct_waiting *waiting = &view->waiting;
    ct_waiting_entry *entry = &waiting->entries[at];
    view->store->edits.tell_over = true;
    if (entry->due) return;
    entry->due = true;
    entry->next_due = CT_WAITING_NONE;
    if (waiting->due_tail == CT_WAITING_NONE) {
        waiting->due_head = at;
    } else {
        waiting->entries[waiting->due_tail].next_due = at;
    }
    waiting->due_tail = at;
}

void ct_waiting_meet(ctree_view *view, uint32_t at, uint32_t slot) {
    ct_waiting *waiting = &view->waiting;
    ct_waiting_entry *entry = &waiting->entries[at];
    if (entry->node != CTREE_NONE) unlink_slot(waiting, at);
    entry->node = ct_node_at(view->store, slot);
    link_slot(waiting, at);
    if (entry->what != 0) fall_due(view, at);
}

void ct_waiting_arrived(ctree_view *view, uint32_t slot) {
    ct_waiting *waiting = &view->waiting;
    const ctree_store *store = view->store;
    uint32_t parent = CT_WAITING_TOP, above = ct_hot_at(store, slot)->parent;
    if (store->id_scope == CTREE_SCOPE_SIBLINGS && above != CT_TOP) {
        parent = entry_at(waiting, above);
        if (parent == CT_WAITING_NONE) return;
    }
    ctree_id id;
    if (ctree_store_id(store, ct_node_at(store, slot), &id) != CTREE_OK) return;
    uint32_t at = ct_waiting_find(view, parent, id);
    if (at == CT_WAITING_NONE) return;
    ct_waiting_meet(view, at, slot);
    ct_waiting_entry *entry = &waiting->entries[at];
    if ((entry->what & CTREE_SAVED_COLLAPSED) == 0) return;
    /* At once: what is open by default would show its children, and ask for their loads. */
    ct_expanded_set(&view->expanded, slot, CT_COLLAPSED);
    set_what(waiting, entry, entry->what & ~(uint32_t)CTREE_SAVED_COLLAPSED);
}

void ct_waiting_gone(ctree_view *view, uint32_t slot) {
    ct_waiting *waiting = &view->waiting;
    uint32_t at = entry_at(waiting, slot);
    if (at == CT_WAITING_NONE) return;
    /* What waits below it goes on waiting: a folder that is read anew comes back. */
    unlink_slot(waiting, at);
    ct_waiting_drop(view, at);
}

/* What waits for a node that is there; what it cannot take it is given up. CTREE_NO_MEMORY: not all of it. */
static ctree_status give(ctree_view *view, uint32_t at) {
    ct_waiting *waiting = &view->waiting;
    static const uint32_t bits[] = {CTREE_SAVED_SELECTED, CTREE_SAVED_COLLAPSED, CTREE_SAVED_EXPANDED};
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
        const ct_waiting_entry *entry = &waiting->entries[at];
        ctree_status status = CTREE_OK;
        if ((entry->what & bits[i]) == 0 || entry->node == CTREE_NONE) continue;
        if (bits[i] == CTREE_SAVED_SELECTED) status = ctree_view_select(view, entry->node, true);
        if (bits[i] == CTREE_SAVED_COLLAPSED) status = ct_view_collapse(view, entry->node);
        if (bits[i] == CTREE_SAVED_EXPANDED) status = ctree_view_expand(view, entry->node);
        if (status == CTREE_NO_MEMORY) return status;
        set_what(waiting, &waiting->entries[at], waiting->entries[at].what & ~bits[i]);
    }
    return CTREE_OK;
}

void ct_waiting_give(ctree_view *view) {
    ct_waiting *waiting = &view->waiting;
    while (waiting->due_head != CT_WAITING_NONE) {
        uint32_t at = waiting->due_head;
        if (give(view, at) != CTREE_OK) return; /* with the next edit */
        waiting->due_head = waiting->entries[at].next_due;
        if (waiting->due_head == CT_WAITING_NONE) waiting->due_tail = CT_WAITING_NONE;
        waiting->entries[at].due = false;
        ct_waiting_drop(view, at);
    }
}

static bool is_below(const ct_waiting *waiting, uint32_t at, uint32_t above) {
    while (at != CT_WAITING_TOP && at != above) at = waiting->entries[at].parent;
    return at == above;
}

void ct_waiting_end_below(ctree_view *view, uint32_t slot) {
    ct_waiting *waiting = &view->waiting;
    if (waiting->count == 0) return;
    uint32_t above = slot == CT_TOP ? CT_WAITING_TOP : entry_at(waiting, slot);
    if (above == CT_WAITING_NONE) return;
    for (uint32_t i = 0; i < waiting->used; i++) {
        ct_waiting_entry *entry = &waiting->entries[i];
        if (!entry->used || i == above || !is_below(waiting, i, above)) continue;
        set_what(waiting, entry, entry->what & ~(uint32_t)CTREE_SAVED_EXPANDED);
        ct_waiting_drop(view, i);
    }
}

/* ---- Checking -----------------------------------------------------------------------------------------------------
 */

bool ct_waiting_check(const ctree_view *view) {
    const ct_waiting *waiting = &view->waiting;
    const ctree_store *store = view->store;
    uint64_t count = 0, asked = 0, below = 0, tops = 0, due = 0, listed = 0;
    for (uint32_t i = 0; i < waiting->used; i++) {
        const ct_waiting_entry *entry = &waiting->entries[i];
        if (!entry->used) continue;
        count++;
        asked += entry->what != 0;
        below += entry->below;
        tops += entry->parent == CT_WAITING_TOP;
        due += entry->due;
        if (entry->what == 0 && entry->below == 0 && !entry->due) return false;
        if (entry->parent != CT_WAITING_TOP && !waiting->entries[entry->parent].used) return false;
        if (ct_waiting_find(view, entry->parent, entry->id) != i) return false;
        if (entry->node == CTREE_NONE) continue;
        uint32_t slot = ct_slot_of(store, entry->node);
        if (slot == CT_TOP || entry_at(waiting, slot) != i) return false;
        if (entry->what != 0 && !entry->due) return false;
    }
    for (uint32_t at = waiting->due_head; at != CT_WAITING_NONE; at = waiting->entries[at].next_due) listed++;
    return count == waiting->count && asked == waiting->asked && below + tops == count && due == listed;
}
