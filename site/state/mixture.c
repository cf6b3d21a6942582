/*
 * Mixtures of two normal distributions.  Steps of expectation and maximisation are
 * extrapolated (SQUAREM: Varadhan and Roland, Scand. J. Statistics 35(2), 2008), because
 * plain ones crawl where states overlap.
 */

#include "mixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/rng.h"
#include "cost/surrogate_math.h"

enum {
    STARTS = 8,     /* thresholds that part the samples at first */
    TRIED = 15,     /* rounds of each start */
    FINISHED = 2,   /* of the starts go on to the end */
    THINNED = 1024, /* samples that starts are tried with, evenly out of the sorted ones */
    ROUNDS = 300,
    BLOCK = 256 /* samples whose factors are multiplied before a logarithm is taken */
};

/* Gain of a step in the mean log-likelihood at which there is no more to gain. */
#define ENOUGH 1e-10

#define LN_2PI 1.8378770664093453

/* Logit of the weight of the second state, means, logarithms of variances: any vector
 * of numbers is a mixture, so that extrapolation cannot leave them. */
enum { LOGIT, MEAN, LOG_VARIANCE = MEAN + 2, PARAMETERS = LOG_VARIANCE + 2 };

typedef struct vector {
    double at[PARAMETERS];
} vector;

typedef struct samples {
    const double *x;
    size_t count;
    double floor; /* of variances: a state on equal samples would have infinite density */
} samples;

/* --- one step */

typedef struct sums {
    double all[3], busy[3]; /* of 1, x and x^2, the second ones weighed by the state */
    double likelihood;
} sums;

/* ln(weight x density) of a state is constant + (x - mean)^2 factor */
typedef struct term {
    double constant, mean, factor;
} term;

static term make_term(double weight, double mean, double variance)
{
    return (term){log(weight) - 0.5 * (LN_2PI + log(variance)), mean, -0.5 / variance};
}

static void terms_of(const vector *v, term *terms_p)
{
    double busy = 1 / (1 + exp(-v->at[LOGIT])), idle = 1 / (1 + exp(v->at[LOGIT]));

    terms_p[0] = make_term(idle, v->at[MEAN], exp(v->at[LOG_VARIANCE]));
    terms_p[1] = make_term(busy, v->at[MEAN + 1], exp(v->at[LOG_VARIANCE + 1]));
}

/* ln(e^a + e^b) is the larger one + ln(1 + e^-|a - b|); the second parts of a block are
 * multiplied, each at most 2. */
static void add_block(const double *x, size_t count, const term *terms, sums *s)
{
    double share[BLOCK], part[BLOCK], larger = 0, factor = 1;

    for (size_t i = 0; i < count; i++) {
        double idle =
            terms[0].constant + (x[i] - terms[0].mean) * (x[i] - terms[0].mean) * terms[0].factor;
        double busy =
            terms[1].constant + (x[i] - terms[1].mean) * (x[i] - terms[1].mean) * terms[1].factor;
        double by = -fabs(busy - idle), e = sur_exp_within(by < -700 ? -700 : by);

        larger += busy > idle ? busy : idle;
        part[i] = 1 + e;
        share[i] = (busy > idle ? 1 : e) / part[i];
    }
    for (size_t i = 0; i < count; i++)
        factor *= part[i];
    for (size_t i = 0; i < count; i++) {
        s->busy[0] += share[i];
        s->busy[1] += share[i] * x[i];
        s->busy[2] += share[i] * x[i] * x[i];
    }
    s->likelihood += larger + log(factor);
}

static double variance_of(const double *sum, double floor)
{
    double mean = sum[1] / sum[0], variance = sum[2] / sum[0] - mean * mean;

    return variance > floor ? variance : floor;
}

/* The likelihood of a mixture, and the next one. */
static double step(const samples *from, const double all[3], const vector *v, vector *next_p)
{
    const double least = 1e-9 * (double) from->count;
    sums s = {.all = {all[0], all[1], all[2]}};
    double idle[3];
    term terms[2];

    terms_of(v, terms);
    for (size_t i = 0; i < from->count; i += BLOCK)
        add_block(from->x + i, from->count - i < BLOCK ? from->count - i : BLOCK, terms, &s);
    for (int i = 0; i < 3; i++)
        idle[i] = s.all[i] - s.busy[i];
    *next_p = *v;
    if (!(s.busy[0] > least) || !(idle[0] > least)) /* a state that has nobody stays as it is */
        return s.likelihood;
    next_p->at[LOGIT] = log(s.busy[0] / idle[0]);
    next_p->at[MEAN] = idle[1] / idle[0];
    next_p->at[MEAN + 1] = s.busy[1] / s.busy[0];
    next_p->at[LOG_VARIANCE] = log(variance_of(idle, from->floor));
    next_p->at[LOG_VARIANCE + 1] = log(variance_of(s.busy, from->floor));
    return s.likelihood;
}

