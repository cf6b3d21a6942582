/* What repetitions tell. */

#include <math.h>

#include "help.h"
#include "calibrate/repetitions.h"

/* 1 to 5: mean 3, standard error 0.7071, t(4) = 2.77645; 1 to 10: mean 5.5,
 * standard error 0.9574, t(9) = 2.26216. */
static void test_uncertainty(void **state)
{
    static const double five[] = {1, 2, 3, 4, 5}, ten[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

    (void) state;
    assert_true(fabs(statistics_uncertainty(five, 5) - 2.77645 * 0.70711 / 3) < 1e-4);
    assert_true(fabs(statistics_uncertainty(ten, 10) - 2.26216 * 0.95743 / 5.5) < 1e-4);
    assert_true(isinf(statistics_uncertainty(five, 1)));
}

static void test_tight(void **state)
{
    static const double same[] = {1, 1.001, 0.999, 1, 1.001}, wild[] = {1, 2, 1, 2, 1};

    (void) state;
    assert_true(statistics_tight(same, 5));
    assert_false(statistics_tight(same, 4)); /* too few */
    assert_false(statistics_tight(wild, 5));
}

static void test_outliers(void **state)
{
    static const double values[] = {1.00, 1.02, 0.98, 1.01, 5.0, 0.99, 0.2};
    static const double equal[] = {1, 1, 1, 1, 1.005, 1.5};
    bool marks[7];

    (void) state;
    assert_int_equal(statistics_outliers(values, 7, marks), 2);
    assert_true(marks[4] && marks[6]);
    assert_false(marks[0] || marks[1]);
    assert_int_equal(statistics_outliers(values, 4, marks), 0); /* too few to tell */
    assert_int_equal(statistics_outliers(equal, 6, marks), 1);  /* half a per cent is none */
    assert_true(marks[5]);
}

static void test_summary(void **state)
{
    static const double values[] = {1, 2, 3, 4, 100};
    static const bool marks[] = {false, false, false, false, true};
    statistics_summary summary = statistics_summarize(values, marks, 5);

    (void) state;
    assert_true(summary.mean == 2.5);
    assert_true(summary.median == 3);
    assert_true(fabs(summary.spread - 1.0 / 3) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uncertainty),
        cmocka_unit_test(test_tight),
        cmocka_unit_test(test_outliers),
        cmocka_unit_test(test_summary),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
