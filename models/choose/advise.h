/* Advice in a request: what a rule sets is fixed, as if the user had set it, but for what the user
 * has set. */

#ifndef ATM_ADVISE_H
#define ATM_ADVISE_H

#include "choose.h"

/* Puts what the matching rule sets into request->defaults and request->fixed.  The caller gives
 * the occasion's program, user, file and draw; the rest is the request's.  Left out is
 *
 *     what is fixed already,
 *     striping, of a file that has its own,
 *     what is for others: of another direction, driver or library.
 *
 * More aggregators than ranks are all ranks.  request->advised is left to the caller. */
atm_advised atm_advise(const atm_advice *advice, const atm_occasion *occasion,
                       atm_request *request);

enum { ATM_ADVISED = 96 };

/* "rules[2] (history: 60 runs, 1.9 s instead of 4 s)": the rule, by its index in the file.
 * ATM_ADVISED bytes are enough. */
void atm_advised_say(const atm_advised *advised, size_t size, char *text_p);

#endif /* ATM_ADVISE_H */
