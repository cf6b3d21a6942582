#include "ad_autotune.h"

#include "adioi.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/*
 * When decisions are made: at open, for what is likely, and before the
 * collective calls 1, 2, 4, 8, ... of a file if they access something else than
 * the last decision was made for, or if it took something else than predicted.
 */

/* More of a change than this factor is worth a new decision. */
#define CHANGE 2.0

/* No file is trusted to be slower or faster than predicted by more. */
#define MAX_SCALE 16.0

/* --- deciding */

/* Whether ranks keep apart, as rank 0 has told. */
static int decide(ADIO_File fd, ADIOI_AUTOTUNE_state *state, const atm_access *access, int apart,
                  int call)
{
    ADIOI_AUTOTUNE_decision decision;
    int *ranks;

    ADIOI_AUTOTUNE_decide(fd, state, access, apart, call, &decision, &ranks);
    if (decision.kept)
        return decision.apart;
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
    return decision.apart;
}

/* On rank 0: what is going to happen is not known, but that many bytes are
 * likely: the hint's, the file's if it is only read, the profile's. */
static atm_access expect(const ADIOI_AUTOTUNE_state *state, int access_mode, uint64_t file_size)
{
    enum { PIECES = 16 }; /* interleaved, or aggregators would not matter */
    atm_access access = {.write = !(access_mode & ADIO_RDONLY),
                         .strided = true,
                         .interleaved = true,
                         .new_file = !(access_mode & ADIO_RDONLY)};
    uint64_t bytes = state->root->settings->access_size;
    int ranks = state->ranks;

    if (bytes == 0 && !access.write)
        bytes = file_size / (uint64_t) ranks;
    if (bytes == 0 && state->root->profile != NULL)
        bytes = ADIOI_AUTOTUNE_profile_get(state->root->profile)->defaults.access_size;
    if (bytes > (UINT64_C(1) << 60) / (uint64_t) ranks)
        bytes = (UINT64_C(1) << 60) / (uint64_t) ranks;
    bytes = bytes > PIECES ? bytes - bytes % PIECES : PIECES;
    access.active_ranks = ranks;
    access.bytes_min = access.bytes_max = bytes;
    access.bytes = bytes * (uint64_t) ranks;
    access.end = access.bytes - 1;
    access.block = bytes / PIECES;
    access.stride = access.block * (uint64_t) ranks;
    return access;
}

void ADIOI_AUTOTUNE_tune_open(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int access_mode)
{
    atm_access access = {0};
    struct stat file;
    uint64_t size = 0;

    state->due = 1;
    if (state->root != NULL) {
        if (stat(fd->filename, &file) == 0)
            size = (uint64_t) file.st_size;
        ADIOI_AUTOTUNE_prepare(fd, state);
        access = expect(state, access_mode, size);
    }
    decide(fd, state, &access, 0, 0);
}

/* --- deciding again */

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

static int changed(const atm_access *before, const atm_access *now)
{
    return before->write != now->write || before->strided != now->strided ||
           before->interleaved != now->interleaved || before->holes != now->holes ||
           differs((double) before->bytes, (double) now->bytes) ||
           differs((double) before->bytes_max, (double) now->bytes_max) ||
           differs((double) before->block, (double) now->block) ||
           differs(before->active_ranks, now->active_ranks);
}

static atm_access model_access(const atc_access *all, int writes, int new_file)
{
    atm_access access = {.write = writes,
                         .strided = all->strided,
                         .interleaved = all->interleaved,
                         .holes = all->bytes < (uint64_t) (all->end - all->start) + 1,
                         .new_file = new_file,
                         .active_ranks = all->active,
                         .bytes_min = all->bytes_min,
                         .bytes_max = all->bytes_max,
                         .bytes = all->bytes,
                         .start = (uint64_t) all->start,
                         .end = (uint64_t) all->end,
                         .block = all->strided ? (all->bytes + all->pieces - 1) / all->pieces
                                               : all->bytes_max,
                         .stride = all->strided ? all->stride : 0};

    return access;
}

/* This rank's collective calls in the direction of the last decision. */
static const ADIOI_AUTOTUNE_counters *counters_of(const ADIOI_AUTOTUNE_state *state)
{
    return state->decision.access.write ? &state->write : &state->read;
}

/* Their times since the last comparison: all of it, storage. */
static void measure(const ADIOI_AUTOTUNE_state *state, double times[ATC_ACCESS_TIMES])
{
    const ADIOI_AUTOTUNE_counters *now = counters_of(state), *then = &state->compared;

    times[0] = now->seconds - then->seconds;
    times[1] = now->storage_seconds - then->storage_seconds;
}

/* A factor that was measured, if it is more than the model's uncertainty. */
static int correct(double measured, double predicted, double uncertainty, double *scale)
{
    double ratio = predicted > 0 ? measured / predicted : 1, before = *scale;

    if (!(ratio > 1 + uncertainty || ratio < 1 / (1 + uncertainty)))
        return 0;
    *scale = fmin(fmax(*scale * ratio, 1 / MAX_SCALE), MAX_SCALE);
    return differs(*scale, before) || *scale / before > 1 + uncertainty ||
           before / *scale > 1 + uncertainty;
}

/* On rank 0. */
static int corrected(ADIOI_AUTOTUNE_state *state, const atc_access *all)
{
    const ADIOI_AUTOTUNE_decision *decision = &state->decision;
    double calls = counters_of(state)->calls - state->compared.calls;
    double communication = decision->parts[ATM_PARTITIONING] + decision->parts[ATM_SHUFFLE];
    int changes;

    if (calls <= 0 || !state->root->confirmed)
        return 0;
    changes = correct(all->times[1], calls * decision->parts[ATM_STORAGE], decision->uncertainty,
                      &state->root->scale.storage);
    changes |= correct(fmax(all->times[0] - all->times[1], 0), calls * communication,
                       decision->uncertainty, &state->root->scale.communication);
    return changes;
}

/* A reduction to rank 0 and a broadcast from it: together an Allreduce. */
int ADIOI_AUTOTUNE_tune_call(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int writes, atc_access mine)
{
    const atm_access *wanted = NULL;
    atc_access all = {0};
    atm_access access;
    int apart = 0;

    measure(state, mine.times);
    if (atc_access_sum(fd->comm, &mine, &all) == ATC_OK && state->root != NULL && all.active > 0) {
        /* before the first call nobody has locks, nor used the buffer to write */
        access = model_access(&all, writes, writes && state->calls == 1);
        if (corrected(state, &all) || changed(&state->decision.access, &access))
            wanted = &access;
        state->root->confirmed = 1;
        apart = !all.interleaved && all.active == state->ranks;
    }
    apart = decide(fd, state, wanted, apart, state->calls);
    state->compared = *counters_of(state);
    return apart;
}
