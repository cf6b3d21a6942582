/* The hidden Markov model of classifier_markov.c, for its training. */

#ifndef CLASSIFIER_MARKOV_H
#define CLASSIFIER_MARKOV_H

#include "classifier.h"

typedef struct atm_markov {
    double rates[2];                /* to busy and to idle, per second */
    double means[2], deviations[2]; /* of ln(latency / typical), idle and busy */
} atm_markov;

/* The logit of busy. */
double atm_markov_score(const atm_markov *markov, const atm_state_view *view);

#endif /* CLASSIFIER_MARKOV_H */
