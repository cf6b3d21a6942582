/* What surrogates are made of: elementary functions and the search for
 * neighbours. */

#include "surrogate_help.h"

#include <math.h>

#include "cost/surrogate_math.h"
#include "cost/surrogate_near.h"

enum { CASES = 10000 };

static void assert_ulps(double got, double expected, double ulps, double at)
{
    double unit = nextafter(fabs(expected), INFINITY) - fabs(expected);

    if (!(fabs(got - expected) <= ulps * unit))
        fail_msg("at %a: %a, expected %a", at, got, expected);
}

static void functions_agree_with_the_c_library(void **state)
{
    random_state r = {99};

    (void) state;
    for (int i = 0; i < CASES; i++) {
        double x = i % 2 ? 2 * random_unit(&r) - 1 : 1416 * random_unit(&r) - 708;
        double part = random_unit(&r), small = ldexp(2 * part - 1, -random_below(&r, 60));
        double half = random_unit(&r) / 2, any = ldexp(0.5 + half, random_below(&r, 2000) - 1000);

        assert_ulps(sur_exp(x), exp(x), 2, x);
        assert_ulps(sur_expm1(small), expm1(small), 4, small);
        assert_ulps(sur_log(any), log(any), 2, any);
        assert_ulps(sur_log(1 + x / 1500), log(1 + x / 1500), 2, x);
    }
    assert_true(sur_exp(0) == 1);
    assert_true(sur_log(1) == 0);
    assert_true(sur_exp(-1e300) > 0 && sur_exp(-1e300) < 1e-300);
    assert_true(isfinite(sur_exp(1e300)));
    assert_true(isnan(sur_exp(NAN)));
}

/* --- neighbours */

static double far_apart(const double *a, const double *b, int inputs, sur_near_metric metric)
{
    double sum = 0;

    for (int i = 0; i < inputs; i++)
        sum += metric == SUR_NEAR_MANHATTAN ? fabs(a[i] - b[i]) : (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

/* The same by looking at every point, in the order of the index. */
static void find_slowly(const double *points, int count, int inputs, sur_near_metric metric,
                        const double *query, int wanted, double limit, sur_near_found *found)
{
    bool taken[512] = {false};

    for (found->count = 0; found->count < wanted; found->count++) {
        int best = -1;
        double nearest = limit;

        for (int i = 0; i < count; i++) {
            double far = far_apart(points + i * inputs, query, inputs, metric);

            if (!taken[i] && (best < 0 ? far <= nearest : far < nearest)) {
                best = i;
                nearest = far;
            }
        }
        if (best < 0)
            return;
        taken[best] = true;
        found->index[found->count] = best;
        found->distance[found->count] = nearest;
    }
}

static void check_neighbours(random_state *r)
{
    int count = 1 + random_below(r, random_below(r, 4) ? 40 : 500);
    int inputs = 1 + random_below(r, ATM_FEATURE_COUNT), wanted = 1 + random_below(r, 12);
    sur_near_metric metric = random_below(r, 2) ? SUR_NEAR_MANHATTAN : SUR_NEAR_EUCLID_SQUARED;
    double limit = random_below(r, 2) ? INFINITY : 10 * random_unit(r);
    bool grid = random_below(r, 2); /* many at the same distance */
    double points[500 * ATM_FEATURE_COUNT], query[ATM_FEATURE_COUNT];
    sur_near_found found, expected;
    sur_near_tree *tree;

    for (int i = 0; i < count * inputs; i++)
        points[i] = grid ? random_below(r, 4) : 10 * random_unit(r);
    assert_int_equal(sur_near_make(points, count, inputs, metric, &tree), ATM_OK);
    for (int k = 0; k < 10; k++) {
        for (int i = 0; i < inputs; i++)
            query[i] = grid ? random_below(r, 8) / 2.0 : 12 * random_unit(r) - 1;
        sur_near_find(tree, query, wanted, limit, &found);
        find_slowly(points, count, inputs, metric, query, wanted, limit, &expected);
        assert_int_equal(found.count, expected.count);
        for (int i = 0; i < found.count; i++) {
            assert_int_equal(found.index[i], expected.index[i]);
            assert_ulps(found.distance[i], expected.distance[i], 8, found.distance[i]);
        }
    }
    sur_near_destroy(tree);
}

static void neighbours_are_the_nearest(void **state)
{
    random_state r = {1975};

    (void) state;
    for (int i = 0; i < CASES / 10; i++)
        check_neighbours(&r);
    sur_near_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_agree_with_the_c_library),
        cmocka_unit_test(neighbours_are_the_nearest),
    };

    return cmocka_run_group_tests_name("surrogate parts", tests, NULL, NULL);
}
