/* How values spread: what a box plot shows. */

#ifndef SPREAD_H
#define SPREAD_H

#include "value/value.h"

typedef struct spread {
    int count; /* 0: the rest has no meaning */
    double mean, min, q05, q25, median, q75, q95, max;
} spread;

/* Values that are NaN are left out.  ATM_NO_MEMORY leaves it as it was. */
atm_status spread_of(const double *values, int count, spread *spread_p);
void spread_put(const spread *spread, atm_value *container, const char *key);

#endif /* SPREAD_H */
