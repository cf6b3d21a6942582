/* Rows out of traces. */

#include "rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/rng.h"

double rows_bytes(const trace *trace)
{
    enum { SIZES = 64 };
    double sizes[SIZES], best = 0;
    size_t counts[SIZES] = {0}, most = 0;
    int used = 0;

    for (int i = 0; i < trace->count; i++) {
        const trace_series *series = &trace->targets[i].series[TRACE_TRUTH];

        for (size_t k = 0; k < series->count; k++) {
            int at = 0;

            while (at < used && sizes[at] != series->samples[k].bytes)
                at++;
            if (at == SIZES)
                continue;
            sizes[at] = series->samples[k].bytes;
            used = at == used ? used + 1 : used;
            counts[at]++;
        }
    }
    for (int i = 0; i < used; i++) {
        if (counts[i] > most || (counts[i] == most && sizes[i] > best)) {
            most = counts[i];
            best = sizes[i];
        }
    }
    return best;
}

/* --- mixtures, a target at a time */

typedef struct fitting {
    const trace *trace;
    double until;
    uint64_t seed;
    state_rows *rows;
    atm_status *status; /* [targets] */
} fitting;

static atm_status fit_mixture(const fitting *f, state_target *t)
{
    const trace_series *series = &t->features.target->series[TRACE_TRUTH];
    double *logs = malloc((series->count + 1) * sizeof(double));
    atm_status status = ATM_OK;

    if (logs == NULL)
        return ATM_NO_MEMORY;
    for (size_t i = 0; i < series->count; i++)
        if (series->samples[i].bytes == f->rows->bytes && series->samples[i].time < f->until)
            logs[t->samples++] = features_log(&series->samples[i]);
    if (t->samples > 0)
        status =
            mixture_fit(logs, t->samples, rng_hash(f->seed, (uint64_t) t->target), &t->mixture);
    free(logs);
    return status;
}

static double fit_target(void *fitting_, int index)
{
    const fitting *f = fitting_;
    state_target *t = &f->rows->targets[index];

    t->target = f->trace->targets[index].target;
    f->status[index] =
        features_prepare(f->trace, &f->trace->targets[index], -INFINITY, f->until, &t->features);
    t->features.bytes = f->rows->bytes;
    t->features.mixture = &t->mixture;
    if (f->status[index] == ATM_OK)
        f->status[index] = fit_mixture(f, t);
    return 1;
}

/* --- rows */

static void add_rows(const fitting *f, int index, state_rows *rows)
{
    state_target *t = &rows->targets[index];
    const trace_series *series = &t->features.target->series[TRACE_TRUTH];

    t->first = rows->count;
    for (size_t i = 0; t->samples > 0 && t->mixture.states == 2 && i < series->count; i++) {
        const trace_sample *write = &series->samples[i];
        state_row *row = &rows->rows[rows->count];

        if (write->bytes != rows->bytes)
            continue;
        row->target = index;
        row->time = write->time;
        row->busy = mixture_busy(&t->mixture, features_log(write));
        row->label = features_label(row->busy, f->seed, t->target, write->time);
        features_at(&t->features, write->time, &row->view);
        rows->from = fmin(rows->from, write->time);
        rows->to = fmax(rows->to, write->time);
        rows->count++;
    }
    t->count = rows->count - t->first;
}

atm_status rows_make(const trace *trace, double bytes, double fitted_until, uint64_t seed,
                     parallel *parallel, state_rows *rows_p)
{
    state_rows *rows = rows_p;
    fitting f = {.trace = trace, .until = fitted_until, .seed = seed, .rows = rows};
    size_t writes = 0, count = (size_t) trace->count;

    *rows = (state_rows){.bytes = bytes, .from = INFINITY, .to = -INFINITY};
    for (int i = 0; i < trace->count; i++)
        writes += trace->targets[i].series[TRACE_TRUTH].count;
    rows->target_count = trace->count;
    rows->targets = calloc(count + 1, sizeof(*rows->targets)); /* rows_destroy */
    rows->rows = malloc((writes + 1) * sizeof(*rows->rows));   /* rows_destroy */
    f.status = calloc(count + 1, sizeof(*f.status));
    if (rows->targets == NULL || rows->rows == NULL || f.status == NULL) {
        free(f.status);
        return ATM_NO_MEMORY;
    }
    parallel_run(parallel, trace->count, fit_target, &f);
    for (int i = 0; i < trace->count; i++) {
        if (f.status[i] != ATM_OK) {
            atm_status status = f.status[i];

            free(f.status);
            return status;
        }
        add_rows(&f, i, rows);
    }
    free(f.status);
    return ATM_OK;
}

void rows_destroy(state_rows *rows)
{
    free(rows->targets);
    free(rows->rows);
    *rows = (state_rows){0};
}
