/*
 * ml: the paper's black box (section IV), support vector regression on run times
 * of the application itself.
 *
 * Its training set (section VI-A): of each instance a third of the
 * configurations (the paper: 3 of 9) by a fractional factorial design, in which
 * every level of aggregators, buffer and striping occurs as evenly as can be;
 * each repetition draws another one.  Two thirds and a third of the runs are
 * drawn from these at random (section VI-C).
 */

#ifndef BLACK_BOX_H
#define BLACK_BOX_H

#include "study.h"

/* All sizes and repetitions; where nothing can be learned study->no_ml says why. */
atm_status black_box_train(study *study, atm_message *message);

/* The candidate that the model predicts to be fastest, of equal ones the first. */
int black_box_pick(const study *study, int instance, const atm_surrogate *model);

/* Configurations of an instance that the design takes: marks in take[candidates];
 * returns how many. */
int black_box_design(const sweep_instance *instance, uint64_t *random, bool *take);

void black_box_clear(study_box *box);

#endif /* BLACK_BOX_H */
