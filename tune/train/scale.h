/*
 * Operations with few points or none, scaled by what was measured on this machine; never by
 * what they take on another one.
 *
 *     storage         the learned operation that says most about it, times a factor; where none
 *                     was learned, a law of powers of all points of storage
 *     communication   what the built-in profile says, times a factor that the measured operations
 *                     of communication tell
 *
 * The factor is that of the grounds that are kept (scale_table.h), corrected by the points that
 * there are (a normal prior of its logarithm); its error is what is left of both.
 */

#ifndef SCALE_H
#define SCALE_H

#include "train.h"

/* Adds to the operations of a profile, which has the learned ones, those that are missing and can
 * be told.  ATM_OK or ATM_NO_MEMORY. */
atm_status scale_operations(const train_result *result, atm_value *operations);

#endif /* SCALE_H */
