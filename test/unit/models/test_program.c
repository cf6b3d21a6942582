/* Names of programs, as the kernel tells them. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "files/program_name.h"

/* words: the arguments, with | for the 0 behind each */
static void named(const char *exe, const char *words, const char *expected)
{
    char arguments[256], name[64];
    size_t length = strlen(words);

    strcpy(arguments, words);
    for (size_t i = 0; i < length; i++)
        if (arguments[i] == '|')
            arguments[i] = '\0';
    atm_program_name(exe, arguments, length, sizeof(name), name);
    assert_string_equal(name, expected);
}

static void programs(void **state)
{
    (void) state;
    named("/opt/vpic/bin/vpic3d", "./vpic3d|input|", "vpic3d");
    named("/opt/vpic/bin/vpic3d", "", "vpic3d");
    named("vpic3d", "another|", "vpic3d");
    named("/home/ada/a.out (deleted)", "a.out|", "a.out");
    named("/home/ada/(deleted)", "(deleted)|", "(deleted)");
    named("", "/opt/bin/prog|-x|", "prog");
    named(NULL, "prog|", "prog");
    named("", "cut", "");
    named("", "", "");
}

static void scripts(void **state)
{
    (void) state;
    named("/usr/bin/python3.11", "python3|/home/ada/sim.py|-m|input|", "sim.py");
    named("/usr/bin/python3.11", "python3|-u|-W|error|sim.py|", "sim.py");
    named("/usr/bin/python3.11", "python3|-uWerror|-Xdev|sim.py|", "sim.py");
    named("/usr/bin/python3.11", "python3|-m|package.tool|file|", "package.tool");
    named("/usr/bin/python3.11", "python3|-um|package.tool|", "package.tool");
    named("/usr/bin/python3.11", "python3|-m|mpi4py|sim.py|", "sim.py");
    named("/usr/bin/python3.11", "python3|-m|mpi4py.futures|-u|sim.py|", "sim.py");
    named("/usr/bin/python3.11", "python3|-m|mpi4py|-m|tool|", "tool");
    named("/usr/bin/pypy3", "pypy3|sim.py|", "sim.py");
    named("/usr/bin/python3.11", "python3|-c|import sim|sim.py|", "python3.11");
    named("/usr/bin/python3.11", "python3|-|sim.py|", "python3.11");
    named("/usr/bin/python3.11", "python3|", "python3.11");
    named("/usr/bin/python3.11", "python3|-m|", "python3.11");
    named("/usr/bin/python3.11", "python3||", "python3.11");
    named("/usr/bin/python3.11", "python3|sim.p", "python3.11"); /* cut */
    named("/usr/bin/perl", "perl|sim.pl|", "perl");
}

static void too_long(void **state)
{
    char name[4];

    (void) state;
    atm_program_name("/bin/program", "", 0, sizeof(name), name);
    assert_string_equal(name, "pro");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs),
        cmocka_unit_test(scripts),
        cmocka_unit_test(too_long),
    };

    return cmocka_run_group_tests_name("program", tests, NULL, NULL);
}
