/*
 * Surrogates: all models by name, one prediction, and what lies outside the
 * training range.  cost/surrogate_file.c reads and writes them.
 */

#include "surrogate_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "surrogate_math.h"

static const sur_type *const types[] = {&sur_const, &sur_linear, &sur_knn, &sur_svr,
                                        &sur_rules, &sur_forest, &sur_mlp};

enum { TYPES = sizeof(types) / sizeof(types[0]) };

const sur_type *sur_type_at(size_t index)
{
    return index < TYPES ? types[index] : NULL;
}

const char *atm_surrogate_model(const atm_surrogate *surrogate)
{
    return surrogate->member_count > 1 ? SUR_MEAN : surrogate->members[0].type->name;
}

bool atm_surrogate_range(const atm_surrogate *surrogate, atm_feature feature, double *min_p,
                         double *max_p)
{
    for (int i = 0; i < surrogate->count; i++) {
        if (surrogate->feature[i] == feature) {
            *min_p = surrogate->min[i];
            *max_p = surrogate->max[i];
            return true;
        }
    }
    return false;
}

bool atm_surrogate_uses(const atm_surrogate *surrogate, atm_feature feature)
{
    for (int i = 0; i < surrogate->count; i++)
        if (surrogate->feature[i] == feature)
            return true;
    for (int i = 0; i < surrogate->outside.columns; i++)
        if (surrogate->outside.feature[i] == feature)
            return true;
    return surrogate->correction.count > 0 && feature == ATM_BYTES;
}

void sur_model_destroy(const sur_type *type, void *model)
{
    if (model != NULL && type->clear != NULL)
        type->clear(model);
    free(model);
}

void atm_surrogate_destroy(atm_surrogate *surrogate)
{
    if (surrogate == NULL)
        return;
    for (int i = 0; i < surrogate->member_count; i++)
        sur_model_destroy(surrogate->members[i].type, surrogate->members[i].model);
    free(surrogate->members);
    sur_model_destroy(&sur_forest, surrogate->errors);
    free(surrogate->outside.places);
    free(surrogate->outside.logs);
    free(surrogate);
}

/* --- inside the training range */

static double clamp(double x, double min, double max)
{
    return x < min ? min : x > max ? max : x;
}

/* Seconds at x[count] within the training range; the spread is relative, among the model's
 * parts. */
static double member_seconds(const atm_surrogate *s, const sur_member *member, const double *x,
                             double *spread_p)
{
    double inputs[ATM_FEATURE_COUNT], spread = 0, output, seconds;

    atm_pipeline_inputs(&member->pipeline, x, inputs);
    output = member->type->predict(member->model, inputs, &spread);
    seconds = atm_pipeline_seconds(&member->pipeline, output);
    if (isnan(seconds)) { /* overflow in an absurd model: no reason to choose it */
        *spread_p = ATM_UNCERTAINTY_MAX;
        return s->seconds_max;
    }
    seconds = clamp(seconds, s->seconds_min, s->seconds_max);
    /* d ln t = dt / t: the spread of a logarithm is relative already */
    *spread_p = member->pipeline.log_target ? spread : spread / seconds;
    return seconds;
}

/* Seconds within the range; the spread of a mean is that of its members. */
static double seconds_inside(const atm_surrogate *s, const double *x, double *spread_p)
{
    double sum = 0, squares = 0, spread;

    if (s->member_count == 1)
        return member_seconds(s, &s->members[0], x, spread_p);
    for (int i = 0; i < s->member_count; i++) {
        double logarithm = sur_log(member_seconds(s, &s->members[i], x, &spread));

        sum += logarithm;
        squares += logarithm * logarithm;
    }
    sum /= s->member_count;
    squares = squares / s->member_count - sum * sum;
    *spread_p = squares > 0 ? sqrt(squares) : 0;
    return clamp(sur_exp(sum), s->seconds_min, s->seconds_max);
}

/* The error that cross-validation found there; else the overall one, or the model's own spread if
 * larger. */
static double error_at(const atm_surrogate *s, const double *x, double spread)
{
    if (s->errors != NULL)
        return sur_forest.predict(s->errors, x, &spread);
    return spread > s->error ? spread : s->error;
}

/* --- outside */

/* Distance between two values, in units in which the law is a straight line. */
static double distance(sur_law law, double from, double to)
{
    return law == SUR_LOG ? sur_log(to / from) / SUR_LN2 : to / from - 1;
}

/*
 * Relative slope at an edge of the range of feature i: by which part of the
 * edge's time does it rise per unit of distance.  Measured as a secant over the
 * last octave, as measurements are usually powers of two apart; where that does
 * not rise (steps of a forest, noise), over the whole range.
 */
