/* Small symmetric systems of equations. */

#ifndef SOLVE_H
#define SOLVE_H

#include <math.h>
#include <stdbool.h>

/* a[n][n] x = b for a positive definite a, of which only the lower half is
 * read and which is overwritten (Cholesky); b becomes x.  False if a is not. */
static inline bool solve_symmetric(double *a, int n, double *b)
{
    for (int i = 0; i < n; i++) {
        double *row = a + i * n;

        for (int j = 0; j <= i; j++) {
            const double *other = a + j * n;
            double sum = row[j];

            for (int k = 0; k < j; k++)
                sum -= row[k] * other[k];
            if (j < i)
                row[j] = sum / other[j];
            else if (sum > 0)
                row[i] = sqrt(sum);
            else
                return false; /* also NaN */
        }
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            b[i] -= a[i * n + k] * b[k];
        b[i] /= a[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            b[i] -= a[k * n + i] * b[k];
        b[i] /= a[i * n + i];
    }
    return true;
}

#endif /* SOLVE_H */
