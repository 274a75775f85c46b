/* What a diff says in the cases that users of tables know by name. */
#include "ctree/diff.h"
#include "support/assertions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MOST = 64, TEXT = 1024 };

/* Lists written as text: a letter a row, an upper-case letter a section: "Axy Bz". */
typedef struct written {
    uint64_t rows[MOST], sections[MOST], revisions[MOST], section_revisions[MOST];
    uint32_t section_rows[MOST];
    ctree_diff_list list;
} written;

static void write_list(written *w, const char *text) {
    memset(w, 0, sizeof *w);
    ctree_diff_list *list = &w->list;
    *list = (ctree_diff_list){w->rows, w->revisions, w->sections, w->section_rows, w->section_revisions, 0, 0};
    for (; *text != '\0'; text++) {
        uint64_t key = (uint64_t)1 << 32 | (unsigned char)*text;
        if (*text == ' ') continue;
        if (*text >= 'A' && *text <= 'Z') {
            w->sections[list->section_count++] = key;
        } else {
            w->rows[list->row_count++] = key;
            if (list->section_count > 0) w->section_rows[list->section_count - 1]++;
        }
    }
}

static ctree_diff *diff_of(const written *before, const written *after, uint32_t forms) {
    ctree_diff_options options = CTREE_DIFF_OPTIONS_INIT;
    options.forms = forms;
    ctree_diff *diff = NULL;
    assert_int_equal(ctree_diff_create(&before->list, &after->list, &options, NULL, &diff), CTREE_OK);
    return diff;
}

static void say(char *text, const char *format, ...) {
    size_t at = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + at, TEXT - at, format, arguments);
    va_end(arguments);
}

static void say_batch(char *text, const ctree_batch *b) {
    text[0] = '\0';
    if (b->reload) say(text, "reload ");
    for (uint32_t i = 0; i < b->delete_count; i++) say(text, "-%u+%u ", b->deletes[i].first, b->deletes[i].count);
    for (uint32_t i = 0; i < b->insert_count; i++) say(text, "+%u+%u ", b->inserts[i].first, b->inserts[i].count);
    for (uint32_t i = 0; i < b->move_count; i++) {
        say(text, "%u>%u+%u ", b->moves[i].from, b->moves[i].to, b->moves[i].count);
    }
    for (uint32_t i = 0; i < b->change_count; i++) {
        say(text, "~%u>%u+%u ", b->changes[i].from, b->changes[i].to, b->changes[i].count);
    }
}

static void say_sections(char *text, const ctree_section_batch *b) {
    text[0] = '\0';
    if (b->reload) say(text, "reload ");
    for (uint32_t i = 0; i < b->section_delete_count; i++) {
        say(text, "-S%u+%u ", b->section_deletes[i].first, b->section_deletes[i].count);
    }
    for (uint32_t i = 0; i < b->section_insert_count; i++) {
        say(text, "+S%u+%u ", b->section_inserts[i].first, b->section_inserts[i].count);
    }
    for (uint32_t i = 0; i < b->section_move_count; i++) {
        say(text, "S%u>%u+%u ", b->section_moves[i].from, b->section_moves[i].to, b->section_moves[i].count);
    }
    for (uint32_t i = 0; i < b->section_change_count; i++) {
        say(text, "~S%u>%u+%u ", b->section_changes[i].from, b->section_changes[i].to, b->section_changes[i].count);
    }
    for (uint32_t i = 0; i < b->delete_count; i++) {
        say(text, "-%u.%u+%u ", b->deletes[i].section, b->deletes[i].first, b->deletes[i].count);
    }
    for (uint32_t i = 0; i < b->insert_count; i++) {
        say(text, "+%u.%u+%u ", b->inserts[i].section, b->inserts[i].first, b->inserts[i].count);
    }
    for (uint32_t i = 0; i < b->move_count; i++) {
        const ctree_path_run *m = &b->moves[i];
        say(text, "%u.%u>%u.%u+%u ", m->from_section, m->from, m->to_section, m->to, m->count);
    }
    for (uint32_t i = 0; i < b->change_count; i++) {
        const ctree_path_run *m = &b->changes[i];
        say(text, "~%u.%u>%u.%u+%u ", m->from_section, m->from, m->to_section, m->to, m->count);
    }
}

