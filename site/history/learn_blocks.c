/* Two settings block by block in time.  What changes with time, changes for both: a system that has
 * become faster, or is slower by day, says nothing about settings that were tried at other times.
 */

#include "learn_inside.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    RUN = 8,              /* latest trials of the same settings that stand for a time */
    SHORTEST = 2,         /* of what comes after a change */
    DAY = 86400,          /* seconds; */
    PARTS = 8,            /* of it, each compared by itself */
    BLOCKS_MOST = 1 << 12 /* latest ones */
};

/* A change is believed if chance gives it once in so many, and it is no trifle. */
#define CHANGE_ERROR 1e-4
#define CHANGE_LEAST 0.10

/* --- changes: of paces, or of differences */

/* Sums up to each of the values, so that any part's mean and scatter are found at once. */
typedef struct sums {
    double values, squares;
} sums;

static double mean_of(const sums *at, int from, int to)
{
    return (at[to].values - at[from].values) / (to - from);
}

static double scatter_of(const sums *at, int from, int to)
{
    double sum = at[to].values - at[from].values;

    return at[to].squares - at[from].squares - sum * sum / (to - from);
}

/* Student's test with one variance for both sides, which two values of a side are enough for. */
static double evidence(const sums *at, int from, int split, int to)
{
    double difference = fabs(mean_of(at, from, split) - mean_of(at, split, to)), error;
    double squares =
        1e-8 + fmax(0, scatter_of(at, from, split)) + fmax(0, scatter_of(at, split, to));
    int freedom = to - from - 2;

    if (difference < log1p(CHANGE_LEAST))
        return 1;
    error = sqrt(squares / freedom * (1.0 / (split - from) + 1.0 / (to - split)));
    return 2 * gsl_cdf_tdist_Q(difference / error, freedom);
}

/* The split that chance explains least; from if it explains all of them. */
static int changed_at(const sums *at, int from, int to)
{
    int best = from;
    double least = CHANGE_ERROR / (to - from - 2 * SHORTEST + 1);

    for (int split = from + SHORTEST; split <= to - SHORTEST; split++) {
        double chance = evidence(at, from, split, to);

        if (chance < least) {
            least = chance;
            best = split;
        }
    }
    return best;
}

ath_status learn_last_change(const double *values, int count, int *from_p)
{
    sums *at = calloc((size_t) count + 1, sizeof(*at));
    int from = 0;

    if (at == NULL)
        return ATH_NO_MEMORY;
    for (int i = 0; i < count; i++) { /* from the first: sums of squares stay exact */
        double value = values[i] - values[0];

        at[i + 1] = (sums){at[i].values + value, at[i].squares + value * value};
    }
    for (int last = -1; last != from && count - from > 2 * SHORTEST;) {
        last = from;
        from = changed_at(at, from, count);
    }
    free(at);
    *from_p = from;
    return ATH_OK;
}

/* --- blocks */

/* The latest trials of a run of the same settings. */
typedef struct run {
    int count;
    double paces[RUN], when[RUN];
} run;

/* Trials of one part of the day: with the settings that came first, with the others, and with the
 * first again, which makes a block of them.  What came first for good may have been before a
 * change; the mean of before and after is as of the time between. */
typedef struct waiting {
    int first; /* settings; -1: none yet */
    run before, between, after;
} waiting;

static int part_of(double when)
{
    double days = when / DAY;

    return (int) ((days - floor(days)) * PARTS) % PARTS;
}

static void add(run *r, const ath_sample *sample)
{
    r->paces[r->count % RUN] = learn_pace(sample);
    r->when[r->count++ % RUN] = sample->when;
}

static int kept(const run *r)
{
    return r->count < RUN ? r->count : RUN;
}

static double mean_pace(const run *r)
{
    double sum = 0;

    for (int i = 0; i < kept(r); i++)
        sum += r->paces[i];
    return sum / kept(r);
}

