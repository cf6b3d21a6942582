/*
 * Surrogates and the pipeline against the answers of other programs
 * (golden/generate.py), and against themselves after a way through text.
 */

#include "surrogate_help.h"

#include <math.h>

#include "cost/pipeline.h"

enum { MIN_QUERIES = 20, GOLDEN_FEATURES = ATM_STRIPES + 1 };

static void assert_close(double got, double expected, const char *name, size_t query)
{
    if (!(fabs(got - expected) <= 1e-9 * fabs(expected)))
        fail_msg("%s, query %zu: %.17g, expected %.17g", name, query, got, expected);
}

static void assert_same(atm_estimate a, atm_estimate b)
{
    assert_true(a.seconds == b.seconds);
    assert_true(a.uncertainty == b.uncertainty);
    assert_true(a.outside == b.outside);
}

static void check_case(const atm_value *each)
{
    atm_surrogate *surrogate = read_ok(atm_value_find(each, "surrogate"));
    atm_surrogate *copy = copy_through_text(surrogate);
    double *queries, *seconds, *spread = NULL;
    size_t rows, columns, length;
    const char *name;

    assert_int_equal(atm_get_string(each, "name", NULL, &name), ATM_OK);
    assert_int_equal(atm_get_matrix(each, "queries", MIN_QUERIES, 1000, GOLDEN_FEATURES,
                                    GOLDEN_FEATURES, -DBL_MAX, DBL_MAX, NULL, &queries, &rows,
                                    &columns),
                     ATM_OK);
    assert_int_equal(
        atm_get_numbers(each, "seconds", rows, rows, 0, DBL_MAX, NULL, &seconds, &length), ATM_OK);
    if (atm_value_find(each, "spread") != NULL)
        assert_int_equal(
            atm_get_numbers(each, "spread", rows, rows, 0, DBL_MAX, NULL, &spread, &length),
            ATM_OK);
    for (size_t i = 0; i < rows; i++) {
        double query[ATM_FEATURE_COUNT] = {0};
        memcpy(query, queries + i * columns, columns * sizeof(*queries));
        atm_estimate estimate = ask(surrogate, query);

        assert_false(estimate.outside);
        assert_close(estimate.seconds, seconds[i], name, i);
        /* where all parts agree there is only noise to compare */
        if (spread != NULL && spread[i] > 1e-6)
            assert_close(estimate.uncertainty, spread[i], name, i);
        assert_same(ask(surrogate, query), estimate);
        assert_same(ask(copy, query), estimate);
    }
    free(queries);
    free(seconds);
    free(spread);
    atm_surrogate_destroy(copy);
    atm_surrogate_destroy(surrogate);
}

static void check_golden(const char *model, size_t cases_expected)
{
    atm_value *root = golden(model);
    const atm_value *cases = atm_value_find(root, "cases");

    assert_int_equal(atm_value_length(cases), cases_expected);
    for (size_t i = 0; i < cases_expected; i++)
        check_case(atm_value_item(cases, i));
    atm_value_destroy(root);
}

static void linear_agrees_with_scikit_learn(void **state)
{
    (void) state;
    check_golden("linear", 2);
}

static void knn_agrees_with_scikit_learn(void **state)
{
    (void) state;
    check_golden("knn", 3);
}

static void svr_agrees_with_libsvm(void **state)
{
    (void) state;
    check_golden("svr", 4);
}

static void rules_agree_with_trees_of_scikit_learn(void **state)
{
    (void) state;
    check_golden("rules", 3);
}

static void forest_agrees_with_scikit_learn(void **state)
{
    (void) state;
    check_golden("forest", 2);
}

static void mlp_agrees_with_scikit_learn(void **state)
{
    (void) state;
    check_golden("mlp", 4);
}

static void check_pipeline(const atm_value *each)
{
    double *min, *queries, *expected, inputs[ATM_FEATURE_COUNT];
    size_t features, rows, columns, outputs;
    atm_pipeline pipeline, again;
    atm_value *object = atm_value_object();

    assert_int_equal(atm_get_numbers(each, "min", 1, 6, 0, DBL_MAX, NULL, &min, &features), ATM_OK);
    assert_int_equal(
        atm_pipeline_read(atm_value_find(each, "pipeline"), (int) features, min, NULL, &pipeline),
        ATM_OK);
    atm_pipeline_write(&pipeline, object);
    assert_int_equal(atm_pipeline_read(object, (int) features, min, NULL, &again), ATM_OK);
    assert_memory_equal(&again, &pipeline, sizeof(pipeline));
    assert_int_equal(atm_get_matrix(each, "queries", MIN_QUERIES, 1000, features, features,
                                    -DBL_MAX, DBL_MAX, NULL, &queries, &rows, &columns),
                     ATM_OK);
    assert_int_equal(atm_get_matrix(each, "inputs", rows, rows, 1, features, -DBL_MAX, DBL_MAX,
                                    NULL, &expected, &rows, &outputs),
                     ATM_OK);
    assert_int_equal(pipeline.inputs, outputs);
    for (size_t i = 0; i < rows; i++) {
        atm_pipeline_inputs(&pipeline, queries + i * columns, inputs);
        for (size_t k = 0; k < outputs; k++)
            assert_true(fabs(inputs[k] - expected[i * outputs + k]) <=
                        1e-9 * (fabs(expected[i * outputs + k]) + 1e-3));
    }
    free(min);
    free(queries);
    free(expected);
    atm_value_destroy(object);
}

