/*
 * Which ranks are aggregators: a pure function of topology, number and policy.
 *
 *   bridge-first  a rank on every bridge, then ranks on the other nodes, evenly
 *                 over psets, over the nodes of each pset (those nearest to a
 *                 bridge first) and over the ranks of each node.  That holds
 *                 for every prefix of the list, and a prefix is all that
 *                 Lustre writes use (ad_lustre_aggregate.c:115).
 *   near          for files whose parts are held by ranks in ascending order: each aggregator
 *                 on a node, or in a group of nodes, that holds its part (place/near.h)
 *   uniform       every ceil(p/n_a)-th rank, as in section V.C.3 of the paper
 *   bluegene      the list of ROMIO's Blue Gene code (ad_bg_aggrs.c:303-417):
 *                 the bridges, then the aggregators of the last bridge, of the
 *                 one before, ...  Its prefixes are not balanced.
 *
 * n_a = (n_a_pset + 1) x bridges is the paper's equation 2: both bridge-first
 * and bluegene then have every bridge and n_a_pset more ranks for each.
 */

#ifndef ATM_PLACE_H
#define ATM_PLACE_H

#include "topology.h"

typedef struct atm_policy {
    const char *name;
    const char *summary; /* one line */
    atm_status (*place)(const atm_topology *topology, int aggregators, int *ranks);
} atm_policy;

/* NULL for an unknown name. */
const atm_policy *atm_policy_by_name(const char *name);
/* In the order of the list, the default first; NULL past its end. */
const atm_policy *atm_policy_at(int index);

/*
 * Fill ranks[aggregators], the caller's, with distinct ranks in the order that
 * ROMIO's ranklist wants.  aggregators in [1, topology->ranks], else
 * ATM_BAD_ARGUMENT.  O(p log p) for p ranks, O(p) memory, freed again.
 */
atm_status atm_place(const atm_topology *topology, const atm_policy *policy, int aggregators,
                     int *ranks);

#endif /* ATM_PLACE_H */