/* Letters set apart by spaces, in any case, mean sections; then the section batch is looked at, else the batch. */
static void expect(const char *before, const char *after, const char *what) {
    written olds, news;
    write_list(&olds, before);
    write_list(&news, after);
    bool sections = olds.list.section_count + news.list.section_count > 0;
    ctree_diff *diff = diff_of(&olds, &news, 0);
    char said[TEXT];
    if (sections) say_sections(said, ctree_diff_section_batch(diff));
    else say_batch(said, ctree_diff_batch(diff));
    assert_string_equal(said, what);
    ctree_diff_destroy(diff);
}

static void equal_lists_have_no_changes(void **state) {
    (void)state;
    expect("", "", "");
    expect("abc", "abc", "");
    expect("Aab B Cc", "Aab B Cc", "");
}

static void pure_inserts_and_deletes_move_nothing(void **state) {
    (void)state;
    expect("", "abc", "+0+3 ");
    expect("abc", "", "-0+3 ");
    expect("abcd", "axbcyzd", "+1+1 +4+2 ");
    expect("abcdef", "bcf", "-0+1 -3+2 ");
    expect("abcd", "xbyd", "-0+1 -2+1 +0+1 +2+1 ");
}

static void one_moved_row_is_one_move(void **state) {
    (void)state;
    expect("1234", "2341", "0>3+1 ");
    expect("1234", "4123", "3>0+1 ");
    expect("abcdef", "acdebf", "1>4+1 ");
}

static void a_swap_of_two_neighbours_is_one_move(void **state) {
    (void)state;
    written olds, news;
    write_list(&olds, "abcd");
    write_list(&news, "acbd");
    ctree_diff *diff = diff_of(&olds, &news, 0);
    const ctree_batch *batch = ctree_diff_batch(diff);
    assert_int_equal(batch->move_count, 1);
    assert_int_equal(batch->moves[0].count, 1);
    assert_int_equal(batch->delete_count + batch->insert_count + batch->change_count, 0);
    ctree_diff_destroy(diff);
}

static void a_folder_dragged_past_one_row_reports_that_row(void **state) {
    (void)state;
    expect("abcdefx", "xabcdef", "6>0+1 ");
    expect("xabcdef", "abcdefx", "0>6+1 ");
}

static void rows_that_move_together_are_one_run(void **state) {
    (void)state;
    expect("abcdefghj", "efghijabcd", "+4+1 0>6+4 ");
    /* Of two ways to move two rows the one in fewer runs is taken: ab together, not c and d apart. */
    expect("abcd", "cxdab", "+1+1 0>3+2 ");
    expect("cxdab", "abcd", "-1+1 3>0+2 ");
}

static void changed_rows_have_old_and_new_numbers_and_may_have_moved(void **state) {
    (void)state;
    written olds, news;
    char said[TEXT];
    write_list(&olds, "abcdx");
    write_list(&news, "bcdya");
    news.revisions[1] = news.revisions[2] = 7; /* c, d */
    news.revisions[3] = 9;                     /* y is new in any case */
    news.revisions[4] = 7;                     /* a, which moves */
    ctree_diff *diff = diff_of(&olds, &news, 0);
    say_batch(said, ctree_diff_batch(diff));
    assert_string_equal(said, "-4+1 +3+1 0>4+1 ~2>1+2 ~0>4+1 ");
    ctree_diff_destroy(diff);
    olds.list.revisions = NULL;
    diff = diff_of(&olds, &news, 0);
    say_batch(said, ctree_diff_batch(diff));
    assert_string_equal(said, "-4+1 +3+1 0>4+1 ");
    ctree_diff_destroy(diff);
}

