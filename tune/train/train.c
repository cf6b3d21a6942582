/* Training: gather, race, report. */

#include "train.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "fit_cache.h"
#include "gather.h"
#include "local.h"
#include "notes.h"
#include "outside.h"
#include "race.h"
#include "common/clock.h"
#include "common/rng.h"

enum { DEFAULT_FOLDS = 10, MAX_FOLDS = 100 };

/* A law with one or two numbers may be so much worse: rounds into full caches are few, and
 * kernels stop some of them for a while, so that their times scatter. */
#define LAW_WORSE 1.1

/* Files have stripes on this machine, but bursts were measured with one number of them: what
 * more servers hold and drain is then not known, and to take it for the same is far off. */
static bool one_stripe_count(const points_cache *caches, int count, const atm_value *machine)
{
    double servers;

    if (machine == NULL || atm_get_number(machine, "servers", 2, 1e9, NULL, &servers) != ATM_OK)
        return false;
    for (int i = 1; i < count; i++)
        if (caches[i].servers != caches[0].servers)
            return false;
    return true;
}

/* The capacities of all files; without any, or if they make no sense, no cache is known. */
static atm_status find_cache(points *const *files, int count, train_result *result)
{
    points_cache *all;
    int total = 0, used = 0;

    for (int i = 0; i < count; i++)
        total += files[i]->cache_count;
    if (total == 0)
        return ATM_OK;
    all = malloc((size_t) total * sizeof(*all));
    if (all == NULL)
        return ATM_NO_MEMORY;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < files[i]->cache_count; k++)
            all[used++] = files[i]->caches[k];
    if (one_stripe_count(all, total, result->machine))
        notes_add(&result->notes, &result->note_count,
                  "caches were measured with one number of stripes: they are not modelled; "
                  "calibrate with a larger --budget");
    else if (!fit_cache(all, total, &result->write_cache))
        notes_add(&result->notes, &result->note_count,
                  "%d capacities of caches fit no law: caches are not modelled", total);
    result->drain = fit_cache_drain(all, total);
    free(all);
    return ATM_OK;
}

/* Bursts write as much as a cache holds and more: their rate is an average of many rounds. */
static void compare_drains(train_result *result)
{
    result->drains_by_law = result->write_cache.bytes > 0 && result->drain.rate > 0;
    for (int i = 0; i < result->operation_count && result->drains_by_law; i++) {
        train_operation *o = &result->operations[i];
        double law = 0, learned = 0;

        if (o->operation != ATM_WRITE_DRAINED)
            continue;
        for (int k = 0; k < o->count; k++) {
            const points_point *point = o->points[k];

            law += pow(log(fit_drain_seconds(&result->drain, point->features) / point->seconds), 2);
            learned += pow(log(o->predicted[k] / point->seconds), 2);
        }
        law = sqrt(law / o->count);
        learned = sqrt(learned / o->count);
        result->drains_by_law = law <= LAW_WORSE * learned;
        if (result->drains_by_law)
            notes_add(&o->notes, &o->note_count,
                      "not used: caches drain at %.3g MB/s, as bursts showed (error of the "
                      "logarithm %.2f, learned %.2f)",
                      result->drain.rate / 1e6, law, learned);
    }
}

/* One visit as a prediction of another. */
static void find_ceiling(train_operation *o)
{
    double *first = malloc((size_t) o->count * sizeof(double));
    double *second = malloc((size_t) o->count * sizeof(double));
    int count = 0;

    for (int i = 0; first != NULL && second != NULL && i < o->count; i++) {
        if (o->points[i]->visit_count >= 2) {
            first[count] = o->points[i]->visit_means[0];
            second[count++] = o->points[i]->visit_means[1];
        }
    }
    o->repeatable_known = count >= TRAIN_POINTS_MIN;
    if (o->repeatable_known)
        o->ceiling = train_score_of(first, second, count);
    free(first);
    free(second);
}

static atm_status prepare_operation(train_result *result, train_operation *o)
{
    size_t count = (size_t) o->count;

    o->predicted = malloc(count * sizeof(double));
    o->fold = malloc(count * sizeof(int));
    if (o->predicted == NULL || o->fold == NULL)
        return ATM_NO_MEMORY;
    learn_folds(o, result->folds, rng_split(result->seed, (uint64_t) o->operation), o->fold);
    find_ceiling(o);
    return ATM_OK;
}

static atm_status run(points *const *files, int count, const train_options *options,
                      atm_message *message, train_result *result)
{
    parallel crew = {
        .threads = options->threads, .progress = options->progress, .context = options->context};
    gsl_error_handler_t *handler;
    atm_status status = gather_points(files, count, message, result);

    for (int i = 0; status == ATM_OK && i < result->operation_count; i++) {
        if (result->operations[i].count < result->folds)
            result->folds = result->operations[i].count;
    }
    for (int i = 0; status == ATM_OK && i < result->operation_count; i++)
        status = prepare_operation(result, &result->operations[i]);
    if (status != ATM_OK)
        return status;
    handler = gsl_set_error_handler_off(); /* its own ends the program */
    status = find_cache(files, count, result);
    if (status == ATM_OK && result->operation_count > 0)
        status = race_run(result, options->algorithm, &crew);
    for (int i = 0; status == ATM_OK && i < result->operation_count; i++)
        status = local_errors(&result->operations[i], result->folds);
    for (int i = 0; status == ATM_OK && i < result->operation_count; i++)
        status = outside_errors(&result->operations[i]);
    if (status == ATM_OK)
        compare_drains(result);
    gsl_set_error_handler(handler);
    return status;
}

atm_status train_run(points *const *files, int count, const train_options *options,
                     atm_message *message, train_result **result_p)
{
    double start = clock_steady();
    train_result *result = calloc(1, sizeof(*result)); /* train_destroy */
    atm_status status;

    if (result == NULL)
        return ATM_NO_MEMORY;
    result->criterion = options->criterion;
    result->seed = options->seed;
    result->folds = options->folds > 0 ? options->folds : DEFAULT_FOLDS;
    if (count < 1 || result->folds < 2 || result->folds > MAX_FOLDS)
        status = ATM_BAD_ARGUMENT;
    else
        status = run(files, count, options, message, result);
    result->seconds = clock_steady() - start;
    if (status == ATM_OK)
        *result_p = result;
    else
        train_destroy(result);
    return status;
}

static void destroy_operation(train_operation *o)
{
    free(o->points);
    free(o->predicted);
    free(o->fold);
    free(o->candidates);
    free(o->recipe);
    notes_destroy(o->notes, o->note_count);
    atm_value_destroy(o->surrogate);
}

void train_destroy(train_result *result)
{
    if (result == NULL)
        return;
    for (int i = 0; i < result->operation_count; i++)
        destroy_operation(&result->operations[i]);
    free(result->operations);
    free(result->few);
    for (int i = 0; i < result->merged_count; i++)
        free(result->merged[i].visit_means);
    free(result->merged);
    notes_destroy(result->notes, result->note_count);
    free(result);
}
