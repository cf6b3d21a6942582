/* Storage of which no operation was learned: a law of powers of all its points. */

#include "scale_inside.h"

#include <gsl/gsl_linalg.h>
#include <math.h>

/*
 * ln(seconds) = level + exponents x ln(features) + offset of the operation: normal priors, of
 * exponents and of offsets from those of write_full as the kept grounds have them, of the level
 * none to speak of.
 */
enum { LEVEL = SCALE_FEATURES, OFFSETS, UNKNOWNS = OFFSETS + ATM_OPERATION_COUNT };

typedef struct law {
    gsl_matrix *covariance; /* at first its inverse */
    gsl_vector *mean;
    int points;
    double centre[SCALE_FEATURES], min[SCALE_FEATURES], max[SCALE_FEATURES];
} law;

static void law_row(const law *l, const points_point *point, double row[UNKNOWNS])
{
    for (int i = 0; i < UNKNOWNS; i++)
        row[i] = i < SCALE_FEATURES ? log(point->features[scale_features[i]]) - l->centre[i] : 0;
    row[LEVEL] = row[OFFSETS + (int) point->operation] = 1;
}

static void law_prior(law *l, gsl_vector *right)
{
    for (int i = 0; i < UNKNOWNS; i++) {
        double mean = 0, deviation = SCALE_UNKNOWN;

        if (i < SCALE_FEATURES) {
            mean = scale_exponents[i].mean;
            deviation = scale_exponents[i].deviation;
        } else if (i >= OFFSETS) {
            const scale_ratio *ratio =
                scale_ratio_of((atm_operation) (i - OFFSETS), (int) ATM_WRITE_FULL);

            mean = ratio != NULL ? ratio->mean : 0;
            deviation = ratio != NULL ? ratio->between : 1e-3; /* write_full: it has none */
        }
        gsl_matrix_set(l->covariance, (size_t) i, (size_t) i, 1 / scale_square(deviation));
        gsl_vector_set(right, (size_t) i, mean / scale_square(deviation));
    }
}

static bool in_law(const points_point *point)
{
    return scale_is_storage(point->operation) && scale_possible(point->operation);
}

static void law_range(law *l, const train_result *result)
{
    for (int i = 0; i < result->few_count; i++) {
        if (!in_law(result->few[i]))
            continue;
        for (int k = 0; k < SCALE_FEATURES; k++) {
            double x = result->few[i]->features[scale_features[k]];

            l->centre[k] += log(x);
            l->min[k] = l->points == 0 ? x : fmin(l->min[k], x);
            l->max[k] = l->points == 0 ? x : fmax(l->max[k], x);
        }
        l->points++;
    }
    for (int k = 0; k < SCALE_FEATURES; k++)
        l->centre[k] /= l->points;
}

static void law_solve(law *l, const train_result *result, gsl_vector *right)
{
    law_prior(l, right);
    for (int i = 0; i < result->few_count; i++) {
        double row[UNKNOWNS], precision = 1 / scale_square(scale_law_within);

        if (!in_law(result->few[i]))
            continue;
        law_row(l, result->few[i], row);
        for (int a = 0; a < UNKNOWNS; a++) {
            *gsl_vector_ptr(right, (size_t) a) += precision * row[a] * log(result->few[i]->seconds);
            for (int b = 0; b < UNKNOWNS; b++)
                *gsl_matrix_ptr(l->covariance, (size_t) a, (size_t) b) +=
                    precision * row[a] * row[b];
        }
    }
    gsl_linalg_cholesky_decomp1(l->covariance); /* positive definite, as the prior is */
    gsl_linalg_cholesky_solve(l->covariance, right, l->mean);
    gsl_linalg_cholesky_invert(l->covariance);
}

static double get(const law *l, int a, int b)
{
    return gsl_matrix_get(l->covariance, (size_t) a, (size_t) b);
}

static void law_put(const law *l, atm_operation operation, int points, atm_value *operations)
{
    static const double logarithms[SCALE_FEATURES] = {0};
    atm_value *object = atm_put_object(operations, atm_operation_name(operation));
    int own = OFFSETS + (int) operation;
    scale_factor f = {0, get(l, LEVEL, LEVEL) + get(l, own, own) + 2 * get(l, LEVEL, own)};
    double intercept = gsl_vector_get(l->mean, LEVEL) + gsl_vector_get(l->mean, (size_t) own);
    atm_value *list, *pipeline, *parameters;
    double exponents[SCALE_FEATURES];

    for (int k = 0; k < SCALE_FEATURES; k++) {
        exponents[k] = gsl_vector_get(l->mean, (size_t) k);
        intercept -= exponents[k] * l->centre[k];
    }
    atm_put_string(object, "model", "linear");
    list = atm_put_array(object, "features");
    for (int k = 0; k < SCALE_FEATURES; k++)
        atm_put_string(list, NULL, atm_feature_name(scale_features[k]));
    atm_put_numbers(object, "min", l->min, SCALE_FEATURES);
    atm_put_numbers(object, "max", l->max, SCALE_FEATURES);
    atm_put_number(object, "error", 0);
    pipeline = atm_put_object(object, "pipeline");
    atm_put_numbers(pipeline, "box_cox", logarithms, SCALE_FEATURES);
    atm_put_string(pipeline, "target", "log");
    parameters = atm_put_object(object, "parameters");
    atm_put_number(parameters, "intercept", intercept);
    atm_put_numbers(parameters, "coefficients", exponents, SCALE_FEATURES);
    scale_put_facts(object, ATM_SCALED_STORAGE, &f, scale_law_within, points);
}

atm_status scale_by_law(const train_result *result, atm_value *operations)
{
    law l = {.covariance = gsl_matrix_calloc(UNKNOWNS, UNKNOWNS),
             .mean = gsl_vector_calloc(UNKNOWNS)};
    gsl_vector *right = gsl_vector_calloc(UNKNOWNS);
    atm_status status = ATM_NO_MEMORY;

    if (l.covariance != NULL && l.mean != NULL && right != NULL) {
        law_range(&l, result);
        if (l.points > 0)
            law_solve(&l, result, right);
        for (int i = 0; l.points > 0 && i < ATM_OPERATION_COUNT; i++) {
            int count;

            scale_points_of(result, (atm_operation) i, &count);
            if (scale_is_storage((atm_operation) i) && scale_possible((atm_operation) i))
                law_put(&l, (atm_operation) i, count, operations);
        }
        status = ATM_OK;
    }
    gsl_vector_free(right);
    gsl_vector_free(l.mean);
    gsl_matrix_free(l.covariance);
    return status;
}
