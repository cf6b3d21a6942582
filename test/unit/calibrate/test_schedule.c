/* Which point is next, on machines that are faster and slower than guessed. */

#include "help.h"

static schedule schedule_of(const plan *plan, double budget, int visits)
{
    schedule_options options = {.visits = visits,
                                .budget = budget,
                                .limit = schedule_limit(budget, visits),
                                .spare = 0.02 * budget,
                                .seed = 3};
    schedule made;

    assert_int_equal(schedule_make(plan, &options, &made), ATM_OK);
    return made;
}

/* What a visit takes on a machine `factor` times slower than guessed, as the
 * sampler stops it. */
static double simulate(const schedule *schedule, int index, double factor, double *once_p)
{
    const plan_point *point = &schedule->plan->points[index];
    double rate = plan_is_storage(point->operation) ? 4e8 : 1e9;
    double once = factor * (50e-6 + plan_volume(point) / rate), all = 50 * once;

    *once_p = once;
    if (once > schedule->options.limit)
        return 1e-3 + 2 * once;
    if (all > schedule->options.limit)
        all = schedule->options.limit;
    return 1e-3 + (all > 4 * once ? all : 4 * once);
}

static double run_until(schedule *schedule, double factor, int stop)
{
    int index;

    for (int i = 0; i < stop && (index = schedule_next(schedule)) >= 0; i++) {
        double once, seconds = simulate(schedule, index, factor, &once);

        schedule_note(schedule, index, seconds, once);
    }
    return schedule->spent;
}

static int visited(const schedule *schedule, int operation, int visits)
{
    int count = 0;

    for (int i = schedule->plan->first[operation]; i < schedule->plan->first[operation + 1]; i++)
        count += schedule->done[i] >= visits;
    return count;
}

static void test_all_points(void **state)
{
    plan_job job = job_of(1);
    plan plan = plan_of(&job);
    schedule schedule = schedule_of(&plan, 0, 2);

    (void) state;
    run_until(&schedule, 1, INT32_MAX);
    for (int i = 0; i < plan.count; i++)
        assert_int_equal(schedule.done[i], 2);
    assert_true(schedule_remaining(&schedule) == 0);
    schedule_clear(&schedule);
    plan_clear(&plan);
}

/* Within the budget, most of it used, every operation with its share, and all
 * but a few points visited twice. */
static void check_budget(double budget, double factor)
{
    plan_job job = job_of(1);
    plan plan = plan_of(&job);
    schedule schedule = schedule_of(&plan, budget, 2);
    double spent = run_until(&schedule, factor, INT32_MAX);
    int once = 0, twice = 0;

    assert_true(spent <= budget * 1.1);
    assert_true(spent >= budget * 0.6);
    for (int operation = 0; operation < ATM_OPERATION_COUNT; operation++) {
        assert_true(visited(&schedule, operation, 1) >= 5);
        once += visited(&schedule, operation, 1);
        twice += visited(&schedule, operation, 2);
    }
    assert_true(twice >= once * 0.95);
    schedule_clear(&schedule);
    plan_clear(&plan);
}

static void test_budgets(void **state)
{
    static const double budgets[] = {20, 60, 300, 600}, factors[] = {0.2, 1, 3};

    (void) state;
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 3; k++)
            check_budget(budgets[i], factors[k]);
}

/* What cannot be measured is asked for once, and rounds into full caches come last. */
static void test_skipped(void **state)
{
    plan_job job = job_of(1);
    plan plan = plan_of(&job);
    schedule schedule = schedule_of(&plan, 60, 2);
    int asked = 0, others = 0, index;

    (void) state;
    while ((index = schedule_next(&schedule)) >= 0) {
        double once, seconds = simulate(&schedule, index, 1, &once);

        if (plan.points[index].operation == ATM_WRITE_DRAINED) {
            schedule_skip(&schedule, index);
            asked++;
        } else {
            schedule_note(&schedule, index, seconds, once);
            others += asked > 0 && schedule.done[index] == 1;
        }
    }
    assert_true(asked > 5);
    assert_true(asked <= plan.first[ATM_WRITE_DRAINED + 1] - plan.first[ATM_WRITE_DRAINED]);
    assert_int_equal(visited(&schedule, ATM_WRITE_DRAINED, 1), 0);
    assert_int_equal(others, 0);
    schedule_clear(&schedule);
    plan_clear(&plan);
}

