/* What a few repetitions tell. */

#include "stats.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rng.h"

enum { RESAMPLES = 2000 };

/* Sorts values. */
static double quantile(double *values, int count, double fraction)
{
    gsl_sort(values, 1, (size_t) count);
    return gsl_stats_quantile_from_sorted_data(values, 1, (size_t) count, fraction);
}

double stats_quantile(const double *values, int count, double fraction)
{
    double *sorted = malloc((size_t) count * sizeof(*sorted)), result;

    if (sorted == NULL)
        return NAN;
    memcpy(sorted, values, (size_t) count * sizeof(*sorted));
    result = quantile(sorted, count, fraction);
    free(sorted);
    return result;
}

double stats_median(const double *values, int count)
{
    return stats_quantile(values, count, 0.5);
}

double stats_deviation(const double *values, int count)
{
    double *room = malloc((size_t) count * sizeof(*room)), result;

    if (room == NULL)
        return NAN;
    result = gsl_stats_mad0(values, 1, (size_t) count, room);
    free(room);
    return result;
}

double stats_half_width(const double *values, int count)
{
    if (count < 2)
        return INFINITY;
    return gsl_cdf_tdist_Pinv(0.975, count - 1) * gsl_stats_sd(values, 1, (size_t) count) /
           sqrt(count);
}

bool stats_ratio_interval(const double *base, const double *other, int count, uint64_t seed,
                          double *low_p, double *high_p)
{
    size_t size = (size_t) count;
    double *memory = malloc((2 * size + RESAMPLES) * sizeof(*memory));
    double *drawn_base = memory, *drawn_other = memory + size, *ratios = memory + 2 * size;

    if (memory == NULL || count < 2) {
        free(memory);
        return false;
    }
    for (int k = 0; k < RESAMPLES; k++) {
        for (int i = 0; i < count; i++) {
            int pair = rng_below(&seed, count);

            drawn_base[i] = base[pair];
            drawn_other[i] = other[pair];
        }
        ratios[k] = quantile(drawn_base, count, 0.5) / quantile(drawn_other, count, 0.5);
    }
    *low_p = quantile(ratios, RESAMPLES, 0.025);
    *high_p = quantile(ratios, RESAMPLES, 0.975);
    free(memory);
    return true;
}
