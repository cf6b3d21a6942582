/*
 * Mixtures: what is recovered of known ones, and what is called one state.
 *
 * How well weights can be known is a matter of the samples, not of the method: with n
 * samples and the state of each of them known, a weight w has a standard error of
 * sqrt((1 - w) / (w n)) of itself, 13 % for w = 0.2 and n = 240.  Five per cent are
 * therefore asked for with as many samples as all targets of a site have together, and of
 * what a single target has it is asked that the fit costs little more than not knowing the
 * states must.
 */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "common/cholesky.h"
#include "common/rng.h"
#include "state/mixture.h"

enum { MIXTURES = 500, SITE = 20000, TARGET = 240, ONE = 500 };

/* Three degrees of freedom: long tails */
static double student(uint64_t *random)
{
    double top = rng_normal(random), squares = 0;

    for (int i = 0; i < 3; i++)
        squares += pow(rng_normal(random), 2);
    return top / sqrt(squares / 3);
}

/* Every fourth has the paper's modes of Titan, 1.85 and 2.7 s.  D above 2. */
static void draw_mixture(uint64_t *random, int number, mixture_state *idle, mixture_state *busy)
{
    do {
        double distance = number % 4 == 0 ? 2.7 / 1.85 : 1.2 + 1.3 * rng_unit(random);

        busy->weight = 0.1 + 0.8 * rng_unit(random);
        idle->weight = 1 - busy->weight;
        idle->mean = number % 4 == 0 ? log(1.85) : log(0.5 + 4.5 * rng_unit(random));
        busy->mean = idle->mean + log(distance);
        idle->deviation = 0.03 + 0.27 * rng_unit(random);
        busy->deviation = 0.03 + 0.27 * rng_unit(random);
    } while (sqrt(2) * (busy->mean - idle->mean) <= 2 * hypot(idle->deviation, busy->deviation));
}

static void draw_samples(uint64_t *random, const mixture_state *idle, const mixture_state *busy,
                         int count, double *logs)
{
    for (int i = 0; i < count; i++) {
        const mixture_state *state = rng_unit(random) < busy->weight ? busy : idle;

        logs[i] = state->mean + state->deviation * rng_normal(random);
    }
}

static double off(double value, double truth)
{
    return fabs(value / truth - 1);
}

/* Standard error of the weight of the busy state: Fisher's information, as the mean of
 * products of derivatives of the log-likelihood by weight, means and deviations. */
static double weight_error(const mixture_state *idle, const mixture_state *busy, const double *logs,
                           int count)
{
    const mixture_state *states[2] = {idle, busy};
    double information[5][5] = {{0}}, b[5] = {1};

    for (int i = 0; i < count; i++) {
        double density[2], u[2], by[5];

        for (int k = 0; k < 2; k++) {
            u[k] = (logs[i] - states[k]->mean) / states[k]->deviation;
            density[k] = exp(-u[k] * u[k] / 2) / states[k]->deviation;
        }
        by[0] = density[1] - density[0];
        for (int k = 0; k < 2; k++) {
            double each = states[k]->weight * density[k] / states[k]->deviation;

            by[1 + k] = each * u[k];
            by[3 + k] = each * (u[k] * u[k] - 1);
        }
        for (int j = 0; j < 5; j++)
            for (int k = 0; k <= j; k++)
                information[j][k] +=
                    by[j] * by[k] / pow(idle->weight * density[0] + busy->weight * density[1], 2);
    }
    assert_true(cholesky_solve(&information[0][0], 5, b));
    return sqrt(b[0]);
}