static void a_change_of_content_alone_has_changed_rows_only(void **state) {
    (void)state;
    written olds, news;
    char said[TEXT];
    write_list(&olds, "abc");
    write_list(&news, "abc");
    news.revisions[1] = 1;
    ctree_diff *diff = diff_of(&olds, &news, 0);
    say_batch(said, ctree_diff_batch(diff));
    assert_string_equal(said, "~1>1+1 ");
    ctree_diff_destroy(diff);
}

static void sections_that_go_take_their_rows_along_silently(void **state) {
    (void)state;
    expect("Ax By", "Bxy", "-S0+1 +0.0+1 ");
    expect("Ax By Cz", "Ax Cz", "-S1+1 ");
    expect("Ax Byz", "Axy", "-S1+1 +0.1+1 ");
    expect("Axy", "Ax By", "+S1+1 -0.1+1 ");
    expect("Axy Bz", "Cxy Bz", "-S0+1 +S0+1 ");
}

static void empty_sections_keep_their_place(void **state) {
    (void)state;
    expect("Ax B Cy", "A B Cxy", "0.0>2.0+1 ");
    expect("A B C", "A B C", "");
    expect("A", "A B C", "+S1+2 ");
    expect("A B C", "C", "-S0+2 ");
}

static void a_row_moves_between_sections_that_stay(void **state) {
    (void)state;
    expect("Axyz Bw", "Ax Bywz", "0.1>1.0+1 0.2>1.2+1 ");
    expect("Axyz Bw", "Ax Byzw", "0.1>1.0+2 ");
    /* All rows are as they were, and only the borders between sections are not. */
    expect("Ax Byz Cw", "Axy Bzw C", "1.0>0.1+1 2.0>1.1+1 ");
    expect("Aqx Byz Cw", "Axy Bzw C", "-0.0+1 1.0>0.1+1 2.0>1.1+1 ");
    /* Together in the list of all rows, yet in two sections. */
    expect("Axyz B C", "Ax By Cz", "0.1>1.0+1 0.2>2.0+1 ");
}

static void a_section_with_the_same_rows_moves(void **state) {
    (void)state;
    expect("Ax By Cz", "Cz Ax By", "S2>0+1 ");
    expect("A B C D", "C D A B", "S0>2+2 ");
}

static void a_moved_section_whose_rows_change_is_deleted_and_inserted(void **state) {
    (void)state;
    expect("Ax By Czw", "Czwv Ax By", "-S2+1 +S0+1 ");
    expect("Ax By Czw", "Cwz Ax By", "-S2+1 +S0+1 ");
    /* w leaves it for one that stays, v the other way round. */
    expect("Axv By Czw", "Czv Ax Byw", "-S2+1 +S0+1 -0.1+1 +2.1+1 ");
}

static void of_two_sections_that_may_move_the_unchanged_one_does(void **state) {
    (void)state;
    expect("Axy Bz", "Bz Ax", "S1>0+1 -0.1+1 ");
    expect("Axy Bz", "Bzw Axy", "S0>1+1 +0.1+1 ");
    /* Both changed: the one with fewer rows is shown anew. */
    expect("Axyz Bw", "Bwv Axy", "-S1+1 +S0+1 -0.2+1 ");
    /* One that changed is shown anew rather than two, however many rows it has. */
    expect("Ax By Cpqrst Dz", "Cpqrs Dz Axu Byv", "-S2+1 +S0+1 S3>1+1 +2.1+1 +3.1+1 ");
}

static void a_section_and_a_row_of_one_key_are_apart(void **state) {
    (void)state;
    uint64_t key_a[] = {UINT64_C(1) << 32 | 1}, key_b[] = {UINT64_C(1) << 32 | 2};
    uint32_t none[] = {0}, one[] = {1};
    ctree_diff_list before = {NULL, NULL, key_a, none, NULL, 0, 1}, after = {key_a, NULL, key_b, one, NULL, 1, 1};
    ctree_diff *diff = NULL;
    char said[TEXT];
    assert_int_equal(ctree_diff_create(&before, &after, NULL, NULL, &diff), CTREE_OK);
    say_sections(said, ctree_diff_section_batch(diff));
    assert_string_equal(said, "-S0+1 +S0+1 ");
    ctree_diff_destroy(diff);
}

