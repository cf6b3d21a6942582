/*
 * Which nodes the ranks run on, and which nodes lead to storage.
 *
 * A pset is a set of nodes that share a gateway to the file system (an I/O
 * node, a router); its bridges are the nodes next to that gateway.  Machines
 * without such sets are one pset without bridges.
 */

#ifndef ATM_TOPOLOGY_H
#define ATM_TOPOLOGY_H

#include "atm.h"
#include "value/value.h"
#include "formats/formats.h"

#define ATM_TOPOLOGY_VERSION 1

/* More of either is treated as a mistake. */
#define ATM_TOPOLOGY_MAX_NODES (1 << 20)
#define ATM_TOPOLOGY_MAX_RANKS (1 << 24)
#define ATM_TOPOLOGY_MAX_NICS 1024

#define ATM_HOPS_UNKNOWN (-1)

typedef struct atm_node {
    const char *name; /* NULL where nodes have none; owned by the topology */
    int pset;         /* in [0, psets) */
    int hops;         /* to the nearest bridge, or ATM_HOPS_UNKNOWN */
    int nics;         /* network adapters, 0 where that is not known */
    bool bridge;
} atm_node;

/* Read-only once made. */
typedef struct atm_topology {
    int psets;
    int nodes;
    int ranks;
    int bridges;
    atm_node *node; /* [nodes] */
    int *node_of;   /* [ranks] */
    char *names;    /* storage of the nodes' names */
} atm_topology;

/*
 * From a line such as "psets:4 nodes:32 bridges:2 ranks:16": the number of
 * psets, and in each its nodes, its bridges and the ranks of a node.  Keys in
 * any order; nodes is needed, the others default to 1, 0 and 1.  Ranks fill node
 * after node, bridges are spread evenly over their pset.
 * Free with atm_topology_destroy; message may be NULL.
 */
atm_status atm_topology_from_text(const char *text, atm_message *message,
                                  atm_topology **topology_p);

/*
 * From a document in the format ATM_TOPOLOGY_FORMAT:
 *
 *     {"format": "romio-autotune-topology", "version": 1, "ranks_per_node": 16, "nics": 2,
 *      "psets": [{"nodes": [{"name": "n0", "bridge": true, "nics": 4},
 *                           {"name": "n[1-7,9]", "hops": 1, "ranks": 8}]}]}
 *
 * name, bridge, hops, ranks and nics are optional, as is what nodes have in
 * common, ranks_per_node (1 by default) and nics (not known).  A name with
 * brackets or commas is a list (place/hostlist.h) of identical nodes.  In a pset
 * without a marked bridge, the nodes nearer than the others serve as bridges.
 * Free with atm_topology_destroy; message may be NULL.
 */
atm_status atm_topology_from_value(const atm_value *document, atm_message *message,
                                   atm_topology **topology_p);

/*
 * A job's part of a machine: ranks on nodes of which only the names are known.
 * names[i] is the name of node i in [0, nodes), rank r is on node node_of[r];
 * both are copied.  Psets without a node in the job are left out, nodes that
 * the machine does not list share one more, and in a pset none of whose bridges
 * is in the job, the nodes nearer than the others take their place.
 * A name with a domain (n1.site) is also found as the one without (n1), and the
 * other way round where there is one such domain only.
 * Free with atm_topology_destroy.
 */
atm_status atm_topology_for_job(const atm_topology *machine, int nodes, const char *const *names,
                                int ranks, const int *node_of, atm_topology **topology_p);

/*
 * From its nodes, as they are, without names, and node_of[ranks]; both are copied.
 * ATM_BAD_ARGUMENT: there are too many or none, or a number among them is none of a pset or a node.
 * Free with atm_topology_destroy.
 */
atm_status atm_topology_of_nodes(int nodes, const atm_node *node, int ranks, const int *node_of,
                                 atm_topology **topology_p);

void atm_topology_destroy(atm_topology *topology);

#endif /* ATM_TOPOLOGY_H */