static void recovered(void **state)
{
    double *logs = malloc(SITE * sizeof(double)), worst_mean = 0, worst_weight = 0, worst_error = 0;
    int within = 0, two = 0, clear = 0, clear_within = 0;
    uint64_t random = 7;

    (void) state;
    assert_non_null(logs);
    for (int i = 0; i < MIXTURES; i++) {
        mixture_state idle, busy;
        double mean, weight, error;
        mixture m;

        draw_mixture(&random, i, &idle, &busy);
        draw_samples(&random, &idle, &busy, SITE, logs);
        assert_int_equal(mixture_fit(logs, SITE, 1, &m), ATM_OK);
        mean = fmax(off(exp(m.idle.mean), exp(idle.mean)), off(exp(m.busy.mean), exp(busy.mean)));
        weight = fmax(off(m.idle.weight, idle.weight), off(m.busy.weight, busy.weight));
        error = fabs(m.busy.weight - busy.weight) / weight_error(&idle, &busy, logs, SITE);
        within += mean <= 0.05 && weight <= 0.05;
        if (sqrt(2) * (busy.mean - idle.mean) > 2.5 * hypot(idle.deviation, busy.deviation)) {
            clear++;
            clear_within += mean <= 0.05 && weight <= 0.05;
        }
        worst_error = fmax(worst_error, error);
        two += m.states == 2;
        worst_mean = fmax(worst_mean, mean);
        worst_weight = fmax(worst_weight, weight);
    }
    print_message("# %d samples: %d of %d mixtures within 5 %%, worst mean %.2f %%, worst weight "
                  "%.2f %% and %.1f standard errors; %d called two states\n",
                  SITE, within, MIXTURES, 100 * worst_mean, 100 * worst_weight, worst_error, two);
    print_message("# of these %d with D above 2.5, %d within 5 %%\n", clear, clear_within);
    assert_true(worst_mean <= 0.1);
    assert_true(worst_error < 4.5); /* all the rest is what these samples cannot tell */
    assert_true(within >= MIXTURES * 92 / 100);
    assert_true(clear_within >= clear * 96 / 100);
    assert_true(two >= MIXTURES * 98 / 100);
    free(logs);
}

/* What a target has: never an error of the means that would mislead, where D is clear. */
static void single_target(void **state)
{
    double logs[TARGET], *means = malloc(MIXTURES * sizeof(double)), sum = 0;
    int two = 0, near = 0;
    uint64_t random = 11;

    (void) state;
    for (int i = 0; i < MIXTURES; i++) {
        mixture_state idle, busy;
        mixture m;

        draw_mixture(&random, i, &idle, &busy);
        draw_samples(&random, &idle, &busy, TARGET, logs);
        assert_int_equal(mixture_fit(logs, TARGET, 1, &m), ATM_OK);
        two += m.states == 2;
        if (m.states < 2)
            continue;
        means[near] =
            fmax(off(exp(m.idle.mean), exp(idle.mean)), off(exp(m.busy.mean), exp(busy.mean)));
        sum += means[near] <= 0.05;
        near++;
    }
    print_message("# %d samples: %d of %d called two states, of these %.0f with both means within "
                  "5 %%\n",
                  TARGET, two, MIXTURES, sum);
    assert_true(two >= MIXTURES * 80 / 100);
    assert_true(sum >= 0.85 * near);
    free(means);
}

static void one_state(void **state)
{
    static const int sizes[] = {60, TARGET, 1000};
    double *logs = malloc(1000 * sizeof(double));
    uint64_t random = 5;

    (void) state;
    assert_non_null(logs);
    for (int k = 0; k < 3; k++) {
        int one = 0, tails = 0;

        for (int i = 0; i < ONE; i++) {
            double deviation = 0.02 + 0.6 * rng_unit(&random);
            mixture m;

            for (int j = 0; j < sizes[k]; j++)
                logs[j] = 1 + deviation * rng_normal(&random);
            assert_int_equal(mixture_fit(logs, (size_t) sizes[k], 1, &m), ATM_OK);
            one += m.states == 1;
            for (int j = 0; j < sizes[k]; j++)
                logs[j] = deviation * student(&random);
            assert_int_equal(mixture_fit(logs, (size_t) sizes[k], 1, &m), ATM_OK);
            tails += m.states == 1;
        }
        print_message("# %d samples: one state in %d of %d, with long tails in %d\n", sizes[k], one,
                      ONE, tails);
        assert_true(one >= ONE * 95 / 100);
        assert_true(tails >= ONE * 95 / 100);
    }
    free(logs);
}

