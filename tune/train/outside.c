/* How errors grow with the distance to what was measured. */

#include "outside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "learn.h"
#include "notes.h"

enum {
    LEFT_MIN = 3, /* points that are left out of an experiment, at least */
    EXPERIMENTS = 40,
    EFFECTIVE = 4, /* what was left out together errs together: it counts as so many at most */
    STEPS = 60,
    SWEEPS = 3
};

#define LEAST 0.01 /* deviations that are tried */
#define MOST 3.0
#define FARTHEST 3.0 /* a residual in standard deviations, beyond which one would rule all */
#define CLEARLY 0.9  /* of mean squares */

/* How time goes on with scale: by the laws of cost/README.md, feature by feature, or by powers. */
enum { BY_LAWS, BY_POWERS, WAYS };

/* A point that was left out. */
typedef struct held {
    double residual[WAYS]; /* ln(measured / predicted) */
    double error;          /* deviation of it if it were near */
    double away[ATM_AWAY_COUNT];
    double weight;
} held;

typedef struct outside {
    const train_operation *o;
    int way;
    const atm_surrogate *whole; /* knows the errors by place */
    held *held;
    int count, room;
    int ends[EXPERIMENTS]; /* [experiments] of held, one after the other */
    int experiments;
} outside;

/* --- experiments */

static atm_status read_with(const train_operation *o, const bool *take, int way,
                            const atm_value *fitted, atm_surrogate **surrogate_p)
{
    const outside_found none = {.by_power = way == BY_POWERS};
    atm_value *object = atm_value_object();
    atm_status status;

    for (size_t i = 0; i < atm_value_length(fitted); i++)
        atm_put_copy(object, atm_value_key(atm_value_item(fitted, i)), atm_value_item(fitted, i));
    status = outside_put(o, take, &none, 0, object);
    if (status == ATM_OK)
        status = atm_surrogate_read(object, NULL, surrogate_p);
    atm_value_destroy(object);
    return status;
}

static atm_status fit_to(const train_operation *o, const bool *take, atm_surrogate **surrogates)
{
    learn_part part = {.rows = 0};
    atm_value *fitted = NULL;
    atm_status status = learn_part_make(o, take, learn_steps(o->recipe), &part);

    if (status == ATM_OK)
        status = learn_make(o, &part, o->recipe, 0, &fitted);
    for (int way = 0; status == ATM_OK && way < WAYS; way++)
        status = read_with(o, take, way, fitted, &surrogates[way]);
    atm_value_destroy(fitted);
    learn_part_destroy(&part);
    return status;
}

static void add_held(outside *all, int point, atm_surrogate *const *surrogates, double weight)
{
    const points_point *p = all->o->points[point];
    held *h = &all->held[all->count];
    atm_estimate estimate;
    double far = 0;

    atm_surrogate_predict(all->whole, p->features, &estimate);
    *h = (held){.error = log1p(estimate.uncertainty), .weight = weight};
    for (int way = 0; way < WAYS; way++) {
        atm_surrogate_predict(surrogates[way], p->features, &estimate);
        h->residual[way] = log(p->seconds / estimate.seconds);
    }
    atm_surrogate_away(surrogates[0], p->features, h->away);
    for (int i = 0; i < ATM_AWAY_COUNT; i++)
        far += fabs(h->away[i]);
    all->count += far > 0;
}

/* Leaves out what is not taken; nothing is learned where too little is left. */
static atm_status experiment(outside *all, const bool *take, double effective)
{
    const train_operation *o = all->o;
    atm_surrogate *surrogates[WAYS] = {NULL};
    int left_out = 0;
    atm_status status;

    for (int i = 0; i < o->count; i++)
        left_out += !take[i];
    if (left_out < LEFT_MIN || o->count - left_out < TRAIN_POINTS_MIN ||
        all->experiments == EXPERIMENTS)
        return ATM_OK;
    status = fit_to(o, take, surrogates);
    for (int i = 0; status == ATM_OK && i < o->count; i++)
        if (!take[i])
            add_held(all, i, surrogates, fmin(1, effective / left_out));
    all->ends[all->experiments++] = all->count;
    for (int way = 0; way < WAYS; way++)
        atm_surrogate_destroy(surrogates[way]);
    return status == ATM_NO_MEMORY ? status : ATM_OK; /* such points may teach nothing */
}

