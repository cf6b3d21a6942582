/*
 * Prediction: time = sum over elemental operations of count x surrogate(features),
 * in three parts (paper, equation 4 and the sum that ends its section V).
 *
 * Uncertainty is one standard deviation, relative to the time.  Estimates with
 * the same operation and features are one estimate and err together; all others
 * err independently, so that their errors, weighted by their share of the time,
 * add in quadrature:
 *
 *     u = sqrt(sum_i (t_i u_i)^2) / t
 *
 * u_i is the surrogate's own, which grows with the distance to its training
 * range.
 */

#ifndef ATM_PREDICT_H
#define ATM_PREDICT_H

#include "counts/counts.h"
#include "files/profile.h"

typedef struct atm_prediction {
    double seconds;
    double parts[ATM_PART_COUNT];
    double uncertainty;
    unsigned outside; /* bit 1u << operation of those outside their training range */
    bool cut;         /* seconds is only a lower bound */
} atm_prediction;

/* A memo of estimates that candidates have in common.  It affects only the time
 * taken. */
typedef struct atm_memo atm_memo;

/* For predictions with this profile, which must outlive it.  Destroy it; NULL
 * if there is no memory, which the functions below accept. */
atm_memo *atm_memo_create(const atm_profile *profile);
void atm_memo_destroy(atm_memo *memo);

/* One operation once; memo may be NULL. */
atm_estimate atm_estimate_item(const atm_profile *profile, const atm_cost_item *item,
                               atm_memo *memo);

/* Predict what was counted; memo may be NULL.  Stops as soon as it is known to
 * exceed limit seconds (INFINITY: never).  Allocates nothing. */
void atm_predict_counts(const atm_profile *profile, const atm_counts *counts, atm_memo *memo,
                        double limit, atm_prediction *prediction_p);

/* Count and predict with the model that ROMIO runs; memo may be NULL.  Fails as
 * atm_count does. */
atm_status atm_predict(const atm_profile *profile, atm_driver driver, const atm_job *job,
                       const atm_access *access, const atm_config *config, atm_memo *memo,
                       atm_counts *counts_p, atm_prediction *prediction_p);

/* Standard deviation of the difference of two predicted times, in seconds:
 * estimates that both have in common have the same error in both. */
double atm_predict_difference(const atm_profile *profile, const atm_counts *one,
                              const atm_counts *other);

#endif /* ATM_PREDICT_H */
