/* Steps that read a store. */
#include "run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WORD(i) (step->words.word[i])

static void tell_released(void *context, const ctree_node *nodes, const uint64_t *values, size_t count) {
    struct run *run = context;
    (void)nodes;
    run->released = grow(run->released, run->released_count + count, sizeof *run->released);
    memcpy(run->released + run->released_count, values, count * sizeof *values);
    run->released_count += count;
}

static void store_(struct run *run, const struct step *step) {
    ctree_store_options options = CTREE_STORE_OPTIONS_INIT;
    run->bytes = strcmp(WORD(1), "bytes") == 0;
    run->siblings = strcmp(WORD(2), "siblings") == 0;
    options.id_kind = run->bytes ? CTREE_ID_BYTES : CTREE_ID_U64;
    options.id_scope = run->siblings ? CTREE_SCOPE_SIBLINGS : CTREE_SCOPE_STORE;
    options.node_limit = limit_of(run, step, 3);
    options.release = tell_released;
    options.release_context = run;
    if (run->store != NULL) run->complaint = "a second store";
    if (run->complaint == NULL) went_well(run, ctree_store_create(&options, &run->store));
}

static void close_(struct run *run, const struct step *step) {
    (void)step;
    ctree_store_destroy(run->store);
    run->closed = true;
}

static void kinds(struct run *run, const struct step *step) {
    (void)step;
    text_add(&run->out, "%s %s\n", ctree_store_id_kind(run->store) == CTREE_ID_BYTES ? "bytes" : "u64",
             ctree_store_id_scope(run->store) == CTREE_SCOPE_SIBLINGS ? "siblings" : "store");
}

static void print_number(struct run *run, uint64_t number) { text_add(&run->out, "%" PRIu64 "\n", number); }

static void count(struct run *run, const struct step *step) {
    (void)step;
    print_number(run, ctree_store_count(run->store));
}

static void memory(struct run *run, const struct step *step) {
    (void)step;
    ctree_memory memory = {.size = sizeof memory};
    if (went_well(run, ctree_store_memory(run->store, &memory)) && memory.total == 0) text_add(&run->out, "none\n");
}

static void validate(struct run *run, const struct step *step) {
    (void)step;
    const char *reason = NULL;
    if (!went_well(run, ctree_validate(run->store, &reason))) text_add(&run->out, "%s\n", reason);
}

static void find(struct run *run, const struct step *step) {
    print_node(run, ctree_store_find(run->store, id_of(run, WORD(1), run->bytes)));
}

static void find_child(struct run *run, const struct step *step) {
    ctree_node parent;
    if (!node_of(run, WORD(1), &parent)) return;
    print_node(run, ctree_store_find_child(run->store, parent, id_of(run, WORD(2), run->bytes)));
}

static void find_many(struct run *run, const struct step *step) {
    ctree_node parents[MOST_WORDS], found[MOST_WORDS], parent;
    ctree_id ids[MOST_WORDS];
    uint64_t numbers[MOST_WORDS];
    size_t wanted = (size_t)step->words.count - 2;
    bool numbered = strcmp(WORD(0), "find-many-u64") == 0;
    if (!node_of(run, WORD(1), &parent)) return;
    for (size_t i = 0; i < wanted; i++) {
        parents[i] = parent;
        ids[i] = ctree_id_u64(0);
        if (numbered) {
            numbers[i] = number_of(run, WORD(i + 2));
        } else {
            ids[i] = id_of(run, WORD(i + 2), run->bytes);
        }
    }
    const ctree_node *below = run->siblings ? parents : NULL;
    ctree_status status = numbered ? ctree_store_find_many_u64(run->store, below, numbers, wanted, found)
                                   : ctree_store_find_many(run->store, below, ids, wanted, found);
    if (went_well(run, status)) print_list(run, found, wanted);
}

static void name(struct run *run, const struct step *step) {
    ctree_node node;
    if (WORD(1)[0] != '$') run->complaint = "a handle's name begins with $";
    if (node_of(run, WORD(2), &node)) name_anew(run, WORD(1))->number = node;
}

static void contains(struct run *run, const struct step *step) {
    ctree_node node;
    if (node_of(run, WORD(1), &node)) print_yes(run, ctree_store_contains(run->store, node));
}

static void node(struct run *run, const struct step *step) {
    ctree_node named;
    ctree_node_info info = {.size = sizeof info};
    if (!node_of(run, WORD(1), &named) || !went_well(run, ctree_store_info(run->store, named, &info))) return;
    text_add(&run->out, "parent ");
    add_node(run, &run->out, info.parent);
    text_add(&run->out, " value %" PRIu64 " revision %" PRIu64 " state %s children %" PRIu32 " more %s\n", info.value,
             info.revision, state_word(info.load_state), info.child_count, info.more ? "yes" : "no");
}

static void parent(struct run *run, const struct step *step) {
    ctree_node node, above;
    if (!node_of(run, WORD(1), &node)) return;
    if (went_well(run, ctree_store_parent(run->store, node, &above))) print_node(run, above);
}

static void id(struct run *run, const struct step *step) {
    ctree_node node;
    ctree_id id;
    if (!node_of(run, WORD(1), &node) || !went_well(run, ctree_store_id(run->store, node, &id))) return;
    add_id(&run->out, id);
    text_add(&run->out, "\n");
}

