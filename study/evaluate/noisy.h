/*
 * Calibrations with noise, and what the driver's modes choose with the profiles that are
 * trained with them.  Each point is visited twice, as autotune-calibrate does, and each visit takes
 * t (1 + N(0, sigma^2)): training can tell noise from what the model does not explain.
 *
 * Only on grounds that are simulated: others have noise of their own.
 */

#ifndef NOISY_H
#define NOISY_H

#include "study.h"

/* study->noisy, if study_options.noisy asks for it. */
atm_status noisy_run(study *study, atm_message *message);

#endif /* NOISY_H */
