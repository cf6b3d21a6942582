/*
 * A grid of questions to surrogates of one operation, within the training range
 * of all of them.  Questions are such as a job can ask: as many senders as nodes
 * times ranks of a node, and so on.
 */

#ifndef GRID_H
#define GRID_H

#include "cost/surrogate.h"

/* step: 0 for the smallest size; the others, one after the other, differ from
 * it only in bytes. */
typedef void (*grid_visit)(void *context, const double features[ATM_FEATURE_COUNT], int step);

/* Returns how many questions there were: 0 where the ranges have nothing in
 * common. */
int grid_walk(atm_operation operation, const atm_surrogate *const *surrogates, int count,
              grid_visit visit, void *context);

/* min and max of a feature that one of them looks at, in all of them; false if
 * none does or there is nothing in common. */
bool grid_range(const atm_surrogate *const *surrogates, int count, atm_feature feature,
                double *min_p, double *max_p);

#endif /* GRID_H */
