/*
 * Episodes: minutes in which small writes to a target took much longer than usual, nearly all of
 * them.
 *
 * Two distributions of large writes (mixture.h) are not found if these are few, or if what they
 * take has a long tail whatever the state.  There are a hundred small writes for each of them, and
 * the median of the last minutes has no tail.
 */

#ifndef EPISODES_H
#define EPISODES_H

#include "features.h"

typedef struct episodes {
    double seconds;   /* of which a median is taken */
    double threshold; /* ln(latency / typical) above which it is busy */
    double level;     /* the same, mean of what is busy; NaN: never */
    double share;     /* of the time that it is busy */
    bool found;       /* and mostly still so after `seconds` */
} episodes;

/* A median must be slower by that, and by EPISODES_APART deviations of medians. */
#define EPISODES_SLOWER 1.5
#define EPISODES_APART 5.0

/* Finds episodes in what was seen before a time. */
atm_status episodes_find(const features_of *of, double until, episodes *episodes_p);

/* Whether a target is busy (1) or idle (0) in the seconds after a time; -1: not known. */
int episodes_after(const episodes *episodes, const features_of *of, double time);

#endif /* EPISODES_H */
