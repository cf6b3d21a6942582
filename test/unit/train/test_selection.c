/* The full selection on points made from known functions: what is chosen
 * recovers them, also between the points, and does not depend on threads. */

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
#include "synthetic.h"
#include "train/train.h"

enum { QUERIES = 300 };

static const char *data; /* directory of sample files */

static void check_score(const char *what, atm_operation operation, const train_score *s,
                        double least)
{
    const double all[] = {s->r2, s->r2_explained, s->log_r2, s->log_r2_explained};

    for (int i = 0; i < 4; i++)
        if (!(all[i] > least))
            fail_msg("%s, %s: R2 %g, explained %g, of logs %g, explained %g", what,
                     atm_operation_name(operation), all[0], all[1], all[2], all[3]);
}

/* Fresh queries, compared with the truth. */
static void check_queries(const train_operation *o, double least)
{
    double measured[QUERIES], predicted[QUERIES];
    uint64_t random = 99;
    atm_surrogate *surrogate;
    train_score score;

    assert_int_equal(atm_surrogate_read(o->surrogate, NULL, &surrogate), ATM_OK);
    for (int i = 0; i < QUERIES; i++) {
        double features[ATM_FEATURE_COUNT];
        atm_estimate estimate;

        synthetic_query(o->operation, &random, features);
        atm_surrogate_predict(surrogate, features, &estimate);
        measured[i] = synthetic_seconds(o->operation, features);
        predicted[i] = estimate.seconds;
    }
    atm_surrogate_destroy(surrogate);
    score = train_score_of(measured, predicted, QUERIES);
    check_score("fresh queries", o->operation, &score, least);
}

static bool is_full(void)
{
    const char *full = getenv("AUTOTUNE_FULL");

    return full != NULL && full[0] != '\0';
}

/* Folds are what takes the time. */
static void check_known(atm_operation without, double noise, double least)
{
    static const int counts[SYNTHETIC_OPERATIONS] = {57, 51, 1044, 270, 27, 270};
    char path[] = "/tmp/autotune-points.XXXXXX";
    int file = mkstemp(path);
    train_options options = {.seed = 1, .folds = is_full() ? 0 : 3};
    atm_message message = {""};
    points *points;
    train_result *result;

    assert_true(file >= 0);
    close(file);
    assert_true(synthetic_write(path, without, noise, 5));
    assert_int_equal(points_read(path, &message, &points), ATM_OK);
    unlink(path);
    assert_int_equal(train_run(&points, 1, &options, &message, &result), ATM_OK);
    for (int i = 0, at = 0; i < SYNTHETIC_OPERATIONS; i++) {
        const train_operation *o = &result->operations[at];

        if (synthetic_operations[i] == without)
            continue;
        assert_true(at++ < result->operation_count);
        assert_int_equal(o->operation, synthetic_operations[i]);
        assert_int_equal(o->count, counts[i]);
        check_score("cross-validation", o->operation, &o->candidates[o->chosen].score, least);
        check_queries(o, least);
    }
    train_destroy(result);
    points_destroy(points);
}

static void test_exact(void **state)
{
    (void) state;
    check_known(ATM_OPERATION_COUNT, 0, 0.98);
}

static void test_noisy(void **state)
{
    (void) state; /* the many points of the exchange only there */
    check_known(is_full() ? ATM_OPERATION_COUNT : ATM_EXCHANGE, 0.1, 0.85);
}

static train_result *train_small(points **points_p, int threads, uint64_t seed)
{
    train_options options = {.seed = seed, .threads = threads};
    char path[4096];
    atm_message message = {""};
    train_result *result = NULL;

    snprintf(path, sizeof(path), "%s/points/good/small.json", data);
    assert_int_equal(points_read(path, &message, points_p), ATM_OK);
    assert_int_equal(train_run(points_p, 1, &options, &message, &result), ATM_OK);
    return result;
}

static char *profile_of(int threads, uint64_t seed)
{
    points *points;
    train_result *result = train_small(&points, threads, seed);
    atm_message message = {""};
    atm_value *profile;
    char *text;
    size_t length;

    assert_int_equal(train_profile(result, &message, &profile), ATM_OK);
    assert_int_equal(atm_value_print(profile, &text, &length), ATM_OK);
    atm_value_destroy(profile);
    train_destroy(result);
    points_destroy(points);
    return text;
}

