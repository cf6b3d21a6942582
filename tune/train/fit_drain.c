/*
 * How fast write caches drain, as the bursts that filled them showed: a line through the logarithms
 * of rates and servers.  Writers and sizes make no difference to a full cache.
 */

#include "fit_cache.h"

#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdlib.h>

/* Relative error of a rate that bursts show: assumed. */
#define ERROR 0.25

static bool vary(const double *x, int count)
{
    for (int i = 1; i < count; i++)
        if (x[i] != x[0])
            return true;
    return false;
}

fit_drain fit_cache_drain(const points_cache *caches, int count)
{
    double *x = malloc((size_t) count * sizeof(double)),
           *y = malloc((size_t) count * sizeof(double));
    double rate = 0, servers = 0, unused[4];
    fit_drain drain = {0, 0};
    int known = 0;

    for (int i = 0; x != NULL && y != NULL && i < count; i++)
        if (caches[i].rate > 0) {
            x[known] = log(caches[i].servers);
            y[known++] = log(caches[i].rate);
        }
    for (int i = 0; i < known; i++)
        rate += y[i] / known;
    if (known > 0 && vary(x, known))
        gsl_fit_linear(x, 1, y, 1, (size_t) known, &rate, &servers, &unused[0], &unused[1],
                       &unused[2], &unused[3]);
    if (known > 0)
        drain = (fit_drain){exp(rate), fmin(fmax(servers, 0), 1)};
    free(x);
    free(y);
    return drain;
}

double fit_drain_seconds(const fit_drain *drain, const double *features)
{
    return features[ATM_RECEIVERS] * features[ATM_BYTES] /
           (drain->rate * pow(features[ATM_STRIPES], drain->servers));
}

void fit_drain_write(const fit_drain *drain, atm_value *surrogate)
{
    static const char *const names[] = {"receivers", "bytes", "stripes"};
    const double min[] = {1, 1, 1}, max[] = {1e6, 1e12, 1e4}, logarithms[] = {0, 0, 0};
    const double coefficients[] = {1, 1, -drain->servers};
    atm_value *features, *pipeline, *parameters;

    atm_put_string(surrogate, "model", "linear");
    features = atm_put_array(surrogate, "features");
    for (int i = 0; i < 3; i++)
        atm_put_string(features, NULL, names[i]);
    atm_put_numbers(surrogate, "min", min, 3);
    atm_put_numbers(surrogate, "max", max, 3);
    atm_put_number(surrogate, "error", ERROR);
    pipeline = atm_put_object(surrogate, "pipeline");
    atm_put_numbers(pipeline, "box_cox", logarithms, 3);
    atm_put_string(pipeline, "target", "log");
    parameters = atm_put_object(surrogate, "parameters");
    atm_put_number(parameters, "intercept", -log(drain->rate));
    atm_put_numbers(parameters, "coefficients", coefficients, 3);
}
