/*
 * Prediction: time = sum over elemental operations of count x surrogate(features),
 * in three parts (paper, equation 4 and the sum that ends its section V).
 *
 * Uncertainty is one standard deviation, relative to the time:
 *
 *     u = sqrt(sum_ij r_ij (t_i u_i) (t_j u_j)) / t
 *
 * u_i is the surrogate's own at that place, which grows with the distance to its training
 * range; r_ij is 1 for the same operation and features, falls with the distance of features
 * of the same operation, and is 0 for different operations (choose/errors.h).
 *
 * What the sum leaves out is one more error, ATM_COMPOSITION of the time, independent in
 * every configuration.
 *
 * If the profile knows what new memory for buffers costs (touch), this is apart from write_first
 * and read_first; else it is in these.
 *
 * If the profile knows what reads from caches cost (read_cached), the share of a read that is
 * in these costs that.
 *
 * If the profile knows write caches, rounds of two-phase writes are costed by the level of
 * these (cost/write_cache.h): write_first, write_full and write_partial are what they cost
 * while there is room, write_drained what they cost afterwards.  The sum is then no longer linear
 * in its estimates, and t_i u_i is the change of the sum if estimate i is off by u_i.
 */

#ifndef ATM_PREDICT_H
#define ATM_PREDICT_H

#include "errors.h"

#define ATM_COMPOSITION 0.03

typedef struct atm_prediction {
    double seconds;
    double parts[ATM_PART_COUNT];
    double once; /* of the partitioning: not in any call */
    double uncertainty;
    double dirty;     /* bytes that caches have at the end, */
    double drain;     /* how many leave them in a second, */
    double capacity;  /* and how many they hold; 0: nothing known of caches */
    unsigned outside; /* bit 1u << operation of those outside their training range */
    double guessed;   /* seconds that rest on no measurement for that */
    bool cut;         /* seconds is only a lower bound */
} atm_prediction;

/* Its seconds if all costs of a kind took so many times as long. */
double atm_prediction_scaled(const atm_prediction *prediction, atm_kind kind, double factor);

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

/* Predicts to the end, with the errors of all estimates in it (errors.h). */
void atm_predict_errors(const atm_profile *profile, const atm_counts *counts, atm_memo *memo,
                        atm_prediction *prediction_p, atm_errors *errors_p);

/* Count and predict with the model that ROMIO runs; memo may be NULL.  Fails as
 * atm_count does. */
atm_status atm_predict(const atm_profile *profile, atm_driver driver, const atm_job *job,
                       const atm_access *access, const atm_config *config, atm_memo *memo,
                       atm_counts *counts_p, atm_prediction *prediction_p);

#endif /* ATM_PREDICT_H */
