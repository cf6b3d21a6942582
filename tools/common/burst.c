/* Where a burst's rounds become slow. */

#include "burst.h"

#include <math.h>

#include "stats.h"

/* Full rounds are that much slower than absorbed ones, or no cache is seen; to tell what it
 * holds, which is a difference of what comes and goes, slower still. */
#define SLOWER 1.25
#define SLOW_ENOUGH 1.5
#define MUCH_SLOWER 2 /* on the whole, where rounds differ */

enum {
    FULL_MIN = 3, /* rounds that show a drain */
    FIRST = 4,    /* rounds that are compared with the last ones */
    LAST = 12
};

/* Sum, and sum of squares, of logarithms. */
typedef struct moments {
    int count;
    double sum, squares;
} moments;

static void add(moments *m, double seconds, int sign)
{
    double x = log(seconds);

    m->count += sign;
    m->sum += sign * x;
    m->squares += sign * x * x;
}

static double scatter(const moments *m)
{
    return m->count > 0 ? m->squares - m->sum * m->sum / m->count : 0;
}

static double total_of(const double *seconds, int from, int to)
{
    double sum = 0;

    for (int i = from; i < to; i++)
        sum += seconds[i];
    return sum;
}

/* The two constants that fit logarithms best, in the sense of least squares.  The first
 * round is in neither. */
static int best_split(const double *seconds, int count)
{
    moments left = {0}, right = {0};
    double least = INFINITY;
    int split = 0;

    for (int i = 1; i < count; i++)
        add(&right, seconds[i], 1);
    for (int i = 1; i < count - FULL_MIN; i++) {
        double both;

        add(&left, seconds[i], 1);
        add(&right, seconds[i], -1);
        both = scatter(&left) + scatter(&right);
        if (both < least) {
            least = both;
            split = i + 1;
        }
    }
    return split;
}

bool burst_split(const double *seconds, int count, double bytes, burst *burst_p)
{
    int split = best_split(seconds, count);
    double absorbed, full;

    if (split == 0)
        return false;
    absorbed = total_of(seconds, 1, split) / (split - 1);
    full = total_of(seconds, split, count) / (count - split);
    if (full < SLOWER * absorbed)
        return false;
    *burst_p =
        (burst){.absorbed = split,
                .full = full,
                .capacity = full >= SLOW_ENOUGH * absorbed
                                ? fmax(0, bytes * (split - total_of(seconds, 0, split) / full))
                                : 0};
    return true;
}

bool burst_is_slow(const double *seconds, int count)
{
    double longest = 0, shortest = INFINITY, first, mean;

    if (count < FIRST + LAST)
        return false;
    for (int i = count - LAST; i < count; i++) {
        longest = fmax(longest, seconds[i]);
        shortest = fmin(shortest, seconds[i]);
    }
    first = stats_median(seconds, FIRST);
    mean = (total_of(seconds, count - LAST, count) - longest) / (LAST - 1);
    return mean > MUCH_SLOWER * first || shortest > SLOW_ENOUGH * first;
}

int burst_enough(const double *seconds, int count)
{
    int absorbed = best_split(seconds, count);

    return 2 * absorbed > count ? 2 * absorbed : count;
}
