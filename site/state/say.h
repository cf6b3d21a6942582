/* Saying: the state of all targets now, for the driver (models/state/state.h has the format).
 *
 * A target with one state is idle, and busy is the same.  Where nothing is predicted, idle is
 * the share of the time that the target was idle in training. */

#ifndef SAY_H
#define SAY_H

#include "model.h"
#include "state/state.h"

#define SAY_FULL 0.98    /* a target that is fuller is not usable */
#define SAY_FAILED 600.0 /* seconds after a failed write that no later one made good */

/* At a time, for so many seconds; atm_state_destroy */
atm_status say_state(const state_model *model, const trace *trace, double time, double holds,
                     atm_state **state_p);

/* Whether a new file should go there: it takes new files, is not full, and does not fail. */
bool say_usable(const trace_target *target, double time);

#endif /* SAY_H */
