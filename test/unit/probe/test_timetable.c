/* Probes are spread, jittered, within the budget; a clock that is set is noticed. */

#include <math.h>

#include "help.h"
#include "probe/jump.h"
#include "probe/share.h"
#include "probe/timetable.h"

static const timetable_plan defaults = {.period = 30,
                                        .probe_bytes = 1 << 20,
                                        .truth_every = 3600,
                                        .truths = {64 << 20, 256 << 20, 1 << 30},
                                        .truth_count = 3,
                                        .seed = 7};

static void test_load(void **state)
{
    timetable_plan plan = defaults;

    (void) state;
    assert_true(fabs(timetable_load(&plan) - (1048576 / 30.0 + 1344.0 * 1048576 / 3600)) < 1e-6);
    assert_true(timetable_stretch(&plan) == 1); /* no budget yet */
    plan.budget = timetable_load(&plan) * 2;
    assert_true(timetable_stretch(&plan) == 1);
    plan.budget = timetable_load(&plan) / 3;
    assert_true(fabs(timetable_stretch(&plan) - 3) < 1e-12);
}

static void test_spread(void **state)
{
    timetable table;

    (void) state;
    assert_true(timetable_make(&defaults, 288, 1000, &table));
    for (int i = 0; i < 288; i++) {
        double from = 1000 + 30.0 * i / 288;

        assert_true(table.rows[i].probe_at >= from && table.rows[i].probe_at < from + 30.0 / 288);
        assert_true(table.rows[i].truth_at >= 1000 && table.rows[i].truth_at < 4600);
    }
    assert_true(timetable_next(&table) < 1000 + 30.0 / 288);
    timetable_clear(&table);
}

/* A thousand periods: within the jitter each, no drift beyond it, bytes within the budget. */
static void test_budget_is_kept(void **state)
{
    timetable_plan plan = defaults;
    timetable table;
    double bytes = 0, now = 0;

    (void) state;
    plan.budget = timetable_load(&plan) / 2.5;
    assert_true(timetable_make(&plan, 1, 0, &table));
    while (now < 1e6) {
        timetable_row *row = &table.rows[0];
        double before;

        now = timetable_next(&table);
        if (row->probe_at <= now) {
            before = row->probe_at;
            bytes += (double) plan.probe_bytes;
            timetable_probed(&table, 0, now);
            assert_true(row->probe_at - before >= 0.9 * 75 && row->probe_at - before < 1.1 * 75);
        } else {
            bytes += (double) plan.truths[row->truth];
            timetable_told_truth(&table, 0, now);
        }
    }
    assert_true(bytes / now < 1.02 * plan.budget && bytes / now > 0.98 * plan.budget);
    timetable_clear(&table);
}

static void test_truths_follow_each_other(void **state)
{
    timetable table;

    (void) state;
    assert_true(timetable_make(&defaults, 1, 0, &table));
    table.rows[0].truth_at = 100;
    timetable_told_truth(&table, 0, 101);
    assert_int_equal(table.rows[0].truth, 1);
    assert_true(table.rows[0].truth_at == 101);
    timetable_told_truth(&table, 0, 103);
    timetable_told_truth(&table, 0, 110);
    assert_int_equal(table.rows[0].truth, 0);
    assert_true(table.rows[0].truth_at > 103 + 0.9 * 3600);
    timetable_clear(&table);
}

/* A machine that slept for a day does not probe a thousand times in a row. */
static void test_no_making_up(void **state)
{
    timetable table;

    (void) state;
    assert_true(timetable_make(&defaults, 1, 0, &table));
    timetable_probed(&table, 0, 86400);
    assert_true(table.rows[0].probe_at >= 86400);
    timetable_clear(&table);
}

static void test_budget_known_late(void **state)
{
    timetable table;
    double before;

    (void) state;
    assert_true(timetable_make(&defaults, 4, 0, &table));
    before = table.rows[3].probe_at;
    timetable_set_budget(&table, timetable_load(&defaults) / 10, 1);
    assert_true(fabs(table.stretch - 10) < 1e-9);
    assert_true(fabs(table.rows[3].probe_at - (1 + 10 * (before - 1))) < 1e-9);
    timetable_clear(&table);
}

static void test_two_probers_differ(void **state)
{
    timetable_plan other = defaults;
    timetable table, another;

    (void) state;
    other.seed++;
    assert_true(timetable_make(&defaults, 1, 0, &table));
    assert_true(timetable_make(&other, 1, 0, &another));
    assert_true(table.rows[0].probe_at != another.rows[0].probe_at);
    timetable_clear(&table);
    timetable_clear(&another);
}

static void test_clock(void **state)
{
    clock_watch watch = {false, 0};
    double by = 0;

    (void) state;
    assert_false(clock_jumped(&watch, 1e9, 50, &by)); /* the first look */
    assert_false(clock_jumped(&watch, 1e9 + 30, 80, &by));
    assert_false(clock_jumped(&watch, 1e9 + 60.5, 110, &by)); /* slewed */
    assert_true(clock_jumped(&watch, 1e9 + 90.5 + 3600, 140, &by));
    assert_true(fabs(by - 3600) < 1e-3);
    assert_false(clock_jumped(&watch, 1e9 + 120.5 + 3600, 170, &by));
    assert_true(clock_jumped(&watch, 1e9, 200, &by));
    assert_true(fabs(by + 3750.5) < 1e-3);
}

static void test_share(void **state)
{
    share share;
    int taken = 0;

    (void) state;
    assert_true(share_parse("2/8", &share));
    assert_int_equal(share.part, 2);
    for (int i = 0; i < 80; i++)
        taken += share_has(&share, i);
    assert_int_equal(taken, 10);
    assert_false(share_parse("8/8", &share));
    assert_false(share_parse("-1/8", &share));
    assert_false(share_parse("1/8x", &share));
    assert_false(share_parse("1", &share));
}

static void unset_all(void)
{
    static const char *const names[] = {
        "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS",        "PMI_RANK",
        "PMI_SIZE",     "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        unsetenv(names[i]);
}

static void test_share_of_launchers(void **state)
{
    share share;

    (void) state;
    unset_all();
    share = share_from_environment();
    assert_true(share.part == 0 && share.parts == 1);
    setenv("SLURM_PROCID", "0", 1); /* a batch script of four tasks is one process */
    setenv("SLURM_NTASKS", "4", 1);
    share = share_from_environment();
    assert_int_equal(share.parts, 1);
    setenv("SLURM_STEP_NUM_TASKS", "4", 1);
    setenv("SLURM_PROCID", "3", 1);
    share = share_from_environment();
    assert_true(share.part == 3 && share.parts == 4);
    unset_all();
    setenv("PMI_RANK", "1", 1);
    setenv("PMI_SIZE", "2", 1);
    share = share_from_environment();
    assert_true(share.part == 1 && share.parts == 2);
    setenv("PMI_RANK", "7", 1); /* nonsense is none */
    share = share_from_environment();
    assert_int_equal(share.parts, 1);
    unset_all();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load),
        cmocka_unit_test(test_spread),
        cmocka_unit_test(test_budget_is_kept),
        cmocka_unit_test(test_truths_follow_each_other),
        cmocka_unit_test(test_no_making_up),
        cmocka_unit_test(test_budget_known_late),
        cmocka_unit_test(test_two_probers_differ),
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_share),
        cmocka_unit_test(test_share_of_launchers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
