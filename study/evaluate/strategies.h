/* The strategies: how each chooses a configuration for an instance. */

#ifndef STRATEGIES_H
#define STRATEGIES_H

#include "study.h"

/* Fills study->strategies, in the order of the table, then the rules that others set,
 * then what ran on the ground itself: the driver, and its own rules. */
atm_status strategies_run(study *study);

/* ml with the training sets of all sizes: study->fewer. */
atm_status strategies_fewer(study *study);

#endif /* STRATEGIES_H */
