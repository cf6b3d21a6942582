/* Pages of "autotune state": of training, and of the last hours. */

#ifndef REPORT_STATE_H
#define REPORT_STATE_H

#include "page.h"
#include "state/learn_classifier.h"
#include "state/say.h"

/* Figures 4 to 11 of the paper, of this system; 9 and 10 are one here. */
atm_status report_state(const trace *trace, const learn_result *result, const char *path,
                        atm_message *message);

/* Targets over the last hours of sorted traces: how likely they were busy, how slow small writes
 * were, and the state at the end. */
atm_status report_state_now(const state_model *model, const trace *trace, double hours,
                            const char *path, atm_message *message);

/* --- parts of report_state */

/* How long writes take (figures 4, 5, 6 and 8). */
atm_status report_state_times(FILE *out, const trace *trace, const learn_result *result);

#endif /* REPORT_STATE_H */
