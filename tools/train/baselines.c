/* default, rs and ml. */

#include "baselines.h"

#include <math.h>

#include "common/rng.h"

enum { ROMIO_BUFFER = 16 << 20 };

int baseline_default(const baseline_job *job, const baseline_config *configs, int count)
{
    for (int i = 0; i < count; i++)
        if (configs[i].aggregators == job->nodes && configs[i].buffer == ROMIO_BUFFER)
            return i;
    return -1;
}

int baseline_random(const double *seconds, int count, int tries, uint64_t *random)
{
    int best = -1, left = tries < count ? tries : count;

    /* a random subset of that size, in order (Fan, Muller, Rezucha, JASA 57, 1962) */
    for (int i = 0; i < count; i++) {
        if (rng_unit(random) * (count - i) >= left)
            continue;
        left--;
        if (best < 0 || seconds[i] < seconds[best])
            best = i;
    }
    return best;
}

double baseline_ml_seconds(const atm_surrogate *model, const baseline_job *job,
                           const baseline_config *config)
{
    const double features[ATM_FEATURE_COUNT] = {[ATM_NODES] = job->nodes,
                                                [ATM_PER_NODE] = job->per_node,
                                                [ATM_SENDERS] = job->nodes * job->per_node,
                                                [ATM_RECEIVERS] = config->aggregators,
                                                [ATM_BYTES] = (double) job->bytes,
                                                [ATM_STRIPES] = config->stripes,
                                                [ATM_MESSAGES] = (double) config->buffer};
    atm_estimate estimate;

    atm_surrogate_predict(model, features, &estimate);
    return estimate.seconds;
}

int baseline_ml(const atm_surrogate *model, const baseline_job *job, const baseline_config *configs,
                int count)
{
    double least = INFINITY;
    int best = 0;

    for (int i = 0; i < count; i++) {
        double seconds = baseline_ml_seconds(model, job, &configs[i]);

        if (seconds < least) {
            least = seconds;
            best = i;
        }
    }
    return best;
}
