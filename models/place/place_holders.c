/* Aggregators among the ranks that hold their parts of the file. */

#include <stdlib.h>

#include "place_policy.h"

typedef struct seating {
    const atm_topology *topology;
    int *on;   /* [nodes] aggregators there */
    int *left; /* [psets] aggregators that it may still have */
} seating;

static int *left_for(const seating *seating, int rank)
{
    const atm_topology *topology = seating->topology;

    return &seating->left[topology->node[topology->node_of[rank]].pset];
}

static bool is_free(const seating *seating, int rank)
{
    return rank >= 0 && rank < seating->topology->ranks &&
           seating->on[seating->topology->node_of[rank]] == 0 && *left_for(seating, rank) > 0;
}

/* As large a share of aggregators as of ranks, and some more. */
static void set_shares(seating *seating, int aggregators, int more)
{
    const atm_topology *topology = seating->topology;

    for (int i = 0; i < topology->nodes; i++)
        seating->on[i] = 0;
    for (int i = 0; i < topology->psets; i++)
        seating->left[i] = 0;
    for (int rank = 0; rank < topology->ranks; rank++)
        ++*left_for(seating, rank);
    for (int i = 0; i < topology->psets; i++) {
        int64_t share = (int64_t) seating->left[i] * aggregators + topology->ranks - 1;

        seating->left[i] = (int) (share / topology->ranks) + more;
    }
}

/* The free rank nearest to one, at most so many away; -1: there is none. */
static int nearest(const seating *seating, int rank, int reach)
{
    for (int distance = 0; distance <= reach; distance++) {
        if (is_free(seating, rank + distance))
            return rank + distance;
        if (is_free(seating, rank - distance))
            return rank - distance;
    }
    return -1;
}

static bool seat_all(const seating *seating, const int *holders, int aggregators, int *ranks)
{
    int reach = seating->topology->ranks / aggregators / 2; /* within the part */

    for (int part = 0; part < aggregators; part++) {
        int rank = holders[part] >= 0 ? nearest(seating, holders[part], reach) : -1;

        if (rank < 0)
            return false;
        ranks[part] = rank;
        seating->on[seating->topology->node_of[rank]]++;
        --*left_for(seating, rank);
    }
    return true;
}

atm_status place_among_holders(const atm_topology *topology, const int *holders, int aggregators,
                               int *ranks, bool *placed_p)
{
    size_t nodes = (size_t) topology->nodes, psets = (size_t) topology->psets;
    seating seating = {.topology = topology, .on = malloc((nodes + psets) * sizeof(int))};
    bool placed = false;

    if (seating.on == NULL)
        return ATM_NO_MEMORY;
    seating.left = seating.on + nodes;
    for (int more = 0; more <= PLACE_UNEVEN && !placed; more++) {
        set_shares(&seating, aggregators, more);
        placed = seat_all(&seating, holders, aggregators, ranks);
    }
    free(seating.on);
    *placed_p = placed;
    return ATM_OK;
}
