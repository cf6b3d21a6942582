/* Storage state: how writes' times are distributed. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/units.h"
#include "report_state.h"
#include "svg.h"

enum { BINS = 60 };

/* Shares of samples in bins that are equally wide on a logarithmic scale. */
typedef struct histogram {
    double from, width; /* of ln(seconds) */
    double at[BINS], share[BINS];
    double count;
} histogram;

static histogram bins_between(double from, double to)
{
    histogram h = {.from = from, .width = fmax(to - from, 1e-3) / BINS};

    for (int i = 0; i < BINS; i++)
        h.at[i] = exp(from + (i + 0.5) * h.width);
    return h;
}

static void add(histogram *h, double log_seconds, double weight)
{
    int bin = (int) floor((log_seconds - h->from) / h->width);

    bin = bin < 0 ? 0 : bin < BINS ? bin : BINS - 1;
    h->share[bin] += weight;
    h->count += weight;
}

static void finish(histogram *h)
{
    for (int i = 0; h->count > 0 && i < BINS; i++)
        h->share[i] /= h->count;
}

static int by_value(const void *a, const void *b)
{
    const double *first = a, *second = b;

    return (*first > *second) - (*first < *second);
}

/* The range without a thousandth at both ends; sorts. */
static bool range_of(double *logs, size_t count, double *from_p, double *to_p)
{
    if (count == 0)
        return false;
    qsort(logs, count, sizeof(double), by_value);
    *from_p = logs[count / 1000];
    *to_p = logs[count - 1 - count / 1000];
    return true;
}

/* ln(seconds) of all samples of a source, every step-th; the caller frees them. */
static double *logs_of(const trace *trace, trace_source source, double bytes, size_t *count_p)
{
    enum { MOST = 200000 };
    size_t all = 0, used = 0, step, seen = 0;
    double *logs;

    for (int i = 0; i < trace->count; i++)
        all += trace->targets[i].series[source].count;
    step = all / MOST + 1;
    logs = malloc((all / step + 2) * sizeof(double));
    for (int i = 0; logs != NULL && i < trace->count; i++) {
        const trace_series *series = &trace->targets[i].series[source];

        for (size_t k = 0; k < series->count; k++)
            if ((bytes == 0 || series->samples[k].bytes == bytes) && seen++ % step == 0)
                logs[used++] = log(series->samples[k].seconds);
    }
    *count_p = used;
    return logs;
}

static void draw(FILE *out, const char *title, const char *caption, const histogram *const *h,
                 const char *const *names, int count)
{
    svg_chart chart = {.title = title,
                       .description = "Share of the writes over their time.",
                       .x = {.label = "seconds", .unit = SVG_SECONDS, .log = true},
                       .y = {.label = "share of the writes", .unit = SVG_SHARE}};
    svg_entry entries[4];
    double zero = 0;

    svg_include(&chart.y, &zero, 1);
    for (int i = 0; i < count; i++) {
        svg_include(&chart.x, h[i]->at, BINS);
        svg_include(&chart.y, h[i]->share, BINS);
        entries[i] = (svg_entry){names != NULL ? names[i] : "", SVG_MARK_LINE, i};
    }
    page_figure(out);
    svg_begin(out, &chart);
    for (int i = 0; i < count; i++)
        svg_line(out, &chart,
                 &(svg_series){.colour = i, .count = BINS, .x = h[i]->at, .y = h[i]->share});
    if (count > 1)
        svg_legend(out, &chart, entries, count);
    svg_end(out, &chart);
    page_figure_end(out, caption);
}

/* Figures 4 and 5. */
static atm_status draw_source(FILE *out, const trace *trace, trace_source source, double bytes,
                              const char *title, const char *caption)
{
    size_t count = 0;
    double *logs = logs_of(trace, source, bytes, &count), from, to;

    if (logs == NULL)
        return ATM_NO_MEMORY;
    if (range_of(logs, count, &from, &to)) {
        histogram h = bins_between(from, to);
        const histogram *only = &h;

        for (size_t i = 0; i < count; i++)
            add(&h, logs[i], 1);
        finish(&h);
        draw(out, title, caption, &only, NULL, 1);
    }
    free(logs);
    return ATM_OK;
}

