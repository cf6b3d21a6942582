/*
 * Model selection: all candidates of all operations, cross-validated side by
 * side.
 *
 * Where an operation has 120 points or more the folds are run as a race (after
 * Maron and Moore, "Hoeffding races", NIPS 1993).  First leg: all candidates see
 * the first folds, as many as give 60 held-out points, and learn from at most
 * 150 points.  Second leg: the best 24 of each algorithm see twice as many folds
 * and learn from all points.  Third leg: the best 6 of each see all folds.  With
 * fewer points all candidates see all folds.
 *
 * The simplest of the candidates that tie with the best one is chosen: their
 * squared errors exceed its by no more than one standard error of the
 * difference (over the points, paired), and their RMSE by no more than a tenth.
 * Equally simple ones are decided by error.  Candidates whose cost falls with growing
 * bytes over more than a twentieth of the octaves give way to those whose does not.
 *
 * To it, others are added as members of a mean (of logarithms), each the one with which the
 * mean's errors in cross-validation are least, until that helps no more: what one model says
 * between points, where cross-validation is blind, may be far off; what several say is less so.
 */

#ifndef RACE_H
#define RACE_H

#include "learn.h"
#include "parallel.h"

typedef struct race_entrant {
    learn_choice choice;
    int operation; /* of result->operations */
    uint64_t seed;
    double *predicted; /* [points of the operation] of the folds it has seen */
    int seen;          /* folds, from the first on */
    bool failed;       /* no surrogate could be made */
    bool contending;   /* goes on to the next folds */
    bool last;         /* but no further */
    bool ties;         /* with the best */
    double error;      /* race_error so far */
} race_entrant;

typedef struct race {
    train_result *result;
    learn_set *sets;        /* [result->operation_count] */
    race_entrant *entrants; /* [count], operation by operation */
    int count;
    int *order; /* [count] scratch: entrants with work, most expensive first */
    int tasks;
    int leg;
    parallel *crew;
    const char *algorithm; /* the only one to try; NULL: all */
} race;

/* Runs it; candidates, best, chosen, predicted, lessons and surrogate of all
 * operations are set.  fold of all operations must have been assigned. */
atm_status race_run(train_result *result, const char *algorithm, parallel *crew);

#endif /* RACE_H */
