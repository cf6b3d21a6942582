/* What is learned by LIBSVM and XGBoost says here what it says there: to 1e-9. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#ifdef HAVE_LIBSVM_SVM_H
#include <libsvm/svm.h>
#else
#include <svm.h>
#endif
#ifdef HAVE_XGBOOST
#include <xgboost/c_api.h>
#endif

#include <cmocka.h>

#include "common/rng.h"
#include "state/learner.h"

enum { ROWS = 400, ASKED = 1000, INPUTS = ATM_STATE_FEATURES };

static double x[ROWS * INPUTS], label[ROWS], asked[ASKED * INPUTS];

static void draw(void)
{
    uint64_t random = 9;

    for (int i = 0; i < ROWS * INPUTS; i++)
        x[i] = 4 * rng_unit(&random) - 2;
    for (int i = 0; i < ROWS; i++)
        label[i] = x[i * INPUTS + 13] + x[i * INPUTS] * x[i * INPUTS + 1] + rng_unit(&random) > 0.5;
    for (int i = 0; i < ASKED * INPUTS; i++)
        asked[i] = i % 7 == 0 ? x[i % (ROWS * INPUTS)] : 6 * rng_unit(&random) - 3;
}

/* Learned here, with inputs that go through unchanged: features that ln(1 + x) makes of
 * exp(input) - 1 would lose digits, so that centre -6 and scale 1 leave only logarithms to
 * compare; those are why 1e-9 and not 0. */
static atm_classifier *learn(const learner *learner, double scale)
{
    learner_data data = {.rows = ROWS, .x = x, .label = label};
    atm_value *root = atm_value_object();
    double centre[INPUTS], scales[INPUTS];
    atm_message message = {""};
    atm_classifier *c = NULL;

    for (int i = 0; i < INPUTS; i++) {
        centre[i] = i < ATM_STATE_LATENCY ? 6 : 0;
        scales[i] = scale;
    }
    atm_put_string(root, "kind", learner->name);
    atm_put_numbers(root, "centre", centre, INPUTS);
    atm_put_numbers(root, "scale", scales, INPUTS);
    assert_int_equal(learner->fit(&data, 1, atm_put_object(root, "parameters")), ATM_OK);
    if (atm_classifier_read(root, &message, &c) != ATM_OK)
        fail_msg("%s", message.text);
    atm_value_destroy(root);
    return c;
}

/* A view whose inputs are about row; and these inputs exactly. */
static atm_state_view view_of(const double *row, double *inputs_p)
{
    static const double scale[INPUTS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    double centre[INPUTS] = {6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6};
    atm_state_view view = {.typical = 1};

    for (int i = 0; i < INPUTS; i++)
        view.features[i] = i < ATM_STATE_LATENCY  ? expm1(6 + row[i])
                           : i < ATM_STATE_SPREAD ? exp(row[i])
                                                  : exp(row[i]) - 0.01;
    atm_state_inputs(&view, centre, scale, inputs_p);
    return view;
}

static void support_vectors(void **state)
{
    struct svm_parameter how = {.svm_type = C_SVC,
                                .kernel_type = RBF,
                                .gamma = 1.0 / INPUTS,
                                .C = 1,
                                .cache_size = 50,
                                .eps = 1e-3,
                                .shrinking = 1};
    static struct svm_node nodes[ROWS][INPUTS + 1];
    struct svm_node *rows[ROWS];
    struct svm_problem problem = {.l = ROWS, .y = label, .x = rows};
    atm_classifier *c = learn(&learner_svm, 1);
    struct svm_model *model;
    double worst = 0;

    (void) state;
    for (int i = 0; i < ROWS; i++) {
        rows[i] = nodes[i];
        for (int k = 0; k < INPUTS; k++)
            nodes[i][k] = (struct svm_node){k + 1, x[i * INPUTS + k]};
        nodes[i][INPUTS].index = -1;
    }
    model = svm_train(&problem, &how);
    for (int i = 0; i < ASKED; i++) {
        struct svm_node query[INPUTS + 1];
        double inputs[INPUTS], decision, predicted;
        atm_state_view view = view_of(asked + i * INPUTS, inputs);

        for (int k = 0; k < INPUTS; k++)
            query[k] = (struct svm_node){k + 1, inputs[k]};
        query[INPUTS].index = -1;
        predicted = svm_predict_values(model, query, &decision);
        decision = model->label[0] == 1 ? decision : -decision;
        assert_int_equal(predicted == 1, decision > 0);
        worst = fmax(worst, fabs(atm_classifier_score(c, &view) - decision));
    }
    print_message("# worst difference of a decision value: %.2e\n", worst);
    assert_true(worst < 1e-9);
    svm_free_and_destroy_model(&model);
    atm_classifier_destroy(c);
}

#ifdef HAVE_XGBOOST
static void trees(void **state)
{
    static float rows[ROWS * INPUTS], labels[ROWS], queries[ASKED * INPUTS];
    static const char *const settings[][2] = {{"objective", "binary:logistic"},
                                              {"max_depth", "3"},
                                              {"eta", "0.1"},
                                              {"base_score", "0.5"},
                                              {"nthread", "1"},
                                              {"verbosity", "0"},
                                              {"tree_method", "hist"},
                                              {"seed", "1"}};
    atm_classifier *c = learn(&learner_boosting, 1);
    static atm_state_view views[ASKED];
    DMatrixHandle matrix, query;
    BoosterHandle booster;
    bst_ulong length;
    const float *margins;
    double worst = 0;

    (void) state;
    for (int i = 0; i < ROWS * INPUTS; i++)
        rows[i] = (float) x[i];
    for (int i = 0; i < ROWS; i++)
        labels[i] = (float) label[i];
    for (int i = 0; i < ASKED; i++) {
        double inputs[INPUTS];

        views[i] = view_of(asked + i * INPUTS, inputs);
        for (int k = 0; k < INPUTS; k++)
            queries[i * INPUTS + k] = (float) inputs[k];
    }
    assert_int_equal(XGDMatrixCreateFromMat(rows, ROWS, INPUTS, NAN, &matrix), 0);
    assert_int_equal(XGDMatrixSetFloatInfo(matrix, "label", labels, ROWS), 0);
    assert_int_equal(XGDMatrixCreateFromMat(queries, ASKED, INPUTS, NAN, &query), 0);
    assert_int_equal(XGBoosterCreate(&matrix, 1, &booster), 0);
    for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
        assert_int_equal(XGBoosterSetParam(booster, settings[i][0], settings[i][1]), 0);
    for (int i = 0; i < 100; i++)
        assert_int_equal(XGBoosterUpdateOneIter(booster, i, matrix), 0);
    assert_int_equal(XGBoosterPredict(booster, query, 1, 0, 0, &length, &margins), 0);
    assert_int_equal(length, ASKED);
    for (int i = 0; i < ASKED; i++)
        worst = fmax(worst, fabs(atm_classifier_score(c, &views[i]) - (double) margins[i]));
    print_message("# worst difference of a margin: %.2e\n", worst);
    assert_true(worst < 1e-9);
    XGBoosterFree(booster);
    XGDMatrixFree(query);
    XGDMatrixFree(matrix);
    atm_classifier_destroy(c);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(support_vectors),
#ifdef HAVE_XGBOOST
        cmocka_unit_test(trees),
#endif
    };

    draw();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
