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
#define MAY_HELP 1.5 /* as a member of a mean */

/* A mean gets FEW members even if each makes its error up to WORSE times as large. */
enum { FEW = 3 };
#define WORSE 1.02

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

/* Candidate tables, best, and ties; the entrants that may be in a mean are left contending, of
 * each algorithm the LOOKED_AT best. */
static atm_status find_ties(race *r, int operation)
{
    train_operation *o = &r->result->operations[operation];
    race_entrant *entrants = r->entrants + first_entrant(r, operation);
    int count = r->count / r->result->operation_count;
    double *scratch = malloc(2 * (size_t) o->count * sizeof(double));

    /* train_destroy; one more for a mean of some */
    o->candidates = calloc((size_t) count + 1, sizeof(train_candidate));
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

        entrants[i].contending = c->finished && c->error <= MAY_HELP * most;
        entrants[i].ties = c->finished && c->error <= NOT_WORSE * most;
        if (!c->finished)
            continue;
        if (excess(r, &entrants[i], &entrants[o->best], &standard_error) > standard_error)
            entrants[i].ties = false;
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
            entrants[i].contending = entrants[i].ties = false;
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

/* --- the mean of several */

static learn_recipe recipe_of(const race_entrant *entrants, const int *members, int count)
{
    learn_recipe recipe = {.count = count};

    for (int i = 0; i < count; i++) {
        recipe.choices[i] = entrants[members[i]].choice;
        recipe.seeds[i] = entrants[members[i]].seed;
    }
    return recipe;
}

typedef struct mean {
    int members[LEARN_MEMBERS], count;
    double *predicted; /* [points]; infinite errors without */
    double error;
} mean;

static double error_with(const race *r, int operation, const mean *of, int more, double *predicted)
{
    const race_entrant *entrants = r->entrants + first_entrant(r, operation);
    race_entrant mean = {.operation = operation, .predicted = predicted, .seen = r->result->folds};
    const double *all[LEARN_MEMBERS];

    for (int i = 0; i < of->count; i++)
        all[i] = entrants[of->members[i]].predicted;
    all[of->count] = entrants[more].predicted;
    learn_mean(all, of->count + 1, r->result->operations[operation].count, predicted);
    return race_error(r, &mean);
}

static bool has(const mean *mean, int member)
{
    for (int i = 0; i < mean->count; i++)
        if (mean->members[i] == member)
            return true;
    return false;
}

/* The one that makes the mean best, as long as it does not make it worse (after Caruana and
 * others, "Ensemble selection from libraries of models", ICML 2004).  The first few may, a little:
 * what they say where nothing was measured differs more than their errors do. */
static bool add_member(const race *r, int operation, mean *mean)
{
    const train_operation *o = &r->result->operations[operation];
    const race_entrant *entrants = r->entrants + first_entrant(r, operation);
    double least = INFINITY;
    int best = -1;

    for (int i = 0; i < o->candidate_count; i++) {
        double error;

        if (!entrants[i].contending || o->candidates[i].falls > MAY_FALL || has(mean, i))
            continue;
        error = error_with(r, operation, mean, i, mean->predicted);
        if (error < least) {
            least = error;
            best = i;
        }
    }
    if (best < 0 || least > mean->error * (mean->count < FEW ? WORSE : 1))
        return false;
    mean->error = error_with(r, operation, mean, best, mean->predicted);
    mean->members[mean->count++] = best;
    return true;
}

/* A candidate like the others. */
static train_candidate candidate_of(const race *r, int operation, const mean *mean)
{
    const train_operation *o = &r->result->operations[operation];
    train_candidate c = {.algorithm = "mean", .error = mean->error, .finished = true};
    double *measured = malloc((size_t) o->count * sizeof(double));
    size_t length = 0;

    for (int i = 0; i < mean->count && length < sizeof(c.settings); i++) {
        const train_candidate *member = &o->candidates[mean->members[i]];

        c.simplicity += member->simplicity + 1;
        length += (size_t) snprintf(c.settings + length, sizeof(c.settings) - length, "%s%s",
                                    i > 0 ? ", " : "", member->algorithm);
    }
    for (int i = 0; measured != NULL && i < o->count; i++)
        measured[i] = o->points[i]->seconds;
    c.score = measured != NULL ? train_score_of(measured, mean->predicted, o->count)
                               : (train_score){NAN, NAN, NAN, NAN, NAN, NAN};
    free(measured);
    return c;
}

/* Members of a mean that is better than the one that was chosen; 0: there is none.  o->predicted
 * becomes its own. */
static int try_mean(race *r, int operation, int *members)
{
    train_operation *o = &r->result->operations[operation];
    mean mean = {.error = INFINITY};

    mean.predicted = malloc((size_t) o->count * sizeof(double));
    if (o->candidates[o->chosen].falls <= MAY_FALL) {
        mean.members[mean.count++] = members[0] = o->chosen;
        mean.error = o->candidates[o->chosen].error;
    }
    while (mean.predicted != NULL && mean.count < LEARN_MEMBERS && add_member(r, operation, &mean))
        members[mean.count - 1] = mean.members[mean.count - 1];
    if (mean.count < 2 || mean.error > WORSE * o->candidates[o->chosen].error) {
        free(mean.predicted);
        return 0;
    }
    mean.count--; /* its predictions again, after the last that was not added */
    error_with(r, operation, &mean, mean.members[mean.count], mean.predicted);
    mean.count++;
    o->candidates[o->candidate_count] = candidate_of(r, operation, &mean);
    o->chosen = o->candidate_count++;
    memcpy(o->predicted, mean.predicted, (size_t) o->count * sizeof(double));
    free(mean.predicted);
    return mean.count;
}

static atm_status finish(race *r, int operation)
{
    train_operation *o = &r->result->operations[operation];
    race_entrant *entrants = r->entrants + first_entrant(r, operation);
    int members[LEARN_MEMBERS], count;

    o->chosen = o->best;
    for (int i = 0; i < o->candidate_count; i++)
        if (entrants[i].ties && is_preferred(&o->candidates[i], &o->candidates[o->chosen]))
            o->chosen = i;
    count = r->algorithm == NULL ? try_mean(r, operation, members) : 0;
    if (count == 0) {
        memcpy(o->predicted, entrants[o->chosen].predicted, (size_t) o->count * sizeof(double));
        members[0] = o->chosen;
        count = 1;
    }
    o->recipe = malloc(sizeof(*o->recipe)); /* train_destroy */
    if (o->recipe == NULL)
        return ATM_NO_MEMORY;
    *o->recipe = recipe_of(entrants, members, count);
    return learn_make(o, &r->sets[operation].all, o->recipe,
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
