/* The placement policies by name. */

#include "place_policy.h"

#include <string.h>

static const atm_policy *const policies[] = {&place_bridge_first, &place_near, &place_uniform,
                                             &place_bluegene};

#define POLICIES ((int) (sizeof(policies) / sizeof(policies[0])))

const atm_policy *atm_policy_at(int index)
{
    return index >= 0 && index < POLICIES ? policies[index] : NULL;
}

const atm_policy *atm_policy_by_name(const char *name)
{
    for (int i = 0; i < POLICIES; i++)
        if (strcmp(policies[i]->name, name) == 0)
            return policies[i];
    return NULL;
}

atm_status atm_place(const atm_topology *topology, const atm_policy *policy, int aggregators,
                     int *ranks)
{
    if (aggregators < 1 || aggregators > topology->ranks)
        return ATM_BAD_ARGUMENT;
    return policy->place(topology, aggregators, ranks);
}
