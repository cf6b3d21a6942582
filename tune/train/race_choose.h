/* The winners of a race. */

#ifndef RACE_CHOOSE_H
#define RACE_CHOOSE_H

#include "race.h"

/* The criterion's RMSE over the folds seen; infinite for failures. */
double race_error(const race *r, const race_entrant *e);

/* Sets candidates, best, chosen, predicted and surrogate of every operation.
 * ATM_BAD_ARGUMENT if no candidate of one could be made. */
atm_status race_choose(race *r);

#endif /* RACE_CHOOSE_H */
