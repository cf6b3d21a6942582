/* The list of count models, the one that ROMIO runs, and what all require. */

#include <string.h>

#include "counts_inside.h"

static const atm_count_model *const models[] = {&counts_generic,     &counts_generic_read,
                                                &counts_gpfs,        &counts_lustre,
                                                &counts_independent, &counts_isaila};

#define MODEL_COUNT ((int) (sizeof models / sizeof models[0]))

const atm_count_model *atm_count_model_at(int index)
{
    return index >= 0 && index < MODEL_COUNT ? models[index] : NULL;
}

const atm_count_model *atm_count_model_by_name(const char *name)
{
    for (int i = 0; i < MODEL_COUNT; i++)
        if (strcmp(models[i]->name, name) == 0)
            return models[i];
    return NULL;
}

/* Automatic Lustre writes are always collective: ADIOI_LUSTRE_Docollect with its default
 * threshold of 0. */
static bool collects(atm_driver driver, const atm_access *access, const atm_config *config)
{
    if (config->automatic)
        return access->interleaved || (driver == ATM_LUSTRE && access->write);
    return config->collective;
}

const atm_count_model *atm_count_model_for(atm_driver driver, const atm_access *access,
                                           const atm_config *config)
{
    if ((unsigned) driver >= ATM_DRIVER_COUNT)
        return NULL;
    bool collective = collects(driver, access, config);

    for (int i = 0; i < MODEL_COUNT; i++) {
        const atm_count_model *model = models[i];
        if ((model->drivers >> driver & 1) != 0 && model->collective == collective &&
            (access->write ? model->write : model->read))
            return model;
    }
    return NULL;
}

static bool job_is_valid(const atm_job *job)
{
    return job->ranks >= 1 && job->ranks <= COUNTS_MAX_RANKS && job->nodes >= 1 &&
           job->nodes <= job->ranks;
}

static bool access_is_valid(const atm_job *job, const atm_access *access)
{
    unsigned __int128 active = (unsigned __int128) access->active_ranks;

    if (access->active_ranks < 0 || access->active_ranks > job->ranks)
        return false;
    if (access->bytes == 0)
        return access->active_ranks == 0;
    if (access->start > access->end || access->bytes_min == 0 ||
        access->bytes_min > access->bytes_max || access->bytes_max > access->bytes ||
        access->bytes < active * access->bytes_min || access->bytes > active * access->bytes_max)
        return false;
    if (!access->holes && access->bytes - 1 < access->end - access->start)
        return false;
    if (access->strided && (access->block == 0 || access->block > access->bytes_max))
        return false;
    return access->pieces == NULL ||
           (access->end < COUNTS_MAX_OFFSET && counts_pieces_fit(job, access));
}

/* Limits offsets to the range of the models' arithmetic: an access that begins
 * beyond it is counted as if it began earlier, one that is too wide as if it
 * were narrower. */
static void fit_range(atm_access *access)
{
    const uint64_t room = COUNTS_MAX_OFFSET / 2;
    uint64_t length = access->end - access->start;

    if (access->end < COUNTS_MAX_OFFSET)
        return;
    access->start %= room;
    access->end = access->start + counts_min(length, room - 1);
}

/* If ranks differ, the average block can be larger than the distance between
 * the pieces of one of them, and a distance larger than the whole access: it is
 * then no rank's distance, and treated as unknown. */
static void fit_stride(atm_access *access)
{
    if (access->stride < access->block || access->stride > access->end - access->start)
        access->stride = 0;
}

static atm_access fit(const atm_access *access)
{
    atm_access fitted = *access;

    if (access->bytes > 0) {
        fit_range(&fitted);
        if (fitted.strided)
            fit_stride(&fitted);
    }
    return fitted;
}

static bool config_is_valid(atm_driver driver, const atm_job *job, const atm_config *config)
{
    if (config->buffer > INT32_MAX || config->stripe_size > INT32_MAX ||
        config->block > INT32_MAX || config->stripe_count < 1)
        return false;
    if (!config->collective && !config->automatic)
        return true;
    if (config->aggregators < 1 || config->aggregators > job->ranks || config->buffer == 0)
        return false;
    return driver != ATM_LUSTRE || (config->stripe_size != 0 && config->co_ratio >= 1);
}

atm_status atm_count(const atm_count_model *model, atm_driver driver, const atm_job *job,
                     const atm_access *access, const atm_config *config, atm_counts *counts_p)
{
    if ((unsigned) driver >= ATM_DRIVER_COUNT || !job_is_valid(job) ||
        !access_is_valid(job, access) || !config_is_valid(driver, job, config))
        return ATM_BAD_ARGUMENT;
    if (model == NULL)
        model = atm_count_model_for(driver, access, config);
    if (model == NULL || (model->drivers != 0 && (model->drivers >> driver & 1) == 0) ||
        !(access->write ? model->write : model->read) ||
        (model->collective && !config->collective && !config->automatic))
        return ATM_BAD_ARGUMENT;

    atm_access fitted = fit(access);
    atm_piece pieces[COUNTS_SPARSE];
    atm_counts counts = {.dirty = access->dirty};
    atm_status status;

    fitted.piece_count =
        access->pieces != NULL ? access->piece_count : counts_sparse_pieces(&fitted, pieces);
    if (access->pieces == NULL && fitted.piece_count > 0)
        fitted.pieces = pieces;
    status = model->count(driver, job, &fitted, config, &counts);
    if (status != ATM_OK)
        return status;
    if (fitted.pieces == pieces) /* as far as the summary tells */
        counts.exact_accesses = counts.exact_messages = false;
    counts_set_access(&counts, job);
    if (model->collective)
        counts_set_far(&counts, driver, job, &fitted, config);
    *counts_p = counts;
    return ATM_OK;
}
