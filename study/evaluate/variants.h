/* Configurations that were run a second time under another condition: where the
 * aggregators sit (paper, figure 6), and with locks handed out or not (figure 5). */

#ifndef VARIANTS_H
#define VARIANTS_H

#include "study.h"

/* study->placement, bluegene, aware and locking. */
atm_status variants_run(study *study);

#endif /* VARIANTS_H */
