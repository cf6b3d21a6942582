/* Every trainer on functions it can learn, and what goes into profiles. */

#include <gsl/gsl_errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "train/grow.h"
#include "train/prep.h"
#include "common/cholesky.h"
#include "common/rng.h"
#include "cost/surrogate_kind.h"
#include "train/trainer.h"

enum { SIDE = 15, ROWS = SIDE * SIDE, INPUTS = 2 };

static double x[ROWS * INPUTS], y[ROWS];

/* Inputs on a grid from -1 to 1. */
static trainer_data make_data(double (*f)(double a, double b))
{
    for (int i = 0; i < ROWS; i++) {
        x[i * 2] = -1 + 2.0 * (i % SIDE) / (SIDE - 1);
        x[i * 2 + 1] = -1 + 2.0 * (i / SIDE) / (SIDE - 1);
        y[i] = f(x[i * 2], x[i * 2 + 1]);
    }
    return (trainer_data){.rows = ROWS, .inputs = INPUTS, .x = x, .y = y, .log_target = true};
}

static double plane(double a, double b)
{
    return 3 + 2 * a - b;
}

static double curved(double a, double b)
{
    return 3 + 2 * a - b + 0.5 * a * b + a * a;
}

static double knee(double a, double b)
{
    return a > 0.05 ? 5 + 3 * a : 1 - b;
}

static double wave(double a, double b)
{
    return sin(2 * a) + b * b;
}

static const sur_type *type_of(const trainer *t)
{
    static const sur_type *const types[] = {&sur_linear, &sur_knn, &sur_rules,
                                            &sur_forest, &sur_svr, &sur_mlp};

    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (strcmp(types[i]->name, t->name) == 0)
            return types[i];
    return NULL;
}

/* The model that inference makes of the parameters. */
static void *fit(const trainer *t, const trainer_data *data, const trainer_setting *setting)
{
    atm_value *parameters = atm_value_object();
    atm_message message = {""};
    void *model = NULL;

    assert_int_equal(t->fit(data, setting, 7, parameters), ATM_OK);
    assert_int_equal(atm_value_built(parameters), ATM_OK);
    if (sur_model_read(type_of(t), parameters, data->inputs, &message, &model) != ATM_OK)
        fail_msg("%s: %s", t->name, message.text);
    atm_value_destroy(parameters);
    return model;
}

/* Largest error at random places. */
static double error_of(const trainer *t, int index, double (*f)(double a, double b))
{
    trainer_data data = make_data(f);
    trainer_setting setting = {{0}};
    uint64_t random = 1;
    double most = 0;
    void *model;

    t->setting(index, true, 1, &setting);
    model = fit(t, &data, &setting);
    for (int i = 0; i < 200; i++) {
        double at[2], spread;

        at[0] = 1.8 * rng_unit(&random) - 0.9;
        at[1] = 1.8 * rng_unit(&random) - 0.9;
        most = fmax(most, fabs(type_of(t)->predict(model, at, &spread) - f(at[0], at[1])));
    }
    sur_model_destroy(type_of(t), model);
    return most;
}

/* The best of all settings. */
static double least_error(const trainer *t, double (*f)(double a, double b))
{
    double least = INFINITY;

    for (int i = 0; i < TRAINER_SETTINGS; i++)
        least = fmin(least, error_of(t, i, f));
    return least;
}

static void test_linear(void **state)
{
    (void) state;
    assert_true(error_of(&trainer_linear, 0, plane) < 1e-9);
    assert_true(error_of(&trainer_linear, 1, plane) < 1e-9);
    assert_true(error_of(&trainer_linear, 2, curved) < 1e-9);
    assert_true(error_of(&trainer_linear, 0, curved) > 0.1);
}

static void test_knn(void **state)
{
    trainer_data data = make_data(wave);
    trainer_setting setting = {{1}};
    void *model = fit(&trainer_knn, &data, &setting);
    double spread;

    (void) state;
    for (int i = 0; i < ROWS; i++)
        assert_true(sur_knn.predict(model, x + 2 * i, &spread) == y[i]);
    sur_model_destroy(&sur_knn, model);
}

static void test_rules(void **state)
{
    (void) state;
    assert_true(error_of(&trainer_rules, 0, plane) < 1e-4);
    assert_true(least_error(&trainer_rules, wave) < 0.2);
}

/* One cut: two rules, each nearly exact. */
static void test_rules_knee(void **state)
{
    trainer_data data = make_data(knee);
    trainer_setting setting = {{1, 0, 8}};
    void *model = fit(&trainer_rules, &data, &setting);
    const double left[2] = {-0.5, 0.5}, right[2] = {0.5, 0.3};
    double spread;

    (void) state;
    assert_true(fabs(sur_rules.predict(model, left, &spread) - knee(-0.5, 0.5)) < 0.15);
    assert_true(fabs(sur_rules.predict(model, right, &spread) - knee(0.5, 0.3)) < 0.15);
    sur_model_destroy(&sur_rules, model);
}

static void test_forest(void **state)
{
    (void) state;
    assert_true(least_error(&trainer_forest, wave) < 0.3);
}

static void test_svr(void **state)
{
    (void) state;
    assert_true(least_error(&trainer_svr, wave) < 0.05);
}

static void test_mlp(void **state)
{
    (void) state;
    assert_true(least_error(&trainer_mlp, wave) < 0.02);
}

