/* Splices told as they happen, replayed on a plain array; and the selection, beside a plain set. */
#include <stdlib.h>
#include <string.h>

#include "live_program.h"

/* What somebody who only hears splices, and reads the rows that came, believes to be shown. */
typedef struct copy {
    ctree_node rows[MOST];
    uint32_t count;
    uint32_t splices;
} copy;

static void hear(void *context, const ctree_view *view, const ctree_splice *splice) {
    copy *c = context;
    assert_true(splice->row + splice->removed <= c->count);
    assert_true(c->count - splice->removed + splice->inserted <= MOST);
    memmove(c->rows + splice->row + splice->inserted, c->rows + splice->row + splice->removed,
            (c->count - splice->row - splice->removed) * sizeof *c->rows);
    c->count += splice->inserted - splice->removed;
    assert_int_equal(ctree_view_row_count(view), c->count); /* both agree at each step */
    for (uint32_t i = 0; i < splice->inserted; i++)
        c->rows[splice->row + i] = ctree_view_node_at(view, splice->row + i);
    assert_int_equal(ctree_store_remove(ctree_view_store(view), c->rows[0]), CTREE_BUSY);
    c->splices++;
}

static void splices_lead_from_rows_to_rows(void **state) {
    (void)state;
    uint64_t seed = random_seed_of_test(__func__, 20261201);
    static copy copies[VIEWS];
    for (uint64_t run = 0; run < 40; run++) {
        program p = {.next_id = 1, .most = 20 + (uint32_t)run * 10};
        p.random = random_from_seed(seed + run);
        assert_int_equal(ctree_store_create(NULL, &p.store), CTREE_OK);
        for (int i = 0; i < VIEWS; i++) {
            uint32_t flags = i == 1 ? CTREE_VIEW_RECORDS : i == 3 ? CTREE_VIEW_FORGETS : 0;
            ctree_view_options options = {sizeof options, flags, i == 2 ? CTREE_ALL_LEVELS : i == 4 ? 2 : 0};
            assert_int_equal(ctree_view_create(p.store, &options, &p.views[i]), CTREE_OK);
            copies[i].count = 0;
            assert_int_equal(ctree_view_watch(p.views[i], hear, &copies[i]), CTREE_OK);
        }
        for (uint32_t i = 0; i < 400; i++) {
            step(&p);
            for (int v = 0; v < VIEWS; v++) {
                assert_int_equal(ctree_view_row_count(p.views[v]), copies[v].count);
                for (uint32_t row = 0; row < copies[v].count; row++) {
                    assert_true(ctree_view_node_at(p.views[v], row) == copies[v].rows[row]);
                }
            }
        }
        for (int i = 0; i < VIEWS; i++) ctree_view_destroy(p.views[i]);
        ctree_store_destroy(p.store);
    }
}

static void expanding_and_collapsing_tell_one_splice_each(void **state) {
    (void)state;
    static copy c;
    memset(&c, 0, sizeof c);
    ctree_store *store;
    ctree_view *view;
    assert_int_equal(ctree_store_create(NULL, &store), CTREE_OK);
    ctree_node top, child = CTREE_NONE;
    assert_int_equal(ctree_store_insert(store, CTREE_NONE, 0, ctree_id_u64(1), NULL, &top), CTREE_OK);
    for (uint64_t i = 0; i < 1000; i++) {
        ctree_node parent = i % 10 == 0 ? top : child;
        assert_int_equal(ctree_store_insert(store, parent, CTREE_END, ctree_id_u64(i + 2), NULL, &child), CTREE_OK);
    }
    assert_int_equal(ctree_view_create(store, NULL, &view), CTREE_OK);
    c.rows[c.count++] = top;
    assert_int_equal(ctree_view_watch(view, hear, &c), CTREE_OK);
    assert_int_equal(ctree_view_expand(view, top), CTREE_OK);
    assert_int_equal(c.splices, 1);
    assert_int_equal(ctree_view_expand_all(view, CTREE_NONE, CTREE_ALL_LEVELS, NULL), CTREE_OK);
    assert_int_equal(c.splices, 2);
    assert_int_equal(c.count, 1001);
    assert_int_equal(ctree_view_collapse(view, top), CTREE_OK);
    assert_int_equal(ctree_view_expand(view, top), CTREE_OK);
    assert_int_equal(c.splices, 4);
    assert_int_equal(ctree_view_expand(view, top), CTREE_OK);
    assert_int_equal(c.splices, 4); /* nothing changed, nothing is told */
    ctree_store_destroy(store);
    ctree_view_destroy(view);
}

