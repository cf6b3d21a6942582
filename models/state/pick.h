/*
 * Which targets the stripes of a new file are on, by what is known of their state.
 *
 * Each has one stripe (for more, repeat.h).  They are drawn at random, fast ones with more chance,
 * so that jobs that look at the same state do not all go to the same targets.  If others draw n
 * stripes with the same chances p, one on target i takes s_i (1 + n p_i) instead of its s_i
 * seconds.  Nobody gains by other chances if that is the same for all that are drawn at all:
 *
 *     p_i = max(0, (level / s_i - 1) / n),   sum of p_i = 1.
 *
 * No target is drawn more than ATM_PICK_MOST times as often as if all were alike, which bounds what
 * jobs do to each other if the state is nothing but their own traces; the rest goes to the others.
 * So slow targets are left alone as long as there are enough fast ones (study/state/herd.c).
 */

#ifndef ATM_PICK_H
#define ATM_PICK_H

#include "state.h"

#define ATM_PICK_ALIKE 0.1
#define ATM_PICK_OTHERS 0.5 /* stripes that others draw, for each target */
#define ATM_PICK_MOST 1.5

/* chances_p[n]: of one target of each group to be drawn, all together 1; the groups have so many
 * targets, and these take so many seconds, the fastest group first. */
void atm_pick_chances(const double *seconds, const int *counts, int n, double *chances_p);

/* Targets that can be picked at that time. */
int atm_pick_count(const atm_state *state, double now);

/* targets_p[stripes] are the indices of the stripes' targets.  The same seed gives the same
 * picks.  ATM_NO_CHOICE if there are too few that can be picked. */
atm_status atm_pick(const atm_state *state, double now, int stripes, uint64_t seed, int *targets_p);

#endif /* ATM_PICK_H */
