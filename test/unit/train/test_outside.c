/* Errors outside of what was measured, learned from laws whose truth is known. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/rng.h"
#include "train/outside.h"

enum { SIZES = 8, SCALES = 7 };

static const outside_prior usual[ATM_AWAY_COUNT] = {{-1.4, 2}, {-1.4, 2}, {-1.4, 2}};

typedef double law(double bytes, double writers);

static double straight(double bytes, double writers)
{
    return 1e-9 * bytes * writers;
}

/* What nothing below says: each doubling of writers beyond 8 takes three times as long again. */
static double bent(double bytes, double writers)
{
    return straight(bytes, writers) * (writers > 8 ? pow(writers / 8, log2(3)) : 1);
}

static double square_root(double bytes, double writers)
{
    return 1e-9 * bytes * sqrt(writers);
}

static void write_points(const char *path, law *seconds, int sizes, int scales)
{
    FILE *file = fopen(path, "w");
    uint64_t random = 7;

    assert_non_null(file);
    fputs(
        "{\"format\": \"romio-autotune-points\", \"version\": 1, \"machine\": {\"name\": \"m\", "
        "\"mpi\": \"x\"}, \"jobs\": [{\"ranks\": 64, \"nodes\": 64, \"hosts\": [\"n\"], \"tool\": "
        "\"t\", \"started\": \"2026-01-31T10:00:00Z\"}], \"points\": [",
        file);
    for (int i = 0; i < sizes * scales; i++) {
        double bytes = 65536 * exp2(i % sizes), writers = exp2(i / sizes);
        double t = seconds(bytes, writers) * exp(0.02 * rng_normal(&random));

        fprintf(
            file,
            "%s{\"operation\": \"write_full\", \"job\": 0, \"features\": {\"nodes\": 64, "
            "\"per_node\": 1, \"senders\": 64, \"receivers\": %g, \"bytes\": %g, \"stripes\": 1, "
            "\"messages\": 1}, \"seconds\": %.17g, \"median\": %.17g, \"spread\": 0, "
            "\"visits\": [[%.17g]], \"outliers\": [[]], \"time\": \"2026-01-31T10:00:03Z\", "
            "\"host\": \"n\"}",
            i > 0 ? ", " : "", writers, bytes, t, t, t);
    }
    fputs("]}\n", file);
    assert_int_equal(fclose(file), 0);
}

/* Destroy both. */
static train_result *train(law *seconds, int sizes, int scales, points **points_p)
{
    const train_options options = {.seed = 1, .folds = 5, .algorithm = "linear"};
    char path[] = "/tmp/autotune-points.XXXXXX";
    int file = mkstemp(path);
    atm_message message = {""};
    train_result *result = NULL;

    assert_true(file >= 0);
    close(file);
    write_points(path, seconds, sizes, scales);
    if (points_read(path, &message, points_p) != ATM_OK)
        fail_msg("%s", message.text);
    unlink(path);
    assert_int_equal(train_run(points_p, 1, &options, &message, &result), ATM_OK);
    assert_int_equal(result->operation_count, 1);
    return result;
}

static outside_found learn(law *seconds, int sizes, int scales)
{
    points *points;
    train_result *result = train(seconds, sizes, scales, &points);
    outside_found found;

    assert_int_equal(outside_learn(&result->operations[0], usual, &found), ATM_OK);
    train_destroy(result);
    points_destroy(points);
    return found;
}

/* Predicted well wherever it was left out. */
static void small_where_it_holds(void **state)
{
    outside_found found = learn(straight, SIZES, SCALES);

    (void) state;
    assert_true(found.seen[ATM_AWAY_SIZE] && found.seen[ATM_AWAY_SCALE]);
    assert_false(found.seen[ATM_AWAY_STRIPES]);
    assert_true(found.deviation[ATM_AWAY_SIZE] < 0.1);
    assert_true(found.deviation[ATM_AWAY_SCALE] < 0.1);
}

/* Off by ln(3) with each doubling, all together. */
static void large_where_it_does_not(void **state)
{
    outside_found found = learn(bent, SIZES, 6);

    (void) state;
    assert_true(fabs(found.deviation[ATM_AWAY_SCALE] - log(3)) < 0.2);
    assert_true(found.deviation[ATM_AWAY_SIZE] < 0.3);
    assert_true(found.alike > 0.7);
}

/* Where nothing can be left out, what is usual is all there is. */
static void usual_where_unknown(void **state)
{
    outside_found found = learn(straight, 2, 7);

    (void) state;
    assert_false(found.seen[ATM_AWAY_STRIPES]);
    assert_float_equal(log(found.deviation[ATM_AWAY_STRIPES]), usual[ATM_AWAY_STRIPES].mean, 0.1);
}

/* A profile's interval holds at the truth beyond what was measured, for both laws. */
static void holds_outside(void **state)
{
    law *const laws[] = {straight, bent, square_root};

    (void) state;
    for (int i = 0; i < 3; i++) {
        points *points;
        train_result *result = train(laws[i], SIZES, 6, &points);
        const double wanted[ATM_FEATURE_COUNT] = {
            [ATM_BYTES] = 1 << 20, [ATM_RECEIVERS] = 128, [ATM_NODES] = 64, [ATM_SENDERS] = 64};
        double near[ATM_FEATURE_COUNT];
        atm_surrogate *surrogate;
        atm_estimate far, measured;

        memcpy(near, wanted, sizeof(near));
        near[ATM_RECEIVERS] = 32;
        assert_int_equal(atm_surrogate_read(result->operations[0].surrogate, NULL, &surrogate),
                         ATM_OK);
        atm_surrogate_predict(surrogate, wanted, &far);
        atm_surrogate_predict(surrogate, near, &measured);
        assert_true(far.uncertainty > measured.uncertainty);
        assert_true(fabs(log(laws[i](1 << 20, 128) / far.seconds)) <
                    1.96 * log1p(far.uncertainty) + 0.06);
        atm_surrogate_destroy(surrogate);
        train_destroy(result);
        points_destroy(points);
    }
}

static void usual_of_grounds(void **state)
{
    outside_prior priors[ATM_AWAY_COUNT];
    double alike;

    (void) state;
    for (int kind = 0; kind < ATM_KIND_COUNT; kind++) {
        outside_priors((atm_kind) kind, priors, &alike);
        assert_true(alike > 0 && alike < 1);
        for (int i = 0; i < ATM_AWAY_COUNT; i++)
            assert_true(priors[i].mean > log(0.01) && priors[i].mean < log(3) &&
                        priors[i].deviation >= 0.3 && priors[i].deviation < 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_where_it_holds), cmocka_unit_test(large_where_it_does_not),
        cmocka_unit_test(usual_where_unknown),  cmocka_unit_test(holds_outside),
        cmocka_unit_test(usual_of_grounds),
    };

    return cmocka_run_group_tests_name("outside", tests, NULL, NULL);
}
