/* What the ways to make a topology share; private to models/. */

#ifndef TOPOLOGY_H
#define TOPOLOGY_H

#include "atm_topology.h"

/* Nodes and ranks are still to be filled in.  Free with atm_topology_destroy. */
atm_topology *topology_allocate(int nodes, int ranks, size_t names_bytes);

/* Nodes nearer than others become bridges of their pset if it has none; then
 * bridges are counted.  ATM_NO_MEMORY leaves the topology unusable. */
atm_status topology_finish(atm_topology *topology);

#endif /* TOPOLOGY_H */