typedef struct told {
    uint32_t splices, removed, inserted;
} told;

static void count_splice(void *context, const ctree_view *view, const ctree_splice *splice) {
    told *t = context;
    (void)view;
    t->splices++;
    t->removed += splice->removed;
    t->inserted += splice->inserted;
}

static void a_reconcile_of_very_many_moves_is_one_splice(void **state) {
    (void)state;
    enum { COUNT = 100000 };
    uint64_t *ids = malloc(COUNT * sizeof *ids);
    for (uint64_t i = 0; i < COUNT; i++) ids[i] = i + 1;
    ctree_store *store;
    ctree_view *view;
    assert_int_equal(ctree_store_create(NULL, &store), CTREE_OK);
    ctree_view_options options = {sizeof options, CTREE_VIEW_RECORDS, 0};
    assert_int_equal(ctree_view_create(store, &options, &view), CTREE_OK);
    ctree_forest forest = CTREE_FOREST_INIT;
    forest.count = COUNT;
    forest.numbers = ids;
    assert_int_equal(ctree_store_build(store, CTREE_NONE, 0, &forest, NULL, NULL, NULL), CTREE_OK);
    assert_int_equal(ctree_view_accept(view), CTREE_OK);
    random_source random = random_from_seed(1);
    for (uint32_t i = COUNT - 1; i > 0; i--) {
        uint32_t other = random_below(&random, i + 1);
        uint64_t id = ids[i];
        ids[i] = ids[other];
        ids[other] = id;
    }
    told heard = {0, 0, 0};
    assert_int_equal(ctree_view_watch(view, count_splice, &heard), CTREE_OK);
    ctree_status status = ctree_store_reconcile(store, CTREE_NONE, &forest, CTREE_ELSEWHERE_FAILS, NULL, NULL, NULL);
    assert_int_equal(status, CTREE_OK);
    assert_int_equal(heard.splices, 1);
    assert_int_equal(heard.removed, COUNT);
    assert_int_equal(heard.inserted, COUNT);
    for (uint32_t row = 0; row < COUNT; row++) {
        assert_true(ctree_view_node_at(view, row) == ctree_store_find(store, ctree_id_u64(ids[row])));
    }
    const ctree_batch *batch;
    assert_int_equal(ctree_view_commit(view, 0, &batch), CTREE_OK);
    assert_int_equal(batch->delete_count, 0); /* all moved, or stayed: none is another node */
    assert_int_equal(batch->insert_count, 0);
    assert_true(batch->move_count > 0);
    ctree_view_destroy(view);
    ctree_store_destroy(store);
    free(ids);
}

/* ---- Selection ----------------------------------------------------------------------------------------------------
 */

static void keep_splice(void *context, const ctree_view *view, const ctree_splice *splice) {
    (void)view;
    ctree_splice *last = context;
    assert_int_equal(last->removed + last->inserted, 0); /* one is told, no more */
    *last = *splice;
}

