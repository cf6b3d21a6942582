/* Sums of errors. */

#include "errors.h"

#include <math.h>
#include <string.h>

static atm_error *find(const atm_errors *errors, int operation, const double *features)
{
    for (int i = 0; i < errors->count; i++) {
        const atm_error *at = &errors->at[i];

        if (at->operation == operation && memcmp(at->features, features, sizeof(at->features)) == 0)
            return (atm_error *) at;
    }
    return NULL;
}

bool atm_errors_has(const atm_errors *errors, int operation, const double *features)
{
    return find(errors, operation, features) != NULL;
}

void atm_errors_add(atm_errors *errors, int operation, const double *features, double seconds)
{
    static const double none[ATM_FEATURE_COUNT];
    atm_error *at;

    if (features == NULL)
        features = none;
    at = find(errors, operation, features);
    if (at == NULL) {
        at = &errors->at[errors->count++];
        at->operation = operation;
        at->seconds = 0;
        memcpy(at->features, features, sizeof(at->features));
    }
    at->seconds += seconds;
}

static double correlation(const atm_profile *profile, const atm_error *one, const atm_error *other)
{
    if (one->operation != other->operation || one->operation == ERRORS_CAPACITY)
        return 0;
    return atm_surrogate_correlation(profile->operations[one->operation], one->features,
                                     other->features);
}

double atm_errors_deviation(const atm_profile *profile, const atm_errors *errors)
{
    double variance = errors->rest * errors->rest;

    for (int i = 0; i < errors->count; i++) {
        const atm_error *one = &errors->at[i];

        variance += one->seconds * one->seconds;
        for (int k = 0; k < i; k++)
            variance += 2 * one->seconds * errors->at[k].seconds *
                        correlation(profile, one, &errors->at[k]);
    }
    return variance > 0 ? sqrt(variance) : 0;
}

double atm_errors_difference(const atm_profile *profile, const atm_errors *one,
                             const atm_errors *other)
{
    atm_errors both = *one;

    both.rest = sqrt(one->rest * one->rest + other->rest * other->rest);
    for (int i = 0; i < other->count; i++)
        atm_errors_add(&both, other->at[i].operation, other->at[i].features, -other->at[i].seconds);
    return atm_errors_deviation(profile, &both);
}
