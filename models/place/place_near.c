/* The ranks of bridge-first, each for a part of the file that is held nearby. */

#include "near.h"
#include "place_policy.h"

static atm_status place(const atm_topology *topology, int aggregators, int *ranks)
{
    static const atm_access in_order = {.interleaved = false};

    return atm_place_near(topology, &in_order, aggregators, ranks);
}

const atm_policy place_near = {.name = "near",
                               .summary =
                                   "the ranks of bridge-first, near the data of ranks in order",
                               .place = place};
