/* A Gaussian process over the points of a space. */

#include "gp.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cholesky.h"

#define CONSTANT 1.0 /* variance of m */
#define SLOPE 0.25   /* of b */

/* Squared inverse scales: a parameter's whole range is so many of its scales. */
static const double weights[] = {0, 0.25, 1, 4, 16};
static const double amplitudes[] = {0.05, 0.15, 0.4, 0.8, 1.6};
static const double noises[] = {0.01, 0.03, 0.1, 0.3};

enum { WEIGHTS = 5, AMPLITUDES = 5, NOISES = 4, USUAL_WEIGHT = 2, SWEEPS = 2, TRIES = 4 };

struct ats_gp {
    const ats_space *space;
    int count;
    ats_point *points;
    double *predicted;           /* less their mean */
    double mean_predicted, mean; /* of these, of y - p */
    double *rest;                /* y - p - mean */
    double *factor;              /* Cholesky's, of the covariance, lower */
    double *solution;            /* covariance^-1 rest */
    double *distances;           /* [pairs][parameters], while scales are learned */
    ats_gp_scales scales;
};

double ats_choice_distance(const ats_parameter *parameter, int one, int other)
{
    double range = parameter->count > 1 ? parameter->count - 1 : 1, a, b;

    if (one == other)
        return 0;
    if (!parameter->ordered)
        return 1;
    /* left alone is half a range away from everything */
    a = one > 0 ? (one - 1) / range : 0.5;
    b = other > 0 ? (other - 1) / range : 0.5;
    return (a - b) * (a - b) + (one == 0 || other == 0 ? 0.25 : 0);
}

static double matern(double squared)
{
    double r = sqrt(5 * squared);

    return (1 + r + r * r / 3) * exp(-r);
}

/* Covariance of f at two points, from their distances in each parameter. */
static double covariance(const ats_gp *gp, const double *distances)
{
    double amplitude = amplitudes[gp->scales.amplitude], sum = 0, parts = 0;

    for (int i = 0; i < gp->space->count; i++) {
        double scaled = weights[gp->scales.weights[i]] * distances[i];

        sum += scaled;
        parts += scaled > 0 ? matern(scaled) : 1;
    }
    return amplitude * amplitude * 0.5 * (matern(sum) + parts / gp->space->count);
}

static void distances_of(const ats_gp *gp, const ats_point *one, const ats_point *other,
                         double *distances_p)
{
    for (int i = 0; i < gp->space->count; i++)
        distances_p[i] =
            ats_choice_distance(&gp->space->parameters[i], one->choice[i], other->choice[i]);
}

static double linear(double one, double other)
{
    return CONSTANT + SLOPE * one * other;
}

/* --- fitting */

static void fill(ats_gp *gp, double noise)
{
    const double *distances = gp->distances;

    for (int i = 0; i < gp->count; i++)
        for (int k = 0; k <= i; k++) {
            gp->factor[i * gp->count + k] = covariance(gp, distances) +
                                            linear(gp->predicted[i], gp->predicted[k]) +
                                            (i == k ? noise : 0);
            distances += gp->space->count;
        }
}

/* The noise on the diagonal keeps the covariance positive; where rounding does not let it, more
 * noise may. */
static bool factorise(ats_gp *gp)
{
    double noise = noises[gp->scales.noise] * noises[gp->scales.noise];

    for (int tries = 0; tries < TRIES; tries++, noise *= 10) {
        fill(gp, noise);
        if (cholesky_factor(gp->factor, gp->count))
            return true;
    }
    return false;
}

/* Log prior of the scales: few points say little about them, so unusual ones need evidence. */
static double prejudice(const ats_gp *gp)
{
    double sum = 0;

    for (int i = 0; i < gp->space->count; i++) {
        int steps = gp->scales.weights[i] - USUAL_WEIGHT;

        sum -= 0.25 * steps * steps;
    }
    return sum;
}

/* The logarithm of the likelihood, without its constant; minus infinity without a factor. */
static double likelihood(ats_gp *gp)
{
    double result = prejudice(gp);

    if (!factorise(gp))
        return -INFINITY;
    memcpy(gp->solution, gp->rest, (size_t) gp->count * sizeof(double));
    cholesky_forward(gp->factor, gp->count, gp->solution);
    for (int i = 0; i < gp->count; i++)
        result -= 0.5 * gp->solution[i] * gp->solution[i] + log(gp->factor[i * gp->count + i]);
    return result;
}

/* The best value of one scale, the others as they are. */
static void improve(ats_gp *gp, int *scale, int values, double *best)
{
    int found = *scale, before = *scale;

    for (int i = 0; i < values; i++) {
        double value;

        if (i == before)
            continue;
        *scale = i;
        value = likelihood(gp);
        if (value > *best) {
            *best = value;
            found = i;
        }
    }
    *scale = found;
}

