/* Quantiles, as R's type 7 and the box plots of the paper. */

#include "spread.h"

#include <math.h>
#include <stdlib.h>

#include "common/stats.h"

atm_status spread_of(const double *values, int count, spread *spread_p)
{
    double *known = malloc(((size_t) count + 1) * sizeof(*known));
    spread s = {0};

    if (known == NULL)
        return ATM_NO_MEMORY;
    for (int i = 0; i < count; i++)
        if (!isnan(values[i]))
            known[s.count++] = values[i];
    for (int i = 0; i < s.count; i++)
        s.mean += known[i];
    if (s.count > 0) {
        s.mean /= s.count;
        s.min = stats_quantile(known, s.count, 0);
        s.q05 = stats_quantile(known, s.count, 0.05);
        s.q25 = stats_quantile(known, s.count, 0.25);
        s.median = stats_median(known, s.count);
        s.q75 = stats_quantile(known, s.count, 0.75);
        s.q95 = stats_quantile(known, s.count, 0.95);
        s.max = stats_quantile(known, s.count, 1);
    }
    free(known);
    *spread_p = s;
    return ATM_OK;
}

void spread_put(const spread *spread, atm_value *container, const char *key)
{
    atm_value *object = atm_put_object(container, key);

    atm_put_integer(object, "count", spread->count);
    if (spread->count == 0)
        return;
    atm_put_number(object, "mean", spread->mean);
    atm_put_number(object, "min", spread->min);
    atm_put_number(object, "q05", spread->q05);
    atm_put_number(object, "q25", spread->q25);
    atm_put_number(object, "median", spread->median);
    atm_put_number(object, "q75", spread->q75);
    atm_put_number(object, "q95", spread->q95);
    atm_put_number(object, "max", spread->max);
}
