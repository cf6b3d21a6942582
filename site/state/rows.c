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
    if (f->status[index] == ATM_OK && t->samples > 0 && t->mixture.states < 2)
        f->status[index] = episodes_find(&t->features, f->until, &t->episodes);
    return 1;
}

/* --- where small writes tell */

/* Moments of ln(seconds) */
typedef struct moments {
    double count, sum, squares;
} moments;

static double mean_of(const moments *m)
{
    return m->sum / m->count;
}

static double square_of(const moments *m)
{
    return fmax(m->squares - m->sum * mean_of(m), 0);
}

/* Splits large writes into idle and busy ones. */
static void part_writes(const fitting *f, const state_target *t, moments parts_p[2])
{
    const trace_series *series = &t->features.target->series[TRACE_TRUTH];

    parts_p[0] = parts_p[1] = (moments){0};
    for (size_t i = 0; i < series->count; i++) {
        const trace_sample *write = &series->samples[i];
        int busy = write->bytes == f->rows->bytes && write->time < f->until
                       ? episodes_after(&t->episodes, &t->features, write->time)
                       : -1;
        double x = features_log(write);

        if (busy < 0)
            continue;
        parts_p[busy].count++;
        parts_p[busy].sum += x;
        parts_p[busy].squares += x * x;
    }
}

/* ln(busy / idle) over all targets; with too few large writes, from small ones. */
static double busy_over_idle(const state_rows *rows, moments (*parts)[2])
{
    double writes = 0, over = 0, level = 0, found = 0;

    for (int i = 0; i < rows->target_count; i++) {
        const episodes *e = &rows->targets[i].episodes;

        if (e->found) {
            found++;
            level += e->level;
        }
        if (parts[i][0].count > 0 && parts[i][1].count > 0) {
            writes += parts[i][1].count;
            over += parts[i][1].sum - parts[i][1].count * mean_of(&parts[i][0]);
        }
    }
    if (writes >= MIXTURE_STATE)
        return over / writes;
    return found > 0 ? level / found : 0;
}

/* Gives a target two states by latency; with few busy writes, busy is as far from idle as in other
 * targets. */
static void tell(state_target *t, const moments parts[2], double over)
{
    mixture *m = &t->mixture;
    double idle = mean_of(&parts[0]);
    double spread = sqrt((square_of(&parts[0]) + (parts[1].count > 0 ? square_of(&parts[1]) : 0)) /
                         (parts[0].count + parts[1].count));
    double busy = (parts[1].sum + MIXTURE_STATE * (idle + over)) / (parts[1].count + MIXTURE_STATE);

    t->by_latency = true;
    m->states = 2;
    m->idle = (mixture_state){1 - t->episodes.share, idle, fmax(spread, 1e-3)};
    m->busy = (mixture_state){t->episodes.share, fmax(busy, idle), fmax(spread, 1e-3)};
    m->distance = exp(m->busy.mean - idle);
}

/* Tells the states of all targets by latency if some have episodes and large writes are slower
 * then. */
static atm_status tell_by_latency(const fitting *f, state_rows *rows)
{
    moments(*parts)[2] = calloc((size_t) rows->target_count + 1, sizeof(*parts));
    double over;

    if (parts == NULL)
        return ATM_NO_MEMORY;
    for (int i = 0; i < rows->target_count; i++)
        if (isfinite(rows->targets[i].episodes.threshold) && rows->targets[i].episodes.seconds > 0)
            part_writes(f, &rows->targets[i], parts[i]);
    over = busy_over_idle(rows, parts);
    for (int i = 0; i < rows->target_count && over >= log(MIXTURE_DISTANCE); i++)
        if (parts[i][0].count > 0)
            tell(&rows->targets[i], parts[i], over);
    free(parts);
    return ATM_OK;
}

/* --- rows */

/* Seconds between rows of a target that are not large writes. */
static double time_between(const trace_series *series)
{
    double span = series->samples[series->count - 1].time - series->samples[0].time;

    return fmax(span / ROWS_BY_LATENCY, FEATURES_WINDOW);
}

static void add_row(state_rows *rows, int index, double time, double busy, int label)
{
    state_row *row = &rows->rows[rows->count++];

    row->target = index;
    row->time = time;
    row->busy = busy;
    row->label = label;
    features_at(&rows->targets[index].features, time, &row->view);
    rows->from = fmin(rows->from, time);
    rows->to = fmax(rows->to, time);
}

static void add_times(int index, state_rows *rows)
{
    state_target *t = &rows->targets[index];
    const trace_series *series = &t->features.target->series[t->features.source];
    double step = time_between(series), last = series->samples[series->count - 1].time;

    for (double time = series->samples[0].time + step; time < last; time += step) {
        int busy = episodes_after(&t->episodes, &t->features, time);

        if (busy >= 0)
            add_row(rows, index, time, busy, busy);
    }
}

static void add_writes(const fitting *f, int index, state_rows *rows)
{
    state_target *t = &rows->targets[index];
    const trace_series *series = &t->features.target->series[TRACE_TRUTH];

    for (size_t i = 0; i < series->count; i++) {
        const trace_sample *write = &series->samples[i];
        double busy;

        if (write->bytes != rows->bytes)
            continue;
        busy = mixture_busy(&t->mixture, features_log(write));
        add_row(rows, index, write->time, busy,
                features_label(busy, f->seed, t->target, write->time));
    }
}

static void add_rows(const fitting *f, int index, state_rows *rows)
{
    state_target *t = &rows->targets[index];

    t->first = rows->count;
    if (t->by_latency)
        add_times(index, rows);
    else if (t->samples > 0 && t->mixture.states == 2)
        add_writes(f, index, rows);
    t->count = rows->count - t->first;
}

static size_t most_rows(const trace *trace, const state_rows *rows)
{
    size_t most = 1;

    for (int i = 0; i < trace->count; i++)
        most += rows->targets[i].by_latency ? ROWS_BY_LATENCY + 1
                                            : trace->targets[i].series[TRACE_TRUTH].count;
    return most;
}

atm_status rows_make(const trace *trace, double bytes, double fitted_until, uint64_t seed,
                     parallel *parallel, state_rows *rows_p)
{
    state_rows *rows = rows_p;
    fitting f = {.trace = trace, .until = fitted_until, .seed = seed, .rows = rows};
    size_t count = (size_t) trace->count;
    atm_status status = ATM_OK;

    *rows = (state_rows){.bytes = bytes, .from = INFINITY, .to = -INFINITY};
    rows->target_count = trace->count;
    rows->targets = calloc(count + 1, sizeof(*rows->targets)); /* rows_destroy */
    f.status = calloc(count + 1, sizeof(*f.status));
    if (rows->targets == NULL || f.status == NULL) {
        free(f.status);
        return ATM_NO_MEMORY;
    }
    parallel_run(parallel, trace->count, fit_target, &f);
    for (int i = 0; i < trace->count && status == ATM_OK; i++)
        status = f.status[i];
    free(f.status);
    if (status == ATM_OK)
        status = tell_by_latency(&f, rows);
    if (status != ATM_OK)
        return status;
    rows->rows = malloc(most_rows(trace, rows) * sizeof(*rows->rows)); /* rows_destroy */
    if (rows->rows == NULL)
        return ATM_NO_MEMORY;
    for (int i = 0; i < trace->count; i++)
        add_rows(&f, i, rows);
    return ATM_OK;
}

void rows_destroy(state_rows *rows)
{
    free(rows->targets);
    free(rows->rows);
    *rows = (state_rows){0};
}
