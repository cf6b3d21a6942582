/* Every ceil(p/n_a)-th rank (paper, section V.C.3). */

#include "place_policy.h"

/* Where p is no multiple, the steps may end before n_a ranks are found: the
 * next pass starts one rank later. */
static atm_status place(const atm_topology *topology, int aggregators, int *ranks)
{
    int step = topology->ranks / aggregators + (topology->ranks % aggregators != 0);
    int found = 0;

    for (int first = 0; found < aggregators; first++)
        for (int rank = first; rank < topology->ranks && found < aggregators; rank += step)
            ranks[found++] = rank;
    return ATM_OK;
}

const atm_policy place_uniform = {
    .name = "uniform", .summary = "every ceil(ranks/aggregators)-th rank", .place = place};
