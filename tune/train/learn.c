/* Points to matrices, matrices to surrogates. */

#include "learn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/rng.h"

/* --- parts */

static atm_status prepare(learn_part *part, int step, const atm_feature *features)
{
    atm_pipeline *p = &part->pipeline[step];
    atm_status status =
        prep_fit(&prep_steps[step], part->x, part->rows, part->columns, features, p);

    if (status != ATM_OK)
        return status;
    part->inputs[step] = malloc((size_t) (part->rows * p->inputs) * sizeof(double));
    if (part->inputs[step] == NULL)
        return ATM_NO_MEMORY;
    for (int i = 0; i < part->rows; i++)
        atm_pipeline_inputs(p, part->x + i * part->columns, part->inputs[step] + i * p->inputs);
    return ATM_OK;
}

static void add_row(learn_part *part, const train_operation *o, const points_point *point)
{
    double *x = part->x + part->rows * part->columns;
    bool first = part->rows == 0;

    for (int k = 0; k < part->columns; k++) {
        x[k] = point->features[o->features[k]];
        part->min[k] = first || x[k] < part->min[k] ? x[k] : part->min[k];
        part->max[k] = first || x[k] > part->max[k] ? x[k] : part->max[k];
    }
    part->fastest = first ? point->seconds : fmin(part->fastest, point->seconds);
    part->slowest = first ? point->seconds : fmax(part->slowest, point->seconds);
    part->seconds[part->rows] = point->seconds;
    part->logs[part->rows++] = log(point->seconds);
}

atm_status learn_part_make(const train_operation *operation, const bool *take, unsigned steps,
                           learn_part *part_p)
{
    size_t rows = (size_t) operation->count;
    atm_status status = ATM_OK;

    *part_p = (learn_part){.columns = operation->feature_count};
    part_p->x = malloc(rows * (size_t) operation->feature_count * sizeof(double));
    part_p->seconds = malloc(rows * sizeof(double));
    part_p->logs = malloc(rows * sizeof(double));
    if (part_p->x == NULL || part_p->seconds == NULL || part_p->logs == NULL)
        return ATM_NO_MEMORY;
    for (int i = 0; i < operation->count; i++)
        if (take[i])
            add_row(part_p, operation, operation->points[i]);
    for (int step = 0; status == ATM_OK && step < PREP_STEPS; step++)
        if ((steps >> step & 1) != 0)
            status = prepare(part_p, step, operation->features);
    return status;
}

void learn_part_destroy(learn_part *part)
{
    free(part->x);
    free(part->seconds);
    free(part->logs);
    for (int i = 0; i < PREP_STEPS; i++)
        free(part->inputs[i]);
    *part = (learn_part){.rows = 0};
}

/* --- sets */

int learn_draw(const train_operation *operation, int fold, double share, uint64_t seed,
               bool *take_p)
{
    int left = 0, wanted, taken = 0;

    for (int i = 0; i < operation->count; i++) {
        take_p[i] = false;
        left += operation->fold[i] != fold;
    }
    wanted = (int) ceil(share * left);
    /* each of those left with the probability that keeps the number right
     * (Fan, Muller, Rezucha, JASA 57, 1962) */
    for (int i = 0; i < operation->count; i++) {
        if (operation->fold[i] == fold)
            continue;
        take_p[i] = rng_unit(&seed) * left < wanted - taken;
        taken += take_p[i];
        left--;
    }
    return taken;
}

static atm_status make_fold(learn_set *set, int fold, uint64_t seed, bool *take)
{
    const unsigned every = (1u << PREP_STEPS) - 1;
    const train_operation *o = set->operation;
    int rows = learn_draw(o, fold, 1, 0, take);
    atm_status status = learn_part_make(o, take, every, &set->without[fold]);

    if (status != ATM_OK || set->few == NULL)
        return status;
    learn_draw(o, fold, (double) LEARN_FEW / rows, rng_split(seed, (uint64_t) fold), take);
    return learn_part_make(o, take, every, &set->few[fold]);
}

