/* Fits: a classifier out of some rows. */

#ifndef FIT_H
#define FIT_H

#include "learner.h"
#include "rows.h"

enum { FIT_FEWEST = 20 }; /* rows; with fewer, or of one label only, a majority is learned */

/* rows[count]; atm_classifier_destroy.  Also gives what learner's library gives. */
atm_status fit_classifier(const learner *learner, const state_row *const *rows, int count,
                          uint64_t seed, atm_classifier **classifier_p);

#endif /* FIT_H */
