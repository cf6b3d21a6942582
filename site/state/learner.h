/*
 * Learners: what learns the parameters of one kind of classifier (state/classifier.h).
 * Each ends in its table; learners.c lists them.
 */

#ifndef LEARNER_H
#define LEARNER_H

#include "state/classifier.h"

/* Rows of both labels. */
typedef struct learner_data {
    int rows;
    const double *x;                    /* [rows][ATM_STATE_FEATURES]: atm_state_inputs */
    const double *label;                /* [rows]: 1 busy, 0 idle */
    const atm_state_view *const *views; /* [rows] */
} learner_data;

typedef struct learner {
    const char *name; /* of the kind */
    int most;         /* rows that it is given, at most: of more, some are drawn */
    int cost;         /* about how expensive a fit is; slow ones are started first */
    bool baseline;    /* is what others must beat */
    bool calibrated;  /* its scores are logits already */
    /* Adds the members of "parameters".  ATM_NO_MEMORY, or ATM_NO_CHOICE if a library
     * did not do it. */
    atm_status (*fit)(const learner_data *data, uint64_t seed, atm_value *parameters);
} learner;

enum { LEARNERS = 10 };

extern const learner learner_majority;
extern const learner learner_persistence;
extern const learner learner_latency;
extern const learner learner_markov;
extern const learner learner_naive_bayes;
extern const learner learner_tree;
extern const learner learner_forest;
extern const learner learner_boosting; /* only with XGBoost */
extern const learner learner_svm;
extern const learner learner_mlp;

/* How far back latency looks, if probes are so many seconds apart. */
double learn_latency_seconds(double between);

/* All that were built, baselines first, then simplest first; NULL after the last. */
const learner *learner_at(int index);

#endif /* LEARNER_H */
