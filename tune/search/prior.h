/*
 * What the performance model predicts for the points of a space: the accesses of the default's run
 * (seen_io.h), with what a point sets in the place of what that run had.  Of HDF5's settings,
 * alignment and chunks count: where data and metadata begin, and whether data is filled first.
 */

#ifndef ATS_PRIOR_H
#define ATS_PRIOR_H

#include "files/profile.h"
#include "space.h"

typedef struct ats_prior ats_prior;

/* Both outlive it.  Destroy it; NULL and a message: nothing can be predicted. */
ats_prior *ats_prior_create(const ats_space *space, const atm_profile *profile,
                            const atm_value *facts, atm_message *message);
void ats_prior_destroy(ats_prior *prior);

/* Seconds of all calls, and of metadata; NaN if they cannot be predicted. */
double ats_prior_seconds(ats_prior *prior, const ats_point *point);

#endif /* ATS_PRIOR_H */
