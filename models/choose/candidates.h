/* The space of candidates; private to models/. */

#ifndef CANDIDATES_H
#define CANDIDATES_H

#include "choose.h"

/* More than are worth predicting. */
#define CANDIDATES_MAX 1024

/* Fill configs[CANDIDATES_MAX] with distinct configurations, the default first,
 * in a fixed order; memory is the cap or 0.  Returns how many. */
int candidates_list(const atm_request *request, const atm_profile *profile, uint64_t memory,
                    atm_config *configs);

#endif /* CANDIDATES_H */