static double value(const train_operation *o, int point, atm_feature feature)
{
    return o->points[point]->features[feature];
}

/* Leaves out the last octaves of a feature. */
static atm_status leave_largest(outside *all, atm_feature feature, double octaves, bool *take)
{
    const train_operation *o = all->o;
    double most = 0;

    for (int i = 0; i < o->count; i++)
        most = fmax(most, value(o, i, feature));
    for (int i = 0; i < o->count; i++)
        take[i] = value(o, i, feature) <= most * exp2(-octaves);
    return experiment(all, take, EFFECTIVE);
}

/* The first point with its number of stripes? */
static bool is_first(const train_operation *o, int point)
{
    for (int i = 0; i < point; i++)
        if (value(o, i, ATM_STRIPES) == value(o, point, ATM_STRIPES))
            return false;
    return true;
}

/* Leaves out one number of stripes after the other; as most lie between others, together they count
 * as two experiments. */
static atm_status leave_each(outside *all, bool *take)
{
    const train_operation *o = all->o;
    int numbers = 0;
    atm_status status = ATM_OK;

    for (int i = 0; i < o->count; i++)
        numbers += is_first(o, i);
    for (int i = 0; status == ATM_OK && i < o->count; i++) {
        if (!is_first(o, i))
            continue;
        for (int k = 0; k < o->count; k++)
            take[k] = value(o, k, ATM_STRIPES) != value(o, i, ATM_STRIPES);
        status = experiment(all, take, 2.0 * EFFECTIVE / numbers);
    }
    return status;
}

static atm_status run_experiments(outside *all)
{
    const train_operation *o = all->o;
    bool *take = malloc((size_t) o->count * sizeof(*take));
    atm_status status = take != NULL ? ATM_OK : ATM_NO_MEMORY;

    for (int i = 0; status == ATM_OK && i < o->feature_count; i++) {
        if (o->features[i] == ATM_STRIPES)
            status = leave_each(all, take);
        for (int octaves = 1; status == ATM_OK && octaves <= 2; octaves++)
            status = leave_largest(all, o->features[i], octaves, take);
    }
    free(take);
    return status;
}

/* --- the most probable deviations */

static double likelihood(const outside *all, const double *deviations)
{
    double sum = 0;

    for (int i = 0; i < all->count; i++) {
        const held *h = &all->held[i];
        double variance = h->error * h->error, residual = fabs(h->residual[all->way]);

        for (int k = 0; k < ATM_AWAY_COUNT; k++)
            variance += pow(deviations[k] * h->away[k], 2);
        residual = fmin(residual, FARTHEST * sqrt(variance));
        sum -= 0.5 * h->weight * (log(variance) + residual * residual / variance);
    }
    return sum;
}

static double belief(const outside_prior *prior, double deviation)
{
    double apart = (log(deviation) - prior->mean) / prior->deviation;

    return -0.5 * apart * apart;
}

/* Prefers the laws, which are known to hold, unless powers are clearly better at what was left
 * out. */
static int better_way(const outside *all)
{
    double squares[WAYS] = {0};

    for (int i = 0; i < all->count; i++)
        for (int way = 0; way < WAYS; way++)
            squares[way] +=
                all->held[i].weight * pow(fmin(fabs(all->held[i].residual[way]), FARTHEST), 2);
    return squares[BY_POWERS] < CLEARLY * squares[BY_LAWS] ? BY_POWERS : BY_LAWS;
}

static void find_deviations(const outside *all, const outside_prior *priors, double *deviations)
{
    for (int k = 0; k < ATM_AWAY_COUNT; k++)
        deviations[k] = exp(priors[k].mean);
    for (int i = 0; i < SWEEPS * ATM_AWAY_COUNT; i++) {
        int k = i % ATM_AWAY_COUNT;
        double best = -INFINITY, found = deviations[k];

        for (int step = 0; step <= STEPS; step++) {
            double sum;

            deviations[k] = LEAST * pow(MOST / LEAST, (double) step / STEPS);
            sum = likelihood(all, deviations) + belief(&priors[k], deviations[k]);
            if (sum > best) {
                best = sum;
                found = deviations[k];
            }
        }
        deviations[k] = found;
    }
}

