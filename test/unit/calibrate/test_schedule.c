/* Which point is next, on machines that are faster and slower than guessed. */

#include "help.h"

#include <math.h>

static schedule schedule_of(const plan *plan, double budget, int visits)
{
    schedule_options options = {.visits = visits,
                                .parts = visits,
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

static void tell(const schedule *schedule, int operation, int *points_p, uint64_t *largest_p)
{
    const plan *plan = schedule->plan;

    *points_p = 0;
    *largest_p = 0;
    for (int i = plan->first[operation]; i < plan->first[operation + 1]; i++)
        if (schedule->done[i] > 0) {
            ++*points_p;
            if (plan->points[i].bytes > *largest_p)
                *largest_p = plan->points[i].bytes;
        }
}

/* A larger budget refines, of every operation, and reaches as far. */
static void test_larger(void **state)
{
    plan_job job = job_of(1);
    plan plan = plan_of(&job);
    schedule small = schedule_of(&plan, 60, 2), large = schedule_of(&plan, 600, 2);

    (void) state;
    run_until(&small, 1, INT32_MAX);
    run_until(&large, 1, INT32_MAX);
    for (int i = 0; i < ATM_OPERATION_COUNT; i++) {
        int few, many;
        uint64_t near, far;

        tell(&small, i, &few, &near);
        tell(&large, i, &many, &far);
        assert_true(many >= few && far >= near);
    }
    assert_true(large.points_on[ATM_EXCHANGE] > 2 * small.points_on[ATM_EXCHANGE]);
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

/* A Lustre of so many servers, each so fast, as a first look sees it. */
typedef struct machine {
    double rate;
    int servers;
} machine;

static double once_on(const machine *machine, const plan_point *p)
{
    int lanes = p->stripes < p->receivers ? p->stripes : p->receivers;

    return plan_is_storage(p->operation) ? 2e-3 + plan_volume(p) / (machine->rate * lanes) : 1e-4;
}

static bool has_stripes(const schedule *schedule, int operation, int stripes)
{
    const plan *plan = schedule->plan;

    for (int i = plan->first[operation]; i < plan->first[operation + 1]; i++)
        if (schedule->done[i] > 0 && plan->points[i].stripes == stripes)
            return true;
    return false;
}

/* What a first look by 8 ranks would see. */
static plan_look look_at(const machine *machine)
{
    double all = machine->rate * (machine->servers < 8 ? machine->servers : 8);

    return (plan_look){2e-3, machine->rate, all, all, false};
}

static int parts_of(const plan *plan, const machine *machine, double budget)
{
    schedule_options options = {
        .budget = budget, .limit = schedule_limit(budget, 2), .look = look_at(machine)};

    return schedule_parts(plan, &options);
}

/* Within the budget, no visit longer than a twentieth of it, all operations served before any
 * is refined, and files of one stripe and of all among the first. */
static void check_machine(const machine *machine, double budget)
{
    plan_job job = job_of(1);
    plan plan;
    schedule schedule;
    double spent_on_storage = 0;
    int index, visits;

    job.driver = ATM_LUSTRE;
    job.block = HELP_MIB;
    job.servers = machine->servers;
    job.only = ALL & ~(1u << ATM_WRITE_DRAINED);
    plan = plan_of(&job);
    visits = parts_of(&plan, machine, budget);
    schedule = schedule_of(&plan, budget, visits);
    schedule.options.look = look_at(machine);
    while ((index = schedule_next(&schedule)) >= 0) {
        const plan_point *p = &plan.points[index];
        double once = once_on(machine, p);
        double seconds = 3e-3 + fmax(4 * once, fmin(50 * once, schedule.options.limit));

        if (once > schedule.options.limit)
            seconds = 3e-3 + 2 * once;
        if (plan_is_storage(p->operation) && schedule.done[index] == 0) {
            for (int i = 0; i < ATM_OPERATION_COUNT; i++)
                if (schedule.points_on[p->operation] == 4 && i != ATM_WRITE_DRAINED)
                    assert_true(!plan_is_storage((atm_operation) i) || schedule.points_on[i] > 0);
            spent_on_storage += seconds;
        }
        assert_true(seconds <= budget / 20 * 1.2);
        schedule_note(&schedule, index, seconds, once);
    }
    assert_true(schedule.spent <= budget * 1.05);
    assert_true(spent_on_storage >= budget / visits * 0.3);
    assert_true(has_stripes(&schedule, ATM_WRITE_FULL, 1));
    assert_true(
        has_stripes(&schedule, ATM_WRITE_FULL, machine->servers < 8 ? machine->servers : 8));
    assert_true(has_stripes(&schedule, ATM_READ_FULL, machine->servers));
    schedule_clear(&schedule);
    plan_clear(&plan);
}

static void test_machines(void **state)
{
    static const double rates[] = {1e6, 1e7, 1e8, 1e10}, budgets[] = {60, 120, 300};

    (void) state;
    for (int r = 0; r < 4; r++)
        for (int b = 0; b < 3; b++) {
            check_machine(&(machine){rates[r], 1}, budgets[b]);
            check_machine(&(machine){rates[r], 8}, budgets[b]);
            check_machine(&(machine){rates[r], 1000}, budgets[b]);
        }
}

/* Where time is short, points are visited once. */
static void test_parts(void **state)
{
    plan_job job = job_of(1);
    plan plan = plan_of(&job);

    (void) state;
    assert_int_equal(parts_of(&plan, &(machine){1e6, 1}, 60), 1);
    assert_int_equal(parts_of(&plan, &(machine){1e9, 8}, 300), 2);
    plan_clear(&plan);
}

/* What no visit reached is said. */
static void test_missed(void **state)
{
    plan_job job = job_of(1);
    plan plan;
    schedule schedule;
    char text[512];
    int index;

    (void) state;
    job.only = 1u << ATM_WRITE_FULL | 1u << ATM_READ_FULL;
    plan = plan_of(&job);
    schedule = schedule_of(&plan, 0, 1);
    schedule_describe_missed(&schedule, text, sizeof(text));
    assert_string_equal(text, "writes of any size; reads of any size");
    while ((index = schedule_next(&schedule)) >= 0)
        if (plan.points[index].operation == ATM_READ_FULL &&
            (plan.points[index].bytes > HELP_MIB || plan.points[index].receivers > 4))
            schedule_skip(&schedule, index);
        else
            schedule_note(&schedule, index, 0.1, 0.01);
    schedule_describe_missed(&schedule, text, sizeof(text));
    assert_string_equal(text, "reads of more than 1 MiB or by more than 4 ranks");
    schedule_clear(&schedule);
    plan_clear(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_points), cmocka_unit_test(test_budgets),
        cmocka_unit_test(test_slow),       cmocka_unit_test(test_skipped),
        cmocka_unit_test(test_larger),     cmocka_unit_test(test_resumed),
        cmocka_unit_test(test_shuffled),   cmocka_unit_test(test_stripes),
        cmocka_unit_test(test_machines),   cmocka_unit_test(test_parts),
        cmocka_unit_test(test_missed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
