/* Running the candidates; race_choose.c picks the winner. */

#include "race.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "race_choose.h"
#include "common/rng.h"

enum { HELD_OUT = 60 };
enum { LEGS = 3 };

static const int left_after[LEGS] = {24, 6, 0}; /* of each algorithm */

/* --- entrants */

static int enter(const race *r, int operation, race_entrant *entrants)
{
    int count = 0;

    for (int t = 0; trainer_at(t) != NULL; t++) {
        const trainer *trainer = trainer_at(t);

        for (int k = 0; k < 2 * PREP_STEPS * TRAINER_SETTINGS; k++) {
            int step = k / (2 * TRAINER_SETTINGS);
            race_entrant e = {.choice = {.trainer = trainer, .step = step},
                              .operation = operation,
                              .contending = true};

            if ((trainer->steps >> step & 1) == 0 ||
                (r->algorithm != NULL && strcmp(r->algorithm, trainer->name) != 0))
                continue;
            e.choice.log_target = k / TRAINER_SETTINGS % 2 == 0;
            trainer->setting(k % TRAINER_SETTINGS, e.choice.log_target, r->result->seed,
                             &e.choice.setting);
            e.seed = rng_split(r->result->seed, (uint64_t) (t * 1000 + k + 1));
            if (entrants != NULL)
                entrants[count] = e;
            count++;
        }
    }
    return count;
}

static atm_status make_entrants(race *r)
{
    int each = enter(r, 0, NULL);

    r->count = each * r->result->operation_count;
    r->entrants = calloc((size_t) r->count, sizeof(*r->entrants));
    r->order = calloc((size_t) r->count, sizeof(*r->order));
    if (r->entrants == NULL || r->order == NULL)
        return ATM_NO_MEMORY;
    for (int i = 0; i < r->result->operation_count; i++)
        enter(r, i, r->entrants + i * each);
    for (int i = 0; i < r->count; i++) {
        const train_operation *o = &r->result->operations[r->entrants[i].operation];

        r->entrants[i].predicted = malloc((size_t) o->count * sizeof(double));
        if (r->entrants[i].predicted == NULL)
            return ATM_NO_MEMORY;
    }
    return ATM_OK;
}

/* --- legs */

/* How many folds have been seen at the end of a leg. */
static int folds_after(const race *r, const train_operation *o, int leg)
{
    int folds = (HELD_OUT * r->result->folds + o->count - 1) / o->count;

    if (folds > r->result->folds / 2 || leg == LEGS - 1)
        return r->result->folds;
    return folds << leg < r->result->folds ? folds << leg : r->result->folds;
}

static double weight_of(const race *r, const race_entrant *e)
{
    return (double) e->choice.trainer->cost * r->result->operations[e->operation].count;
}

static double run_entrant(void *race_, int task)
{
    race *r = race_;
    race_entrant *e = &r->entrants[r->order[task]];
    const train_operation *o = &r->result->operations[e->operation];
    const learn_set *set = &r->sets[e->operation];
    const learn_part *parts = r->leg == 0 && set->few != NULL ? set->few : set->without;
    int end = folds_after(r, o, r->leg), folds;

    if (r->leg == 1 && set->few != NULL)
        e->seen = 0; /* that was with few points */
    folds = end - e->seen;
    for (; !e->failed && e->seen < end; e->seen++) {
        learn_recipe recipe = {1, {e->choice}, {rng_split(e->seed, (uint64_t) e->seen)}};

        e->failed = learn_predict(o, &parts[e->seen], &recipe, e->seen, e->predicted) != ATM_OK;
    }
    e->error = race_error(r, e);
    return weight_of(r, e) * folds;
}

/* Expensive tasks first, so that the threads end together. */
static void order_tasks(race *r)
{
    int heaviest = 0;

    r->tasks = 0;
    for (int t = 0; trainer_at(t) != NULL; t++)
        heaviest = trainer_at(t)->cost > heaviest ? trainer_at(t)->cost : heaviest;
    for (int cost = heaviest; cost > 0; cost--)
        for (int i = 0; i < r->count; i++)
            if (r->entrants[i].contending && r->entrants[i].choice.trainer->cost == cost)
                r->order[r->tasks++] = i;
}

/* Drops all but the `left` best of entrants[count], which are of one operation and algorithm. */
static void drop_slow(race_entrant *entrants, int count, int left)
{
    int contending = 0;

    for (int i = 0; i < count; i++) {
        int better = 0;

        for (int k = 0; k < count; k++)
            better += entrants[k].contending && (entrants[k].error < entrants[i].error ||
                                                 (entrants[k].error == entrants[i].error && k < i));
        entrants[i].last = !entrants[i].contending || better >= left;
        contending += !entrants[i].last;
    }
    for (int i = 0; contending > 0 && i < count; i++)
        entrants[i].contending = !entrants[i].last;
}