/* Where storage is very slow, a few minutes still tell what some MiB take. */
static void test_slow(void **state)
{
    plan_job job = job_of(1);
    plan plan = plan_of(&job);
    schedule schedule = schedule_of(&plan, 300, 1);
    uint64_t largest = 0;

    (void) state;
    run_until(&schedule, 10, INT32_MAX);
    for (int i = plan.first[ATM_WRITE_FULL]; i < plan.first[ATM_WRITE_FULL + 1]; i++)
        if (schedule.done[i] > 0 && plan.points[i].receivers == plan.points[i].ranks &&
            plan.points[i].bytes > largest)
            largest = plan.points[i].bytes;
    assert_true(visited(&schedule, ATM_WRITE_FULL, 1) >= 10);
    assert_true(largest >= 2 << 20);
    schedule_clear(&schedule);
    plan_clear(&plan);
}

/* Where a file has few stripes, its servers are few, and what many of them wrote is no measure. */
static void test_stripes(void **state)
{
    plan_job job = job_of(1);
    plan plan;
    schedule schedule;
    int index, early = 0;

    (void) state;
    job.driver = ATM_LUSTRE;
    job.block = HELP_MIB;
    job.servers = 12;
    plan = plan_of(&job);
    schedule = schedule_of(&plan, 300, 1);
    while ((index = schedule_next(&schedule)) >= 0) {
        const plan_point *p = &plan.points[index];
        int servers = p->stripes < p->receivers ? p->stripes : p->receivers;
        bool storage = plan_is_storage(p->operation);
        double once = storage ? 5e-3 + plan_volume(p) / (20e6 * servers) : 1e-4;

        early += once > 5 && schedule.spent < 200;
        schedule_note(&schedule, index, 2 * once + (storage ? 0.1 : 0.05), once);
    }
    assert_true(early <= 1); /* the first of all: nothing is known of it */
    assert_int_equal(visited(&schedule, ATM_EXCHANGE, 1), 500);
    assert_true(visited(&schedule, ATM_WRITE_FULL, 1) >= 30);
    schedule_clear(&schedule);
    plan_clear(&plan);
}

/* A larger budget refines, it does not choose other points. */
static void test_nested(void **state)
{
    plan_job job = job_of(1);
    plan plan = plan_of(&job);
    schedule small = schedule_of(&plan, 60, 2), large = schedule_of(&plan, 600, 2);
    int lost = 0, kept = 0;

    (void) state;
    run_until(&small, 1, INT32_MAX);
    run_until(&large, 1, INT32_MAX);
    for (int i = 0; i < plan.count; i++)
        if (small.done[i] > 0) {
            lost += large.done[i] == 0;
            kept += large.done[i] > 0;
        }
    assert_true(kept > 10 * lost);
    schedule_clear(&small);
    schedule_clear(&large);
    plan_clear(&plan);
}

/* Ended anywhere, the same visits noted again lead to the same next point. */
static void test_resumed(void **state)
{
    static const int stops[] = {0, 1, 7, 300, 700, 1000};
    plan_job job = job_of(1);
    plan plan = plan_of(&job);

    (void) state;
    for (size_t s = 0; s < sizeof(stops) / sizeof(stops[0]); s++) {
        schedule whole = schedule_of(&plan, 120, 3), resumed = schedule_of(&plan, 120, 3);

        for (int i = 0; i < stops[s]; i++) {
            int index = schedule_next(&whole);
            double once, seconds;

            if (index < 0)
                break;
            seconds = simulate(&whole, index, 1, &once);
            schedule_note(&whole, index, seconds, once);
            schedule_note(&resumed, index, seconds, once);
        }
        for (int i = 0; i < 50; i++) {
            int index = schedule_next(&whole);
            double once, seconds;

            assert_int_equal(schedule_next(&resumed), index);
            if (index < 0)
                break;
            seconds = simulate(&whole, index, 1, &once);
            schedule_note(&whole, index, seconds, once);
            schedule_note(&resumed, index, seconds, once);
        }
        schedule_clear(&whole);
        schedule_clear(&resumed);
    }
    plan_clear(&plan);
}

/* The second pass is shuffled: operations come mixed, in another order. */
static void test_shuffled(void **state)
{
    plan_job job = job_of(1);
    plan plan = plan_of(&job);
    schedule schedule = schedule_of(&plan, 0, 2);
    int changes = 0, last = -1;

    (void) state;
    run_until(&schedule, 1, plan.count);
    assert_true(schedule_remaining(&schedule) > 0);
    for (int i = 0; i < 200; i++) {
        int index = schedule_next(&schedule);

        assert_int_equal(schedule.done[index], 1);
        changes += last >= 0 && plan.points[index].operation != plan.points[last].operation;
        last = index;
        schedule_note(&schedule, index, 0.01, 0.001);
    }
    assert_true(changes > 100);
    schedule_clear(&schedule);
    plan_clear(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_points), cmocka_unit_test(test_budgets),
        cmocka_unit_test(test_slow),       cmocka_unit_test(test_skipped),
        cmocka_unit_test(test_nested),     cmocka_unit_test(test_resumed),
        cmocka_unit_test(test_shuffled),   cmocka_unit_test(test_stripes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
