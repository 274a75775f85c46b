/*
 * An outline of a directory: c-demo [DIRECTORY [LEVELS]]
 *
 * Nothing is read before it is opened: expanding a folder asks for its load, the loop in `main` pulls those requests
 * and hands the names in. The store keeps names, not paths: they are unique among siblings.
 */
#define _POSIX_C_SOURCE 200809L

#include <ctree/ctree.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_ROOM = 4096, ROWS_SHOWN = 60 };

static void check(ctree_status status) {
    if (status == CTREE_OK) return;
    fprintf(stderr, "c-demo: %s\n", ctree_status_name(status));
    exit(EXIT_FAILURE);
}

static void *must(void *memory) {
    check(memory != NULL ? CTREE_OK : CTREE_NO_MEMORY);
    return memory;
}

/* The path of a node, put together from the names on the way up; false where it is too long. */
static bool path_of(const ctree_store *store, ctree_node node, char path[PATH_ROOM]) {
    size_t start = PATH_ROOM - 1;
    path[start] = '\0';
    errno = ENAMETOOLONG; /* should it not fit */
    while (node != CTREE_NONE) {
        ctree_id name;
        check(ctree_store_id(store, node, &name));
        if (name.word + 1 > start) return false;
        if (path[start] != '\0') path[--start] = '/';
        start -= (size_t)name.word;
        memcpy(path + start, name.bytes, (size_t)name.word);
        check(ctree_store_parent(store, node, &node));
    }
    memmove(path, path + start, PATH_ROOM - start);
    return true;
}

typedef struct entry {
    char *name;
    uint8_t state;
} entry;

static int by_name(const void *a, const void *b) {
    return strcmp(((const entry *)a)->name, ((const entry *)b)->name);
}

/* Reads a directory: its entries, sorted, and their number; NULL, with errno, where that cannot be done. */
static entry *read_entries(char path[PATH_ROOM], size_t *count) {
    DIR *directory = opendir(path);
    if (directory == NULL) return NULL;
    size_t length = strlen(path), room = 1;
    entry *entries = must(malloc(sizeof *entries));
    for (struct dirent *found; (found = readdir(directory)) != NULL;) {
        if (strcmp(found->d_name, ".") == 0 || strcmp(found->d_name, "..") == 0) continue;
        struct stat about;
        snprintf(path + length, PATH_ROOM - length, "/%s", found->d_name);
        bool folder = lstat(path, &about) == 0 && S_ISDIR(about.st_mode); /* a link is a leaf: no loops */
        if (*count == room) entries = must(realloc(entries, (room *= 2) * sizeof *entries));
        entries[(*count)++] = (entry){must(strdup(found->d_name)), folder ? CTREE_STATE_UNLOADED : CTREE_STATE_LEAF};
    }
    closedir(directory);
    qsort(entries, *count, sizeof *entries, by_name);
    return entries;
}

/* Loads one folder: the ticket says which load this is, should there be several at a time. */
static void load(ctree_store *store, ctree_node folder) {
    ctree_ticket ticket;
    char path[PATH_ROOM];
    size_t count = 0;
    check(ctree_load_begin(store, folder, 0, &ticket));
    entry *entries = path_of(store, folder, path) ? read_entries(path, &count) : NULL;
    if (entries == NULL) {
        check(ctree_load_fail(store, folder, ticket, (uint64_t)errno));
        return;
    }
    ctree_id *ids = must(malloc((count + 1) * sizeof *ids));
    uint8_t *states = must(malloc(count + 1));
    for (size_t i = 0; i < count; i++) {
        ids[i] = ctree_id_bytes(entries[i].name, strlen(entries[i].name));
        states[i] = entries[i].state;
    }
    ctree_forest forest = CTREE_FOREST_INIT;
    forest.count = count;
    forest.ids = ids;
    forest.states = states;
    check(ctree_load_finish(store, folder, ticket, &forest, CTREE_ELSEWHERE_MOVES, NULL, NULL));
    for (size_t i = 0; i < count; i++) free(entries[i].name);
    free(entries);
    free(ids);
    free(states);
}

static void print_row(const ctree_store *store, const ctree_row *row) {
    ctree_id name;
    check(ctree_store_id(store, row->node, &name));
    printf("%*s%s ", (int)(2 * row->depth), "", !row->expandable ? "\u00b7" : row->expanded ? "\u25be" : "\u25b8");
    for (size_t i = 0; i < name.word; i++) {
        unsigned char byte = ((const unsigned char *)name.bytes)[i];
        putchar(byte < ' ' || byte == 127 ? '?'
                                          : byte); /* names hold anything, also what moves a terminal's cursor */
    }
    bool failed = row->load_state == CTREE_STATE_FAILED;
    printf("%s%s\n", failed ? ": " : "", failed ? strerror((int)ctree_load_error(store, row->node)) : "");
}

static void print_rows(const ctree_store *store, const ctree_view *view) {
    ctree_rows *rows;
    ctree_row window[ROWS_SHOWN];
    uint32_t shown = ROWS_SHOWN;
    check(ctree_rows_flatten(view, 0, NULL, &rows));
    check(ctree_rows_window(rows, view, 0, &shown, window));
    for (uint32_t i = 0; i < shown; i++) print_row(store, &window[i]);
    printf("%u of %u rows; %llu nodes\n", (unsigned)shown, (unsigned)ctree_rows_count(rows),
           (unsigned long long)ctree_store_count(store));
    ctree_rows_destroy(rows);
}

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : "/usr/share";
    uint32_t levels = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 2;
    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    options.id_kind = CTREE_ID_BYTES;
    options.id_scope = CTREE_SCOPE_SIBLINGS;
    ctree_store *store;
    ctree_view *view;
    check(ctree_store_create(&options, &store));
    check(ctree_view_create(store, NULL, &view));
    ctree_node_init folder = {0, 0, CTREE_STATE_UNLOADED};
    check(ctree_store_insert(store, CTREE_NONE, CTREE_END, ctree_id_bytes(path, strlen(path)), &folder, NULL));
    for (uint32_t level = 1; level <= levels; level++) { /* a level is there once the one above it was loaded */
        check(ctree_view_expand_all(view, CTREE_NONE, level, NULL));
        for (ctree_node asked; (asked = ctree_load_next_request(store)) != CTREE_NONE;) load(store, asked);
    }
    print_rows(store, view);
    ctree_view_destroy(view);
    ctree_store_destroy(store);
    return EXIT_SUCCESS;
}
