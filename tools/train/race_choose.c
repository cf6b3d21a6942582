/* The winners of a race: the rule is in race.h. */

#include "race_choose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ties of one algorithm whose cost is looked at over all bytes; the better
 * ones. */
enum { LOOKED_AT = 4 };

enum { CONTEXTS = 32 }; /* in which it is */

#define MAY_FALL 0.05
#define NOT_WORSE 1.1

static double square_error(const race *r, const race_entrant *e, int point)
{
    double measured = r->result->operations[e->operation].points[point]->seconds;
    double apart = r->result->criterion == TRAIN_LOG ? log(e->predicted[point] / measured)
                                                     : e->predicted[point] - measured;

    return apart * apart;
}

double race_error(const race *r, const race_entrant *e)
{
    const train_operation *o = &r->result->operations[e->operation];
    double sum = 0;
    int count = 0;

    for (int i = 0; !e->failed && i < o->count; i++) {
        if (o->fold[i] < e->seen) {
            sum += square_error(r, e, i);
            count++;
        }
    }
    return count > 0 ? sqrt(sum / count) : INFINITY;
}

static int first_entrant(const race *r, int operation)
{
    return r->count / r->result->operation_count * operation;
}

int race_chosen(const race *r, int operation)
{
    return first_entrant(r, operation) + r->result->operations[operation].chosen;
}

/* --- the table of candidates */

static void score_candidate(const race *r, const race_entrant *e, double *measured,
                            double *predicted, train_candidate *c)
{
    const train_operation *o = &r->result->operations[e->operation];
    int count = 0;

    c->algorithm = e->choice.trainer->name;
    c->simplicity = e->choice.trainer->simplicity;
    snprintf(c->preprocessing, sizeof(c->preprocessing), "%s; %s target",
             prep_steps[e->choice.step].name, e->choice.log_target ? "log" : "linear");
    e->choice.trainer->describe(&e->choice.setting, c->settings, sizeof(c->settings));
    c->error = e->error;
    c->finished = !e->failed && e->seen == r->result->folds;
    for (int i = 0; !e->failed && i < o->count; i++) {
        if (o->fold[i] < e->seen) {
            measured[count] = o->points[i]->seconds;
            predicted[count++] = e->predicted[i];
        }
    }
    c->score = count > 0 ? train_score_of(measured, predicted, count)
                         : (train_score){NAN, NAN, NAN, NAN, NAN, NAN};
}

/* How far e's squared errors exceed those of best: mean and its standard error. */
static double excess(const race *r, const race_entrant *e, const race_entrant *best,
                     double *standard_error_p)
{
    int count = r->result->operations[e->operation].count;
    double mean = 0, squares = 0;

    for (int i = 0; i < count; i++)
        mean += (square_error(r, e, i) - square_error(r, best, i)) / count;
    for (int i = 0; i < count; i++) {
        double apart = square_error(r, e, i) - square_error(r, best, i) - mean;

        squares += apart * apart;
    }
    *standard_error_p = sqrt(squares / (count - 1.0) / count);
    return mean;
}

/* --- does cost fall with bytes? */

static double share_falling(const train_operation *o, const learn_part *all,
                            const atm_surrogate *surrogate)
{
    int stride = (o->count + CONTEXTS - 1) / CONTEXTS, octaves = 0, falling = 0;
    double least = all->min[0], most = all->max[0]; /* bytes is the first column */

    for (int i = 0; i < o->count; i += stride) {
        double features[ATM_FEATURE_COUNT], before = 0;

        memcpy(features, o->points[i]->features, sizeof(features));
        for (double bytes = least; bytes <= most; bytes *= 2) {
            atm_estimate estimate;

            features[ATM_BYTES] = bytes;
            atm_surrogate_predict(surrogate, features, &estimate);
            octaves += before > 0;
            falling += estimate.seconds < before * 0.99;
            before = estimate.seconds;
        }
    }
    return octaves > 0 ? (double) falling / octaves : 0;
}

static double look_at(void *race_, int task)
{
    race *r = race_;
    const race_entrant *e = &r->entrants[r->order[task]];
    train_operation *o = &r->result->operations[e->operation];
    train_candidate *c = &o->candidates[r->order[task] - first_entrant(r, e->operation)];
    atm_value *object = NULL;
    atm_surrogate *surrogate = NULL;

    c->falls = 1; /* unless it can be shown */
    if (learn_fit(o, &r->sets[e->operation].all, &e->choice, e->seed, 0, &object) == ATM_OK &&
        atm_surrogate_read(object, NULL, &surrogate) == ATM_OK)
        c->falls = share_falling(o, &r->sets[e->operation].all, surrogate);
    atm_surrogate_destroy(surrogate);
    atm_value_destroy(object);
    return 0;
}