static double edge_slope(const atm_surrogate *s, const double *x, int i, double seconds)
{
    bool upper = x[i] == s->max[i];
    double other[ATM_FEATURE_COUNT], spread;
    double end = upper ? s->min[i] : s->max[i];
    double octave = clamp(upper ? x[i] / 2 : x[i] * 2, s->min[i], s->max[i]);
    const double tries[] = {octave, end};

    memcpy(other, x, (size_t) s->count * sizeof(double));
    for (int k = 0; k < 2; k++) {
        double slope;

        if (tries[k] == x[i] || (s->law[i] == SUR_LOG && tries[k] <= 0))
            continue;
        other[i] = tries[k];
        slope =
            (seconds_inside(s, other, &spread) / seconds - 1) / distance(s->law[i], x[i], tries[k]);
        if (slope > 0)
            return slope;
    }
    return 0;
}

/*
 * Factor on the time at the edge for a feature that is wanted beyond it.
 * Above: the straight line of the law, never falling, at most quadratically
 * steep at the edge; proportional if the range is a point and shows no slope.
 * Below: time falls at most in proportion, as latency is not negative; the
 * logarithmic law says nothing there, so the time at the edge stands.
 */
static double beyond(const atm_surrogate *s, const double *x, int i, double wanted, double seconds)
{
    double slope;

    if (s->law[i] == SUR_CONSTANT)
        return 1;
    if (wanted > x[i]) {
        slope = s->min[i] < s->max[i] ? edge_slope(s, x, i, seconds) : 1;
        return 1 + clamp(slope, 0, 2) * distance(s->law[i], x[i], wanted);
    }
    if (s->law[i] == SUR_LOG || s->min[i] == s->max[i])
        return 1;
    slope = edge_slope(s, x, i, seconds);
    return 1 + clamp(slope, 0, 1) * distance(SUR_LINEAR, x[i], wanted);
}

/* Ratio of a wanted value to the edge of the range, 1 or more. */
static double overshoot(double edge, double wanted)
{
    if (wanted == edge)
        return 1;
    return wanted > edge ? wanted / edge : edge / wanted;
}

/* Fewer bytes take at most as long as those at the edge, so that only what the law takes off is a
 * guess. */
static bool is_bounded(const atm_surrogate *s, int i, double wanted)
{
    return s->feature[i] == ATM_BYTES && s->law[i] == SUR_LINEAR && s->min[i] < s->max[i] &&
           wanted < s->min[i];
}

/* Share of an answer that rests on measurements.  Without measured errors outside: 1/r at r times
 * outside. */
static double measured(const atm_surrogate *s, int i, double edge, double wanted, double factor)
{
    if (is_bounded(s, i, wanted))
        return factor;
    return s->outside.count > 0 ? 1 : 1 / overshoot(edge, wanted);
}

/* Extrapolates seconds beyond the range by the laws; returns the share that still rests on
 * measurements. */
static double carry_outside(const atm_surrogate *s, const double *x, const double *wanted,
                            double *seconds)
{
    double edge_seconds = *seconds, rests = 1;

    for (int i = 0; i < s->count; i++) {
        double factor;

        if (wanted[i] == x[i])
            continue;
        if (s->outside.by_power && atm_away_of(s->feature[i]) == ATM_AWAY_SCALE && wanted[i] > x[i])
            factor = sur_exp(s->outside.power[i] * sur_log(wanted[i] / x[i]));
        else
            factor = beyond(s, x, i, wanted[i], edge_seconds);
        *seconds *= factor;
        rests *= measured(s, i, x[i], wanted[i], factor);
    }
    return rests;
}

/* A query: as it is wanted, and the nearest in the training range. */
typedef struct query {
    double wanted[ATM_FEATURE_COUNT], x[ATM_FEATURE_COUNT];
    bool inside;
} query;

static void take_query(const atm_surrogate *s, const double *features, query *q)
{
    q->inside = true;
    for (int i = 0; i < s->count; i++) {
        double feature = features[s->feature[i]];

        /* NaN fails the first comparison */
        q->wanted[i] = feature <= SUR_FAR ? feature > 0 ? feature : 0 : SUR_FAR;
        q->x[i] = clamp(q->wanted[i], s->min[i], s->max[i]);
        q->inside &= q->x[i] == q->wanted[i];
    }
}

/* Distance from what was measured, in each direction. */
static void find_offset(const atm_surrogate *s, const double *features,
                        double offset_p[ATM_AWAY_COUNT])
{
    double bytes = 0;

    for (int i = 0; i < s->count; i++)
        if (is_bounded(s, i, s->min[i] / 2))
            bytes = s->min[i];
    sur_outside_offset(&s->outside, features, bytes, offset_p);
}

/* Adds the growth of errors with the distance from measurements; rests: share that rests on these
 * without it. */
