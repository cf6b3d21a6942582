#include "ad_autotune_decide.h"

#include "adioi.h"
#include "place/near.h"

#include <math.h>

/* Measured times against predicted ones: the model's factors for this file. */

/* They are limited to this one and its inverse; those of costs that are only a shape, less so. */
#define MAX_SCALE 16.0
#define MAX_SHAPE_SCALE 1e5

/* Correct a factor by what was measured, if that is beyond the model's uncertainty, or if
 * it was not known at all; returns whether it is worth a new decision. */
static int correct(double measured, double predicted, double uncertainty, double *scale,
                   double *doubt)
{
    double ratio = predicted > 0 ? measured / predicted : 1, before = *scale;

    if (*doubt > 0 && measured > 0 && predicted > 0) {
        *scale = fmin(fmax(*scale * ratio, 1 / MAX_SHAPE_SCALE), MAX_SHAPE_SCALE);
        *doubt = 0;
        return 1;
    }
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
    profile.scale[ATM_STORAGE_KIND] = root->scale.factor[ATM_STORAGE_KIND];
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
    atm_scale *scale = &state->root->scale;
    double calls = all->times[2];
    double communication = decision->parts[ATM_PARTITIONING] + decision->parts[ATM_SHUFFLE];
    int changes;

    if (calls <= 0)
        return 0;
    changes = correct(all->times[1], expected_storage(state, calls), decision->uncertainty,
                      &scale->factor[ATM_STORAGE_KIND], &scale->doubt[ATM_STORAGE_KIND]);
    changes |= correct(fmax(all->times[0] - all->times[1], 0), calls * communication,
                       decision->uncertainty, &scale->factor[ATM_COMMUNICATION_KIND],
                       &scale->doubt[ATM_COMMUNICATION_KIND]);
    return changes;
}
