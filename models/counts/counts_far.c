/* How far data goes, and how far apart the aggregators of neighbouring file domains are. */

#include "counts_inside.h"

#include <math.h>

/* Share of ranks in another group than the one so many ranks on, between powers of two. */
static double apart_at(const atm_job *job, double distance)
{
    double place, rest;
    int below;

    if (distance < 1)
        return distance * job->apart[0];
    place = log2(distance);
    below = place < ATM_APART - 1 ? (int) place : ATM_APART - 2;
    rest = place - below < 1 ? place - below : 1;
    return job->apart[below] + rest * (job->apart[below + 1] - job->apart[below]);
}

double atm_far_in_order(const atm_job *job, double aggregators, double fan, atm_order order)
{
    double part = job->ranks / aggregators; /* ranks that hold a domain */

    if (job->groups <= 1)
        return 0;
    if (order != ATM_BY_DATA)
        return 1 - 1.0 / job->groups;
    /* from the middle of a domain's ranks to one of them; or to those of the next domains */
    return apart_at(job, fan > 1 ? part * fan / 2 : part / 4);
}

double atm_far_domains(const atm_job *job, double aggregators, atm_order order)
{
    if (job->groups <= 1 || aggregators <= 1)
        return 0;
    return order == ATM_BY_DATA ? apart_at(job, job->ranks / aggregators) : 1;
}

/* Stripes of Lustre are dealt out: no writer has a part of the file that is held nearby. */
static double far_data(atm_driver driver, const atm_job *job, const atm_access *access,
                       const atm_config *config)
{
    double evenly, near;

    if (job->groups <= 1)
        return 0;
    if (!access->interleaved && !(driver == ATM_LUSTRE && access->write))
        return atm_far_in_order(job, config->aggregators, 1, config->order);
    evenly = 1.0 / job->groups;
    near = config->order == ATM_BY_DATA && driver != ATM_LUSTRE ? access->affinity : 0;
    if (config->aggregators < job->groups)
        near *= (double) config->aggregators / job->groups;
    return 1 - (near > evenly ? near : evenly);
}

void counts_set_far(atm_counts *counts, atm_driver driver, const atm_job *job,
                    const atm_access *access, const atm_config *config)
{
    const double far = far_data(driver, job, access, config);

    for (int i = 0; i < counts->item_count; i++) {
        atm_cost_item *item = &counts->items[i];

        if (item->operation == ATM_EXCHANGE)
            item->features[ATM_FAR] = 1 + far;
        else if (atm_operation_kind(item->operation) == ATM_STORAGE_KIND)
            item->features[ATM_FAR] = 1 + atm_far_domains(job, config->aggregators, config->order);
    }
}
