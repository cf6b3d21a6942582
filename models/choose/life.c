/* The calls of a request, and what it costs to change the configuration before them. */

#include "choose.h"

/* Whether a configuration of reads has every part of the file on the node that wrote it: file
 * domains depend on the number and the order of aggregators, but for Lustre's, which are of stripes
 * in writes. */
static bool is_where_written(const atm_request *request, const atm_config *reads)
{
    const atm_config *writes = &request->written;
    atm_access write = request->access;
    const atm_count_model *wrote, *model;

    write.write = true;
    wrote = atm_count_model_for(request->driver, &write, writes);
    model = atm_count_model_for(request->driver, &request->access, reads);
    if (wrote == NULL || model == NULL || wrote->collective != model->collective)
        return false;
    return !model->collective ||
           (request->driver != ATM_LUSTRE && reads->aggregators == writes->aggregators &&
            reads->order == writes->order);
}

/* Share of a read that the reading node has in its cache: all that is cached if it reads where it
 * wrote, else what it meets by chance. */
static double cached_share(const atm_request *request, const atm_config *config)
{
    const atm_access *access = &request->access;
    double share;

    if (access->write || access->cached == 0 || access->bytes == 0)
        return 0;
    share = access->cached < access->bytes ? (double) access->cached / (double) access->bytes : 1;
    return is_where_written(request, config) ? share : share / request->job.nodes;
}

/* True if other ranks than now would access the file, or other parts of it. */
static bool moves(const atm_request *request, const atm_config *to)
{
    const atm_config *from = &request->life.current;
    const atm_count_model *was = atm_count_model_for(request->driver, &request->access, from);
    const atm_count_model *will = atm_count_model_for(request->driver, &request->access, to);

    if (was != will)
        return true;
    return will != NULL && will->collective &&
           (from->aggregators != to->aggregators || from->order != to->order ||
            from->co_ratio != to->co_ratio);
}

/* True if ranks have to open the file: more aggregators do, fewer are usually among those that have
 * it open. */
static bool opens(const atm_config *from, const atm_config *to)
{
    return !to->collective || !from->collective || to->aggregators > from->aggregators;
}

double atm_life_calls(const atm_life *life)
{
    return life->calls > 1 ? life->calls : 1;
}

static double slowness_of(const atm_steering *steering, const atm_config *config)
{
    if (config->steered && config->servers > 0)
        return atm_steering_repeat_slowness(steering);
    return atm_steering_slowness(steering, config->stripe_count, config->steered);
}

/* Sets the slowness of storage operations; without a state they stay as measured. */
static void set_slowness(const atm_request *request, const atm_config *config, atm_counts *counts)
{
    double slowness;

    if (request->steering == NULL)
        return;
    slowness = slowness_of(request->steering, config);
    for (int i = 0; i < counts->item_count; i++)
        if (atm_operation_kind(counts->items[i].operation) == ATM_STORAGE_KIND)
            counts->items[i].slowness = slowness;
}

atm_status atm_count_request(const atm_request *request, const atm_config *config,
                             atm_counts *counts_p)
{
    const atm_life *life = &request->life;
    double calls = atm_life_calls(life);
    bool changes = life->begun && moves(request, config);
    atm_access access = request->access;
    atm_counts counts;
    atm_status status;

    if (changes && access.write)
        access.new_file = true;
    status = atm_count_calls(NULL, request->driver, &request->job, &access, config, calls, &counts);
    if (status != ATM_OK)
        return status;
    counts.cached = cached_share(request, config);
    set_slowness(request, config, &counts);
    atm_count_touch(config, request->access.warm, &counts);
    counts.idle = (calls - 1) * life->idle;
    counts.once = changes && opens(&life->current, config) ? life->change : 0;
    *counts_p = counts;
    return ATM_OK;
}