static void same_again(void **state)
{
    mixture_state idle = {0.7, log(1.85), 0.1}, busy = {0.3, log(2.7), 0.15};
    double logs[TARGET];
    uint64_t random = 3;
    mixture first, second;

    (void) state;
    draw_samples(&random, &idle, &busy, TARGET, logs);
    assert_int_equal(mixture_fit(logs, TARGET, 42, &first), ATM_OK);
    assert_int_equal(mixture_fit(logs, TARGET, 42, &second), ATM_OK);
    assert_memory_equal(&first, &second, sizeof(first));
    assert_int_equal(first.states, 2);
    assert_true(fabs(mixture_likelihood(&first.idle, &first.busy, logs, TARGET) -
                     first.likelihood[1]) < 1e-6 * TARGET);
    assert_true(first.likelihood[1] > first.likelihood[0]);
    assert_true(mixture_busy(&first, log(1.5)) < 0.1);
    assert_true(mixture_busy(&first, log(3.2)) > 0.9);
    assert_true(mixture_busy(&first, log(1e-3)) < 0.1); /* faster than idle is idle */
    assert_true(fabs(mixture_seconds(&idle) - 1.85 * exp(0.005)) < 1e-12);
}

static void odd_samples(void **state)
{
    double logs[100];
    mixture m;

    (void) state;
    for (int i = 0; i < 100; i++)
        logs[i] = 2;
    assert_int_equal(mixture_fit(logs, 100, 1, &m), ATM_OK); /* all the same */
    assert_int_equal(m.states, 1);
    assert_true(m.one.mean == 2);
    for (int i = 0; i < 100; i++)
        logs[i] = i % 3 == 0;
    assert_int_equal(mixture_fit(logs, 100, 1, &m), ATM_OK); /* two values only */
    assert_int_equal(m.states, 2);
    assert_true(fabs(m.busy.weight - 0.34) < 1e-6);
    assert_int_equal(mixture_fit(logs, 3, 1, &m), ATM_OK); /* few */
    assert_int_equal(m.states, 1);
    logs[0] = 40; /* one outlier is no state */
    for (int i = 1; i < 100; i++)
        logs[i] = 0.01 * (i % 10);
    assert_int_equal(mixture_fit(logs, 100, 1, &m), ATM_OK);
    assert_int_equal(m.states, 1);
    assert_int_equal(mixture_fit(logs, 0, 1, &m), ATM_BAD_ARGUMENT);
    logs[5] = NAN;
    assert_int_equal(mixture_fit(logs, 100, 1, &m), ATM_BAD_ARGUMENT);
}

/* Prints the fit to a file of numbers, for test/unit/state/mixture.py to compare. */
static int print_fit(const char *path)
{
    double *logs = malloc(1000000 * sizeof(double));
    FILE *from = fopen(path, "r");
    int count = 0;
    mixture m;

    while (logs != NULL && from != NULL && count < 1000000 &&
           fscanf(from, "%lf", &logs[count]) == 1)
        count++;
    if (count == 0 || mixture_fit(logs, (size_t) count, 1, &m) != ATM_OK)
        return 1;
    printf("%d %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", m.states, m.likelihood[0],
           m.likelihood[1], m.idle.weight, m.idle.mean, m.idle.deviation, m.busy.weight,
           m.busy.mean, m.busy.deviation);
    fclose(from);
    free(logs);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recovered),  cmocka_unit_test(single_target), cmocka_unit_test(one_state),
        cmocka_unit_test(same_again), cmocka_unit_test(odd_samples),
    };

    if (argc > 1)
        return print_fit(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
