/* Commits at their edges: limits, reloads, commits that nobody accepts, filled and destroyed stores, two views of
 * one. */
#include "support/sketch.h"
#include "support/unit.h"

/* A view beside those of the world, which do not record. */
static ctree_view *recording(world *w, uint32_t flags) {
    ctree_view_options options = {sizeof options, flags | CTREE_VIEW_RECORDS, 0};
    ctree_view *view;
    assert_int_equal(ctree_view_create(w->store, &options, &view), CTREE_OK);
    return view;
}

static ctree_batch commit(ctree_view *view, uint64_t limit) {
    const ctree_batch *batch = NULL;
    assert_int_equal(ctree_view_commit(view, limit, &batch), CTREE_OK);
    return *batch;
}

static void accept(ctree_view *view) { assert_int_equal(ctree_view_accept(view), CTREE_OK); }

static void expand(ctree_view *view, ctree_node node) { assert_int_equal(ctree_view_expand(view, node), CTREE_OK); }

static void collapse(ctree_view *view, ctree_node node) {
    assert_int_equal(ctree_view_collapse(view, node), CTREE_OK);
}

static bool is_nothing(ctree_batch batch) {
    return batch.reload == 0 && batch.delete_count == 0 && batch.insert_count == 0 && batch.move_count == 0
           && batch.change_count == 0;
}

WORLD_TEST(a_batch_of_just_the_limit_is_told_and_one_more_row_is_a_reload) {
    sketch(w, "A[a b c] B");
    ctree_view *view = recording(w, 0);
    accept(view);
    expand(view, at(w, 'A'));
    ctree_batch batch = commit(view, 3);
    assert_int_equal(batch.reload, 0);
    assert_int_equal(batch.insert_count, 1);
    batch = commit(view, 2);
    assert_int_equal(batch.reload, 1);
    assert_int_equal(batch.old_count, 2);
    assert_int_equal(batch.new_count, 5);
    /* The limit was that commit's own. */
    assert_int_equal(commit(view, 0).reload, 0);
    ctree_view_destroy(view);
}

WORLD_TEST(a_reload_by_limit_is_accepted_and_the_next_batch_starts_there) {
    sketch(w, "A[a b c] B");
    ctree_view *view = recording(w, 0);
    accept(view);
    expand(view, at(w, 'A'));
    assert_int_equal(commit(view, 1).reload, 1);
    accept(view);
    assert_true(is_nothing(commit(view, 0)));
    assert_int_equal(world_on(w, OP_REMOVE, at(w, 'b')), CTREE_OK);
    ctree_batch batch = commit(view, 0);
    assert_int_equal(batch.reload, 0);
    assert_int_equal(batch.delete_count, 1);
    assert_int_equal(batch.deletes[0].first, 2);
    ctree_view_destroy(view);
}

static void what_was_never_accepted_is_a_reload_each_time(void **state) {
    (void)state;
    ctree_store *store;
    ctree_view *view;
    ctree_view_options options = {sizeof options, CTREE_VIEW_RECORDS, 0};
    assert_int_equal(ctree_store_create(NULL, &store), CTREE_OK);
    assert_int_equal(ctree_view_create(store, &options, &view), CTREE_OK);
    for (uint32_t i = 0; i < 3; i++) {
        ctree_batch batch = commit(view, 0);
        assert_int_equal(batch.reload, 1);
        assert_int_equal(batch.old_count, 0);
        assert_int_equal(batch.new_count, i);
        assert_int_equal(ctree_store_insert(store, CTREE_NONE, CTREE_END, ctree_id_u64(i), NULL, NULL), CTREE_OK);
    }
    ctree_view_destroy(view);
    ctree_store_destroy(store);
}

WORLD_TEST(a_view_of_a_filled_store_begins_with_a_reload_of_its_rows) {
    sketch(w, "A[a b] B[c]");
    ctree_view *view = recording(w, CTREE_VIEW_SECTIONS);
    const ctree_section_batch *batch;
    assert_int_equal(ctree_view_commit_sections(view, 0, &batch), CTREE_OK);
    assert_int_equal(batch->reload, 1);
    assert_int_equal(batch->new_section_count, 2);
    assert_int_equal(batch->new_count, 3);
    accept(view);
    assert_int_equal(ctree_view_commit_sections(view, 0, &batch), CTREE_OK);
    assert_int_equal(batch->reload, 0);
    ctree_view_destroy(view);
}

