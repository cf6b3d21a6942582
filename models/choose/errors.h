/*
 * Errors of a prediction: by how many seconds it is off if one estimate is off by a
 * standard deviation.  Estimates with the same operation and features are one
 * estimate and err together; those of one operation err alike where their features
 * are close (atm_surrogate_correlation), those of different operations independently.
 */

#ifndef ATM_ERRORS_H
#define ATM_ERRORS_H

#include "counts/counts.h"
#include "files/profile.h"

/* The capacity of caches is an estimate as well. */
#define ERRORS_CAPACITY ATM_OPERATION_COUNT

typedef struct atm_error {
    int operation; /* atm_operation, or ERRORS_CAPACITY */
    double features[ATM_FEATURE_COUNT];
    double seconds; /* may be negative */
} atm_error;

enum { ERRORS_MAX = 2 * (2 * ATM_MAX_COST_ITEMS + 1) }; /* of two predictions */

typedef struct atm_errors {
    atm_error at[ERRORS_MAX];
    int count;
    double rest; /* seconds that nothing else of the sort shares */
} atm_errors;

bool atm_errors_has(const atm_errors *errors, int operation, const double *features);

/* Adds to the error of that estimate; features may be NULL for none. */
void atm_errors_add(atm_errors *errors, int operation, const double *features, double seconds);

/* Standard deviation of all together, and of one - other. */
double atm_errors_deviation(const atm_profile *profile, const atm_errors *errors);
double atm_errors_difference(const atm_profile *profile, const atm_errors *one,
                             const atm_errors *other);

#endif /* ATM_ERRORS_H */
