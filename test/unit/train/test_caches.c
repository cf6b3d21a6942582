/* Caches: where bursts become slow, and the law of their capacities. */

#include <gsl/gsl_errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cost/surrogate.h"
#include "common/burst.h"
#include "common/rng.h"
#include "train/fit_cache.h"

enum { ROUNDS = 60 };

/* Rounds into a cache, each with noise; the first with locks. */
static void make_burst(double capacity, double bytes, double absorbed, double full, double noise,
                       double *seconds)
{
    double level = 0, drain = bytes / full;
    uint64_t random = 3;

    for (int i = 0; i < ROUNDS; i++) {
        double time = absorbed * (1 + noise * (rng_unit(&random) - 0.5));

        level += bytes - drain * time;
        if (level > capacity) {
            time += (level - capacity) / drain * (1 + noise * (rng_unit(&random) - 0.5));
            level = capacity;
        }
        seconds[i] = time + (i == 0 ? 5 * absorbed : 0);
        level = fmax(0, level - (i == 0 ? 5 * absorbed * drain : 0));
    }
}

static void check_burst(double capacity, double noise, double tolerance)
{
    double seconds[ROUNDS];
    burst found;

    make_burst(capacity, 100, 1, 4, noise, seconds);
    assert_true(burst_split(seconds, ROUNDS, 100, &found));
    assert_float_equal(found.full / 4, 1, tolerance);
    assert_float_equal(found.capacity / capacity, 1, tolerance);
}

static void bursts(void **state)
{
    (void) state;
    check_burst(1500, 0, 0.06);
    check_burst(3000, 0, 0.06);
    check_burst(1500, 0.3, 0.1);
    check_burst(3000, 0.3, 0.1);
}

/* Rounds that become slow over a part of the capacity, as the model has it. */
static void check_knee(double knee)
{
    const atm_cached_rounds one = {.count = 1, .bytes = 100, .absorbed = 1, .drain = 100 / 20.0};
    double seconds[ROUNDS], level = 0;
    burst found;

    for (int i = 0; i < ROUNDS; i++)
        seconds[i] = atm_write_cache_follow(2000, 2000 * knee, &one, &level);
    assert_true(burst_split(seconds, ROUNDS, 100, &found));
    burst_fit(seconds, ROUNDS, 100, &found);
    assert_float_equal(found.full / 20, 1, 0.05);
    assert_float_equal(found.capacity / 2000, 1, 0.06);
    assert_float_equal(found.knee, knee, 0.1);
}

static void knees(void **state)
{
    (void) state;
    check_knee(0);
    check_knee(0.2);
    check_knee(0.5);
}

/* No cache is seen where nothing gets slower, or where it is too early to say. */
static void no_burst(void **state)
{
    double seconds[ROUNDS];
    burst found = {.absorbed = -1};

    (void) state;
    make_burst(1e9, 100, 1, 4, 0.2, seconds);
    assert_false(burst_split(seconds, ROUNDS, 100, &found));
    make_burst(1500, 100, 1, 1.1, 0.2, seconds);
    assert_false(burst_split(seconds, ROUNDS, 100, &found));
    for (int count = 0; count < 5; count++)
        assert_false(burst_split(seconds, count, 100, &found));
    assert_int_equal(found.absorbed, -1);
}

static void check_law(double nodes, double writers, double round, double servers)
{
    points_cache caches[216];
    atm_write_cache law;
    uint64_t random = 5;
    int count = 0;

    for (int n = 1; n <= 8; n *= 2)
        for (int each = 1; each <= 32; each *= 2)
            for (int s = 1; s <= 16; s *= 4)
                for (int k = 1; k <= 16; k *= 4) {
                    points_cache cache = {n, n * each, n * each * k, s, 4e9, 0, 0.2};

                    cache.bytes *= pow(n, nodes) * pow(n * each, writers) *
                                   pow(cache.round, round) * pow(s, servers) *
                                   (1 + 0.02 * (rng_unit(&random) - 0.5));
                    caches[count++] = cache;
                }
    assert_true(fit_cache(caches, count, &law));
    assert_float_equal(law.bytes / 4e9, 1, 0.02);
    assert_float_equal(law.nodes, nodes, 0.01);
    assert_float_equal(law.writers, writers, 0.01);
    assert_float_equal(law.round, round, 0.01);
    assert_float_equal(law.servers, servers, 0.01);
    assert_true(law.error < 0.02 && law.knee == 0.2);
    assert_true((nodes == 0) == (law.nodes == 0));
    assert_true((writers == 0) == (law.writers == 0));
    assert_true((round == 0) == (law.round == 0));
    assert_true((servers == 0) == (law.servers == 0));
}

static void laws(void **state)
{
    (void) state;
    check_law(0, 0, 0, 0);
    check_law(1, 0, 0, 0);
    check_law(0, 1, 0, 0);
    check_law(0, 0, -0.3, -0.5);
    check_law(1, -0.2, 0, 0.1);
}

