/* Trials: runs of the command, what for, and what came of them. */

#ifndef ATS_TRIAL_H
#define ATS_TRIAL_H

#include "space.h"

typedef enum ats_kind {
    ATS_EXPLORE, /* number: which run of the search, from 0, the default */
    ATS_CHECK,   /* of a leader, or of the default in between: how often it was repeated, from 0 */
    ATS_VERIFY,  /* of the winner and the default: which pair, from 0 */
    ATS_KIND_COUNT
} ats_kind;

/* A trial is made once: kind, number and point are its name. */
typedef struct ats_trial {
    ats_kind kind;
    int number;
    ats_point point;
} ats_trial;

typedef enum ats_end {
    ATS_DONE,
    ATS_STOPPED, /* before its end: it could not have been among the best */
    ATS_FAILED,
    ATS_END_COUNT
} ats_end;

enum { ATS_WHY = 160 };

typedef struct ats_outcome {
    ats_end end;
    double value;      /* what is made small; stopped: at least so much; failed: 0 */
    double wall;       /* seconds from start to end */
    int64_t calls;     /* collective ones, of all files; 0: not known */
    char why[ATS_WHY]; /* stopped or failed */
} ats_outcome;

typedef struct ats_measured {
    ats_trial trial;
    ats_outcome outcome;
} ats_measured;

/* All trials in the order in which they were asked for.  All zero: none */
typedef struct ats_seen {
    ats_measured *at;
    int count, room;
} ats_seen;

const char *ats_kind_name(ats_kind kind);
const char *ats_end_name(ats_end end);

atm_status ats_seen_add(ats_seen *seen, const ats_trial *trial, const ats_outcome *outcome);
void ats_seen_destroy(ats_seen *seen);

/* Value of the first trial of a kind (ATS_KIND_COUNT: any) at this point: INFINITY if it failed.
 * False if there is none. */
bool ats_seen_find(const ats_seen *seen, ats_kind kind, const ats_point *point, double *value_p);
/* Whole runs of a point, in values_p[size]; returns how many. */
int ats_seen_values(const ats_seen *seen, const ats_point *point, int size, double *values_p);

#endif /* ATS_TRIAL_H */