static void learn(ats_gp *gp)
{
    double best;

    if (!gp->scales.known) {
        gp->scales = (ats_gp_scales){.known = true, .amplitude = 2, .noise = 1};
        for (int i = 0; i < gp->space->count; i++)
            gp->scales.weights[i] = USUAL_WEIGHT;
    }
    best = likelihood(gp);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        improve(gp, &gp->scales.amplitude, AMPLITUDES, &best);
        improve(gp, &gp->scales.noise, NOISES, &best);
        for (int i = 0; i < gp->space->count; i++)
            improve(gp, &gp->scales.weights[i], WEIGHTS, &best);
    }
}

static void centre(ats_gp *gp, const double *y, const double *predicted)
{
    for (int i = 0; i < gp->count; i++) {
        gp->mean_predicted += predicted != NULL ? predicted[i] / gp->count : 0;
        gp->mean += (y[i] - (predicted != NULL ? predicted[i] : 0)) / gp->count;
    }
    for (int i = 0; i < gp->count; i++) {
        gp->predicted[i] = predicted != NULL ? predicted[i] - gp->mean_predicted : 0;
        gp->rest[i] = y[i] - (predicted != NULL ? predicted[i] : 0) - gp->mean;
    }
}

static bool allocate(ats_gp *gp)
{
    size_t n = (size_t) gp->count, pairs = n * (n + 1) / 2;

    gp->points = malloc(n * sizeof(*gp->points));
    gp->predicted = malloc(n * sizeof(double));
    gp->rest = malloc(n * sizeof(double));
    gp->solution = malloc(n * sizeof(double));
    gp->factor = malloc(n * n * sizeof(double));
    gp->distances = malloc(pairs * (size_t) gp->space->count * sizeof(double));
    return gp->points != NULL && gp->predicted != NULL && gp->rest != NULL &&
           gp->solution != NULL && gp->factor != NULL && gp->distances != NULL;
}

void ats_gp_destroy(ats_gp *gp)
{
    if (gp == NULL)
        return;
    free(gp->points);
    free(gp->predicted);
    free(gp->rest);
    free(gp->solution);
    free(gp->factor);
    free(gp->distances);
    free(gp);
}

static atm_status solve(ats_gp *gp)
{
    gsl_error_handler_t *handler = gsl_set_error_handler_off(); /* its own ends the program */
    double likely;

    if (!gp->scales.known)
        learn(gp);
    likely = likelihood(gp);
    gsl_set_error_handler(handler);
    if (likely == -INFINITY)
        return ATM_BAD_ARGUMENT;
    cholesky_backward(gp->factor, gp->count, gp->solution);
    return ATM_OK;
}

atm_status ats_gp_fit(const ats_space *space, const ats_point *points, const double *y,
                      const double *predicted, int count, ats_gp_scales *scales, ats_gp **gp_p)
{
    ats_gp *gp = calloc(1, sizeof(*gp));
    atm_status status = ATM_NO_MEMORY;
    double *distances;

    if (gp == NULL)
        return status;
    gp->space = space;
    gp->count = count;
    gp->scales = *scales;
    if (allocate(gp)) {
        memcpy(gp->points, points, (size_t) count * sizeof(*points));
        distances = gp->distances;
        for (int i = 0; i < count; i++)
            for (int k = 0; k <= i; k++, distances += space->count)
                distances_of(gp, &points[i], &points[k], distances);
        centre(gp, y, predicted);
        status = solve(gp);
    }
    if (status != ATM_OK) {
        ats_gp_destroy(gp);
        return status;
    }
    free(gp->distances);
    gp->distances = NULL;
    *scales = gp->scales;
    *gp_p = gp;
    return ATM_OK;
}

/* --- asking */

void ats_gp_at(const ats_gp *gp, const ats_point *point, double predicted, double *mean_p,
               double *deviation_p)
{
    double rest = predicted - gp->mean_predicted, mean = predicted + gp->mean;
    double amplitude = amplitudes[gp->scales.amplitude], distances[ATS_PARAMETERS];
    double covariances[ATS_GP_POINTS];
    double variance = amplitude * amplitude + linear(rest, rest);

    for (int i = 0; i < gp->count; i++) {
        distances_of(gp, point, &gp->points[i], distances);
        covariances[i] = covariance(gp, distances) + linear(rest, gp->predicted[i]);
        mean += covariances[i] * gp->solution[i];
    }
    cholesky_forward(gp->factor, gp->count, covariances);
    for (int i = 0; i < gp->count; i++)
        variance -= covariances[i] * covariances[i];
    *mean_p = mean;
    *deviation_p = sqrt(fmax(variance, 1e-12));
}
