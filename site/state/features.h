/* Features: what traces tell of a target at a time, as the paper's Table II has it, and
 * labels of its large writes. */

#ifndef FEATURES_H
#define FEATURES_H

#include "mixture.h"
#include "state/classifier.h"
#include "trace.h"

#define FEATURES_WINDOW 600.0    /* seconds of latencies for mean and deviation */
#define FEATURES_JOBS_AGE 1800.0 /* an older snapshot of jobs is not known any more */
#define FEATURES_RECENT 3600.0   /* seconds of latencies that are looked back at */

/* One target, and where what is known of it comes from. */
typedef struct features_of {
    const trace *trace; /* sorted */
    const trace_target *target;
    trace_source source;    /* of latencies: probes or, where there are more of them, services */
    double typical;         /* median latency; NaN: none */
    double bytes;           /* of large writes that are looked at; 0: all */
    const mixture *mixture; /* of their ln(seconds for a GiB); or NULL */
} features_of;

/* Number of samples at or before a time. */
size_t features_count(const trace_series *series, double time);

/* typical is of samples between two times only, so that nothing that is to be predicted
 * is in it.  ATM_NO_MEMORY */
atm_status features_prepare(const trace *trace, const trace_target *target, double from, double to,
                            features_of *features_p);

/* What was known at a time: nothing later is looked at, and no large write that had not
 * ended by then. */
void features_at(const features_of *of, double time, atm_state_view *view_p);

/* ln of the seconds that a GiB takes at the rate of a write */
double features_log(const trace_sample *write);

/* Busy (1) or idle (0), drawn with the probability of busy: the paper's labels.  A write
 * has the same label in every run with the same seed. */
int features_label(double busy, uint64_t seed, int target, double time);

#endif /* FEATURES_H */