/* Of three folders of 300 the second has a third of its children turned around, some gone and some new. */
static void a_bulk_tells_the_smallest_range_of_its_folder(void **state) {
    (void)state;
    enum { EACH = 300, FROM = 100, TO = 200, GONE = 7 };
    uint64_t ids[3 * (EACH + 1)];
    uint32_t parents[3 * (EACH + 1)];
    static ctree_node nodes[3 * (EACH + 1)];
    ctree_store *store;
    ctree_view *view;
    const ctree_batch *batch;
    ctree_splice splice = {0, 0, 0};
    for (uint32_t i = 0; i < 3 * (EACH + 1); i++) {
        ids[i] = i + 1;
        parents[i] = i % (EACH + 1) == 0 ? CTREE_END : i - i % (EACH + 1);
    }
    ctree_forest forest = CTREE_FOREST_INIT;
    forest.count = 3 * (EACH + 1);
    forest.numbers = ids;
    forest.parents = parents;
    assert_int_equal(ctree_store_create(NULL, &store), CTREE_OK);
    assert_int_equal(ctree_store_build(store, CTREE_NONE, 0, &forest, NULL, nodes, NULL), CTREE_OK);
    ctree_view_options options = {sizeof options, CTREE_VIEW_RECORDS, CTREE_ALL_LEVELS};
    assert_int_equal(ctree_view_create(store, &options, &view), CTREE_OK);
    assert_int_equal(ctree_view_commit(view, 0, &batch), CTREE_OK);
    assert_int_equal(ctree_view_accept(view), CTREE_OK);
    assert_int_equal(ctree_view_watch(view, keep_splice, &splice), CTREE_OK);

    uint32_t count = 0;
    for (uint32_t i = 0; i < EACH; i++) {
        uint32_t k = i < FROM || i >= TO ? i : TO - 1 - (i - FROM);
        if (i == FROM) ids[count++] = 100000; /* new */
        if (i < FROM || i >= FROM + GONE) ids[count++] = EACH + 1 + k + 2;
    }
    forest.count = count;
    forest.parents = NULL;
    uint32_t first = ctree_view_row_of(view, nodes[EACH + 1]) + 1;
    assert_int_equal(ctree_store_reconcile(store, nodes[EACH + 1], &forest, CTREE_ELSEWHERE_FAILS, NULL, NULL, NULL),
                     CTREE_OK);
    assert_int_equal(splice.row, first + FROM);
    assert_int_equal(splice.removed, TO - FROM);
    assert_int_equal(splice.inserted, TO - FROM - GONE + 1);
    assert_int_equal(ctree_view_commit(view, 0, &batch), CTREE_OK);
    assert_int_equal(batch->delete_count, 1);
    assert_int_equal(batch->deletes[0].count, GONE);
    assert_int_equal(batch->insert_count, 1);
    uint32_t moved = 0;
    for (uint32_t i = 0; i < batch->move_count; i++) moved += batch->moves[i].count;
    assert_int_equal(moved, TO - FROM - GONE - 1);
    ctree_view_destroy(view);
    ctree_store_destroy(store);
}

/* Every other one of some rows goes below the row before it, which leaves the order of rows as it is: their depths
   are told. Then below a collapsed node, which is opened again: none of them is new. */
