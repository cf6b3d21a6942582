/* Where a profile is looked for: order, what is left out, what is too long. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "files/search.h"

static void assert_place(const atm_search *search, int index, atm_source source, const char *path)
{
    assert_true(index < search->count);
    assert_int_equal(search->at[index].source, source);
    assert_string_equal(search->at[index].path, path);
    assert_int_equal(search->at[index].named,
                     source == ATM_SOURCE_HINT || source == ATM_SOURCE_ENVIRONMENT);
}

static void test_order(void **state)
{
    atm_search_values values = {.hint = "h.json",
                                .environment = "/e.json",
                                .xdg_config = "/xdg",
                                .home = "/home/u",
                                .sysconfdir = "/opt/etc"};
    atm_search search;

    (void) state;
    assert_int_equal(atm_profile_search(&values, &search), ATM_OK);
    assert_int_equal(search.count, 5);
    assert_place(&search, 0, ATM_SOURCE_HINT, "h.json");
    assert_place(&search, 1, ATM_SOURCE_ENVIRONMENT, "/e.json");
    assert_place(&search, 2, ATM_SOURCE_USER, "/xdg/romio-autotune/profile.json");
    assert_place(&search, 3, ATM_SOURCE_SITE, "/opt/etc/romio-autotune/profile.json");
    assert_place(&search, 4, ATM_SOURCE_BUILT_IN, "");
}

static void test_nothing_known(void **state)
{
    atm_search_values values = {.hint = "", .environment = "", .home = ""};
    atm_search search;

    (void) state;
    assert_int_equal(atm_profile_search(&values, &search), ATM_OK);
    assert_int_equal(search.count, 1);
    assert_place(&search, 0, ATM_SOURCE_BUILT_IN, "");
}

static void test_home_without_xdg(void **state)
{
    atm_search_values values = {.xdg_config = "relative", .home = "/home/u"};
    atm_search search;

    (void) state;
    assert_int_equal(atm_profile_search(&values, &search), ATM_OK);
    assert_place(&search, 0, ATM_SOURCE_USER, "/home/u/.config/romio-autotune/profile.json");
    values.home = "relative";
    assert_int_equal(atm_profile_search(&values, &search), ATM_OK);
    assert_place(&search, 0, ATM_SOURCE_BUILT_IN, "");
}

static void test_too_long(void **state)
{
    char longest[ATM_SEARCH_PATH], too_long[ATM_SEARCH_PATH + 1];
    atm_search_values values = {.hint = longest};
    atm_search search;

    (void) state;
    memset(longest, 'x', sizeof(longest));
    longest[sizeof(longest) - 1] = '\0';
    assert_int_equal(atm_profile_search(&values, &search), ATM_OK);
    assert_place(&search, 0, ATM_SOURCE_HINT, longest);
    memset(too_long, 'x', sizeof(too_long));
    too_long[sizeof(too_long) - 1] = '\0';
    values.hint = too_long;
    assert_int_equal(atm_profile_search(&values, &search), ATM_BAD_ARGUMENT);
    values.hint = NULL;
    values.sysconfdir = longest;
    assert_int_equal(atm_profile_search(&values, &search), ATM_BAD_ARGUMENT);
}

static void built_in_by_name(void **state)
{
    atm_search_values values = {.environment = "built-in", .home = "/h", .sysconfdir = "/etc"};
    atm_search search;

    (void) state;
    assert_int_equal(atm_profile_search(&values, &search), ATM_OK);
    assert_int_equal(search.count, 1);
    assert_int_equal(search.at[0].source, ATM_SOURCE_BUILT_IN);
    values.hint = "/other"; /* the hint comes first */
    assert_int_equal(atm_profile_search(&values, &search), ATM_OK);
    assert_string_equal(search.at[0].path, "/other");
}

/* The first that is there, or that somebody named. */
static void test_find(void **state)
{
    atm_search_values values = {.xdg_config = "/no/such/place", .sysconfdir = "/no/such/place"};
    atm_search search;
    struct stat file;

    (void) state;
    assert_int_equal(atm_profile_search(&values, &search), ATM_OK);
    assert_int_equal(atm_search_find(&search, &file)->source, ATM_SOURCE_BUILT_IN);
    assert_int_equal(file.st_ino, 0);
    strcpy(search.at[1].path, "/"); /* anything that is there */
    assert_int_equal(atm_search_find(&search, &file)->source, ATM_SOURCE_SITE);
    assert_true(file.st_ino != 0);
    values.environment = "/no/such/file";
    assert_int_equal(atm_profile_search(&values, &search), ATM_OK);
    assert_int_equal(atm_search_find(&search, &file)->source, ATM_SOURCE_ENVIRONMENT);
    assert_int_equal(file.st_ino, 0);
}

/* Whatever of a file changes, it is read again. */
static void seen_again(void **state)
{
    const atm_search_values values = {.hint = "/", .file = ATM_ADVICE_FILE};
    atm_seen before, now;

    (void) state;
    assert_int_equal(atm_search_see(&values, &before), ATM_OK);
    assert_string_equal(before.path, "/");
    now = before;
    assert_true(atm_seen_again(&before, &now));
    now.file.st_atim.tv_sec++; /* it was read */
    assert_true(atm_seen_again(&before, &now));
    now.file.st_size++;
    assert_false(atm_seen_again(&before, &now));
    now = before;
    now.file.st_ino++;
    assert_false(atm_seen_again(&before, &now));
    now = before;
    now.file.st_dev++;
    assert_false(atm_seen_again(&before, &now));
    now = before;
    now.file.st_mtim.tv_nsec++;
    assert_false(atm_seen_again(&before, &now));
    now = before;
    now.file.st_mtim.tv_sec++;
    assert_false(atm_seen_again(&before, &now));
    now = before;
    strcpy(now.path, "");
    assert_false(atm_seen_again(&before, &now));
}

static void see_other_files(void **state)
{
    char too_long[ATM_SEARCH_PATH + 1];
    atm_search_values values = {.xdg_config = "/none", .file = ATM_ADVICE_FILE};
    atm_search search;
    atm_seen seen;

    (void) state;
    assert_int_equal(atm_profile_search(&values, &search), ATM_OK);
    assert_place(&search, 0, ATM_SOURCE_USER, "/none/romio-autotune/advice.json");
    assert_int_equal(atm_search_see(&values, &seen), ATM_OK);
    assert_string_equal(seen.path, "");
    assert_int_equal(seen.file.st_ino, 0);
    memset(too_long, 'x', sizeof(too_long));
    too_long[sizeof(too_long) - 1] = '\0';
    values.hint = too_long;
    assert_int_equal(atm_search_see(&values, &seen), ATM_BAD_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),         cmocka_unit_test(test_find),
        cmocka_unit_test(test_nothing_known), cmocka_unit_test(test_home_without_xdg),
        cmocka_unit_test(test_too_long),      cmocka_unit_test(built_in_by_name),
        cmocka_unit_test(seen_again),         cmocka_unit_test(see_other_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
