/*
 * Rules that others set, as strategies: of a site's guide or of another library.
 * A rule asks for a configuration; it gets its own run where the ground has one,
 * else the candidate nearest to it, which study_strategy.note then tells.
 */

#ifndef BASELINES_H
#define BASELINES_H

#include "study.h"

int baselines_count(void);

/* 0 <= number < baselines_count(); out is empty. */
atm_status baselines_run(const study *study, int number, study_strategy *out);

/* The candidate nearest to a configuration: in stripes, their size, aggregators
 * and buffer, the first difference deciding, as ratios; of equal ones the first.
 * -1: none, where no candidate is collective (or independent) as it is. */
int baselines_nearest(const sweep_instance *instance, const atm_config *config, bool *exact_p);

#endif /* BASELINES_H */
