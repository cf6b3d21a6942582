/* What a few repetitions tell. */

#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rng.h"

enum { RESAMPLES = 2000 };

static int compare(const void *one, const void *other)
{
    double a = *(const double *) one, b = *(const double *) other;

    return (a > b) - (a < b);
}

void stats_sort(double *values, int count)
{
    qsort(values, (size_t) count, sizeof(*values), compare);
}

/* Sorts values. */
static double quantile(double *values, int count, double fraction)
{
    double place = fraction * (count - 1), part;
    int below = (int) place;

    stats_sort(values, count);
    if (below >= count - 1)
        return values[count - 1];
    part = place - below;
    return (1 - part) * values[below] + part * values[below + 1];
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
    double *room = malloc((size_t) count * sizeof(*room)), middle, result;

    if (room == NULL)
        return NAN;
    memcpy(room, values, (size_t) count * sizeof(*room));
    middle = quantile(room, count, 0.5);
    for (int i = 0; i < count; i++)
        room[i] = fabs(values[i] - middle);
    result = quantile(room, count, 0.5);
    free(room);
    return result;
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