static void changed_sections_are_told_apart_from_changed_rows(void **state) {
    (void)state;
    written olds, news;
    char said[TEXT];
    write_list(&olds, "Axy Bz Cv");
    write_list(&news, "Cv Ayx Bzw");
    news.section_revisions[0] = 1; /* C, which moves */
    news.revisions[0] = 1;         /* v, which moves with it */
    news.revisions[1] = 1;         /* y, which moves in A */
    news.revisions[4] = 1;         /* w is new */
    ctree_diff *diff = diff_of(&olds, &news, 0);
    say_sections(said, ctree_diff_section_batch(diff));
    assert_string_equal(said, "S2>0+1 ~S2>0+1 +2.1+1 0.1>1.0+1 ~2.0>0.0+1 ~0.1>1.0+1 ");
    ctree_diff_destroy(diff);
}

static void a_run_of_changed_rows_ends_where_a_section_does(void **state) {
    (void)state;
    written olds, news;
    char said[TEXT];
    write_list(&olds, "Axy Bzw C");
    write_list(&news, "Ax B Cyzw");
    news.revisions[1] = news.revisions[2] = news.revisions[3] = 1;
    ctree_diff *diff = diff_of(&olds, &news, 0);
    say_sections(said, ctree_diff_section_batch(diff));
    assert_string_equal(said, "0.1>2.0+1 1.0>2.1+2 ~0.1>2.0+1 ~1.0>2.1+2 ");
    ctree_diff_destroy(diff);
}

static void rows_that_are_shown_anew_are_not_told_as_changed(void **state) {
    (void)state;
    written olds, news;
    char said[TEXT];
    write_list(&olds, "Axy Bz Cvu");
    write_list(&news, "Cv Axz Du"); /* C is renewed, B goes, D comes */
    for (uint32_t i = 0; i < MOST; i++) news.revisions[i] = news.section_revisions[i] = 1;
    ctree_diff *diff = diff_of(&olds, &news, 0);
    say_sections(said, ctree_diff_section_batch(diff));
    assert_string_equal(said, "-S1+2 +S0+1 +S2+1 ~S0>1+1 -0.1+1 +1.1+1 ~0.0>1.0+1 ");
    ctree_diff_destroy(diff);
}

static void nothing_to_compare_with_says_reload(void **state) {
    (void)state;
    written news;
    write_list(&news, "Axy");
    ctree_diff_options options = CTREE_DIFF_OPTIONS_INIT;
    options.forms = CTREE_DIFF_BATCH | CTREE_DIFF_SECTIONS | CTREE_DIFF_SPLICES | CTREE_DIFF_STEPS;
    ctree_diff *diff = NULL;
    assert_int_equal(ctree_diff_create(NULL, &news.list, &options, NULL, &diff), CTREE_OK);
    char said[TEXT];
    say_batch(said, ctree_diff_batch(diff));
    assert_string_equal(said, "reload ");
    say_sections(said, ctree_diff_section_batch(diff));
    assert_string_equal(said, "reload ");
    assert_int_equal(ctree_diff_splices(diff)->reload, 1);
    assert_int_equal(ctree_diff_steps(diff)->reload, 1);
    assert_int_equal(ctree_diff_batch(diff)->new_count, 2);
    ctree_diff_destroy(diff);
}

static void more_changes_than_the_limit_say_reload(void **state) {
    (void)state;
    written olds, news;
    write_list(&olds, "abcdef");
    write_list(&news, "acdefbxy"); /* Three rows. */
    ctree_diff_options options = CTREE_DIFF_OPTIONS_INIT;
    ctree_diff *diff = NULL;
    char said[TEXT];
    options.limit = 3;
    assert_int_equal(ctree_diff_create(&olds.list, &news.list, &options, NULL, &diff), CTREE_OK);
    say_batch(said, ctree_diff_batch(diff));
    assert_string_equal(said, "+6+2 1>5+1 ");
    ctree_diff_destroy(diff);
    options.limit = 2;
    assert_int_equal(ctree_diff_create(&olds.list, &news.list, &options, NULL, &diff), CTREE_OK);
    say_batch(said, ctree_diff_batch(diff));
    assert_string_equal(said, "reload ");
    ctree_diff_destroy(diff);
}

