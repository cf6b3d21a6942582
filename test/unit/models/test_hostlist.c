/* Host lists as Slurm writes them. */

#include "where_help.h"

static void good_lists(void **state)
{
    static const struct {
        const char *list, *names;
    } good[] = {
        {"n1", "n1 "},
        {"n1,n2.site,x", "n1 n2.site x "},
        {"n[1-3]", "n1 n2 n3 "},
        {"n[1-2,7]", "n1 n2 n7 "},
        {"n[08-11]", "n08 n09 n10 n11 "},
        {"n[8-11]", "n8 n9 n10 n11 "},
        {"n[008-10]", "n008 n009 n010 "},
        {"n[0-0]", "n0 "},
        {"r[0-1]n[1-2]x", "r0n1x r0n2x r1n1x r1n2x "},
        {"[1-2],a[3]b,c", "1 2 a3b c "},
        {"n[1-2][0-1]", "n10 n11 n20 n21 "},
        {"n[7,5]", "n7 n5 "},
    };

    (void) state;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        char names[256], *end;
        atm_hostlist_size size = {0};
        size_t hosts = 0, length = strlen(good[i].list);

        assert_null(atm_hostlist_measure(good[i].list, length, &size));
        assert_true(size.bytes <= sizeof(names));
        end = atm_hostlist_write(good[i].list, length, names);
        assert_true((size_t) (end - names) <= size.bytes);
        for (char *at = names; at < end; at++)
            if (*at == '\0') {
                *at = ' ';
                hosts++;
            }
        *end = '\0';
        assert_string_equal(names, good[i].names);
        assert_int_equal(hosts, size.hosts);
    }
}

static void bad_lists(void **state)
{
    static const struct {
        const char *list, *problem;
    } bad[] = {
        {"", "a name is empty"},
        {"n1,", "a name is empty"},
        {",n1", "a name is empty"},
        {"n1 n2", "a space or a control character in a name"},
        {"n[", "[ without ]"},
        {"n[1-2", "[ without ]"},
        {"n1]", "] without ["},
        {"n[]", "empty brackets"},
        {"n[1[2]]", "a range is not a number or two"},
        {"n[a-b]", "a range is not a number or two"},
        {"n[1-]", "a range is not a number or two"},
        {"n[-1]", "a range is not a number or two"},
        {"n[1-2-3]", "a range is not a number or two"},
        {"n[1,]", "a range is missing after a comma"},
        {"n[4-1]", "a range ends before it starts"},
        {"n[0-999999999]", "too many hosts"},
        {"n[0-999999999999999999]", "too many hosts"},
        {"n[0-1048575],m", "too many hosts"},
        {"n[0-9999]m[0-9999]", "too many hosts"},
        {"n[0-99999999999999999999]", "a number is too long"},
        {"[1][1][1][1][1][1][1][1][1]", "too many brackets"},
    };
    char name[ATM_HOST_MAX + 2];
    atm_hostlist_size size = {0};

    (void) state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        const char *problem = atm_hostlist_measure(bad[i].list, strlen(bad[i].list), &size);

        assert_non_null(problem);
        assert_string_equal(problem, bad[i].problem);
    }
    memset(name, 'x', sizeof(name));
    assert_null(atm_hostlist_measure(name, ATM_HOST_MAX, &size));
    assert_string_equal(atm_hostlist_measure(name, ATM_HOST_MAX + 1, &size), "a name is too long");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_lists),
        cmocka_unit_test(bad_lists),
    };

    return cmocka_run_group_tests_name("hostlist", tests, start, end);
}
