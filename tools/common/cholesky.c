/* Systems of equations by Cholesky's factor. */

#include "cholesky.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>

bool cholesky_factor(double *a, int n)
{
    gsl_matrix_view view = gsl_matrix_view_array(a, (size_t) n, (size_t) n);

    if (gsl_linalg_cholesky_decomp1(&view.matrix) != GSL_SUCCESS)
        return false;
    for (int i = 0; i < n; i++)
        if (!(a[i * n + i] > 0))
            return false; /* GSL lets NaN pass */
    return true;
}

static void solve(CBLAS_TRANSPOSE_t transpose, const double *l, int n, double *b)
{
    cblas_dtrsv(CblasRowMajor, CblasLower, transpose, CblasNonUnit, n, l, n, b, 1);
}

void cholesky_forward(const double *l, int n, double *b)
{
    solve(CblasNoTrans, l, n, b);
}

void cholesky_backward(const double *l, int n, double *b)
{
    solve(CblasTrans, l, n, b);
}

bool cholesky_solve(double *a, int n, double *b)
{
    if (n == 0)
        return true;
    if (!cholesky_factor(a, n))
        return false;
    cholesky_forward(a, n, b);
    cholesky_backward(a, n, b);
    return true;
}
