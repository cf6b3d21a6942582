/* What the ways to make a topology share; private to models/. */

#ifndef TOPOLOGY_H
#define TOPOLOGY_H

#include "topology.h"

/* Nodes and ranks are still to be filled in.  Free with atm_topology_destroy. */
atm_topology *topology_allocate(int nodes, int ranks, size_t names_bytes);

/* Nodes that are nearer than the others become bridges of their pset if it has
 * none; then bridges are counted.  ATM_NO_MEMORY leaves the topology unusable. */
atm_status topology_finish(atm_topology *topology);

/* atm_topology_for_job; *unlisted_p is the first of its nodes that the machine does
 * not list, or -1. */
atm_status topology_for_job(const atm_topology *machine, int nodes, const char *const *names,
                            int ranks, const int *node_of, int *unlisted_p,
                            atm_topology **topology_p);

#endif /* TOPOLOGY_H */