static void a_bulk_tells_new_depths_and_knows_hidden_rows_again(void **state) {
    (void)state;
    enum { ALL = 1000, PAIRS = 60 };
    uint64_t ids[ALL];
    uint32_t parents[ALL];
    uint8_t states[ALL];
    static ctree_node nodes[ALL];
    ctree_store *store;
    ctree_view *view;
    const ctree_batch *batch;
    ctree_splice splice = {0, 0, 0};
    for (uint32_t i = 0; i < ALL; i++) {
        ids[i] = i + 1;
        parents[i] = i == 0 ? CTREE_END : 0;
        states[i] = CTREE_STATE_LOADED;
    }
    ctree_forest forest = CTREE_FOREST_INIT;
    forest.count = ALL;
    forest.numbers = ids;
    forest.parents = parents;
    forest.states = states;
    assert_int_equal(ctree_store_create(NULL, &store), CTREE_OK);
    assert_int_equal(ctree_store_build(store, CTREE_NONE, 0, &forest, NULL, nodes, NULL), CTREE_OK);
    ctree_view_options options = {sizeof options, CTREE_VIEW_RECORDS, CTREE_ALL_LEVELS};
    assert_int_equal(ctree_view_create(store, &options, &view), CTREE_OK);
    assert_int_equal(ctree_view_collapse(view, nodes[1]), CTREE_OK);
    assert_int_equal(ctree_view_commit(view, 0, &batch), CTREE_OK);
    assert_int_equal(ctree_view_accept(view), CTREE_OK);
    assert_int_equal(ctree_view_watch(view, keep_splice, &splice), CTREE_OK);

    forest.count = ALL - 1; /* the children of the first */
    forest.numbers = ids + 1;
    for (uint32_t i = 0; i < ALL - 1; i++)
        parents[i] = i > 10 && i <= 10 + 2 * PAIRS && i % 2 == 0 ? i - 1 : CTREE_END;
    assert_int_equal(ctree_store_reconcile(store, nodes[0], &forest, CTREE_ELSEWHERE_FAILS, NULL, NULL, NULL),
                     CTREE_OK);
    assert_int_equal(ctree_view_row_count(view), ALL);
    assert_int_equal(splice.row, 1 + 12);
    assert_int_equal(splice.removed, 2 * PAIRS - 1);
    assert_int_equal(splice.inserted, 2 * PAIRS - 1);
    assert_int_equal(ctree_view_commit(view, 0, &batch), CTREE_OK);
    assert_int_equal(batch->delete_count + batch->insert_count + batch->move_count, 0);
    assert_int_equal(ctree_view_accept(view), CTREE_OK);

    splice = (ctree_splice){0, 0, 0};
    for (uint32_t i = 0; i < ALL - 1; i++) parents[i] = i > 10 && i <= 10 + 2 * PAIRS && i % 2 == 0 ? 0 : CTREE_END;
    assert_int_equal(ctree_store_reconcile(store, nodes[0], &forest, CTREE_ELSEWHERE_FAILS, NULL, NULL, NULL),
                     CTREE_OK);
    assert_int_equal(ctree_view_row_count(view), ALL - PAIRS);
    splice = (ctree_splice){0, 0, 0};
    assert_int_equal(ctree_view_expand(view, nodes[1]), CTREE_OK);
    assert_int_equal(ctree_view_commit(view, 0, &batch), CTREE_OK);
    assert_int_equal(batch->delete_count + batch->insert_count, 0);
    uint32_t moved = 0;
    for (uint32_t i = 0; i < batch->move_count; i++) moved += batch->moves[i].count;
    assert_int_equal(moved, PAIRS);
    ctree_view_destroy(view);
    ctree_store_destroy(store);
}

