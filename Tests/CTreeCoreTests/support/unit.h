/* cmocka with what it wants included before it. */
#ifndef TEST_UNIT_H
#define TEST_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The test's world: 64-bit identifiers, unique in the store, as most tests here want it. */
#define WORLD_TEST(name)                                                    \
    static void name##_in(world *w);                                        \
    static void name(void **state) {                                        \
        (void)state;                                                        \
        world_options options = {CTREE_ID_U64, CTREE_SCOPE_STORE, 0, true}; \
        world *w = world_create(options);                                   \
        name##_in(w);                                                       \
        world_compare(w);                                                   \
        world_destroy(w);                                                   \
    }                                                                       \
    static void name##_in(world *w)

#endif