static void add_outside(const atm_surrogate *s, const double *features, const query *q,
                        double rests, atm_estimate *estimate)
{
    double offset[ATM_AWAY_COUNT], variance = 0;

    if (s->outside.count > 0) {
        find_offset(s, features, offset);
        variance = sur_outside_variance(&s->outside, offset);
    }
    if (variance > 0)
        estimate->uncertainty =
            sur_exp(sqrt(sur_square_of_log(estimate->uncertainty) + variance)) - 1;
    if (q->inside)
        return;
    estimate->uncertainty =
        sqrt(estimate->uncertainty * estimate->uncertainty + (1 - rests) * (1 - rests));
    estimate->outside = true;
    estimate->guessed = 1 - (variance > 0 ? rests * sur_exp(-sqrt(variance)) : rests);
}

void atm_surrogate_predict(const atm_surrogate *surrogate, const double features[ATM_FEATURE_COUNT],
                           atm_estimate *estimate_p)
{
    const atm_surrogate *s = surrogate;
    atm_estimate estimate = {.outside = false};
    double spread, rests = 1;
    query q;

    take_query(s, features, &q);
    estimate.seconds = seconds_inside(s, q.x, &spread);
    estimate.uncertainty = error_at(s, q.x, spread);
    if (!q.inside)
        rests = carry_outside(s, q.x, q.wanted, &estimate.seconds);
    add_outside(s, features, &q, rests, &estimate);
    if (s->correction.count > 0)
        estimate.seconds *= sur_correction_factor(&s->correction, features[ATM_BYTES]);
    if (s->scaled.factor > 0) {
        estimate.seconds *= s->scaled.factor;
        estimate.uncertainty = sur_exp(sqrt(sur_square_of_log(estimate.uncertainty) +
                                            sur_square_of_log(s->scaled.error) +
                                            sur_square_of_log(s->scaled.spread))) -
                               1;
    }
    estimate.seconds = clamp(estimate.seconds, ATM_SECONDS_MIN, ATM_SECONDS_MAX);
    estimate.uncertainty = clamp(estimate.uncertainty, 0, ATM_UNCERTAINTY_MAX);
    *estimate_p = estimate;
}

/* --- correlation */

/* exp(-distance / length) */
static double closeness(const atm_surrogate *s, const double *one, const double *other)
{
    double squares = 0;

    for (int i = 0; i < s->count; i++) {
        double a = one[s->feature[i]], b = other[s->feature[i]], apart;

        if (a == b)
            continue;
        if (!(a > 0 && b > 0 && a <= SUR_FAR && b <= SUR_FAR))
            return 0;
        apart = sur_log(a / b);
        squares += apart * apart;
    }
    if (squares == 0)
        return 1;
    return s->length > 0 ? sur_exp(-sqrt(squares) / s->length) : 0;
}

/* Variance of a query's error that only close queries share, and all of it. */
typedef struct parts {
    double offset[ATM_AWAY_COUNT];
    double own, all;
} parts;

static parts part_error(const atm_surrogate *s, const double *features)
{
    parts p = {.offset = {0}};
    double outside = 0;
    query q;

    if (s->outside.count > 0) {
        take_query(s, features, &q);
        find_offset(s, features, p.offset);
        outside = sur_outside_variance(&s->outside, p.offset);
        p.own = sur_square_of_log(s->errors != NULL ? error_at(s, q.x, 0) : s->error);
    } else {
        p.own = sur_square_of_log(s->error);
    }
    p.own += (1 - s->outside.alike) * outside;
    p.all = p.own + s->outside.alike * outside;
    if (s->scaled.factor > 0) {
        p.own += sur_square_of_log(s->scaled.spread);
        p.all += sur_square_of_log(s->scaled.spread) + sur_square_of_log(s->scaled.error);
    }
    return p;
}

void atm_surrogate_away(const atm_surrogate *surrogate, const double features[ATM_FEATURE_COUNT],
                        double away_p[ATM_AWAY_COUNT])
{
    for (int i = 0; i < ATM_AWAY_COUNT; i++)
        away_p[i] = 0;
    if (surrogate->outside.count > 0)
        find_offset(surrogate, features, away_p);
}

double atm_surrogate_correlation(const atm_surrogate *surrogate,
                                 const double one[ATM_FEATURE_COUNT],
                                 const double other[ATM_FEATURE_COUNT])
{
    const atm_surrogate *s = surrogate;
    double close = closeness(s, one, other), shared;
    parts first, second;

    if (close == 1 || (s->scaled.factor == 0 && s->outside.count == 0))
        return close;
    first = part_error(s, one);
    second = part_error(s, other);
    if (first.all == 0 || second.all == 0)
        return 1;
    shared = sur_outside_covariance(&s->outside, first.offset, second.offset);
    if (s->scaled.factor > 0)
        shared += sur_square_of_log(s->scaled.error);
    return (shared + close * sqrt(first.own * second.own)) / sqrt(first.all * second.all);
}
