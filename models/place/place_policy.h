/* What the placement policies share; private to models/. */

#ifndef PLACE_H
#define PLACE_H

#include "place.h"

extern const atm_policy place_bridge_first;
extern const atm_policy place_uniform;
extern const atm_policy place_near;
extern const atm_policy place_bluegene;

/* Ranks by node: those of node i are rank[first[i]] ... rank[first[i + 1] - 1],
 * ascending. */
typedef struct place_nodes {
    int *first; /* [nodes + 1] */
    int *rank;  /* [ranks] */
} place_nodes;

/* Free with place_nodes_free. */
atm_status place_nodes_make(const atm_topology *topology, place_nodes *nodes_p);
void place_nodes_free(place_nodes *nodes);

/* The next of [0, count) in an order whose every prefix is spread over the range
 * (van der Corput's, base 2): index after index for a *state that starts at 0, at
 * most count calls.  The state before the one left behind gives the same index
 * again. */
int place_spread(int count, uint32_t *state);

/* holders: a rank for each of so many parts, fewer than nodes, that holds its middle.  Each part's
 * aggregator is that rank or, as no node has two and no pset PLACE_UNEVEN more than its share, one
 * as near as the part's others.  Placed: there are such; ranks is otherwise of no use. */
enum { PLACE_UNEVEN = 1 };
atm_status place_among_holders(const atm_topology *topology, const int *holders, int aggregators,
                               int *ranks, bool *placed_p);

/* A number that is the same for all ranks of a node, of a group (place/near.h), of the machine. */
typedef int place_of(const atm_topology *topology, int rank);

static inline int place_node_of(const atm_topology *topology, int rank)
{
    return topology->node_of[rank];
}

static inline int place_group_of(const atm_topology *topology, int rank)
{
    int node = topology->node_of[rank];

    return topology->psets > 1 ? topology->node[node].pset : node;
}

static inline bool place_holds(const atm_holders *holders, int run, uint64_t offset)
{
    return holders->from[run] <= offset && offset <= holders->to[run];
}

#endif /* PLACE_H */
