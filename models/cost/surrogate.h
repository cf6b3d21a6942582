/*
 * Surrogates: what one elemental operation costs on one machine, learned from
 * measurements.  Inference only; README.md has the mathematics.
 *
 *     features -> clamp to the training range -> pipeline -> model -> seconds
 *              -> carried beyond the range by a latency/bandwidth law
 *
 * As it stands in a profile:
 *
 *     { "model": "knn", "features": ["nodes", "bytes"],
 *       "min": [128, 1], "max": [512, 1048576],    training range
 *       "beyond": ["linear", "linear"],            optional: law outside of it
 *       "error": 0.12,                             relative, cross-validation
 *       "errors": { "trees": [ ... ] },            optional: the same by place, a forest of
 *                                                  the features (surrogate_forest.c)
 *       "error_length": 0.7,                       optional: see atm_surrogate_correlation
 *       "seconds_min": 1e-6, "seconds_max": 2.5,   optional: no prediction
 *                                                  inside the range leaves these
 *       "correction": { "bytes": [4096, 1048576],  optional: factors on what follows, learned
 *                       "factor": [1.2, 0.9] },    in use; straight between, on logarithms
 *       "scaled": { "donor": "write_full",         optional: not learned from points of its own,
 *                   "factor": 0.9, "error": 0.2,   but this factor on what follows, which is the
 *                   "spread": 0.4, "points": 0 },  donor's: see atm_scaled
 *       "pipeline": { ... },                       optional: cost/pipeline.h
 *       "parameters": { ... } }                    of the model: sur_<model>.c
 *
 * or, where "model" is "mean", instead of the last two
 *
 *       "members": [ { "model": "svr", "pipeline": { ... }, "parameters": { ... } }, ... ] }
 *
 * and seconds are the geometric mean of what these say.
 *
 * A surrogate never changes after reading: any number of threads may ask it.
 */

#ifndef ATM_SURROGATE_H
#define ATM_SURROGATE_H

#include "atm.h"
#include "value/value.h"

typedef struct atm_surrogate atm_surrogate;

typedef struct atm_estimate {
    double seconds;     /* ATM_SECONDS_MIN to ATM_SECONDS_MAX, never NaN */
    double uncertainty; /* relative, one standard deviation, up to ATM_UNCERTAINTY_MAX */
    bool outside;       /* the query left the training range */
    double guessed;     /* share of the answer that rests on no measurement: 0 inside */
} atm_estimate;

/* No operation is faster than a nanosecond or slower than thirty years. */
#define ATM_SECONDS_MIN 1e-9
#define ATM_SECONDS_MAX 1e9

/* Nothing known. */
#define ATM_UNCERTAINTY_MAX 1e3

/* value: the object above, not needed afterwards.  The caller destroys the
 * surrogate.  ATM_OK, ATM_NO_MEMORY, or ATM_BAD_FILE and a message (may be NULL). */
atm_status atm_surrogate_read(const atm_value *value, atm_message *message,
                              atm_surrogate **surrogate_p);

/* Adds what _read accepts to object, every default spelled out; reading it
 * back gives the same surrogate to the last bit. */
void atm_surrogate_write(const atm_surrogate *surrogate, atm_value *object);

void atm_surrogate_destroy(atm_surrogate *surrogate);

/* Any features do, also NaN and infinity (taken as far outside).  Allocates
 * nothing. */
void atm_surrogate_predict(const atm_surrogate *surrogate, const double features[ATM_FEATURE_COUNT],
                           atm_estimate *estimate_p);

/* Correlation of the errors of two estimates, 0 to 1: exp(-distance / error_length), where the
 * distance is that of the logarithms of the features it looks at.  Of one that is scaled, the error
 * of the factor is the same everywhere. */
double atm_surrogate_correlation(const atm_surrogate *surrogate,
                                 const double one[ATM_FEATURE_COUNT],
                                 const double other[ATM_FEATURE_COUNT]);

/* Multiplies what it says of accesses or messages of some sizes, which grow; in between the factor
 * is interpolated.  For tools, before anybody asks it.  ATM_BAD_ARGUMENT: no or more than 16 sizes,
 * or numbers that are none. */
atm_status atm_surrogate_correct(atm_surrogate *surrogate, const double *bytes,
                                 const double *factors, int count);

/* Name of its model, for explanations. */
const char *atm_surrogate_model(const atm_surrogate *surrogate);

/* What is said of an operation that was not learned, but scaled by others (tools/train/scale.h). */
typedef struct atm_scaled {
    char donor[24]; /* an operation, ATM_SCALED_STORAGE or ATM_SCALED_BUILT_IN */
    double factor;  /* on its seconds */
    double error;   /* of the factor, relative: what all queries share */
    double spread;  /* from place to place, relative */
    int64_t points; /* of the operation itself that were measured */
} atm_scaled;

#define ATM_SCALED_STORAGE "storage" /* a law of all points of storage */
#define ATM_SCALED_BUILT_IN "built-in profile"

/* NULL: it was learned; as long as the surrogate lives. */
const atm_scaled *atm_surrogate_scaled(const atm_surrogate *surrogate);

/* True and the training range if the surrogate looks at the feature at all. */
bool atm_surrogate_range(const atm_surrogate *surrogate, atm_feature feature, double *min_p,
                         double *max_p);

#endif /* ATM_SURROGATE_H */
