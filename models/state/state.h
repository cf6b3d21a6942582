/*
 * State of storage: how busy each target of a file system is, for the next minutes.  A target is
 * what data can be steered to, an OST of Lustre; any other file system is one target, 0.
 *
 *     { "format": "romio-autotune-state", "version": 1,
 *       "path": "/scratch",                         any folder of the file system
 *       "said": 1520708288, "until": 1520708588,    seconds since 1970
 *       "targets": [ { "target": 3, "idle": 0.91,           probability of idle
 *                      "usual": 0.8,                        at any time; if missing, idle
 *                      "idle_seconds": 1.85, "idle_deviation": 0.08,
 *                      "busy_seconds": 2.7, "busy_deviation": 0.3,
 *                      "usable": true,                      false: full, inactive
 *                      "said": ..., "until": ... } ] }      if they are its own
 *
 * Seconds are for a GiB, on average, the T of the paper's equation 3; deviations are those of
 * their logarithm.  Whoever writes it replaces the file as a whole.
 */

#ifndef ATM_STATE_H
#define ATM_STATE_H

#include "shares.h"
#include "value/value.h"

enum { ATM_STATE_TARGETS = 65536 };

typedef struct atm_target {
    int index;
    bool usable;
    double said, until;
    double idle, usual;
    atm_pace paces[ATM_ACTIVITY_COUNT];
} atm_target;

typedef struct atm_state {
    char *path;   /* of the file system */
    char *source; /* file, or what the caller named it */
    double said, until;
    int count;
    atm_target *targets; /* by index; all differ */
} atm_state;

/* The caller destroys the state.  Errors: ATM_NO_ACCESS, ATM_NO_MEMORY or ATM_BAD_FILE; message
 * may be NULL. */
atm_status atm_state_load(const char *path, atm_message *message, atm_state **state_p);
atm_status atm_state_parse(const char *text, size_t length, const char *name, atm_message *message,
                           atm_state **state_p);
void atm_state_destroy(atm_state *state);

/* The whole file, for atm_value_write; the caller destroys it. */
atm_value *atm_state_value(const atm_state *state);

/* A clock that is behind that of who has said it, by less than this, is right. */
#define ATM_STATE_SKEW 60.0

/* Why it does not hold at that time, a sentence; "" if it does, for one target at least. */
void atm_state_doubt(const atm_state *state, double now, atm_message *doubt_p);

/* --- of one target */

bool atm_target_holds(const atm_target *target, double now);
/* And is usable */
bool atm_target_can_be_picked(const atm_target *target, double now);
/* For a GiB, on average */
double atm_target_seconds(const atm_target *target);

#endif /* ATM_STATE_H */
