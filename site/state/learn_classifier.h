/*
 * Learning: which kind of classifier tells best whether targets are busy, and where it is
 * worth asking.
 *
 *     rows of the training days -> eight folds, blocks of time -> scores of rows that a fit
 *     has not seen -> calibration -> which kind -> folds and held-out days: better than
 *     persistence and majority?
 *
 * Rows within an hour of a block are left out of its fit: they share probes with it.
 * All targets are learned together, with features relative to what is typical of each, or
 * each target alone as in the paper.
 */

#ifndef STATE_LEARN_H
#define STATE_LEARN_H

#include "fit_classifier.h"
#include "score.h"

enum { LEARN_FOLDS = 8, LEARN_SHARES = 3 /* 1/2, 1/4, 1/8 of the training days */ };

typedef struct learn_options {
    uint64_t seed;
    bool per_target;
    const char *kind;  /* only this one and the baselines; NULL: all */
    double bytes;      /* of large writes; 0: the size that most have */
    double held_out;   /* share of the time that is held out at the end; 0: a fifth */
    parallel parallel; /* threads and progress */
} learn_options;

/* One kind. */
typedef struct learn_kind {
    const learner *learner;
    score_sums folds;              /* of rows that a fit has not seen, training days */
    score_sums held_out;           /* of held-out days */
    score_sums less[LEARN_SHARES]; /* the same, learned from fewer days */
    double auc;                    /* of held-out days, all targets together; NaN: not known */
    double roc[SCORE_POINTS];
    bool has_roc;
    score_sums *by_target;  /* [targets], of held-out days */
    score_sums *unseen;     /* [targets], of folds and held-out days */
    double *auc_by_target;  /* [targets] */
    double *p;              /* [rows]: of rows of folds and of held-out days */
    double *slope, *offset; /* [targets], or the first for all together */
} learn_kind;

typedef struct learn_target {
    int chosen; /* kind of its classifier; -1: none, because there is no better than a baseline */
    bool used;
    bool persists; /* no classifier is used, but persistence, which is better than majority */
} learn_target;

typedef struct learn_result {
    state_rows rows; /* mixtures of the training days */
    double split;    /* where held-out days begin */
    int kinds;
    learn_kind kind[LEARNERS];
    int chosen; /* for all targets together; -1 per target, or where nothing was learned */
    learn_target *targets;
    int two, used;  /* targets with two states; with a classifier that is used, */
    int persistent; /* or with persistence */
    double drift;   /* held-out days: change of accuracy over its standard error; NaN */
    double seconds;
} learn_result;

/* ATM_BAD_FILE and a message where traces cannot be learned from.  learn_destroy. */
atm_status learn_run(const trace *trace, const learn_options *options, atm_message *message,
                     learn_result **result_p);
void learn_destroy(learn_result *result);

/* The document of a state model (state/model.h), learned anew from all days. */
atm_status learn_document(const trace *trace, const learn_options *options,
                          const learn_result *result, atm_value **document_p);

/* --- for learn_run */

/* Fills what is chosen, and drift. */
void learn_choose(learn_result *result, bool per_target);

#endif /* STATE_LEARN_H */
