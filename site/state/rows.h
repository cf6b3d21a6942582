/*
 * Rows: the large writes of all targets, each with what was known before it and whether it
 * met the busy state.
 *
 * Where large writes do not tell two states, small ones may (episodes.h).  Rows of such a target
 * are any times, each with what was known before it and whether small writes were slow after it;
 * its mixture is what large writes took in either case.
 */

#ifndef ROWS_H
#define ROWS_H

#include "episodes.h"
#include "train/parallel.h"

enum { ROWS_BY_LATENCY = 500 }; /* of a target, at most */

typedef struct state_row {
    int target; /* index of rows.targets */
    double time;
    double busy; /* probability, by the mixture of its target; or 0 or 1, by latency */
    int label;   /* drawn with it */
    atm_state_view view;
} state_row;

typedef struct state_target {
    int target;      /* its number */
    size_t samples;  /* writes that the mixture was fitted to */
    mixture mixture; /* if samples > 0 */
    features_of features;
    episodes episodes;
    bool by_latency;  /* told by small writes */
    int first, count; /* its rows, by time; none unless it has two states */
} state_target;

typedef struct state_rows {
    double bytes;    /* of the writes */
    double from, to; /* first and last of them */
    int target_count;
    state_target *targets;
    int count;
    state_row *rows; /* by target, then by time */
} state_rows;

/* The size of large writes that most were made of, of equals the larger; 0: there are none. */
double rows_bytes(const trace *trace);

/* Mixtures and typical latencies are of what was before fitted_until; rows are of all
 * writes of this size.  The trace must be sorted and outlive the rows; rows_destroy, also
 * after a failure. */
atm_status rows_make(const trace *trace, double bytes, double fitted_until, uint64_t seed,
                     parallel *parallel, state_rows *rows_p);
void rows_destroy(state_rows *rows);

#endif /* ROWS_H */
