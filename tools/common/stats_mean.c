/* Apart from stats.c: programs for every node have no GSL. */

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

#include "stats.h"

double stats_half_width(const double *values, int count)
{
    if (count < 2)
        return INFINITY;
    return gsl_cdf_tdist_Pinv(0.975, count - 1) * gsl_stats_sd(values, 1, (size_t) count) /
           sqrt(count);
}
