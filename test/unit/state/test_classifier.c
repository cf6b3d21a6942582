/* Classifiers: scores by hand, hostile files, files again, time. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "state/classifier.h"

#define ZEROS "[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]"
#define ONES "[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"
#define CLASSIFIER(kind, parameters)                                                               \
    "{\"kind\": \"" kind "\", \"centre\": " ZEROS ", \"scale\": " ONES                             \
    ", \"parameters\": {" parameters "}}"

static atm_classifier *make(const char *text)
{
    atm_message message = {""};
    atm_value *root = NULL;
    atm_classifier *c = NULL;

    if (atm_value_parse(text, strlen(text), "text", &message, &root) != ATM_OK ||
        atm_classifier_read(root, &message, &c) != ATM_OK)
        fail_msg("%s", message.text);
    atm_value_destroy(root);
    return c;
}

/* Everything is 0 after scaling but the input named, which is 1: e times the typical
 * latency. */
static atm_state_view view_of(int input)
{
    atm_state_view view = {.typical = 2, .last_busy = NAN, .last_age = NAN};

    for (int i = 0; i < ATM_STATE_FEATURES; i++)
        view.features[i] = i < ATM_STATE_LATENCY ? 0 : 2;
    view.features[ATM_STATE_SPREAD] = 2 * 0.99;
    if (input >= 0)
        view.features[input] = input < ATM_STATE_LATENCY  ? exp(1) - 1
                               : input < ATM_STATE_SPREAD ? 2 * exp(1)
                                                          : 2 * (exp(1) - 0.01);
    return view;
}

static void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9 * fmax(1, fabs(expected))))
        fail_msg("%.17g is not %.17g", value, expected);
}

static double score(const char *text, const atm_state_view *view)
{
    atm_classifier *c = make(text);
    double s = atm_classifier_score(c, view);

    atm_classifier_destroy(c);
    return s;
}

static void by_hand(void **state)
{
    atm_state_view none = view_of(-1), first = view_of(0), latency = view_of(ATM_STATE_LATENCY);
    const char *majority = CLASSIFIER("majority", "\"busy\": 0.2"),
               *persistence = CLASSIFIER("persistence", "\"busy\": 0.2, \"memory\": 100"),
               *tree = CLASSIFIER("tree", "\"trees\": [{\"inputs\": [13, -1, -1], \"values\": "
                                          "[0.5, 0.25, 0.75]}]"),
               *boosting = CLASSIFIER(
                   "boosting", "\"base\": 0.5, \"forest\": {\"trees\": [{\"inputs\": [13, -1, -1], "
                               "\"values\": [0.5, 0.25, 0.75]}, {\"inputs\": [-1], \"values\": "
                               "[2]}]}"),
               *svm = CLASSIFIER("svm", "\"gamma\": 0.5, \"bias\": 0.1, \"vectors\": [" ZEROS
                                        ", " ONES "], \"alphas\": [2, -1]");

    (void) state;
    near(score(majority, &none), log(0.25));
    near(score(persistence, &none), log(0.25)); /* no write is known */
    none.last_busy = 1;
    none.last_age = 100;
    near(score(persistence, &none), log((0.2 + 0.8 / exp(1)) / (0.8 - 0.8 / exp(1))));
    near(score(tree, &none), -log(3));
    near(score(tree, &latency), log(3));
    near(score(boosting, &none), 2.75);
    near(score(boosting, &latency), 3.25);
    near(score(svm, &first), 0.1 + 2 * exp(-0.5) - exp(-7.5));
}

