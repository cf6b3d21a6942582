/*
 * Mixtures: the times of large writes as one or two log-normal distributions, idle and
 * busy, by expectation and maximisation on their logarithms.
 *
 * A second state is believed only if three things agree: the Bayesian information
 * criterion, which alone nearly always says two on real data; Ashman's D above 2, at which
 * two normal distributions of equal weight begin to show two modes (Ashman, Bird, Zepf,
 * Astron. J. 108, 1994); and a distance that is worth avoiding.
 */

#ifndef MIXTURE_H
#define MIXTURE_H

#include "atm.h"

/* A normal distribution of ln(seconds). */
typedef struct mixture_state {
    double weight, mean, deviation;
} mixture_state;

typedef struct mixture {
    size_t samples;
    int states;               /* 1 or 2 */
    mixture_state one;        /* what it would be as one state */
    mixture_state idle, busy; /* what it would be as two, idle the faster */
    double likelihood[2];     /* sum of logarithms, with one and with two */
    double bic[2];            /* the smaller the better */
    double ashman;            /* D */
    double distance;          /* busy over idle, of their medians: the modes of the logarithms */
} mixture;

#define MIXTURE_ASHMAN 2.0
#define MIXTURE_DISTANCE 1.2

enum {
    MIXTURE_FEWEST = 20, /* samples for two states */
    MIXTURE_STATE = 5    /* samples that a state must stand for: fewer are outliers */
};

/* logs[count], count > 0.  The same samples and seed give the same mixture. */
atm_status mixture_fit(const double *logs, size_t count, uint64_t seed, mixture *mixture_p);

/* Probability that a write of this ln(seconds) met the busy state.  The wider state is the
 * likelier one on both sides of a narrow one; but what is faster than idle is idle. */
double mixture_busy(const mixture *mixture, double log);

/* Mean seconds of a state: of a log-normal distribution, not of its logarithms. */
double mixture_seconds(const mixture_state *state);

/* Sum of the logarithms of the densities under two states. */
double mixture_likelihood(const mixture_state *idle, const mixture_state *busy, const double *logs,
                          size_t count);

#endif /* MIXTURE_H */
