/* The sentence that goes with a choice. */

#ifndef ATM_REASON_H
#define ATM_REASON_H

#include "choose.h"

/* That mode automatic takes. */
double atm_request_risk(const atm_request *request);

/* Sets choice->reason; everything else of it is set. */
void atm_reason_give(const atm_request *request, atm_choice *choice);

#endif /* ATM_REASON_H */
