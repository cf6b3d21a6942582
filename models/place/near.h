/*
 * Aggregators near the data.  ROMIO gives the k-th part of the file to the k-th of the
 * list: who is near the ranks that hold that part receives it over few links, and on
 * file systems with locks those of neighbouring parts are handed over within a group of nodes.
 *
 * A group is a pset or, where there is only one, a node.
 */

#ifndef ATM_NEAR_H
#define ATM_NEAR_H

#include "topology.h"

int atm_groups(const atm_topology *topology);

/* Sets ranks, nodes, groups, apart and astray; beyond some thousand ranks, the last two are
 * estimated from a sample. */
atm_job atm_job_of(const atm_topology *topology);

/* Messages that the busiest node, or pset, exchanges with others if every rank has one with each of
 * fan aggregators, beginning with that of its part.  O(ranks x fan), and O(ranks) if these are
 * all. */
atm_status atm_link_messages(const atm_topology *topology, const int *aggregators, int count,
                             int fan, bool of_psets, int64_t *messages_p);

/* Number of these ranks on the node, or in the pset, that has most of them; 1 where there are no
 * psets. */
atm_status atm_most_at(const atm_topology *topology, const int *ranks, int count, bool of_psets,
                       int64_t *most_p);

/* Affinity of an interleaved access: the share of each part of the file that the group with most of
 * it holds, averaged over the parts.  1 if neighbouring data is held by the same group, 1 / groups
 * if all hold some of everything.  O(ranks + groups) time and memory, the latter freed again. */
atm_status atm_affinity(const atm_topology *topology, const atm_access *access, double *affinity_p);

/* Few aggregators, more than four for a bridge: each in the middle of the ranks that hold its part,
 * as evenly over psets as that allows.  Else the ranks of policy bridge-first: each part of the
 * file goes to one on the node that holds its middle (if there are as many as nodes) or else in its
 * group, while these have any left.  block: that of GPFS, of which parts are multiples, or 0. */
atm_status atm_place_near(const atm_topology *topology, const atm_access *access, uint64_t block,
                          int aggregators, int *ranks);

#endif /* ATM_NEAR_H */
