/* What a few repetitions tell. */

#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RESAMPLES = 2000 };

static int ascending(const void *a, const void *b)
{
    double x = *(const double *) a, y = *(const double *) b;

    return (x > y) - (x < y);
}

/* Sorts values. */
static double quantile(double *values, int count, double fraction)
{
    double at = fraction * (count - 1);
    int below = (int) at;

    qsort(values, (size_t) count, sizeof(*values), ascending);
    if (below + 1 >= count)
        return values[count - 1];
    return values[below] + (at - below) * (values[below + 1] - values[below]);
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

/* splitmix64 (Steele, Lea and Flood, OOPSLA 2014); limits are small, so that the
 * remainder is as good as even. */
uint64_t stats_random(uint64_t *state, uint64_t limit)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (z ^ z >> 31) % limit;
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
            uint64_t pair = stats_random(&seed, (uint64_t) count);

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
