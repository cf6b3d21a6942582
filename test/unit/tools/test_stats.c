/* What a few repetitions tell: known samples. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/rng.h"
#include "common/stats.h"

static void quantiles(void **state)
{
    static const double five[] = {5, 1, 4, 2, 3}, four[] = {4, 1, 3, 2}, one[] = {7};

    (void) state;
    assert_true(stats_quantile(five, 5, 0.5) == 3);
    assert_true(stats_quantile(five, 5, 0.25) == 2);
    assert_true(stats_quantile(five, 5, 0) == 1);
    assert_true(stats_quantile(five, 5, 1) == 5);
    assert_true(stats_quantile(four, 4, 0.5) == 2.5);
    assert_true(stats_quantile(four, 4, 0.75) == 3.25);
    assert_true(stats_quantile(one, 1, 0.5) == 7);
    assert_true(five[0] == 5); /* as they were */
}

static void medians(void **state)
{
    static const double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2}, one[] = {7};
    static const double far[] = {9, 1, 2, 3, 5};

    (void) state;
    assert_true(stats_median(odd, 3) == 2);
    assert_true(stats_median(even, 4) == 2.5);
    assert_true(stats_median(one, 1) == 7);
    assert_true(odd[0] == 3);
    assert_true(stats_deviation(far, 5) == 2);
    assert_true(stats_deviation(even, 4) == 1);
    assert_true(stats_deviation(one, 1) == 0);
    assert_true(far[0] == 9);
}

static void intervals(void **state)
{
    double base[20], other[20], low = 0, high = 0, wide_low = 0, wide_high = 0;
    uint64_t random = 3;

    (void) state;
    for (int i = 0; i < 20; i++) {
        base[i] = 2 + (double) rng_below(&random, 1000) * 1e-4;
        other[i] = 1 + (double) rng_below(&random, 1000) * 1e-4;
    }
    assert_true(stats_ratio_interval(base, other, 20, 1, &low, &high));
    assert_true(1.8 < low && low < high && high < 2.1);
    assert_true(low < stats_quantile(base, 20, 0.5) / stats_quantile(other, 20, 0.5));
    assert_true(high > stats_quantile(base, 20, 0.5) / stats_quantile(other, 20, 0.5));
    for (int i = 0; i < 20; i++)
        base[i] += (double) rng_below(&random, 1000) * 1e-3;
    assert_true(stats_ratio_interval(base, other, 20, 1, &wide_low, &wide_high));
    assert_true(wide_high - wide_low > high - low);
}

/* 95 % of intervals hold the true ratio, within what 400 of them can tell; the
 * bootstrap of 15 pairs is a little narrow. */
static void coverage(void **state)
{
    uint64_t random = 5;
    int held = 0;

    (void) state;
    for (int k = 0; k < 400; k++) {
        double base[15], other[15], low, high;

        for (int i = 0; i < 15; i++) {
            base[i] = 1.5 + 0.15 * (double) rng_below(&random, 10001) / 10000;
            other[i] = 1 + 0.1 * (double) rng_below(&random, 10001) / 10000;
        }
        assert_true(stats_ratio_interval(base, other, 15, (uint64_t) k, &low, &high));
        held += low <= 1.575 / 1.05 && 1.575 / 1.05 <= high;
    }
    assert_in_range(held, 355, 399);
}

static void too_few(void **state)
{
    double low = 7, high = 7, one = 1;

    (void) state;
    assert_false(stats_ratio_interval(&one, &one, 1, 1, &low, &high));
    assert_true(low == 7 && high == 7);
}

static void same_seed(void **state)
{
    uint64_t a = 9, b = 9, c = 10;
    int different = 0, even = 0;

    (void) state;
    for (int i = 0; i < 1000; i++) {
        int x = rng_below(&a, 100);

        assert_true(x >= 0 && x < 100);
        assert_true(x == rng_below(&b, 100));
        different += x != rng_below(&c, 100);
        even += x < 50;
    }
    assert_true(different > 900);
    assert_in_range(even, 420, 580);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles), cmocka_unit_test(medians), cmocka_unit_test(intervals),
        cmocka_unit_test(coverage),  cmocka_unit_test(too_few), cmocka_unit_test(same_seed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
