/* What write caches hold, from measured capacities. */

#ifndef FIT_CACHE_H
#define FIT_CACHE_H

#include "cost/write_cache.h"
#include "points.h"

/* Fits the capacity of caches to one or more that were measured; false if nothing fits.  GSL's
 * error handler must be off. */
bool fit_cache(const points_cache *caches, int count, atm_write_cache *cache_p);

/* How fast they drain: rate x servers^exponent. */
typedef struct fit_drain {
    double rate; /* bytes per second; 0: not known */
    double servers;
} fit_drain;

/* Law of draining from the same bursts, for rounds into full caches that were hardly measured. */
fit_drain fit_cache_drain(const points_cache *caches, int count);
/* Seconds of such a round. */
double fit_drain_seconds(const fit_drain *drain, const double *features);
/* Writes the law as a surrogate of write_drained. */
void fit_drain_write(const fit_drain *drain, atm_value *surrogate);

#endif /* FIT_CACHE_H */
