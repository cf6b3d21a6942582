/* Preprocessing: what cost/pipeline.h describes. */

#include "pipeline.h"

#include <stdlib.h>
#include <string.h>

#include "surrogate_kind.h"
#include "surrogate_math.h"

enum { MAX_LAMBDA = 5 }; /* of practical use; keeps powers finite */

static const char *const target_names[] = {"linear", "log"};

/* --- reading and writing */

/* An optional array with a number for each feature. */
static atm_status read_step(const atm_value *object, const char *key, int features, double min,
                            double max, atm_message *message, bool *present_p, double *numbers_p)
{
    size_t length = (size_t) features;
    double *numbers;
    atm_status status;

    if (atm_value_find(object, key) == NULL)
        return ATM_OK;
    status = atm_get_numbers(object, key, length, length, min, max, message, &numbers, &length);
    if (status != ATM_OK)
        return status;
    memcpy(numbers_p, numbers, length * sizeof(double));
    free(numbers);
    *present_p = true;
    return ATM_OK;
}

/* x^lambda needs a positive x, lambda 1 does not raise x to a power */
static atm_status check_lambdas(const atm_value *object, const double *min, atm_message *message,
                                const atm_pipeline *p)
{
    for (int i = 0; p->boxed && i < p->features; i++)
        if (p->lambda[i] != 1 && !(min[i] >= 1 / SUR_BIG))
            return atm_complain(object, "box_cox", message,
                                "needs features above 0, but the training range of number %d "
                                "starts at %g",
                                i, min[i]);
    return ATM_OK;
}

static atm_status read_rotation(const atm_value *object, atm_message *message, atm_pipeline *p)
{
    size_t rows, columns = (size_t) p->features;
    double *rotation;
    atm_status status;

    if (atm_value_find(object, "pca") == NULL)
        return ATM_OK;
    status = atm_get_matrix(object, "pca", 1, columns, columns, columns, -SUR_BIG, SUR_BIG, message,
                            &rotation, &rows, &columns);
    if (status != ATM_OK)
        return status;
    for (size_t i = 0; i < rows; i++)
        memcpy(p->rotation[i], rotation + i * columns, columns * sizeof(double));
    free(rotation);
    p->rotated = true;
    p->inputs = (int) rows;
    return ATM_OK;
}

atm_status atm_pipeline_read(const atm_value *value, int features, const double *min,
                             atm_message *message, atm_pipeline *pipeline_p)
{
    static const char *const keys[] = {"box_cox", "centre", "scale", "pca", "target", NULL};
    atm_pipeline p = {.features = features, .inputs = features};
    size_t target = 0;
    atm_status status = ATM_OK;

    if (value != NULL) {
        status = atm_check_keys(value, keys, message);
        if (status == ATM_OK)
            status = read_step(value, "box_cox", features, -MAX_LAMBDA, MAX_LAMBDA, message,
                               &p.boxed, p.lambda);
        if (status == ATM_OK)
            status = check_lambdas(value, min, message, &p);
        if (status == ATM_OK)
            status = read_step(value, "centre", features, -SUR_BIG, SUR_BIG, message, &p.centred,
                               p.centre);
        if (status == ATM_OK)
            status = read_step(value, "scale", features, 1 / SUR_BIG, SUR_BIG, message, &p.scaled,
                               p.scale);
        if (status == ATM_OK)
            status = read_rotation(value, message, &p);
        if (status == ATM_OK)
            status = atm_opt_choice(value, "target", target_names, 2, message, &target);
    }
    if (status != ATM_OK)
        return status;
    p.log_target = target == 1;
    *pipeline_p = p;
    return ATM_OK;
}

void atm_pipeline_write(const atm_pipeline *pipeline, atm_value *object)
{
    size_t features = (size_t) pipeline->features;

    if (pipeline->boxed)
        atm_put_numbers(object, "box_cox", pipeline->lambda, features);
    if (pipeline->centred)
        atm_put_numbers(object, "centre", pipeline->centre, features);
    if (pipeline->scaled)
        atm_put_numbers(object, "scale", pipeline->scale, features);
    if (pipeline->rotated) {
        atm_value *rows = atm_put_array(object, "pca");

        for (int i = 0; i < pipeline->inputs; i++)
            atm_put_numbers(rows, NULL, pipeline->rotation[i], features);
    }
    atm_put_string(object, "target", target_names[pipeline->log_target]);
}

/* --- use */

/* Box and Cox, J. Royal Statistical Society B 26(2), 1964 */
static double box_cox(double x, double lambda)
{
    if (lambda == 0)
        return sur_log(x);
    if (lambda == 1)
        return x - 1;
    return sur_expm1(lambda * sur_log(x)) / lambda;
}

static double bounded(double x)
{
    return x < -SUR_BIG ? -SUR_BIG : x > SUR_BIG ? SUR_BIG : x;
}

void atm_pipeline_inputs(const atm_pipeline *pipeline, const double *features, double *inputs_p)
{
    double x[ATM_FEATURE_COUNT];

    for (int i = 0; i < pipeline->features; i++) {
        x[i] = features[i];
        if (pipeline->boxed)
            x[i] = box_cox(x[i], pipeline->lambda[i]);
        if (pipeline->centred)
            x[i] -= pipeline->centre[i];
        if (pipeline->scaled)
            x[i] /= pipeline->scale[i];
        x[i] = bounded(x[i]);
    }
    for (int row = 0; row < pipeline->inputs; row++) {
        double sum = x[row];

        if (pipeline->rotated) {
            sum = 0;
            for (int i = 0; i < pipeline->features; i++)
                sum += pipeline->rotation[row][i] * x[i];
        }
        inputs_p[row] = bounded(sum);
    }
}

double atm_pipeline_seconds(const atm_pipeline *pipeline, double output)
{
    return pipeline->log_target ? sur_exp(output) : output;
}
