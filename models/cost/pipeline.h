/*
 * The preprocessing pipeline between the features of a query and the inputs of
 * a model, and between the output of a model and seconds (paper, section VI-A).
 * Each step is optional; they come in this order:
 *
 *     Box-Cox    x -> (x^lambda - 1) / lambda, log x for lambda 0     per feature
 *     centre     x -> x - centre                                      per feature
 *     scale      x -> x / scale                                       per feature
 *     PCA        x -> rotation x                                      all features
 *     target     seconds = output, or exp(output) for a log target
 *
 *     { "box_cox": [0, 1, 0.5],        0: log x, 1: x - 1
 *       "centre": [..], "scale": [..],
 *       "pca": [[..], ..],             a row for each component that is kept
 *       "target": "log" }              or "linear", the default
 */

#ifndef ATM_PIPELINE_H
#define ATM_PIPELINE_H

#include "atm.h"
#include "value/value.h"

typedef struct atm_pipeline {
    int features; /* that come in */
    int inputs;   /* that go on to the model: components of a PCA, else features */
    bool boxed, centred, scaled, rotated;
    bool log_target;
    double lambda[ATM_FEATURE_COUNT];
    double centre[ATM_FEATURE_COUNT];
    double scale[ATM_FEATURE_COUNT];
    double rotation[ATM_FEATURE_COUNT][ATM_FEATURE_COUNT];
} atm_pipeline;

/* value: the object above, or NULL for no preprocessing.  min: the smallest
 * value of each feature, which must be above 0 where there is a Box-Cox step. */
atm_status atm_pipeline_read(const atm_value *value, int features, const double *min,
                             atm_message *message, atm_pipeline *pipeline_p);
void atm_pipeline_write(const atm_pipeline *pipeline, atm_value *object);

/* features[pipeline->features] -> inputs_p[pipeline->inputs] */
void atm_pipeline_inputs(const atm_pipeline *pipeline, const double *features, double *inputs_p);
/* Seconds of a model's output; may still be negative or infinite. */
double atm_pipeline_seconds(const atm_pipeline *pipeline, double output);

#endif /* ATM_PIPELINE_H */