static void only_the_forms_asked_for_are_there(void **state) {
    (void)state;
    written olds, news;
    write_list(&olds, "Aab");
    write_list(&news, "Aba");
    for (uint32_t forms = 1; forms < 16; forms++) {
        ctree_diff *diff = diff_of(&olds, &news, forms);
        assert_int_equal(ctree_diff_batch(diff) != NULL, (forms & CTREE_DIFF_BATCH) != 0);
        assert_int_equal(ctree_diff_section_batch(diff) != NULL, (forms & CTREE_DIFF_SECTIONS) != 0);
        assert_int_equal(ctree_diff_splices(diff) != NULL, (forms & CTREE_DIFF_SPLICES) != 0);
        assert_int_equal(ctree_diff_steps(diff) != NULL, (forms & CTREE_DIFF_STEPS) != 0);
        ctree_diff_destroy(diff);
    }
    ctree_diff_destroy(NULL);
}

static void splices_take_a_move_apart_and_join_what_adjoins(void **state) {
    (void)state;
    written olds, news;
    write_list(&olds, "abcdef");
    write_list(&news, "xycefad");
    ctree_diff *diff = diff_of(&olds, &news, CTREE_DIFF_SPLICES);
    const ctree_splices *s = ctree_diff_splices(diff);
    char said[TEXT] = "";
    for (uint32_t i = 0; i < s->splice_count; i++) {
        say(said, "%u-%u+%u ", s->splices[i].row, s->splices[i].removed, s->splices[i].inserted);
    }
    assert_string_equal(said, "0-2+2 3-1+0 5-0+2 ");
    ctree_diff_destroy(diff);
}

static void steps_move_in_the_numbers_of_their_moment(void **state) {
    (void)state;
    written olds, news;
    write_list(&olds, "0123");
    write_list(&news, "2301");
    ctree_diff *diff = diff_of(&olds, &news, CTREE_DIFF_STEPS);
    const ctree_steps *s = ctree_diff_steps(diff);
    assert_int_equal(s->step_count, 1);
    assert_int_equal(s->steps[0].kind, CTREE_STEP_MOVE);
    assert_int_equal(s->steps[0].count, 2);
    assert_int_equal(s->steps[0].from + s->steps[0].to, 2);
    ctree_diff_destroy(diff);
}

static void identifiers_of_any_bytes_are_compared_by_their_bytes(void **state) {
    (void)state;
    ctree_id olds[] = {ctree_id_bytes("a\0b", 3), ctree_id_bytes("a", 1), {NULL, 0}, ctree_id_bytes("\xC3\xA9", 2)};
    ctree_id news[] = {ctree_id_bytes("", 0), ctree_id_bytes("a\0c", 3), ctree_id_bytes("a", 1),
                       ctree_id_bytes("e\xCC\x81", 3)};
    ctree_diff_list before = {olds, NULL, NULL, NULL, NULL, 4, 0}, after = {news, NULL, NULL, NULL, NULL, 4, 0};
    ctree_diff_options options = CTREE_DIFF_OPTIONS_INIT;
    options.keys = CTREE_DIFF_IDS;
    ctree_diff *diff = NULL;
    assert_int_equal(ctree_diff_create(&before, &after, &options, NULL, &diff), CTREE_OK);
    const ctree_batch *batch = ctree_diff_batch(diff);
    assert_int_equal(batch->move_count, 1);
    assert_int_equal(batch->moves[0].count, 1);
    assert_int_equal(batch->delete_count, 2);
    assert_int_equal(batch->insert_count, 2);
    ctree_diff_destroy(diff);
}

