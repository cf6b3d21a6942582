/* Symmetric, positive definite systems of equations: Cholesky's factor L, with L L^T = a (GSL).
 * GSL's error handler must be off: its own ends the program. */

#ifndef CHOLESKY_H
#define CHOLESKY_H

#include <stdbool.h>

/* The lower half of a[n][n], n 1 or more, becomes L, the rest is of no use afterwards; false if a
 * is not positive definite. */
bool cholesky_factor(double *a, int n);

/* L x = b and L^T x = b: b becomes x. */
void cholesky_forward(const double *l, int n, double *b);
void cholesky_backward(const double *l, int n, double *b);

/* a x = b, n 0 or more: b becomes x, and a its factor; false, and b as it was, if a is not
 * positive definite. */
bool cholesky_solve(double *a, int n, double *b);

#endif /* CHOLESKY_H */
