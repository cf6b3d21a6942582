/* What scaled operations know of other machines: scale_table.h, made by study/scaling. */

#ifndef SCALE_LAW_H
#define SCALE_LAW_H

#include "atm.h"

/* ln(target / donor) where both have the same features; or, for communication, of what each takes
 * over what the built-in profile says (donor ATM_OPERATION_COUNT: that itself). */
typedef struct scale_ratio {
    atm_operation target;
    int donor;
    double mean;
    double between; /* deviation of a machine's mean from it */
    double within;  /* and of a place on one machine from the machine's mean */
    int kinds;      /* of grounds on which both were measured */
} scale_ratio;

/* Exponent of a power law that all operations of storage share, in the order of scale_features. */
typedef struct scale_exponent {
    double mean, deviation;
} scale_exponent;

enum { SCALE_FEATURES = 3 };

static const atm_feature scale_features[SCALE_FEATURES] = {ATM_BYTES, ATM_RECEIVERS, ATM_STRIPES};

/* Others have no meaning unless they were measured. */
static inline bool scale_possible(atm_operation operation)
{
    return operation != ATM_WRITE_DRAINED && operation != ATM_READ_CACHED && operation != ATM_TOUCH;
}

#endif /* SCALE_LAW_H */
