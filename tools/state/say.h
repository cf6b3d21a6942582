/*
 * Saying: the state of all targets now, which the driver reads.
 *
 *     {"format": "romio-autotune-state", "version": 1, "path": "/scratch", "said": T, "until": T,
 *      "targets": [{"target": 3, "idle": 0.91, "idle_seconds": 1.85, "idle_deviation": 0.08,
 *                   "busy_seconds": 2.7, "busy_deviation": 0.3, "usable": true}]}
 *
 * seconds are means for a GiB, deviations those of the logarithm.  A target with one state
 * is idle, and busy is the same.  Where nothing is predicted, idle is the share of the time
 * that the target was idle in training.
 */

#ifndef SAY_H
#define SAY_H

#include "model.h"

#define SAY_FORMAT "romio-autotune-state"

enum { SAY_VERSION = 1 };

#define SAY_FULL 0.98    /* a target that is fuller is not usable */
#define SAY_FAILED 600.0 /* seconds after a failed write that no later one made good */

/* At a time, for so many seconds.  The caller destroys it. */
atm_status say_document(const state_model *model, const trace *trace, double time, double holds,
                        atm_value **document_p);

/* Whether a new file should go there: it takes new files, is not full, and does not fail. */
bool say_usable(const trace_target *target, double time);

/* --- reading it again, for people */

typedef struct said_target {
    int target;
    double idle, idle_seconds, idle_deviation, busy_seconds, busy_deviation;
    bool usable;
} said_target;

typedef struct said {
    char *path;
    double time, until;
    int count;
    said_target *targets;
} said;

/* said_clear, also after a failure. */
atm_status said_read(const atm_value *root, atm_message *message, said *said_p);
void said_clear(said *said);

#endif /* SAY_H */