/* Share of errors common to what was left out together: the squared mean over what the mean square
 * has grown by. */
static double find_alike(const outside *all)
{
    double shared = 0, squares = 0;

    for (int i = 0, begin = 0; i < all->experiments; begin = all->ends[i++]) {
        int count = all->ends[i] - begin;
        double mean = 0, grown = 0;

        if (count < LEFT_MIN)
            continue;
        for (int k = begin; k < all->ends[i]; k++) {
            double residual = all->held[k].residual[all->way], error = all->held[k].error;

            mean += residual / count;
            grown += (residual * residual - error * error) / count;
        }
        if (grown > 0) {
            shared += fmin(mean * mean, grown);
            squares += grown;
        }
    }
    return squares > 0 ? shared / squares : 0;
}

/* Was anything left out in this direction? */
static bool was_seen(const outside *all, int direction)
{
    for (int i = 0; i < all->count; i++)
        if (all->held[i].away[direction] != 0)
            return true;
    return false;
}

/* --- together */

static atm_status learn(outside *all, const outside_prior *priors, outside_found *found_p)
{
    atm_status status = run_experiments(all);

    if (status != ATM_OK)
        return status;
    all->way = better_way(all);
    find_deviations(all, priors, found_p->deviation);
    for (int i = 0; i < ATM_AWAY_COUNT; i++)
        found_p->seen[i] = was_seen(all, i);
    found_p->alike = find_alike(all);
    found_p->by_power = all->way == BY_POWERS;
    return ATM_OK;
}

atm_status outside_learn(const train_operation *o, const outside_prior priors[ATM_AWAY_COUNT],
                         outside_found *found_p)
{
    outside all = {.o = o};
    atm_surrogate *whole;
    outside_found found;
    atm_status status = atm_surrogate_read(o->surrogate, NULL, &whole);

    if (status != ATM_OK)
        return status;
    all.whole = whole;
    all.held = malloc((size_t) o->count * EXPERIMENTS * sizeof(*all.held));
    status = all.held != NULL ? learn(&all, priors, &found) : ATM_NO_MEMORY;
    if (status == ATM_OK)
        *found_p = found;
    free(all.held);
    atm_surrogate_destroy(whole);
    return status;
}

static bool has_stripes(const train_operation *o)
{
    for (int i = 0; i < o->feature_count; i++)
        if (o->features[i] == ATM_STRIPES)
            return true;
    return false;
}

static void note(train_operation *o, const outside_found *found)
{
    char stripes[64] = "";

    if (has_stripes(o))
        snprintf(stripes, sizeof(stripes), ", %.0f %% of stripes",
                 100 * expm1(found->deviation[ATM_AWAY_STRIPES]));
    notes_add(
        &o->notes, &o->note_count,
        "outside of the points, error for each doubling: %.0f %% of bytes, %.0f %% of scale%s%s%s",
        100 * expm1(found->deviation[ATM_AWAY_SIZE]), 100 * expm1(found->deviation[ATM_AWAY_SCALE]),
        stripes, found->seen[ATM_AWAY_SCALE] ? "" : " (as usual: none could be left out)",
        found->by_power ? "; beyond, time grows with scale by powers" : "");
}

atm_status outside_errors(train_operation *o)
{
    outside_prior priors[ATM_AWAY_COUNT];
    outside_found found;
    bool *take = malloc((size_t) o->count * sizeof(*take));
    double alike;
    atm_status status = ATM_NO_MEMORY;

    outside_priors(atm_operation_kind(o->operation), priors, &alike);
    if (take != NULL)
        status = outside_learn(o, priors, &found);
    if (status == ATM_OK) {
        for (int i = 0; i < o->count; i++)
            take[i] = true;
        note(o, &found);
        memcpy(o->outside, found.deviation, sizeof(o->outside));
        status = outside_put(o, take, &found, alike, o->surrogate);
    }
    free(take);
    return status;
}
