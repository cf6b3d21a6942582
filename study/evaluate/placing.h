/* Which order of the aggregators the model chooses, where several were measured. */

#ifndef PLACING_H
#define PLACING_H

#include "study.h"

/* study->placing. */
atm_status placing_run(study *study);

#endif /* PLACING_H */