WORLD_TEST(edits_between_commit_and_accept_belong_to_the_next_batch) {
    sketch(w, "A[a b] B[c d]");
    ctree_view *view = recording(w, 0);
    accept(view);
    expand(view, at(w, 'A'));
    assert_int_equal(commit(view, 0).insert_count, 1);
    expand(view, at(w, 'B'));
    collapse(view, at(w, 'A'));
    accept(view);
    ctree_batch batch = commit(view, 0);
    assert_int_equal(batch.old_count, 4);
    assert_int_equal(batch.new_count, 4);
    assert_int_equal(batch.delete_count, 1);
    assert_int_equal(batch.deletes[0].first, 1);
    assert_int_equal(batch.deletes[0].count, 2);
    assert_int_equal(batch.insert_count, 1);
    assert_int_equal(batch.inserts[0].first, 2);
    assert_int_equal(batch.inserts[0].count, 2);
    assert_int_equal(batch.move_count, 0);
    ctree_view_destroy(view);
}

WORLD_TEST(what_undoes_a_committed_change_is_a_change_of_its_own) {
    sketch(w, "A[a b] B");
    ctree_view *view = recording(w, 0);
    expand(view, at(w, 'A'));
    accept(view);
    collapse(view, at(w, 'A'));
    assert_int_equal(commit(view, 0).delete_count, 1);
    expand(view, at(w, 'A'));
    accept(view);
    ctree_batch batch = commit(view, 0);
    assert_int_equal(batch.reload, 0);
    assert_int_equal(batch.old_count, 2);
    assert_int_equal(batch.insert_count, 1);
    assert_int_equal(batch.inserts[0].count, 2);
    ctree_view_destroy(view);
}

WORLD_TEST(a_batch_that_nobody_accepted_is_part_of_the_next) {
    sketch(w, "A[a b] B[c d]");
    ctree_view *view = recording(w, 0);
    accept(view);
    expand(view, at(w, 'A'));
    commit(view, 0);
    expand(view, at(w, 'B'));
    ctree_batch batch = commit(view, 0);
    assert_int_equal(batch.old_count, 2);
    assert_int_equal(batch.insert_count, 2);
    collapse(view, at(w, 'A'));
    collapse(view, at(w, 'B'));
    assert_true(is_nothing(commit(view, 0)));
    ctree_view_destroy(view);
}

WORLD_TEST(two_views_of_a_store_tell_their_own_changes) {
    sketch(w, "A[a b] B");
    ctree_view *first = recording(w, 0), *second = recording(w, 0);
    accept(first);
    accept(second);
    expand(first, at(w, 'A'));
    assert_true(is_nothing(commit(second, 0)));
    assert_int_equal(ctree_view_row_count(second), 2);
    assert_int_equal(commit(first, 0).insert_count, 1);
    accept(first);
    assert_int_equal(world_on(w, OP_REMOVE, at(w, 'A')), CTREE_OK);
    ctree_batch batch = commit(first, 0);
    assert_int_equal(batch.deletes[0].count, 3);
    batch = commit(second, 0);
    assert_int_equal(batch.deletes[0].count, 1);
    ctree_view_destroy(first);
    batch = commit(second, 0);
    assert_int_equal(batch.deletes[0].count, 1);
    ctree_view_destroy(second);
}

WORLD_TEST(a_look_that_changes_after_a_reload_and_before_its_accept_is_told) {
    sketch(w, "A B");
    ctree_view *view = recording(w, 0);
    accept(view);
    sketch(w, "C D");
    assert_int_equal(commit(view, 1).reload, 1);
    op call = {.kind = OP_SET_VALUE, .node = at(w, 'C'), .revision = 7};
    assert_int_equal(world_do(w, &call), CTREE_OK);
    accept(view);
    ctree_batch batch = commit(view, 0);
    assert_true(batch.reload == 1 || batch.change_count == 1);
    ctree_view_destroy(view);
}

