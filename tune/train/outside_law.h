/* Exponents of a law of powers by which seconds grow with scale beyond the largest measured. */

#ifndef OUTSIDE_LAW_H
#define OUTSIDE_LAW_H

#include "train.h"

/* Fits exponents of o->features, none below 0, to the taken points by least squares of logarithms.
 * Those of bytes and stripes are 0: these have laws of their own (latency and bandwidth; none). */
void outside_law(const train_operation *o, const bool *take, double *exponents_p);

#endif /* OUTSIDE_LAW_H */