static void test_threads(void **state)
{
    char *one = profile_of(1, 3), *three = profile_of(3, 3);

    (void) state;
    assert_string_equal(one, three);
    free(one);
    free(three);
}

/* What a result says about itself. */
static void test_result(void **state)
{
    points *points;
    train_result *result = train_small(&points, 0, 1);
    const train_operation *o = &result->operations[0];
    const train_candidate *c = &o->candidates[o->chosen];
    double measured[64];
    train_score score;
    int held_out[10] = {0};

    (void) state;
    assert_int_equal(o->count, 30);
    for (int i = 0; i < o->count; i++) {
        measured[i] = o->points[i]->seconds;
        held_out[o->fold[i]]++;
    }
    for (int i = 0; i < 10; i++)
        assert_int_equal(held_out[i], 3);
    score = train_score_of(measured, o->predicted, o->count);
    assert_true(score.rmse == c->score.rmse && score.log_rmse == c->score.log_rmse);
    assert_true(c->finished && c->error <= 1.1 * o->candidates[o->best].error);
    assert_true(o->lessons[TRAIN_LESSONS - 1].score.rmse == score.rmse);
    assert_true(o->lessons[0].points < o->lessons[1].points);
    assert_true(o->repeatable_known && o->ceiling.r2 > 0.99);
    assert_int_equal(o->feature_count, 2);
    assert_int_equal(o->note_count,
                     4); /* two multiples of senders, the constant ones, errors outside */
    assert_non_null(strstr(o->notes[2], "nodes, messages, stripes"));
    train_destroy(result);
    points_destroy(points);
}

static double doubled(void *calls, const points_point *point)
{
    ++*(int *) calls;
    return 2 * point->seconds;
}

static double unchanged(void *calls, const points_point *point)
{
    ++*(int *) calls;
    return point->seconds;
}

/* The same times give the same surrogate to the last bit; others another. */
static void test_refit(void **state)
{
    points *points;
    train_result *result = train_small(&points, 0, 3);
    atm_value *again[ATM_OPERATION_COUNT];
    char *text, *other;
    size_t length;
    int calls = 0;

    (void) state;
    assert_int_equal(train_refit(result, unchanged, &calls, again), ATM_OK);
    assert_int_equal(calls, points->count);
    assert_int_equal(atm_value_print(result->operations[0].surrogate, &text, &length), ATM_OK);
    assert_int_equal(atm_value_print(again[0], &other, &length), ATM_OK);
    assert_string_equal(text, other);
    free(other);
    for (int i = 0; i < result->operation_count; i++)
        atm_value_destroy(again[i]);
    assert_int_equal(train_refit(result, doubled, &calls, again), ATM_OK);
    assert_int_equal(atm_value_print(again[0], &other, &length), ATM_OK);
    assert_string_not_equal(text, other);
    free(other);
    free(text);
    for (int i = 0; i < result->operation_count; i++)
        atm_value_destroy(again[i]);
    train_destroy(result);
    points_destroy(points);
}

static void test_score(void **state)
{
    const double measured[] = {1, 2, 4}, twice[] = {2, 4, 8};
    train_score same = train_score_of(measured, measured, 3);
    train_score biased = train_score_of(measured, twice, 3);

    (void) state;
    assert_true(same.rmse == 0 && fabs(same.r2 - 1) < 1e-12 && same.log_r2_explained == 1);
    assert_true(fabs(biased.r2 - 1) < 1e-12 && biased.r2_explained < 0);
    assert_true(fabs(biased.rmse - sqrt(7)) < 1e-12 && fabs(biased.log_rmse - log(2)) < 1e-12);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_score), cmocka_unit_test(test_result), cmocka_unit_test(test_threads),
        cmocka_unit_test(test_exact), cmocka_unit_test(test_noisy),  cmocka_unit_test(test_refit),
    };

    data = argc > 1 ? argv[1] : "test/unit/train/data";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
