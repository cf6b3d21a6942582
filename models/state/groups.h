/*
 * Targets in the order of their speed, and in groups of neighbours that stand for their members,
 * as these are on average: what takes long for hundreds of targets is done for a few groups.
 */

#ifndef ATM_GROUPS_H
#define ATM_GROUPS_H

#include "state.h"

/* Without different numbers of stripes there are no more than ATM_GROUPS. */
enum { ATM_GROUPS = 16, ATM_GROUPS_MOST = 96 };

typedef struct atm_member {
    const atm_target *target;
    double seconds; /* of a GiB, on average */
    int stripes;    /* that it has */
} atm_member;

/* All of one group have as many stripes. */
typedef struct atm_group {
    int count, stripes;
    double seconds, idle, usual;
    atm_pace paces[ATM_ACTIVITY_COUNT];
} atm_group;

/* Targets that can be picked at that time (atm_pick_count), with a stripe each, the fastest first;
 * free them.  NULL without memory. */
atm_member *atm_members_list(const atm_state *state, double now, int count);

/* Targets that hold the stripes and whose state is known at that time; stripes_p[state->count] gets
 * how many are on each target of the state.  Free them. */
atm_member *atm_members_of(const atm_state *state, double now, const int *targets, int stripes,
                           int *stripes_p, int *count_p);

/* Neighbours together, in their order.  Returns how many groups there are. */
int atm_groups_make(const atm_member *members, int count, atm_group groups_p[ATM_GROUPS_MOST]);

/* Probability that one target of the group has written a GiB after exp(u) seconds, if it is idle
 * with this probability */
double atm_group_done(const atm_group *group, double idle, double u);

/* Seconds until all have written a GiB for each of their stripes, on average */
double atm_groups_slowest(const atm_group *groups, int n);

/* The least seconds for a stripe if only the first groups get one, as many groups as is best. */
double atm_groups_least(const atm_group *groups, int n);

#endif /* ATM_GROUPS_H */