static void no_law(void **state)
{
    points_cache one = {1, 1, 1, 1, 1e9, 0, 0.3};
    points_cache same[2] = {one, one};
    atm_write_cache law;

    (void) state;
    assert_true(fit_cache(&one, 1, &law)); /* the same for all */
    assert_float_equal(law.bytes, one.bytes, 0);
    assert_true(law.writers == 0 && law.error > 0 && law.knee == 0.3);
    assert_true(fit_cache(same, 2, &law)); /* a constant */
    assert_float_equal(law.bytes, 1e9, 1);
}

/* One writer's cache is this much smaller than that of four, which was measured twice. */
static atm_write_cache law_of_few(double smaller)
{
    const points_cache caches[3] = {{1, 4, 32e6, 1, 204e6, 0, 0.2},
                                    {1, 1, 8e6, 1, 204e6 / smaller, 0, 0.2},
                                    {1, 4, 32e6, 1, 210e6, 0, 0.2}};
    atm_write_cache law;

    assert_true(fit_cache(caches, 3, &law));
    return law;
}

/* A tenth more or less is chance; a factor is not. */
static void law_of_three(void **state)
{
    atm_write_cache same = law_of_few(1.12), other = law_of_few(4);

    (void) state;
    assert_true(same.nodes == 0 && same.writers == 0 && same.round == 0 && same.servers == 0);
    assert_float_equal(same.bytes / 200e6, 1, 0.05);
    assert_true(same.error > 0.05);
    assert_float_equal(other.writers + other.round, 1, 0.05);
}

/* Seconds of a round into full caches by the law. */
static double drained(const fit_drain *drain, double writers, double bytes, double servers)
{
    const double features[ATM_FEATURE_COUNT] = {
        [ATM_RECEIVERS] = writers, [ATM_BYTES] = bytes, [ATM_STRIPES] = servers};
    atm_value *object = atm_value_object();
    atm_surrogate *surrogate = NULL;
    atm_estimate estimate;

    fit_drain_write(drain, object);
    assert_int_equal(atm_surrogate_read(object, NULL, &surrogate), ATM_OK);
    atm_surrogate_predict(surrogate, features, &estimate);
    atm_surrogate_destroy(surrogate);
    atm_value_destroy(object);
    return estimate.seconds;
}

/* 40 MB/s a server. */
static void drains(void **state)
{
    const points_cache caches[] = {{4, 8, 8e6, 1, 6e7, 4e7, 0},
                                   {4, 8, 8e6, 2, 12e7, 8e7, 0},
                                   {4, 8, 8e6, 4, 24e7, 16e7, 0},
                                   {4, 1, 1e6, 1, 6e7, 0, 0}};
    fit_drain drain = fit_cache_drain(caches, 4), one = fit_cache_drain(caches, 1),
              none = fit_cache_drain(caches + 3, 1);

    (void) state;
    assert_float_equal(drained(&drain, 8, 1e6, 1), 8e6 / 4e7, 1e-9);
    assert_float_equal(drained(&drain, 2, 1e6, 8), 2e6 / 32e7, 1e-9);
    assert_float_equal(drained(&one, 8, 1e6, 8), 8e6 / 4e7, 1e-9); /* what more do is not known */
    assert_true(none.rate == 0);
}

/* As a kernel does it that stops writers for a while: one of three rounds is slow once the
 * cache is full, and the sixth for another reason. */
static void pauses(void **state)
{
    double seconds[60];
    burst found;

    (void) state;
    for (int i = 0; i < 60; i++)
        seconds[i] = i == 5 || (i >= 30 && i % 3 == 0) ? 0.2 : 0.01;
    for (int count = 0; count <= 30; count++)
        assert_false(burst_is_slow(seconds, count));
    for (int count = 42; count <= 60; count++)
        assert_true(burst_is_slow(seconds, count));
    assert_in_range(burst_enough(seconds, 42), 58, 62);
    assert_int_equal(burst_enough(seconds + 20, 40), 40); /* most are slow already */
    assert_true(burst_split(seconds, 60, 100, &found));
    assert_in_range(found.absorbed, 29, 31);
    assert_float_equal(found.full, (0.2 + 2 * 0.01) / 3, 0.01);
}

/* Without noise, less shows it: 36 rounds of 59 ms, then 103 ms, on a server that takes 80 MB/s. */
static void little_slower(void **state)
{
    double seconds[72], round = 8 << 20;
    burst found;

    (void) state;
    for (int i = 0; i < 72; i++)
        seconds[i] = (i < 36 ? 0.059 : 0.103) + 0.001 * (i % 3);
    for (int count = 0; count < 48; count++)
        assert_false(burst_is_slow(seconds, count));
    assert_true(burst_is_slow(seconds, 48));
    assert_int_equal(burst_enough(seconds, 48), 72);
    assert_true(burst_split(seconds, 72, round, &found));
    assert_int_equal(found.absorbed, 36);
    assert_float_equal(found.capacity, 36 * round * (1 - 60. / 104), 0.01 * 36 * round);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bursts),       cmocka_unit_test(knees),  cmocka_unit_test(no_burst),
        cmocka_unit_test(pauses),       cmocka_unit_test(laws),   cmocka_unit_test(no_law),
        cmocka_unit_test(law_of_three), cmocka_unit_test(drains), cmocka_unit_test(little_slower)};

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
