/* Classifiers: all kinds by name, files, and what they are asked with. */

#include "classifier.h"

#include <math.h>
#include <stdlib.h>

#include "classifier_kind.h"
#include "cost/surrogate_kind.h"
#include "cost/surrogate_math.h"

static const atm_classifier_kind_table *const kinds[] = {
    &atm_classifier_majority, &atm_classifier_persistence, &atm_classifier_latency,
    &atm_classifier_markov,   &atm_classifier_naive_bayes, &atm_classifier_tree,
    &atm_classifier_forest,   &atm_classifier_boosting,    &atm_classifier_svm,
    &atm_classifier_mlp};

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

const char *const atm_state_feature_names[ATM_STATE_FEATURES + 1] = {
    "total",  "batch",       "debug",        "extra_large",       "large", "medium",
    "small",  "extra_small", "new",          "middle_aged",       "old",   "virtual_memory",
    "memory", "latency",     "latency_mean", "latency_deviation", NULL};

struct atm_classifier {
    const atm_classifier_kind_table *kind;
    double centre[ATM_STATE_FEATURES], scale[ATM_STATE_FEATURES];
    double slope, offset;
    void *model; /* ours */
};

const char *atm_classifier_name(size_t index)
{
    return index < KINDS ? kinds[index]->name : NULL;
}

const char *atm_classifier_kind(const atm_classifier *classifier)
{
    return classifier->kind->name;
}

/* --- files */

static atm_status read_kind(const atm_value *value, atm_message *message,
                            const atm_classifier_kind_table **kind_p)
{
    const char *names[KINDS];
    size_t index = 0;
    atm_status status;

    for (int i = 0; i < KINDS; i++)
        names[i] = kinds[i]->name;
    status = atm_get_choice(value, "kind", names, KINDS, message, &index);
    if (status == ATM_OK)
        *kind_p = kinds[index];
    return status;
}

static atm_status read_model(const atm_value *value, atm_message *message, atm_classifier *c)
{
    const atm_value *parameters;
    atm_status status = atm_get_object(value, "parameters", message, &parameters);

    if (status != ATM_OK)
        return status;
    c->model = calloc(1, c->kind->size); /* atm_classifier_destroy */
    return c->model != NULL ? c->kind->read(parameters, message, c->model) : ATM_NO_MEMORY;
}

static atm_status read_all(const atm_value *value, atm_message *message, atm_classifier *c)
{
    static const char *const keys[] = {"kind",   "centre",     "scale", "slope",
                                       "offset", "parameters", NULL};
    atm_status status = atm_check_keys(value, keys, message);

    c->slope = 1;
    if (status == ATM_OK)
        status = read_kind(value, message, &c->kind);
    if (status == ATM_OK)
        status = atm_get_row(value, "centre", ATM_STATE_FEATURES, -1e30, 1e30, message, c->centre);
    if (status == ATM_OK)
        status = atm_get_row(value, "scale", ATM_STATE_FEATURES, 0, 1e30, message, c->scale);
    if (status == ATM_OK)
        status = atm_opt_number(value, "slope", -1e6, 1e6, message, &c->slope);
    if (status == ATM_OK)
        status = atm_opt_number(value, "offset", -1e6, 1e6, message, &c->offset);
    return status == ATM_OK ? read_model(value, message, c) : status;
}

atm_status atm_classifier_read(const atm_value *value, atm_message *message,
                               atm_classifier **classifier_p)
{
    atm_classifier *c = calloc(1, sizeof(*c)); /* atm_classifier_destroy */
    const atm_value *object;
    atm_status status = ATM_NO_MEMORY;

    if (c != NULL)
        status = atm_get_object(value, NULL, message, &object);
    if (status == ATM_OK)
        status = read_all(object, message, c);
    if (status == ATM_OK)
        *classifier_p = c;
    else
        atm_classifier_destroy(c);
    return status;
}

void atm_classifier_destroy(atm_classifier *classifier)
{
    if (classifier == NULL)
        return;
    if (classifier->model != NULL && classifier->kind->clear != NULL)
        classifier->kind->clear(classifier->model);
    free(classifier->model);
    free(classifier);
}

void atm_classifier_write(const atm_classifier *classifier, atm_value *object)
{
    atm_put_string(object, "kind", classifier->kind->name);
    atm_put_numbers(object, "centre", classifier->centre, ATM_STATE_FEATURES);
    atm_put_numbers(object, "scale", classifier->scale, ATM_STATE_FEATURES);
    atm_put_number(object, "slope", classifier->slope);
    atm_put_number(object, "offset", classifier->offset);
    classifier->kind->write(classifier->model, atm_put_object(object, "parameters"));
}

void atm_classifier_calibrate(atm_classifier *classifier, double slope, double offset)
{
    classifier->slope = slope;
    classifier->offset = offset;
}

/* --- asking */

/* Logarithm of a value that traces may have; NaN for any other. */
static double log_of(double x)
{
    return x > 1e-30 && x < 1e30 ? sur_log(x) : NAN;
}

void atm_state_comparable(const atm_state_view *view, double inputs_p[ATM_STATE_FEATURES])
{
    const double *x = view->features;

    for (int i = 0; i < ATM_STATE_LATENCY; i++)
        inputs_p[i] = x[i] >= 0 ? log_of(1 + x[i]) : NAN;
    inputs_p[ATM_STATE_LATENCY] = log_of(x[ATM_STATE_LATENCY] / view->typical);
    inputs_p[ATM_STATE_MEAN] = log_of(x[ATM_STATE_MEAN] / view->typical);
    /* a hundredth of the latency is as good as none */
    inputs_p[ATM_STATE_SPREAD] = log_of(x[ATM_STATE_SPREAD] / view->typical + 0.01);
}

void atm_state_inputs(const atm_state_view *view, const double *centre, const double *scale,
                      double inputs_p[ATM_STATE_FEATURES])
{
    atm_state_comparable(view, inputs_p);
    for (int i = 0; i < ATM_STATE_FEATURES; i++) {
        double x = scale[i] > 0 ? (inputs_p[i] - centre[i]) / scale[i] : 0;

        inputs_p[i] = isnan(x)             ? 0
                      : x > ATM_STATE_FAR  ? ATM_STATE_FAR
                      : x < -ATM_STATE_FAR ? -ATM_STATE_FAR
                                           : x;
    }
}

double atm_classifier_score(const atm_classifier *classifier, const atm_state_view *view)
{
    double inputs[ATM_STATE_FEATURES];

    atm_state_inputs(view, classifier->centre, classifier->scale, inputs);
    return classifier->kind->score(classifier->model, inputs, view);
}

double atm_classifier_busy(const atm_classifier *classifier, const atm_state_view *view)
{
    double x = classifier->slope * atm_classifier_score(classifier, view) + classifier->offset;

    if (isnan(x)) /* overflow in an absurd model */
        return 0.5;
    x = x > 14 ? 14 : x < -14 ? -14 : x; /* nothing here is surer than one in a million */
    return 1 / (1 + sur_exp(-x));
}
