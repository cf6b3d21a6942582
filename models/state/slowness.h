/*
 * How much slower storage is now than usual: seconds that stripes with equal shares take until the
 * slowest is written, over what as many take on targets that are picked at random in their usual
 * state, which is what a calibration has measured.
 *
 * A decision asks for many numbers of stripes: distribution functions are made once, of groups of
 * neighbours if there are many targets.
 */

#ifndef ATM_SLOWNESS_H
#define ATM_SLOWNESS_H

#include "state.h"

typedef struct atm_slowness atm_slowness;

/* Distributions of the targets that can be picked at that time; keeps nothing of the state.
 * Destroy it. */
atm_status atm_slowness_create(const atm_state *state, double now, atm_slowness **slowness_p);
void atm_slowness_destroy(atm_slowness *slowness);

/* Slowness on picked targets (pick.h), or on targets that somebody picks without knowing them.
 * Stripes beyond the number of targets are spread evenly.  1 if no target is known. */
double atm_slowness_of(const atm_slowness *slowness, int stripes, bool picked);

/* The usual seconds for a GiB on each stripe, to which slowness relates; needs a target and a
 * stripe. */
double atm_slowness_usual(const atm_slowness *slowness, int stripes);

#endif /* ATM_SLOWNESS_H */
