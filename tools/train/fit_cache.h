/* What write caches hold, from measured capacities. */

#ifndef FIT_CACHE_H
#define FIT_CACHE_H

#include "cost/write_cache.h"
#include "points.h"

/* Of capacities, one or more; false if nothing fits.  GSL's error handler must be off. */
bool fit_cache(const points_cache *caches, int count, atm_write_cache *cache_p);

#endif /* FIT_CACHE_H */
