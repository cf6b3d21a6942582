/* What a few repetitions tell. */

#ifndef STATS_H
#define STATS_H

#include <stdbool.h>
#include <stdint.h>

/* In rising order; none is NaN. */
void stats_sort(double *values, int count);

/* Linear between the two nearest of count > 0 values, which stay as they are.
 * NaN without memory, as the next two. */
double stats_quantile(const double *values, int count, double fraction);
double stats_median(const double *values, int count);

/* Median absolute deviation from the median. */
double stats_deviation(const double *values, int count);

/* Half the width of the 95 % confidence interval of the mean (Student's t); infinite for
 * fewer than two values. */
double stats_half_width(const double *values, int count);

/* 95 % interval of median(base) / median(other) by the percentile bootstrap:
 * pairs, which were measured one after the other, are drawn together.  False
 * with fewer than two pairs, or without memory. */
bool stats_ratio_interval(const double *base, const double *other, int count, uint64_t seed,
                          double *low_p, double *high_p);

#endif /* STATS_H */
