#include "ad_autotune_decide.h"

#include "ad_autotune_apply.h"
#include "ad_autotune_plan.h"
#include "ad_autotune_record.h"
#include "ad_autotune_report.h"
#include "adioi.h"
#include "place/near.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

/*
 * When decisions are made: at open, for the likely access, and before collective
 * calls 1, 2, 4, 8, ... on a file if their access differs from the one that the
 * last decision was made for, or if times were not as predicted.
 */

/* A change by more than this factor is worth a new decision. */
#define CHANGE 2.0

/* Measured factors are limited to this one and its inverse. */
#define MAX_SCALE 16.0

/* Collective: from the access to the report.  Returns whether ranks are disjoint,
 * as rank 0 found. */
static int decide_and_apply(ADIO_File fd, ADIOI_AUTOTUNE_state *state, const atm_access *access,
                            int disjoint, int call)
{
    ADIOI_AUTOTUNE_decision decision;
    int *ranks;

    ADIOI_AUTOTUNE_decide(fd, state, access, disjoint, call, &decision, &ranks);
    if (decision.unchanged)
        return decision.disjoint;
    if (ADIOI_AUTOTUNE_apply(fd, state, &decision, ranks)) {
        state->decision = decision;
        if (decision.access.write)
            state->layout = decision.tuned ? decision.config : (atm_config){0};
        memcpy(state->notes, decision.notes, sizeof(state->notes));
        ADIOI_AUTOTUNE_report_decision(fd, state);
        ADIOI_AUTOTUNE_record_decision(fd, state);
    } else {
        state->due = 0;
        ADIOI_AUTOTUNE_report_default(fd, "an aggregator could not open the file");
    }
    return decision.disjoint;
}

void ADIOI_AUTOTUNE_tune_open(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int access_mode)
{
    atm_access access = {0};
    struct stat file;
    uint64_t size = 0;

    state->due = 1;
    if (state->root != NULL) {
        if (stat(fd->filename, &file) == 0) {
            size = (uint64_t) file.st_size;
            state->root->device = file.st_dev;
            state->root->inode = file.st_ino;
        }
        ADIOI_AUTOTUNE_prepare(fd, state);
        access = ADIOI_AUTOTUNE_expected_access(state, access_mode, size);
        access.dirty = (uint64_t) ADIOI_AUTOTUNE_dirty(state->root);
    }
    decide_and_apply(fd, state, &access, 0, 0);
}

/* --- before collective calls */

int ADIOI_AUTOTUNE_tune_due(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    state->calls += state->calls < INT_MAX;
    if (state->calls != state->due)
        return 0;
    state->due = state->due < INT_MAX / 2 ? 2 * state->due : 0;
    return ADIOI_AUTOTUNE_held(fd, state) == NULL;
}

static int differs(double one, double other)
{
    return one > CHANGE * other || other > CHANGE * one;
}

static int access_changed(const atm_access *before, const atm_access *now)
{
    return before->write != now->write || before->strided != now->strided ||
           before->interleaved != now->interleaved || before->holes != now->holes ||
           differs((double) before->bytes, (double) now->bytes) ||
           differs((double) before->bytes_max, (double) now->bytes_max) ||
           differs((double) before->block, (double) now->block) ||
           differs((double) (before->bytes + before->dirty), (double) (now->bytes + now->dirty)) ||
           differs(before->active_ranks, now->active_ranks);
}

/* This rank's collective calls in the direction of the last decision. */
static const ADIOI_AUTOTUNE_counters *counters_of(const ADIOI_AUTOTUNE_state *state)
{
    return state->decision.access.write ? &state->write : &state->read;
}

/* Their times since the last comparison: total, storage. */
static void measure(const ADIOI_AUTOTUNE_state *state, double times[ATC_ACCESS_TIMES])
{
    const ADIOI_AUTOTUNE_counters *now = counters_of(state), *then = &state->compared;

    times[0] = now->seconds - then->seconds;
    times[1] = now->storage_seconds - then->storage_seconds;
}

/* Correct a factor by what was measured, if that is beyond the model's uncertainty;
 * returns whether it is worth a new decision. */
