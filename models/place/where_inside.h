/* What the sources of a job's topology share; private to models/. */

#ifndef WHERE_H
#define WHERE_H

#include "where.h"

/* Nodes and their names, by lowest rank. */
typedef struct where_nodes {
    int nodes;
    const char **name; /* [nodes] the hosts' */
    int *node_of;      /* [ranks] */
} where_nodes;

/* Ranks with equal host names share a node; O(ranks).  Free both arrays. */
atm_status where_nodes_make(int ranks, const char *const *host, where_nodes *nodes_p);

/* atm_topology_from_slurm; fails if Slurm's own address of rank 0's node (may
 * be NULL) is not in it. */
atm_status where_slurm_read(const char *path, const char *address, const char *pattern,
                            atm_message *message, atm_topology **machine_p);

#endif /* WHERE_H */
