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
 *       "outside": { "size": 0.1, "scale": 0.2,    optional: how errors grow outside of what was
 *                    "stripes": 0.4,               measured: see atm_surrogate_away
 *                    "alike": 0.7,
 *                    "powers": [0.9, 0],           optional
 *                    "spacing": 0.5,
 *                    "features": ["nodes", "bytes"], "places": [128, 1, ...] },
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

/*
 * "outside".  The nearest of "places" (values of its "features", one place after the other) is so
 * many doublings away, in bytes, in stripes, and in the feature of scale (any other) that is
 * farthest.  What that exceeds "spacing" by, which is how far they are from each other, or what the
 * query is beyond all of them, if that is more, adds to the variance of ln(seconds) the square of
 * "size", "scale" or "stripes" for each doubling; "alike" is the share of it that all queries in
 * the same direction have in common.  "powers": beyond the range, time grows with features of scale
 * by these exponents, not by the laws.
 */
typedef enum atm_away { ATM_AWAY_SIZE, ATM_AWAY_SCALE, ATM_AWAY_STRIPES, ATM_AWAY_COUNT } atm_away;

extern const char *const atm_away_names[ATM_AWAY_COUNT + 1];

enum { ATM_AWAY_PLACES = 96 }; /* that are kept of those measured, at most */

atm_away atm_away_of(atm_feature feature);

/* Doublings beyond what was measured, negative if the query has less; all 0 without "outside".
 * Bytes below the range are no distance: they take no longer. */
void atm_surrogate_away(const atm_surrogate *surrogate, const double features[ATM_FEATURE_COUNT],
                        double away_p[ATM_AWAY_COUNT]);

/* Doublings from one place to another, over all directions; values of features[count]. */
double atm_away_between(const atm_feature *features, int count, const double *from,
                        const double *to);

/* Name of its model, for explanations. */
const char *atm_surrogate_model(const atm_surrogate *surrogate);

/* What is said of an operation that was not learned, but scaled by others (tune/train/scale.h). */
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

/* Relative error where it was measured: of the cross-validation, or of what it is scaled by. */
double atm_surrogate_error(const atm_surrogate *surrogate);

/* True and the training range if the surrogate looks at the feature at all. */
bool atm_surrogate_range(const atm_surrogate *surrogate, atm_feature feature, double *min_p,
                         double *max_p);

/* Does what it says depend on the feature, also if only for the errors outside? */
bool atm_surrogate_uses(const atm_surrogate *surrogate, atm_feature feature);

#endif /* ATM_SURROGATE_H */
