/* The calls of a request, and what it costs to change the configuration before them. */

#include "choose.h"

/* Whether other ranks access the file, or other parts of it, than with the one in effect. */
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

/* More aggregators than have the file open; fewer of them are usually some of these. */
static bool opens(const atm_config *from, const atm_config *to)
{
    return !to->collective || !from->collective || to->aggregators > from->aggregators;
}

double atm_life_calls(const atm_life *life)
{
    return life->calls > 1 ? life->calls : 1;
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
    counts.idle = (calls - 1) * life->idle;
    counts.once = changes && opens(&life->current, config) ? life->change : 0;
    *counts_p = counts;
    return ATM_OK;
}
