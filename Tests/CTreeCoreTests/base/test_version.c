#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "ctree/ctree.h"

static void the_running_library_is_the_one_of_the_headers(void **state) {
    (void)state;
    assert_int_equal(ctree_version(),
                     CTREE_VERSION_MAJOR * 1000000 + CTREE_VERSION_MINOR * 1000 + CTREE_VERSION_PATCH);
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", CTREE_VERSION_MAJOR, CTREE_VERSION_MINOR, CTREE_VERSION_PATCH);
    assert_string_equal(ctree_version_string(), text);
    assert_int_equal(ctree_abi_version(), CTREE_ABI_VERSION);
}

static void every_status_has_a_name_of_its_own(void **state) {
    (void)state;
    for (int i = CTREE_OK; i <= CTREE_CORRUPT; i++) {
        for (int j = i + 1; j <= CTREE_CORRUPT + 1; j++) {
            assert_string_not_equal(ctree_status_name((ctree_status)i), ctree_status_name((ctree_status)j));
        }
    }
}

static void a_number_that_is_no_status_has_a_name_too(void **state) {
    (void)state;
    assert_string_equal(ctree_status_name((ctree_status)(CTREE_CORRUPT + 1)), "unknown status");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_running_library_is_the_one_of_the_headers),
        cmocka_unit_test(every_status_has_a_name_of_its_own),
        cmocka_unit_test(a_number_that_is_no_status_has_a_name_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
