/*
 * Which targets the stripes of a new file are on, by what is known of their state; and how much
 * slower storage is then than usual.
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

/*
 * Seconds that stripes with equal shares take until the slowest is written, over what as many
 * take on targets that are picked at random in their usual state, which is what a
 * calibration has measured.  Of picks; and, NULL, of those that Lustre picks, about which nothing
 * is known.  1 if nothing is known of the targets.
 */
atm_status atm_pick_slowness(const atm_state *state, double now, int stripes, const int *targets,
                             double *slowness_p);

#endif /* ATM_PICK_H */
