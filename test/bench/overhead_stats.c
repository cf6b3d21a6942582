#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "overhead.h"

static int compare(const void *a, const void *b)
{
    double x = *(const double *) a, y = *(const double *) b;

    return (x > y) - (x < y);
}

/* Linear between the two nearest of the sorted values */
static double quantile(const double *sorted, int count, double fraction)
{
    double at = fraction * (count - 1);
    int below = (int) at;

    if (below + 1 >= count)
        return sorted[count - 1];
    return sorted[below] + (at - below) * (sorted[below + 1] - sorted[below]);
}

double median_of(const double *values, int count)
{
    double *sorted = malloc(count * sizeof *sorted);
    double median;

    assert(sorted);
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare);
    median = quantile(sorted, count, 0.5);
    free(sorted);
    return median;
}

/* The number of values below the true median is binomial with p = 1/2; that it
 * lies 1.96 standard deviations from count / 2 bounds the ranks of the interval. */
struct spread spread_of_ratios(const double *other, const double *base, int count)
{
    double *ratios = malloc(count * sizeof *ratios);
    struct spread s;
    int rank = (int) (count / 2.0 - 0.98 * sqrt(count));

    assert(ratios);
    for (int i = 0; i < count; i++)
        ratios[i] = other[i] / base[i];
    qsort(ratios, count, sizeof *ratios, compare);
    if (rank < 0)
        rank = 0;
    s.median = quantile(ratios, count, 0.5);
    s.q1 = quantile(ratios, count, 0.25);
    s.q3 = quantile(ratios, count, 0.75);
    s.low = ratios[rank];
    s.high = ratios[count - 1 - rank];
    free(ratios);
    return s;
}
