/* Loaded targets. */

#include "loaded_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/rng.h"

/* What a target can do over the largest load. */
#define SPARE 1.5

typedef struct quantile {
    double share, value;
} quantile;

/* Load over the largest: 2,040 times 24 values */
static const quantile load_quantiles[] = {
    {0, 0},          {0.1, 0.0002},  {0.2, 0.0006},  {0.3, 0.0009},   {0.4, 0.0014},
    {0.5, 0.0019},   {0.6, 0.0027},  {0.7, 0.0040},  {0.8, 0.0069},   {0.9, 0.0138},
    {0.95, 0.0281},  {0.98, 0.0631}, {0.99, 0.0927}, {0.995, 0.2826}, {0.998, 0.5476},
    {0.999, 0.7227}, {1, 1}};

/* ln(time / median): Edison's /scratch1, 2,308 runs; all systems, 15,106 runs */
static const quantile one_system[] = {{0, -1.45},    {0.001, -0.54}, {0.005, -0.23}, {0.02, -0.14},
                                      {0.05, -0.10}, {0.1, -0.07},   {0.2, -0.05},   {0.3, -0.03},
                                      {0.4, -0.01},  {0.5, 0},       {0.6, 0.01},    {0.7, 0.04},
                                      {0.8, 0.10},   {0.9, 0.22},    {0.95, 0.52},   {0.98, 1.44},
                                      {0.99, 2.58},  {0.995, 3.04},  {0.998, 3.59},  {1, 4.03}};
static const quantile pooled[] = {{0, -2.54},    {0.001, -0.83}, {0.005, -0.42}, {0.02, -0.27},
                                  {0.05, -0.16}, {0.1, -0.11},   {0.2, -0.06},   {0.3, -0.03},
                                  {0.4, -0.01},  {0.5, 0},       {0.6, 0.02},    {0.7, 0.06},
                                  {0.8, 0.14},   {0.9, 0.35},    {0.95, 0.68},   {0.98, 1.28},
                                  {0.99, 1.72},  {0.995, 2.30},  {0.998, 2.99},  {1, 4.16}};

static double between(const quantile *quantiles, double share)
{
    const quantile *q = quantiles;

    while (q[1].share < share)
        q++;
    return q->value + (q[1].value - q->value) * (share - q->share) / (q[1].share - q->share);
}

double loaded_draw(const loaded_options *options, uint64_t *random)
{
    double share = rng_unit(random);

    if (options->logs != NULL)
        return options->logs[(int) (share * options->log_count)];
    return between(options->noise == LOADED_POOLED ? pooled : one_system, share);
}

/* --- load */

/* Half of the variance of the loads' ranks is common to all OSTs.  Autocorrelation of the common
 * half after 30 s and 10 minutes: 0.70, 0.32; of an OST's own: 0.42, 0.05. */
static void make_loads(const loaded_options *o, int steps, double *loads_p)
{
    const double decay[2][2] = {{0.25, 0.965}, {0.38, 0.98}}; /* common, own: fast, slow */
    const double slow_share[2] = {0.62, 0.07};
    uint64_t random = rng_hash(o->seed, 1);
    double(*parts)[2] = calloc((size_t) o->targets + 1, sizeof(*parts)); /* the last: common */

    if (parts == NULL)
        abort();
    for (int step = 0; step < steps; step++)
        for (int i = o->targets; i >= 0; i--) {
            const double *d = decay[i < o->targets];
            double own, common, slow = slow_share[i < o->targets];

            for (int k = 0; k < 2; k++)
                parts[i][k] = d[k] * parts[i][k] + sqrt(1 - d[k] * d[k]) * rng_normal(&random);
            if (i == o->targets)
                continue;
            own = sqrt(1 - slow) * parts[i][0] + sqrt(slow) * parts[i][1];
            common = sqrt(1 - slow_share[0]) * parts[o->targets][0] +
                     sqrt(slow_share[0]) * parts[o->targets][1];
            loads_p[step * o->targets + i] =
                between(load_quantiles, 0.5 * erfc(-(own + common) / 2)); /* of variance 2 */
        }
    free(parts);
}

