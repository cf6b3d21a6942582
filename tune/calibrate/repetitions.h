/* Statistics of repetitions; pure functions. */

#ifndef STATISTICS_H
#define STATISTICS_H

#include <stdbool.h>

/* Half the width of the 95 % confidence interval of the mean, as a part of the
 * mean (Student's t); infinite for fewer than two values. */
double statistics_uncertainty(const double *values, int count);

/* At least 5 repetitions, and the mean is known to 2 %. */
bool statistics_tight(const double *values, int count);

/*
 * Mark values that are further than 3 scaled median absolute deviations
 * (1.4826 MAD estimates a standard deviation) from the median, in samples of 5
 * or more; deviations below 1 % of the median never are.  Returns how many.
 */
int statistics_outliers(const double *values, int count, bool *marks);

typedef struct statistics_summary {
    double mean;   /* of those not marked */
    double median; /* of all */
    double spread; /* of all: median absolute deviation / median */
} statistics_summary;

/* count > 0, and at least one not marked. */
statistics_summary statistics_summarize(const double *values, const bool *marks, int count);

#endif /* STATISTICS_H */
