/* Points made from known functions, with the counts of the paper's section V-C. */

#ifndef SYNTHETIC_H
#define SYNTHETIC_H

#include "train/points.h"

enum { SYNTHETIC_OPERATIONS = 6 };
extern const atm_operation synthetic_operations[SYNTHETIC_OPERATIONS];

/* What the operation costs for these features, without noise. */
double synthetic_seconds(atm_operation operation, const double features[ATM_FEATURE_COUNT]);

/* Features anywhere between those of the points. */
void synthetic_query(atm_operation operation, uint64_t *random,
                     double features_p[ATM_FEATURE_COUNT]);

/* A points file of all operations but one (ATM_OPERATION_COUNT: of all); noise
 * is the relative standard deviation of a point.  True if it was written. */
bool synthetic_write(const char *path, atm_operation without, double noise, uint64_t seed);

#endif /* SYNTHETIC_H */