static void a_slot_used_anew_is_another_row(void **state) {
    (void)state;
    uint64_t olds[200], news[200];
    for (uint64_t i = 0; i < 200; i++) olds[i] = news[i] = UINT64_C(3) << 32 | i;
    for (uint64_t i = 0; i < 20; i++) news[100 + i] = UINT64_C(4) << 32 | (100 + i);
    ctree_diff_list before = {olds, NULL, NULL, NULL, NULL, 200, 0}, after = {news, NULL, NULL, NULL, NULL, 200, 0};
    ctree_diff *diff = NULL;
    char said[TEXT];
    assert_int_equal(ctree_diff_create(&before, &after, NULL, NULL, &diff), CTREE_OK);
    say_batch(said, ctree_diff_batch(diff));
    assert_string_equal(said, "-100+20 +100+20 ");
    ctree_diff_destroy(diff);
}

static void a_replaced_row_is_found_wherever_it_stands(void **state) {
    (void)state;
    enum { ROWS = 100 };
    uint64_t olds[ROWS], news[ROWS];
    for (uint32_t keys = CTREE_DIFF_NODES; keys <= CTREE_DIFF_U64; keys++) {
        for (uint32_t at = 0; at < ROWS; at++) {
            for (uint64_t i = 0; i < ROWS; i++) olds[i] = news[i] = UINT64_C(3) << 32 | i;
            news[at] = UINT64_C(3) << 32 | ROWS;
            ctree_diff_list before = {olds, NULL, NULL, NULL, NULL, ROWS, 0};
            ctree_diff_list after = {news, NULL, NULL, NULL, NULL, ROWS, 0};
            ctree_diff_options options = CTREE_DIFF_OPTIONS_INIT;
            options.keys = keys;
            ctree_diff *diff = NULL;
            char said[TEXT], expected[TEXT];
            assert_int_equal(ctree_diff_create(&before, &after, &options, NULL, &diff), CTREE_OK);
            say_batch(said, ctree_diff_batch(diff));
            snprintf(expected, sizeof expected, "-%u+1 +%u+1 ", at, at);
            assert_string_equal(said, expected);
            ctree_diff_destroy(diff);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_lists_have_no_changes),
        cmocka_unit_test(pure_inserts_and_deletes_move_nothing),
        cmocka_unit_test(one_moved_row_is_one_move),
        cmocka_unit_test(a_swap_of_two_neighbours_is_one_move),
        cmocka_unit_test(a_folder_dragged_past_one_row_reports_that_row),
        cmocka_unit_test(rows_that_move_together_are_one_run),
        cmocka_unit_test(changed_rows_have_old_and_new_numbers_and_may_have_moved),
        cmocka_unit_test(a_change_of_content_alone_has_changed_rows_only),
        cmocka_unit_test(sections_that_go_take_their_rows_along_silently),
        cmocka_unit_test(empty_sections_keep_their_place),
        cmocka_unit_test(a_row_moves_between_sections_that_stay),
        cmocka_unit_test(a_section_with_the_same_rows_moves),
        cmocka_unit_test(a_moved_section_whose_rows_change_is_deleted_and_inserted),
        cmocka_unit_test(of_two_sections_that_may_move_the_unchanged_one_does),
        cmocka_unit_test(a_section_and_a_row_of_one_key_are_apart),
        cmocka_unit_test(changed_sections_are_told_apart_from_changed_rows),
        cmocka_unit_test(a_run_of_changed_rows_ends_where_a_section_does),
        cmocka_unit_test(rows_that_are_shown_anew_are_not_told_as_changed),
        cmocka_unit_test(nothing_to_compare_with_says_reload),
        cmocka_unit_test(more_changes_than_the_limit_say_reload),
        cmocka_unit_test(only_the_forms_asked_for_are_there),
        cmocka_unit_test(splices_take_a_move_apart_and_join_what_adjoins),
        cmocka_unit_test(steps_move_in_the_numbers_of_their_moment),
        cmocka_unit_test(identifiers_of_any_bytes_are_compared_by_their_bytes),
        cmocka_unit_test(a_slot_used_anew_is_another_row),
        cmocka_unit_test(a_replaced_row_is_found_wherever_it_stands),
    };
    return cmocka_run_group_tests_name("diff", tests, NULL, NULL);
}