/* --- many steps */

/* Extrapolates three successive mixtures to about where they lead; false if not further. */
static bool extrapolate(const vector *v, double floor, vector *further_p)
{
    double first = 0, second = 0, length;

    for (int i = 0; i < PARAMETERS; i++) {
        double r = v[1].at[i] - v[0].at[i], bend = v[2].at[i] - 2 * v[1].at[i] + v[0].at[i];

        first += r * r;
        second += bend * bend;
    }
    length = second > 0 ? sqrt(first / second) : 0;
    if (!(length > 1) || !isfinite(length))
        return false;
    for (int i = 0; i < PARAMETERS; i++) {
        double r = v[1].at[i] - v[0].at[i], bend = v[2].at[i] - 2 * v[1].at[i] + v[0].at[i];

        further_p->at[i] = v[0].at[i] + 2 * length * r + length * length * bend;
    }
    for (int i = LOG_VARIANCE; i < LOG_VARIANCE + 2; i++)
        further_p->at[i] = fmin(fmax(further_p->at[i], log(floor)), 50);
    return fabs(further_p->at[LOGIT]) < 30;
}

/* Improves *v; gives its likelihood. */
static double climb(const samples *from, const double all[3], int rounds, vector *v)
{
    double reached = -INFINITY;

    for (int round = 0; round < rounds; round++) {
        vector path[3] = {*v}, further, after;
        double here = step(from, all, &path[0], &path[1]);
        double then = step(from, all, &path[1], &path[2]), there;

        *v = path[2];
        reached = then;
        if (then - here <= ENOUGH * (double) from->count)
            break;
        if (!extrapolate(path, from->floor, &further))
            continue;
        there = step(from, all, &further, &after);
        if (there >= then) {
            *v = after;
            reached = there;
        }
    }
    return reached;
}

/* --- where to start */

static int by_value(const void *a, const void *b)
{
    const double *first = a, *second = b;

    return (*first > *second) - (*first < *second);
}

/* The samples below a threshold are idle, those above busy. */
static vector parted(const samples *sorted, double share)
{
    size_t below = (size_t) (share * (double) sorted->count);
    double sum[2][3] = {{0}};
    vector v;

    below = below < 2 ? 2 : below > sorted->count - 2 ? sorted->count - 2 : below;
    for (size_t i = 0; i < sorted->count; i++) {
        double x = sorted->x[i], *to = sum[i >= below];

        to[0]++;
        to[1] += x;
        to[2] += x * x;
    }
    v.at[LOGIT] = log(sum[1][0] / sum[0][0]);
    for (int k = 0; k < 2; k++) {
        v.at[MEAN + k] = sum[k][1] / sum[k][0];
        v.at[LOG_VARIANCE + k] = log(variance_of(sum[k], sorted->floor));
    }
    return v;
}

/* A narrow state within a wide one: long tails. */
static vector nested(const double all[3])
{
    double mean = all[1] / all[0], variance = variance_of(all, 0);

    return (vector){{-1, mean, mean, log(variance / 4), log(variance * 3)}};
}

static void sum_up(const samples *from, double all_p[3])
{
    double sum = 0, squares = 0;

    for (size_t i = 0; i < from->count; i++) {
        sum += from->x[i];
        squares += from->x[i] * from->x[i];
    }
    all_p[0] = (double) from->count;
    all_p[1] = sum;
    all_p[2] = squares;
}

static samples thin(const samples *sorted, double x_p[THINNED])
{
    samples few = {.x = x_p, .count = THINNED, .floor = sorted->floor};

    if (sorted->count <= THINNED)
        return *sorted;
    for (size_t i = 0; i < THINNED; i++)
        x_p[i] = sorted->x[(2 * i + 1) * sorted->count / (2 * THINNED)];
    return few;
}

static void best_of(const samples *sorted, const double all[3], uint64_t seed, vector *best_p,
                    double *likelihood_p)
{
    static const double shares[] = {0.5, 0.75, 0.9, 0.25};
    double reached[STARTS], x[THINNED], few_all[3];
    samples few = thin(sorted, x);
    vector starts[STARTS];
    bool done[STARTS] = {false};

    sum_up(&few, few_all);
    for (int i = 0; i < STARTS; i++) {
        starts[i] = i < 4            ? parted(&few, shares[i])
                    : i < STARTS - 1 ? parted(&few, 0.02 + 0.96 * rng_unit(&seed))
                                     : nested(few_all);
        reached[i] = climb(&few, few_all, TRIED, &starts[i]);
    }
    *best_p = starts[0];
    *likelihood_p = -INFINITY;
    for (int k = 0; k < FINISHED; k++) {
        int best = -1;

        for (int i = 0; i < STARTS; i++)
            if (!done[i] && (best < 0 || reached[i] > reached[best]))
                best = i;
        done[best] = true;
        reached[best] = climb(sorted, all, ROUNDS, &starts[best]);
        if (reached[best] > *likelihood_p) {
            *likelihood_p = reached[best];
            *best_p = starts[best];
        }
    }
}

