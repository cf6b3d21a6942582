/* Known targets. */

#include "synthetic_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/rng.h"

#define START 1.6e9
#define APART 0.7 /* of ln(latency), busy from idle */

static void append(trace_series *series, size_t room, double time, double bytes, double seconds)
{
    if (series->samples == NULL) {
        series->samples = malloc(room * sizeof(*series->samples));
        series->room = room;
    }
    if (series->samples == NULL || series->count == series->room)
        abort();
    series->samples[series->count++] = (trace_sample){time, bytes, seconds};
}

/* Jobs go up and down by the hour. */
static void add_jobs(trace *t, const synthetic_options *o, uint64_t *random)
{
    t->job_count = (size_t) (o->days * 288);
    t->jobs = calloc(t->job_count, sizeof(*t->jobs));
    for (size_t i = 0; i < t->job_count; i++) {
        double total = 500 + 300 * sin((double) i / 40) + 60 * rng_normal(random);

        t->jobs[i].time = START + 300.0 * (double) i;
        for (int k = 0; k < TRACE_JOB_FEATURES; k++)
            t->jobs[i].features[k] = fmax(total * (k + 1) / 20, 0);
        t->jobs[i].features[0] = fmax(total, 0);
    }
}

static double odds_of_jobs(const trace *t, double time)
{
    size_t at = (size_t) fmax(0, floor((time - START) / 300));

    at = at < t->job_count ? at : t->job_count - 1;
    return exp((t->jobs[at].features[0] - 620) / 60);
}

/* The filter that knows all parameters. */
static double after_probe(double busy, double x, double noise)
{
    double odds = busy / (1 - busy) * exp((x * x - (x - APART) * (x - APART)) / 2 / noise / noise);

    return odds / (1 + odds);
}

static void add_target(trace *t, int index, const synthetic_options *o, synthetic_truth *truths)
{
    trace_target *target = &t->targets[index];
    uint64_t random = rng_hash(o->seed, (uint64_t) index + 100);
    double share = 0.25, bayes = share, typical = 0.004 + 0.01 * rng_unit(&random);
    double idle = 1.85 * (0.9 + 0.2 * rng_unit(&random)), next = 60 + 600 * rng_unit(&random);
    bool busy = rng_unit(&random) < share && o->kind != SYNTHETIC_STILL;
    double keeps = exp(-o->probe_every * (1 / o->stays + 1 / (3 * o->stays)));
    size_t probes = (size_t) (o->days * 86400 / o->probe_every) + 2;
    size_t writes = (size_t) (o->days * 86400 / o->truth_every * 1.2) + 10;
    double last = 0;

    for (double time = 0; time < o->days * 86400; time += o->probe_every) {
        double x;

        if (o->kind == SYNTHETIC_MARKOV) {
            double stay = busy ? share + (1 - share) * keeps : 1 - share + share * keeps;

            busy = rng_unit(&random) < stay ? busy : !busy;
            bayes = share + (bayes - share) * keeps;
        } else if (o->kind == SYNTHETIC_JOBS && time == 0) {
            last = odds_of_jobs(t, START) / (1 + odds_of_jobs(t, START));
            busy = rng_unit(&random) < last;
        }
        x = (busy ? APART : 0) + o->noise * rng_normal(&random);
        append(&target->series[TRACE_PROBE], probes, START + time, 1048576, typical * exp(x));
        if (o->kind == SYNTHETIC_MARKOV)
            bayes = after_probe(bayes, x, o->noise);
        if (time + o->probe_every <= next)
            continue;
        if (o->kind ==
            SYNTHETIC_JOBS) { /* drawn anew for this write: only the probe before it tells */
            double odds = odds_of_jobs(t, START + time + 1);

            busy = rng_unit(&random) < odds / (1 + odds);
            x = (busy ? APART : 0) + o->noise * rng_normal(&random);
            target->series[TRACE_PROBE].samples[target->series[TRACE_PROBE].count - 1].seconds =
                typical * exp(x);
            bayes = after_probe(odds / (1 + odds), x, o->noise);
        }
        truths[target->series[TRACE_TRUTH].count] = (synthetic_truth){busy, bayes};
        append(&target->series[TRACE_TRUTH], writes, START + time + 1, 1073741824,
               idle * (busy ? 2.7 / 1.85 : 1) * exp(0.08 * rng_normal(&random)));
        next = time + o->truth_every * (0.9 + 0.2 * rng_unit(&random));
    }
}

trace *synthetic_make(const synthetic_options *options, synthetic_truth **truths_p)
{
    trace *t = trace_create();
    uint64_t random = options->seed;

    if (t == NULL)
        abort();
    t->path = strdup("/scratch");
    t->driver = strdup("lustre");
    t->count = t->room = options->targets;
    t->targets = calloc((size_t) options->targets, sizeof(*t->targets));
    add_jobs(t, options, &random);
    for (int i = 0; i < options->targets; i++) {
        t->targets[i].target = i;
        t->targets[i].full = NAN;
        t->slot[i] = i + 1;
        truths_p[i] = calloc((size_t) (options->days * 86400 / options->truth_every * 1.2) + 10,
                             sizeof(synthetic_truth));
        add_target(t, i, options, truths_p[i]);
    }
    return t;
}
