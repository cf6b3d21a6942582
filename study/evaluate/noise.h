/*
 * Noise in the training data (paper, section VI-D): each run time t becomes
 * t (1 + N(0, sigma^2)); for the hybrid model those of all its points, for ml
 * those of its runs.  Times are above 0: a draw that would give 0 or less is repeated
 * (the paper does not say what it did).
 *
 * The algorithm of each model is the one that the clean data selected.  So are its
 * preprocessing and settings, which are fitted anew (the paper does not say whether it tuned them
 * again).  Trainings from the beginning: noisy.h.
 */

#ifndef NOISE_H
#define NOISE_H

#include "study.h"

/* study->noise, from sigma 0 on. */
atm_status noise_run(study *study, atm_message *message);

/* seconds with noise: the draw of the paper, above 0. */
double noise_add(double seconds, double sigma, uint64_t *random);

#endif /* NOISE_H */
