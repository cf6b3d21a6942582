/* Features: windows of the past. */

#include "features.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/rng.h"
#include "common/stats.h"

#define GIB 1073741824.0

size_t features_count(const trace_series *series, double time)
{
    size_t low = 0, high = series->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (series->samples[middle].time <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A median of thousands is known from some hundreds of them. */
enum { MEDIAN_OF = 1000 };

atm_status features_prepare(const trace *trace, const trace_target *target, double from, double to,
                            features_of *features_p)
{
    features_of of = {.trace = trace, .target = target, .typical = NAN};
    const trace_series *series;
    double *seconds = malloc(MEDIAN_OF * sizeof(double));
    size_t first, end, step;
    int count = 0;

    if (seconds == NULL)
        return ATM_NO_MEMORY;
    if (target->series[TRACE_SERVICE].count > target->series[TRACE_PROBE].count)
        of.source = TRACE_SERVICE;
    series = &target->series[of.source];
    first = features_count(series, from);
    end = features_count(series, to);
    step = end > first ? (end - first + MEDIAN_OF - 1) / MEDIAN_OF : 1;
    for (size_t i = first; i < end; i += step)
        seconds[count++] = series->samples[i].seconds;
    if (count > 0)
        of.typical = stats_median(seconds, count);
    free(seconds);
    *features_p = of;
    return ATM_OK;
}

static void look_at_jobs(const trace *trace, double time, double *features_p)
{
    size_t low = 0, high = trace->job_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (trace->jobs[middle].time <= time)
            low = middle + 1;
        else
            high = middle;
    }
    for (int i = 0; i < TRACE_JOB_FEATURES; i++)
        features_p[i] = low > 0 && trace->jobs[low - 1].time >= time - FEATURES_JOBS_AGE
                            ? trace->jobs[low - 1].features[i]
                            : NAN;
}

static void look_at_latencies(const trace_series *series, double time, atm_state_view *view)
{
    size_t end = features_count(series, time), first = end, in_window = 0;
    double sum = 0, squares = 0, mean;

    while (first > 0 && series->samples[first - 1].time > time - FEATURES_WINDOW) {
        sum += series->samples[--first].seconds;
        in_window++;
    }
    mean = sum / (double) in_window; /* NaN without any */
    for (size_t i = first; i < end; i++)
        squares += (series->samples[i].seconds - mean) * (series->samples[i].seconds - mean);
    view->features[ATM_STATE_LATENCY] = in_window > 0 ? series->samples[end - 1].seconds : NAN;
    view->features[ATM_STATE_MEAN] = in_window > 0 ? mean : NAN;
    view->features[ATM_STATE_SPREAD] = in_window > 1 ? sqrt(squares / (double) in_window) : NAN;
    first = end > ATM_STATE_RECENT ? end - ATM_STATE_RECENT : 0;
    view->recent = 0;
    for (size_t i = first; i < end; i++) {
        double relative = log(series->samples[i].seconds / view->typical);

        if (series->samples[i].time <= time - FEATURES_RECENT || !isfinite(relative))
            continue;
        view->relative[view->recent] = relative;
        view->age[view->recent++] = time - series->samples[i].time;
    }
}

static void look_at_writes(const features_of *of, double time, atm_state_view *view)
{
    const trace_series *series = &of->target->series[TRACE_TRUTH];

    view->last_busy = view->last_age = NAN;
    for (size_t i = features_count(series, time); of->mixture != NULL && i > 0; i--) {
        const trace_sample *write = &series->samples[i - 1];

        if (write->time + write->seconds > time || (of->bytes > 0 && write->bytes != of->bytes))
            continue;
        view->last_busy = mixture_busy(of->mixture, features_log(write));
        view->last_age = time - write->time;
        return;
    }
}

void features_at(const features_of *of, double time, atm_state_view *view_p)
{
    memset(view_p, 0, sizeof(*view_p));
    view_p->typical = of->typical;
    look_at_jobs(of->trace, time, view_p->features);
    look_at_latencies(&of->target->series[of->source], time, view_p);
    look_at_writes(of, time, view_p);
}

double features_log(const trace_sample *write)
{
    return log(write->seconds * GIB / write->bytes);
}

int features_label(double busy, uint64_t seed, int target, double time)
{
    uint64_t random = rng_hash(rng_hash(seed, (uint64_t) target), (uint64_t) llround(1e3 * time));

    return rng_unit(&random) < busy;
}
