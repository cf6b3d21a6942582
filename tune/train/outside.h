/*
 * Errors outside of what was measured.  The largest sizes and scales, and single numbers of
 * stripes, are left out one after the other; what was chosen is fitted to the rest, and its
 * predictions of what was left out are compared with the measurements.  That gives a deviation of
 * the logarithm for each doubling of the distance, for each direction (cost/surrogate.h,
 * "outside"): the most probable one, where what is usual on the grounds that are kept
 * (outside_table.h, made by study/scaling) is the prior, and so all there is where nothing can be
 * left out.  The same decides whether time grows with scale by the laws or by powers.
 */

#ifndef OUTSIDE_H
#define OUTSIDE_H

#include "train.h"

/* Prior of a deviation per doubling: a normal distribution of its logarithm. */
typedef struct outside_prior {
    double mean, deviation;
} outside_prior;

typedef struct outside_found {
    double deviation[ATM_AWAY_COUNT];
    bool seen[ATM_AWAY_COUNT]; /* something was left out */
    double alike;              /* share of the squares of errors that is common */
    bool by_power;             /* grows with scale by outside_law.h */
} outside_found;

/* Priors from the errors on the kept grounds. */
void outside_priors(atm_kind kind, outside_prior priors_p[ATM_AWAY_COUNT], double *alike_p);

/* The operation's surrogate must have its errors by place.  ATM_OK or ATM_NO_MEMORY. */
atm_status outside_learn(const train_operation *o, const outside_prior priors[ATM_AWAY_COUNT],
                         outside_found *found_p);

/* Adds "outside" to the surrogate of the points that take[count] says. */
atm_status outside_put(const train_operation *o, const bool *take, const outside_found *found,
                       double alike, atm_value *surrogate);

/* Adds "outside" to the operation's surrogate, and sets its outside. */
atm_status outside_errors(train_operation *o);

#endif /* OUTSIDE_H */
