/*
 * A Gaussian process over the points of a space: what values are likely at points that were not
 * tried (Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006).
 *
 *     y = p + m + b (p - mean p) + f(x) + noise      p: what is predicted, or 0
 *
 * y and p are logarithms.  m and b are not known (normal, b with deviation 1/2: a prediction may
 * be too steep or too flat, or wrong if the data says so).  The covariance of f is half that of a
 * function of all parameters together and half that of a sum of functions of one parameter each,
 * both of the Matern class with nu = 5/2.  Scales of parameters, amplitude and noise are those of
 * the largest likelihood on a coarse grid.
 */

#ifndef ATS_GP_H
#define ATS_GP_H

#include "space.h"

enum { ATS_GP_POINTS = 200 }; /* at most */

/* Grid indices; all zero: the usual ones. */
typedef struct ats_gp_scales {
    bool known;
    int weights[ATS_PARAMETERS];
    int amplitude, noise;
} ats_gp_scales;

typedef struct ats_gp ats_gp;

/* What was seen at count points, 1 or more; predicted may be NULL.  Scales that are known are
 * taken, else they are learned and set.  Destroy it.  ATM_NO_MEMORY; ATM_BAD_ARGUMENT if what is
 * predicted is too large, or no number, for a covariance. */
atm_status ats_gp_fit(const ats_space *space, const ats_point *points, const double *y,
                      const double *predicted, int count, ats_gp_scales *scales, ats_gp **gp_p);
void ats_gp_destroy(ats_gp *gp);

/* Mean and deviation of f and m at a point, without noise. */
void ats_gp_at(const ats_gp *gp, const ats_point *point, double predicted, double *mean_p,
               double *deviation_p);

/* Squared distance of two choices of a parameter: 0 to 1. */
double ats_choice_distance(const ats_parameter *parameter, int one, int other);

#endif /* ATS_GP_H */
