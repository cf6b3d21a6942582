/* Exponents of a law of powers by which seconds grow with scale beyond the largest measured. */

#ifndef OUTSIDE_LAW_H
#define OUTSIDE_LAW_H

#include "train.h"

/* Of the taken points: exponents of o->features, none below 0; 0 of bytes and stripes, which have
 * laws of their own (latency and bandwidth; none).  Least squares of logarithms. */
void outside_law(const train_operation *o, const bool *take, double *exponents_p);

#endif /* OUTSIDE_LAW_H */