static learn_block block_of(const waiting *w)
{
    int first = w->first, before = kept(&w->before), after = kept(&w->after);
    learn_block block = {.began = INFINITY};

    block.counts[first] = before + after;
    block.counts[1 - first] = kept(&w->between);
    block.paces[first] = (mean_pace(&w->before) + mean_pace(&w->after)) / 2;
    block.paces[1 - first] = mean_pace(&w->between);
    block.variance = 0.25 / before + 0.25 / after + 1.0 / kept(&w->between);
    for (int i = 0; i < before; i++)
        block.began = fmin(block.began, w->before.when[i]);
    return block;
}

/* At most BLOCKS_MOST are kept. */
static int append(learn_block *blocks, int count, const learn_block *block)
{
    if (count == BLOCKS_MOST)
        memmove(blocks, blocks + 1, (size_t) --count * sizeof(*blocks));
    blocks[count] = *block;
    return count + 1;
}

/* Whether a block ends before the sample. */
static bool take(waiting *w, int side, const ath_sample *sample, learn_block *block_p)
{
    bool ends = w->after.count > 0;

    if (ends) {
        *block_p = block_of(w);
        *w = (waiting){.first = -1};
    }
    w->first = w->first < 0 ? side : w->first;
    add(side != w->first ? &w->between : w->between.count > 0 ? &w->after : &w->before, sample);
    return ends;
}

int learn_blocks(const ath_sample *const *samples, const int *arms, size_t count, int usual,
                 int other, learn_block *blocks_p)
{
    waiting parts[PARTS];
    learn_block block = {.began = 0};
    int found = 0;

    for (int i = 0; i < PARTS; i++)
        parts[i] = (waiting){.first = -1};
    for (size_t i = 0; i < count; i++)
        if ((arms[i] == usual || arms[i] == other) &&
            take(&parts[part_of(samples[i]->when)], arms[i] == other, samples[i], &block))
            found = append(blocks_p, found, &block);
    for (int i = 0; i < PARTS; i++)
        if (parts[i].after.count > 0) {
            block = block_of(&parts[i]);
            found = append(blocks_p, found, &block);
        }
    return found;
}

/* --- together: the mean of differences, which those count more in that rest on more trials */

static double value_of(const learn_block *block, int side)
{
    return side < 2 ? block->paces[side] : block->paces[1] - block->paces[0];
}

/* Its variance is what the blocks scatter by, whatever makes them. */
static learn_mean weighted(const learn_block *blocks, int count, int side)
{
    learn_mean m = {.count = count};
    double weights = 0, squares = 0;

    for (int i = 0; i < count; i++)
        weights += 1 / blocks[i].variance;
    for (int i = 0; i < count; i++)
        m.mean += value_of(&blocks[i], side) / blocks[i].variance / weights;
    for (int i = 0; i < count; i++) {
        double off = (value_of(&blocks[i], side) - m.mean) / blocks[i].variance / weights;

        squares += off * off;
    }
    m.variance = count > 1 ? squares * count / (count - 1) + 1e-8 / count : INFINITY;
    return m;
}

ath_status learn_compare(const learn_block *blocks, int count, learn_comparison *comparison_p)
{
    double *differences = calloc((size_t) count + 1, sizeof(*differences));
    learn_comparison c = {.blocks = 0};
    int from = 0;
    ath_status status = ATH_NO_MEMORY;

    for (int i = 0; differences != NULL && i < count; i++)
        differences[i] = value_of(&blocks[i], 2);
    if (differences != NULL)
        status = learn_last_change(differences, count, &from);
    free(differences);
    if (status != ATH_OK)
        return status;
    c.blocks = count - from;
    for (int side = 0; side < 2; side++) {
        c.paces[side] = weighted(blocks + from, c.blocks, side);
        c.paces[side].count = 0;
        for (int i = from; i < count; i++)
            c.paces[side].count += blocks[i].counts[side];
    }
    c.difference = weighted(blocks + from, c.blocks, 2);
    *comparison_p = c;
    return ATH_OK;
}

double learn_difference_bound(const learn_comparison *c, double error)
{
    return c->blocks > 1 ? c->difference.mean + gsl_cdf_tdist_Qinv(error, c->blocks - 1) *
                                                    sqrt(c->difference.variance)
                         : INFINITY;
}