static void filtered(void **state)
{
    const char *text = CLASSIFIER("markov", "\"rates\": [0.001, 0.003], \"means\": [0, 1], "
                                            "\"deviations\": [0.5, 0.5]");
    atm_state_view view = view_of(-1);
    double busy = 0.25, keeps = exp(-0.004 * 30);

    (void) state;
    near(score(text, &view), log(1.0 / 3));
    view.recent = 2;
    for (int i = 0; i < 2; i++) {
        view.relative[i] = 0.8;
        view.age[i] = 40 - 30 * i;
    }
    for (int i = 0; i < 2; i++) {
        double odds = busy / (1 - busy) * exp((0.8 * 0.8 - 0.2 * 0.2) / 2 / 0.25);

        busy = odds / (1 + odds);
        busy = 0.25 + (busy - 0.25) * (i == 0 ? keeps : exp(-0.004 * 10));
    }
    near(score(text, &view), log(busy / (1 - busy)));
}

/* What is older than the window does not count, a single slow probe hardly. */
static void last_minutes(void **state)
{
    const char *text = CLASSIFIER("latency", "\"seconds\": 180, \"half\": 0.5, \"steepness\": 4, "
                                             "\"busy\": 0.2");
    static const double relative[] = {3, 0.9, 0.7, 3, 0.8}, age[] = {200, 150, 100, 50, 10};
    atm_state_view view = view_of(-1);

    (void) state;
    near(score(text, &view), log(0.25));
    view.recent = 5;
    memcpy(view.relative, relative, sizeof(relative));
    memcpy(view.age, age, sizeof(age));
    near(score(text, &view), 4 * (0.85 - 0.5));
    near(atm_state_level(&view, 60), 1.9);
    near(atm_state_level(&view, 20), 0.8);
    assert_true(isnan(atm_state_level(&view, 5)));
    view.relative[4] = NAN;
    near(atm_state_level(&view, 60), 3);
}

static void any_view(void **state)
{
    atm_classifier *c = make("{\"kind\": \"majority\", \"centre\": " ZEROS ", \"scale\": " ONES
                             ", \"slope\": 2, \"offset\": 1, \"parameters\": {\"busy\": 0.5}}");
    atm_state_view view;
    double inputs[ATM_STATE_FEATURES], ones[ATM_STATE_FEATURES], zeros[ATM_STATE_FEATURES] = {0};

    (void) state;
    near(atm_classifier_busy(c, &(atm_state_view){0}), 1 / (1 + exp(-1)));
    atm_classifier_destroy(c);
    for (int i = 0; i < ATM_STATE_FEATURES; i++) {
        ones[i] = 1;
        view.features[i] = i % 3 == 0 ? NAN : i % 3 == 1 ? INFINITY : -1;
    }
    view.typical = NAN;
    atm_state_inputs(&view, zeros, ones, inputs);
    for (int i = 0; i < ATM_STATE_FEATURES; i++)
        assert_true(inputs[i] == 0);
}

static void again(void **state)
{
    static const char *const texts[] = {
        CLASSIFIER("majority", "\"busy\": 0.2"),
        CLASSIFIER("persistence", "\"busy\": 0.2, \"memory\": 100"),
        CLASSIFIER("markov", "\"rates\": [0.001, 0.003], \"means\": [0, 1], \"deviations\": [1, "
                             "2]"),
        CLASSIFIER("naive_bayes", "\"busy\": 0.2, \"means\": [" ZEROS ", " ONES
                                  "], \"deviations\": [" ONES ", " ONES "]"),
        CLASSIFIER("forest", "\"trees\": [{\"inputs\": [-1], \"values\": [0.3]}]"),
        CLASSIFIER("boosting", "\"base\": 1, \"forest\": {\"trees\": [{\"inputs\": [-1], "
                               "\"values\": [2]}]}"),
        CLASSIFIER("svm", "\"gamma\": 1, \"bias\": 0, \"vectors\": [" ZEROS "], \"alphas\": [1]"),
        CLASSIFIER("mlp", "\"activation\": \"relu\", \"layers\": [{\"weights\": [[1],[1],[1],[1],"
                          "[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1]], \"biases\": [1]}]"),
    };
    atm_state_view view = view_of(3);

    (void) state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        atm_classifier *first = make(texts[i]), *second;
        atm_value *root = atm_value_object();
        char *text;
        size_t length;

        atm_classifier_write(first, root);
        assert_int_equal(atm_value_print(root, &text, &length), ATM_OK);
        second = make(text);
        assert_string_equal(atm_classifier_kind(first), atm_classifier_kind(second));
        assert_true(atm_classifier_busy(first, &view) == atm_classifier_busy(second, &view));
        free(text);
        atm_value_destroy(root);
        atm_classifier_destroy(first);
        atm_classifier_destroy(second);
    }
}

