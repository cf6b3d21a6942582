/*
 * Targets as on a large system: what they carry goes up and down together and each for itself,
 * times are not log-normal, and some targets are slow for 8 minutes to hours.
 *
 * Numbers are of public measurements: load of the 24 OSTs of Edison's /scratch1 (pytokio-tests,
 * snx11025_2018-02-09T12:00:00.h5lmt) and daily runs of four programs on Cori, Edison and Mira,
 * each over the median of the 31 runs around it (Lockwood et al., "A Year in the Life of a
 * Parallel File System", SC18).  Measurements themselves can be given instead.
 */

#ifndef LOADED_STATE_H
#define LOADED_STATE_H

#include "state/trace.h"

enum { LOADED_STEP = 30 /* seconds */ };

typedef enum loaded_noise { LOADED_ONE_SYSTEM, LOADED_POOLED } loaded_noise;

typedef struct loaded_options {
    int targets, busy; /* the first `busy` have episodes */
    double days, truth_every;
    double probe_share;         /* of the steps that have a probe; the rest are missing */
    double slower[2];           /* an episode's factor, least and most */
    double episode[2], between; /* seconds: least and most, and mean between two */
    double quiet[2];            /* share of the time, from and to: without episodes */
    loaded_noise noise;
    uint64_t seed;
    /* measurements: */
    const double *loads; /* [steps * targets], share of what a target can do, or NULL */
    int steps;           /* begins anew after the last */
    const double *logs;  /* [log_count] ln of times over their median, or NULL */
    int log_count;
} loaded_options;

typedef struct loaded {
    trace *trace;
    int steps;
    double *slower; /* [targets * steps]: factor of an episode, 1 without */
    double *usual;  /* [targets * steps]: seconds for a GiB but for episodes and noise */
} loaded;

/* loaded_destroy */
void loaded_make(const loaded_options *options, loaded *loaded_p);
void loaded_destroy(loaded *loaded);

/* ln of a time over its median, drawn */
double loaded_draw(const loaded_options *options, uint64_t *random);

#define LOADED_START 1.6e9

#endif /* LOADED_STATE_H */
