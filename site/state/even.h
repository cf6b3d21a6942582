/*
 * Even: what targets take, without the differences between them that are chance.
 *
 * Shares of a file follow what each target takes, and of some dozen large writes with long tails
 * that is known to a tenth: such shares are worse than equal ones.  A difference is believed as far
 * as targets that were slower in the first half of the writes were in the second, and deviations
 * are taken to be the same for all.
 */

#ifndef EVEN_H
#define EVEN_H

#include "rows.h"

/* Changes the mixtures of targets with samples: means of both states of a target by the same. */
atm_status even_out(state_rows *rows);

#endif /* EVEN_H */
