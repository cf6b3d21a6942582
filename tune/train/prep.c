/* Preprocessing: Box-Cox by likelihood, standardisation, principal components. */

#include "prep.h"

#include <gsl/gsl_eigen.h>
#include <math.h>
#include <stdlib.h>

const prep_step prep_steps[PREP_STEPS] = {
    {"centre, scale", PREP_NONE, false},
    {"Box-Cox, centre, scale", PREP_BOX_COX, false},
    {"log, centre, scale", PREP_LOG, false},
    {"log of counts, centre, scale", PREP_LOG_COUNTS, false},
    {"Box-Cox, centre, scale, PCA", PREP_BOX_COX, true},
    {"log, centre, scale, PCA", PREP_LOG, true},
};

/* Profile log-likelihood of lambda (Box and Cox, J. Royal Statistical Society B
 * 26(2), 1964, equation 8), up to a constant. */
static double likelihood(const double *x, int rows, int columns, double lambda)
{
    double sum = 0, squares = 0, logs = 0, variance;

    for (int i = 0; i < rows; i++) {
        double log_x = log(x[i * columns]);
        double y = lambda == 0 ? log_x : expm1(lambda * log_x) / lambda;

        sum += y;
        squares += y * y;
        logs += log_x;
    }
    variance = squares / rows - sum / rows * (sum / rows);
    return variance > 0 ? -0.5 * rows * log(variance) + (lambda - 1) * logs : -INFINITY;
}

/* Between -2 and 2 in tenths; near 0 and 1 those, as caret does. */
static double best_lambda(const double *x, int rows, int columns)
{
    double best = 1, most = -INFINITY;

    for (int tenths = -20; tenths <= 20; tenths++) {
        double here = likelihood(x, rows, columns, tenths / 10.0);

        if (here > most) {
            most = here;
            best = tenths / 10.0;
        }
    }
    if (fabs(best) <= 0.2)
        return 0;
    return fabs(best - 1) <= 0.2 ? 1 : best;
}

static void fit_powers(const prep_step *step, const double *x, int rows, int columns,
                       const atm_feature *features, atm_pipeline *p)
{
    p->boxed = step->power != PREP_NONE;
    for (int i = 0; i < columns; i++) {
        p->lambda[i] = 0;
        if (step->power == PREP_BOX_COX)
            p->lambda[i] = best_lambda(x + i, rows, columns);
        if (step->power == PREP_LOG_COUNTS && features[i] == ATM_BYTES)
            p->lambda[i] = 1;
    }
}

/* Fits mean and scale of each column to what the pipeline gives so far. */
static void fit_scale(const double *x, int rows, int columns, atm_pipeline *p)
{
    double sum[ATM_FEATURE_COUNT] = {0}, squares[ATM_FEATURE_COUNT] = {0};
    double inputs[ATM_FEATURE_COUNT];

    for (int i = 0; i < rows; i++) {
        atm_pipeline_inputs(p, x + i * columns, inputs);
        for (int k = 0; k < columns; k++)
            sum[k] += inputs[k];
    }
    for (int i = 0; i < rows; i++) {
        atm_pipeline_inputs(p, x + i * columns, inputs);
        for (int k = 0; k < columns; k++)
            squares[k] += (inputs[k] - sum[k] / rows) * (inputs[k] - sum[k] / rows);
    }
    p->centred = p->scaled = true;
    for (int k = 0; k < columns; k++) {
        double deviation = sqrt(squares[k] / (rows > 1 ? rows - 1 : 1));

        p->centre[k] = sum[k] / rows;
        /* a column that is constant here, or as good as */
        p->scale[k] = deviation > 1e-12 * fabs(p->centre[k]) && deviation > 1e-90 ? deviation : 1;
    }
}

/* Rows of the rotation: eigenvectors of the correlations, largest first, their
 * largest element positive, so that they are the same wherever computed. */
static void keep_components(const gsl_vector *values, const gsl_matrix *vectors, int columns,
                            atm_pipeline *p)
{
    double all = 0, kept = 0;

    for (int i = 0; i < columns; i++)
        all += gsl_vector_get(values, (size_t) i);
    p->rotated = true;
    p->inputs = 0;
    for (int i = 0; i < columns && kept < 0.95 * all; i++) {
        double largest = 0;

        for (int k = 0; k < columns; k++) {
            double element = gsl_matrix_get(vectors, (size_t) k, (size_t) i);

            largest = fabs(element) > fabs(largest) + 1e-9 ? element : largest;
        }
        for (int k = 0; k < columns; k++)
            p->rotation[i][k] =
                gsl_matrix_get(vectors, (size_t) k, (size_t) i) * (largest < 0 ? -1 : 1);
        kept += gsl_vector_get(values, (size_t) i);
        p->inputs++;
    }
}

static atm_status fit_rotation(const double *x, int rows, int columns, atm_pipeline *p)
{
    size_t n = (size_t) columns;
    gsl_matrix *moments = gsl_matrix_calloc(n, n), *vectors = gsl_matrix_alloc(n, n);
    gsl_vector *values = gsl_vector_alloc(n);
    gsl_eigen_symmv_workspace *work = gsl_eigen_symmv_alloc(n);
    double inputs[ATM_FEATURE_COUNT];

    for (int i = 0; i < rows; i++) {
        atm_pipeline_inputs(p, x + i * columns, inputs);
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k++)
                *gsl_matrix_ptr(moments, j, k) += inputs[j] * inputs[k];
    }
    gsl_eigen_symmv(moments, values, vectors, work);
    gsl_eigen_symmv_sort(values, vectors, GSL_EIGEN_SORT_VAL_DESC);
    keep_components(values, vectors, columns, p);
    gsl_eigen_symmv_free(work);
    gsl_vector_free(values);
    gsl_matrix_free(vectors);
    gsl_matrix_free(moments);
    return ATM_OK;
}

atm_status prep_fit(const prep_step *step, const double *x, int rows, int columns,
                    const atm_feature *features, atm_pipeline *pipeline_p)
{
    atm_pipeline p = {.features = columns, .inputs = columns};
    atm_status status = ATM_OK;

    fit_powers(step, x, rows, columns, features, &p);
    fit_scale(x, rows, columns, &p);
    if (step->pca)
        status = fit_rotation(x, rows, columns, &p);
    if (status == ATM_OK)
        *pipeline_p = p;
    return status;
}