/* --- choosing */

/* Candidate tables and best; the entrants that tie are left contending, of each
 * algorithm the LOOKED_AT best. */
static atm_status find_ties(race *r, int operation)
{
    train_operation *o = &r->result->operations[operation];
    race_entrant *entrants = r->entrants + first_entrant(r, operation);
    int count = r->count / r->result->operation_count;
    double *scratch = malloc(2 * (size_t) o->count * sizeof(double));

    o->candidates = calloc((size_t) count, sizeof(train_candidate)); /* train_destroy */
    if (scratch == NULL || o->candidates == NULL) {
        free(scratch);
        return ATM_NO_MEMORY;
    }
    o->candidate_count = count;
    o->best = -1;
    for (int i = 0; i < count; i++) {
        train_candidate *c = &o->candidates[i];

        score_candidate(r, &entrants[i], scratch, scratch + o->count, c);
        if (c->finished && (o->best < 0 || c->error < o->candidates[o->best].error))
            o->best = i;
    }
    free(scratch);
    if (o->best < 0)
        return ATM_BAD_ARGUMENT;
    for (int i = 0; i < count; i++) {
        train_candidate *c = &o->candidates[i];
        double most = o->candidates[o->best].error, standard_error;

        entrants[i].contending = c->finished && c->error <= NOT_WORSE * most;
        if (!c->finished)
            continue;
        if (excess(r, &entrants[i], &entrants[o->best], &standard_error) > standard_error)
            entrants[i].contending = false;
        c->standard_error = most > 0 ? standard_error / (2 * most) : 0;
    }
    for (int i = 0; i < count; i++) {
        int better = 0;

        for (int k = 0; k < count; k++)
            better += entrants[k].contending &&
                      entrants[k].choice.trainer == entrants[i].choice.trainer &&
                      (o->candidates[k].error < o->candidates[i].error ||
                       (o->candidates[k].error == o->candidates[i].error && k < i));
        if (better >= LOOKED_AT)
            o->candidates[i].falls = -1; /* leaves the ties below */
    }
    for (int i = 0; i < count; i++) {
        if (o->candidates[i].falls < 0)
            entrants[i].contending = false;
        o->candidates[i].falls = 0;
    }
    return ATM_OK;
}

static bool is_preferred(const train_candidate *a, const train_candidate *b)
{
    if ((a->falls > MAY_FALL) != (b->falls > MAY_FALL))
        return b->falls > MAY_FALL;
    if (a->simplicity != b->simplicity)
        return a->simplicity < b->simplicity;
    return a->error < b->error;
}

static atm_status finish(race *r, int operation)
{
    train_operation *o = &r->result->operations[operation];
    int first = first_entrant(r, operation);
    const race_entrant *e;

    o->chosen = o->best;
    for (int i = 0; i < o->candidate_count; i++)
        if (r->entrants[first + i].contending &&
            is_preferred(&o->candidates[i], &o->candidates[o->chosen]))
            o->chosen = i;
    e = &r->entrants[first + o->chosen];
    memcpy(o->predicted, e->predicted, (size_t) o->count * sizeof(double));
    o->recipe = malloc(sizeof(*o->recipe)); /* train_destroy */
    if (o->recipe == NULL)
        return ATM_NO_MEMORY;
    *o->recipe = e->choice;
    o->recipe_seed = e->seed;
    return learn_fit(o, &r->sets[operation].all, &e->choice, e->seed,
                     fmin(expm1(o->candidates[o->chosen].score.log_rmse), ATM_UNCERTAINTY_MAX),
                     &o->surrogate);
}

atm_status race_choose(race *r)
{
    atm_status status = ATM_OK;

    for (int i = 0; status == ATM_OK && i < r->result->operation_count; i++)
        status = find_ties(r, i);
    if (status != ATM_OK)
        return status;
    r->tasks = 0;
    for (int i = 0; i < r->count; i++)
        if (r->entrants[i].contending)
            r->order[r->tasks++] = i;
    parallel_run(r->crew, r->tasks, look_at, r);
    for (int i = 0; status == ATM_OK && i < r->result->operation_count; i++)
        status = finish(r, i);
    return status;
}
