#include "repetitions.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

#include "common/stats.h"

enum { ENOUGH = 5 };
#define TIGHT 0.02
#define FAR (3 * 1.4826)
#define NEAR 0.01

double statistics_uncertainty(const double *values, int count)
{
    return stats_half_width(values, count) / gsl_stats_mean(values, 1, (size_t) count);
}

bool statistics_tight(const double *values, int count)
{
    return count >= ENOUGH && statistics_uncertainty(values, count) < TIGHT;
}

int statistics_outliers(const double *values, int count, bool *marks)
{
    double median, far;
    int marked = 0;

    memset(marks, 0, (size_t) count * sizeof(*marks));
    if (count < ENOUGH)
        return 0;
    median = stats_median(values, count);
    far = fmax(FAR * stats_deviation(values, count), NEAR * median);
    for (int i = 0; i < count; i++) {
        marks[i] = fabs(values[i] - median) > far;
        marked += marks[i];
    }
    return marked;
}

statistics_summary statistics_summarize(const double *values, const bool *marks, int count)
{
    statistics_summary summary = {.median = stats_median(values, count)};
    int counted = 0;

    for (int i = 0; i < count; i++)
        if (!marks[i]) {
            summary.mean += values[i];
            counted++;
        }
    summary.mean /= counted;
    summary.spread = stats_deviation(values, count) / summary.median;
    return summary;
}