static void selection_is_that_of_a_plain_set(void **state) {
    (void)state;
    uint64_t seed = random_seed_of_test(__func__, 20261201);
    static ctree_node set[MOST], got[MOST];
    for (uint64_t run = 0; run < 30; run++) {
        program p = {.next_id = 1, .most = 20 + (uint32_t)run * 20};
        p.random = random_from_seed(seed + run);
        assert_int_equal(ctree_store_create(NULL, &p.store), CTREE_OK);
        for (int i = 0; i < VIEWS; i++) {
            ctree_view_options options = {sizeof options, i == 1 ? CTREE_VIEW_SECTIONS : 0, 0};
            assert_int_equal(ctree_view_create(p.store, &options, &p.views[i]), CTREE_OK);
        }
        ctree_view *view = p.views[run % 2];
        uint32_t count = 0;
        for (uint32_t i = 0; i < 300; i++) {
            step(&p);
            ctree_node node = any_node(&p);
            bool selected = below(&p, 3) != 0;
            uint32_t rows = ctree_view_row_count(view), first = below(&p, rows + 1);
            uint32_t range = below(&p, 4) == 0 ? below(&p, rows - first + 1) : 0;
            assert_int_equal(ctree_view_select_rows(view, first, range, selected), CTREE_OK);
            if (node != CTREE_NONE) assert_int_equal(ctree_view_select(view, node, selected), CTREE_OK);
            uint32_t kept = 0;
            for (uint32_t k = 0; k < count; k++) {
                uint32_t row = ctree_view_row_of(view, set[k]);
                bool touched = set[k] == node || (row != CTREE_NO_ROW && row - first < range);
                if (!touched && ctree_store_contains(p.store, set[k])) set[kept++] = set[k];
            }
            count = kept;
            uint32_t node_row = node == CTREE_NONE ? CTREE_NO_ROW : ctree_view_row_of(view, node);
            if (selected) {
                for (uint32_t row = first; row < first + range; row++) set[count++] = ctree_view_node_at(view, row);
                bool twice = node_row != CTREE_NO_ROW && node_row - first < range;
                if (node != CTREE_NONE && !twice) set[count++] = node;
            }
            assert_int_equal(ctree_view_selected_count(view), count);
            for (uint32_t k = 0; k < count; k++) assert_true(ctree_view_is_selected(view, set[k]));
            uint64_t room = MOST;
            assert_int_equal(ctree_view_selected(view, &room, got), CTREE_OK);
            assert_int_equal(room, count);
            uint32_t last = 0;
            for (uint32_t k = 0; k < count; k++) {
                uint32_t row = ctree_view_row_of(view, got[k]);
                assert_true(ctree_view_is_selected(view, got[k]));
                if (ctree_store_parent(p.store, got[k], &node) == CTREE_OK && (run % 2 == 0 || node != CTREE_NONE)) {
                    assert_true(k == 0 || row >= last);
                    last = row;
                }
            }
        }
        assert_int_equal(ctree_view_deselect_all(view), CTREE_OK);
        assert_int_equal(ctree_view_selected_count(view), 0);
        for (int i = 0; i < VIEWS; i++) ctree_view_destroy(p.views[i]);
        ctree_store_destroy(p.store);
    }
}

/* ---- Transactions -------------------------------------------------------------------------------------------------
 */

static void count_settled(void *context, ctree_store *store) {
    (void)store;
    ++*(int *)context;
}

static void a_transaction_settles_once_at_its_end(void **state) {
    (void)state;
    ctree_store *store;
    int settled = 0;
    uint64_t token;
    ctree_listener listener = {&settled, NULL, NULL, count_settled};
    assert_int_equal(ctree_store_create(NULL, &store), CTREE_OK);
    assert_int_equal(ctree_store_add_listener(store, &listener, &token), CTREE_OK);
    assert_int_equal(ctree_store_end(store), CTREE_NOT_FOUND);
    assert_int_equal(ctree_store_begin(store), CTREE_OK);
    assert_int_equal(ctree_store_begin(store), CTREE_OK);
    for (uint64_t i = 0; i < 5; i++) {
        assert_int_equal(ctree_store_insert(store, CTREE_NONE, 0, ctree_id_u64(i), NULL, NULL), CTREE_OK);
    }
    assert_int_equal(ctree_store_end(store), CTREE_OK);
    assert_int_equal(settled, 0);
    ctree_store_destroy(store); /* waits */
    assert_int_equal(ctree_store_count(store), 5);
    assert_int_equal(ctree_store_end(store), CTREE_OK);
    assert_int_equal(settled, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splices_lead_from_rows_to_rows),
        cmocka_unit_test(expanding_and_collapsing_tell_one_splice_each),
        cmocka_unit_test(a_reconcile_of_very_many_moves_is_one_splice),
        cmocka_unit_test(a_bulk_tells_the_smallest_range_of_its_folder),
        cmocka_unit_test(a_bulk_tells_new_depths_and_knows_hidden_rows_again),
        cmocka_unit_test(selection_is_that_of_a_plain_set),
        cmocka_unit_test(a_transaction_settles_once_at_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
