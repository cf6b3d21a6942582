/* The hybrid model on a ground: counts of each configuration x surrogates that
 * were learned from the ground's points. */

#ifndef HYBRID_H
#define HYBRID_H

#include "study.h"

/* Counts of all configurations, and the points of operations that they name. */
atm_status hybrid_count(study *study, atm_message *message);

/* Trains all repetitions, or loads the profile that was given. */
atm_status hybrid_train(study *study, atm_message *message);

/* Learns from points as a repetition does; forget what it gives, also if it fails. */
atm_status hybrid_learn(const study *study, points *from, int repetition, atm_message *message,
                        study_hybrid *hybrid);
void hybrid_forget(study_hybrid *hybrid);

/* The profile of a result; with surrogates[operation_count] in place of the
 * result's where not NULL.  Destroy it. */
atm_status hybrid_profile(const train_result *result, atm_value *const *surrogates,
                          atm_message *message, atm_profile **profile_p);

/* The candidate that is predicted to be fastest, of equal ones the first; -1:
 * none can be counted.  counts: study->counts or study->isaila of the instance;
 * predicted[candidates] gets all, or is NULL. */
int hybrid_fastest(const study *study, int instance, const atm_counts *counts,
                   const atm_profile *profile, double *predicted);

/* What the driver would choose in a mode (choose/choose.h); -1: nothing. */
int hybrid_choose(const study *study, int instance, const atm_profile *profile, atm_mode mode);

#endif /* HYBRID_H */