static void pipeline_agrees_with_scipy_and_scikit_learn(void **state)
{
    atm_value *root = golden("pipeline");
    const atm_value *cases = atm_value_find(root, "cases");

    (void) state;
    assert_int_equal(atm_value_length(cases), 6);
    for (size_t i = 0; i < 6; i++)
        check_pipeline(atm_value_item(cases, i));
    atm_value_destroy(root);
}

static void const_is_constant(void **state)
{
    atm_surrogate *surrogate =
        make("{\"model\": \"const\", \"features\": [\"bytes\"], \"min\": [1], \"max\": [100],"
             " \"error\": 0.5, \"parameters\": {\"output\": 0.004}}");
    atm_surrogate *copy = copy_through_text(surrogate);
    double features[ATM_FEATURE_COUNT] = {[ATM_BYTES] = 10}, min, max;

    (void) state;
    assert_true(ask(surrogate, features).seconds == 0.004);
    assert_true(ask(surrogate, features).uncertainty == 0.5);
    assert_same(ask(surrogate, features), ask(copy, features));
    assert_string_equal(atm_surrogate_model(surrogate), "const");
    assert_true(atm_surrogate_range(surrogate, ATM_BYTES, &min, &max));
    assert_true(min == 1 && max == 100);
    assert_false(atm_surrogate_range(surrogate, ATM_NODES, &min, &max));
    atm_surrogate_destroy(copy);
    atm_surrogate_destroy(surrogate);
    atm_surrogate_destroy(NULL);
}

/* --- by hand: what random data does not meet */

static atm_surrogate *make_of_bytes(const char *model, const char *parameters)
{
    char text[2048];

    snprintf(text, sizeof(text),
             "{\"model\": \"%s\", \"features\": [\"bytes\"], \"min\": [1], \"max\": [100],"
             " \"error\": 0, \"parameters\": {%s}}",
             model, parameters);
    return make(text);
}

static void check_at(const char *model, const char *parameters, double bytes, double seconds)
{
    atm_surrogate *surrogate = make_of_bytes(model, parameters);
    double features[ATM_FEATURE_COUNT] = {[ATM_BYTES] = bytes};

    assert_close(ask(surrogate, features).seconds, seconds, model, 0);
    atm_surrogate_destroy(surrogate);
}

static void a_split_belongs_to_the_left(void **state)
{
    const char *tree = "\"trees\": [{\"inputs\": [0, -1, -1], \"values\": [50, 1, 2]}]";
    const char *rules = "\"default\": 7, \"committee\": [["
                        "{\"conditions\": [[0, \"<=\", 50], [0, \">\", 10], [0, \">\", 5]],"
                        " \"intercept\": 1, \"coefficients\": [0]},"
                        "{\"conditions\": [[0, \">\", 50]],"
                        " \"intercept\": 2, \"coefficients\": [0]}]]";

    (void) state;
    check_at("forest", tree, 50, 1);
    check_at("forest", tree, 50.5, 2);
    check_at("rules", rules, 50, 1);
    check_at("rules", rules, 50.5, 2);
    check_at("rules", rules, 10, 7); /* no rule */
}

static void far_vectors_do_not_count(void **state)
{
    (void) state;
    check_at("svr", "\"gamma\": 1e90, \"bias\": 3, \"vectors\": [[1]], \"alphas\": [5]", 50, 3);
    check_at("svr", "\"gamma\": 1e90, \"bias\": 3, \"vectors\": [[1]], \"alphas\": [5]", 1, 8);
    /* a grid: four vectors, one coordinate */
    check_at("svr",
             "\"gamma\": 1e90, \"bias\": 3, \"vectors\": [[1], [1], [1], [1]],"
             " \"alphas\": [5, 6, 7, 8]",
             50, 3);
    check_at("svr",
             "\"gamma\": 1e90, \"bias\": 3, \"vectors\": [[1], [1], [1], [1]],"
             " \"alphas\": [5, 6, 7, 8]",
             1, 29);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_agrees_with_scikit_learn),
        cmocka_unit_test(knn_agrees_with_scikit_learn),
        cmocka_unit_test(svr_agrees_with_libsvm),
        cmocka_unit_test(rules_agree_with_trees_of_scikit_learn),
        cmocka_unit_test(forest_agrees_with_scikit_learn),
        cmocka_unit_test(mlp_agrees_with_scikit_learn),
        cmocka_unit_test(pipeline_agrees_with_scipy_and_scikit_learn),
        cmocka_unit_test(const_is_constant),
        cmocka_unit_test(a_split_belongs_to_the_left),
        cmocka_unit_test(far_vectors_do_not_count),
    };

    return cmocka_run_group_tests_name("surrogate", tests, NULL, NULL);
}