static void refused(void **state)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"[]", "text"},
        {"{}", "kind"},
        {CLASSIFIER("oracle", ""), "kind"},
        {"{\"kind\": \"majority\", \"centre\": [0], \"scale\": " ONES ", \"parameters\": {}}",
         "centre"},
        {"{\"kind\": \"majority\", \"centre\": " ZEROS ", \"scale\": [1], \"parameters\": {}}",
         "scale"},
        {"{\"kind\": \"majority\", \"centre\": " ZEROS ", \"scale\": " ONES "}", "parameters"},
        {"{\"kind\": \"majority\", \"centre\": " ZEROS ", \"scale\": " ONES
         ", \"slope\": 1e9, \"parameters\": {}}",
         "slope"},
        {CLASSIFIER("majority", "\"busy\": 2"), "parameters.busy"},
        {CLASSIFIER("majority", "\"busy\": 0.5, \"x\": 1"), "parameters.x"},
        {CLASSIFIER("persistence", "\"busy\": 0.5, \"memory\": 0"), "parameters.memory"},
        {CLASSIFIER("latency", "\"seconds\": 0"), "parameters.seconds"},
        {CLASSIFIER("latency", "\"seconds\": 180, \"half\": 0, \"steepness\": -1"),
         "parameters.steepness"},
        {CLASSIFIER("markov", "\"rates\": [0, 1]"), "parameters.rates"},
        {CLASSIFIER("markov", "\"rates\": [1, 1], \"means\": [1]"), "parameters.means"},
        {CLASSIFIER("markov", "\"rates\": [1, 1], \"means\": [1, 2], \"deviations\": [0, 1]"),
         "parameters.deviations"},
        {CLASSIFIER("naive_bayes", "\"busy\": 0.5, \"means\": [" ZEROS "]"), "parameters.means"},
        {CLASSIFIER("tree", "\"trees\": []"), "parameters.trees"},
        {CLASSIFIER("tree", "\"trees\": [{\"inputs\": [16, -1, -1], \"values\": [1, 1, 1]}]"),
         "parameters.trees[0].inputs"},
        {CLASSIFIER("forest", "\"trees\": [{\"inputs\": [0, -1], \"values\": [1, 1]}]"),
         "parameters.trees[0]"},
        {CLASSIFIER("boosting", "\"base\": 0"), "parameters.forest"},
        {CLASSIFIER("svm", "\"gamma\": 1, \"bias\": 0, \"vectors\": [[1]], \"alphas\": [1]"),
         "parameters.vectors"},
        {CLASSIFIER("mlp", "\"activation\": \"relu\", \"layers\": []"), "parameters.layers"},
    };

    (void) state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        atm_message message = {""};
        atm_value *root = NULL;
        atm_classifier *c = NULL;

        assert_int_equal(
            atm_value_parse(cases[i].text, strlen(cases[i].text), "text", &message, &root), ATM_OK);
        assert_int_equal(atm_classifier_read(root, &message, &c), ATM_BAD_FILE);
        if (strstr(message.text, cases[i].says) == NULL)
            fail_msg("case %zu: %s", i, message.text);
        atm_value_destroy(root);
    }
}

static void names(void **state)
{
    int count = 0;

    (void) state;
    while (atm_classifier_name((size_t) count) != NULL)
        count++;
    assert_int_equal(count, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),  cmocka_unit_test(last_minutes), cmocka_unit_test(filtered),
        cmocka_unit_test(any_view), cmocka_unit_test(again),        cmocka_unit_test(refused),
        cmocka_unit_test(names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
