/* What placement policies share. */

#include "place_policy.h"

#include <stdlib.h>

atm_status place_nodes_make(const atm_topology *topology, place_nodes *nodes_p)
{
    place_nodes by_node = {.first = calloc((size_t) topology->nodes + 1, sizeof(int)),
                           .rank = malloc((size_t) topology->ranks * sizeof(int))};

    if (by_node.first == NULL || by_node.rank == NULL) {
        place_nodes_free(&by_node);
        return ATM_NO_MEMORY;
    }
    /* a counting sort; filling backwards leaves first[] at the first ranks */
    for (int rank = 0; rank < topology->ranks; rank++)
        by_node.first[topology->node_of[rank]]++;
    for (int node = 1; node <= topology->nodes; node++)
        by_node.first[node] += by_node.first[node - 1];
    for (int rank = topology->ranks - 1; rank >= 0; rank--)
        by_node.rank[--by_node.first[topology->node_of[rank]]] = rank;
    *nodes_p = by_node;
    return ATM_OK;
}

void place_nodes_free(place_nodes *nodes)
{
    free(nodes->first);
    free(nodes->rank);
}

static uint32_t mirror(uint32_t bits)
{
    bits = (bits >> 1 & 0x55555555) | (bits & 0x55555555) << 1;
    bits = (bits >> 2 & 0x33333333) | (bits & 0x33333333) << 2;
    bits = (bits >> 4 & 0x0f0f0f0f) | (bits & 0x0f0f0f0f) << 4;
    bits = (bits >> 8 & 0x00ff00ff) | (bits & 0x00ff00ff) << 8;
    return bits >> 16 | bits << 16;
}

int place_spread(int count, uint32_t *state)
{
    int unused = count > 1 ? __builtin_clz((unsigned) count - 1) : 31;
    uint32_t index;

    do {
        index = mirror((*state)++) >> unused;
    } while (index >= (uint32_t) count);
    return (int) index;
}
