/*
 * Shares of what is written, by storage target, when any of them may be busy.
 *
 * A target takes a log-normal time for a GiB in either of two states, idle and busy (Wan et al.,
 * "I/O performance characterization and prediction through machine learning on HPC systems",
 * IPDPS 2019, section IV-B), so that its time X has the distribution function
 *
 *     F(t) = p F_idle(t) + (1 - p) F_busy(t)
 *
 * where p is the probability that it is idle.  If target i writes the share w_i, all have written
 * one GiB after max_i w_i X_i, on average
 *
 *     E(w) = integral of 1 - prod_i F_i(t / w_i) dt.
 *
 * That is convex, because max_i w_i x_i is for any x, so that there is one smallest value.
 */

#ifndef ATM_SHARES_H
#define ATM_SHARES_H

#include "atm.h"

typedef enum atm_activity { ATM_IDLE, ATM_BUSY, ATM_ACTIVITY_COUNT } atm_activity;

/* Distribution of the logarithm of seconds for a GiB */
typedef struct atm_pace {
    double mean, deviation;
} atm_pace;

/* Most groups in any call */
enum { ATM_TARGET_GROUPS = 64 };

/* Targets that are alike, at least one */
typedef struct atm_targets {
    int count;
    double idle; /* probability */
    atm_pace paces[ATM_ACTIVITY_COUNT];
} atm_targets;

/* exp(mean + deviation^2 / 2), the T of the paper's equation 3 */
double atm_pace_seconds(const atm_pace *pace);
/* The pace with these seconds, on average */
atm_pace atm_pace_of(double seconds, double deviation);
/* Probability that a GiB is written after exp(u) seconds */
double atm_pace_done(const atm_pace *pace, double u);
/* Seconds for a GiB, on average, whatever the state */
double atm_targets_seconds(const atm_targets *targets);

/* E, in seconds for a GiB; shares[n] are those of one target of each group, above 0. */
double atm_slowest(const atm_targets *groups, const double *shares, int n);

/* --- shares_p[n]: of one target of each group; all targets' are 1 together */

void atm_shares_equal(const atm_targets *groups, int n, double *shares_p);
/* Equation 3: those that are more likely idle than not are idle, the others busy, and all end
 * at the same time. */
void atm_shares_by_label(const atm_targets *groups, int n, double *shares_p);
/* E's minimum, to ATM_SHARES_TOLERANCE of it. */
void atm_shares_best(const atm_targets *groups, int n, double *shares_p);

#define ATM_SHARES_TOLERANCE 1e-4

#endif /* ATM_SHARES_H */