atm_status learn_set_make(const train_operation *operation, int folds, uint64_t seed,
                          learn_set *set_p)
{
    bool *take = malloc((size_t) operation->count * sizeof(bool));
    bool many = operation->count - operation->count / folds - 1 > LEARN_FEW;
    atm_status status = ATM_OK;

    *set_p = (learn_set){.operation = operation, .folds = folds};
    set_p->without = calloc((size_t) folds, sizeof(learn_part));
    if (many)
        set_p->few = calloc((size_t) folds, sizeof(learn_part));
    if (take == NULL || set_p->without == NULL || (many && set_p->few == NULL))
        status = ATM_NO_MEMORY;
    for (int fold = 0; status == ATM_OK && fold < folds; fold++)
        status = make_fold(set_p, fold, seed, take);
    for (int i = 0; status == ATM_OK && i < operation->count; i++)
        take[i] = true;
    if (status == ATM_OK)
        status = learn_part_make(operation, take, (1u << PREP_STEPS) - 1, &set_p->all);
    free(take);
    return status;
}

void learn_set_destroy(learn_set *set)
{
    for (int i = 0; set->without != NULL && i < set->folds; i++)
        learn_part_destroy(&set->without[i]);
    for (int i = 0; set->few != NULL && i < set->folds; i++)
        learn_part_destroy(&set->few[i]);
    free(set->without);
    free(set->few);
    learn_part_destroy(&set->all);
}

typedef struct timed {
    double seconds;
    int index;
} timed;

static int by_time(const void *a, const void *b)
{
    const timed *first = a, *second = b;

    if (first->seconds != second->seconds)
        return first->seconds < second->seconds ? -1 : 1;
    return first->index < second->index ? -1 : 1;
}

void learn_folds(const train_operation *operation, int folds, uint64_t seed, int *fold_p)
{
    int count = operation->count, order[100];
    timed *sorted = malloc((size_t) count * sizeof(*sorted));

    for (int i = 0; sorted != NULL && i < count; i++)
        sorted[i] = (timed){operation->points[i]->seconds, i};
    if (sorted != NULL)
        qsort(sorted, (size_t) count, sizeof(*sorted), by_time);
    for (int i = 0; i < folds; i++)
        order[i] = i;
    for (int i = 0; i < count; i++) {
        if (i % folds == 0)
            rng_shuffle(&seed, order, folds);
        /* without memory the folds are only less balanced */
        fold_p[sorted != NULL ? sorted[i].index : i] = order[i % folds];
    }
    free(sorted);
}

/* --- surrogates */

/* Counts of ranks in operations that are trees of messages; more stripes do not
 * make one access slower; all else grows in proportion (README-surrogates.md). */
static const char *law_of(atm_operation operation, atm_feature feature)
{
    if (feature == ATM_STRIPES || feature == ATM_FAR)
        return "constant";
    if (feature != ATM_BYTES && (operation == ATM_ALLREDUCE || operation == ATM_BCAST))
        return "log";
    return "linear";
}

static void put_frame(const train_operation *o, const learn_part *part, const learn_choice *choice,
                      double error, atm_value *object)
{
    atm_value *features, *laws;
    atm_pipeline pipeline = part->pipeline[choice->step];
    size_t columns = (size_t) part->columns;

    atm_put_string(object, "model", choice->trainer->name);
    features = atm_put_array(object, "features");
    for (int i = 0; i < part->columns; i++)
        atm_put_string(features, NULL, atm_feature_name(o->features[i]));
    atm_put_numbers(object, "min", part->min, columns);
    atm_put_numbers(object, "max", part->max, columns);
    laws = atm_put_array(object, "beyond");
    for (int i = 0; i < part->columns; i++)
        atm_put_string(laws, NULL, law_of(o->operation, o->features[i]));
    atm_put_number(object, "error", error);
    atm_put_number(object, "seconds_min", fmax(part->fastest / 2, ATM_SECONDS_MIN));
    atm_put_number(object, "seconds_max", fmin(part->slowest * 2, ATM_SECONDS_MAX));
    pipeline.log_target = choice->log_target;
    atm_pipeline_write(&pipeline, atm_put_object(object, "pipeline"));
}

