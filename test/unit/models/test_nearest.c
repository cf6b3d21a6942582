/* Mistyped words. */

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "value/nearest.h"

static void distances(void **state)
{
    char longest[65];

    (void) state;
    assert_int_equal(atm_distance("", ""), 0);
    assert_int_equal(atm_distance("memory", "memory"), 0);
    assert_int_equal(atm_distance("", "abc"), 3);
    assert_int_equal(atm_distance("memroy", "memory"), 1);
    assert_int_equal(atm_distance("memor", "memory"), 1);
    assert_int_equal(atm_distance("memorry", "memory"), 1);
    assert_int_equal(atm_distance("nemory", "memory"), 1);
    assert_int_equal(atm_distance("kitten", "sitting"), 3);
    assert_int_equal(atm_distance("ca", "abc"), 3); /* what was swapped is not changed again */
    memset(longest, 'a', 64);
    longest[64] = '\0';
    assert_int_equal(atm_distance(longest, "a"), INT_MAX);
    assert_int_equal(atm_distance(longest + 1, "a"), 62);
}

static void nearest_words(void **state)
{
    static const char *const words[] = {"profile", "memory", "record", "memories"};

    (void) state;
    assert_string_equal(atm_nearest("memroy", words, 4, 3), "memory");
    assert_string_equal(atm_nearest("memorie", words, 4, 3), "memories");
    assert_string_equal(atm_nearest("rekort", words, 4, 2), "record");
    assert_null(atm_nearest("rekort", words, 4, 1));
    assert_null(atm_nearest("topology", words, 4, 3));
    assert_null(atm_nearest("memory", words, 0, 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(distances),
                                       cmocka_unit_test(nearest_words)};

    return cmocka_run_group_tests_name("nearest", tests, NULL, NULL);
}