/* --- one or two */

static void fit_one(const double all[3], mixture *m)
{
    double variance = variance_of(all, 1e-12);

    m->one = (mixture_state){1, all[1] / all[0], sqrt(variance)};
    m->likelihood[0] = -0.5 * all[0] * (LN_2PI + log(variance) + 1);
    m->bic[0] = 2 * log(all[0]) - 2 * m->likelihood[0];
}

static void take_two(const vector *v, double likelihood, mixture *m)
{
    double busy = 1 / (1 + exp(-v->at[LOGIT])), spread;
    mixture_state states[2] = {{1 - busy, v->at[MEAN], exp(v->at[LOG_VARIANCE] / 2)},
                               {busy, v->at[MEAN + 1], exp(v->at[LOG_VARIANCE + 1] / 2)}};
    bool swapped = states[0].mean > states[1].mean;

    m->idle = states[swapped];
    m->busy = states[!swapped];
    m->likelihood[1] = likelihood;
    m->bic[1] = 5 * log((double) m->samples) - 2 * likelihood;
    spread = hypot(m->idle.deviation, m->busy.deviation);
    m->ashman = sqrt(2) * (m->busy.mean - m->idle.mean) / spread;
    m->distance = exp(m->busy.mean - m->idle.mean);
}

static bool two_states(const mixture *m)
{
    double least = fmin(m->idle.weight, m->busy.weight) * (double) m->samples;

    return m->bic[1] < m->bic[0] && m->ashman > MIXTURE_ASHMAN && m->distance >= MIXTURE_DISTANCE &&
           least >= MIXTURE_STATE;
}

static void shift(mixture_state *state, double by)
{
    state->mean += by;
}

/* Sums of squares lose digits far from 0: everything is relative to the mean. */
atm_status mixture_fit(const double *logs, size_t count, uint64_t seed, mixture *mixture_p)
{
    double *x = malloc((count > 0 ? count : 1) * sizeof(double)), all[3];
    double centre = 0, likelihood;
    mixture m = {.samples = count, .states = 1, .bic = {0, INFINITY}, .distance = 1};
    samples sorted = {.x = x, .count = count};
    vector best;

    if (x == NULL)
        return ATM_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        centre += logs[i] / (double) count;
    if (count == 0 || !isfinite(centre)) {
        free(x);
        return ATM_BAD_ARGUMENT;
    }
    for (size_t i = 0; i < count; i++)
        x[i] = logs[i] - centre;
    sum_up(&sorted, all);
    fit_one(all, &m);
    m.idle = m.busy = m.one;
    sorted.floor = fmax(1e-6 * m.one.deviation * m.one.deviation, 1e-6);
    if (count >= MIXTURE_FEWEST && m.one.deviation * m.one.deviation > sorted.floor) {
        qsort(x, count, sizeof(double), by_value);
        best_of(&sorted, all, seed, &best, &likelihood);
        take_two(&best, likelihood, &m);
        m.states = two_states(&m) ? 2 : 1;
    }
    shift(&m.one, centre);
    shift(&m.idle, centre);
    shift(&m.busy, centre);
    free(x);
    *mixture_p = m;
    return ATM_OK;
}

/* --- what it says */

double mixture_busy(const mixture *mixture, double log_seconds)
{
    const mixture_state *idle = &mixture->idle, *busy = &mixture->busy;
    double x = fmax(log_seconds, idle->mean);
    term a = make_term(idle->weight, idle->mean, idle->deviation * idle->deviation);
    term b = make_term(busy->weight, busy->mean, busy->deviation * busy->deviation);

    if (mixture->states < 2)
        return 0;
    return 1 / (1 + exp(a.constant + (x - a.mean) * (x - a.mean) * a.factor - b.constant -
                        (x - b.mean) * (x - b.mean) * b.factor));
}

double mixture_seconds(const mixture_state *state)
{
    return exp(state->mean + state->deviation * state->deviation / 2);
}

double mixture_likelihood(const mixture_state *idle, const mixture_state *busy, const double *logs,
                          size_t count)
{
    term terms[2] = {make_term(idle->weight, idle->mean, idle->deviation * idle->deviation),
                     make_term(busy->weight, busy->mean, busy->deviation * busy->deviation)};
    sums s = {{0}, {0}, 0};

    for (size_t i = 0; i < count; i += BLOCK)
        add_block(logs + i, count - i < BLOCK ? count - i : BLOCK, terms, &s);
    return s.likelihood;
}