static int correct(double measured, double predicted, double uncertainty, double *scale)
{
    double ratio = predicted > 0 ? measured / predicted : 1, before = *scale;

    if (!(ratio > 1 + uncertainty || ratio < 1 / (1 + uncertainty)))
        return 0;
    *scale = fmin(fmax(*scale * ratio, 1 / MAX_SCALE), MAX_SCALE);
    return differs(*scale, before) || *scale / before > 1 + uncertainty ||
           before / *scale > 1 + uncertainty;
}

/* Seconds of storage that so many calls were predicted to take, one after the other: caches,
 * if any are known, fill up over them. */
static double expected_storage(const ADIOI_AUTOTUNE_state *state, double calls)
{
    enum { FOLLOWED = 32 };
    const ADIOI_AUTOTUNE_decision *decision = &state->decision;
    const ADIOI_AUTOTUNE_root *root = state->root;
    double seconds = 0, last = decision->parts[ATM_STORAGE];
    atm_access access = decision->access;
    atm_profile profile;
    atm_job job;
    int followed = 0;

    if (decision->drain <= 0 || root->profile == NULL)
        return calls * last;
    profile = *root->profile;
    profile.scale[ATM_STORAGE_KIND] = root->scale.storage;
    job = atm_job_of(root->topology);
    job.mpich = ADIOI_AUTOTUNE_MPICH;
    for (; followed < FOLLOWED && followed < calls; followed++) {
        atm_prediction prediction;
        atm_counts counts;

        if (atm_predict(&profile, ADIOI_AUTOTUNE_model_driver(state->wrapped), &job, &access,
                        &decision->config, NULL, &counts, &prediction) != ATM_OK)
            break;
        last = prediction.parts[ATM_STORAGE];
        seconds += last;
        access.dirty = (uint64_t) prediction.dirty;
        access.new_file = false;
    }
    return seconds + (calls - followed) * last;
}

/* On rank 0: both factors, by the slowest rank's times. */
static int correct_scale(ADIOI_AUTOTUNE_state *state, const atc_access *all)
{
    const ADIOI_AUTOTUNE_decision *decision = &state->decision;
    double calls = counters_of(state)->calls - state->compared.calls;
    double communication = decision->parts[ATM_PARTITIONING] + decision->parts[ATM_SHUFFLE];
    int changes;

    if (calls <= 0 || !state->root->confirmed)
        return 0;
    changes = correct(all->times[1], expected_storage(state, calls), decision->uncertainty,
                      &state->root->scale.storage);
    changes |= correct(fmax(all->times[0] - all->times[1], 0), calls * communication,
                       decision->uncertainty, &state->root->scale.communication);
    return changes;
}

/* Whether this access is to be decided for: as it is new, as other advice holds for it, or as times
 * or the number of calls are not as expected. */
static int is_worth_it(ADIOI_AUTOTUNE_state *state, const atc_access *all, const atm_access *access)
{
    int differs = correct_scale(state, all) || access_changed(&state->decision.access, access) ||
                  ADIOI_AUTOTUNE_advice_changes(state, access);

    state->root->reconsiders = !differs;
    return differs ||
           (state->decision.calls > 0 &&
            ADIOI_AUTOTUNE_calls_expected(state, state->calls) >= CHANGE * state->decision.calls);
}

/* A reduction to rank 0 and a broadcast from it, together the cost of an Allreduce. */
int ADIOI_AUTOTUNE_tune_call(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int writes, atc_access mine)
{
    const atm_access *wanted = NULL;
    atc_access all = {0};
    atm_access access;
    int disjoint = 0;

    measure(state, mine.times);
    mine.spare = state->spare;
    if (atc_access_sum(fd->comm, &mine, &all) == ATC_OK && state->root != NULL && all.active > 0) {
        /* before the first call no rank holds locks, or has written from its buffer */
        access = ADIOI_AUTOTUNE_model_access(&all, writes, writes && state->calls == 1);
        access.dirty = (uint64_t) ADIOI_AUTOTUNE_dirty(state->root);
        if (is_worth_it(state, &all, &access))
            wanted = &access;
        state->root->confirmed = 1;
        if (state->calls == 1)
            state->root->first_at = MPI_Wtime();
        disjoint = !all.interleaved && all.active == state->ranks;
    }
    disjoint = decide_and_apply(fd, state, wanted, disjoint, state->calls);
    state->compared = *counters_of(state);
    return disjoint;
}
