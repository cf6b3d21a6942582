/* Goals: what this project aims for on a ground, as numbers with a limit. */

#ifndef GOALS_H
#define GOALS_H

#include "study.h"

/* Up to here hybrid's speed-ups must not change with noise; by no more than
 * GOALS_SAME, of mean and quartiles. */
#define GOALS_SIGMA 0.5
#define GOALS_SAME 0.05

typedef struct goal {
    const char *text;
    const char *const *strategies; /* that it is about, up to a NULL: judged if they are there */
    const char *kind;              /* of grounds that it is for; NULL: all */
    double (*value)(const study *study, const char *strategy); /* NaN: not measured */
    double limit;
    bool at_most;  /* else more than */
    bool promised; /* of what a mode of the driver does; else of the method */
} goal;

typedef struct goal_result {
    const goal *goal;
    const char *strategy;
    double value;
    bool known, met;
    double missed_by; /* if not met, above 0 */
} goal_result;

enum { GOALS_MAX = 128 };

/* In a fixed order; returns how many. */
int goals_judge(const study *study, goal_result results[GOALS_MAX]);

/* Largest relative change of mean and quartiles of hybrid's speed-ups up to a
 * sigma, against none; NaN: not known. */
double goals_change(const study *study, double sigma);

#endif /* GOALS_H */
