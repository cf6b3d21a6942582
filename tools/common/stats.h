/* What a few repetitions tell. */

#ifndef STATS_H
#define STATS_H

#include <stdbool.h>
#include <stdint.h>

/* Linear between the two nearest of count > 0 values, which stay as they are;
 * 0.5 is the median.  NaN without memory. */
double stats_quantile(const double *values, int count, double fraction);

/* 95 % interval of median(base) / median(other) by the percentile bootstrap:
 * pairs, which were measured one after the other, are drawn together.  False
 * with fewer than two pairs, or without memory. */
bool stats_ratio_interval(const double *base, const double *other, int count, uint64_t seed,
                          double *low_p, double *high_p);

/* A random number below limit > 0; the state is any number. */
uint64_t stats_random(uint64_t *state, uint64_t limit);

#endif /* STATS_H */
