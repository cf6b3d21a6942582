/* Names of users, from files in the form of passwd(5). */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "files/user.h"

static char path[] = "/tmp/test_user.XXXXXX";

static void put(const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void is(uid_t user, const char *expected)
{
    char name[16] = "unset";

    assert_int_equal(atm_user_in_file(path, user, sizeof(name), name), expected != NULL);
    assert_string_equal(name, expected != NULL ? expected : "unset");
}

static void users_of_a_file(void **state)
{
    (void) state;
    put("root:x:0:0:root:/root:/bin/sh\nada:x:1000:1000::/home/ada:\nbob::1001:1:::");
    is(0, "root");
    is(1000, "ada");
    is(1001, "bob");
    is(100, NULL);
    is(10000, NULL);
}

static void what_is_no_user(void **state)
{
    char *line = malloc(10001);

    (void) state;
    put("+::::::\n:x:5:5:::\nx:5\n\n7\nx:x:-1:::\nx:x: 6:::\nx:x:8");
    for (uid_t user = 0; user < 10; user++)
        is(user, NULL);
    is((uid_t) -1, NULL);
    memset(line, 'a', 10000);
    line[10000] = '\0';
    memcpy(line + 5000, ":x:9:9:::\n", 10); /* longer than any line is */
    memcpy(line + 9980, ":x:9:9:::\nc:x:3::::\n", 20);
    put(line);
    is(9, NULL);
    is(3, "c");
    unlink(path);
    is(0, NULL);
    free(line);
}

/* With and without what the environment says. */
static void this_user(void **state)
{
    char expected[64], name[64];

    (void) state;
    if (!atm_user_in_file("/etc/passwd", geteuid(), sizeof(expected), expected))
        skip();
    setenv("LOGNAME", "somebody-else", 1);
    atm_user_name(sizeof(name), name);
    assert_string_equal(name, expected);
    unsetenv("LOGNAME");
    unsetenv("USER");
    atm_user_name(sizeof(name), name);
    assert_string_equal(name, expected);
}

/* A user without a name anywhere is not who the environment says. */
static void nobody_by_name(void **state)
{
    char name[64];

    (void) state;
    if (geteuid() != 0 || seteuid(1234567890) != 0)
        skip();
    setenv("LOGNAME", "somebody-else", 1);
    setenv("USER", "somebody-else", 1);
    atm_user_name(sizeof(name), name);
    assert_int_equal(seteuid(0), 0);
    assert_string_equal(name, "1234567890");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(users_of_a_file), cmocka_unit_test(what_is_no_user),
        cmocka_unit_test(this_user), cmocka_unit_test(nobody_by_name)};
    int file = mkstemp(path), code;

    if (file < 0)
        return 99;
    close(file);
    code = cmocka_run_group_tests_name("user", tests, NULL, NULL);
    unlink(path);
    return code;
}
