/*
 * Storage targets as a step of an application meets them: which are busy, what a classifier says of
 * them, and what a GiB takes.  After Wan et al., section V-B; drawn from mixtures, since the traces
 * of the paper are not public.
 */

#ifndef WORLD_H
#define WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "state/shares.h"

typedef struct world {
    int targets;
    double busy;     /* share of the targets, on average */
    double accuracy; /* probability that a label is right, in either state */
    /* or the label is the state at an earlier time, which has this correlation with the state now
     */
    bool persistence;
    double correlation;
    atm_pace paces[ATM_ACTIVITY_COUNT];
    double unequal; /* deviation of the logarithm of targets' own speeds, which are known */
} world;

/* One step; all arrays have an element for each target. */
typedef struct step {
    bool *busy, *said_busy;
    double *own;     /* factor of the target's times */
    double *seconds; /* of a GiB */
} step;

/* Destroy it with step_destroy; false without memory. */
bool step_create(int targets, step *step_p);
void step_destroy(step *step);

void step_draw(const world *world, uint64_t *random, step *step);

/* Probability that a target is idle that is said to be so, or not to be */
double world_idle(const world *world, bool said_busy);

#endif /* WORLD_H */
