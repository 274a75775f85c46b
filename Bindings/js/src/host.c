/* What JavaScript cannot hand to the core by itself: functions. Each callback goes to one imported function, with the
   number by which the module knows whose it is. */
#include "ctree/ctree.h"

#define IMPORTED(name) __attribute__((import_module("ctree"), import_name(name)))
#define EXPORTED(name) __attribute__((export_name(name)))

IMPORTED("edit") void host_edit(uint32_t who, uint32_t when, const ctree_edit *edit);
IMPORTED("released")
void host_released(uint32_t who, const ctree_node *nodes, const uint64_t *values, uint32_t count);
IMPORTED("splice") void host_splice(uint32_t who, uint32_t row, uint32_t removed, uint32_t inserted);
IMPORTED("saved") uint32_t host_saved(uint32_t who, const ctree_saved *entry);
IMPORTED("progress") uint32_t host_progress(uint32_t who, uint64_t done, uint64_t total);

static void before(void *context, const ctree_store *store, const ctree_edit *edit) {
    (void)store;
    host_edit((uint32_t)(uintptr_t)context, 0, edit);
}

static void after(void *context, const ctree_store *store, const ctree_edit *edit) {
    (void)store;
    host_edit((uint32_t)(uintptr_t)context, 1, edit);
}

static void settled(void *context, ctree_store *store) {
    (void)store;
    host_edit((uint32_t)(uintptr_t)context, 2, NULL);
}

static void released(void *context, const ctree_node *nodes, const uint64_t *values, size_t count) {
    host_released((uint32_t)(uintptr_t)context, nodes, values, (uint32_t)count);
}

static void splice(void *context, const ctree_view *view, const ctree_splice *told) {
    (void)view;
    host_splice((uint32_t)(uintptr_t)context, told->row, told->removed, told->inserted);
}

static bool saved(void *context, const ctree_saved *entry) {
    return host_saved((uint32_t)(uintptr_t)context, entry) != 0;
}

static bool progress(void *context, uint64_t done, uint64_t total) {
    return host_progress((uint32_t)(uintptr_t)context, done, total) != 0;
}

/* `who` 0: nobody wants to hear of values. */
EXPORTED("host_store_create")
ctree_status host_store_create(uint32_t kind, uint32_t scope, uint64_t limit, uint32_t who, ctree_store **out) {
    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    options.id_kind = kind;
    options.id_scope = scope;
    options.node_limit = limit;
    options.release = who != 0 ? released : NULL;
    options.release_context = (void *)(uintptr_t)who;
    return ctree_store_create(&options, out);
}

EXPORTED("host_listen") ctree_status host_listen(ctree_store *store, uint32_t who, uint64_t *token) {
    ctree_listener listener = {(void *)(uintptr_t)who, before, after, settled};
    return ctree_store_add_listener(store, &listener, token);
}

EXPORTED("host_watch") ctree_status host_watch(ctree_view *view, uint32_t who) {
    return ctree_view_watch(view, who != 0 ? splice : NULL, (void *)(uintptr_t)who);
}

EXPORTED("host_save") ctree_status host_save(const ctree_view *view, uint32_t what, uint32_t who) {
    return ctree_view_save(view, what, saved, (void *)(uintptr_t)who);
}

EXPORTED("host_progress") void host_make_progress(uint32_t who, ctree_progress *out) {
    *out = (ctree_progress){(void *)(uintptr_t)who, progress};
}

/* The sizes that the module writes and reads structs by; it compares them when it starts. */
EXPORTED("host_sizes") const uint32_t *host_sizes(void) {
    static const uint32_t sizes[] = {
        sizeof(ctree_id),           sizeof(ctree_forest),    sizeof(ctree_fault),        sizeof(ctree_edit),
        sizeof(ctree_row),          sizeof(ctree_node_info), sizeof(ctree_batch),        sizeof(ctree_section_batch),
        sizeof(ctree_saved),        sizeof(ctree_diff_list), sizeof(ctree_diff_options), sizeof(ctree_memory),
        sizeof(ctree_view_options), sizeof(ctree_node_init), sizeof(ctree_progress),     0};
    return sizes;
}
