/* Scores: how good probabilities of busy were. */

#ifndef SCORE_H
#define SCORE_H

#include "atm.h"

typedef struct score_sums {
    double rows;
    double right;    /* labels hit */
    double expected; /* the same, of labels that are not drawn but weighed by probability */
    double loss;     /* - ln of the probability of the label, summed */
} score_sums;

/* What came of saying p of busy, when busy was probable and this label was drawn. */
void score_add(score_sums *sums, double p, double busy, int label);

/* NaN without rows. */
double score_accuracy(const score_sums *sums);

/* Area under the receiver operating characteristic: the probability that a busy row has a
 * higher p than an idle one.  NaN if one of them is missing, or without memory. */
double score_auc(const double *p, const int *label, int count);

enum { SCORE_POINTS = 21 };
/* Share of busy rows that are found (true positives) at shares 0, 0.05, ... 1 of idle rows
 * that are taken for busy. */
bool score_roc(const double *p, const int *label, int count, double found_p[SCORE_POINTS]);

/* Slope and offset that make the labels likeliest, of scores (Platt; Newton's method as in
 * Lin, Lin, Weng, Machine Learning 68, 2007). */
void score_calibrate(const double *scores, const int *label, int count, double *slope_p,
                     double *offset_p);

#endif /* SCORE_H */
