/* What a search has found: for how long it is believed, and for which values. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "files/recent.h"

static char folder[] = "/tmp/test_recent.XXXXXX", path[64];

static int make_folder(void **state)
{
    (void) state;
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(path, sizeof(path), "%s/file", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void) state;
    unlink(path);
    return rmdir(folder);
}

static void write_file(const char *text)
{
    FILE *stream = fopen(path, "w");

    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

static long size_found(const atm_search_values *values, double now, atm_found *found)
{
    assert_int_equal(atm_search_now(values, now, found), ATM_OK);
    assert_string_equal(found->seen.path, path);
    return (long) found->seen.file.st_size;
}

static void test_change_is_seen_after_a_second(void **state)
{
    const atm_search_values values = {.hint = path};
    static atm_found found;

    (void) state;
    write_file("1");
    assert_int_equal(size_found(&values, 100, &found), 1);
    write_file("22");
    assert_int_equal(size_found(&values, 100.9, &found), 1);
    assert_int_equal(size_found(&values, 101, &found), 2);
    write_file("333");
    assert_int_equal(size_found(&values, 101.9, &found), 2);
    assert_int_equal(size_found(&values, 102.1, &found), 3);
}

/* A clock of another process, or of a suspended machine. */
static void test_clock_that_goes_back(void **state)
{
    const atm_search_values values = {.hint = path};
    static atm_found found;

    (void) state;
    write_file("1");
    assert_int_equal(size_found(&values, 100, &found), 1);
    write_file("22");
    assert_int_equal(size_found(&values, 99, &found), 2);
}

static void test_other_values(void **state)
{
    static const atm_search_values values[] = {
        {.hint = "/h"},
        {.environment = "/h"},
        {.hint = "/h", .xdg_config = "/x"},
        {.hint = "/h", .home = "/x"},
        {.hint = "/h", .sysconfdir = "/x"},
        {.hint = "/h", .file = "x"},
        {.hint = "/h/"},
        {.hint = ""},
    };
    enum { COUNT = sizeof(values) / sizeof(values[0]) };
    atm_recent recent;

    (void) state;
    for (int i = 0; i < COUNT; i++) {
        atm_recent_begin(&recent, &values[i], 100);
        for (int j = 0; j < COUNT; j++)
            assert_int_equal(atm_recent_holds(&recent, &values[j], 100.5), i == j);
    }
}

/* An unset variable is an empty one. */
static void test_unset(void **state)
{
    const atm_search_values unset = {.hint = NULL}, empty = {.hint = "", .home = ""};
    atm_recent recent;

    (void) state;
    atm_recent_begin(&recent, &unset, 100);
    assert_true(atm_recent_holds(&recent, &empty, 100.5));
}

static void test_never_believed(void **state)
{
    const atm_search_values relative = {.hint = "file"}, also_relative = {.environment = "./file"};
    char longest[sizeof(((atm_recent *) 0)->values) - 5], too_long[sizeof(longest) + 1];
    atm_search_values values = {.home = longest};
    atm_recent recent = {.length = 0};

    (void) state;
    assert_false(atm_recent_holds(&recent, &values, 0));
    atm_recent_begin(&recent, &relative, 100);
    assert_false(atm_recent_holds(&recent, &relative, 100));
    atm_recent_begin(&recent, &also_relative, 100);
    assert_false(atm_recent_holds(&recent, &also_relative, 100));
    memset(longest, 'x', sizeof(longest));
    longest[sizeof(longest) - 1] = '\0';
    atm_recent_begin(&recent, &values, 100);
    assert_true(atm_recent_holds(&recent, &values, 100));
    memset(too_long, 'x', sizeof(too_long));
    too_long[sizeof(too_long) - 1] = '\0';
    values.home = too_long;
    atm_recent_begin(&recent, &values, 100);
    assert_false(atm_recent_holds(&recent, &values, 100));
}

/* A search that fails leaves what was found, and is made again. */
static void test_failure(void **state)
{
    char too_long[ATM_SEARCH_PATH + 1];
    const atm_search_values values = {.hint = path}, bad = {.hint = too_long};
    static atm_found found;

    (void) state;
    write_file("1");
    assert_int_equal(size_found(&values, 100, &found), 1);
    memset(too_long, 'x', sizeof(too_long));
    too_long[0] = '/';
    too_long[sizeof(too_long) - 1] = '\0';
    for (int i = 0; i < 2; i++)
        assert_int_equal(atm_search_now(&bad, 100.5, &found), ATM_BAD_ARGUMENT);
    write_file("22");
    assert_int_equal(size_found(&values, 100.6, &found), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_change_is_seen_after_a_second),
        cmocka_unit_test(test_clock_that_goes_back),
        cmocka_unit_test(test_other_values),
        cmocka_unit_test(test_unset),
        cmocka_unit_test(test_never_believed),
        cmocka_unit_test(test_failure),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
