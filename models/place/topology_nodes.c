/* A topology from its nodes. */

#include "topology_inside.h"

#include <string.h>

static bool is_valid(int nodes, const atm_node *node, int ranks, const int *node_of)
{
    if (nodes < 1 || nodes > ATM_TOPOLOGY_MAX_NODES || ranks < 1 || ranks > ATM_TOPOLOGY_MAX_RANKS)
        return false;
    for (int i = 0; i < nodes; i++)
        if (node[i].pset < 0 || node[i].pset >= nodes || node[i].hops < ATM_HOPS_UNKNOWN ||
            node[i].nics < 0 || node[i].nics > ATM_TOPOLOGY_MAX_NICS)
            return false;
    for (int i = 0; i < ranks; i++)
        if (node_of[i] < 0 || node_of[i] >= nodes)
            return false;
    return true;
}

atm_status atm_topology_of_nodes(int nodes, const atm_node *node, int ranks, const int *node_of,
                                 atm_topology **topology_p)
{
    atm_topology *topology;

    if (!is_valid(nodes, node, ranks, node_of))
        return ATM_BAD_ARGUMENT;
    topology = topology_allocate(nodes, ranks, 0);
    if (topology == NULL)
        return ATM_NO_MEMORY;
    memcpy(topology->node_of, node_of, (size_t) ranks * sizeof(*node_of));
    for (int i = 0; i < nodes; i++) {
        topology->node[i] = node[i];
        topology->node[i].name = NULL;
        topology->bridges += node[i].bridge;
        if (node[i].pset >= topology->psets)
            topology->psets = node[i].pset + 1;
    }
    *topology_p = topology;
    return ATM_OK;
}
