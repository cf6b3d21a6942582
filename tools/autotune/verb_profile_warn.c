/* What a valid profile or points file should not have. */

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "verb_profile.h"
#include "common/grid.h"
#include "common/stats.h"
#include "train/train.h"
#include "common/typical.h"
#include "common/units.h"

typedef struct warner {
    FILE *out;
    const char *prefix;
    int count;
} warner;

__attribute__((format(printf, 2, 3))) static void warn(warner *warner, const char *format, ...)
{
    va_list arguments;

    fputs(warner->prefix, warner->out);
    va_start(arguments, format);
    vfprintf(warner->out, format, arguments);
    va_end(arguments);
    fputs("\n", warner->out);
    warner->count++;
}

/* Names of the operations of a set of bits, with commas between. */
static const char *names_of(unsigned set, char *names, size_t size)
{
    size_t length = 0;

    names[0] = '\0';
    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        if (set >> i & 1)
            length += (size_t) snprintf(names + length, size - length, "%s%s",
                                        length > 0 ? ", " : "", atm_operation_name(i));
    return names;
}

enum { NAMES = 256 }; /* holds all of them */

/* --- profiles */

static void warn_generic(const atm_profile *profile, warner *warner)
{
    char names[NAMES];
    unsigned set = 0;

    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        if (atm_profile_uses(profile, (atm_operation) i))
            set |= (unsigned) profile->generic[i] << i;
    if (set != 0)
        warn(warner, "not measured, with costs of a generic cluster instead: %s",
             names_of(set, names, sizeof(names)));
    set = 0;
    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        set |= (unsigned) (atm_surrogate_scaled(profile->operations[i]) != NULL) << i;
    if (set != 0)
        warn(warner, "too few points to learn from, scaled by what was measured instead: %s",
             names_of(set, names, sizeof(names)));
}

static void warn_facts(const atm_profile *profile, warner *warner)
{
    if (profile->machine.name[0] == '\0')
        warn(warner, "does not say of which machine it is (machine.name)");
    if (profile->machine.date[0] == '\0')
        warn(warner, "does not say when it was measured (machine.date)");
}

/* One operation over the grid */
typedef struct slope {
    const atm_surrogate *surrogate;
    double bytes, seconds;               /* the most expensive size so far */
    double from, to, from_cost, to_cost; /* the deepest fall */
} slope;

static void look_at_slope(void *context, const double features[ATM_FEATURE_COUNT], int step)
{
    slope *slope = context;
    atm_estimate estimate;

    atm_surrogate_predict(slope->surrogate, features, &estimate);
    if (step > 0 && estimate.seconds * slope->from_cost < slope->to_cost * slope->seconds) {
        slope->from = slope->bytes;
        slope->from_cost = slope->seconds;
        slope->to = features[ATM_BYTES];
        slope->to_cost = estimate.seconds;
    }
    if (step == 0 || estimate.seconds > slope->seconds) {
        slope->bytes = features[ATM_BYTES];
        slope->seconds = estimate.seconds;
    }
}

/* More bytes may be faster with another of MPI's algorithms, but not by this much. */
#define STRONG_FALL 0.5

static void warn_costs(const atm_profile *profile, warner *warner)
{
    for (int i = 0; i < ATM_OPERATION_COUNT; i++) {
        const atm_surrogate *surrogate = profile->operations[i];
        slope slope = {.surrogate = surrogate, .from_cost = 1, .to_cost = 1};

        if (!atm_profile_learned(profile, (atm_operation) i))
            continue;
        if (grid_walk((atm_operation) i, &surrogate, 1, look_at_slope, &slope) == 0)
            continue;
        if (atm_surrogate_error(surrogate) > 1)
            warn(warner, "%s: its error is %s or more: little better than a guess",
                 atm_operation_name(i), units_share(atm_surrogate_error(surrogate)).text);
        if (slope.to_cost < slope.from_cost * STRONG_FALL)
            warn(warner, "%s: its cost falls from %s for %s to %s for %s", atm_operation_name(i),
                 units_seconds(slope.from_cost).text, units_bytes(slope.from).text,
                 units_seconds(slope.to_cost).text, units_bytes(slope.to).text);
    }
}

