/*
 * Classifiers: how likely a storage target is busy, from what is known of it now.
 * They were learned by "autotune state train"; here they are only asked.
 *
 *     {"kind": "svm", "centre": [16 numbers], "scale": [16 numbers], "slope": 1, "offset": 0,
 *      "parameters": {...}}
 *
 * What is known is first made comparable between targets and machines: ln(1 + x) of
 * features of jobs, ln of latencies over what is typical of the target; then centred and
 * scaled, with 0 for what is not known or has scale 0.  A kind gives a score, and the
 * probability of busy is 1 / (1 + exp(-slope score - offset)) (Platt, 1999).
 */

#ifndef ATM_CLASSIFIER_H
#define ATM_CLASSIFIER_H

#include "value/value.h"

enum {
    ATM_STATE_FEATURES = 16, /* of the paper's Table II */
    ATM_STATE_LATENCY = 13,  /* the last three: latency of the newest probe, */
    ATM_STATE_MEAN = 14,     /* mean and standard deviation in the last ten minutes */
    ATM_STATE_SPREAD = 15,
    ATM_STATE_RECENT = 32
};

extern const char *const atm_state_feature_names[ATM_STATE_FEATURES + 1]; /* NULL at the end */

/* What is known of a target at a time; NaN: not known. */
typedef struct atm_state_view {
    double features[ATM_STATE_FEATURES]; /* as they are */
    double typical;                      /* median latency of this target */
    int recent;                          /* newest latencies, oldest first: */
    double relative[ATM_STATE_RECENT];   /* ln(latency / typical) */
    double age[ATM_STATE_RECENT];        /* seconds, falling */
    double last_busy, last_age; /* of the last large write: how likely it met the busy state */
} atm_state_view;

typedef struct atm_classifier atm_classifier;

/* Checks everything.  atm_classifier_destroy. */
atm_status atm_classifier_read(const atm_value *value, atm_message *message,
                               atm_classifier **classifier_p);
void atm_classifier_destroy(atm_classifier *classifier);

/* The members again, into an object. */
void atm_classifier_write(const atm_classifier *classifier, atm_value *object);

const char *atm_classifier_kind(const atm_classifier *classifier);
/* Names of all kinds; NULL after the last. */
const char *atm_classifier_name(size_t index);

/* Sets slope and offset. */
void atm_classifier_calibrate(atm_classifier *classifier, double slope, double offset);

/* Probability of busy, 0 < p < 1, for any view.  Allocates nothing. */
double atm_classifier_busy(const atm_classifier *classifier, const atm_state_view *view);
/* What slope and offset are applied to. */
double atm_classifier_score(const atm_classifier *classifier, const atm_state_view *view);

/* --- for training, which must see what is seen here */

/* Comparable, before centring; NaN: not known. */
void atm_state_comparable(const atm_state_view *view, double inputs_p[ATM_STATE_FEATURES]);
/* Median of relative latencies of the last seconds; NaN: there are none. */
double atm_state_level(const atm_state_view *view, double seconds);
/* Centred, scaled, complete and within +-ATM_STATE_FAR. */
void atm_state_inputs(const atm_state_view *view, const double *centre, const double *scale,
                      double inputs_p[ATM_STATE_FEATURES]);
#define ATM_STATE_FAR 6.0

#endif /* ATM_CLASSIFIER_H */
