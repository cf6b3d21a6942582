/*
 * Which targets the stripes of a new file are on, by what is known of their state.
 *
 * No more stripes than targets: those that are fastest on average.  Who is as fast as the last
 * of these, within ATM_PICK_ALIKE, is drawn at random, so that jobs that look at the same state do
 * not all go to the same targets.  More stripes than targets (overstriping): as many on
 * each as come closest to the best shares (shares.h).
 */

#ifndef ATM_PICK_H
#define ATM_PICK_H

#include "state.h"

#define ATM_PICK_ALIKE 0.1

/* Targets that can be picked at that time. */
int atm_pick_count(const atm_state *state, double now);

/* targets_p[stripes] are the indices of the stripes' targets.  The same seed gives the same
 * picks.  `repeat`: a target may be there twice.  ATM_NO_CHOICE if there are too few that can be
 * picked. */
atm_status atm_pick(const atm_state *state, double now, int stripes, bool repeat, uint64_t seed,
                    int *targets_p);

#endif /* ATM_PICK_H */
