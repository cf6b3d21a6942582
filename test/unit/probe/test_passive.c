/* What a Lustre client counts, as lctl and files tell it. */

#include <math.h>

#include "help.h"
#include "probe/passive.h"

static const int indices[] = {0, 3, 0x2a};

static void parse(const char *text, passive_row rows_p[3])
{
    passive_look look = {3, indices, rows_p};

    memset(rows_p, 0, 3 * sizeof(*rows_p));
    for (int i = 0; i < 3; i++)
        rows_p[i].state.full = -1;
    passive_parse(text, "scratch", &look);
}

static const char stats[] =
    "osc.scratch-OST0000-osc-ffff8881.stats=\n"
    "snapshot_time             1700000000.123456789 secs.nsecs\n"
    "req_waittime              1200 samples [usecs] 50 30000 6000000 123456789\n"
    "req_active                1200 samples [reqs] 1 8 1500 2100\n"
    "ost_write                 100 samples [usecs] 900 9000 200000 1\n"
    "osc.scratch-OST002a-osc-ffff8881.stats=\n"
    "req_waittime              10 samples [usec] 50 100 700 1\n"
    "osc.home-OST0003-osc-ffff8881.stats=\n"
    "req_waittime              99 samples [usecs] 50 100 9900 1\n"
    "osc.scratch-OST0003-osc-MDT0000.stats=\n"
    "req_waittime              77 samples [usecs] 50 100 7700 1\n"
    "osc.scratch-OST0000-osc-ffff9992.stats=\n"
    "req_waittime              100 samples [usecs] 50 100 1000000 1\n";

static void test_stats(void **state)
{
    passive_row rows[3];

    (void) state;
    parse(stats, rows);
    assert_true(rows[0].samples == 1300 && fabs(rows[0].seconds - 7) < 1e-9); /* two mounts */
    assert_true(rows[1].samples == 0);                                        /* a server's own */
    assert_true(rows[2].samples == 10 && fabs(rows[2].seconds - 700e-6) < 1e-12);
    assert_false(rows[0].known);
}

static void test_state(void **state)
{
    passive_row rows[3];

    (void) state;
    parse("osc.scratch-OST0000-osc-ff.active=1\n\n"
          "osc.scratch-OST0003-osc-ff.active=0\n"
          "osc.scratch-OST0000-osc-ff.kbytesavail=250\n"
          "osc.scratch-OST0000-osc-ff.kbytestotal=1000\n"
          "osc.scratch-OST002a-osc-ff.statfs_state=DN\n"
          "osc.scratch-OST0000-osc-ff.import=\n"
          "import:\n    name: scratch-OST0000-osc-ff\n    state: FULL\n",
          rows);
    assert_true(rows[0].known && !rows[0].state.inactive && rows[0].state.full == 0.75);
    assert_true(rows[1].known && rows[1].state.inactive && rows[1].state.full < 0);
    assert_true(rows[2].state.degraded && rows[2].state.no_create);
    parse("osc.scratch-OST0000-osc-ff.import=\nimport:\n    state: DISCONN\n", rows);
    assert_true(rows[0].state.inactive);
}

static void test_between(void **state)
{
    passive_row before = {.samples = 100, .seconds = 1}, after = {.samples = 150, .seconds = 1.25};
    double samples = 0, mean = 0;

    (void) state;
    assert_true(passive_between(&before, &after, &samples, &mean));
    assert_true(samples == 50 && fabs(mean - 0.005) < 1e-12);
    assert_false(passive_between(&after, &before, &samples, &mean)); /* reset */
    assert_false(passive_between(&after, &after, &samples, &mean));
    assert_true(samples == 50);
}

static void test_hostile(void **state)
{
    static const char *const texts[] = {"",
                                        "\n\n",
                                        "osc.",
                                        "osc.=",
                                        "osc.x",
                                        "osc.x.y",
                                        "osc.scratch",
                                        "osc.scratch-OST.stats=\nreq_waittime",
                                        "osc.scratch-OST0000-osc-",
                                        "osc.scratch-OST0000.stats=",
                                        "osc.scratch-OST0000-osc-ff.stats=\nreq_waittime a b\n",
                                        "req_waittime 3 samples [usecs] 1 1 1 1\n"};
    passive_row rows[3];
    char text[sizeof(stats)];

    (void) state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        parse(texts[i], rows);
        for (int j = 0; j < 3; j++)
            assert_true(rows[j].samples == 0 && !rows[j].known);
    }
    for (size_t length = 0; length < sizeof(stats); length++) { /* cut anywhere */
        snprintf(text, sizeof(text), "%.*s", (int) length, stats);
        parse(text, rows);
        assert_true(rows[0].samples <= 1300);
    }
}

static void test_file_system(void **state)
{
    char name[TARGET_NAME] = "?";

    (void) state;
    assert_true(passive_file_system("my-fs-OST0003", name));
    assert_string_equal(name, "my-fs");
    assert_false(passive_file_system("", name));
    assert_false(passive_file_system("-OST0003", name));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stats),       cmocka_unit_test(test_state),
        cmocka_unit_test(test_between),     cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_file_system),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
