/* Shares of targets that may be busy: expected times against drawn ones, and their minimum. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "common/rng.h"
#include "state/shares.h"

static double time_of(const atm_targets *targets, uint64_t *random)
{
    const atm_pace *pace = &targets->paces[rng_unit(random) < targets->idle ? ATM_IDLE : ATM_BUSY];

    return exp(pace->mean + pace->deviation * rng_normal(random));
}

/* Average over draws, and its standard deviation */
static double drawn(const atm_targets *groups, const double *shares, int n, double *deviation_p)
{
    const int draws = 4000;
    double sum = 0, squares = 0;
    uint64_t random = 3;

    for (int k = 0; k < draws; k++) {
        double slowest = 0;

        for (int i = 0; i < n; i++)
            for (int j = 0; j < groups[i].count; j++)
                slowest = fmax(slowest, shares[i] * time_of(&groups[i], &random));
        sum += slowest / draws;
        squares += slowest * slowest / draws;
    }
    *deviation_p = sqrt((squares - sum * sum) / draws);
    return sum;
}

static atm_targets some_targets(uint64_t *random)
{
    atm_targets targets = {.count = 1 + rng_below(random, 40)};
    double idle = 0.5 + 2 * rng_unit(random);
    double slower = 1.1 + 3 * rng_unit(random);

    targets.idle = rng_unit(random);
    targets.paces[ATM_IDLE] = atm_pace_of(idle, 0.02 + 0.2 * rng_unit(random));
    targets.paces[ATM_BUSY] = atm_pace_of(idle * slower, 0.02 + 0.7 * rng_unit(random));
    return targets;
}

static void pace_and_back(void **state)
{
    atm_pace pace = atm_pace_of(1.85, 0.4);

    (void) state;
    assert_float_equal(atm_pace_seconds(&pace), 1.85, 1e-12);
    assert_float_equal(pace.mean, log(1.85) - 0.08, 1e-12);
}

static void as_drawn(void **state)
{
    uint64_t random = 11;

    (void) state;
    for (int i = 0; i < 12; i++) {
        atm_targets groups[3];
        double shares[3], deviation;

        for (int k = 0; k < 3; k++) {
            groups[k] = some_targets(&random);
            shares[k] = 0.2 + rng_unit(&random);
        }
        double expected = drawn(groups, shares, 3, &deviation);
        assert_true(fabs(atm_slowest(groups, shares, 3) - expected) < 5 * deviation);
    }
}

/* Without spread it is the largest number; one target takes its average. */
static void by_hand(void **state)
{
    const double one = 1, halves[] = {0.25, 0.5};
    atm_targets alone = {1, 0.7, {atm_pace_of(2, 0.3), atm_pace_of(5, 0.5)}};
    atm_targets sure[] = {{2, 1, {atm_pace_of(2, 0), atm_pace_of(9, 0)}},
                          {1, 0, {atm_pace_of(1, 0), atm_pace_of(3, 0)}}};

    (void) state;
    assert_float_equal(atm_slowest(&alone, &one, 1), 0.7 * 2 + 0.3 * 5, 1e-4);
    assert_float_equal(atm_targets_seconds(&alone), 0.7 * 2 + 0.3 * 5, 1e-12);
    assert_float_equal(atm_slowest(sure, halves, 2), 1.5, 2e-3);
}

/* alpha = n_idle T_busy / (n_idle T_busy + n_busy T_idle) */
static void equation_3(void **state)
{
    const atm_pace idle = atm_pace_of(1.85, 0.1), busy = atm_pace_of(2.7, 0.4);
    atm_targets groups[] = {{200, 0.9, {idle, busy}}, {88, 0.2, {idle, busy}}};
    double shares[2], alpha = 200 * 2.7 / (200 * 2.7 + 88 * 1.85);

    (void) state;
    atm_shares_by_label(groups, 2, shares);
    assert_float_equal(200 * shares[0], alpha, 1e-12);
    assert_float_equal(88 * shares[1], 1 - alpha, 1e-12);
}

static double total(const atm_targets *groups, const double *shares, int n)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += groups[i].count * shares[i];
    return sum;
}

/* No slower than others, and no other nearby is faster by more than the tolerance. */
static void best(void **state)
{
    uint64_t random = 17;

    (void) state;
    for (int i = 0; i < 30; i++) {
        int n = 1 + rng_below(&random, 5);
        atm_targets groups[5];
        double found[5], other[5], least;

        for (int k = 0; k < n; k++)
            groups[k] = some_targets(&random);
        atm_shares_best(groups, n, found);
        assert_float_equal(total(groups, found, n), 1, 1e-9);
        least = atm_slowest(groups, found, n) * (1 - 2 * ATM_SHARES_TOLERANCE);
        atm_shares_equal(groups, n, other);
        assert_true(atm_slowest(groups, other, n) >= least);
        atm_shares_by_label(groups, n, other);
        assert_true(atm_slowest(groups, other, n) >= least);
        for (int try = 0; try < 20; try++) {
            double sum;

            for (int k = 0; k < n; k++)
                other[k] = found[k] * exp(0.2 * rng_normal(&random));
            sum = total(groups, other, n);
            assert_true(atm_slowest(groups, other, n) / sum >= least);
        }
    }
}

/* Nothing is known: equal shares are best.  All is known: all end at the same time. */
static void limits(void **state)
{
    const atm_pace idle = atm_pace_of(1.85, 0.05), busy = atm_pace_of(5.5, 0.05);
    atm_targets alike[] = {{10, 0.6, {idle, busy}}, {30, 0.6, {idle, busy}}};
    atm_targets known[] = {{10, 1, {idle, busy}}, {30, 0, {idle, busy}}};
    double shares[2];

    (void) state;
    atm_shares_best(alike, 2, shares);
    assert_float_equal(shares[0] / shares[1], 1, 1e-3);
    atm_shares_best(known, 2, shares);
    assert_float_equal(shares[0] / shares[1], 5.5 / 1.85, 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pace_and_back), cmocka_unit_test(as_drawn), cmocka_unit_test(by_hand),
        cmocka_unit_test(equation_3),    cmocka_unit_test(best),     cmocka_unit_test(limits)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