/* Few and constant points are learned from as well. */
static void test_degenerate(void **state)
{
    const double few_x[] = {1, 2, 1, 2, 1, 2}, few_y[] = {5, 5, 5};
    trainer_data data = {.rows = 3, .inputs = 2, .x = few_x, .y = few_y, .log_target = true};

    (void) state;
    for (int t = 0; trainer_at(t) != NULL; t++) {
        for (int i = 0; i < TRAINER_SETTINGS; i++) {
            trainer_setting setting = {{0}};
            const double at[2] = {1, 2};
            double spread;
            void *model;

            trainer_at(t)->setting(i, true, 1, &setting);
            model = fit(trainer_at(t), &data, &setting);
            assert_true(fabs(type_of(trainer_at(t))->predict(model, at, &spread) - 5) < 0.1);
            sur_model_destroy(type_of(trainer_at(t)), model);
        }
    }
}

/* Exhaustive search finds no better first split. */
static void test_grow(void **state)
{
    trainer_data data = make_data(wave);
    grow_limits limits = {.leaf = 3, .leaves = 2};
    int *order = grow_order(&data);
    uint64_t random = 0;
    grow_tree tree;
    double least = INFINITY, got = 0;

    (void) state;
    assert_int_equal(grow_tree_make(&data, order, NULL, &limits, &random, &tree), ATM_OK);
    assert_int_equal(tree.count, 3);
    for (int cut = -1; cut < ROWS * INPUTS; cut++) {
        int input = cut < 0 ? tree.nodes[0].input : cut % INPUTS, count[2] = {0};
        double at = cut < 0 ? tree.nodes[0].split : x[cut], sum[2] = {0}, squares = 0, sse;

        for (int i = 0; i < ROWS; i++) {
            int side = x[i * INPUTS + input] > at;

            count[side]++;
            sum[side] += y[i];
            squares += y[i] * y[i];
        }
        if (count[0] < 3 || count[1] < 3)
            continue;
        sse = squares - sum[0] * sum[0] / count[0] - sum[1] * sum[1] / count[1];
        if (cut < 0)
            got = sse;
        least = fmin(least, sse);
    }
    assert_true(got <= least * (1 + 1e-12));
    grow_tree_destroy(&tree);
    free(order);
}

static void test_solve(void **state)
{
    double a[] = {4, 0, 0, 2, 5, 0, 1, 3, 6}, b[] = {1, 2, 3};
    double bad[] = {1, 0, 2, 1}, no_number[] = {1, 0, NAN, 1}, any[] = {1, 1};

    (void) state;
    assert_true(cholesky_solve(a, 3, b));
    assert_true(fabs(4 * b[0] + 2 * b[1] + b[2] - 1) < 1e-12);
    assert_true(fabs(2 * b[0] + 5 * b[1] + 3 * b[2] - 2) < 1e-12);
    assert_true(fabs(b[0] + 3 * b[1] + 6 * b[2] - 3) < 1e-12);
    assert_false(cholesky_solve(bad, 2, any));
    assert_false(cholesky_solve(no_number, 2, any));
    assert_true(any[0] == 1 && any[1] == 1);
    assert_true(cholesky_solve(bad, 0, any));
}

/* Log-normal features need logarithms; even ones none. */
static void test_prep(void **state)
{
    const atm_feature features[2] = {ATM_BYTES, ATM_SENDERS};
    double columns[100], inputs[2];
    atm_pipeline pipeline;

    (void) state;
    for (int i = 0; i < 50; i++) {
        columns[2 * i] = exp2(i % 20);
        columns[2 * i + 1] = 100 + i;
    }
    assert_int_equal(prep_fit(&prep_steps[1], columns, 50, 2, features, &pipeline), ATM_OK);
    assert_true(pipeline.boxed && pipeline.lambda[0] == 0);
    assert_int_equal(prep_fit(&prep_steps[3], columns, 50, 2, features, &pipeline), ATM_OK);
    assert_true(pipeline.lambda[0] == 1 && pipeline.lambda[1] == 0);
    for (int step = 0; step < PREP_STEPS; step++) {
        double sum = 0, squares = 0;

        assert_int_equal(prep_fit(&prep_steps[step], columns, 50, 2, features, &pipeline), ATM_OK);
        assert_int_equal(pipeline.rotated, prep_steps[step].pca);
        for (int i = 0; i < 50; i++) {
            atm_pipeline_inputs(&pipeline, columns + 2 * i, inputs);
            sum += inputs[0];
            squares += inputs[0] * inputs[0];
        }
        assert_true(fabs(sum) < 1e-9);
        assert_true(prep_steps[step].pca ? squares > 49 : fabs(squares - 49) < 1e-9);
    }
}

/* Every setting is another one; seeds move them. */
static void test_settings(void **state)
{
    (void) state;
    for (int t = 0; trainer_at(t) != NULL; t++) {
        char text[2][96];

        for (int i = 0; i < TRAINER_SETTINGS; i++) {
            for (int k = 0; k < i; k++) {
                trainer_setting a = {{0}}, b = {{0}};

                trainer_at(t)->setting(i, true, 1, &a);
                trainer_at(t)->setting(k, true, 1, &b);
                assert_memory_not_equal(&a, &b, sizeof(a));
                trainer_at(t)->describe(&a, text[0], sizeof(text[0]));
                trainer_at(t)->describe(&b, text[1], sizeof(text[1]));
                assert_string_not_equal(text[0], text[1]);
            }
        }
        assert_int_equal(trainer_at(t)->simplicity, t);
    }
    assert_true(trainer_spread(3, 1, 1) != trainer_spread(3, 1, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear), cmocka_unit_test(test_knn),
        cmocka_unit_test(test_rules),  cmocka_unit_test(test_rules_knee),
        cmocka_unit_test(test_forest), cmocka_unit_test(test_svr),
        cmocka_unit_test(test_mlp),    cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_grow),   cmocka_unit_test(test_solve),
        cmocka_unit_test(test_prep),   cmocka_unit_test(test_settings),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
