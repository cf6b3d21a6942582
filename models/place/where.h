/*
 * Where a job runs: its topology, from the best source there is.
 *
 *   a topology file   psets, bridges, distances, network adapters
 *   Slurm's           topology.conf: the nodes of a leaf switch, or of a block,
 *                     are a pset
 *   names             ranks whose hosts have the same name share a node; one pset
 *
 * A source that cannot be read, is malformed or does not list every host of the
 * job is skipped, and the reason says so.
 */

#ifndef ATM_WHERE_H
#define ATM_WHERE_H

#include "choose/choose.h"
#include "topology.h"

/* All that the caller knows; the rest is NULL or 0. */
typedef struct atm_job_place {
    int ranks;
    const char *const *host; /* [ranks], or [nodes] with node_of: as the system names it */

    /* Which ranks share a node, where the caller knows better than by names. */
    int nodes;
    const int *node_of; /* [ranks] in [0, nodes) */

    const char *topology_file;          /* path */
    const char *slurm_conf_topology;    /* path of Slurm's topology.conf */
    const char *slurm_topology_addr;    /* SLURM_TOPOLOGY_ADDR of rank 0 */
    const char *slurm_topology_pattern; /* SLURM_TOPOLOGY_ADDR_PATTERN */
    int nics;                           /* network adapters near rank 0, or of its node */
} atm_job_place;

typedef enum atm_where { ATM_WHERE_FILE, ATM_WHERE_SLURM, ATM_WHERE_NAMES } atm_where;

/*
 * The topology of a job.  Nodes are numbered by their lowest rank, or by node_of.
 * reason (may be NULL) is a sentence without a full stop such as
 *
 *     placed by /etc/topology.json
 *     topology.json: no node matches host n7; placed by node names
 *
 * Nodes whose network adapters the source does not give have place->nics of
 * them.  ATM_BAD_ARGUMENT or ATM_NO_MEMORY; files never cause a failure.
 * Destroy the topology.
 */
atm_status atm_topology_of_job(const atm_job_place *place, atm_message *reason, atm_where *where_p,
                               atm_topology **topology_p);

/* A machine as Slurm's topology.conf describes it, with a rank on every node;
 * destroy it.  message may be NULL. */
atm_status atm_topology_from_slurm(const char *path, atm_message *message,
                                   atm_topology **topology_p);

/* The fewest network adapters that a node has; 0 if one's are not known. */
int atm_topology_nics(const atm_topology *topology);

/* job, psets, bridges and nics of the request, and the affinity of its access. */
void atm_request_set_topology(atm_request *request, const atm_topology *topology);

#endif /* ATM_WHERE_H */
