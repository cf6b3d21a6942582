/* Configurations that were run a second time under another condition: other
 * placement of the aggregators (paper, figure 6), and locks already granted
 * (figure 5). */

#ifndef VARIANTS_H
#define VARIANTS_H

#include "study.h"

/* study->placement, bluegene, aware and locking. */
atm_status variants_run(study *study);

#endif /* VARIANTS_H */
