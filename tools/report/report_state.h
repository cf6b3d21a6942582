/* The report of "autotune state train", as a page. */

#ifndef REPORT_STATE_H
#define REPORT_STATE_H

#include "page.h"
#include "state/learn.h"

/* Figures 4 to 11 of the paper, of this system; 9 and 10 are one here. */
atm_status report_state(const trace *trace, const learn_result *result, const char *path,
                        atm_message *message);

/* --- parts of it */

/* How long writes take (figures 4, 5, 6 and 8). */
atm_status report_state_times(FILE *out, const trace *trace, const learn_result *result);

#endif /* REPORT_STATE_H */