/* What the failed commit took is what the accept would have gone on from. */
WORLD_TEST(a_batch_accepted_after_a_later_commit_failed_leads_to_a_reload_or_to_the_right_rows) {
    sketch(w, "A[a b] B[c d] C[e f]");
    uint32_t failures = 0;
    for (uint64_t n = 1; n < 30; n++) {
        ctree_view *view = recording(w, 0);
        accept(view);
        expand(view, at(w, 'A'));
        expand(view, at(w, 'B'));
        collapse(view, at(w, 'A'));
        commit(view, 0); /* the table has A B c d C from here on */
        expand(view, at(w, 'C'));
        expand(view, at(w, 'A'));
        collapse(view, at(w, 'B'));
        op move = {.kind = OP_MOVE, .node = at(w, 'C'), .at = 0};
        assert_int_equal(world_do(w, &move), CTREE_OK);
        const ctree_batch *failed;
        failing_allocator_arm(&w->memory, n, false);
        ctree_status status = ctree_view_commit(view, 0, &failed);
        bool no_memory = failing_allocator_disarm(&w->memory);
        assert_int_equal(status, no_memory ? CTREE_NO_MEMORY : CTREE_OK);
        accept(view);
        ctree_batch batch = commit(view, 0);
        if (!no_memory) {
            assert_true(is_nothing(batch)); /* that later batch was accepted */
        } else if (batch.reload == 0) {
            assert_int_equal(batch.old_count, 5);
            assert_int_equal(batch.new_count, 7);
            assert_int_equal(batch.delete_count, 1);
            assert_int_equal(batch.insert_count, 2);
            assert_int_equal(batch.move_count, 1);
        }
        failures += no_memory;
        move.at = CTREE_END;
        assert_int_equal(world_do(w, &move), CTREE_OK);
        ctree_view_destroy(view);
    }
    assert_true(failures > 5);
}

static void a_view_of_a_destroyed_store_is_closed(void **state) {
    (void)state;
    ctree_store *store;
    ctree_view *view;
    ctree_node node;
    ctree_view_options options = {sizeof options, CTREE_VIEW_RECORDS, 0};
    const ctree_batch *batch;
    const ctree_section_batch *sections;
    const char *reason;
    assert_int_equal(ctree_store_create(NULL, &store), CTREE_OK);
    assert_int_equal(ctree_view_create(store, &options, &view), CTREE_OK);
    assert_int_equal(ctree_store_insert(store, CTREE_NONE, 0, ctree_id_u64(1), NULL, &node), CTREE_OK);
    assert_int_equal(ctree_view_commit(view, 0, &batch), CTREE_OK);
    assert_int_equal(ctree_view_validate(view, &reason), CTREE_OK);
    assert_null(reason);
    ctree_store_destroy(store);
    assert_int_equal(ctree_view_row_count(view), 0);
    assert_true(ctree_view_node_at(view, 0) == CTREE_NONE);
    assert_int_equal(ctree_view_commit(view, 0, &batch), CTREE_CLOSED);
    assert_int_equal(ctree_view_commit_sections(view, 0, &sections), CTREE_CLOSED);
    assert_int_equal(ctree_view_accept(view), CTREE_CLOSED);
    assert_int_equal(ctree_view_trim(view), CTREE_CLOSED);
    assert_int_equal(ctree_view_compact(view), CTREE_CLOSED);
    assert_int_equal(ctree_view_expand(view, node), CTREE_CLOSED);
    assert_int_equal(ctree_view_validate(view, NULL), CTREE_CLOSED);
    ctree_view_destroy(view);
}

WORLD_TEST(a_view_that_does_not_record_has_nothing_to_commit) {
    ctree_view *view = world_view(w, 0, 0, 0);
    const ctree_batch *batch;
    assert_int_equal(ctree_view_commit(view, 0, &batch), CTREE_INVALID);
    assert_int_equal(ctree_view_accept(view), CTREE_INVALID);
    assert_int_equal(ctree_view_validate(NULL, NULL), CTREE_INVALID);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_of_just_the_limit_is_told_and_one_more_row_is_a_reload),
        cmocka_unit_test(a_reload_by_limit_is_accepted_and_the_next_batch_starts_there),
        cmocka_unit_test(what_was_never_accepted_is_a_reload_each_time),
        cmocka_unit_test(a_view_of_a_filled_store_begins_with_a_reload_of_its_rows),
        cmocka_unit_test(edits_between_commit_and_accept_belong_to_the_next_batch),
        cmocka_unit_test(what_undoes_a_committed_change_is_a_change_of_its_own),
        cmocka_unit_test(a_batch_that_nobody_accepted_is_part_of_the_next),
        cmocka_unit_test(two_views_of_a_store_tell_their_own_changes),
        cmocka_unit_test(a_look_that_changes_after_a_reload_and_before_its_accept_is_told),
        cmocka_unit_test(a_batch_accepted_after_a_later_commit_failed_leads_to_a_reload_or_to_the_right_rows),
        cmocka_unit_test(a_view_of_a_destroyed_store_is_closed),
        cmocka_unit_test(a_view_that_does_not_record_has_nothing_to_commit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