static void number_of_node(struct run *run, const struct step *step) {
    ctree_node node;
    uint32_t number = 0;
    if (!node_of(run, WORD(1), &node)) return;
    if (strcmp(WORD(0), "value") == 0) {
        print_number(run, ctree_store_value(run->store, node));
    } else if (strcmp(WORD(0), "revision") == 0) {
        print_number(run, ctree_store_revision(run->store, node));
    } else if (strcmp(WORD(0), "state") == 0) {
        text_add(&run->out, "%s\n", state_word(ctree_store_load_state(run->store, node)));
    } else if (strcmp(WORD(0), "child-count") == 0) {
        print_number(run, ctree_store_child_count(run->store, node));
    } else if (strcmp(WORD(0), "subtree-count") == 0) {
        print_number(run, ctree_store_subtree_count(run->store, node));
    } else if (went_well(run, strcmp(WORD(0), "ordinal") == 0 ? ctree_store_ordinal(run->store, node, &number)
                                                              : ctree_store_depth(run->store, node, &number))) {
        print_number(run, number);
    }
}

static void child_at(struct run *run, const struct step *step) {
    ctree_node parent;
    if (node_of(run, WORD(1), &parent))
        print_node(run, ctree_store_child_at(run->store, parent, small_of(run, WORD(2))));
}

static void children(struct run *run, const struct step *step) {
    ctree_node parent;
    if (!node_of(run, WORD(1), &parent)) return;
    uint32_t there = small_of(run, WORD(3));
    ctree_node *nodes = grow(NULL, there, sizeof *nodes);
    if (went_well(run, ctree_store_children(run->store, parent, small_of(run, WORD(2)), &there, nodes)))
        print_list(run, nodes, there);
    free(nodes);
}

static void below(struct run *run, const struct step *step) {
    ctree_node node, ancestor;
    if (node_of(run, WORD(1), &node) && node_of(run, WORD(2), &ancestor))
        print_yes(run, ctree_store_is_below(run->store, node, ancestor));
}

static void path(struct run *run, const struct step *step) {
    ctree_node node;
    uint32_t room = 0, none;
    if (!node_of(run, WORD(1), &node)) return;
    ctree_status status = ctree_store_path(run->store, node, &room, &none);
    if (status != CTREE_RANGE) {
        went_well(run, status);
        return;
    }
    uint32_t *ordinals = grow(NULL, room, sizeof *ordinals);
    if (went_well(run, ctree_store_path(run->store, node, &room, ordinals))) {
        text_add(&run->out, "%" PRIu32, room);
        for (uint32_t i = 0; i < room; i++) text_add(&run->out, " %" PRIu32, ordinals[i]);
        text_add(&run->out, "\n");
    }
    free(ordinals);
}

static void at_path(struct run *run, const struct step *step) {
    uint32_t ordinals[MOST_WORDS] = {0};
    for (int i = 1; i < step->words.count; i++) ordinals[i - 1] = small_of(run, WORD(i));
    print_node(run, ctree_store_node_at_path(run->store, ordinals, (uint32_t)step->words.count - 1));
}

static void next(struct run *run, const struct step *step) {
    ctree_node node, root;
    if (node_of(run, WORD(1), &node) && node_of(run, WORD(2), &root))
        print_node(run, ctree_store_next(run->store, node, root, yes_of(run, WORD(3))));
}

static void walk(struct run *run, const struct step *step) {
    ctree_node root, *nodes = NULL;
    size_t there = 0;
    if (!node_of(run, WORD(1), &root)) return;
    ctree_node node = root != CTREE_NONE ? root : ctree_store_next(run->store, CTREE_NONE, CTREE_NONE, false);
    while (node != CTREE_NONE) {
        nodes = grow(nodes, there + 1, sizeof *nodes);
        nodes[there++] = node;
        node = ctree_store_next(run->store, node, root, false);
    }
    print_list(run, nodes, there);
    free(nodes);
}

static void version(struct run *run, const struct step *step) {
    (void)step;
    uint32_t number = CTREE_VERSION_MAJOR * 1000000 + CTREE_VERSION_MINOR * 1000 + CTREE_VERSION_PATCH;
    bool same = ctree_version() == number && strcmp(ctree_version_string(), CTREE_VERSION_STRING) == 0
                && ctree_abi_version() == CTREE_ABI_VERSION;
    if (!same) text_add(&run->out, "another library than the headers are of\n");
}

static void status_name(struct run *run, const struct step *step) {
    text_add(&run->out, "%s\n", ctree_status_name((ctree_status)small_of(run, WORD(1))));
}

const struct verb store_verbs[] = {{"store", store_, 2, 4},
                                   {"close", close_, 0, 0},
                                   {"kinds", kinds, 0, 0},
                                   {"count", count, 0, 0},
                                   {"memory", memory, 0, 0},
                                   {"validate", validate, 0, 0},
                                   {"find", find, 1, 1},
                                   {"find-child", find_child, 2, 2},
                                   {"find-many", find_many, 1, MOST_WORDS},
                                   {"find-many-u64", find_many, 1, MOST_WORDS},
                                   {"name", name, 2, 2},
                                   {"contains", contains, 1, 1},
                                   {"node", node, 1, 1},
                                   {"parent", parent, 1, 1},
                                   {"id", id, 1, 1},
                                   {"value", number_of_node, 1, 1},
                                   {"revision", number_of_node, 1, 1},
                                   {"state", number_of_node, 1, 1},
                                   {"child-count", number_of_node, 1, 1},
                                   {"subtree-count", number_of_node, 1, 1},
                                   {"ordinal", number_of_node, 1, 1},
                                   {"depth", number_of_node, 1, 1},
                                   {"child-at", child_at, 2, 2},
                                   {"children", children, 3, 3},
                                   {"below", below, 2, 2},
                                   {"path", path, 1, 1},
                                   {"at-path", at_path, 0, MOST_WORDS},
                                   {"next", next, 3, 3},
                                   {"walk", walk, 1, 1},
                                   {"version", version, 0, 0},
                                   {"status-name", status_name, 1, 1},
                                   {NULL, NULL, 0, 0}};
