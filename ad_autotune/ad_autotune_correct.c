#include "ad_autotune_decide.h"

#include "adioi.h"
#include "place/near.h"

#include <math.h>

/*
 * Measured times against predicted ones, of calls like the one that the last decision was made for:
 * a small call among large ones takes a time of its own.  Whether a call is alike each rank knows
 * of itself, by its own bytes; a rank that moves little in such calls cannot tell, and leaves it to
 * others.
 */

/* Measured factors are limited to this one and its inverse. */
#define MAX_SCALE 16.0

int ADIOI_AUTOTUNE_differs(double one, double other)
{
    return one > ADIOI_AUTOTUNE_CHANGE * other || other > ADIOI_AUTOTUNE_CHANGE * one;
}

/* --- this rank */

/* Not much less than others, in the call that the last decision is for. */
static int has_share(const ADIOI_AUTOTUNE_state *state)
{
    const atm_access *access = &state->decision.access;

    return state->own_bytes > 0 &&
           2 * state->own_bytes * access->active_ranks >= (double) access->bytes;
}

int ADIOI_AUTOTUNE_is_like(const ADIOI_AUTOTUNE_state *state, int writes, double bytes)
{
    return writes == state->decision.access.write && has_share(state) &&
           !ADIOI_AUTOTUNE_differs(bytes, state->own_bytes);
}

double ADIOI_AUTOTUNE_moved(const ADIOI_AUTOTUNE_state *state, double bytes)
{
    double share = has_share(state) ? bytes / state->own_bytes : 1;

    return share * (double) state->decision.access.bytes;
}

void ADIOI_AUTOTUNE_measure(ADIOI_AUTOTUNE_state *state, double seconds, double storage_seconds)
{
    state->measured[0] += seconds;
    state->measured[1] += storage_seconds;
    state->measured[2]++;
}

void ADIOI_AUTOTUNE_measured(const ADIOI_AUTOTUNE_state *state, double times[ATC_ACCESS_TIMES])
{
    for (int i = 0; i < ATC_ACCESS_TIMES; i++)
        times[i] = state->measured[i];
}

void ADIOI_AUTOTUNE_measure_anew(ADIOI_AUTOTUNE_state *state, uint64_t own_bytes)
{
    for (int i = 0; i < ATC_ACCESS_TIMES; i++)
        state->measured[i] = 0;
    state->own_bytes = (double) own_bytes;
}

_Static_assert(sizeof(((ADIOI_AUTOTUNE_state *) 0)->measured) == ATC_ACCESS_TIMES * sizeof(double),
               "what ranks report");

/* --- rank 0 */

/* Correct a factor by what was measured, if that is beyond the model's uncertainty;
 * returns whether it is worth a new decision. */
static int correct(double measured, double predicted, double uncertainty, double *scale)
{
    double ratio = predicted > 0 ? measured / predicted : 1, before = *scale;

    if (!(ratio > 1 + uncertainty || ratio < 1 / (1 + uncertainty)))
        return 0;
    *scale = fmin(fmax(*scale * ratio, 1 / MAX_SCALE), MAX_SCALE);
    return ADIOI_AUTOTUNE_differs(*scale, before) || *scale / before > 1 + uncertainty ||
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

int ADIOI_AUTOTUNE_correct(ADIOI_AUTOTUNE_state *state, const atc_access *all)
{
    const ADIOI_AUTOTUNE_decision *decision = &state->decision;
    double calls = all->times[2];
    double communication = decision->parts[ATM_PARTITIONING] + decision->parts[ATM_SHUFFLE];
    int changes;

    if (calls <= 0)
        return 0;
    changes = correct(all->times[1], expected_storage(state, calls), decision->uncertainty,
                      &state->root->scale.storage);
    changes |= correct(fmax(all->times[0] - all->times[1], 0), calls * communication,
                       decision->uncertainty, &state->root->scale.communication);
    return changes;
}
