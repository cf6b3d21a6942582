/*
 * The sum of svr, for support vectors on a grid.  Calibration measures at a few
 * values of each feature, so that many vectors share each coordinate; and
 *
 *     exp(-gamma |x - v|^2) = product over the inputs i of exp(-gamma (x_i - v_i)^2)
 *
 * needs an exponential for each distinct coordinate only, not for each vector.
 */

#ifndef SUR_GRID_H
#define SUR_GRID_H

#include "atm.h"

typedef struct sur_grid sur_grid;

/* vectors[count][inputs], alphas[count], copied.  The caller destroys the grid;
 * it is NULL where too few coordinates are shared for it to be faster. */
atm_status sur_grid_make(const double *vectors, const double *alphas, int count, int inputs,
                         double gamma, sur_grid **grid_p);
void sur_grid_destroy(sur_grid *grid);

/* sum_k alpha_k exp(-gamma |x - v_k|^2) */
double sur_grid_sum(const sur_grid *grid, const double *x);

#endif /* SUR_GRID_H */