static void drop_all_slow(race *r)
{
    for (int i = 0, next; i < r->count; i = next) {
        const race_entrant *e = &r->entrants[i];

        for (next = i; next < r->count && r->entrants[next].operation == e->operation &&
                       r->entrants[next].choice.trainer == e->choice.trainer;)
            next++;
        if (folds_after(r, &r->result->operations[e->operation], r->leg) < r->result->folds)
            drop_slow(&r->entrants[i], next - i, left_after[r->leg]);
    }
}

static void run_legs(race *r)
{
    for (r->leg = 0; r->leg < LEGS; r->leg++) {
        order_tasks(r);
        parallel_run(r->crew, r->tasks, run_entrant, r);
        drop_all_slow(r);
    }
}

/* --- lessons: the chosen one, taught less */

enum { TAUGHT = TRAIN_LESSONS - 1 }; /* the whole lesson has been given */

static double teach(void *race_, int task)
{
    race *r = race_;
    train_operation *o = &r->result->operations[task / TAUGHT];
    learn_recipe recipe = *o->recipe;
    train_lesson *lesson = &o->lessons[task % TAUGHT];
    double *predicted = malloc((size_t) o->count * sizeof(double));
    double *measured = malloc((size_t) o->count * sizeof(double));
    bool *take = malloc((size_t) o->count * sizeof(bool));
    bool good = predicted != NULL && measured != NULL && take != NULL;
    int all = 0;

    for (int fold = 0; good && fold < r->result->folds; fold++) {
        learn_part part = {.rows = 0};

        for (int i = 0; i < recipe.count; i++)
            recipe.seeds[i] = rng_split(o->recipe->seeds[i], (uint64_t) (1000 + fold));
        all += learn_draw(o, fold, lesson->share, recipe.seeds[0], take);
        good = learn_part_make(o, take, learn_steps(&recipe), &part) == ATM_OK &&
               learn_predict(o, &part, &recipe, fold, predicted) == ATM_OK;
        learn_part_destroy(&part);
    }
    for (int i = 0; good && i < o->count; i++)
        measured[i] = o->points[i]->seconds;
    lesson->points = all / r->result->folds;
    lesson->score = good ? train_score_of(measured, predicted, o->count)
                         : (train_score){NAN, NAN, NAN, NAN, NAN, NAN};
    free(predicted);
    free(measured);
    free(take);
    return 0;
}

static void give_lessons(race *r)
{
    for (int i = 0; i < r->result->operation_count; i++) {
        train_operation *o = &r->result->operations[i];

        for (int k = 0; k < TRAIN_LESSONS; k++)
            o->lessons[k].share = (k + 1.0) / TRAIN_LESSONS;
        o->lessons[TAUGHT].points = o->count - o->count / r->result->folds;
        o->lessons[TAUGHT].score = o->candidates[o->chosen].score;
    }
    parallel_run(r->crew, r->result->operation_count * TAUGHT, teach, r);
}

/* --- all of it */

static double make_set(void *race_, int index)
{
    race *r = race_;

    if (learn_set_make(&r->result->operations[index], r->result->folds, r->result->seed,
                       &r->sets[index]) != ATM_OK)
        r->sets[index].folds = 0;
    return 0;
}

/* Estimated weight of all legs, for the progress. */
static double expected_weight(const race *r)
{
    int each = r->count / r->result->operation_count;
    double sum = 0;

    for (int i = 0; i < r->count; i++) {
        const race_entrant *e = &r->entrants[i];
        const train_operation *o = &r->result->operations[e->operation];
        double before = each / 6.0, folds = folds_after(r, o, 0); /* before: entrants of a kind */

        for (int leg = 1; leg < LEGS; leg++)
            folds += (folds_after(r, o, leg) - folds_after(r, o, leg - 1)) *
                     fmin(1, left_after[leg - 1] / before);
        sum += folds * weight_of(r, e);
    }
    return sum;
}

static atm_status run(race *r)
{
    atm_status status = make_entrants(r);

    if (status != ATM_OK)
        return status;
    parallel_run(r->crew, r->result->operation_count, make_set, r);
    for (int i = 0; i < r->result->operation_count; i++)
        if (r->sets[i].folds == 0)
            return ATM_NO_MEMORY;
    r->crew->all = expected_weight(r);
    run_legs(r);
    status = race_choose(r);
    if (status == ATM_OK)
        give_lessons(r);
    return status;
}

atm_status race_run(train_result *result, const char *algorithm, parallel *crew)
{
    race r = {.result = result, .algorithm = algorithm, .crew = crew};
    atm_status status = ATM_NO_MEMORY;

    r.sets = calloc((size_t) result->operation_count, sizeof(*r.sets));
    if (r.sets != NULL)
        status = run(&r);
    for (int i = 0; r.sets != NULL && i < result->operation_count; i++)
        learn_set_destroy(&r.sets[i]);
    free(r.sets);
    for (int i = 0; r.entrants != NULL && i < r.count; i++)
        free(r.entrants[i].predicted);
    free(r.entrants);
    free(r.order);
    return status;
}