/* Figure 6, of the first target with two states. */
static void draw_mixture(FILE *out, const learn_result *r)
{
    static const char *const names[] = {"measured", "idle", "busy"};
    const state_target *t = NULL;
    const mixture *m;
    histogram h[3];
    const histogram *all[] = {&h[0], &h[1], &h[2]};
    char caption[160];

    for (int i = 0; t == NULL && i < r->rows.target_count; i++)
        if (r->rows.targets[i].count > 0)
            t = &r->rows.targets[i];
    if (t == NULL)
        return;
    m = &t->mixture;
    h[0] = bins_between(m->idle.mean - 4 * m->idle.deviation, m->busy.mean + 4 * m->busy.deviation);
    h[1] = h[2] = h[0];
    for (size_t i = 0; i < t->features.target->series[TRACE_TRUTH].count; i++) {
        const trace_sample *write = &t->features.target->series[TRACE_TRUTH].samples[i];

        if (write->bytes == r->rows.bytes)
            add(&h[0], features_log(write), 1);
    }
    finish(&h[0]);
    for (int k = 1; k < 3; k++) {
        const mixture_state *s = k == 1 ? &m->idle : &m->busy;

        for (int i = 0; i < BINS; i++) {
            double u = (log(h[k].at[i]) - s->mean) / s->deviation;

            h[k].share[i] =
                s->weight * h[k].width * exp(-u * u / 2) / s->deviation / sqrt(2 * acos(-1));
        }
    }
    snprintf(caption, sizeof(caption),
             "Figure 6: target %d as a mixture of two log-normal distributions (Ashman's D %.2f)",
             t->target, m->ashman);
    draw(out, "mixture of two states", caption, all, names, 3);
}

/* Figure 8. */
static void draw_predicted(FILE *out, const learn_result *r)
{
    static const char *const names[] = {"predicted idle", "predicted busy"};
    double from = INFINITY, to = -INFINITY;
    histogram h[2];
    const histogram *all[] = {&h[0], &h[1]};

    if (r->chosen < 0)
        return;
    for (int i = 0; i < r->rows.target_count; i++) {
        const mixture *m = &r->rows.targets[i].mixture;

        if (r->rows.targets[i].count == 0)
            continue;
        from = fmin(from, m->idle.mean - 4 * m->idle.deviation);
        to = fmax(to, m->busy.mean + 4 * m->busy.deviation);
    }
    h[0] = h[1] = bins_between(from, to);
    for (int t = 0; t < r->rows.target_count; t++) {
        const state_target *target = &r->rows.targets[t];
        const trace_series *series = &target->features.target->series[TRACE_TRUTH];
        int row = target->first;

        for (size_t i = 0; target->count > 0 && i < series->count; i++) {
            if (series->samples[i].bytes != r->rows.bytes)
                continue;
            if (r->rows.rows[row].time >= r->split)
                add(&h[r->kind[r->chosen].p[row] > 0.5], features_log(&series->samples[i]), 1);
            row++;
        }
    }
    for (int k = 0; k < 2; k++) /* of all, so that the two can be compared */
        for (int i = 0; i < BINS; i++)
            h[k].share[i] /= fmax(h[0].count + h[1].count, 1);
    draw(out, "held-out writes by prediction",
         "Figure 8: times of writes on held-out days, by what was predicted for them", all, names,
         2);
}

atm_status report_state_times(FILE *out, const trace *trace, const learn_result *result)
{
    atm_status status;

    page_section(out, "times", "How long writes take");
    page_figures(out);
    status = draw_source(out, trace, TRACE_TRUTH, result->rows.bytes, "times of large writes",
                         "Figure 4: large writes of all targets");
    if (status == ATM_OK)
        status = draw_source(out, trace, TRACE_PROBE, 0, "latencies of probes",
                             "Figure 5: small writes of all targets");
    draw_mixture(out, result);
    draw_predicted(out, result);
    page_figures_end(out);
    page_section_end(out);
    return status;
}
