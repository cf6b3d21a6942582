/*
 * Errors by place: a tree of the features whose leaves say how far predictions of a mean
 * cost are off there, learned from those of cross-validation, and the distance over which
 * errors are alike.  What repetitions differ by is no error of a prediction and is taken
 * out.  Calibrated: 90 % of the points that were held out from the tree as well are within
 * LOCAL_QUANTILE standard deviations, of both kinds together, of the prediction.
 */

#ifndef LOCAL_H
#define LOCAL_H

#include "train.h"

#define LOCAL_QUANTILE 1.645 /* of a normal distribution: 90 % are within */

/* Adds "errors" and "error_length" to the operation's surrogate, and sets its coverage. */
atm_status local_errors(train_operation *o, int folds);

#endif /* LOCAL_H */
