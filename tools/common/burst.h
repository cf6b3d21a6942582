/*
 * A burst of equal rounds of writes from an idle start: a cache absorbs them until it
 * is full, and from then on a round takes as long as its bytes need to drain.
 */

#ifndef BURST_H
#define BURST_H

#include <stdbool.h>

typedef struct burst {
    int absorbed;    /* rounds from the first on that found room */
    double full;     /* seconds of a round after them: mean */
    double capacity; /* bytes; 0: rounds became too little slower to tell */
    double knee;     /* last share of the capacity in which rounds became slow, 0 to 1; burst_fit */
} burst;

/* Splits count rounds of `bytes` each, all above 0, where the cache became full.  It drained at
 * bytes / full from the start; the first round may have taken longer for other reasons.  False if
 * the rounds do not show when it was full: too few, or never slower. */
bool burst_split(const double *seconds, int count, double bytes, burst *burst_p);

/* The law of write caches (cost/write_cache.h) that fits the times until each of the rounds best,
 * near what burst_split found: full, capacity and knee; the first round only counts as bytes.
 * Leaves a burst without a capacity as it is. */
void burst_fit(const double *seconds, int count, double bytes, burst *found);

/* The last rounds take twice as long as the first ones did: on the whole, since kernels stop
 * writers for a while and then let them go on, and one that takes long means nothing.  Or each of
 * them takes half as long again. */
bool burst_is_slow(const double *seconds, int count);

/* How many rounds show the drain, of a burst that became slow: as many slow ones as others.  Fewer
 * may all be in one pause, or between two. */
int burst_enough(const double *seconds, int count);

#endif /* BURST_H */
