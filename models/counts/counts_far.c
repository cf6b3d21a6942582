/* How far data goes, and how far apart the aggregators of neighbouring file domains are. */

#include "counts_inside.h"

#include <math.h>

/* Interpolates at x, at least 1, between values for 1, 2, 4, ... */
static double between(const double values[ATM_APART], double x)
{
    double place = log2(x), rest;
    int below = place < ATM_APART - 1 ? (int) place : ATM_APART - 2;

    rest = place - below < 1 ? place - below : 1;
    return values[below] + rest * (values[below + 1] - values[below]);
}

/* Share of ranks that are in another group than the rank `distance` further on. */
static double apart_at(const atm_job *job, double distance)
{
    return distance < 1 ? distance * job->apart[0] : between(job->apart, distance);
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

/* Share of an interleaved file's data that leaves its group, with so many groups, each of which may
 * be several of the job's.  Stripes of Lustre are dealt out: no writer is near the data of its
 * part. */
static double far_interleaved(atm_driver driver, const atm_job *job, const atm_access *access,
                              const atm_config *config, int groups)
{
    double evenly = 1.0 / groups, near = 0;

    if (config->order == ATM_BY_DATA && driver != ATM_LUSTRE)
        near = access->affinity * job->groups / groups;
    if (config->aggregators < groups)
        near *= (double) config->aggregators / groups;
    return 1 - (near > evenly ? near : evenly);
}

static bool is_in_order(atm_driver driver, const atm_access *access)
{
    return !access->interleaved && !(driver == ATM_LUSTRE && access->write);
}

static double far_data(atm_driver driver, const atm_job *job, const atm_access *access,
                       const atm_config *config)
{
    if (job->groups <= 1)
        return 0;
    return is_in_order(driver, access)
               ? atm_far_in_order(job, config->aggregators, 1, config->order)
               : far_interleaved(driver, job, access, config, job->groups);
}

/* --- links of nodes and psets */

/* Share of messages between so many nodes or psets; consecutive ranks are taken to share one unless
 * their placement is known. */
static double across(atm_driver driver, const atm_job *job, const atm_access *access,
                     const atm_config *config, int places, const double astray[ATM_APART])
{
    if (places <= 1)
        return 0;
    if (!is_in_order(driver, access))
        return far_interleaved(driver, job, access, config, places);
    if (config->order != ATM_BY_DATA)
        return 1 - 1.0 / places;
    return job->astray.node[0] > 0 ? between(astray, config->aggregators)
                                   : fmax(0, 1 - (double) config->aggregators / places);
}

/* Share of all messages that the busiest place has if ranks are spread evenly. */
static double most_of(double ranks, double places)
{
    return ranks > places ? ceil(ranks / places) / ranks : 1 / ranks;
}

/* 1 + messages of the busiest place; at least one counts if any goes between places. */
static double link_of(const atm_cost_item *item, double places, double share)
{
    const double *f = item->features;
    double messages = f[ATM_MESSAGES] * share;
    double most =
        messages * fmax(most_of(f[ATM_SENDERS], places), most_of(f[ATM_RECEIVERS], places));

    return 1 + fmax(most, fmin(messages, 1));
}

/* Spreads the ranks that access the file evenly over places. */
static void set_access(atm_cost_item *item, int nodes, int psets)
{
    double ranks = item->features[ATM_RECEIVERS];

    item->features[ATM_LINK] = ceil(ranks / nodes);
    item->features[ATM_UPLINK] = psets > 1 ? ceil(ranks / psets) : 1;
}

static int psets_of(const atm_job *job)
{
    return job->groups > 1 && job->groups < job->nodes ? job->groups : 1;
}

void counts_set_access(atm_counts *counts, const atm_job *job)
{
    for (int i = 0; i < counts->item_count; i++)
        if (atm_operation_kind(counts->items[i].operation) == ATM_STORAGE_KIND)
            set_access(&counts->items[i], job->nodes, psets_of(job));
}

void counts_set_far(atm_counts *counts, atm_driver driver, const atm_job *job,
                    const atm_access *access, const atm_config *config)
{
    const int psets = psets_of(job);
    const double far = far_data(driver, job, access, config);
    const double nodes_apart = across(driver, job, access, config, job->nodes, job->astray.node);
    const double psets_apart = across(driver, job, access, config, psets, job->astray.group);

    for (int i = 0; i < counts->item_count; i++) {
        atm_cost_item *item = &counts->items[i];

        if (item->operation == ATM_EXCHANGE) {
            item->features[ATM_FAR] = 1 + far;
            item->features[ATM_LINK] = link_of(item, item->features[ATM_NODES], nodes_apart);
            item->features[ATM_UPLINK] = link_of(item, psets, psets_apart);
        } else if (atm_operation_kind(item->operation) == ATM_STORAGE_KIND) {
            item->features[ATM_FAR] = 1 + atm_far_domains(job, config->aggregators, config->order);
        }
    }
}