/* --- episodes */

static double log_between(const double range[2], uint64_t *random)
{
    return range[0] * pow(range[1] / range[0], rng_unit(random));
}

static void add_episodes(const loaded_options *o, int target, int steps, double *slower)
{
    uint64_t random = rng_hash(o->seed, 1000 + (uint64_t) target);
    double time = -log(1 - rng_unit(&random)) * o->between;

    while (time < steps * LOADED_STEP) {
        double factor = log_between(o->slower, &random),
               end = time + log_between(o->episode, &random);

        for (; time < end && time < steps * LOADED_STEP; time += LOADED_STEP) {
            double share = time / LOADED_STEP / steps;

            if (share < o->quiet[0] || share >= o->quiet[1])
                slower[(int) (time / LOADED_STEP)] = factor;
        }
        time += -log(1 - rng_unit(&random)) * o->between;
    }
}

/* --- traces */

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

static void add_samples(const loaded_options *o, loaded *l, int index)
{
    trace_target *target = &l->trace->targets[index];
    uint64_t random = rng_hash(o->seed, 2000 + (uint64_t) index);
    size_t room = (size_t) l->steps + 1;
    double next = o->truth_every * rng_unit(&random), small = 0.004 * exp(rng_unit(&random));

    for (int step = 0; step < l->steps; step++) {
        int at = index * l->steps + step;
        double time = LOADED_START + step * LOADED_STEP + index * 0.1;
        double slower = l->slower[at] * l->usual[at];
        bool probed = rng_unit(&random) < o->probe_share;
        double noise = loaded_draw(o, &random);

        if (probed)
            append(&target->series[TRACE_PROBE], room, time, 1048576, small * slower * exp(noise));
        noise = loaded_draw(o, &random);
        if (step * LOADED_STEP < next)
            continue;
        next += o->truth_every;
        append(&target->series[TRACE_TRUTH], room, time + 1, 1073741824, slower * exp(noise));
    }
}

void loaded_make(const loaded_options *options, loaded *loaded_p)
{
    loaded l = {.trace = trace_create(), .steps = (int) (options->days * 86400 / LOADED_STEP)};
    size_t count = (size_t) options->targets * (size_t) l.steps;
    double *loads = malloc(count * sizeof(double));
    uint64_t random = rng_hash(options->seed, 2);

    l.slower = malloc(count * sizeof(double));
    l.usual = malloc(count * sizeof(double));
    if (l.trace == NULL || loads == NULL || l.slower == NULL || l.usual == NULL)
        abort();
    l.trace->path = strdup("/scratch");
    l.trace->driver = strdup("lustre");
    l.trace->count = l.trace->room = options->targets;
    l.trace->targets = calloc((size_t) options->targets, sizeof(*l.trace->targets));
    make_loads(options, l.steps, loads);
    for (int i = 0; i < options->targets; i++) {
        double own = 1 + 0.05 * rng_normal(&random); /* disks differ, too */

        l.trace->targets[i].target = i;
        l.trace->targets[i].full = NAN;
        l.trace->slot[i] = i + 1;
        for (int step = 0; step < l.steps; step++) {
            double load = options->loads != NULL
                              ? options->loads[(step % options->steps) * options->targets + i]
                              : loads[step * options->targets + i];

            l.slower[i * l.steps + step] = 1;
            l.usual[i * l.steps + step] = own / (1 - load / SPARE);
        }
        if (i < options->busy)
            add_episodes(options, i, l.steps, l.slower + i * l.steps);
        add_samples(options, &l, i);
    }
    free(loads);
    *loaded_p = l;
}

void loaded_destroy(loaded *loaded)
{
    trace_destroy(loaded->trace);
    free(loaded->slower);
    free(loaded->usual);
}