atm_status learn_fit(const train_operation *operation, const learn_part *part,
                     const learn_choice *choice, uint64_t seed, double error,
                     atm_value **surrogate_p)
{
    trainer_data data = {.rows = part->rows,
                         .inputs = part->pipeline[choice->step].inputs,
                         .x = part->inputs[choice->step],
                         .y = choice->log_target ? part->logs : part->seconds,
                         .log_target = choice->log_target};
    atm_value *object = atm_value_object();
    atm_status status;

    put_frame(operation, part, choice, error, object);
    status =
        choice->trainer->fit(&data, &choice->setting, seed, atm_put_object(object, "parameters"));
    if (status == ATM_OK)
        status = atm_value_built(object);
    if (status == ATM_OK)
        *surrogate_p = object;
    else
        atm_value_destroy(object);
    return status;
}

/* --- several */

unsigned learn_steps(const learn_recipe *recipe)
{
    unsigned steps = 0;

    for (int i = 0; i < recipe->count; i++)
        steps |= 1u << recipe->choices[i].step;
    return steps;
}

void learn_mean(const double *const *predicted, int members, int points, double *mean_p)
{
    for (int i = 0; i < points; i++) {
        double sum = 0;

        for (int k = 0; k < members; k++)
            sum += log(predicted[k][i]);
        mean_p[i] = exp(sum / members);
    }
}

/* The frame of one, without its model, and the models of all. */
static atm_status join(atm_value *const *fitted, int count, atm_value **surrogate_p)
{
    static const char *const frame[] = {"features", "min",         "max",         "beyond",
                                        "error",    "seconds_min", "seconds_max", NULL};
    static const char *const own[] = {"model", "pipeline", "parameters", NULL};
    atm_value *object = atm_value_object(), *members;
    atm_status status;

    atm_put_string(object, "model", "mean");
    for (int i = 0; frame[i] != NULL; i++)
        atm_put_copy(object, frame[i], atm_value_find(fitted[0], frame[i]));
    members = atm_put_array(object, "members");
    for (int i = 0; i < count; i++) {
        atm_value *member = atm_put_object(members, NULL);

        for (int k = 0; own[k] != NULL; k++)
            atm_put_copy(member, own[k], atm_value_find(fitted[i], own[k]));
    }
    status = atm_value_built(object);
    if (status == ATM_OK)
        *surrogate_p = object;
    else
        atm_value_destroy(object);
    return status;
}

atm_status learn_make(const train_operation *operation, const learn_part *part,
                      const learn_recipe *recipe, double error, atm_value **surrogate_p)
{
    atm_value *fitted[LEARN_MEMBERS] = {NULL};
    atm_status status = ATM_OK;

    for (int i = 0; status == ATM_OK && i < recipe->count; i++)
        status =
            learn_fit(operation, part, &recipe->choices[i], recipe->seeds[i], error, &fitted[i]);
    if (status == ATM_OK && recipe->count > 1) {
        status = join(fitted, recipe->count, surrogate_p);
    } else if (status == ATM_OK) {
        *surrogate_p = fitted[0];
        fitted[0] = NULL;
    }
    for (int i = 0; i < recipe->count; i++)
        atm_value_destroy(fitted[i]);
    return status;
}

atm_status learn_predict(const train_operation *operation, const learn_part *part,
                         const learn_recipe *recipe, int fold, double *predicted)
{
    atm_value *object;
    atm_surrogate *surrogate;
    atm_status status = learn_make(operation, part, recipe, 0, &object);

    if (status != ATM_OK)
        return status;
    status = atm_surrogate_read(object, NULL, &surrogate);
    atm_value_destroy(object);
    if (status != ATM_OK)
        return status;
    for (int i = 0; i < operation->count; i++) {
        atm_estimate estimate;

        if (operation->fold[i] != fold)
            continue;
        atm_surrogate_predict(surrogate, operation->points[i]->features, &estimate);
        predicted[i] = estimate.seconds;
    }
    atm_surrogate_destroy(surrogate);
    return ATM_OK;
}
