/* Times on command lines. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "common/options.h"

typedef struct variables {
    int before;
    double time;
} variables;

static const option_entry entries[] = {
    {"for", "TIME", "how long", OPTION_TIME, offsetof(variables, time), NULL}, {.name = NULL}};
static const option_table table = {.usage = "test [options]", .about = "", .entries = entries};

/* 0 if it is refused */
static double time_of(const char *text)
{
    char program[] = "test", argument[64], *argv[] = {program, argument, NULL};
    variables v = {0};

    snprintf(argument, sizeof(argument), "--for=%s", text);
    return options_parse(&table, 2, argv, &v) == OPTIONS_GO_ON ? v.time : 0;
}

static void times(void **state)
{
    static const char *const wrong[] = {"",    "s",   "-1s", "0",     "0d",     "nan",
                                        "inf", "5 m", "1m",  "1min ", "1e9min", "soon"};

    (void) state;
    assert_true(time_of("90") == 90 && time_of("90s") == 90);
    assert_true(time_of("250ms") == 0.25);
    assert_true(time_of("1.5min") == 90);
    assert_true(time_of("2h") == 7200);
    assert_true(time_of("2d") == 172800);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        if (time_of(wrong[i]) != 0)
            fail_msg("\"%s\" is taken", wrong[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(times)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
