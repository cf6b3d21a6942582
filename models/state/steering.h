/*
 * What the state of storage means for one file: how slow storage is with so many stripes, on
 * targets that are picked for it or not; or, if it exists, on those that it has.
 */

#ifndef ATM_STEERING_H
#define ATM_STEERING_H

#include "pick.h"
#include "repeat.h"
#include "slowness.h"

typedef struct atm_steering atm_steering;

/* state must outlive it; destroy it. */
atm_status atm_steering_create(const atm_state *state, double now, uint64_t seed,
                               atm_steering **steering_p);
void atm_steering_destroy(atm_steering *steering);

/* The file exists, and its stripes are on these targets, of which those count that are known. */
atm_status atm_steering_settle(atm_steering *steering, const int *targets, int stripes);

/* Targets that can be picked; how many of them are about as fast as the fastest. */
int atm_steering_targets(const atm_steering *steering);
int atm_steering_fast(const atm_steering *steering);

/* Whether so many stripes all go to these. */
bool atm_steering_only_fast(const atm_steering *steering, int stripes);

/* Lists targets, or those of the existing file, that are slower, or that cannot be picked (full,
 * inactive): "0, 4, 8 and 9 more", as far as there is room; "" if there are none. */
void atm_steering_say_slow(const atm_steering *steering, char *text, size_t size);
void atm_steering_say_unusable(const atm_steering *steering, char *text, size_t size);

/* As atm_slowness_of; picked, but not possible: as if not.  Not picked: of a file that exists, on
 * its own targets. */
double atm_steering_slowness(const atm_steering *steering, int stripes, bool picked);

/* How many stripes a layout has in which fast targets have more than one (repeat.h), at most
 * `most`; 0: none that gains.  It is found at the first call, which the next functions need. */
int atm_steering_repeat(atm_steering *steering, int most);
int atm_steering_repeat_targets(const atm_steering *steering);
/* Relative to as many stripes as it has targets */
double atm_steering_repeat_slowness(const atm_steering *steering);
atm_status atm_steering_repeat_pick(const atm_steering *steering, int *targets_p);

/* The targets of so many stripes, targets_p[stripes]. */
atm_status atm_steering_pick(const atm_steering *steering, int stripes, int *targets_p);

#endif /* ATM_STEERING_H */