/* Predictions for jobs of half the machine should not be guesses. */
static void warn_ranks(const atm_profile *profile, warner *warner)
{
    atm_job job = typical_job(profile);
    double ranks = (double) profile->machine.nodes * (double) profile->machine.cores;

    if (ranks > 2.0 * job.ranks)
        warn(warner,
             "measured with up to %d ranks, but the machine has %llu nodes of %llu cores: "
             "predictions for larger jobs are extrapolated",
             job.ranks, (unsigned long long) profile->machine.nodes,
             (unsigned long long) profile->machine.cores);
}

static void warn_typical(const atm_profile *profile, warner *warner)
{
    typical_case cases[TYPICAL_CASES];

    typical_cases(profile, cases);
    for (int i = 0; i < TYPICAL_CASES; i++) {
        const atm_request *request = &cases[i].request;
        atm_prediction prediction;
        char names[NAMES];
        atm_counts counts;

        if (atm_predict(profile, request->driver, &request->job, &request->access,
                        &request->defaults, NULL, &counts, &prediction) != ATM_OK)
            continue;
        for (int k = 0; k < ATM_OPERATION_COUNT; k++)
            if (!atm_profile_learned(profile, (atm_operation) k))
                prediction.outside &= ~(1u << k);
        if (prediction.outside != 0)
            warn(warner, "a %s, with ROMIO's defaults, is outside the training range of %s",
                 cases[i].words, names_of(prediction.outside, names, sizeof(names)));
    }
}

int profile_warn(const atm_profile *profile, FILE *out, const char *prefix)
{
    static void (*const looks[])(const atm_profile *, warner *) = {
        warn_facts, warn_generic, warn_costs, warn_ranks, warn_typical};
    warner warner = {out, prefix, 0};

    for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++)
        looks[i](profile, &warner);
    return warner.count;
}

/* --- points */

#define NOISY 0.3
#define MANY_OUTLIERS 0.1

static void warn_operation(const points *points, atm_operation operation, double *spreads,
                           warner *warner)
{
    const char *name = atm_operation_name(operation);
    int count = 0, repetitions = 0, outliers = 0;

    for (int i = 0; i < points->count; i++)
        if (points->at[i].operation == operation) {
            spreads[count++] = points->at[i].spread;
            repetitions += points->at[i].repetitions;
            outliers += points->at[i].outliers;
        }
    if (count == 0)
        return;
    if (count < TRAIN_POINTS_MIN)
        warn(warner, "%s: has %d points; autotune train needs %d", name, count, TRAIN_POINTS_MIN);
    stats_sort(spreads, count);
    if (spreads[count / 2] > NOISY)
        warn(warner, "%s: is noisy: half of its points spread by %s or more", name,
             units_share(spreads[count / 2]).text);
    if (outliers > MANY_OUTLIERS * repetitions)
        warn(warner, "%s: %d of %d repetitions are outliers", name, outliers, repetitions);
}

int profile_warn_points(const points *points, FILE *out, const char *prefix)
{
    double *spreads = calloc((size_t) points->count + 1, sizeof(*spreads));
    warner warner = {out, prefix, 0};
    char names[NAMES];
    unsigned missing = 0;

    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        if (i != ATM_TOUCH &&
            ((i != ATM_WRITE_DRAINED && i != ATM_READ_CACHED) || points->cache_count > 0))
            missing |= 1u << i;
    for (int i = 0; i < points->count; i++)
        missing &= ~(1u << points->at[i].operation);
    if (missing != 0)
        warn(&warner, "no points of %s", names_of(missing, names, sizeof(names)));
    for (int i = 0; spreads != NULL && i < ATM_OPERATION_COUNT; i++)
        warn_operation(points, (atm_operation) i, spreads, &warner);
    free(spreads);
    return warner.count;
}
