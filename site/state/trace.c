/* Traces: what is kept of them, and its order. */

#include "trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const trace_job_names[TRACE_JOB_FEATURES] = {
    "total",       "batch", "debug",       "extra_large", "large",          "medium", "small",
    "extra_small", "new",   "middle_aged", "old",         "virtual_memory", "memory"};

trace *trace_create(void)
{
    return calloc(1, sizeof(trace)); /* trace_destroy */
}

void trace_destroy(trace *trace)
{
    if (trace == NULL)
        return;
    for (int i = 0; i < trace->count; i++)
        for (int source = 0; source < TRACE_SOURCES; source++)
            free(trace->targets[i].series[source].samples);
    free(trace->targets);
    free(trace->jobs);
    free(trace->path);
    free(trace->driver);
    free(trace);
}

const trace_target *trace_find(const trace *trace, int target)
{
    if (target < 0 || target >= TRACE_TARGETS || trace->slot[target] == 0)
        return NULL;
    return &trace->targets[trace->slot[target] - 1];
}

/* --- order */

static int by_time(const void *a, const void *b)
{
    const trace_sample *first = a, *second = b;

    if (first->time != second->time)
        return first->time < second->time ? -1 : 1;
    if (first->bytes != second->bytes)
        return first->bytes < second->bytes ? -1 : 1;
    return (first->seconds > second->seconds) - (first->seconds < second->seconds);
}

/* Files mostly are in order; a file that is given twice has everything twice. */
static void sort_series(trace_series *series)
{
    trace_sample *s = series->samples;
    size_t kept = 0;
    bool sorted = true;

    for (size_t i = 1; sorted && i < series->count; i++)
        sorted = by_time(&s[i - 1], &s[i]) <= 0;
    if (!sorted)
        qsort(s, series->count, sizeof(*s), by_time);
    for (size_t i = 0; i < series->count; i++)
        if (kept == 0 || by_time(&s[kept - 1], &s[i]) != 0)
            s[kept++] = s[i];
    series->count = kept;
}

static int jobs_by_time(const void *a, const void *b)
{
    const trace_jobs *first = a, *second = b;

    return (first->time > second->time) - (first->time < second->time);
}

static int by_target(const void *a, const void *b)
{
    const trace_target *first = a, *second = b;

    return (first->target > second->target) - (first->target < second->target);
}

void trace_sort(trace *trace)
{
    size_t kept = 0;

    for (int i = 0; i < trace->count; i++)
        for (int source = 0; source < TRACE_SOURCES; source++)
            sort_series(&trace->targets[i].series[source]);
    if (trace->count > 0)
        qsort(trace->targets, (size_t) trace->count, sizeof(*trace->targets), by_target);
    for (int i = 0; i < trace->count; i++)
        trace->slot[trace->targets[i].target] = i + 1;
    if (trace->job_count > 0)
        qsort(trace->jobs, trace->job_count, sizeof(*trace->jobs), jobs_by_time);
    for (size_t i = 0; i < trace->job_count; i++)
        if (kept == 0 || trace->jobs[kept - 1].time < trace->jobs[i].time)
            trace->jobs[kept++] = trace->jobs[i];
    trace->job_count = kept;
}

bool trace_span(const trace *trace, double *from_p, double *to_p)
{
    double from = INFINITY, to = -INFINITY;

    for (int i = 0; i < trace->count; i++) {
        for (int source = 0; source < TRACE_SOURCES; source++) {
            const trace_series *series = &trace->targets[i].series[source];

            if (series->count == 0)
                continue;
            from = fmin(from, series->samples[0].time);
            to = fmax(to, series->samples[series->count - 1].time);
        }
    }
    if (from > to)
        return false;
    *from_p = from;
    *to_p = to;
    return true;
}

void trace_forget(trace *trace, double before)
{
    size_t kept = 0;

    for (int i = 0; i < trace->count; i++) {
        for (int source = 0; source < TRACE_SOURCES; source++) {
            trace_series *series = &trace->targets[i].series[source];

            kept = 0;
            for (size_t k = 0; k < series->count; k++)
                if (series->samples[k].time >= before)
                    series->samples[kept++] = series->samples[k];
            series->count = kept;
        }
    }
    kept = 0;
    for (size_t k = 0; k < trace->job_count; k++)
        if (trace->jobs[k].time >= before)
            trace->jobs[kept++] = trace->jobs[k];
    trace->job_count = kept;
}
