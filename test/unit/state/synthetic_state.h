/* Targets whose states are known: traces, the true state of every large write, and how
 * likely busy was for who knows everything but the state itself. */

#ifndef SYNTHETIC_STATE_H
#define SYNTHETIC_STATE_H

#include "state/trace.h"

typedef enum synthetic_kind {
    SYNTHETIC_MARKOV, /* states last, probes show them */
    SYNTHETIC_JOBS,   /* states depend on the number of jobs, probes hardly show them */
    SYNTHETIC_STILL   /* one state */
} synthetic_kind;

typedef struct synthetic_options {
    synthetic_kind kind;
    int targets;
    double days, truth_every, probe_every; /* seconds */
    double stays; /* mean seconds in the busy state; idle: three times as long */
    double noise; /* deviation of ln(latency); busy is 0.7 above idle */
    uint64_t seed;
} synthetic_options;

typedef struct synthetic_truth {
    bool busy;
    double bayes; /* probability of busy, given all that was seen before */
} synthetic_truth;

/* truths_p: [targets] arrays, of each large write by time; the caller frees them.
 * Sorted; trace_destroy. */
trace *synthetic_make(const synthetic_options *options, synthetic_truth **truths_p);

#endif /* SYNTHETIC_STATE_H */
